#include "api/strides.hpp"

#include <numeric>

#include "util/checked.hpp"
#include "util/failure.hpp"

namespace bmo {

namespace {

void resolve_axis(Axis &axis, std::int64_t contiguous) {
    if (axis.length <= 1 || axis.stride == 0)
        axis.stride = contiguous;
    if (axis.stride < 0)
        refuse(axis.name, axis.stride, "0 (contiguous) or more");
}

} // namespace

void Axes::resolve() {
    resolve_axis(inner, 1);
    resolve_axis(outer, checked_mul(inner.length, inner.stride, inner.name));
}

std::int64_t Axes::extent(std::size_t bytes) const {
    if (outer.length == 0 || inner.length == 0)
        return 0;
    const std::int64_t last = checked_add(checked_mul(outer.length - 1, outer.stride, outer.name),
                                          checked_mul(inner.length - 1, inner.stride, inner.name), outer.name);
    const std::int64_t elements = checked_add(last, 1, outer.name);
    checked_mul(elements, static_cast<std::int64_t>(bytes), outer.name);
    return elements;
}

// i * outer.stride = j * inner.stride has its smallest solution at i = inner.stride / gcd, j = outer.stride / gcd.
bool Axes::overlap() const {
    if (outer.length <= 1 || inner.length <= 1)
        return false;
    const std::int64_t gcd = std::gcd(outer.stride, inner.stride);
    return inner.stride / gcd < outer.length && outer.stride / gcd < inner.length;
}

void check_alignment(const void *memory, std::size_t bytes, const std::string &argument) {
    if (reinterpret_cast<std::uintptr_t>(memory) % bytes != 0)
        fail(BMO_EINVAL, argument, text(Word{argument}, " is not aligned; expected a multiple of ", bytes, " bytes"));
}

} // namespace bmo
