#include "search/clusters/kmeans.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "search/choice/plan.hpp"
#include "search/clusters/assignment.hpp"
#include "search/stats.hpp"
#include "util/failure.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

double uniform(Xoshiro256pp &random) {
    return static_cast<double>(random.next() >> 11) * 0x1p-53;
}

// The first point at which the running sum of the weights, all finite, is above a uniform share of the whole.
std::int64_t draw(std::span<const double> weights, Xoshiro256pp &random) {
    const double largest = *std::max_element(weights.begin(), weights.end());
    const auto n = static_cast<std::uint64_t>(weights.size());
    if (!(largest > 0))
        return static_cast<std::int64_t>(random.below(n));
    double whole = 0;
    for (const double weight : weights)
        whole += weight / largest;
    double left = uniform(random) * whole;
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (weights[i] == 0)
            continue;
        last = i;
        left -= weights[i] / largest;
        if (left < 0)
            break;
    }
    return static_cast<std::int64_t>(last);
}

bool same_point(const DenseView &points, std::int64_t row, std::int64_t other) {
    return visit_stored(points.dtype, [&]<class T>(const T *) {
        const T *a = points.point<T>(row), *b = points.point<T>(other);
        std::int64_t j = 0;
        while (j < points.d && a[j * points.coord_stride] == b[j * points.coord_stride])
            ++j;
        return j == points.d;
    });
}

bool same_point(const SparseView &points, std::int64_t row, std::int64_t other) {
    const std::int64_t a = points.first(row), b = points.first(other), entries = points.entries(row);
    if (points.entries(other) != entries ||
        !std::equal(points.indices + a, points.indices + a + entries, points.indices + b))
        return false;
    return visit_values(points, [&]<class T>(const T *) {
        const T *values = points.typed_values<T>();
        return std::equal(values + a, values + a + entries, values + b);
    });
}

// Whether two points have the same coordinates.
bool same_point(const PointsView &points, std::int64_t row, std::int64_t other) {
    return points.kind == Kind::dense ? same_point(points.dense, row, other) : same_point(points.sparse, row, other);
}

// One start: centers, and Lloyd's steps from them.
class Lloyd {
public:
    Lloyd(const Dataset &points, const KmeansRule &rule, int threads, Centers &centers, Assignment &assignment,
          Watch &watch)
        : points_(points), rule_(rule), threads_(threads), centers_(centers), assignment_(assignment), watch_(watch),
          members_(static_cast<std::size_t>(rule.k)), former_(members_),
          labels_(static_cast<std::size_t>(points.n()), -1), squares_(labels_.size()) {}

    Clusters run(Xoshiro256pp &random) {
        place_centers(random);
        assignment_.placed(false);
        Clusters clusters;
        bool settled = false;
        while (assignment_.assign(labels_, watch_) > 0 && !settled && clusters.iterations < rule_.max_iter) {
            const double farthest_move = update();
            ++clusters.iterations;
            settled = (farthest_move <= rule_.tol && rule_.tol > 0) || repeats(clusters.iterations);
        }
        assigned_ += clusters.iterations + 1;
        assignment_.distances(labels_, squares_, watch_);
        clusters.inertia = std::accumulate(squares_.begin(), squares_.end(), 0.0);
        if (!std::isfinite(clusters.inertia))
            fail(BMO_EOVERFLOW, "run.inertia", "the inertia is beyond the range of double; scale the data down");
        clusters.centers.assign(centers_.values().begin(), centers_.values().end());
        clusters.labels = std::move(labels_);
        return clusters;
    }

    std::int64_t assigned() const { return assigned_; } // times that every point was

private:
    // Whether the centers came before: they are the means by the labels, so the labels of the last move tell. In exact
    // arithmetic none comes twice: each move lowers the inertia, or ties go to lower centers. Then rounding alone moves points,
    // in a circle. The labels of the moves 1, 2, 4, ... are kept (Brent, 1980).
    bool repeats(std::int64_t moves) {
        if (labels_ == kept_labels_)
            return true;
        if (std::has_single_bit(static_cast<std::uint64_t>(moves)))
            kept_labels_ = labels_;
        return false;
    }

    void place_centers(Xoshiro256pp &random) {
        if (rule_.init == BMO_INIT_GIVEN)
            std::copy(rule_.given.begin(), rule_.given.end(), centers_.values().begin());
        else if (rule_.init == BMO_INIT_RANDOM)
            place_at_random(random);
        else
            place_apart(random);
    }

