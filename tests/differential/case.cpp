#include "case.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "clusters.hpp"
#include "journal.hpp"
#include "rules.hpp"
#include "verdict.hpp"

namespace {

constexpr int kScenes = 2, kSearches = 24; // of a case; searches of a scene
constexpr std::uint64_t kOtherSeeds = 60;
constexpr double kSuspectedDelta = 0.05; // of errors with at most this one is looked into

bool same_answer(const Answer &a, const Answer &b) {
    return a.status == b.status &&
           (a.status != BMO_OK ||
            (a.index == b.index && a.stats.coord_ops == b.stats.coord_ops && a.stats.guarantee == b.stats.guarantee &&
             std::memcmp(a.distance.data(), b.distance.data(), a.distance.size() * sizeof(double)) == 0));
}

QueryHandle make_query(const Target &target, const Settings &settings, bmo_status &status) {
    bmo_query *query = nullptr;
    status = bmo_query_create(&query, target.dataset.get(), make_config(settings).get(), nullptr);
    return QueryHandle(query);
}

} // namespace

void Case::run() {
    for (std::uint64_t part = 0; part < kScenes; ++part)
        run_scene(part);
}

void Case::run_scene(std::uint64_t part) {
    Random random(part_of(seed_, 10 + part));
    Scene scene(world_, random_metric(world_.is_sparse(), world_.made().points.d, random));
    const std::vector<Target> targets = world_.targets(scene.metric(), random);
    if (targets.empty())
        return;
    for (std::uint64_t i = 0; i < kSearches; ++i) {
        Random of_search(part_of(seed_, 1000 * (part + 1) + i));
        search(scene, targets[static_cast<std::size_t>(of_search.below(static_cast<std::int64_t>(targets.size())))],
               of_search);
    }
    Random of_clusters(part_of(seed_, 20 + part));
    const auto chosen = static_cast<std::size_t>(of_clusters.below(static_cast<std::int64_t>(targets.size())));
    if (of_clusters.chance(0.3))
        check_kmeans(world_, targets[chosen], of_clusters);
    if (of_clusters.chance(0.3) && !world_.is_large())
        check_medoid(world_, scene, targets[chosen], of_clusters);
}

Questions Case::random_questions(Random &random) const {
    const Made &made = world_.made();
    Questions questions;
    questions.entry = random.pick({Entry::knn, Entry::dense, Entry::dense, Entry::sparse, Entry::rows, Entry::rows});
    if (random.chance(0.03) && made.points.n <= 60)
        questions.entry = Entry::graph;
    if (made.points.n == 1 && questions.are_own())
        questions.entry = Entry::dense;
    const std::int64_t candidates = made.points.n - (questions.are_own() ? 1 : 0);
    questions.k = random.chance(0.6) ? random.between(std::int64_t{1}, std::min<std::int64_t>(4, candidates))
                                     : random.between(std::int64_t{1}, candidates);
    if (questions.entry == Entry::graph) {
        questions.ids.resize(static_cast<std::size_t>(made.points.n));
        std::iota(questions.ids.begin(), questions.ids.end(), 0);
        return questions;
    }
    const std::int64_t most = questions.are_own() ? std::min<std::int64_t>(made.points.n, 6) : made.queries.n;
    for (std::int64_t i = random.pick({1, 1, 1, 2, 3, 4}); i > 0; --i)
        questions.ids.push_back(random.below(most));
    return questions;
}

// A share of what is between a query and a point.
double Case::random_epsilon(Scene &scene, Random &random) {
    if (random.chance(0.75))
        return 0;
    const Questions one{.entry = Entry::dense, .ids = {0}, .k = 1, .max_distance = {}};
    const Ranking &ranking = scene.ranking(one, 0);
    const Distance &some = ranking.distances[static_cast<std::size_t>(random.below(world_.made().points.n))];
    const double units = scene.metric().is_angular() ? 1 : static_cast<double>(world_.made().points.d);
    const double epsilon = static_cast<double>(fabsl(sum_of(scene.metric(), some.value))) / units *
                           std::pow(10, random.between(-3.0, 0.0));
    return std::isfinite(epsilon) ? epsilon : 0;
}

// Near the distances of candidates, or at them: all queries alike, or each.
std::vector<double> Case::random_max_distance(Scene &scene, const Questions &questions, Random &random) const {
    std::vector<double> all;
    const std::int64_t count = random.chance(0.5) ? 1 : questions.count();
    for (std::int64_t i = 0; i < count; ++i) {
        const Ranking &ranking = scene.ranking(questions, static_cast<std::size_t>(i));
        const auto candidates = static_cast<std::int64_t>(ranking.order.size());
        const std::int64_t rank = random.below(random.chance(0.7) ? std::min(candidates, questions.k + 2) : candidates);
        const Distance &some =
            ranking.distances[static_cast<std::size_t>(ranking.order[static_cast<std::size_t>(rank)])];
        const double near = static_cast<double>(some.value);
        const double apart = random.pick({0.0, 0.0, 1e-9, -1e-9, 0.1, -0.1}) * std::abs(near);
        all.push_back(random.chance(0.1) || !std::isfinite(near + apart)
                          ? random.pick({0.0, -1.0, 1e-300, std::numeric_limits<double>::infinity()})
                          : near + apart);
    }
    return all;
}

