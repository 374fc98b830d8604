// How a long call reports its progress and learns that it shall stop. One object a call, shared by its threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "bmo.h"

namespace bmo {

// What a bmo_cancel handle and the calls that use it share. request() is safe in a signal handler.
class CancelFlag {
public:
    void request() noexcept { requested_.store(true, std::memory_order_relaxed); }
    void reset() noexcept { requested_.store(false, std::memory_order_relaxed); }
    bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> requested_{false};
    static_assert(std::atomic<bool>::is_always_lock_free);
};

class Watch {
public:
    Watch() = default; // watches nothing
    // reporter may be NULL. interval_ms <= 0: 100.
    Watch(bmo_progress_fn reporter, void *ctx, std::int32_t interval_ms, std::shared_ptr<const CancelFlag> cancel);
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    // Starts a phase of so many units, and polls. On the calling thread, with no worker running.
    void begin(bmo_phase phase, std::int64_t total);
    // Counts finished units. Any thread.
    void advance(std::int64_t units) noexcept { done_.fetch_add(units, std::memory_order_relaxed); }
    // Throws Failure(BMO_ECANCELED) when the call shall stop; on the calling thread, reports when it is time to. Call
    // it at least every few milliseconds of work: it costs some nanoseconds.
    void poll();
    // Reports the end of the phase (done = total) if there is a reporter.
    void finish();

private:
    void report(std::int64_t done);
    [[noreturn]] void fail_stopped() const;

    bmo_progress_fn report_ = nullptr;
    void *ctx_ = nullptr;
    std::chrono::milliseconds interval_{100};
    std::shared_ptr<const CancelFlag> cancel_;
    std::thread::id caller_ = std::this_thread::get_id();
    bmo_phase phase_ = 0;
    std::int64_t total_ = 0;
    std::atomic<std::int64_t> done_{0};
    std::atomic<bool> stopped_{false}; // the reporter said stop: for the other threads
    std::int32_t callback_result_ = 0;
    std::chrono::nanoseconds next_{0}; // when to report
};

// Polls now and then in a loop of many steps that each take some nanoseconds.
class SmallSteps {
public:
    explicit SmallSteps(Watch &watch) : watch_(watch) {}
    void step() {
        if (++steps_ % kPolled == 0)
            watch_.poll();
    }

private:
    static constexpr std::uint32_t kPolled = 1U << 16;

    Watch &watch_;
    std::uint32_t steps_ = 0;
};

} // namespace bmo
