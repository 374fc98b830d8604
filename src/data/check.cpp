#include "data/check.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>

#include "util/failure.hpp"

namespace bmo {

namespace {

constexpr std::int64_t values_a_poll = 1 << 18;

template <class T>
bool acceptable(T value) {
    if constexpr (kIsFloat16<T>)
        return std::isfinite(static_cast<float>(value));
    else if constexpr (std::floating_point<T>)
        return std::isfinite(value);
    else if constexpr (sizeof(T) < 8)
        return true;
    else
        return value >= -static_cast<T>(exact_in_f64) && value <= static_cast<T>(exact_in_f64);
}

struct Judged {
    double peak; // the largest |value|, if all are acceptable
    bool acceptable;
};

// Independent lanes, so that the compiler may use vectors: it must not reorder the operations of one lane.
template <std::floating_point T>
Judged judge(const T *values, std::int64_t count) {
    constexpr std::int64_t lanes = 128 / sizeof(T);
    T peak[lanes] = {}, poison[lanes] = {}; // v * 0 is NaN for infinities and NaN, and NaN stays
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::int64_t l = 0; l < lanes; ++l) {
            const T size = std::fabs(values[i + l]);
            peak[l] = size > peak[l] ? size : peak[l];
            poison[l] += values[i + l] * T(0);
        }
    for (; i < count; ++i) {
        peak[0] = std::max(peak[0], std::fabs(values[i]));
        poison[0] += values[i] * T(0);
    }
    return {static_cast<double>(*std::max_element(peak, peak + lanes)),
            std::all_of(poison, poison + lanes, [](T p) { return p == 0; })};
}

template <class T>
requires kIsFloat16<T> Judged judge(const T *values, std::int64_t count) {
    constexpr std::int64_t part = 1024;
    float floats[part];
    Judged all{0, true};
    for (std::int64_t first = 0; first < count && all.acceptable; first += part) {
        const std::int64_t some = std::min(part, count - first);
        std::copy_n(values + first, some, floats);
        const Judged judged = judge(floats, some);
        all = {std::max(all.peak, judged.peak), judged.acceptable};
    }
    return all;
}

template <std::integral T>
Judged judge(const T *values, std::int64_t count) {
    T low = 0, high = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
    }
    return {std::max(-static_cast<double>(low), static_cast<double>(high)), acceptable(low) && acceptable(high)};
}

// Values of a block in the order in which they lie: `lines` times `length`, the values of a line `step` apart.
struct Walk {
    std::int64_t lines, length, line_stride, step;
    bool points_are_lines;
};

Walk walk_of(const DenseView &block) {
    const bool by_point = block.n == 1 || (block.d > 1 && block.coord_stride <= block.point_stride);
    Walk walk = by_point ? Walk{block.n, block.d, block.point_stride, block.coord_stride, true}
                         : Walk{block.d, block.n, block.coord_stride, block.point_stride, false};
    if (walk.length == 1)
        walk.step = 1;
    return walk;
}

// Where messages and failures find a block: its name, and its first value's place.
struct Origin {
    const char *argument;
    std::int64_t row, col;
};

// The value at a position of the walk.
template <class T>
[[noreturn]] void refuse(T value, const Walk &walk, std::int64_t position, const Origin &origin) {
    const std::int64_t line = position / walk.length, along = position % walk.length;
    const std::int64_t row = origin.row + (walk.points_are_lines ? line : along);
    const std::int64_t col = origin.col + (walk.points_are_lines ? along : line);
    const std::string where = text(Word{origin.argument}, ": the value of point ", Position{row}, ", coordinate ",
                                   Position{col}, kCountedFrom0, " is ", arithmetic(value));
    if (std::integral<T>)
        fail(BMO_EINVAL, origin.argument, where + "; expected integers from -2^53 to 2^53", row, col);
    fail(BMO_ENONFINITE, origin.argument, where + "; expected finite values", row, col);
}

template <class T>
double check_typed(const DenseView &block, const Origin &origin) {
    constexpr std::int64_t part = 1024; // of a line, gathered if its values lie apart
    const Walk walk = walk_of(block);
    const T *data = static_cast<const T *>(block.data);
    const bool seamless = walk.step == 1 && (walk.lines == 1 || walk.line_stride == walk.length);
    const std::int64_t lines = seamless ? 1 : walk.lines;
    const std::int64_t length = seamless ? walk.lines * walk.length : walk.length;
    const std::int64_t most = walk.step == 1 ? length : part;
    double peak = 0;
    T gathered[part];
    for (std::int64_t line = 0; line < lines; ++line)
        for (std::int64_t first = 0, count; first < length; first += count) {
            const T *values = data + line * walk.line_stride + first * walk.step;
            count = std::min(most, length - first);
            if (walk.step != 1) {
                for (std::int64_t i = 0; i < count; ++i)
                    gathered[i] = values[i * walk.step];
                values = gathered;
            }
            const Judged judged = judge(values, count);
            peak = std::max(peak, judged.peak);
            if (judged.acceptable)
                continue;
            const T *bad = std::find_if_not(values, values + count, acceptable<T>);
            refuse(*bad, walk, line * length + first + (bad - values), origin);
        }
    return peak;
}

} // namespace

double check_block(const DenseView &block, std::int64_t row, std::int64_t col, const char *argument) {
    if (block.n == 0)
        return 0;
    return visit_dtype(block.dtype, [&]<class T>(const T *) { return check_typed<T>(block, {argument, row, col}); });
}

double check_values(const DenseView &points, const char *argument, Watch &watch) {
    watch.begin(BMO_PHASE_CHECK, points.n);
    const bool by_point = walk_of(points).points_are_lines;
    const std::int64_t inner = std::clamp<std::int64_t>(by_point ? points.d : points.n, 1, values_a_poll);
    const std::int64_t outer = values_a_poll / inner;
    const std::int64_t rows = by_point ? outer : inner, cols = by_point ? inner : outer;
    const auto size = static_cast<std::int64_t>(dtype_size(points.dtype));
    double peak = 0;
    const auto check = [&](std::int64_t row, std::int64_t col) {
        DenseView block = points;
        block.data =
            static_cast<const char *>(points.data) + (row * points.point_stride + col * points.coord_stride) * size;
        block.n = std::min(rows, points.n - row);
        block.d = std::min(cols, points.d - col);
        peak = std::max(peak, check_block(block, row, col, argument));
        watch.poll();
    };
    if (by_point)
        for (std::int64_t row = 0; row < points.n; row += rows) {
            for (std::int64_t col = 0; col < points.d; col += cols)
                check(row, col);
            watch.advance(std::min(rows, points.n - row));
        }
    else
        for (std::int64_t col = 0; col < points.d; col += cols) {
            for (std::int64_t row = 0; row < points.n; row += rows)
                check(row, col);
            const std::int64_t next = std::min(col + cols, points.d); // whole columns, told as their share of the rows
            watch.advance(points.n * next / points.d - points.n * col / points.d);
        }
    watch.finish();
    return peak;
}

} // namespace bmo
