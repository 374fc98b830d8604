// The overlap box for sparse points under l1 and l2. With |a|^p the sum of |a_j|^p,
//
//     |q - x|^1 = |q|^1 + |x|^1 - 2 o,   o = sum of o_j,   o_j = min(|q_j|, |x_j|) if the signs agree, else 0
//     |q - x|^2 = |q|^2 + |x|^2 - 2 o,                     o_j = q_j x_j
//
// The norms are known, and o is a sum over the query's coordinates alone: x is near if and only if it overlaps enough.
//
// Samples. u_j >= o_j is known beforehand of every point (l1: the lesser of |q_j| and the largest |x_j| of that sign;
// l2: their product). z_j = u_j - o_j >= 0, and "the distance's sum is at most tau" says that
//     |x|^p / 2 + sum of z_j <= sum of u_j - |q|^p / 2 + tau / 2.
// The heaviest coordinates of the query are read first, of every point. The others are the population, read in the
// random order of the index, which is independent of the query and the points. That is what bandit/betting.hpp asks.
//
// Bound. The overlap of what is not read is at most the sum of its u_j, and at most the lesser of the l1 norms, or the
// product of the l2 norms, of what is not read of the query and the point. A point that cannot reach the overlap that it
// needs is out, without a test.
//
// Rounding. Where all values are integers, none is scaled, and |q|^p + |x|^p is below 2^53 for every point, every number
// above is a multiple of 1/2 below 2^53, and double arithmetic is exact: distances, too, come from norms and overlap without
// an error. Elsewhere those only rule out: a term is off by at most 3 units of 2^-53 and a sum of m terms by m more,
// relative to the sum of the terms' magnitudes, which error() bounds; distances that are reported come from differences
// (SparseQuery::sum).
//
// Underflow. A value that was scaled, a product or a square may be off by 2^-1074 more, so that m terms are off by m 2^-1072
// and the root of a product of norms by less than 2 sqrt(m 2^-1074 L) + m 2^-1074, L the largest norms. Both are below
// m 2^-52 max(L, 2^-900), a quarter of what error() allows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "boxes/sparse/count_columns.hpp"
#include "boxes/sparse/overlap_population.hpp"
#include "boxes/sparse/sparse_index.hpp"
#include "boxes/sparse/sparse_query.hpp"

namespace bmo {

// For one thread: holds the query that it is bound to, and what was read of each arm.
class OverlapBox {
public:
    // All outlive it. The metric overlaps(): its rho is the square or absolute.
    OverlapBox(const Dataset &data, const SparseIndex &index, const Metric &metric);

    void bind(const Queries &queries, std::int64_t query);

    std::int64_t arms() const { return data_.n(); }
    // What sampling needs; the rest does without.
    void draw_population() { population_.draw(query_, largest_); }
    const OverlapPopulation &population() const { return population_; }

    // Forgets what was read. The heaviest coordinates are read next. All that reads returns how many entries it read, of an
    // arm each once: those of the heaviest coordinates not again with the others.
    void restart();
    std::uint64_t read_heavy();

    // Samples [first, first + 16), as far as there are: z[16 i + j] is sample first + j of arms[i]; arms ascend. z has
    // room for one arm more. first is a multiple of 16, and every sample before it was read.
    // By the coordinates' entries: after start_columns(first), for one part of the arms after another.
    void start_columns(std::int64_t first);
    std::uint64_t read_columns(std::int64_t first, std::span<const std::int32_t> arms, float *z);
    // By the arms' own entries.
    std::uint64_t read_rows(std::int64_t first, std::span<const std::int32_t> arms, float *z);
    // What that takes: of all arms by columns, and about, by rows, of arms with so many entries.
    std::uint64_t column_entries(std::int64_t first) const;
    // The most that are of so many arms.
    std::uint64_t column_entries_of(std::int64_t first, std::int64_t arms) const;
    double row_entries(std::int64_t first, std::uint64_t entries) const;
    std::uint64_t entries(std::int32_t arm) const { return static_cast<std::uint64_t>(data_.sparse.entries(arm)); }

    // All that is left of an arm of which `read` samples were read.
    std::uint64_t complete(std::int32_t arm, std::int64_t read);
    // All of all arms by columns, or of one by its row, after restart().
    std::uint64_t read_all_columns();
    std::uint64_t read_whole_row(std::int32_t arm);
    bool has_rows() const { return index_.use == IndexUse::all; }
    std::uint64_t all_column_entries() const;
    std::uint64_t all_row_entries() const { return static_cast<std::uint64_t>(data_.nnz()); }

