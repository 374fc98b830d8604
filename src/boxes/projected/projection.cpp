#include "boxes/projected/projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "boxes/metric.hpp"
#include "boxes/tiles/tile_rows.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

double product_error(std::int64_t terms) {
    return (static_cast<double>(terms) / kBatch + 6) * kUnit;
}

// With V the directions, one below the other, |(V V' - 1) z| is at most skew |z| for every z that is 0 for each direction of 0:
// tried with random signs for z, of which the left side's mean square is that of the largest skew there can be.
void check_skew(const Directions &directions, const Sections &sections) {
    constexpr int kTrials = 2;
    Xoshiro256pp random(0);
    const std::int64_t d = directions.d;
    std::vector<double> sum(static_cast<std::size_t>(d));
    for (int trial = 0; trial < kTrials; ++trial) {
        double signs[kHead], squares = 0, apart = 0;
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::int64_t h = 0; h < kHead; ++h) {
            const float *direction = directions.values.data() + h * d;
            const bool is_none = std::all_of(direction, direction + d, [](float value) { return value == 0; });
            signs[h] = is_none ? 0 : random.next() >> 63 == 0 ? -1 : 1;
            squares += signs[h] * signs[h];
            for (std::int64_t j = 0; j < d && !is_none; ++j)
                sum[static_cast<std::size_t>(j)] += signs[h] * static_cast<double>(direction[j]);
        }
        for (std::int64_t h = 0; h < kHead; ++h) {
            const float *direction = directions.values.data() + h * d;
            double product = 0;
            for (std::int64_t j = 0; j < d; ++j)
                product += static_cast<double>(direction[j]) * sum[static_cast<std::size_t>(j)];
            apart += (product - signs[h]) * (product - signs[h]);
        }
        const double most = directions.skew * (1 + 0x1p-10) + static_cast<double>(d + 64) * 0x1p-50;
        if (!(std::sqrt(apart) <= most * std::sqrt(squares)))
            sections.fail_format("the directions are not as orthonormal as it says; the file is damaged or made up");
    }
}

// scale and skew stand behind the middle.
Directions saved_directions(std::int64_t d, const Sections &sections) {
    Directions from;
    from.count = kHead;
    from.d = d;
    const auto *values = sections.values<float>(SectionKind::directions, kHead * d);
    const auto *middle = sections.values<double>(SectionKind::middle, d + 2);
    from.values.assign(values, values + kHead * d);
    from.middle.assign(middle, middle + d);
    from.skew = middle[d + 1];
    const auto is_finite = [](auto value) { return std::isfinite(value); };
    if (!std::all_of(from.values.begin(), from.values.end(), is_finite) ||
        !std::all_of(middle, middle + d + 2, is_finite) || middle[d] <= 0 || from.skew < 0)
        sections.fail_format("the directions are none of these points; the file is damaged");
    check_skew(from, sections);
    return from;
}

} // namespace

Projection::Projection(Directions directions, double scale)
    : directions_(std::move(directions)), scale_(scale), row_(kChunk + kTileStep) {
    const double root = std::sqrt(static_cast<double>(kHead));
    head_error_ = root * product_error(kChunk) + 3 * kUnit + 2 * directions_.skew;
    error_ = 2 * head_error_ + 2 * directions_.skew + root * (static_cast<double>(kHead) / 4 + 6) * kUnit + kUnit;
    const std::int64_t d = directions_.d, chunks = (d + kChunk - 1) / kChunk;
    chunks_.resize(static_cast<std::size_t>(chunks * kHead * row_));
    std::fill(chunks_.begin(), chunks_.end(), 0.0F);
    for (std::int64_t h = 0; h < kHead; ++h)
        for (std::int64_t j = 0; j < d; ++j)
            chunks_[static_cast<std::size_t>((j / kChunk * kHead + h) * row_ + j % kChunk)] =
                directions_.values[static_cast<std::size_t>(h * d + j)];
}

Projection::Projection(std::int64_t d, const Sections &sections)
    : Projection(saved_directions(d, sections), sections.values<double>(SectionKind::middle, d + 2)[d]) {}

std::vector<SectionSource> Projection::sections() const {
    std::vector<double> middle(directions_.middle.begin(), directions_.middle.end());
    middle.insert(middle.end(), {scale_, directions_.skew});
    return {{SectionKind::directions, directions_.values.data(),
             static_cast<std::int64_t>(directions_.values.size() * sizeof(float)), nullptr},
            SectionSource::of(SectionKind::middle, std::move(middle))};
}

std::uint64_t Projection::bytes() const {
    return (chunks_.size() + ordered_.size() + directions_.values.size()) * sizeof(float) +
           (directions_.middle.size() + ordered_middle_.size()) * sizeof(double);
}

void Projection::project(const DenseView &points, std::int64_t first, std::int64_t count, double shrink, float *heads,
                         double *squares, Workspace &work) const {
    work.rows.resize(std::max(work.rows.size(), static_cast<std::size_t>(count * row_)));
    work.sums.assign(static_cast<std::size_t>(count * kHead), 0);
    std::fill_n(squares, count, 0.0);
    for (std::int64_t from = 0; from < points.d; from += kChunk) {
        const std::int64_t values = std::min(kChunk, points.d - from);
        const std::int64_t width = (values + kTileStep - 1) / kTileStep * kTileStep;
        visit_stored(points.dtype, [&]<class T>(const T *) {
            const CenterKernel center = kernels().center[static_cast<std::size_t>(value_type_of(points.dtype))][0];
            visit_rows<T>(points, first, count, from, values, work.copy, [&](std::int64_t i, const T *row) {
                float *to = work.rows.data() + i * row_;
                squares[i] += center(row, directions_.middle.data() + from, scale_ * shrink, values, to);
                std::fill(to + values, to + width, 0.0F);
            });
        });
        const Tile tile{count, kHead, row_, width, kHead};
        kernels().tile_products(work.rows.data(), chunks_.data() + from / kChunk * kHead * row_, tile,
                                work.sums.data());
    }
    std::transform(work.sums.begin(), work.sums.end(), heads, [](double sum) { return static_cast<float>(sum); });
}

void Projection::set_order(const Order &order, std::int64_t blocks) {
    ordered_.resize(static_cast<std::size_t>(blocks * kHead * kBatch));
    ordered_middle_.resize(static_cast<std::size_t>(blocks * kBatch));
    for (std::int64_t t = 0; t < blocks * kBatch; ++t) {
        ordered_middle_[static_cast<std::size_t>(t)] =
            directions_.middle[static_cast<std::size_t>(order[static_cast<std::size_t>(t)])];
        for (std::int64_t h = 0; h < kHead; ++h)
            ordered_[static_cast<std::size_t>((t / kBatch * kHead + h) * kBatch + t % kBatch)] =
                directions_.values[static_cast<std::size_t>(h * directions_.d + order[static_cast<std::size_t>(t)])];
    }
}

void Projection::expand(const float *head, std::int64_t first, std::int64_t blocks, float *out) const {
    kernels().expand(ordered_.data() + first * kHead * kBatch, blocks, head, kHead, out);
}

} // namespace bmo
