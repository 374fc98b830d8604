#include "boxes/projected/directions.hpp"

#include <algorithm>
#include <cmath>

#include "boxes/projected/orthonormal.hpp"
#include "boxes/spread_rows.hpp"
#include "util/xoshiro.hpp"

#include <Eigen/Eigenvalues>

namespace bmo {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Index;

constexpr std::int64_t kSample = 1024; // rows
constexpr std::int64_t kSpare = 8;     // directions beyond those wanted: they make those more accurate
constexpr int kPowerSteps = 2;

// Calls visit(first, count) for parts of the rows, so many at a time, and polls before each.
template <class Visit>
void for_rows(Index rows, Index together, Watch &watch, Visit visit) {
    for (Index first = 0; first < rows; first += together) {
        watch.poll();
        visit(first, std::min(together, rows - first));
    }
}

constexpr Index kRows = 64; // that one after another fit a cache, of most matrices here

Matrix centered_sample(const PointSource &points, double scale, Xoshiro256pp &random, Directions &out, Watch &watch) {
    const std::vector<std::int64_t> rows = spread_rows(points.n, std::min(points.n, kSample), random);
    const auto count = static_cast<Index>(rows.size());
    WideMatrix sample(points.d, count); // a point a column
    for_rows(count, 1, watch, [&](Index i, Index) {
        points.load(rows[static_cast<std::size_t>(i)], sample.col(i).data());
        sample.col(i) *= scale;
    });
    Eigen::VectorXd middle(points.d);
    for_rows(points.d, kRows, watch, [&](Index first, Index some) {
        middle.segment(first, some) = sample.middleRows(first, some).rowwise().mean();
    });
    out.middle.assign(middle.data(), middle.data() + middle.size());
    // Beyond 2^960 differences from the middle might leave double's range: then points are not centered.
    for (double &value : out.middle)
        value = scale < 0x1p-940 ? 0 : value / scale;
    Matrix centered(count, points.d);
    for_rows(count, 1, watch,
             [&](Index i, Index) { centered.row(i) = (sample.col(i) - middle).transpose().cast<float>(); });
    return centered;
}

// Elements as another type, or in another order.
template <class To, class From>
To converted(const From &from, Watch &watch) {
    To out(from.rows(), from.cols());
    for_rows(from.rows(), kRows, watch, [&](Index first, Index count) {
        out.middleRows(first, count) = from.middleRows(first, count).template cast<typename To::Scalar>();
    });
    return out;
}

// left * right in float.
WideMatrix product(const Matrix &left, const WideMatrix &right, Watch &watch) {
    constexpr Index kProducts = Index{1} << 26, kLeast = 4; // between polls; rows
    const Index together = std::clamp(kProducts / std::max<Index>(1, right.size()) / kLeast * kLeast, kLeast, kRows);
    const auto narrow = converted<Matrix>(right, watch);
    Matrix out(left.rows(), right.cols());
    for_rows(left.rows(), together, watch, [&](Index first, Index count) {
        out.middleRows(first, count).noalias() = left.middleRows(first, count) * narrow;
    });
    return converted<WideMatrix>(out, watch);
}

double random_normal(Xoshiro256pp &random) {
    double sum = -6; // of twelve uniforms: near enough to start from
    for (int i = 0; i < 12; ++i)
        sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
    return sum;
}

// The leading right singular vectors of a, as columns.
WideMatrix leading_vectors(const Matrix &a, Index wanted, Xoshiro256pp &random, Watch &watch) {
    constexpr Index kTogether = 15360; // rows: most matrices at once
    const Index width = std::min({wanted + Index{kSpare}, a.cols(), a.rows()});
    WideMatrix start(a.cols(), width);
    for (Index column = 0; column < width; ++column) {
        watch.poll();
        for (Index row = 0; row < start.rows(); ++row)
            start(row, column) = random_normal(random);
    }
    const auto transposed = converted<Matrix>(a.transpose(), watch);
    WideMatrix basis = orthonormal(std::move(start), watch);
    for (int i = 0; i < kPowerSteps; ++i)
        basis = orthonormal(product(transposed, orthonormal(product(a, basis, watch), watch), watch), watch);
    const WideMatrix image = product(a, basis, watch);
    const Eigen::SelfAdjointEigenSolver<WideMatrix> solver(image.transpose() * image);
    const Index count = std::min(wanted, width);
    const WideMatrix leading = solver.eigenvectors().rightCols(count).rowwise().reverse(); // they ascend
    WideMatrix vectors(basis.rows(), count);
    for_rows(basis.rows(), kTogether, watch, [&](Index first, Index some) {
        vectors.middleRows(first, some).noalias() = basis.middleRows(first, some) * leading;
    });
    return orthonormal(std::move(vectors), watch);
}

// At least |V'V - 1|, of directions that are rows.
double skew_of(const Eigen::Map<const Matrix> &directions, Watch &watch) {
    constexpr Index kColumns = 15360;
    const Index count = directions.rows();
    WideMatrix skew = WideMatrix::Zero(count, count);
    for_rows(directions.cols(), kColumns, watch, [&](Index first, Index some) {
        const WideMatrix wide = directions.middleCols(first, some).cast<double>();
        skew += wide * wide.transpose();
    });
    skew -= WideMatrix::Identity(count, count);
    return skew.norm() * (1 + 0x1p-20) + 0x1p-40;
}

} // namespace

Directions leading_directions(const PointSource &points, std::int64_t count, double scale, std::int64_t seed,
                              Watch &watch) {
    Directions out;
    out.count = count;
    out.d = points.d;
    out.values.assign(static_cast<std::size_t>(count * out.d), 0);
    out.middle.assign(static_cast<std::size_t>(out.d), 0);
    if (points.n == 0)
        return out;
    Xoshiro256pp random(static_cast<std::uint64_t>(seed));
    random.jump(); // the order of the coordinates is drawn from the start of the stream, signs from behind one jump
    random.jump();
    const Matrix sample = centered_sample(points, scale, random, out, watch);
    const WideMatrix vectors = leading_vectors(sample, count, random, watch);
    Eigen::Map<Matrix> rounded(out.values.data(), vectors.cols(), vectors.rows());
    for_rows(vectors.rows(), kRows, watch, [&](Index first, Index some) {
        rounded.middleCols(first, some) = vectors.middleRows(first, some).transpose().cast<float>();
    });
    out.skew = skew_of(Eigen::Map<const Matrix>(out.values.data(), vectors.cols(), vectors.rows()), watch);
    return out;
}

} // namespace bmo
