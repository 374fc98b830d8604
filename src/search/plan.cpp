#include "search/plan.hpp"

#include "util/failure.hpp"

namespace bmo {
namespace {

// Measured: with fewer coordinates, or fewer arms for each neighbour wanted, the scan takes less time than the race.
constexpr std::int64_t kLeastCoordinates = 512;
constexpr std::int64_t kLeastArmsPerNeighbour = 40;

} // namespace

Settings decide(const Dataset &, const Settings &settings) {
    Settings decided = settings;
    decided.box = BMO_BOX_DENSE;
    decided.bandit = BMO_BANDIT_RACE;
    decided.confidence = BMO_CONFIDENCE_BETTING;
    decided.sampling = BMO_SAMPLING_PERMUTE;
    return decided;
}

Plan make_plan(const Dataset &data, const Settings &settings) {
    if (data.prepared && data.prepared->seed != settings.seed)
        fail(BMO_EINVAL, "seed",
             text("seed is ", settings.seed, ", but the dataset was prepared with seed ", data.prepared->seed,
                  "; set that seed, or prepare the dataset again with this one"));
    return {decide(data, settings), Metric::from(settings.metric, settings.p)};
}

MethodChoice choose_method(std::int64_t method, std::int64_t d, std::int64_t candidates, std::int64_t k) {
    if (method != BMO_METHOD_AUTO)
        return {method, ""};
    if (d < kLeastCoordinates)
        return {BMO_METHOD_EXACT, "exact: with fewer than 512 coordinates a scan is the fastest"};
    if (candidates / kLeastArmsPerNeighbour < k)
        return {BMO_METHOD_EXACT, "exact: with fewer than 40 candidates for each neighbour a scan is the fastest"};
    return {BMO_METHOD_BANDIT, "bandit: enough coordinates and candidates for sampling to pay"};
}

} // namespace bmo
