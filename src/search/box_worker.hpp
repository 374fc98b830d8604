// The worker of a box: its slots are copies of the box, each with the memory of a race.
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
#include "search/scan.hpp"
#include "search/worker.hpp"
#include "util/failure.hpp"

namespace bmo {

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