std::string Case::describe(const Target &target, const Settings &settings, const Questions &questions) const {
    const Points &points = world_.made().points;
    return text_of(settings) + (target.form.box != 0 ? " prepared" : "") + ", " + std::to_string(points.n) + " x " +
           std::to_string(points.d) + " " + name_of(world_.made().shape) + " of type " + std::to_string(points.dtype) +
           ", queries of type " + std::to_string(world_.made().queries.dtype) + ", " + name_of(questions.entry) +
           " k " + std::to_string(questions.k) +
           (questions.max_distance.empty() ? "" : " within " + number(questions.max_distance[0]));
}

void Case::search(Scene &scene, const Target &target, Random &random) {
    Settings settings = random_settings(scene.metric(), target.form, random);
    settings.epsilon = random_epsilon(scene, random);
    Questions questions = random_questions(random);
    if (random.chance(0.3))
        questions.max_distance = random_max_distance(scene, questions, random);
    const std::optional<bmo_guarantee> promise = promised(settings, target.form);
    bmo_status status;
    const QueryHandle query = make_query(target, settings, status);
    Journal &journal = Journal::shared();
    if (!promise) {
        ++journal.refused;
        if (status != BMO_EINVAL)
            journal.find(std::string("not refused: ") + bmo_status_name(status), describe(target, settings, questions));
    } else if (status != BMO_OK) {
        journal.find(std::string("refused: ") + bmo_status_name(status),
                     std::string(bmo_last_error()) + "; " + describe(target, settings, questions));
    } else {
        check(scene, target, settings, questions, query.get(), *promise, random);
    }
}

void Case::check(Scene &scene, const Target &target, const Settings &settings, const Questions &questions,
                 bmo_query *query, bmo_guarantee promise, Random &random) {
    Journal &journal = Journal::shared();
    const Answer answer = ask(query, world_.made(), questions, random);
    ++journal.searches;
    const std::string where = describe(target, settings, questions);
    const Verdict verdict(world_, scene, settings, questions, answer, where);
    if (answer.status != BMO_OK)
        return verdict.check_failure();
    if (!verdict.check_form())
        return;
    verdict.check_distances();
    verdict.check_cost();
    verdict.check_label(promise);
    if (answer.stats.guarantee == BMO_GUARANTEE_EXACT) {
        ++journal.exact;
        verdict.check_exact([&] {
            Settings scan = settings;
            scan.method = BMO_METHOD_EXACT;
            return ask_again(target, scan, questions, answer.distance_dtype);
        });
    } else if (answer.stats.guarantee == BMO_GUARANTEE_PROVEN) {
        ++journal.proven;
        count_proven(scene, target, settings, questions, answer, verdict.is_right(0));
    }
    if (random.chance(0.05))
        check_threads(target, settings, questions, answer, where);
}

// Queries of one call share their random order: the first alone counts.
void Case::count_proven(Scene &scene, const Target &target, const Settings &settings, const Questions &questions,
                        const Answer &answer, bool is_right) {
    Journal &journal = Journal::shared();
    const bool is_sum = !settings.metric.is_angular() && settings.metric.id != BMO_METRIC_CUSTOM;
    journal.count_trial(rule_of(answer.stats, is_sum), world_.made().shape, settings.delta, !is_right);
    if (is_right || settings.delta > kSuspectedDelta)
        return;
    ++journal.retrials;
    const std::uint64_t errors = errors_of_other_seeds(scene, target, settings, questions, kOtherSeeds);
    // 1e-13 for each of up to some thousands of suspicions of a run.
    if (tail(kOtherSeeds, errors, settings.delta) < 1e-13)
        journal.find(std::string("proven errs: ") + kRuleNames[rule_of(answer.stats, is_sum)],
                     std::to_string(errors) + " of " + std::to_string(kOtherSeeds) + " other seeds; " +
                         describe(target, settings, questions));
}

std::uint64_t Case::errors_of_other_seeds(Scene &scene, const Target &target, Settings settings,
                                          const Questions &questions, std::uint64_t trials) {
    Random random(part_of(seed_, 5));
    Questions first = questions;
    if (first.entry == Entry::graph)
        first.entry = Entry::rows;
    first.ids.resize(1);
    if (first.max_distance.size() > 1)
        first.max_distance = {questions.max_distance[0]};
    std::uint64_t errors = 0;
    const Target source = world_.plain(random);
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        settings.seed = static_cast<std::int64_t>(random.next() >> 1);
        Target again;
        if (target.form.box != BMO_BOX_AUTO)
            again = world_.prepared(source, scene.metric(), target.form.box, settings.seed);
        bmo_status status;
        const QueryHandle query = make_query(again.dataset ? again : source, settings, status);
        const Answer answer = ask(query.get(), world_.made(), first, random);
        if (answer.status == BMO_OK && answer.stats.guarantee >= BMO_GUARANTEE_PROVEN)
            errors += !Verdict(world_, scene, settings, first, answer, "").is_right(0);
    }
    return errors;
}

Answer Case::ask_again(const Target &target, const Settings &settings, const Questions &questions,
                       bmo_dtype distance_dtype) const {
    bmo_status status;
    const QueryHandle query = make_query(target, settings, status);
    Random random(1);
    Answer again;
    do
        again = ask(query.get(), world_.made(), questions, random);
    while (again.distance_dtype != distance_dtype);
    return again;
}

void Case::check_threads(const Target &target, Settings settings, const Questions &questions, const Answer &answer,
                         const std::string &where) {
    settings.threads = settings.threads == 1 ? 3 : 1;
    const Answer again = ask_again(target, settings, questions, answer.distance_dtype);
    if (!same_answer(answer, again))
        Journal::shared().find("another answer of other threads", where);
}
