// A world under one metric: the true order of candidates for each query.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "truth.hpp"
#include "world.hpp"

struct Ranking {
    std::vector<Distance> distances;
    std::vector<std::int64_t> order; // the candidates, ascending, ties by index
};

class Scene {
public:
    Scene(const World &world, Metric metric) : world_(world), metric_(std::move(metric)) {}

    const Metric &metric() const { return metric_; }
    const Ranking &ranking(const Questions &questions, std::size_t query);
    // Is the candidate farther than the one of that rank, beyond what rounding explains?
    bool is_beyond(const Ranking &ranking, std::int64_t candidate, std::size_t rank) const;

private:
    using Key = std::pair<bool, std::int64_t>; // is the query a point, and which

    std::span<const double> values(const Questions &questions, std::size_t query) const;

    const World &world_;
    Metric metric_;
    std::map<Key, Ranking> rankings_;
};
