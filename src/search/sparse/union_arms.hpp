// The sparse box of the BMO paper (Bagaria, Baharav, Kamath and Tse, 2021), as written there: a coin decides whether a
// coordinate is drawn from the entries of the query or from the entries of the point.
//
// With n_0 and n_i entries of the query and the point, a coordinate comes with probability n_0 / (n_0 + n_i) from the
// query's and else from the point's, each evenly, so that one that both have comes twice as often as one that one has. The
// sample is (n_0 + n_i) / 2 times the coordinate distance there, twice that if one of the two has no entry: its mean is the
// whole sum.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bandit/adaptive/adaptive.hpp"
#include "bandit/adaptive/arms.hpp"
#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "boxes/sparse/sparse_index.hpp"
#include "boxes/sparse/sparse_query.hpp"
#include "util/watch.hpp"
#include "util/xoshiro.hpp"

namespace bmo {

class UnionArms final : public Arms {
public:
    // stream: of the seed and the query. The query is bound; all outlive it.
    UnionArms(SparseQuery &query, const Dataset &data, const SparseIndex &index, std::uint64_t stream, Cost &cost);

    std::int64_t count() const override { return data_.n(); }
    void pull(std::span<const std::int32_t> arms, std::int64_t samples, Confidence &confidence) override;
    bool has_exact() const override { return true; }
    double exact(std::int32_t arm) override;
    double mean_of_exact(double value) const override { return value * unit_; }

    // Samples that an exact sum is worth, of a point of the usual size.
    std::int64_t samples_of_exact() const;

private:
    template <class T>
    float draw(std::int32_t arm, Xoshiro256pp &random) const;
    template <class T>
    std::optional<double> value_at(std::int32_t arm, std::int32_t rank) const;

    SparseQuery &query_;
    const Dataset &data_;
    const SparseIndex &index_;
    std::uint64_t stream_;
    Cost &cost_;
    double unit_; // samples are within 0 and 1
    std::vector<float> samples_;
};

// The k nearest points by a bandit that samples so: their exact sums are in `nearest` afterwards.
Cost sample_union(SparseQuery &query, const Dataset &data, const SparseIndex &index, AdaptiveRule rule,
                  std::uint64_t stream, Watch &watch, Nearest &nearest);

} // namespace bmo
