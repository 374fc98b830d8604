#include "search/choice/box_choice.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "boxes/tiles/scan_prepared.hpp"
#include "search/choice/contrast.hpp"
#include "search/choice/cost_model.hpp"
#include "search/choice/plan.hpp"

namespace bmo {
namespace {

constexpr int kPairs = 64;
constexpr std::int64_t kNeighbors = 5; // as many as are wanted, for all that is known

bool serves(Settings settings, std::int64_t box) {
    settings.box = box;
    return box_serves(settings);
}

Contrast contrast_of(const Dataset &data, const Settings &settings) {
    return is_angular(settings.metric)
               ? sample_angular_contrast(data, settings.metric, kPairs, settings.seed)
               : sample_contrast(data, Metric::from(settings.metric, settings.p), kPairs, settings.seed);
}

// Whether sketches leave few points to compute. Measured on embeddings and made data: with fewer points or coordinates a scan is
// as good, with more coordinates it takes long to draw directions.
bool sketches_tell(const Dataset &data, const Settings &settings, const Contrast &contrast) {
    constexpr std::int64_t kLeastPoints = 2048, kLeastCoordinates = 256, kMostCoordinates = 8192;
    constexpr double kFarthest = 0.75;
    return serves(settings, BMO_BOX_SKETCH) && data.n() >= kLeastPoints && data.d() >= kLeastCoordinates &&
           data.d() <= kMostCoordinates && kernels().bytes_are_fast &&
           codes_apply(data, Metric::from(settings.metric, settings.p)) && contrast.nearest() < kFarthest;
}

// Without a number of queries. Measured on images: with fewer points or coordinates the dense box is as good, and takes less
// to prepare. None: directions do not tell points apart, and scans are faster than any race.
std::optional<std::int64_t> box_for_many(const Dataset &data, const Settings &settings) {
    constexpr std::int64_t kLeastPoints = 2000, kLeastCoordinates = 1024;
    if (data.kind != Kind::dense || data.n() == 0)
        return BMO_BOX_AUTO;
    const bool projected =
        serves(settings, BMO_BOX_PROJECTED) && data.n() >= kLeastPoints && data.d() >= kLeastCoordinates;
    if (!serves(settings, BMO_BOX_SKETCH) && !projected)
        return BMO_BOX_AUTO;
    const Contrast contrast = contrast_of(data, settings);
    if (contrast.dimensions() > kWellLearned && sketches_tell(data, settings, contrast))
        return BMO_BOX_SKETCH;
    if (projected && settings.method == BMO_METHOD_AUTO && contrast.dimensions() > kLearnable)
        return {};
    return projected ? BMO_BOX_PROJECTED : BMO_BOX_AUTO;
}

// Races of a query, in a box of points with this contrast.
double race_time(const Dataset &data, const Settings &settings, const ScanTimes &scan, std::int64_t box,
                 const Contrast &contrast) {
    constexpr double kArm = 15, kNever = std::numeric_limits<double>::infinity();
    const auto n = static_cast<double>(data.n()), d = static_cast<double>(data.d());
    const double finish = finish_time(data, scan, kNeighbors);
    if (box == BMO_BOX_SKETCH)
        return sketches_tell(data, settings, contrast) ? sketch_time(data, scan, kNeighbors) : kNever;
    if (box == BMO_BOX_PROJECTED)
        return contrast.dimensions() > kLearnable
                   ? kNever
                   : n * projected_arm_time(data) + d * kProjectedCoordinateTime + finish;
    const double samples = box == BMO_BOX_ROTATED ? contrast.rotated_samples(data.n(), settings.delta)
                                                  : contrast.samples(data.n(), settings.delta);
    return samples > d / 2 ? kNever : n * (kArm + samples * kPullTime) + finish;
}

bool shows_contrast(const Dataset &data, const Settings &settings) {
    return !Metric::from(settings.metric, settings.p).is_costly() && data.n() > 0 && data.d() > 0;
}

std::optional<std::int64_t> box_for_some(const Dataset &data, const Settings &settings) {
    const std::int64_t queries = settings.expected_queries;
    const ScanTimes scan = scan_times(data, settings, true);
    const double scanned = scan_time(data, scan, data.n(), queries) * static_cast<double>(queries);
    const std::optional<std::int64_t> usual = box_for_many(data, settings);
    if (!usual)
        return {};
    const bool contrasts = shows_contrast(data, settings), may_scan = settings.method == BMO_METHOD_AUTO;
    if (may_scan && scanned < prepare_time(data, contrasts ? std::int64_t{BMO_BOX_DENSE} : *usual))
        return {};
    const Contrast contrast = contrasts ? contrast_of(data, settings) : Contrast{1, 1};
    const double samples = contrasts ? contrast.samples(data.n(), settings.delta) : kUsualSamples;
    const double unprepared = may_scan ? scanned
                                       : static_cast<double>(queries) * static_cast<double>(data.n()) * kLineTime *
                                             std::min(samples, static_cast<double>(data.d()) / 2);
    if (!contrasts)
        return unprepared < prepare_time(data, *usual) ? std::nullopt : usual;
    std::optional<std::int64_t> best;
    double least = unprepared;
    for (const std::int64_t box : {BMO_BOX_DENSE, BMO_BOX_ROTATED, BMO_BOX_PROJECTED, BMO_BOX_SKETCH}) {
        const double time = serves(settings, box)
                                ? prepare_time(data, box) +
                                      static_cast<double>(queries) * race_time(data, settings, scan, box, contrast)
                                : std::numeric_limits<double>::infinity();
        if (time < least) {
            best = box;
            least = time;
        }
    }
    return best;
}

} // namespace

std::optional<std::int64_t> box_to_prepare(const Dataset &data, const Settings &settings) {
    constexpr std::int64_t kLeastOfSparse = 256; // queries: a search makes the index for itself
    if (settings.box != BMO_BOX_AUTO || settings.method == BMO_METHOD_UNIFORM || settings.weights)
        return settings.box; // weights are kept with what is prepared
    if (settings.expected_queries == 0)
        return box_for_many(data, settings);
    if (settings.method == BMO_METHOD_EXACT && data.kind == Kind::dense)
        return {};
    if (data.kind == Kind::sparse)
        return settings.expected_queries < kLeastOfSparse ? std::nullopt : std::optional(settings.box);
    return box_for_some(data, settings);
}

bool scan_preparation_pays(const Dataset &data, const Settings &settings) {
    constexpr std::int64_t kLeastQueries = 1000; // asked together, fewer take about as long without
    return settings.box == BMO_BOX_AUTO && !settings.weights && data.kind == Kind::dense &&
           (settings.method == BMO_METHOD_AUTO || settings.method == BMO_METHOD_EXACT) &&
           (settings.expected_queries == 0 || settings.expected_queries >= kLeastQueries) &&
           settings.metric != BMO_METRIC_CUSTOM && codes_pay(data) &&
           codes_apply(data, Metric::from(settings.metric, settings.p));
}

bool narrowing_pays(const Dataset &data, const Settings &settings) {
    if (settings.box != BMO_BOX_AUTO || settings.expected_queries == 0 || data.kind == Kind::sparse)
        return true;
    const ScanTimes scan = scan_times(data, settings, true);
    const auto queries = static_cast<double>(settings.expected_queries);
    return scan_time(data, scan, data.n(), settings.expected_queries) * queries >
           2 * kNarrowTime * static_cast<double>(data.n()) * static_cast<double>(data.d());
}

} // namespace bmo