    // |x|^p / 2 and the z of the heaviest coordinates, once these are read; and what that and all other z may add up to
    // if the distance's sum is at most tau.
    double start_sum(std::int32_t arm) const { return norm(arm) / 2 + (population_.heavy_most() - state(arm).overlap); }
    double target(double tau) const;
    // The most that the samples after the first `read` can still overlap.
    double reach(std::int32_t arm, std::int64_t read) const;
    // The distance's sum is above tau, whatever the samples after the first `read` may be.
    bool excluded(std::int32_t arm, std::int64_t read, double tau) const;

    // Of an arm that is complete: the distance's sum from norms and overlap, without error if exact().
    double overlap_sum(std::int32_t arm) const { return query_.norm() + norm(arm) - 2 * state(arm).overlap; }
    bool exact() const { return exact_; }
    // What must be allowed for when that, a target or a bound is compared with tau.
    double error(double tau) const { return exact_ ? 0 : rounding_ * (largest_ + tau + kLeastNorm); }

    // The distance's sum from differences.
    double difference_sum(std::int32_t arm) { return query_.sum(arm); }
    std::uint64_t difference_ops(std::int32_t arm) const { return query_.sum_ops(arm); }
    // What that reads of an arm that is complete, and was not read before: of the entries below a rank none but those that
    // meet the query's were read.
    std::uint64_t unread_ops(std::int32_t arm, std::int64_t below) const {
        return static_cast<std::uint64_t>(query_.count()) + query_.unmet(arm, below);
    }
    // The rank of a sample; behind the last one, that of the end.
    std::int32_t sample_rank(std::int64_t sample) const;
    std::int64_t ranks() const { return index_.ranks(); }

    double distance(double sum) const { return query_.distance(sum); }
    double sum_of_epsilon(double epsilon) const { return query_.sum_of_epsilon(epsilon); }
    std::uint64_t brute_ops(std::int64_t self) const { return query_.brute_ops(self); }

private:
    using SampleRow = std::array<float, kBatch + 1>; // the last one is of entries that are no sample of the batch
    struct Read {
        double overlap, rest; // of what was read; the norm of what was not
    };

    static constexpr double kLeastNorm = 0x1p-900;

    double norm(std::int32_t arm) const { return norms_[static_cast<std::size_t>(arm)] * norm_ratio_; }
    const Read &state(std::int32_t arm) const { return read_[static_cast<std::size_t>(arm)]; }
    std::int32_t rank_of_position(std::int32_t position) const;
    SampleRow missed_samples(std::int64_t first) const;
    std::int64_t likely_cursor(std::int32_t arm, std::int32_t rank) const;
    std::int64_t cursor(std::int32_t arm, std::int32_t rank);
    template <class T>
    void prefetch_row(std::int32_t arm, std::int32_t rank) const;

    // visit is a template over whether p is 2, and the type of the values.
    template <class Visit>
    std::uint64_t typed(Visit visit);
    template <bool square, class T>
    std::uint64_t read_column(std::int32_t position);
    template <bool square, class T>
    void add_column(std::int32_t position);
    template <bool square>
    void add_counts(const QueryTerm &meeting, const std::uint8_t *column);
    template <bool square, class T>
    std::uint64_t read_column_samples(std::int64_t sample, std::int32_t last_arm, float *z);
    template <bool square, class T>
    std::uint64_t read_row_samples(std::int32_t arm, std::int64_t first, SampleRow &row);
    template <bool square, bool heavy_too, class T>
    std::uint64_t complete_row(std::int32_t arm, std::int64_t from);

    const Dataset &data_;
    const SparseIndex &index_;
    bool square_;
    const std::vector<double> &norms_;
    SparseQuery query_;
    OverlapPopulation population_;
    CountSums counts_;

    bool exact_ = true;
    double rounding_ = 0, largest_ = 0, norm_ratio_ = 1;
    std::vector<Read> read_;           // by arm
    std::vector<std::int64_t> cursor_; // by arm: the next entry of its row; -1: not looked for yet
    std::vector<std::int32_t> place_;  // by arm up to next_arm_: its row of z; that behind the last if it has none
    std::vector<std::int64_t> at_;     // by column of a batch: the next entry
    std::int32_t next_arm_ = 0;
};

} // namespace bmo
