#include "clusters.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>
#include <set>

#include "journal.hpp"
#include "rules.hpp"

namespace {

constexpr std::int64_t kMostPoints = 130; // of a medoid: all pairs are computed here
constexpr Wide kUlp = 0x1p-52L;

std::string where_of(const World &world, const Settings &settings, const Target &target) {
    const Points &points = world.made().points;
    return text_of(settings) + (target.form.box != 0 ? " prepared" : "") + ", " + std::to_string(points.n) + " x " +
           std::to_string(points.d) + " " + name_of(world.made().shape) + " of type " + std::to_string(points.dtype);
}

Wide largest_of(const Points &points) {
    Wide largest = 0;
    for (const double value : points.at)
        largest = std::max(largest, fabsl(value));
    return largest;
}

std::int64_t distinct_rows(const Points &points) {
    std::set<std::vector<double>> rows;
    for (std::int64_t i = 0; i < points.n; ++i) {
        std::vector<double> row(points.row(i).begin(), points.row(i).end());
        for (double &value : row)
            value += 0.0; // -0.0 is 0
        rows.insert(std::move(row));
    }
    return static_cast<std::int64_t>(rows.size());
}

// A run of k-means, and what it gave.
class Clustering {
public:
    Clustering(const World &world, const Target &target, const Settings &settings, Random &random)
        : points_(world.made().points), where_(where_of(world, settings, target)), run_(sized<bmo_kmeans>()) {
        run_.k = random.between(std::int64_t{1}, random.chance(0.5) ? std::min<std::int64_t>(points_.n, 5) : points_.n);
        run_.init = static_cast<std::int32_t>(random.below(3));
        run_.n_init = run_.init == BMO_INIT_GIVEN ? 0 : random.pick({0, 0, 2});
        run_.max_iter = random.chance(0.3) ? random.between(std::int64_t{1}, std::int64_t{5}) : 0;
        centers_.resize(static_cast<std::size_t>(run_.k * points_.d));
        labels_.assign(static_cast<std::size_t>(points_.n), -7);
        for (double &value : centers_) // points, and between points
            value = points_.at[static_cast<std::size_t>(random.below(points_.n * points_.d))];
        run_.centers = centers_.data();
        run_.centers_capacity = run_.k * points_.d;
        run_.labels = labels_.data();
        run_.inertia = &inertia_;
        run_.iterations = &iterations_;
        where_ += ", k " + std::to_string(run_.k) + " init " + std::to_string(run_.init);
    }

    void check(const bmo_query *query) {
        const bmo_status status = bmo_query_kmeans(query, &run_, nullptr, nullptr);
        if (status != BMO_OK)
            return check_failure(status);
        for (const std::int32_t label : labels_)
            if (label < 0 || label >= run_.k)
                return find("no label", std::to_string(label));
        check_labels();
        check_labels_by_search();
        check_inertia();
        check_end();
    }

private:
    void find(const char *kind, const std::string &what) const {
        Journal::shared().find(std::string("kmeans, ") + kind, what + "; " + where_);
    }

    std::span<const double> center(std::int64_t c) const {
        return {centers_.data() + c * points_.d, static_cast<std::size_t>(points_.d)};
    }

    Distance distance(std::int64_t i, std::int64_t c) const { return distance_between({}, points_.row(i), center(c)); }

    void check_failure(bmo_status status) const {
        const Wide largest = largest_of(points_), count = static_cast<Wide>(points_.n * points_.d);
        if (status != BMO_EOVERFLOW || 4 * largest * largest * count < DBL_MAX / 4)
            find("fails", bmo_last_error());
    }

    void check_labels() const {
        for (std::int64_t i = 0; i < points_.n; ++i) {
            const std::int64_t label = labels_[static_cast<std::size_t>(i)];
            const Distance own = distance(i, label);
            for (std::int64_t c = 0; c < run_.k; ++c) {
                const Distance other = distance(i, c);
                if (own.value - other.value > own.noise + other.noise)
                    return find("label", "point " + std::to_string(i) + " has center " + std::to_string(label) +
                                             " at " + std::to_string(static_cast<double>(own.value)) + ", center " +
                                             std::to_string(c) + " is at " +
                                             std::to_string(static_cast<double>(other.value)));
            }
        }
    }

