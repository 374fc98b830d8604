#include "search/choice/cost_model.hpp"

#include <algorithm>

#include "bandit/race/schedule.hpp"
#include "boxes/metric.hpp"
#include "boxes/projected/projected_prepared.hpp"
#include "boxes/sketch/sketch_basis.hpp"
#include "boxes/tiles/scan_prepared.hpp"
#include "simd/kernels.hpp"

namespace bmo {
namespace {

// Nanoseconds of a coordinate operation of a scan of many queries.
struct TileTimes {
    double square, absolute, square_of_bytes, absolute_of_bytes, codes;
};

// Measured on processors that have AVX-512 with products of bytes, and on one that has AVX2 alone.
const TileTimes &tile_times() {
    static constexpr TileTimes kWide{0.019, 0.034, 0.0047, 0.0066, 0.01}, kNarrow{0.029, 0.052, 0.019, 0.0094, 0.015};
    const bool products_of_bytes = kernels().bytes_are_fast && kernels().byte_levels == 127;
    return products_of_bytes ? kWide : kNarrow;
}

} // namespace

ScanTimes scan_times(const Dataset &data, const Settings &settings, bool byte_queries) {
    constexpr double kCallback = 5, kWeighted = 0.4;
    const Metric metric = Metric::from(settings.metric, settings.p);
    if (metric.is_costly()) {
        const double time = metric.traits().kind == MetricKind::callback ? kCallback : metric.scan_time();
        return {time, time};
    }
    if (settings.weights)
        return {kWeighted, kWeighted};
    const bool square = metric.tiles() == Tiles::products;
    if (codes_of(data, metric))
        return {tile_times().codes, 0.1};
    if (data.dense.dtype == BMO_U8 && byte_queries && !is_angular(settings.metric))
        return {square ? tile_times().square_of_bytes : tile_times().absolute_of_bytes, 0.1};
    return {square ? tile_times().square : tile_times().absolute, data.dense.dtype == BMO_F64 ? 0.6 : 0.33};
}

double scan_time(const Dataset &data, const ScanTimes &scan, std::int64_t arms, std::int64_t queries) {
    constexpr double kArm = 3;
    const double coordinate =
        std::max(scan.of_many, scan.of_one / static_cast<double>(std::max<std::int64_t>(1, queries)));
    return static_cast<double>(arms) * (static_cast<double>(data.d()) * coordinate + kArm);
}

double finish_time(const Dataset &data, const ScanTimes &scan, std::int64_t k) {
    constexpr double kApart = 10;
    const double finished = 2 * static_cast<double>(k) + 12, d = static_cast<double>(data.d());
    return finished * d * (data.dense.coord_stride == 1 ? scan.of_one : kApart);
}

double sketch_time(const Dataset &data, const ScanTimes &scan, std::int64_t k) {
    constexpr double kArm = 3, kSketched = 0.012, kProjected = 0.05;
    constexpr std::int64_t kLeft = 10; // arms that a sketch leaves for each neighbor
    const auto n = static_cast<double>(data.n()), d = static_cast<double>(data.d());
    const auto width = static_cast<double>(sketch_width(data.d()));
    return n * (width * kSketched + kArm) + width * d * kProjected + finish_time(data, scan, kLeft * k);
}

double projected_arm_time(const Dataset &data) {
    const bool guessed =
        kWasteShare * static_cast<double>(data.d()) > kLead; // else guesses do not pay (bandit/race/stages.hpp)
    return guessed ? 7 : 45;
}

double prepare_time(const Dataset &data, std::int64_t box) {
    constexpr double kDirectionSample = 1024; // rows
    const auto n = static_cast<double>(data.n()), d = static_cast<double>(data.d());
    const auto width = static_cast<double>(sketch_width(data.d()));
    switch (box) {
    case BMO_BOX_PROJECTED: return 5 * n * d + 42 * std::min(n, kDirectionSample) * d;
    case BMO_BOX_ROTATED: return 8 * n * d;
    case BMO_BOX_SKETCH: return (0.04 * n + width) * width * d;
    default: return 1.5 * n * d;
    }
}

} // namespace bmo
