#include "search/choice/method_choice.hpp"

#include <algorithm>

#include "boxes/tiles/byte_pairs.hpp"
#include "boxes/tiles/scan_prepared.hpp"
#include "search/choice/contrast.hpp"
#include "search/choice/cost_model.hpp"

namespace bmo {
namespace {

// Measured: with fewer arms for each neighbor wanted, the scan takes less time than the race.
constexpr std::int64_t kLeastArmsPerNeighbor = 40;

// The same with fewer sparse points, or with fewer queries, dense or sparse.
constexpr std::int64_t kLeastSparsePoints = 16384, kLeastQueries = 64;
constexpr double kLeastShared = 64; // entries that two points share on average

// An operation of a race on sparse points in those of a scan by columns. How many of them a race takes depends on how far
// from each other the points are: thinned copies of single cells 1/7 to 1/18 of the scan's, random entries as many.
constexpr double kRaceTime = 6, kCountedRaceTime = 12;

MethodChoice choose_sparse_method(const Dataset &data, const Plan &plan, const SparseScan &scan,
                                  std::int64_t candidates, std::int64_t k, std::int64_t queries) {
    const std::int64_t method = plan.settings.method;
    if (plan.settings.box == BMO_BOX_SPARSE_UNION)
        return method == BMO_METHOD_EXACT ? MethodChoice{method, ""}
                                          : MethodChoice{BMO_METHOD_BANDIT, "bandit: what the box sparse_union is for"};
    if (is_angular(plan.settings.metric))
        return {BMO_METHOD_EXACT, "exact: of sparse points, cosine and inner_product are scanned over the entries"};
    if (!plan.metric.overlaps())
        return {BMO_METHOD_EXACT,
                plan.metric.traits().takes_p
                    ? "exact: of sparse points, lp with p other than 1 and 2 is scanned by differences"
                    : "exact: of sparse points, this metric is scanned by coordinate distances"};
    if (method == BMO_METHOD_EXACT)
        return {method,
                "exact: by the columns of the query (inverted index) or with the query scattered over the rows, "
                "whichever is cheaper"};
    if (method == BMO_METHOD_BANDIT)
        return {method, ""};
    if (data.n() < kLeastSparsePoints)
        return {BMO_METHOD_EXACT, "exact: with fewer than 16,384 sparse points a scan by the columns of the query "
                                  "(inverted index) is faster than samples"};
    if (candidates / kLeastArmsPerNeighbor < k)
        return {BMO_METHOD_EXACT,
                "exact: with fewer than 40 candidates for each neighbor a scan by the columns of the query (inverted "
                "index) or over the rows (scattered query) is the fastest"};
    if (scan.shared < kLeastShared)
        return {BMO_METHOD_EXACT,
                "exact: two sparse points share fewer than 64 entries on average, which a scan by the "
                "columns of the query (inverted index) reads faster than samples"};
    if (queries < kLeastQueries)
        return {BMO_METHOD_EXACT,
                "exact: fewer than 64 queries are no reason to try how many samples sparse points take"};
    return {.method = BMO_METHOD_BANDIT, .reason = "", .on_trial = true};
}

// Of a sample. Data that are not prepared, or not in this order, are read a cache line a coordinate.
double sample_time(const Dataset &data, const Settings &settings) {
    return has_blocks(data) && settings.sampling != BMO_SAMPLING_IMPORTANCE ? kPullTime : kLineTime;
}

// Of an arm of a race that takes so many samples.
double arm_time(const Dataset &data, const Settings &settings, double samples) {
    if (settings.box == BMO_BOX_PROJECTED)
        return projected_arm_time(data);
    return samples * (metric_traits(settings.metric).sample_time + sample_time(data, settings));
}

bool are_byte_queries(const Dataset &data, const Queries &queries) {
    constexpr std::int64_t kAskedFor = 4; // the first queries stand for all
    return data.dense.dtype == BMO_U8 && are_bytes(queries, 0, std::min(queries.count, kAskedFor));
}

// The samples that an arm of unprepared points needs, by a few pairs of them: such races cannot go on trial.
double samples_needed(const Dataset &data, const Plan &plan) {
    constexpr int kPairs = 8;
    const Settings &settings = plan.settings;
    if (has_blocks(data) || settings.sampling == BMO_SAMPLING_IMPORTANCE || is_angular(settings.metric) ||
        plan.metric.is_costly() || settings.weights)
        return kUsualSamples;
    return std::max(kUsualSamples,
                    sample_contrast(data, plan.metric, kPairs, settings.seed).samples(data.n(), settings.delta));
}

// Whether the projected box can tell points apart: what it takes for an arm is that of images. Under other metrics their races
// go on trial.
bool is_learnable(const Dataset &data, const Plan &plan) {
    constexpr int kPairs = 16;
    const Settings &settings = plan.settings;
    return settings.box != BMO_BOX_PROJECTED || !is_angular(settings.metric) ||
           sample_angular_contrast(data, settings.metric, kPairs, settings.seed).dimensions() <= kLearnable;
}

bool race_pays(const Dataset &data, const Plan &plan, std::int64_t candidates, std::int64_t k, const Queries &queries) {
    const ScanTimes scan = scan_times(data, plan.settings, are_byte_queries(data, queries));
    const double query =
        plan.settings.box == BMO_BOX_PROJECTED ? static_cast<double>(data.d()) * kProjectedCoordinateTime : 0;
    const double scanned = scan_time(data, scan, candidates, queries.count) - query - finish_time(data, scan, k);
    const auto pays = [&](double samples) {
        return scanned > static_cast<double>(candidates) * arm_time(data, plan.settings, samples);
    };
    return pays(kUsualSamples) && pays(samples_needed(data, plan)) && is_learnable(data, plan);
}

// Whether races of a few queries tell more than what was measured of images.
bool needs_trial(const Dataset &data, const Settings &settings, const Queries &queries) {
    return (has_blocks(data) || settings.sampling == BMO_SAMPLING_IMPORTANCE) && queries.count >= kLeastQueries &&
           metric_traits(settings.metric).sample_time == 0 && !is_angular(settings.metric) &&
           settings.bandit == BMO_BANDIT_RACE;
}

MethodChoice choose_sketch_method(const Queries &queries, std::int64_t candidates, std::int64_t k) {
    if (candidates / kLeastArmsPerNeighbor < k)
        return {BMO_METHOD_EXACT, "exact: with fewer than 40 candidates for each neighbor a scan is the fastest"};
    return {BMO_METHOD_BANDIT, "bandit: sketches of the points take less time than a scan",
            queries.count >= kLeastQueries};
}

} // namespace

bool scans_always(const Dataset &data, const Plan &plan) {
    const Settings &settings = plan.settings;
    if (settings.box == BMO_BOX_SPARSE_UNION)
        return false;
    return settings.method == BMO_METHOD_EXACT || is_angular(settings.metric) || !plan.metric.overlaps() ||
           (settings.method == BMO_METHOD_AUTO && data.n() < kLeastSparsePoints);
}

MethodChoice choose_method(const Dataset &data, const Plan &plan, const BoundBox &box, std::int64_t candidates,
                           std::int64_t k, const Queries &queries) {
    if (data.kind == Kind::sparse)
        return choose_sparse_method(data, plan, box.sparse_scan(), candidates, k, queries.count);
    if (plan.settings.method != BMO_METHOD_AUTO)
        return {plan.settings.method, ""};
    if (plan.settings.box == BMO_BOX_SKETCH)
        return choose_sketch_method(queries, candidates, k);
    if (!race_pays(data, plan, candidates, k, queries))
        return {BMO_METHOD_EXACT, data.prepared
                                      ? "exact: too few coordinates or points for sampling to be faster than a scan"
                                      : "exact: of so many queries a scan is faster than sampling where the "
                                        "data are not prepared"};
    if (candidates / kLeastArmsPerNeighbor < k)
        return {BMO_METHOD_EXACT, "exact: with fewer than 40 candidates for each neighbor a scan is the fastest"};
    return {BMO_METHOD_BANDIT, "bandit: enough coordinates and candidates for sampling to pay",
            needs_trial(data, plan.settings, queries)};
}

MethodChoice choose_after_trial(const Dataset &data, const Plan &plan, const MethodChoice &before,
                                const Queries &queries, std::int64_t candidates, const Cost &raced,
                                std::int64_t races) {
    if (plan.settings.box == BMO_BOX_SKETCH)
        return raced.exact_evals < static_cast<std::uint64_t>(candidates)
                   ? MethodChoice{before.method, before.reason}
                   : MethodChoice{BMO_METHOD_EXACT,
                                  "exact: sketches of two of the queries left most points to compute"};
    const ScanTimes scan = scan_times(data, plan.settings, are_byte_queries(data, queries));
    const double scanned = scan_time(data, scan, candidates, queries.count) * static_cast<double>(races);
    if (static_cast<double>(raced.coord_ops()) * sample_time(data, plan.settings) < scanned)
        return {before.method, before.reason};
    return {BMO_METHOD_EXACT, "exact: races of two of the queries took more time than a scan of all points"};
}

MethodChoice choose_after_trial(const SparseScan &scan, std::int64_t candidates, const Cost &raced,
                                std::int64_t races) {
    const double scanned = scan.shared * static_cast<double>(candidates) * static_cast<double>(races);
    if (static_cast<double>(raced.coord_ops()) * (scan.of_counts ? kCountedRaceTime : kRaceTime) < scanned)
        return {BMO_METHOD_BANDIT, "bandit: races of two of the queries took few enough operations to pay"};
    return {BMO_METHOD_EXACT,
            "exact: races of two of the queries took more time than a scan by the columns of the query "
            "(inverted index)"};
}

} // namespace bmo
