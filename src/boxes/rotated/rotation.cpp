#include "boxes/rotated/rotation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "boxes/metric.hpp"
#include "simd/kernels.hpp"
#include "util/failure.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

// Scaled data are below 2^21 (below 2^44 at the upper limit of double): see kLargestNarrow in rotated_box.cpp.
constexpr double kMagnitude = 0x1p20;

std::int64_t padded_size(std::int64_t d) {
    constexpr std::int64_t most = std::int64_t{1} << 30; // an order counts in 32 bits
    if (d > most)
        fail(BMO_EUNSUPPORTED, "box", text("box is rotated, which takes up to ", most, " coordinates, not ", d));
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(d, kBatch))));
}

// The mean of some points, so many that it is about as good as the mean of all.
std::vector<double> middle(const DenseView &points, double scale) {
    constexpr std::int64_t enough = 64;
    const std::int64_t count = std::min(points.n, enough);
    std::vector<double> point(static_cast<std::size_t>(points.d)), sum(point.size());
    for (std::int64_t i = 0; i < count; ++i) {
        load_point(points, i * (points.n / count), point.data());
        for (std::size_t j = 0; j < sum.size(); ++j)
            sum[j] += point[j] * scale / static_cast<double>(count);
    }
    return sum;
}

// From a stream of random numbers that does not overlap with the order's.
std::vector<std::int8_t> random_signs(std::size_t count, std::int64_t seed) {
    Xoshiro256pp random(static_cast<std::uint64_t>(seed));
    random.jump();
    std::vector<std::int8_t> signs(count);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 64 == 0)
            bits = random.next();
        signs[i] = (bits >> i % 64 & 1) != 0 ? 1 : -1;
    }
    return signs;
}

} // namespace

Rotation::Rotation(const Dataset &data, std::int64_t seed)
    : d_(data.d()), padded_(padded_size(data.d())), levels_(std::countr_zero(static_cast<std::uint64_t>(padded_))),
      scale_(kMagnitude * normalizing_scale(data.max_abs)),
      reference_(middle(data.dense, scale_ / static_cast<double>(padded_))),
      signs_(random_signs(static_cast<std::size_t>(kRounds * padded_), seed)) {}

Rotation::Rotation(std::int64_t d, std::int64_t seed)
    : d_(d), padded_(padded_size(d)), levels_(std::countr_zero(static_cast<std::uint64_t>(padded_))),
      scale_(kMagnitude), reference_(static_cast<std::size_t>(d)),
      signs_(random_signs(static_cast<std::size_t>(kRounds * padded_), seed)) {}

Rotation::Rotation(std::int64_t d, double max_abs, const Sections &sections)
    : d_(d), padded_(padded_size(d)), levels_(std::countr_zero(static_cast<std::uint64_t>(padded_))) {
    const auto *numbers = sections.values<double>(SectionKind::rotation, 1 + d_);
    const auto *signs = sections.values<std::int8_t>(SectionKind::signs, kRounds * padded_);
    scale_ = numbers[0];
    reference_.assign(numbers + 1, numbers + 1 + d_);
    signs_.assign(signs, signs + kRounds * padded_);
    const auto is_sign = [](std::int8_t sign) { return sign == 1 || sign == -1; };
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (scale_ != kMagnitude * normalizing_scale(max_abs) || !std::all_of(signs_.begin(), signs_.end(), is_sign) ||
        !std::all_of(reference_.begin(), reference_.end(), is_finite))
        sections.fail_format("the rotation is none of these points; the file is damaged");
}

std::vector<SectionSource> Rotation::sections() const {
    std::vector<double> numbers = {scale_};
    numbers.insert(numbers.end(), reference_.begin(), reference_.end());
    return {SectionSource::of(SectionKind::rotation, std::move(numbers)),
            {SectionKind::signs, signs_.data(), static_cast<std::int64_t>(signs_.size()), nullptr}};
}

double Rotation::center(const double *point, double shrink, double *out) const {
    const double factor = scale_ * shrink / static_cast<double>(padded_);
    double squares = 0;
    for (std::int64_t j = 0; j < d_; ++j) {
        out[j] = point[j] * factor - reference_[static_cast<std::size_t>(j)] * shrink;
        squares += out[j] * out[j];
    }
    std::fill(out + d_, out + padded_, 0.0);
    return std::sqrt(squares) * static_cast<double>(padded_);
}

namespace {

constexpr std::int64_t kPart = std::int64_t{1} << 18; // values between two polls

// The level of the transform with this half, which is kPart or more.
void join(double *values, std::int64_t size, std::int64_t half, Watch &watch) {
    for (std::int64_t first = 0; first < size; first += 2 * half)
        for (std::int64_t part = first; part < first + half; part += kPart) {
            watch.poll();
            for (std::int64_t j = part; j < part + kPart; ++j) {
                const double a = values[j], b = values[j + half];
                values[j] = a + b;
                values[j + half] = a - b;
            }
        }
}

} // namespace

void Rotation::turn(double *centered, Watch &watch) const {
    const Kernels &loops = kernels();
    const std::int64_t part = std::min(padded_, kPart);
    for (std::int64_t round = 0; round < kRounds; ++round) {
        const std::int8_t *sign = signs_.data() + round * padded_;
        for (std::int64_t at = 0; at < padded_; at += part) {
            watch.poll();
            for (std::int64_t j = at; j < at + part; ++j)
                centered[j] *= static_cast<double>(sign[j]);
            loops.hadamard(centered + at, part);
        }
        for (std::int64_t half = part; half < padded_; half *= 2)
            join(centered, padded_, half, watch);
    }
}

std::uint64_t Rotation::turn_ops() const {
    return static_cast<std::uint64_t>(kRounds * levels_ * padded_);
}

} // namespace bmo
