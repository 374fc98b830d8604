// Products and sums of sizes that may not wrap.
#pragma once

#include <cstdint>
#include <string_view>

#include "util/failure.hpp"

namespace bmo {

inline std::int64_t checked_mul(std::int64_t a, std::int64_t b, std::string_view argument) {
    std::int64_t product;
    if (__builtin_mul_overflow(a, b, &product))
        fail(BMO_EOVERFLOW, argument, text(Word{argument}, ": ", a, " * ", b, " is beyond 64 bits"));
    return product;
}

inline std::int64_t checked_add(std::int64_t a, std::int64_t b, std::string_view argument) {
    std::int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        fail(BMO_EOVERFLOW, argument, text(Word{argument}, ": ", a, " + ", b, " is beyond 64 bits"));
    return sum;
}

} // namespace bmo
