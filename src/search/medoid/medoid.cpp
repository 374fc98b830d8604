#include "search/medoid/medoid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "boxes/metric.hpp"
#include "boxes/order.hpp"
#include "search/medoid/coordinate_pairs.hpp"
#include "search/medoid/distance_rows.hpp"
#include "search/medoid/reach.hpp"
#include "search/medoid/reference_arm.hpp"
#include "search/stats.hpp"
#include "util/double_double.hpp"
#include "util/failure.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kLeastPoints = 64; // for sampling
constexpr std::int64_t kFirstReferences = 8, kLeastBets = 16;
constexpr std::int64_t kMostDistances = std::int64_t{1} << 24; // that a round keeps

// Pairs: so many tell which points may lead, those are told apart by so many references, and so few coordinates are no
// reason to draw pairs.
constexpr int kFirstDraws = 16;
constexpr std::size_t kContenders = 16;
constexpr std::int64_t kContenderReferences = 32, kLeastCoordinates = 512;

// Of the seed: different random numbers for each use.
enum Stream : std::uint64_t { kOfReferences = 1, kOfPairs, kOfContenders };

using Points = std::vector<std::int32_t>;

DoubleDouble sum_of(std::span<const double> distances) {
    DoubleDouble sum;
    for (const double distance : distances)
        sum = sum + DoubleDouble{distance, 0};
    return sum;
}

