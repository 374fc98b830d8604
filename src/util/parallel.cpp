#include "util/parallel.hpp"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <vector>

#include <sched.h>

#include "util/cgroup.hpp"
#include "util/kept_reading.hpp"
#include "util/throwing.hpp"

namespace bmo {

namespace {

// Threads started meanwhile leave the signals of the process to the caller's own threads. Faults stay deliverable.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
            sigdelset(&all, fault);
        pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked &) = delete;
    SignalsBlocked &operator=(const SignalsBlocked &) = delete;

private:
    sigset_t before_;
};

// What the threads of one parallel_for share.
class Crew {
public:
    using Work = std::function<void(std::int64_t item, int worker)>;

    Crew(std::int64_t items, Watch &watch, const Work &work) : items_(items), watch_(watch), work_(work) {}

    // Takes items until none is left. Items are taken in ascending order, and one that was taken is worked on: so the
    // lowest item that fails does not depend on the threads.
    void work_off(int worker) noexcept {
        while (!stopped_.load(std::memory_order_relaxed)) {
            const std::int64_t item = next_.fetch_add(1, std::memory_order_relaxed);
            if (item >= items_)
                return;
            attempt(item, [&] {
                watch_.poll();
                work_(item, worker);
            });
        }
    }

    void leave() noexcept {
        const std::scoped_lock lock(mutex_);
        ++left_;
        changed_.notify_one();
    }

    // On the calling thread, until so many workers have left: reports and cancels go on.
    void await(std::size_t workers) noexcept {
        std::unique_lock lock(mutex_);
        while (left_ < workers && !stopped_.load(std::memory_order_relaxed)) {
            changed_.wait_for(lock, std::chrono::milliseconds(5));
            lock.unlock();
            attempt(items_, [&] { watch_.poll(); });
            lock.lock();
        }
    }

    // With no worker running.
    void rethrow() const {
        if (failure_)
            std::rethrow_exception(failure_);
    }

private:
    template <class Attempt>
    void attempt(std::int64_t item, const Attempt &step) noexcept {
        try {
            step();
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            if (!failure_ || item < failed_item_) {
                failure_ = std::current_exception();
                failed_item_ = item;
            }
            stopped_.store(true, std::memory_order_relaxed);
        }
    }

    const std::int64_t items_;
    Watch &watch_;
    const Work &work_;
    std::atomic<std::int64_t> next_{0};
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t left_ = 0;
    std::int64_t failed_item_ = 0;
    std::exception_ptr failure_;
};

// Fewer than asked for if the system refuses more.
void start(std::vector<std::jthread> &threads, std::size_t count, Crew &crew) {
    threads.reserve(count);
    const SignalsBlocked blocked;
    try {
        for (int worker = 1; threads.size() < count; ++worker)
            threads.emplace_back([&crew, worker] {
                if (can_throw())
                    crew.work_off(worker);
                crew.leave();
            });
    } catch (const std::system_error &) {
        return;
    } catch (const std::bad_alloc &) {
        return;
    }
}

int affinity_processors() {
    for (int size = CPU_SETSIZE; size <= (1 << 20); size *= 2) {
        cpu_set_t *set = CPU_ALLOC(static_cast<std::size_t>(size));
        if (!set)
            return 1;
        const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(size));
        const int count = sched_getaffinity(0, bytes, set) == 0 ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
    return 1;
}

} // namespace

void parallel_for(int threads, std::int64_t items, Watch &watch, const Crew::Work &work) {
    if (items <= 0)
        return;
    Crew crew(items, watch, work);
    std::vector<std::jthread> others;
    const std::int64_t wanted = std::clamp<std::int64_t>(threads, 1, items);
    start(others, static_cast<std::size_t>(wanted - 1), crew);
    crew.work_off(0);
    crew.await(others.size());
    others.clear(); // joins
    crew.rethrow();
}

int threads_available() {
    static constinit KeptReading quota_now;
    const std::int64_t quota = quota_now.get(std::chrono::steady_clock::now().time_since_epoch(), [] {
        return cgroup_processors(read_file_text("/proc/self/cgroup"), "/sys/fs/cgroup");
    });
    const int processors = affinity_processors();
    return quota > 0 ? static_cast<int>(std::min<std::int64_t>(quota, processors)) : processors;
}

} // namespace bmo
