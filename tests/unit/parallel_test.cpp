#include "cmocka.hpp"

#include <csignal>
#include <new>
#include <vector>

#include <pthread.h>
#include <sched.h>

#include "util/cgroup.hpp"
#include "util/parallel.hpp"

namespace parallel_test {

using std::chrono::milliseconds;

void sleep(milliseconds time) {
    std::this_thread::sleep_for(time);
}

void run_every_item_once(int threads, std::int64_t items) {
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(items));
    std::vector<std::atomic<int>> busy(static_cast<std::size_t>(threads));
    std::atomic<bool> shared{false}, foreign{false};
    const auto caller = std::this_thread::get_id();
    bmo::Watch watch;
    bmo::parallel_for(threads, items, watch, [&](std::int64_t item, int worker) {
        auto &mine = busy.at(static_cast<std::size_t>(worker));
        if (mine.exchange(1) != 0)
            shared = true;
        if ((std::this_thread::get_id() == caller) != (worker == 0))
            foreign = true;
        ++runs[static_cast<std::size_t>(item)];
        mine = 0;
    });
    assert_false(shared.load());
    assert_false(foreign.load());
    for (const auto &count : runs)
        assert_int_equal(count.load(), 1);
}

void every_item_runs_once_in_a_workspace_of_its_own(void **) {
    for (const int threads : {1, 2, 3, 8})
        for (const std::int64_t items : {0, 1, 2, 7, 1000})
            run_every_item_once(threads, items);
}

void several_threads_run_at_once(void **) {
    std::atomic<int> together{0};
    bmo::Watch watch;
    bmo::parallel_for(3, 3, watch, [&](std::int64_t, int) {
        ++together;
        while (together < 3) // ends only if three threads are here
            std::this_thread::yield();
    });
    assert_int_equal(together.load(), 3);
}

void the_lowest_failure_is_thrown(void **) {
    for (int repeat = 0; repeat < 5; ++repeat) {
        bmo::Watch watch;
        const bmo::Failure failure = failure_of([&] {
            bmo::parallel_for(4, 100, watch, [](std::int64_t item, int) {
                if (item < 10)
                    return;
                sleep(milliseconds(item == 10 ? 20 : 0)); // the lowest fails last
                bmo::fail(BMO_EOVERFLOW, "", "made", item);
            });
        });
        assert_int_equal(failure.status, BMO_EOVERFLOW);
        assert_int_equal(failure.row, 10);
    }
}

void a_failure_stops_the_others(void **) {
    std::atomic<int> started{0};
    bmo::Watch watch;
    const bmo::Failure failure = failure_of([&] {
        bmo::parallel_for(2, 1000000, watch, [&](std::int64_t item, int) {
            ++started;
            if (item == 0)
                bmo::fail(BMO_EIO, "", "made");
            sleep(milliseconds(1));
        });
    });
    assert_int_equal(failure.status, BMO_EIO);
    assert_in_range(started.load(), 1, 1000);
}

void any_exception_arrives(void **) {
    bmo::Watch watch;
    bool no_memory = false, number = false;
    try {
        bmo::parallel_for(2, 10, watch, [](std::int64_t, int) { throw std::bad_alloc(); });
    } catch (const std::bad_alloc &) {
        no_memory = true;
    }
    try {
        bmo::parallel_for(2, 10, watch, [](std::int64_t, int) { throw 7; });
    } catch (int) {
        number = true;
    }
    assert_true(no_memory);
    assert_true(number);
}

// Two items, one a thread: the caller's returns once the other has begun, the other's is `rest`.
template <class Rest>
void run_while_caller_waits(bmo::Watch &watch, const Rest &rest) {
    std::atomic<bool> begun{false};
    bmo::parallel_for(2, 2, watch, [&](std::int64_t, int worker) {
        if (worker == 0) {
            while (!begun)
                std::this_thread::yield();
        } else {
            begun = true;
            rest();
        }
    });
}

void the_waiting_caller_goes_on_reporting(void **) {
    std::atomic<int> reports{0};
    const auto count = [](void *reported, const bmo_progress *) {
        ++*static_cast<std::atomic<int> *>(reported);
        return std::int32_t(0);
    };
    bmo::Watch watch(count, &reports, 1, nullptr);
    watch.begin(BMO_PHASE_SEARCH, 2);
    run_while_caller_waits(watch, [&] {
        const int before = reports;
        while (reports < before + 3) // ends only if the caller reports
            sleep(milliseconds(1));
    });
    assert_true(reports.load() >= 4);
}

