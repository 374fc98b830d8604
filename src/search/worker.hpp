// One thread's part of a search: a few slots, each a box that is bound to a query, whose races go in step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "bandit/race/race_rule.hpp"
#include "data/queries.hpp"
#include "search/largest_sum.hpp"
#include "util/watch.hpp"

namespace bmo {

struct AdaptiveRule;
struct UniformRule;
enum class Draw;

class QuerySlot {
public:
    QuerySlot() = default;
    QuerySlot(const QuerySlot &) = delete;
    QuerySlot &operator=(const QuerySlot &) = delete;
    virtual ~QuerySlot() = default;

    virtual void bind(const Queries &queries, std::int64_t query) = 0;

    // The exact scan; `nearest` has what is wanted afterwards.
    virtual Cost scan(const Wanted &wanted, Watch &watch) = 0;
    // A bandit that samples arms one by one, or all alike. The rule's epsilon and sigma are per coordinate.
    virtual Cost sample(const AdaptiveRule &rule, Draw draw, std::uint64_t stream, Watch &watch) = 0;
    virtual Cost sample_all(const UniformRule &rule, Watch &watch) = 0;
    virtual Nearest &nearest() = 0;

    // The whole sum of an arm, and the coordinate operations that it takes.
    virtual double exact(std::int32_t arm) = 0;
    virtual std::uint64_t exact_ops(std::int32_t arm) const = 0;
    virtual void prefetch_exact(std::int32_t) const {} // a hint

    // What a sum is as a distance (infinite: beyond double), and what an epsilon is as a sum, for the bound query.
    virtual double distance(double sum) const = 0;
    virtual double sum_of_epsilon(double epsilon) const = 0;

    // No distance of a larger sum is within this one.
    double sum_within(double distance) const {
        return largest_sum(distance, [this](double sum) { return this->distance(sum); });
    }

    // Coordinate operations of the full scan for the bound query.
    virtual std::uint64_t brute_ops(std::int64_t self) const = 0;
};

// Receives a query that was answered: its slot, whose `nearest` has the answer, and what that took.
using SlotDone = std::function<void(std::int64_t query, QuerySlot &slot, const Cost &cost)>;

// Receives bounds of the distances of a query to the points from `first` on, one of each a point.
using TakeBounds =
    std::function<void(std::int64_t query, std::int64_t first, std::span<double> lower, std::span<double> upper)>;

class Worker {
public:
    Worker() = default;
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;
    virtual ~Worker() = default;

    virtual QuerySlot &slot(std::size_t i) = 0;

    // Binds the slots 0 to count - 1 to the queries from `first` on.
    virtual void bind(const Queries &queries, std::int64_t first, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            slot(static_cast<std::size_t>(i)).bind(queries, first + i);
    }

    // The exact scans of the queries [first, first + count), in a slot that is bound to each in turn; counts them as done.
    virtual void scan(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k, Watch &watch,
                      const SlotDone &done) {
        for (std::int64_t query = first; query < first + count; ++query) {
            slot(0).bind(queries, query);
            const double limit = slot(0).sum_within(queries.within(query));
            done(query, slot(0), slot(0).scan({k, queries.self(query), limit}, watch));
            watch.advance(1);
        }
    }

    // Whether it has certain bounds of distances that take less time than the distances.
    virtual bool has_bounds(const Queries &) const { return false; }
    // Those of the queries [first, first + count) to all points from `from` on.
    virtual void bound(const Queries &, std::int64_t, std::int64_t, std::int64_t, Watch &, const TakeBounds &) {}

    // Races of the slots 0 to rules.size() - 1, by these rules; each slot's `nearest` has its answer afterwards.
    virtual void race(std::span<const RaceRule> rules, Watch &watch, std::span<Cost> costs) = 0;
};

} // namespace bmo
