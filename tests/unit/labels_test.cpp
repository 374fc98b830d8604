// What an answer is called: on every line of the table of combinations, one that is called exact is that of the scan, whose
// distances are added up here in integers. The data are made to deceive samples: distances that sit in one coordinate, ties
// and near-ties; with k of 1, a few, all but one and all, and with an epsilon that lets near answers pass.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "data/sparse_input.hpp"
#include "search/arms/best_arms.hpp"
#include "search/choice/combinations.hpp"
#include "search/knn.hpp"
#include "search/preparation.hpp"
#include "util/xoshiro.hpp"

namespace labels_test {

constexpr std::int64_t kN = 20, kD = 320;
constexpr std::int64_t kSeeds = 2;

using Row = std::vector<std::int64_t>;

enum class Shape { heavy, ties, near_ties, mixed, late };
constexpr Shape kShapes[] = {Shape::heavy, Shape::ties, Shape::near_ties, Shape::mixed, Shape::late};

// A query and points of small integers. sparse: three in ten coordinates are there.
struct Points {
    Row query = Row(kD);
    std::vector<Row> rows;

    Points(Shape shape, bool sparse, std::uint64_t seed) : random_(seed) {
        query = shape == Shape::late ? heavy_and_light() : random_row(sparse);
        for (std::int64_t i = 0; i < kN; ++i)
            rows.push_back(row_of(shape, sparse, i));
    }

private:
    Row row_of(Shape shape, bool sparse, std::int64_t i) {
        switch (shape) {
        case Shape::heavy: return deceiving(i);
        case Shape::ties: return tied(sparse, 0);
        case Shape::near_ties: return tied(sparse, i % 4);
        case Shape::mixed: return mixed(sparse);
        default: return late(i);
        }
    }
    Row random_row(bool sparse) {
        Row row(kD);
        for (std::int64_t &value : row)
            value = sparse && random_.below(10) < 7 ? 0 : 1 + static_cast<std::int64_t>(random_.below(6));
        return row;
    }
    // The first is the query, one or two seem to be it but for a coordinate, and the others are a little off everywhere.
    Row deceiving(std::int64_t i) {
        Row row = query;
        if (i == 1 || i == 5)
            row[random_.below(kD)] += 8000;
        else if (i > 0)
            for (std::int64_t &value : row)
                ++value;
        return row;
    }
    // The same differences in another order, in sparse points the same values, and so much more at one coordinate.
    Row tied(bool sparse, std::int64_t more) {
        Row change(kD);
        for (std::size_t j = 0; j < change.size(); ++j)
            change[j] = j % 10 < 3 ? static_cast<std::int64_t>(1 + j % 4) : 0;
        for (std::size_t j = 0; j + 1 < change.size(); ++j)
            std::swap(change[j], change[j + random_.below(kD - j)]);
        for (std::size_t j = 0; !sparse && j < change.size(); ++j)
            change[j] += query[j];
        change[random_.below(kD)] += more;
        return change;
    }
    Row mixed(bool sparse) {
        Row row = random_row(sparse);
        if (random_.below(3) == 0)
            row[random_.below(kD)] += 500;
        return row;
    }
    // Where the query is heavy, every other point is nearest; in all coordinates, the others are, by less than an epsilon.
    Row late(std::int64_t i) {
        Row row = query;
        if (i % 2 == 0) {
            std::replace(row.begin(), row.end(), std::int64_t{2}, std::int64_t{0});
            *std::find(row.begin() + static_cast<std::ptrdiff_t>(random_.below(kD / 2)), row.end(), 0) = 10;
        } else {
            for (std::size_t j = 1; j < row.size(); j += 8)
                row[j] = 0; // every other light one
            *std::find(row.begin() + static_cast<std::ptrdiff_t>(random_.below(kD / 2)), row.end(), 40) -= 11;
        }
        return row;
    }
    static Row heavy_and_light() {
        Row row(kD);
        for (std::size_t j = 0; j < row.size(); ++j)
            row[j] = j % 20 == 0 ? 40 : j % 4 == 1 ? 2 : 0;
        return row;
    }

