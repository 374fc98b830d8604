// A number that takes long to read and seldom changes.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace bmo {

// Keeps what was read for a second. Any number of threads at once: each may read, none waits for another, and a child
// after fork() goes on with what its parent had.
class KeptReading {
public:
    static constexpr std::chrono::nanoseconds kept_for = std::chrono::seconds(1);

    // now: of a clock that never goes back.
    template <class Read>
    std::int64_t get(std::chrono::nanoseconds now, const Read &read) {
        if (now.count() < until_.load(std::memory_order_acquire))
            return value_.load(std::memory_order_relaxed);
        const std::int64_t value = read();
        value_.store(value, std::memory_order_relaxed);
        until_.store((now + kept_for).count(), std::memory_order_release);
        return value;
    }

private:
    std::atomic<std::int64_t> until_{std::chrono::nanoseconds::min().count()}, value_{0};
};

} // namespace bmo
