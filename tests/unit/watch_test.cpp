#include "cmocka.hpp"

#include <thread>
#include <vector>

#include "util/watch.hpp"

namespace watch_test {

struct Reports {
    std::vector<bmo_progress> seen;
    std::int32_t result = 0;

    static std::int32_t take(void *self, const bmo_progress *progress) {
        auto *reports = static_cast<Reports *>(self);
        reports->seen.push_back(*progress);
        return reports->result;
    }
};

constexpr std::int32_t hour = 3600 * 1000;

void poll_for(bmo::Watch &watch, std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end)
        watch.poll();
}

void watching_nothing_never_stops(void **) {
    bmo::Watch watch;
    watch.begin(BMO_PHASE_SEARCH, 3);
    watch.advance(3);
    watch.poll();
    watch.finish();
}

void a_requested_flag_stops_every_poll(void **) {
    const auto flag = std::make_shared<bmo::CancelFlag>();
    bmo::Watch watch(nullptr, nullptr, 0, flag);
    watch.begin(BMO_PHASE_SEARCH, 1);
    flag->request();
    for (int i = 0; i < 2; ++i) {
        const bmo::Failure failure = failure_of([&] { watch.poll(); });
        assert_int_equal(failure.status, BMO_ECANCELED);
        assert_int_equal(failure.callback_result, 0);
    }
    assert_int_equal(failure_of([&] { watch.begin(BMO_PHASE_CHECK, 1); }).status, BMO_ECANCELED);
    flag->reset();
    watch.poll();
}

void the_first_report_comes_at_once_and_the_next_after_the_interval(void **) {
    Reports reports;
    bmo::Watch watch(Reports::take, &reports, hour, nullptr);
    watch.begin(BMO_PHASE_PREPARE, 10);
    assert_int_equal(reports.seen.size(), 1);
    assert_int_equal(reports.seen[0].struct_size, sizeof(bmo_progress));
    assert_int_equal(reports.seen[0].phase, BMO_PHASE_PREPARE);
    assert_int_equal(reports.seen[0].done, 0);
    assert_int_equal(reports.seen[0].total, 10);
    watch.advance(4);
    poll_for(watch, std::chrono::milliseconds(20));
    assert_int_equal(reports.seen.size(), 1);
}

void reports_repeat_with_what_is_done(void **) {
    Reports reports;
    bmo::Watch watch(Reports::take, &reports, 10, nullptr);
    watch.begin(BMO_PHASE_CHECK, 10);
    watch.advance(4);
    poll_for(watch, std::chrono::milliseconds(100));
    assert_in_range(reports.seen.size(), 2, 11);
    assert_int_equal(reports.seen.back().done, 4);
    watch.advance(20);
    poll_for(watch, std::chrono::milliseconds(50));
    assert_int_equal(reports.seen.back().done, 10);
}

void the_end_of_a_phase_is_reported_in_any_case(void **) {
    Reports reports;
    bmo::Watch watch(Reports::take, &reports, hour, nullptr);
    watch.begin(BMO_PHASE_READ, 7);
    watch.finish();
    watch.begin(BMO_PHASE_CHECK, 5);
    watch.finish();
    assert_int_equal(reports.seen.size(), 3);
    assert_int_equal(reports.seen[1].phase, BMO_PHASE_READ);
    assert_int_equal(reports.seen[1].done, 7);
    assert_int_equal(reports.seen[2].phase, BMO_PHASE_CHECK);
    assert_int_equal(reports.seen[2].done, 5);
}

void a_non_zero_result_stops_every_thread(void **) {
    Reports reports;
    reports.result = 42;
    bmo::Watch watch(Reports::take, &reports, 1, nullptr);
    const bmo::Failure first = failure_of([&] { watch.begin(BMO_PHASE_SEARCH, 1); });
    assert_int_equal(first.status, BMO_ECANCELED);
    assert_int_equal(first.callback_result, 42);
    bmo::Failure other;
    std::thread([&] { other = failure_of([&] { watch.poll(); }); }).join();
    assert_int_equal(other.status, BMO_ECANCELED);
    assert_int_equal(other.callback_result, 42);
    assert_int_equal(reports.seen.size(), 1);
}

void other_threads_never_report(void **) {
    Reports reports;
    bmo::Watch watch(Reports::take, &reports, 1, nullptr);
    watch.begin(BMO_PHASE_SEARCH, 1);
    std::thread([&] { poll_for(watch, std::chrono::milliseconds(20)); }).join();
    assert_int_equal(reports.seen.size(), 1);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(watching_nothing_never_stops),
        cmocka_unit_test(a_requested_flag_stops_every_poll),
        cmocka_unit_test(the_first_report_comes_at_once_and_the_next_after_the_interval),
        cmocka_unit_test(reports_repeat_with_what_is_done),
        cmocka_unit_test(the_end_of_a_phase_is_reported_in_any_case),
        cmocka_unit_test(a_non_zero_result_stops_every_thread),
        cmocka_unit_test(other_threads_never_report),
    };
    return cmocka_run_group_tests_name("watch", tests, nullptr, nullptr);
}

} // namespace watch_test