    bmo::Xoshiro256pp random_;
};

std::int64_t added_up(const Row &a, const Row &b, int p) {
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
        const std::int64_t size = std::abs(a[j] - b[j]);
        sum += p == 1 ? size : p == 2 ? size * size : size * size * size;
    }
    return sum;
}

constexpr double kP = 3; // of lp

double distance(std::int64_t metric, const Row &a, const Row &b) {
    const auto product = [](const Row &x, const Row &y) {
        return static_cast<double>(std::inner_product(x.begin(), x.end(), y.begin(), std::int64_t{0}));
    };
    switch (metric) {
    case BMO_METRIC_L2: return std::sqrt(static_cast<double>(added_up(a, b, 2)));
    case BMO_METRIC_SQEUCLIDEAN: return static_cast<double>(added_up(a, b, 2));
    case BMO_METRIC_LP: return std::cbrt(static_cast<double>(added_up(a, b, 3)));
    case BMO_METRIC_COSINE: return 1 - product(a, b) / std::sqrt(product(a, a) * product(b, b));
    case BMO_METRIC_INNER_PRODUCT: return -product(a, b);
    default: return static_cast<double>(added_up(a, b, 1));
    }
}

std::int32_t absolute_rho(void *, const std::int64_t *, std::int64_t count, const double *a, const double *b,
                          double *out) {
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = std::abs(a[i] - b[i]);
    return 0;
}

std::shared_ptr<const bmo::Dataset> dense(const std::vector<Row> &rows) {
    std::vector<float> values;
    for (const Row &row : rows)
        values.insert(values.end(), row.begin(), row.end());
    bmo::Watch watch;
    return bmo::make_dense(bmo::row_major(BMO_F32, values.data(), static_cast<std::int64_t>(rows.size()), kD), false,
                           nullptr, watch);
}

// unit: what the values are multiplied by; 0.1 leaves no integers, so that distances come from differences.
std::shared_ptr<const bmo::Dataset> sparse(const std::vector<Row> &rows, double unit) {
    std::vector<std::int64_t> pointers{0};
    std::vector<std::int32_t> indices;
    std::vector<double> values;
    for (const Row &row : rows) {
        for (std::size_t j = 0; j < row.size(); ++j)
            if (row[j] != 0) {
                indices.push_back(static_cast<std::int32_t>(j));
                values.push_back(static_cast<double>(row[j]) * unit);
            }
        pointers.push_back(static_cast<std::int64_t>(indices.size()));
    }
    bmo::Watch watch;
    return bmo::make_sparse({.pointer_dtype = BMO_I64,
                             .index_dtype = BMO_I32,
                             .value_dtype = BMO_F64,
                             .n = static_cast<std::int64_t>(rows.size()),
                             .d = kD,
                             .nnz = static_cast<std::int64_t>(indices.size()),
                             .pointers = pointers.data(),
                             .indices = indices.data(),
                             .values = values.data()},
                            false, nullptr, "data", watch);
}

struct Found {
    std::vector<bmo::Neighbor> neighbors;
    bmo_stats stats{};
};

Found search(const bmo::KnnSearch &knn, const bmo::Dataset &asked, std::int64_t k) {
    Found found;
    bmo::Watch watch;
    knn.run(
        {.points = asked.points(), .count = 1, .max_abs = asked.max_abs}, k,
        [&](std::int64_t, std::span<const bmo::Neighbor> neighbors, const bmo_row_stats &) {
            found.neighbors.assign(neighbors.begin(), neighbors.end());
        },
        watch, found.stats);
    return found;
}

// Ties in any order, up to the rounding of the distances.
bool is_that_of_the_scan(const Found &found, const Points &points, std::int64_t metric) {
    std::vector<double> all;
    for (const Row &row : points.rows)
        all.push_back(distance(metric, points.query, row));
    std::vector<double> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t r = 0; r < found.neighbors.size(); ++r) {
        const double got = all[static_cast<std::size_t>(found.neighbors[r].index)];
        if (std::abs(got - sorted[r]) > 1e-9 * (1 + std::abs(sorted[r])))
            return false;
    }
    return true;
}