bool is_less(DoubleDouble a, DoubleDouble b) {
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

class MedoidSearch {
public:
    MedoidSearch(const KnnSearch &search, std::int64_t seed, Watch &watch)
        : data_(search.data()), settings_(search.settings()), reach_(metric_traits(settings_.metric).reach),
          n_(data_.n()), d_(data_.d()), seed_(seed), rows_(search), watch_(watch), all_(static_cast<std::size_t>(n_)) {
        std::iota(all_.begin(), all_.end(), 0);
    }

    Medoid scan() {
        if (rows_.has_bounds(all_.size())) {
            compute_leading(all_);
            cost_ = Cost{}; // of all distances, by whatever way they were compared
            cost_.exact_evals = static_cast<std::uint64_t>(n_);
            cost_.exact_ops = ops_of_all();
        } else {
            for (const std::int32_t point : all_)
                compute(point);
        }
        return found();
    }

    Medoid race() {
        references_ = shuffled(kOfReferences);
        if (has_pairs()) {
            CoordinatePairs pairs(data_, settings_.weights.get(), seed_of(kOfPairs));
            make_arms(leader_by_pairs(pairs));
            draw_pairs(pairs);
        } else {
            start_by_references();
        }
        const std::int64_t most = n_ / 10;
        while (!arms_.empty() && read_ < most && !is_futile(most)) {
            compute_challenger();
            if (arms_.empty())
                break;
            read_references(std::min(references_of_round(), most - read_));
            drop();
        }
        compute_rest();
        return found();
    }

    // Everything but the time and the method.
    void fill(bmo_stats &stats) const {
        stats = stats_without_samples(settings_, cost_);
        stats.guarantee = cost_.complete ? BMO_GUARANTEE_EXACT : BMO_GUARANTEE_PROVEN;
        stats.threads = rows_.threads();
        stats.queries = 1;
        stats.seed = seed_;
        stats.arms = static_cast<std::uint64_t>(n_);
        stats.coord_ops_brute = ops_of_all();
    }

private:
    // Distances and their sums are within this of their values, relatively.
    double rounding() const { return (static_cast<double>(d_) + 64) * 0x1p-52; }
    double excess() const { return leader_sum_ - best_sum_.high; }
    double target(const ReferenceArm &arm) const {
        const double whole = static_cast<double>(n_) * arm.reach;
        return whole - excess() + rounding() * (whole + leader_sum_ + unit());
    }
    // Of what distances are differences: what they may be off by beyond what is relative to themselves.
    double unit() const { return reach_ == Reach::angles ? static_cast<double>(n_) : 0; }

    std::uint64_t ops_of_all() const {
        return static_cast<std::uint64_t>(rows_.ops_of_scan() * static_cast<double>(n_));
    }

    // Those of the points that may be the medoid, by bounds of all their distances, are computed. A distance as it is computed is
    // within its bounds. So the least upper bound of a sum is above the least sum, which is above its own lower bound.
    void compute_leading(const Points &points) {
        if (points.empty())
            return;
        SumBounds sums;
        bound_sums(points, sums);
        const double rounded = 1 + static_cast<double>(n_ + 2) * 0x1p-51; // of sums of n numbers
        double least = *std::min_element(sums.upper.begin(), sums.upper.end()) * rounded;
        if (best_ >= 0)
            least = std::min(least, best_sum_.high * rounded);
        for (std::size_t i = 0; i < points.size(); ++i)
            if (sums.lower[i] > least * rounded)
                watch_.advance(1);
            else
                compute(points[i]);
    }

    // Of these points, in their order. If most points are asked for, the sums of all take less time, since each pair is compared once.
    void bound_sums(const Points &points, SumBounds &sums) {
        if (2 * points.size() < all_.size()) {
            sums.reset(static_cast<std::int64_t>(points.size()));
            cost_.sampling_ops +=
                rows_.bound(points, watch_, [&](std::int64_t i, std::int64_t, auto of_lower, auto of_upper) {
                    sums.add(i, std::accumulate(of_lower.begin(), of_lower.end(), 0.0),
                             std::accumulate(of_upper.begin(), of_upper.end(), 0.0));
                });
            return;
        }
        SumBounds of_all;
        cost_.sampling_ops += rows_.bound_sums(of_all, watch_);
        for (const std::int32_t point : points) {
            sums.lower.push_back(of_all.lower[static_cast<std::size_t>(point)]);
            sums.upper.push_back(of_all.upper[static_cast<std::size_t>(point)]);
        }
    }

    void compute(std::int32_t point) {
        cost_.exact_ops += rows_.compute({&point, 1}, all_, row_, watch_);
        ++cost_.exact_evals;
        const DoubleDouble sum = sum_of(row_);
        if (!std::isfinite(sum.high))
            fail(BMO_EOVERFLOW, "mean_distance",
                 text("the distances of point ", Position{point}, kCountedFrom0,
                      " add up to more than a double holds; scale the data down"),
                 point);
        if (best_ < 0 || is_less(sum, best_sum_) || (!is_less(best_sum_, sum) && point < best_)) {
            best_ = point;
            best_sum_ = sum;
        }
        watch_.advance(1);
    }

    std::uint64_t seed_of(Stream stream) const { return mix_seed({static_cast<std::uint64_t>(seed_), stream}); }
    Points shuffled(Stream stream) const { return random_order(n_, static_cast<std::int64_t>(seed_of(stream))); }

    // Where distances are sums of |x - a|.
    bool has_pairs() const {
        const bool l1 = Metric::from(settings_.metric, settings_.p).rho() == Rho::absolute;
        return l1 && data_.kind == Kind::dense && d_ >= kLeastCoordinates;
    }
    double test_level() const { return has_pairs() ? settings_.delta / 2 : settings_.delta; } // of each kind of samples

    // The leader is computed, and all other points are arms, but for those that are next to it: they are computed too.
    void make_arms(std::int32_t leader) {
        leader_ = leader;
        compute(leader);
        leader_row_ = row_;
        leader_sum_ = best_sum_.high;
        const double largest = *std::max_element(row_.begin(), row_.end());
        const double nearly_none = least_reach(reach_, largest);
        for (const std::int32_t point : all_) {
            const double distance = leader_row_[static_cast<std::size_t>(point)];
            if (point == leader)
                continue;
            if (distance <= nearly_none) {
                compute(point);
                continue;
            }
            ReferenceArm arm;
            arm.point = point;
            arm.reach = reach_of(reach_, distance, largest) * (1 + rounding());
            arms_.push_back(arm);
        }
        for (double &leads : leader_row_) // nor do such distances make a sample larger
            leads = std::max(leads, std::min(nearly_none, largest));
    }

    // The leader is the nearest to the first references.
    void start_by_references() {
        const std::vector<double> first = distances_to(kFirstReferences, all_);
        std::vector<double> sums(all_.size());
        for (std::size_t i = 0; i < first.size(); ++i)
            sums[i % sums.size()] += first[i];
        make_arms(static_cast<std::int32_t>(std::min_element(sums.begin(), sums.end()) - sums.begin()));
        for (ReferenceArm &arm : arms_)
            for (std::size_t i = 0; i < static_cast<std::size_t>(kFirstReferences); ++i)
                arm.add(sample(arm, references_[i], first[i * sums.size() + static_cast<std::size_t>(arm.point)]));
        read_ = kFirstReferences;
        drop();
    }

    // Of the points that are nearest by pairs, the nearest to references that serve nothing else.
    std::int32_t leader_by_pairs(CoordinatePairs &pairs) {
        std::vector<double> sums(all_.size());
        for (int draw = 0; draw < kFirstDraws; ++draw) {
            pairs.draw();
            for_blocks(all_.size(), [&](std::size_t first, std::size_t count) {
                std::vector<double> z;
                pairs.distances(std::span(all_).subspan(first, count), z);
                for (std::size_t i = 0; i < z.size(); ++i)
                    sums[first + i / kBatch] += z[i];
            });
            cost_.sampling_ops += all_.size() * kBatch;
        }
        Points points = all_;
        const std::size_t contenders = std::min(kContenders, points.size());
        std::partial_sort(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(contenders), points.end(),
                          [&](std::int32_t a, std::int32_t b) {
                              const double of_a = sums[static_cast<std::size_t>(a)],
                                           of_b = sums[static_cast<std::size_t>(b)];
                              return of_a < of_b || (of_a == of_b && a < b);
                          });
        points.resize(contenders);
        Points references = shuffled(kOfContenders);
        references.resize(static_cast<std::size_t>(std::min(n_, kContenderReferences)));
        std::vector<double> distances, totals(contenders);
        cost_.sampling_ops += rows_.compute(references, points, distances, watch_);
        for (std::size_t i = 0; i < distances.size(); ++i)
            totals[i % contenders] += distances[i];
        return points[static_cast<std::size_t>(std::min_element(totals.begin(), totals.end()) - totals.begin())];
    }

    // As many as are worth a quarter of a distance.
    void draw_pairs(CoordinatePairs &pairs) {
        const double population = static_cast<double>(n_) * static_cast<double>(d_);
        for (std::int64_t drawn = kBatch; !arms_.empty() && 8 * drawn <= d_; drawn += kBatch) {
            pairs.draw();
            Points points = points_of_arms();
            for_blocks(points.size(), [&](std::size_t first, std::size_t count) {
                std::vector<double> z;
                pairs.excesses(leader_, std::span(points).subspan(first, count), z);
                for (std::size_t i = 0; i < z.size(); ++i) {
                    ReferenceArm &arm = arms_[first + i / kBatch];
                    const double mean = target(arm) / population * (1 + 0x1p-50);
                    if (mean > std::numeric_limits<double>::min())
                        arm.pairs.bet(kPairStakes, z[i] / mean);
                }
            });
            cost_.sampling_ops += 2 * points.size() * kBatch;
            ++cost_.rounds;
            const std::size_t before = arms_.size();
            drop_where([&](const ReferenceArm &arm) { return arm.pairs.rejects(kPairStakes, test_level(), drawn); });
            cost_.complete = cost_.complete && arms_.size() == before;
        }
    }

    Points points_of_arms() const {
        Points points;
        for (const ReferenceArm &arm : arms_)
            points.push_back(arm.point);
        return points;
    }

    // work(first, count) for all of [0, size), in parallel.
    template <class Work>
    void for_blocks(std::size_t size, const Work &work) {
        constexpr std::size_t kBlock = 1024;
        parallel_for(rows_.threads(), static_cast<std::int64_t>((size + kBlock - 1) / kBlock), watch_,
                     [&](std::int64_t block, int) {
                         watch_.poll();
                         const std::size_t first = static_cast<std::size_t>(block) * kBlock;
                         work(first, std::min(kBlock, size - first));
                     });
    }

    // z of a reference: never too large.
    double sample(const ReferenceArm &arm, std::int32_t reference, double distance) const {
        const double leads = leader_row_[static_cast<std::size_t>(reference)];
        const double error = rounding() * (distance + leads + arm.reach + unit() / static_cast<double>(n_));
        return std::max(0.0, distance - leads + arm.reach - error);
    }

    // Bounds are of all points, so that they pay while most of them are arms.
    bool takes_bounds() { return 2 * arms_.size() >= all_.size() && rows_.has_bounds(kFirstReferences); }

    // With bounds a round takes all points to pieces, which takes as long as to compare them with a few references.
    std::int64_t references_of_round() {
        const bool bounds = takes_bounds();
        const std::int64_t kept = bounds ? 2 * n_ : static_cast<std::int64_t>(arms_.size());
        const std::int64_t room = kMostDistances / kept; // for bounds of all points, and those of the arms
        return std::clamp<std::int64_t>(std::max<std::int64_t>(bounds ? kLeastBets : 4, read_ / 8), 1,
                                        std::max<std::int64_t>(1, room));
    }

    // Most points are arms still, and at the pace of their bets so far most would be left at the end: to bound all distances takes
    // less time then than to go on.
    bool is_futile(std::int64_t most) {
        const std::int64_t bets = read_ - kFirstReferences;
        if (bets < kLeastBets || !takes_bounds())
            return false;
        const double pace = static_cast<double>(most - kFirstReferences) / static_cast<double>(bets);
        const auto on_course = std::ranges::count_if(arms_, [&](const ReferenceArm &arm) {
            return arm.references.growth(kReferenceStakes) * pace > -std::log(test_level());
        });
        return 2 * on_course < static_cast<std::int64_t>(arms_.size());
    }

    // No distance is too large.
    std::vector<double> distances_to(std::int64_t references, std::span<const std::int32_t> points) {
        const auto from =
            std::span(references_).subspan(static_cast<std::size_t>(read_), static_cast<std::size_t>(references));
        std::vector<double> distances;
        ++cost_.rounds;
        if (2 * points.size() < all_.size() || !rows_.has_bounds(from.size())) {
            cost_.sampling_ops += rows_.compute(from, points, distances, watch_);
            return distances;
        }
        std::vector<double> of_all(from.size() * all_.size());
        cost_.sampling_ops += rows_.bound(from, watch_, [&](std::int64_t i, std::int64_t first, auto lower, auto) {
            std::ranges::copy(lower, of_all.begin() + i * n_ + first);
        });
        for (std::size_t i = 0; i < from.size(); ++i)
            for (const std::int32_t point : points)
                distances.push_back(of_all[i * all_.size() + static_cast<std::size_t>(point)]);
        return distances;
    }

    void read_references(std::int64_t references) {
        const Points points = points_of_arms();
        const std::vector<double> distances = distances_to(references, points);
        for (std::int64_t r = 0; r < references; ++r, ++read_) {
            watch_.poll();
            for (std::size_t i = 0; i < arms_.size(); ++i) {
                const std::int32_t reference = references_[static_cast<std::size_t>(read_)];
                const double distance = distances[static_cast<std::size_t>(r) * points.size() + i];
                arms_[i].bet(sample(arms_[i], reference, distance), target(arms_[i]), static_cast<double>(n_ - read_));
            }
        }
    }

    // For certain, or by the test.
    bool is_dropped(const ReferenceArm &arm) {
        if (arm.is_beyond(target(arm)))
            return true;
        const bool rejected = arm.references.rejects(kReferenceStakes, test_level(), read_);
        cost_.complete = cost_.complete && !rejected;
        return rejected;
    }

    template <class Test>
    void drop_where(const Test &test) {
        watch_.advance(static_cast<std::int64_t>(std::erase_if(arms_, test)));
    }
    void drop() {
        drop_where([&](const ReferenceArm &arm) { return is_dropped(arm); });
    }

    // How much less than the leader's the distances of an arm seem to add up to.
    double lead(const ReferenceArm &arm) const {
        return read_ == 0 ? 0 : static_cast<double>(n_) * (arm.reach - arm.sum / static_cast<double>(read_));
    }

    // The arm that seems to be the best is computed where it seems to be better than what was computed: that lowers the
    // threshold for all.
    void compute_challenger() {
        const auto challenger = std::max_element(
            arms_.begin(), arms_.end(), [&](const auto &one, const auto &other) { return lead(one) < lead(other); });
        if (lead(*challenger) <= excess())
            return;
        compute(challenger->point);
        arms_.erase(challenger);
    }

    void compute_rest() {
        std::stable_sort(arms_.begin(), arms_.end(),
                         [&](const auto &one, const auto &other) { return lead(one) > lead(other); });
        if (rows_.has_bounds(arms_.size())) {
            drop();
            return compute_leading(points_of_arms());
        }
        for (const ReferenceArm &arm : arms_)
            if (is_dropped(arm))
                watch_.advance(1);
            else
                compute(arm.point);
    }

    Medoid found() const { return {best_, n_ > 1 ? best_sum_.high / static_cast<double>(n_ - 1) : 0}; }

    const Dataset &data_;
    const Settings &settings_;
    Reach reach_;
    std::int64_t n_, d_, seed_;
    DistanceRows rows_;
    Watch &watch_;
    Points all_, references_;
    std::vector<double> row_, leader_row_; // distances of what was computed last, and of the leader
    std::int32_t leader_ = -1;
    double leader_sum_ = 0;
    DoubleDouble best_sum_;
    std::int32_t best_ = -1;
    std::vector<ReferenceArm> arms_; // ascending by point, but in compute_rest()
    std::int64_t read_ = 0;          // references
    Cost cost_;
};

const char *why_exact(const Settings &settings, std::int64_t n) {
    if (settings.method == BMO_METHOD_EXACT)
        return "";
    if (!has_reach(settings))
        return "exact: this metric does not tell how far from each other the distances of two points can be";
    return n < kLeastPoints ? "exact: with fewer than 64 points there is nothing to sample" : nullptr;
}

} // namespace

