// One thread's part of a search: a few slots, each a box that is bound to a query, whose races go in step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bandit/adaptive/adaptive.hpp"
#include "bandit/adaptive/box_arms.hpp"
#include "bandit/race/race.hpp"
#include "bandit/uniform.hpp"
#include "data/queries.hpp"
#include "search/largest_sum.hpp"
#include "search/scan.hpp"
#include "util/failure.hpp"
#include "util/watch.hpp"

namespace bmo {

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

    // Races of the slots 0 to rules.size() - 1, by these rules; each slot's `nearest` has its answer afterwards.
    virtual void race(std::span<const RaceRule> rules, Watch &watch, std::span<Cost> costs) = 0;
};

template <QueryBox B>
class BoxSlot final : public QuerySlot {
public:
    explicit BoxSlot(const std::function<B()> &make_box) : box(make_box()) {}

    void bind(const Queries &queries, std::int64_t query) override { box.bind(queries, query); }
    Cost scan(const Wanted &wanted, Watch &watch) override { return bmo::scan(box, wanted, watch, work.nearest); }
    Cost sample(const AdaptiveRule &rule, Draw draw, std::uint64_t stream, Watch &watch) override {
        if constexpr (OrderedBox<B>)
            return sample_arms(box, rule, draw, stream, watch, work.nearest);
        else
            fail(BMO_EINTERNAL, "box", "arms of this box cannot be sampled one by one");
    }
    Cost sample_all(const UniformRule &rule, Watch &watch) override {
        return sample_uniformly(box, rule, watch, estimates, work.nearest);
    }
    Nearest &nearest() override { return work.nearest; }
    double exact(std::int32_t arm) override { return box.exact(arm); }
    std::uint64_t exact_ops(std::int32_t arm) const override { return box.exact_ops(arm); }
    void prefetch_exact(std::int32_t arm) const override { box.prefetch_exact(arm); }
    double distance(double sum) const override { return box.distance(sum); }
    double sum_of_epsilon(double epsilon) const override { return box.sum_of_epsilon(epsilon); }
    std::uint64_t brute_ops(std::int64_t self) const override { return box.brute_ops(self); }

    B box;
    RaceWorkspace work;
    Nearest estimates;
};

template <QueryBox B>
class BoxWorker : public Worker {
public:
    explicit BoxWorker(std::function<B()> make_box) : make_box_(std::move(make_box)) {}

    BoxSlot<B> &slot(std::size_t i) override {
        while (slots_.size() <= i)
            slots_.push_back(std::make_unique<BoxSlot<B>>(make_box_));
        return *slots_[i];
    }

    void bind(const Queries &queries, std::int64_t first, std::int64_t count) override {
        std::vector<B *> boxes;
        for (std::int64_t i = 0; i < count; ++i)
            boxes.push_back(&slot(static_cast<std::size_t>(i)).box);
        B::bind_together(boxes, queries, first);
    }

    void race(std::span<const RaceRule> rules, Watch &watch, std::span<Cost> costs) override {
        std::vector<std::unique_ptr<Race<B>>> races;
        std::vector<Race<B> *> in_step;
        for (std::size_t i = 0; i < rules.size(); ++i) {
            races.push_back(std::make_unique<Race<B>>(slot(i).box, rules[i], slot(i).work, watch));
            in_step.push_back(races.back().get());
        }
        race_together<B>(in_step, slot(0).box.arms());
        for (std::size_t i = 0; i < rules.size(); ++i) {
            costs[i] = races[i]->finish();
            costs[i].projection_ops = slot(i).box.projection_ops();
        }
    }

private:
    std::function<B()> make_box_;
    std::vector<std::unique_ptr<BoxSlot<B>>> slots_;
};

} // namespace bmo
