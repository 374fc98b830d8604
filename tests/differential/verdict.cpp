#include "verdict.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <limits>

#include "journal.hpp"

namespace {

constexpr Wide kFloatUlp = 0x1p-23L, kLeastFloat = 0x1p-149L;

// "metric box bandit confidence sampling" as they were resolved: what findings of one kind have in common.
std::string rule_text(const Settings &settings, const bmo_stats &stats) {
    constexpr const char *metrics[] = {"", "l2", "sqeuclidean", "l1", "lp", "cosine", "inner_product", "custom"};
    constexpr const char *boxes[] = {"", "dense", "sparse", "sparse_union", "rotated", "projected"};
    constexpr const char *methods[] = {"", "bandit", "exact", "uniform"};
    constexpr const char *bandits[] = {"", "ucb", "lucb", "race", "lucb++"};
    constexpr const char *samplings[] = {"", "replace", "without_replacement", "importance"};
    std::string text = std::string(metrics[settings.metric.id]) + " " + boxes[stats.box] + " " + methods[stats.method];
    if (stats.method == BMO_METHOD_BANDIT)
        text += std::string(" ") + bandits[stats.bandit] + " " + samplings[stats.sampling];
    return text;
}

} // namespace

std::string number(Wide value) {
    char text[48];
    std::snprintf(text, sizeof text, "%.19Lg", value);
    return text;
}

Verdict::Verdict(const World &world, Scene &scene, const Settings &settings, const Questions &questions,
                 const Answer &answer, std::string where)
    : world_(world), scene_(scene), settings_(settings), questions_(questions), answer_(answer),
      where_(std::move(where)) {}

void Verdict::find(const std::string &kind, const std::string &what) const {
    Journal::shared().find(kind + ": " + rule_text(settings_, answer_.stats), what + "; " + where_);
}

std::int64_t Verdict::index(std::size_t query, std::size_t rank) const {
    return answer_.index[query * static_cast<std::size_t>(questions_.k) + rank];
}

double Verdict::distance(std::size_t query, std::size_t rank) const {
    return answer_.distance[query * static_cast<std::size_t>(questions_.k) + rank];
}

std::string Verdict::place(std::size_t query, std::size_t rank) const {
    return "query " + std::to_string(query) + " rank " + std::to_string(rank) + " is point " +
           std::to_string(index(query, rank)) + " at " + number(distance(query, rank));
}

std::size_t Verdict::found(std::size_t query) const {
    std::size_t count = 0;
    while (count < static_cast<std::size_t>(questions_.k) && index(query, count) != -1)
        ++count;
    return count;
}

// The largest distance is in double; as a float it may be written larger.
double Verdict::largest_written(std::size_t query) const {
    const double within = questions_.within(query);
    return answer_.distance_dtype == BMO_F32 ? static_cast<double>(static_cast<float>(within)) : within;
}

// Is the candidate of this rank nearer than the largest distance, beyond what rounding explains?
bool Verdict::is_missed(std::size_t query, std::size_t rank) const {
    const Ranking &ranking = scene_.ranking(questions_, query);
    const Distance &truth = ranking.distances[static_cast<std::size_t>(ranking.order[rank])];
    return truth.value + truth.noise <= static_cast<Wide>(questions_.within(query));
}

bool Verdict::is_row_well_formed(std::size_t query) const {
    std::vector<std::int64_t> seen;
    for (std::size_t rank = 0; rank < found(query); ++rank) {
        const std::int64_t i = index(query, rank);
        if (i < 0 || i >= world_.made().points.n || i == questions_.self(query))
            return find("no candidate", place(query, rank)), false;
        if (!std::isfinite(distance(query, rank)))
            return find("no distance", place(query, rank)), false;
        if (distance(query, rank) > largest_written(query))
            return find("too far", place(query, rank)), false;
        if (rank > 0 && distance(query, rank) < distance(query, rank - 1))
            return find("distances descend", place(query, rank)), false;
        seen.push_back(i);
    }
    std::ranges::sort(seen);
    if (std::ranges::adjacent_find(seen) != seen.end())
        return find("a neighbor twice", place(query, 0)), false;
    return is_rest_empty(query);
}