Medoid find_medoid(const KnnSearch &given, std::int64_t seed, Watch &watch, bmo_stats &stats) {
    const Stopwatch stopwatch;
    const std::unique_ptr<KnnSearch> in_rows = given.in_rows(watch);
    const KnnSearch &search = in_rows ? *in_rows : given;
    const Settings &settings = search.settings();
    if (settings.method == BMO_METHOD_UNIFORM)
        fail(BMO_EINVAL, "method", "method is uniform; expected auto, bandit or exact: a medoid is no estimate");
    if (settings.method == BMO_METHOD_BANDIT && !has_reach(settings))
        fail(
            BMO_EINVAL, "method",
            text(
                "method is bandit, but of this metric the distances of one point tell nothing of another's: set method "
                "to exact or auto, or metric to ",
                metrics_with_reach()));
    const char *exact = why_exact(settings, search.data().n());
    watch.begin(BMO_PHASE_SEARCH, search.data().n());
    MedoidSearch medoid(search, seed, watch);
    const Medoid found = exact ? medoid.scan() : medoid.race();
    watch.finish();
    medoid.fill(stats);
    stats.method = exact ? BMO_METHOD_EXACT : BMO_METHOD_BANDIT;
    stats.confidence =
        exact ? BMO_CONFIDENCE_AUTO : BMO_CONFIDENCE_BETTING; // of references: no coordinates are sampled
    stats.reason = exact                                ? exact
                   : settings.method == BMO_METHOD_AUTO ? "bandit: distances to a few points tell most"
                                                        : "";
    stats.wall_ns = stopwatch.ns();
    return found;
}

} // namespace bmo
