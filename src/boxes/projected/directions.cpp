#include "boxes/projected/directions.hpp"

#include <algorithm>
#include <cmath>

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include "boxes/spread_rows.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using WideMatrix = Eigen::MatrixXd;

constexpr std::int64_t kSample = 1024; // rows
constexpr std::int64_t kSpare = 8;     // directions beyond those wanted: they make those more accurate
constexpr int kIterations = 2;

Matrix centerd_sample(const PointSource &points, double scale, Xoshiro256pp &random, Directions &out, Watch &watch) {
    const std::vector<std::int64_t> rows = spread_rows(points.n, std::min(points.n, kSample), random);
    Eigen::MatrixXd sample(points.d, static_cast<Eigen::Index>(rows.size())); // a point a column
    for (std::size_t i = 0; i < rows.size(); ++i) {
        watch.poll();
        points.load(rows[i], sample.col(static_cast<Eigen::Index>(i)).data());
    }
    sample *= scale;
    const Eigen::VectorXd middle = sample.rowwise().mean();
    out.middle.assign(middle.data(), middle.data() + middle.size());
    // Beyond 2^960 differences from the middle might leave double's range: then points are not centered.
    for (double &value : out.middle)
        value = scale < 0x1p-940 ? 0 : value / scale;
    return (sample.colwise() - middle).transpose().cast<float>();
}

// left * right in float, in parts between which the watch is polled.
WideMatrix product(const Matrix &left, const WideMatrix &right, Watch &watch) {
    constexpr Eigen::Index kRows = 64;
    const Matrix narrow = right.cast<float>();
    Matrix out(left.rows(), right.cols());
    for (Eigen::Index row = 0; row < left.rows(); row += kRows) {
        watch.poll();
        const Eigen::Index count = std::min(kRows, left.rows() - row);
        out.middleRows(row, count).noalias() = left.middleRows(row, count) * narrow;
    }
    return out.cast<double>();
}

// Orthonormal columns that span those of a matrix with at least as many rows.
WideMatrix orthonormal(const WideMatrix &matrix) {
    const Eigen::HouseholderQR<WideMatrix> decomposition(matrix);
    return decomposition.householderQ() * WideMatrix::Identity(matrix.rows(), matrix.cols());
}

double random_normal(Xoshiro256pp &random) {
    double sum = -6; // of twelve uniforms: near enough to start from
    for (int i = 0; i < 12; ++i)
        sum += static_cast<double>(random.next() >> 11) * 0x1p-53;
    return sum;
}

// The leading right singular vectors of a, as columns.
WideMatrix leading_vectors(const Matrix &a, Eigen::Index wanted, Xoshiro256pp &random, Watch &watch) {
    const Eigen::Index width = std::min({wanted + Eigen::Index{kSpare}, a.cols(), a.rows()});
    WideMatrix start(a.cols(), width);
    for (Eigen::Index i = 0; i < start.size(); ++i)
        start.data()[i] = random_normal(random);
    const Matrix transposed = a.transpose();
    WideMatrix basis = orthonormal(start);
    for (int i = 0; i < kIterations; ++i)
        basis = orthonormal(product(transposed, orthonormal(product(a, basis, watch)), watch));
    const WideMatrix image = product(a, basis, watch);
    const Eigen::SelfAdjointEigenSolver<WideMatrix> solver(image.transpose() * image);
    const Eigen::Index count = std::min(wanted, width);
    const WideMatrix leading = solver.eigenvectors().rightCols(count).rowwise().reverse(); // they ascend
    return orthonormal(basis * leading);
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
    const Matrix sample = centerd_sample(points, scale, random, out, watch);
    const WideMatrix vectors = leading_vectors(sample, count, random, watch);
    const Eigen::Map<Matrix> rounded(out.values.data(), vectors.cols(), vectors.rows());
    Eigen::Map<Matrix>(out.values.data(), vectors.cols(), vectors.rows()) = vectors.transpose().cast<float>();
    const WideMatrix wide = rounded.cast<double>();
    const WideMatrix skew = wide * wide.transpose() - WideMatrix::Identity(wide.rows(), wide.rows());
    out.skew = skew.norm() * (1 + 0x1p-20) + 0x1p-40;
    return out;
}

} // namespace bmo
