#include "boxes/sketch/sketch_basis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "boxes/projected/orthonormal.hpp"
#include "boxes/sketch/shown_share.hpp"
#include "boxes/tiles/panel_terms.hpp"
#include "util/checked.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

using Eigen::Index;

constexpr double kUsualLevel = 0.001; // of the weight: delta = 0.01 and k = 10

// Measured on embeddings of 1,280 coordinates: fewer directions leave more points to compute, more take longer to compare.
constexpr std::int64_t kMostLeading = 192, kMostDrawn = 320;
std::int64_t leading_for(std::int64_t d) {
    return std::min(d / 10, kMostLeading);
}
std::int64_t drawn_for(std::int64_t d) {
    return std::clamp<std::int64_t>(d * 9 / 50, 1, kMostDrawn);
}

std::int64_t rounded_up(std::int64_t value, std::int64_t step) {
    return (value + step - 1) / step * step;
}

// Pairs of independent normal variables (Box and Muller, 1958).
class Normals {
public:
    explicit Normals(Xoshiro256pp &random) : random_(random) {}

    double next() {
        if (has_spare_) {
            has_spare_ = false;
            return spare_;
        }
        const double radius = std::sqrt(-2 * std::log(uniform())), angle = 2 * std::numbers::pi * uniform();
        spare_ = radius * std::sin(angle);
        has_spare_ = true;
        return radius * std::cos(angle);
    }

private:
    // In (0, 1).
    double uniform() { return (static_cast<double>(random_.next() >> 12) + 0.5) * 0x1p-52; }

    Xoshiro256pp &random_;
    bool has_spare_ = false;
    double spare_ = 0;
};

void fill_with_normals(Eigen::Ref<WideMatrix> matrix, Xoshiro256pp &random, Watch &watch) {
    Normals normals(random);
    for (Index column = 0; column < matrix.cols(); ++column) {
        watch.poll();
        for (Index row = 0; row < matrix.rows(); ++row)
            matrix(row, column) = normals.next();
    }
}

// Its columns: the leading directions of the points, and the drawn ones.
WideMatrix directions_of(const PointSource &points, std::int64_t leading, std::int64_t drawn, std::int64_t seed,
                         Xoshiro256pp &random, Watch &watch) {
    WideMatrix columns(points.d, leading + drawn);
    if (leading > 0) {
        const Directions found = leading_directions(points, leading, 1, seed, watch);
        for (Index j = 0; j < leading; ++j) {
            watch.poll();
            for (Index i = 0; i < columns.rows(); ++i)
                columns(i, j) = static_cast<double>(found.values[static_cast<std::size_t>(j * points.d + i)]);
        }
    }
    fill_with_normals(columns.rightCols(drawn), random, watch);
    return orthonormal(std::move(columns), watch);
}

WideMatrix random_rotation(Index width, Xoshiro256pp &random, Watch &watch) {
    WideMatrix rotation(width, width);
    fill_with_normals(rotation, random, watch);
    return orthonormal(std::move(rotation), watch);
}

} // namespace

std::int64_t sketch_width(std::int64_t d) {
    return rounded_up(leading_for(d) + drawn_for(d), kBatch);
}

SketchBasis::SketchBasis(const PointSource &points, std::int64_t seed, Watch &watch)
    : d_(points.d), leading_(leading_for(points.d)), drawn_(drawn_for(points.d)), width_(sketch_width(d_)),
      weight_(shown_share(drawn_, d_ - leading_, kUsualLevel)) {
    const std::int64_t queries = query_blocks(width_) * kPanelQueries, chunks = (d_ + kPanelChunk - 1) / kPanelChunk;
    blocks_.assign(static_cast<std::size_t>(checked_mul(chunks * kPanelChunk, queries, "source")), 0);
    Xoshiro256pp random(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 3; ++i) // the order, signs and leading directions are drawn from what is before
        random.jump();
    WideMatrix directions = directions_of(points, leading_, drawn_, seed, random, watch);
    directions.leftCols(leading_) *= std::sqrt(weight_);
    const WideMatrix rotation = random_rotation(leading_ + drawn_, random, watch);
    double squares = 0;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        watch.poll();
        const std::int64_t first = chunk * kPanelChunk, count = std::min(kPanelChunk, d_ - first);
        const WideMatrix part = directions.middleRows(first, count) * rotation;
        squares += part.squaredNorm();
        for (Index q = 0; q < part.cols(); ++q)
            for (Index j = 0; j < count; ++j) {
                const std::int64_t block = chunk * query_blocks(width_) + q / kPanelQueries;
                blocks_[static_cast<std::size_t>((block * kPanelChunk + j) * kPanelQueries + q % kPanelQueries)] =
                    static_cast<float>(part(j, q));
            }
    }
    const double frobenius = std::sqrt(squares) * (1 + 0x1p-20);
    error_ = (static_cast<double>(kPanelChunk + chunks + 5) * 0x1p-24 + 0x1p-22) * frobenius + 0x1p-22;
}

double SketchBasis::share(double level) const {
    return std::max(weight_, shown_share(drawn_, d_ - leading_, level));
}

SketchMap::SketchMap(const SketchBasis &basis)
    : basis_(basis), stride_(rounded_up(basis.d(), kBatch) + kBatch), // rows do not fall on the same lines of a cache
      rows_(static_cast<std::size_t>(kRows * stride_), 0), panels_(static_cast<std::size_t>(kRows * kPanelChunk)),
      sums_(static_cast<std::size_t>(basis.width() * kRows)),
      sketches_(static_cast<std::size_t>(kRows * basis.width())) {}

void SketchMap::map(std::int64_t count) {
    static_assert(kRows % kPanel == 0);
    const std::int64_t panels = whole_panels(count) / kPanel, width = basis_.width();
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    for (std::int64_t first = 0; first < basis_.d(); first += kPanelChunk) {
        const std::int64_t values = rounded_up(std::min(kPanelChunk, basis_.d() - first), 4);
        for (std::int64_t panel = 0; panel < panels; ++panel)
            kernels().interleave(row(panel * kPanel) + first, stride_, values,
                                 panels_.data() + panel * kPanel * kPanelChunk);
        const PanelTile tile{panels, width, values, kPanel * kPanelChunk, kPanelQueries * kPanelChunk, kRows};
        kernels().panel_floats(panels_.data(), basis_.blocks_.data() + first * query_blocks(width) * kPanelQueries,
                               tile, sums_.data());
    }
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t q = 0; q < width; ++q)
            sketches_[static_cast<std::size_t>(i * width + q)] = sums_[static_cast<std::size_t>(q * kRows + i)];
}

float SketchMap::largest(std::int64_t i) const {
    float most = 0;
    for (std::int64_t q = 0; q < basis_.width(); ++q)
        most = std::max(most, std::abs(sketch(i)[q]));
    return most;
}

} // namespace bmo
