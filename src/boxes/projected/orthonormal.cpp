#include "boxes/projected/orthonormal.hpp"

#include <algorithm>

#include <Eigen/Householder>

namespace bmo {
namespace {

using Eigen::Index;

// The steps of Eigen::HouseholderQR and its householderQ(), with polls between them: the same numbers, but of matrices so
// large that a step on a block of columns takes too long. There every reflection is a step.
class Reflections {
public:
    Reflections(WideMatrix &matrix, Watch &watch)
        : matrix_(matrix), watch_(watch), rows_(matrix.rows()), width_(matrix.cols()), factors_(width_), work_(width_),
          in_blocks_(rows_ * width_ * width_ <= kBlockedProducts) {}

    // The reflections take the place of the columns.
    void make() {
        const Index panel = in_blocks_ ? std::min(kPanel, width_) : width_;
        for (Index first = 0; first < width_; first += panel) {
            const Index last = std::min(width_, first + panel);
            for (Index k = first; k < last; ++k) {
                watch_.poll();
                double beta = 0;
                matrix_.col(k).tail(rows_ - k).makeHouseholderInPlace(factors_[k], beta);
                matrix_(k, k) = beta;
                reflect(k, matrix_, k + 1, last, kValuesBetweenPolls / rows_);
            }
            if (last < width_)
                reflect_block(first, last, last, matrix_, false);
        }
    }

    // All of them, the last first.
    WideMatrix product() {
        WideMatrix out = WideMatrix::Identity(rows_, width_);
        if (in_blocks_ && width_ >= kPanel) {
            const Index block = (width_ + 1) / 2;
            for (Index last = width_; last > 0; last -= block)
                reflect_block(std::max<Index>(0, last - block), last, 0, out, true);
            return out;
        }
        const Index part = std::max<Index>(4, kValuesInCache / rows_); // of columns, which stay in cache
        for (Index first = 0; first < width_; first += part)
            for (Index k = width_ - 1; k >= 0; --k)
                reflect(k, out, first, std::min(width_, first + part), part);
        return out;
    }

private:
    static constexpr Index kPanel = 48;
    static constexpr Index kBlockedProducts = Index{1} << 26;
    static constexpr Index kValuesBetweenPolls = Index{1} << 20, kValuesInCache = Index{1} << 18;

    // Reflection k, of the columns [first, last) of a matrix, some at a time.
    void reflect(Index k, WideMatrix &of, Index first, Index last, Index together) {
        const Index part = std::max<Index>(2, together);
        for (Index column = first; column < last; column += part) {
            watch_.poll();
            of.block(k, column, rows_ - k, std::min(part, last - column))
                .applyHouseholderOnTheLeft(matrix_.col(k).tail(rows_ - k - 1), factors_[k], work_.data());
        }
    }

    // The reflections [first, last), of the columns from `column` on.
    void reflect_block(Index first, Index last, Index column, WideMatrix &of, bool forward) {
        watch_.poll();
        auto columns = of.block(first, column, rows_ - first, of.cols() - column);
        const auto vectors = matrix_.block(first, first, rows_ - first, last - first);
        Eigen::internal::apply_block_householder_on_the_left(columns, vectors, factors_.segment(first, last - first),
                                                             forward);
    }

    WideMatrix &matrix_;
    Watch &watch_;
    const Index rows_, width_;
    Eigen::VectorXd factors_;
    Eigen::RowVectorXd work_;
    const bool in_blocks_;
};

} // namespace

WideMatrix orthonormal(WideMatrix matrix, Watch &watch) {
    Reflections reflections(matrix, watch);
    reflections.make();
    return reflections.product();
}

} // namespace bmo
