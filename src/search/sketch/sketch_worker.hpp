// A thread's part of a search of points that were prepared for the sketch box: races are of sketches, and of many queries at
// once; everything else is as of another box of dense points.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "search/sketch/sketch_race.hpp"
#include "search/tiled_worker.hpp"

namespace bmo {

template <QueryBox B>
class SketchWorker final : public TiledWorker<B> {
public:
    SketchWorker(const Dataset &data, const Metric &metric, const SketchPrepared &prepared, std::function<B()> make_box)
        : TiledWorker<B>(data, metric, std::move(make_box), prepared.angles.get()) {
        if (prepared.basis)
            race_.emplace(data, metric, prepared);
    }

    void bind(const Queries &queries, std::int64_t first, std::int64_t count) override {
        queries_ = &queries;
        first_ = first;
        TiledWorker<B>::bind(queries, first, count);
    }

    void race(std::span<const RaceRule> rules, Watch &watch, std::span<Cost> costs) override {
        if (race_)
            return race_->run(*queries_, first_, *this, rules, watch, costs);
        for (std::size_t i = 0; i < rules.size(); ++i)
            costs[i] = this->slot(i).scan({rules[i].k, rules[i].self, rules[i].limit}, watch);
    }

private:
    std::optional<SketchRace> race_; // none: the points are too large for a frame
    const Queries *queries_ = nullptr;
    std::int64_t first_ = 0;
};

} // namespace bmo