bool Verdict::is_rest_empty(std::size_t query) const {
    for (std::size_t rank = found(query); rank < static_cast<std::size_t>(questions_.k); ++rank)
        if (questions_.max_distance.empty() || index(query, rank) != -1 ||
            distance(query, rank) != std::numeric_limits<double>::infinity())
            return find("a place without a neighbor", place(query, rank)), false;
    return true;
}

bool Verdict::check_form() const {
    if (!answer_.is_whole)
        return find("written beside the output", "or done is not 1"), false;
    bool well_formed = true;
    for (std::size_t query = 0; query < questions_.ids.size(); ++query)
        well_formed = is_row_well_formed(query) && well_formed;
    return well_formed;
}

// Some distance that the search may have had to write is beyond its type, or within rounding of that.
bool Verdict::may_overflow(std::size_t query) const {
    const Ranking &ranking = scene_.ranking(questions_, query);
    const Wide most = (answer_.distance_dtype == BMO_F32 ? Wide{FLT_MAX} : Wide{DBL_MAX}) * (1 - 1e-7L);
    const bool any =
        settings_.method == BMO_METHOD_UNIFORM || settings_.bandit != BMO_BANDIT_RACE || settings_.epsilon > 0;
    const std::size_t count = any ? ranking.order.size() : static_cast<std::size_t>(questions_.k);
    for (std::size_t rank = 0; rank < count; ++rank)
        if (fabsl(ranking.distances[static_cast<std::size_t>(ranking.order[rank])].value) > most)
            return true;
    return false;
}

void Verdict::check_failure() const {
    if (answer_.status != BMO_EOVERFLOW)
        return find(std::string("fails with ") + bmo_status_name(answer_.status), answer_.message);
    for (std::size_t query = 0; query < questions_.ids.size(); ++query)
        if (may_overflow(query))
            return;
    find("overflow without cause", answer_.message);
}

void Verdict::check_row_distances(std::size_t query) const {
    const Ranking &ranking = scene_.ranking(questions_, query);
    for (std::size_t rank = 0; rank < found(query); ++rank) {
        const Distance &truth = ranking.distances[static_cast<std::size_t>(index(query, rank))];
        Wide allowed = truth.noise;
        if (answer_.distance_dtype == BMO_F32)
            allowed += fabsl(truth.value) * kFloatUlp + kLeastFloat;
        if (!(fabsl(distance(query, rank) - truth.value) <= allowed))
            return find("distance", place(query, rank) + ", truly " + number(truth.value));
    }
}

void Verdict::check_distances() const {
    for (std::size_t query = 0; query < questions_.ids.size(); ++query)
        check_row_distances(query);
}

void Verdict::check_cost() const {
    const bmo_stats &stats = answer_.stats;
    std::uint64_t of_rows = 0;
    for (const bmo_row_stats &row : answer_.rows)
        of_rows += row.coord_ops;
    const bool is_adaptive = stats.method == BMO_METHOD_BANDIT && stats.bandit != BMO_BANDIT_RACE;
    const bool unlimited = is_adaptive && settings_.max_pulls > 0; // as many samples of an arm as were asked for
    // What "about twice" is for points of few entries.
    const double few =
        is_adaptive && stats.box == BMO_BOX_SPARSE_UNION
            ? 1.5 * static_cast<double>(stats.coord_ops_brute) + 16 * static_cast<double>(stats.queries * stats.arms)
            : 0;
    const double share = is_adaptive ? 2.2 : stats.box == BMO_BOX_SKETCH ? 1.4 : 1.1;
    const double most = static_cast<double>(stats.coord_ops_brute) * share + few;
    const std::string what = std::to_string(stats.coord_ops) + " operations, a scan " +
                             std::to_string(stats.coord_ops_brute) + ", rows " + std::to_string(of_rows);
    if (stats.method != BMO_METHOD_UNIFORM && !unlimited && static_cast<double>(stats.coord_ops) > most)
        find("cost", what);
    if (stats.coord_ops != stats.coord_ops_sampled + stats.coord_ops_exact)
        find("operations do not add up", what);
}