struct Tally {
    int searches = 0, exact = 0, wrong = 0;
};

// One line of the table with one value on each axis.
struct Choice {
    bmo::Settings settings;

    bool is_sparse() const { return settings.box == BMO_BOX_SPARSE || settings.box == BMO_BOX_SPARSE_UNION; }
    bool is_angular() const {
        return settings.metric == BMO_METRIC_COSINE || settings.metric == BMO_METRIC_INNER_PRODUCT;
    }
    // Sparse points are only scanned under these.
    bool is_sampled() const {
        return settings.box != BMO_BOX_SPARSE || !(is_angular() || settings.metric == BMO_METRIC_LP);
    }
    bool is_prepared() const {
        return settings.box == BMO_BOX_ROTATED || settings.box == BMO_BOX_PROJECTED || settings.box == BMO_BOX_SKETCH;
    }
    // The least epsilon that distances of the made points are apart by is one of a coordinate distance of 1.
    double epsilon(double share, double unit) const {
        if (is_angular())
            return settings.metric == BMO_METRIC_COSINE ? share / 10 : share * kD;
        return share * std::pow(unit, settings.metric == BMO_METRIC_LP ? kP
                                      : settings.metric == BMO_METRIC_L2 || settings.metric == BMO_METRIC_SQEUCLIDEAN
                                          ? 2
                                          : 1);
    }
};

template <class Visit>
void for_values(bmo::ChoiceSet values, Visit visit) {
    for (std::int64_t value = 0; values >> value != 0; ++value)
        if (values >> value & 1)
            visit(value);
}

template <class Visit>
void for_choices(const bmo::Combination &line, Visit visit) {
    Choice choice;
    bmo::Settings &settings = choice.settings;
    settings.method = BMO_METHOD_BANDIT;
    settings.p = kP;
    settings.sigma = 1;
    settings.init_pulls = 16;
    settings.pulls_per_round = 64;
    settings.rho = std::make_shared<bmo::CustomRho>(bmo::CustomRho{absolute_rho, nullptr, true, nullptr});
    for_values(line.metrics, [&](std::int64_t metric) {
        for_values(line.boxes, [&](std::int64_t box) {
            for_values(line.bandits, [&](std::int64_t bandit) {
                for_values(line.samplings, [&](std::int64_t sampling) {
                    for_values(line.confidences, [&](std::int64_t confidence) {
                        settings.metric = metric;
                        settings.box = box;
                        settings.bandit = bandit;
                        settings.sampling = sampling;
                        settings.confidence = confidence;
                        visit(choice);
                    });
                });
            });
        });
    });
}

void try_points(Choice choice, const Points &points, double unit, Tally &tally) {
    bmo::Settings &settings = choice.settings;
    std::shared_ptr<const bmo::Dataset> data = choice.is_sparse() ? sparse(points.rows, unit) : dense(points.rows);
    const auto asked = choice.is_sparse() ? sparse({points.query}, unit) : dense({points.query});
    bmo::Watch watch;
    if (choice.is_prepared())
        data = bmo::prepare_dataset(*data, settings, watch);
    for (const double share : {0.0, 0.02, 0.5}) {
        settings.epsilon = choice.epsilon(share, unit);
        const bmo::KnnSearch knn(data, settings, watch);
        for (const std::int64_t k : {std::int64_t{1}, std::int64_t{3}, kN - 1, kN}) {
            const Found found = search(knn, *asked, k);
            assert_int_equal(found.neighbors.size(), k);
            const bool exact = found.stats.guarantee == BMO_GUARANTEE_EXACT;
            ++tally.searches;
            tally.exact += exact;
            tally.wrong += exact && !is_that_of_the_scan(found, points, settings.metric);
        }
    }
}

