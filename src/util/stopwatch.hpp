// Wall time, for reports: nothing is decided by it.
#pragma once

#include <chrono>
#include <cstdint>

namespace bmo {

class Stopwatch {
public:
    std::uint64_t ns() const {
        return static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_).count());
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace bmo