void Verdict::check_label(bmo_guarantee promised) const {
    const bmo_guarantee label = answer_.stats.guarantee;
    const bool scanned = answer_.stats.method == BMO_METHOD_EXACT;
    if (label != BMO_GUARANTEE_EXACT && (scanned || label != promised))
        find("label", "guarantee " + std::to_string(label) + ", promised " + std::to_string(promised));
}

bool Verdict::is_right(std::size_t query) const {
    const Ranking &ranking = scene_.ranking(questions_, query);
    const Metric &metric = settings_.metric;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(questions_.k); ++rank) {
        if (rank >= found(query)) {
            if (is_missed(query, rank))
                return false;
            continue;
        }
        if (!scene_.is_beyond(ranking, index(query, rank), rank))
            continue;
        const Distance &got = ranking.distances[static_cast<std::size_t>(index(query, rank))],
                       &best = ranking.distances[static_cast<std::size_t>(ranking.order[rank])];
        const Wide allowed = settings_.epsilon * (metric.is_angular() ? 1 : static_cast<Wide>(world_.made().points.d));
        const Wide beyond = sum_of(metric, got.value) - sum_of(metric, best.value);
        if (settings_.epsilon == 0 || !(beyond <= allowed + fabsl(sum_of(metric, got.value)) * 1e-9L))
            return false;
    }
    return true;
}

void Verdict::check_ranks(std::size_t query) const {
    const Ranking &ranking = scene_.ranking(questions_, query);
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(questions_.k); ++rank) {
        const std::int64_t truly = ranking.order[rank];
        if (rank >= found(query) ? is_missed(query, rank) : scene_.is_beyond(ranking, index(query, rank), rank))
            return find("exact is wrong", place(query, rank) + ", truly point " + std::to_string(truly) + " at " +
                                              number(ranking.distances[static_cast<std::size_t>(truly)].value));
    }
}

bool Verdict::is_in_order(std::size_t query) const {
    const Ranking &ranking = scene_.ranking(questions_, query);
    const auto first = answer_.index.begin() + static_cast<std::ptrdiff_t>(query) * questions_.k;
    return std::equal(first, first + static_cast<std::ptrdiff_t>(found(query)), ranking.order.begin());
}

// Where nothing is rounded, the order is the true one.
void Verdict::check_ties(std::size_t query) const {
    const Metric &metric = settings_.metric;
    const bool exact_sums =
        metric.id == BMO_METRIC_L2 || metric.id == BMO_METRIC_SQEUCLIDEAN || metric.id == BMO_METRIC_L1;
    if (world_.is_free_of_rounding() && metric.weights.empty() && exact_sums)
        find("ties", place(query, 0) + ", truly point " + std::to_string(scene_.ranking(questions_, query).order[0]));
}

// Near-ties may be in the order that rounding makes of them: that of the scan.
void Verdict::check_exact(const std::function<Answer()> &scan) const {
    bool in_order = true;
    for (std::size_t query = 0; query < questions_.ids.size(); ++query) {
        check_ranks(query);
        if (is_in_order(query))
            continue;
        in_order = false;
        check_ties(query);
    }
    if (in_order || answer_.stats.method == BMO_METHOD_EXACT)
        return;
    const Answer scanned = scan();
    if (scanned.status != BMO_OK || scanned.index == answer_.index)
        return;
    const auto [mine, other] = std::ranges::mismatch(answer_.index, scanned.index);
    const auto at = static_cast<std::size_t>(mine - answer_.index.begin()), k = static_cast<std::size_t>(questions_.k);
    find("exact is not the scan's", place(at / k, at % k) + ", by the scan point " + std::to_string(*other) + " at " +
                                        number(scanned.distance[at]));
}