    // The labels are those that a search of the centers gives.
    void check_labels_by_search() const {
        Points centers{.dtype = BMO_F64, .n = run_.k, .d = points_.d, .at = centers_};
        bmo_dense dense = sized<bmo_dense>(), asked = sized<bmo_dense>();
        dense.dtype = asked.dtype = BMO_F64;
        dense.data = centers_.data();
        dense.n = run_.k;
        asked.data = points_.at.data();
        asked.n = points_.n;
        dense.d = asked.d = points_.d;
        bmo_dataset *dataset = nullptr;
        bmo_query *query = nullptr;
        std::vector<std::int64_t> nearest(labels_.size());
        bmo_output out = sized<bmo_output>();
        out.index = nearest.data();
        out.capacity = points_.n;
        Settings exact;
        exact.method = BMO_METHOD_EXACT;
        const bool done = bmo_dataset_dense(&dataset, &dense, BMO_BORROW, nullptr, nullptr) == BMO_OK &&
                          bmo_query_create(&query, dataset, make_config(exact).get(), nullptr) == BMO_OK &&
                          bmo_query_knn_dense(query, &asked, 1, &out, nullptr, nullptr) == BMO_OK;
        for (std::size_t i = 0; done && i < labels_.size(); ++i)
            if (nearest[i] != labels_[i]) {
                find("label is not the search's", "point " + std::to_string(i) + " has center " +
                                                      std::to_string(labels_[i]) + ", the search finds " +
                                                      std::to_string(nearest[i]));
                break;
            }
        bmo_query_free(query);
        bmo_dataset_free(dataset);
    }

    void check_inertia() const {
        Wide sum = 0;
        for (std::int64_t i = 0; i < points_.n; ++i) {
            const Wide apart = distance(i, labels_[static_cast<std::size_t>(i)]).value;
            sum += apart * apart;
        }
        const Wide noise = sum * kUlp * static_cast<Wide>(points_.n + points_.d + 20) +
                           static_cast<Wide>(points_.n * points_.d) * 0x1p-1074L;
        if (!(fabsl(inertia_ - sum) <= noise))
            find("inertia", std::to_string(inertia_) + ", truly " + std::to_string(static_cast<double>(sum)));
    }

    void check_end() const {
        const std::int64_t most = run_.max_iter == 0 ? 100 : run_.max_iter;
        const std::int64_t distinct = distinct_rows(points_);
        if (iterations_ < 0 || iterations_ > most)
            return find("iterations", std::to_string(iterations_));
        if (distinct <= run_.k && run_.max_iter == 0 && (iterations_ > distinct + 3 || inertia_ != 0))
            return find("does not end at distinct rows", std::to_string(distinct) + " distinct rows, " +
                                                             std::to_string(iterations_) + " moves, inertia " +
                                                             std::to_string(inertia_));
        if (iterations_ < most && !has_near_tie())
            check_means();
    }

    // A point that is as near to another center, but for how centers are rounded: such points alone go round in a circle, which
    // ends a run. Then a center is the mean of points that were its own before.
    bool has_near_tie() const {
        const Wide rounded =
            2 * sqrtl(static_cast<Wide>(points_.d)) * largest_of(points_) * kUlp * static_cast<Wide>(points_.n + 2);
        for (std::int64_t i = 0; i < points_.n; ++i) {
            const std::int64_t label = labels_[static_cast<std::size_t>(i)];
            const Distance own = distance(i, label);
            for (std::int64_t c = 0; c < run_.k; ++c) {
                const Distance other = distance(i, c);
                if (c != label && fabsl(own.value - other.value) <= own.noise + other.noise + rounded)
                    return true;
            }
        }
        return false;
    }

    void check_means() const {
        const auto d = static_cast<std::size_t>(points_.d);
        for (std::int64_t c = 0; c < run_.k; ++c) {
            std::vector<Wide> sum(d), size(d);
            Wide members = 0;
            for (std::int64_t i = 0; i < points_.n; ++i)
                if (labels_[static_cast<std::size_t>(i)] == c) {
                    ++members;
                    for (std::size_t j = 0; j < d; ++j) {
                        sum[j] += points_.row(i)[j];
                        size[j] += fabsl(points_.row(i)[j]);
                    }
                }
            for (std::size_t j = 0; members > 0 && j < d; ++j)
                if (fabsl(center(c)[j] * members - sum[j]) > size[j] * kUlp * (members + 2) + members * 0x1p-1074L)
                    return find("center is not the mean", "center " + std::to_string(c));
        }
    }