    void place_at_random(Xoshiro256pp &random) {
        std::vector<std::int64_t> rows(static_cast<std::size_t>(points_.n()));
        std::iota(rows.begin(), rows.end(), 0);
        for (std::size_t c = 0; c < static_cast<std::size_t>(rule_.k); ++c) {
            std::swap(rows[c], rows[c + static_cast<std::size_t>(random.below(rows.size() - c))]);
            place_at(static_cast<std::int64_t>(c), rows[c]);
        }
    }

    // k-means++ (Arthur and Vassilvitskii, 2007): each next center is a point, with probability proportional to its
    // squared distance to the nearest center so far.
    void place_apart(Xoshiro256pp &random) {
        place_at(0, static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(points_.n()))));
        std::fill(squares_.begin(), squares_.end(), std::numeric_limits<double>::infinity());
        for (std::int64_t c = 1; c < rule_.k; ++c) {
            centers_.changed();
            assignment_.lower_to(c - 1, squares_, watch_);
            check_squares();
            place_at(c, draw(squares_, random));
        }
        ++assigned_;
    }

    void check_squares() const {
        if (!std::all_of(squares_.begin(), squares_.end(), [](double square) { return std::isfinite(square); }))
            fail(BMO_EOVERFLOW, "data", "a squared distance is beyond the range of double; scale the data down");
    }

    void place_at(std::int64_t center, std::int64_t point) {
        load_point(points_.points(), point, centers_.row(center).data());
    }

    // Each center to the mean of its points. Returns how far the one went that went farthest.
    double update() {
        former_.swap(members_);
        for (auto &members : members_)
            members.clear();
        for (std::size_t i = 0; i < labels_.size(); ++i)
            members_[static_cast<std::size_t>(labels_[i])].push_back(static_cast<std::int32_t>(i));
        if (std::any_of(members_.begin(), members_.end(), [](const auto &members) { return members.empty(); }))
            relocate();
        std::vector<double> moves(members_.size());
        parallel_for(threads_, rule_.k, watch_,
                     [&](std::int64_t c, int) { moves[static_cast<std::size_t>(c)] = move_to_mean(c); });
        assignment_.placed(true);
        return *std::max_element(moves.begin(), moves.end());
    }

    // An empty cluster gets the point that is farthest from its own center, and shares it with others; if all points
    // that can be spared are at their centers, it stays empty.
    void relocate() {
        assignment_.distances(labels_, squares_, watch_);
        for (std::size_t c = 0; c < members_.size(); ++c) {
            if (!members_[c].empty())
                continue;
            const std::int64_t point = farthest_to_spare();
            if (point < 0)
                return;
            std::int32_t &label = labels_[static_cast<std::size_t>(point)];
            std::erase(members_[static_cast<std::size_t>(label)], static_cast<std::int32_t>(point));
            members_[c].push_back(static_cast<std::int32_t>(point));
            label = static_cast<std::int32_t>(c);
            squares_[static_cast<std::size_t>(point)] = 0;
        }
    }

    std::int64_t farthest_to_spare() const {
        std::int64_t farthest = -1;
        double most = 0;
        for (std::size_t i = 0; i < squares_.size(); ++i)
            if (squares_[i] > most && members_[static_cast<std::size_t>(labels_[i])].size() > 1) {
                most = squares_[i];
                farthest = static_cast<std::int64_t>(i);
            }
        return farthest;
    }

    double move_to_mean(std::int64_t center) {
        const std::vector<std::int32_t> &members = members_[static_cast<std::size_t>(center)];
        if (members.empty() || members == former_[static_cast<std::size_t>(center)])
            return 0;
        const std::vector<double> mean = mean_of(members);
        const std::span<double> row = centers_.row(center);
        double square = 0;
        for (std::size_t j = 0; j < mean.size(); ++j) {
            const double step = mean[j] - row[j];
            square += step * step;
            row[j] = mean[j];
        }
        return std::sqrt(square);
    }

    // That of equal points is the point itself, which their rounded sum may miss.
    std::vector<double> mean_of(const std::vector<std::int32_t> &members) {
        std::vector<double> mean(static_cast<std::size_t>(points_.d()));
        if (are_equal(members)) {
            add_point(members[0], mean);
            return mean;
        }
        for (const std::int32_t point : members) {
            watch_.poll();
            add_point(point, mean);
        }
        for (double &sum : mean)
            sum /= static_cast<double>(members.size());
        return mean;
    }

    bool are_equal(const std::vector<std::int32_t> &members) {
        return std::all_of(members.begin() + 1, members.end(), [&](std::int32_t point) {
            watch_.poll();
            return same_point(points_.points(), members[0], point);
        });
    }

    void add_point(std::int64_t point, std::span<double> sum) const {
        if (points_.kind == Kind::sparse) {
            for_entries(points_.points(), point,
                        [&](std::int64_t j, double value) { sum[static_cast<std::size_t>(j)] += value; });
            return;
        }
        const DenseView &dense = points_.dense;
        visit_stored(dense.dtype, [&]<class T>(const T *) {
            const T *values = dense.point<T>(point);
            for (std::size_t j = 0; j < sum.size(); ++j)
                sum[j] += static_cast<double>(values[static_cast<std::int64_t>(j) * dense.coord_stride]);
        });
    }

    const Dataset &points_;
    const KmeansRule &rule_;
    int threads_;
    Centers &centers_;
    Assignment &assignment_;
    Watch &watch_;
    std::vector<std::vector<std::int32_t>> members_, former_; // of each cluster, now and at the last update
    std::vector<std::int32_t> labels_, kept_labels_;
    std::vector<double> squares_;
    std::int64_t assigned_ = 0;
};

