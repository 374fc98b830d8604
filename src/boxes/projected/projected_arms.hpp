// What the projected Monte Carlo boxes have in common: what an arm's distance has in a few leading directions is read at once,
// what is left of the norms bounds the rest with certainty, and a sample is the squared difference at the next coordinate, in a
// random order, of the residuals (boxes/projected/projected_prepared.hpp). D is the squared distance of the vectors of
// boxes/projected/projected_points.hpp, scaled.
//
// Validity. Let b_j be the differences of the stored residuals of an arm, j < d, and A the squared difference of the stored
// heads. Given the data, the directions and the query, the b_j^2 are d fixed numbers, and the order in which they are read is
// drawn independently of all of those: the test by betting (bandit/betting.hpp), begun with the sum A, is valid for "A + sum
// of b_j^2 is at most target". The directions may come from the data in any way.
//
// Rounding. As for the rotated box (boxes/rotated/rotated_box.hpp), with the error of a stored pair in place of that of a rotation:
// sqrt(A + sum b_j^2) <= sqrt(D) + error (|y| + |x|) + 2 kTiny sqrt(2 d), and D <= tau implies |x| <= |y| + sqrt(tau). What has
// 16 bits, of a row and of a query that is a row, adds kHalfError r + kHalfTiny sqrt(d + 32) each, with r the norm of what
// is stored behind the lead: of the row at most the query's and sqrt(D) (1 + error) + error (|y| + |x|) together, of the query
// at most what `high` bounds and error |y| more. error (1 + 2^-8) has room for error kHalfError.
//
// Bounds. With p and q the norms of what is left of point and query behind a stage, and H the squared difference of the heads
// up to it, sqrt(D) >= sqrt(H + (p - q)^2) - head_error (|x| + |y|): an arm with H + (p - q)^2 above the same target is not
// within tau. For all arms at once H comes from products over the first 16 directions, |a|^2 + |q|^2 - 2 a.q in float, less a
// margin for their rounding (kGuessMargin); what the other 32 add comes from differences, for arms that this leaves. The test by
// betting begins with what is less than A, so much the safer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/projected/projected_prepared.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

// For one thread, and one query at a time, which a box binds by begin() and then take_row() or take_head().
class ProjectedArms {
public:
    std::int64_t population() const { return prepared_.projection.d(); }
    std::int64_t readable() const { return prepared_.blocks * kBatch; }

    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z);
    std::uint64_t bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look, const ArmState &state,
                      std::uint8_t *keep);
    void prefetch(std::int64_t first, std::span<const std::int32_t> arms) const;

    static constexpr std::int64_t lead() { return kLead; }
    static constexpr std::int64_t rest() { return kHead - kLead; }
    // Guesses of the whole sums of the arms [first, last), but for a constant: as if residuals were orthogonal. first is a
    // multiple of 16; guesses has room for whole blocks of 16.
    std::uint64_t guess(std::int64_t first, std::int64_t last, float *guesses);
    // Puts what the rest of the heads has of the arms into their guesses.
    std::uint64_t refine(std::span<const std::int32_t> arms, double *guesses);
    // Writes those of the arms [first, first + count), of these guesses, that are not above the target with certainty, and
    // what the leads have of their sums at least; returns their number.
    std::int64_t bound_guesses(std::int64_t first, std::int64_t count, const float *guesses, double target,
                               std::int32_t *arms, double *sums) const;
    // Adds what the rest of the heads has to the arms' sums.
    std::uint64_t add_rest(std::span<const std::int32_t> arms, double *sums);
    // Sets keep[i] to 0 if the arm, whose sum has all of the head, is above the target with certainty, else to 1.
    void bound(std::span<const std::int32_t> arms, const double *sums, double target, std::uint8_t *keep) const;

    // The same of groups of arms (boxes/projected/coefficient_groups.hpp): how many there are, 0 if they do not serve this query.
    std::int64_t groups() const { return narrow_ ? prepared_.groups.count() : 0; }
    std::span<const std::int32_t> group(std::int64_t which) const { return prepared_.groups.points(which); }
    // About how much the sums of each group are, and how much they are at least.
    std::uint64_t group_sums(std::vector<double> &about, std::vector<double> &at_least) const;
    // Adds what the leads have to the arms' sums.
    std::uint64_t add_lead(std::span<const std::int32_t> arms, double *sums) const;
    // bound(), if the sums have no more than the leads.
    void bound_lead(std::span<const std::int32_t> arms, const double *sums, double target, std::uint8_t *keep) const;
    // Guesses of the arms, as guess(), if `guesses` are 0 before.
    std::uint64_t guess_some(std::span<const std::int32_t> arms, double *guesses) const;

    std::uint64_t projection_ops() const { return project_ops_; }

protected:
    ProjectedArms(const ProjectedPrepared &prepared, std::int64_t n);

    // A query with values up to `largest`, which lie in `vector` (population() of them) as long as it is bound.
    void begin(const double *vector, double largest);
    void take_row(std::int64_t row); // that is a point, as it was prepared
    void take_head(const float *head, double square);
    // Heads and squared norms of several queries, rows of a view, of boxes that have begun.
    void project(const DenseView &queries, std::int64_t first, std::int64_t count, float *heads, double *squares) {
        prepared_.projection.project(queries, first, count, shrink_, heads, squares, work_);
    }

    // What the samples and heads of an arm whose vector is within `root` of the query's may add up to.
    double allowed(double root) const;
    double scale() const { return prepared_.projection.scale() * shrink_; }

private:
    void set_error(double norm, int rounded);
    ValueType halves() const { return narrow_ ? ValueType::half : ValueType::half_wide; }
    double lead_square() const;
    double norm_square(std::int64_t stage, std::int32_t arm) const;
    void guess_in_double(std::int64_t first, std::int64_t last, float *guesses) const;
    NormBounds norms(std::int64_t stage, std::int64_t first) const;
    void read_blocks(std::int64_t block);
    const void *residual_query(std::int64_t first);

    const ProjectedPrepared &prepared_;
    const std::int64_t n_;
    const Kernels &kernels_;

    const double *vector_ = nullptr;
    bool narrow_ = true;
    double shrink_ = 1; // of the query, and so of the stored values: 1 unless the query lies far beyond the data
    RhoScale rho_;
    double root_error_ = 0;
    std::uint64_t project_ops_ = 0;
    float low_[kStages], high_[kStages];   // of the query, if shrink_ is its own
    Projection::Workspace work_;           // of the first of several
    AlignedVector<float> head_, residual_; // of the query; the residual as far as it was needed
    AlignedVector<double> wide_head_, wide_residual_;
    std::vector<float> expanded_;
    std::int64_t read_blocks_ = 0;
};

} // namespace bmo