    const Points &points_;
    std::string where_;
    bmo_kmeans run_;
    std::vector<double> centers_;
    std::vector<std::int32_t> labels_;
    double inertia_ = -1;
    std::int64_t iterations_ = -1;
};

struct Mean {
    Wide value, noise;
};

Mean mean_of(const Ranking &ranking) {
    if (ranking.order.empty())
        return {0, 0};
    Mean mean{0, 0};
    Wide size = 0;
    for (const std::int64_t i : ranking.order) {
        const Distance &distance = ranking.distances[static_cast<std::size_t>(i)];
        mean.value += distance.value;
        mean.noise += distance.noise;
        size += fabsl(distance.value);
    }
    const auto count = static_cast<Wide>(ranking.order.size());
    return {mean.value / count, (mean.noise + size * kUlp * count) / count + 2 * 0x1p-1074L};
}

void check_found_medoid(const World &world, Scene &scene, const Settings &settings, const bmo_medoid &found,
                        const bmo_stats &stats, const std::string &where) {
    Journal &journal = Journal::shared();
    const std::int64_t n = world.made().points.n;
    if (found.index < 0 || found.index >= n)
        return journal.find("medoid, no point", where);
    std::vector<Mean> means;
    Questions all{.entry = Entry::rows,
                  .ids = std::vector<std::int64_t>(static_cast<std::size_t>(n)),
                  .k = 1,
                  .max_distance = {}};
    std::iota(all.ids.begin(), all.ids.end(), 0);
    for (std::size_t i = 0; i < all.ids.size(); ++i)
        means.push_back(mean_of(scene.ranking(all, i)));
    const Mean &own = means[static_cast<std::size_t>(found.index)];
    const Mean &best = *std::ranges::min_element(means, {}, &Mean::value);
    if (!(fabsl(found.mean_distance - own.value) <= own.noise))
        journal.find("medoid, mean distance", std::to_string(found.mean_distance) + ", truly " +
                                                  std::to_string(static_cast<double>(own.value)) + "; " + where);
    const bool is_wrong = own.value - best.value > own.noise + best.noise;
    if (stats.guarantee == BMO_GUARANTEE_PROVEN)
        journal.count_trial(kMedoidRule, world.made().shape, settings.delta, is_wrong);
    else if (stats.guarantee != BMO_GUARANTEE_EXACT)
        journal.find("medoid, label", std::to_string(stats.guarantee) + "; " + where);
    else if (is_wrong)
        journal.find("medoid, exact is wrong", "point " + std::to_string(found.index) + "; " + where);
}

bool may_overflow(const World &world, Scene &scene) {
    for (std::int64_t i = 0; i < world.made().points.n; ++i) {
        const Questions one{.entry = Entry::rows, .ids = {i}, .k = 1, .max_distance = {}};
        for (const Distance &distance : scene.ranking(one, 0).distances)
            if (fabsl(distance.value) * static_cast<Wide>(world.made().points.n) > DBL_MAX * 0.99L)
                return true;
    }
    return false;
}

} // namespace

void check_kmeans(const World &world, const Target &target, Random &random) {
    Settings settings;
    settings.metric.id = random.pick<std::int32_t>({BMO_METRIC_L2, BMO_METRIC_SQEUCLIDEAN});
    settings.method = random.pick<std::int32_t>({BMO_METHOD_AUTO, BMO_METHOD_AUTO, BMO_METHOD_EXACT});
    settings.seed = target.form.box != 0 ? target.form.seed : static_cast<std::int64_t>(random.next() >> 1);
    settings.threads = random.chance(0.1) ? 3 : 1;
    if (!promised(settings, target.form))
        return;
    bmo_query *query = nullptr;
    if (bmo_query_create(&query, target.dataset.get(), make_config(settings).get(), nullptr) != BMO_OK)
        return Journal::shared().find("kmeans, refused", bmo_last_error());
    const QueryHandle handle(query);
    ++Journal::shared().clusterings;
    Clustering(world, target, settings, random).check(query);
}

void check_medoid(const World &world, Scene &scene, const Target &target, Random &random) {
    if (world.made().points.n > kMostPoints || (scene.metric().is_angular() && random.chance(0.8)))
        return;
    Settings settings;
    settings.metric = scene.metric();
    settings.method = random.pick<std::int32_t>({BMO_METHOD_AUTO, BMO_METHOD_AUTO, BMO_METHOD_EXACT});
    settings.delta = kDeltas[static_cast<std::size_t>(random.below(kDeltas.size()))];
    settings.seed = target.form.box != 0 ? target.form.seed : static_cast<std::int64_t>(random.next() >> 1);
    settings.threads = random.chance(0.1) ? 3 : 1;
    if (!promised(settings, target.form))
        return;
    const std::string where = where_of(world, settings, target);
    bmo_query *query = nullptr;
    if (bmo_query_create(&query, target.dataset.get(), make_config(settings).get(), nullptr) != BMO_OK)
        return Journal::shared().find("medoid, refused", bmo_last_error());
    const QueryHandle handle(query);
    ++Journal::shared().medoids;
    bmo_medoid found = sized<bmo_medoid>();
    bmo_stats stats = sized<bmo_stats>();
    const bmo_status status = bmo_query_medoid(query, &found, nullptr, &stats);
    if (status == BMO_OK)
        check_found_medoid(world, scene, settings, found, stats, where);
    else if (status != BMO_EOVERFLOW || !may_overflow(world, scene))
        Journal::shared().find("medoid, fails", std::string(bmo_last_error()) + "; " + where);
}