// Fails if k-means does not fit the settings.
Settings settings_for(Settings settings) {
    if (settings.metric != BMO_METRIC_L2 && settings.metric != BMO_METRIC_SQEUCLIDEAN)
        fail(BMO_EINVAL, "metric", "k-means is of squared differences: set metric to l2 or sqeuclidean");
    if (settings.weights)
        fail(BMO_EINVAL, "weights",
             "k-means takes no weights: leave them out, and multiply the values by the root of the weight instead");
    if (settings.method == BMO_METHOD_UNIFORM)
        fail(BMO_EINVAL, "method", "k-means makes no estimates: set method to auto, bandit or exact");
    settings.metric = BMO_METRIC_SQEUCLIDEAN;
    settings.box = BMO_BOX_AUTO;
    settings.bandit = BMO_BANDIT_AUTO;
    settings.confidence = BMO_CONFIDENCE_AUTO;
    settings.sampling = BMO_SAMPLING_AUTO;
    return settings;
}

} // namespace

Clusters kmeans(const Dataset &given, const Settings &settings, const KmeansRule &rule, Watch &watch,
                bmo_stats &stats) {
    const Stopwatch stopwatch;
    const std::shared_ptr<const Dataset> rows = in_rows(given, watch);
    const Dataset &data = rows ? *rows : given;
    watch.begin(BMO_PHASE_SEARCH, data.n());
    const Settings decided = settings_for(settings);
    const bool exact = decided.method == BMO_METHOD_EXACT;
    const int threads = threads_of(decided);
    Centers centers(rule.k, data.d());
    Assignment assignment(data, centers, decided, exact, watch);
    Clusters best;
    std::uint64_t assigned = 0;
    for (std::int64_t start = 0; start < rule.starts; ++start) {
        Xoshiro256pp random(mix_seed({static_cast<std::uint64_t>(rule.seed), static_cast<std::uint64_t>(start), 1}));
        Lloyd lloyd(data, rule, threads, centers, assignment, watch);
        Clusters clusters = lloyd.run(random);
        assigned += static_cast<std::uint64_t>(lloyd.assigned());
        if (start == 0 || clusters.inertia < best.inertia)
            best = std::move(clusters);
    }
    const Cost cost = assignment.cost();
    const auto n = static_cast<std::uint64_t>(data.n()), k = static_cast<std::uint64_t>(rule.k),
               d = static_cast<std::uint64_t>(data.d());
    stats = stats_without_samples(decided, cost);
    stats.guarantee = BMO_GUARANTEE_EXACT;
    stats.delta = 0;
    stats.method = exact ? BMO_METHOD_EXACT : BMO_METHOD_BANDIT;
    stats.box = exact ? BMO_BOX_DENSE : BMO_BOX_PROJECTED;
    stats.threads = threads;
    stats.queries = n * assigned;
    stats.arms = k;
    stats.coord_ops_brute = assigned * n * k * d + static_cast<std::uint64_t>(rule.starts) * n * d;
    stats.seed = rule.seed;
    stats.wall_ns = stopwatch.ns();
    return best;
}

} // namespace bmo
