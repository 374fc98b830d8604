// The race of sketches: one look at all arms, at what random directions show of their distances.
//
// tau is a distance that the k-th nearest does not exceed: of arms that were computed, or a limit. An arm is dropped if its sketch
// shows more than a distance of tau does but with probability alpha = delta / k (boxes/sketch/sketch_basis.hpp). The answer is wrong
// only if one of the k nearest is dropped. Each is looked at once: when it was dropped, tau was no less than its distance,
// whatever tau hung on, so that its sketch showed more than one of its own distance does. The union runs over k arms, not n.
//
//   opening  the arms of a share of the points that show least are computed: a first tau
//   look     at all arms, a tile of points against all queries, in an order that mixes them; those that tau leaves are kept, or
//            as many as there is room for, of those that show least
//   finish   the arms that show least are computed, then those that are left by what tau has become, in that order; and all others,
//            if one that there was no room for may be near
//
// Of a metric of angles, to compute is to have certain bounds by products in double (boxes/tiles/lone_products.hpp); the arms
// that these leave are computed in twice that precision at the end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bandit/nearest.hpp"
#include "boxes/sketch/sketch_panels.hpp"
#include "boxes/tiles/lone_products.hpp"
#include "search/worker.hpp"

namespace bmo {

// All tiles, so that those of any stretch are spread over the points.
class TileOrder {
public:
    TileOrder(std::int64_t points, std::int64_t seed);

    static constexpr std::int64_t kMost = std::int64_t{2} * kPanel; // points of a tile

    std::int64_t points() const { return points_; } // of a tile
    std::int64_t tiles() const { return tiles_; }
    std::int64_t first_point(std::int64_t place) const { return (first_ + place * step_) % tiles_ * points_; }

private:
    static constexpr std::int64_t kMany = 4096; // points

    std::int64_t points_, tiles_, first_, step_ = 1;
};

// For one thread.
class SketchRace {
public:
    SketchRace(const Dataset &data, const Metric &metric, const SketchPrepared &prepared);

    // Races of the queries from `first` on, to which the slots of the worker are bound.
    void run(const Queries &queries, std::int64_t first, Worker &worker, std::span<const RaceRule> rules, Watch &watch,
             std::span<Cost> costs);

private:
    using Candidate = Finished; // its sum: what it shows
    struct Runner {
        QuerySlot *slot;
        const RaceRule *rule;
        Cost *cost;
        PanelThreshold threshold;
        double most; // that a candidate may show
        double cut;  // no arm that shows less was given up but by `most`
        std::vector<Candidate> candidates;
        std::vector<std::int32_t> computed;
        std::size_t opened = 0; // the first of them: computed before the look
        Nearest uppers;         // of products: the least upper bounds, and the lower ones of all that were computed
        std::vector<Finished> lowers;
        bool scanned = false;     // sketches do not tell: all are computed
        bool by_products = false; // computed is what bounds by products have
        ScaledVector query;
    };

    void start(const Queries &queries, std::int64_t first, Worker &worker, std::span<const RaceRule> rules,
               std::span<Cost> costs);
    void open(Watch &watch);
    void look(Watch &watch);
    void finish(std::int64_t query, Watch &watch);

    // Compares the tile at a place of the order with all queries: visit(query, candidate) of each pair that does not show too
    // much for the query's threshold.
    template <class Visit>
    void compare(std::int64_t place, Watch &watch, Visit visit);
    void add(std::int64_t query, const Candidate &candidate, Watch &watch);
    void cut(std::int64_t query, Watch &watch);
    // Computes the candidates that show least, and drops those that show too much afterwards.
    void narrow(std::int64_t query, Watch &watch);
    void compute(std::int64_t query, std::span<const Candidate> candidates, Watch &watch);
    void compute_left(std::int64_t query, Watch &watch);
    void compute_rest(std::int64_t query, Watch &watch);
    void bound_by_product(Runner &runner, std::int32_t arm);
    void compute_bounded(Runner &runner, Watch &watch);
    void lower_most(std::int64_t query);

    const Dataset &data_;
    const SketchPrepared &prepared_;
    SketchPanels panels_;
    std::optional<LoneProducts> products_; // of a metric of angles
    TileOrder order_;
    std::vector<Runner> runners_;
    std::vector<SketchPanels::Sum> sums_;
};

} // namespace bmo
