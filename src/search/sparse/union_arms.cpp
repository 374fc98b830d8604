#include "search/sparse/union_arms.hpp"

#include <algorithm>

namespace bmo {
namespace {

double scale_of_samples(const SparseQuery &query, const Dataset &data, const SparseIndex &index) {
    double largest = data.max_abs * query.scale();
    for (const SparseQuery::Entry &entry : query.entries())
        largest = std::max(largest, std::abs(entry.value));
    const double most = static_cast<double>(query.count() + index.largest_entries) * query.metric().most(2 * largest);
    return most > 0 ? 1 / most : 1;
}

} // namespace

UnionArms::UnionArms(SparseQuery &query, const Dataset &data, const SparseIndex &index, std::uint64_t stream,
                     Cost &cost)
    : query_(query), data_(data), index_(index), stream_(stream), cost_(cost),
      unit_(scale_of_samples(query, data, index)) {}

void UnionArms::pull(std::span<const std::int32_t> arms, std::int64_t samples, Confidence &confidence) {
    samples_.resize(static_cast<std::size_t>(samples));
    for (const std::int32_t arm : arms) {
        const auto read = static_cast<std::uint64_t>(confidence.tally(arm).count);
        Xoshiro256pp random(mix_seed({stream_, static_cast<std::uint64_t>(arm), read}));
        visit_values(data_.sparse, [&]<class T>(const T *) {
            for (float &sample : samples_)
                sample = draw<T>(arm, random);
        });
        confidence.add(arm, samples_);
    }
    cost_.sampling_ops += arms.size() * static_cast<std::uint64_t>(samples);
}

double UnionArms::exact(std::int32_t arm) {
    cost_.exact_ops += query_.sum_ops(arm);
    ++cost_.exact_evals;
    return query_.sum(arm);
}

std::int64_t UnionArms::samples_of_exact() const {
    return query_.count() + data_.nnz() / std::max<std::int64_t>(1, data_.n()) + 1;
}

template <class T>
float UnionArms::draw(std::int32_t arm, Xoshiro256pp &random) const {
    const std::int64_t own = query_.count(), all = own + data_.sparse.entries(arm);
    if (all == 0)
        return 0;
    const auto drawn = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(all)));
    std::optional<double> q, x;
    if (drawn < own) {
        const SparseQuery::Entry &entry = query_.entries()[static_cast<std::size_t>(drawn)];
        q = entry.value;
        x = value_at<T>(arm, entry.rank);
    } else {
        const auto k = static_cast<std::size_t>(data_.sparse.first(arm) + drawn - own);
        const std::int32_t position = query_.positions()[index_.row_rank[k]];
        if (position != 0)
            q = query_.entries()[static_cast<std::size_t>(position) - 1].value;
        x = static_cast<double>(index_.row_value.data<T>()[k]) * query_.scale();
    }
    const double times = q && x ? 0.5 : 1; // whether both have an entry: a scaled value may be 0
    const double distance = query_.metric().visit([&](auto rho) { return rho(q.value_or(0), x.value_or(0)); });
    return static_cast<float>(times * static_cast<double>(all) * distance * unit_);
}

// Scaled; nothing if the point has no entry.
template <class T>
std::optional<double> UnionArms::value_at(std::int32_t arm, std::int32_t rank) const {
    const std::int32_t *first = index_.row_rank.data() + data_.sparse.first(arm);
    const std::int32_t *last = index_.row_rank.data() + data_.sparse.first(arm + 1);
    const std::int32_t *found = std::lower_bound(first, last, rank);
    if (found == last || *found != rank)
        return std::nullopt;
    return static_cast<double>(index_.row_value.data<T>()[found - index_.row_rank.data()]) * query_.scale();
}

Cost sample_union(SparseQuery &query, const Dataset &data, const SparseIndex &index, AdaptiveRule rule,
                  std::uint64_t stream, Watch &watch, Nearest &nearest) {
    Cost cost;
    UnionArms arms(query, data, index, stream, cost);
    rule.trial.epsilon = arms.mean_of_exact(query.sum_of_epsilon(rule.trial.epsilon));
    rule.trial.limit_mean = raised_mean(arms, rule.trial.limit);
    if (rule.trial.looks.most == 0)
        rule.trial.looks.most = arms.samples_of_exact();
    constexpr double kRounding = 1 + 1e-6;
    const SampleFacts facts{.range = {0, kRounding}};
    offer_found(find_arms(arms, facts, rule, watch, cost.rounds), arms, rule.trial, watch, nearest, cost);
    return cost;
}

} // namespace bmo
