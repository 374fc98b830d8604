#include "scene.hpp"

#include <algorithm>
#include <numeric>

std::span<const double> Scene::values(const Questions &questions, std::size_t query) const {
    const Made &made = world_.made();
    return (questions.are_own() ? made.points : made.queries).row(questions.ids[query]);
}

const Ranking &Scene::ranking(const Questions &questions, std::size_t query) {
    const auto [at, is_new] = rankings_.try_emplace({questions.are_own(), questions.ids[query]});
    Ranking &ranking = at->second;
    if (!is_new)
        return ranking;
    const Points &points = world_.made().points;
    for (std::int64_t i = 0; i < points.n; ++i)
        ranking.distances.push_back(distance_between(metric_, values(questions, query), points.row(i)));
    ranking.order.resize(ranking.distances.size());
    std::iota(ranking.order.begin(), ranking.order.end(), 0);
    std::erase(ranking.order, questions.self(query));
    std::ranges::stable_sort(ranking.order, {},
                             [&](std::int64_t i) { return ranking.distances[static_cast<std::size_t>(i)].value; });
    return ranking;
}

bool Scene::is_beyond(const Ranking &ranking, std::int64_t candidate, std::size_t rank) const {
    const Distance &got = ranking.distances[static_cast<std::size_t>(candidate)],
                   &best = ranking.distances[static_cast<std::size_t>(ranking.order[rank])];
    return got.value - best.value > got.noise + best.noise;
}