void an_answer_that_is_called_exact_is_that_of_the_scan(void **) {
    int wrong = 0;
    for (const bmo::Combination &line : bmo::combinations()) {
        Tally tally;
        for_choices(line, [&](Choice choice) {
            if (!choice.is_sampled())
                return;
            for (const Shape shape : kShapes)
                for (std::int64_t seed = 1; seed <= kSeeds; ++seed) {
                    choice.settings.seed = seed;
                    choice.settings.delta = shape == Shape::late ? 1e-6 : 0.2; // 1e-6: bounds are before the test
                    const Points points(shape, choice.is_sparse(), static_cast<std::uint64_t>(seed));
                    for (const double unit : {1.0, 0.1})
                        if (unit == 1 || choice.is_sparse())
                            try_points(choice, points, unit, tally);
                }
        });
        print_message("# line %d: %d searches, %d answers called exact, %d of these wrong\n",
                      static_cast<int>(&line - bmo::combinations().data()) + 1, tally.searches, tally.exact,
                      tally.wrong);
        assert_true(tally.exact > 0);
        wrong += tally.wrong;
    }
    assert_int_equal(wrong, 0);
}

// Arms whose samples deceive: what is drawn of each is around one value, its mean is another.
struct Deceiving {
    std::vector<double> drawn, mean;
};

std::int32_t pull(void *ctx, const std::int64_t *arms, std::int64_t count, std::int64_t m, std::uint64_t, double *sum,
                  double *sumsq) {
    const Deceiving &of = *static_cast<const Deceiving *>(ctx);
    for (std::int64_t i = 0; i < count; ++i) { // half of the samples are 1 above, half 1 below
        const double value = of.drawn[static_cast<std::size_t>(arms[i])];
        sum[i] = static_cast<double>(m) * value;
        sumsq[i] = static_cast<double>(m) * (value * value + 1);
    }
    return 0;
}

std::int32_t exact(void *ctx, std::int64_t arm, double *mean) {
    *mean = static_cast<const Deceiving *>(ctx)->mean[static_cast<std::size_t>(arm)];
    return 0;
}

// UCB accepts arm 0 by its exact mean while samples say that arms 2 and 3 are farther, and computes these two later.
void the_best_arms_that_are_called_exact_are_those_of_all_means(void **) {
    for (const std::int64_t bandit : {BMO_BANDIT_UCB, BMO_BANDIT_LUCB, BMO_BANDIT_LUCBPP})
        for (const std::int64_t confidence :
             {BMO_CONFIDENCE_EMPIRICAL, BMO_CONFIDENCE_POOLED, BMO_CONFIDENCE_SUBGAUSSIAN})
            for (const std::int64_t arms_per_round : {1, 2, 4})
                for (std::int64_t k = 1; k <= 4; ++k) {
                    Deceiving made{{5, 5.2, 7, 7.2}, {5, 50, 1, 2}};
                    const bmo_arms arms{.struct_size = sizeof arms,
                                        .flags = 0,
                                        .n = 4,
                                        .ctx = &made,
                                        .exact_cost = 64,
                                        .lower = 0,
                                        .upper = 0,
                                        .pull = pull,
                                        .exact = exact};
                    bmo::Settings settings;
                    settings.bandit = bandit;
                    settings.confidence = confidence;
                    settings.sigma = 1;
                    settings.init_pulls = 32;
                    settings.pulls_per_round = 32;
                    settings.arms_per_round = arms_per_round;
                    bmo::Watch watch;
                    bmo_stats stats{};
                    const std::vector<bmo::BestArm> best = bmo::best_arms(arms, k, settings, watch, stats);
                    assert_int_equal(best.size(), k);
                    if (stats.guarantee != BMO_GUARANTEE_EXACT)
                        continue;
                    std::vector<double> sorted = made.mean;
                    std::sort(sorted.begin(), sorted.end());
                    for (std::size_t r = 0; r < best.size(); ++r) {
                        assert_true(best[r].mean == sorted[r]);
                        assert_true(best[r].halfwidth == 0);
                    }
                }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_is_called_exact_is_that_of_the_scan),
        cmocka_unit_test(the_best_arms_that_are_called_exact_are_those_of_all_means),
    };
    return cmocka_run_group_tests_name("labels", tests, nullptr, nullptr);
}

} // namespace labels_test
