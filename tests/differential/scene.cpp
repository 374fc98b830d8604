#include "scene.hpp"

#include <algorithm>
#include <numeric>

Scene::Scene(World &world, Metric metric, Random &random)
    : world_(world), metric_(std::move(metric)), scanned_(world.plain(random)) {}

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

const std::optional<std::vector<std::int64_t>> &Scene::scan(const Questions &questions, std::size_t query) {
    const auto [at, is_new] = scans_.try_emplace({questions.are_own(), questions.ids[query]});
    if (is_new)
        at->second = scanned(questions, query);
    return at->second;
}

std::optional<std::vector<std::int64_t>> Scene::scanned(const Questions &questions, std::size_t query) const {
    Settings settings;
    settings.metric = metric_;
    settings.method = BMO_METHOD_EXACT;
    bmo_query *made = nullptr;
    if (bmo_query_create(&made, scanned_.dataset.get(), make_config(settings).get()) != BMO_OK)
        return {};
    const QueryHandle handle(made);
    const std::int64_t candidates = world_.made().points.n - (questions.are_own() ? 1 : 0);
    const Questions one{
        .entry = questions.are_own() ? Entry::rows : Entry::dense, .ids = {questions.ids[query]}, .k = candidates};
    Random plain(0);
    Answer answer;
    do
        answer = ask(made, world_.made(), one, plain);
    while (answer.status == BMO_EOVERFLOW && answer.dist_dtype == BMO_F32);
    if (answer.status != BMO_OK)
        return {};
    return answer.index;
}

bool Scene::is_beyond(const Ranking &ranking, std::int64_t candidate, std::size_t rank) const {
    const Distance &got = ranking.distances[static_cast<std::size_t>(candidate)],
                   &best = ranking.distances[static_cast<std::size_t>(ranking.order[rank])];
    return got.value - best.value > got.noise + best.noise;
}