void a_stop_while_waiting_stops_the_workers(void **) {
    std::atomic<bool> waiting{false};
    const auto stop = [](void *when, const bmo_progress *) {
        return std::int32_t(static_cast<std::atomic<bool> *>(when)->load() ? 9 : 0);
    };
    bmo::Watch watch(stop, &waiting, 1, nullptr);
    watch.begin(BMO_PHASE_SEARCH, 2);
    const bmo::Failure failure = failure_of([&] {
        run_while_caller_waits(watch, [&] {
            waiting = true;
            for (;;) // ends only by the watch
                watch.poll();
        });
    });
    assert_int_equal(failure.status, BMO_ECANCELED);
    assert_int_equal(failure.callback_result, 9);
}

void a_cancel_stops_all_workers(void **) {
    const auto flag = std::make_shared<bmo::CancelFlag>();
    bmo::Watch watch(nullptr, nullptr, 0, flag);
    std::thread other([&] {
        sleep(milliseconds(20));
        flag->request();
    });
    const bmo::Failure failure = failure_of([&] {
        bmo::parallel_for(3, 3, watch, [&](std::int64_t, int) {
            for (;;) // ends only by the flag
                watch.poll();
        });
    });
    other.join();
    assert_int_equal(failure.status, BMO_ECANCELED);
}

void signals_are_left_to_the_callers_threads(void **) {
    sigset_t before, after, inside;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    bmo::Watch watch;
    run_while_caller_waits(watch, [&] { pthread_sigmask(SIG_SETMASK, nullptr, &inside); });
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    assert_true(sigismember(&inside, SIGALRM));
    assert_true(sigismember(&inside, SIGINT));
    assert_false(sigismember(&inside, SIGSEGV));
    for (const int signal : {SIGALRM, SIGINT, SIGSEGV})
        assert_int_equal(sigismember(&before, signal), sigismember(&after, signal));
}

void refused_threads_are_done_without(void **) {
    pthread_attr_t usual, impossible;
    pthread_getattr_default_np(&usual);
    pthread_attr_init(&impossible);
    pthread_attr_setstacksize(&impossible, std::size_t(1) << 47); // no address space holds it
    assert_int_equal(pthread_setattr_default_np(&impossible), 0);
    int items = 0;
    bool only_caller = true;
    bmo::Watch watch;
    bmo::parallel_for(4, 100, watch, [&](std::int64_t, int worker) {
        only_caller = only_caller && worker == 0;
        ++items;
    });
    pthread_setattr_default_np(&usual);
    pthread_attr_destroy(&impossible);
    pthread_attr_destroy(&usual);
    assert_true(only_caller);
    assert_int_equal(items, 100);
}

void available_threads_follow_affinity_and_quota(void **) {
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    const std::int64_t quota = bmo::cgroup_processors(bmo::read_file_text("/proc/self/cgroup"), "/sys/fs/cgroup");
    const std::int64_t processors = CPU_COUNT(&before);
    assert_int_equal(bmo::threads_available(), quota > 0 && quota < processors ? quota : processors);
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; CPU_COUNT(&one) == 0; ++cpu)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const int restricted = bmo::threads_available();
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(restricted, 1);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(every_item_runs_once_in_a_workspace_of_its_own),
        cmocka_unit_test(several_threads_run_at_once),
        cmocka_unit_test(the_lowest_failure_is_thrown),
        cmocka_unit_test(a_failure_stops_the_others),
        cmocka_unit_test(any_exception_arrives),
        cmocka_unit_test(the_waiting_caller_goes_on_reporting),
        cmocka_unit_test(a_stop_while_waiting_stops_the_workers),
        cmocka_unit_test(a_cancel_stops_all_workers),
        cmocka_unit_test(signals_are_left_to_the_callers_threads),
        cmocka_unit_test(refused_threads_are_done_without),
        cmocka_unit_test(available_threads_follow_affinity_and_quota),
    };
    return cmocka_run_group_tests_name("parallel", tests, nullptr, nullptr);
}

} // namespace parallel_test
