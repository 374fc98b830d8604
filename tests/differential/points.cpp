#include "points.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>

namespace {

constexpr double kLargestWhole = 0x1p53;

double fit(double value, bmo_dtype dtype) {
    switch (dtype) {
    case BMO_F32: return static_cast<double>(static_cast<float>(std::clamp<double>(value, -FLT_MAX, FLT_MAX)));
    case BMO_F64: return std::clamp(value, -DBL_MAX, DBL_MAX);
    case BMO_U8: return std::nearbyint(std::clamp(value, 0.0, 255.0));
    case BMO_I32: return std::nearbyint(std::clamp(value, -0x1p31, 0x1p31 - 1));
    default: return std::nearbyint(std::clamp(value, -kLargestWhole, kLargestWhole));
    }
}

struct Range {
    double least, most; // decimal exponents of values
};

Range range_of(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_F32: return {-44, 38};
    case BMO_F64: return {-322, 308};
    case BMO_U8: return {0, 2.4};
    case BMO_I32: return {0, 9.3};
    default: return {0, 15.9};
    }
}

// Half of all scales are ordinary, the others anything that the type holds.
double random_scale(bmo_dtype dtype, Random &random) {
    const Range range = range_of(dtype);
    if (random.chance(0.5))
        return dtype == BMO_F32 || dtype == BMO_F64 ? std::pow(10, random.between(-3.0, 3.0))
                                                    : std::pow(10, std::min(range.most, random.between(1.0, 3.0)));
    return std::pow(10, random.between(range.least, range.most));
}

double next_to(double value, bmo_dtype dtype, bool above) {
    const double toward = above ? INFINITY : -INFINITY;
    if (dtype == BMO_F32)
        return static_cast<double>(std::nextafter(static_cast<float>(value), static_cast<float>(toward)));
    return dtype == BMO_F64 ? std::nextafter(value, toward) : value + (above ? 1 : -1);
}

// Makes all rows of one set of points, queries included, in a first form that is not yet fitted to types.
class Maker {
public:
    Maker(Shape shape, Sizes sizes, bmo_dtype dtype, Random &random)
        : shape_(shape), n_(sizes.n + sizes.queries), d_(sizes.d), queries_(sizes.queries), dtype_(dtype),
          random_(random), scale_(random_scale(dtype, random)), base_(static_cast<std::size_t>(d_)),
          at_(static_cast<std::size_t>(n_ * d_)) {
        for (double &value : base_)
            value = scale_ * random.normal();
    }

    std::vector<double> make() {
        for (std::int64_t i = 0; i < n_; ++i)
            fill({at_.data() + i * d_, static_cast<std::size_t>(d_)}, i);
        return std::move(at_);
    }

private:
    void fill(std::span<double> row, std::int64_t i) {
        switch (shape_) {
        case Shape::one_hot: return fill_one_hot(row);
        case Shape::permutations: return fill_permutation(row, i);
        case Shape::few_distinct: return fill_duplicate(row, i);
        case Shape::one_huge: return fill_one_huge(row, i);
        case Shape::single_difference: return fill_single_difference(row, i);
        case Shape::parallel: return fill_parallel(row);
        case Shape::opposite_signs: return fill_opposite(row, i);
        case Shape::mixed_rows: return fill_at_scale(row);
        case Shape::clusters: return fill_cluster(row);
        default:
            for (std::size_t j = 0; j < row.size(); ++j)
                row[j] = value(j);
        }
    }

    double value(std::size_t j) {
        switch (shape_) {
        case Shape::small_integers: return static_cast<double>(random_.below(integers_));
        case Shape::constant_columns: return j % 4 != 0 ? base_[j] : base_[j] + scale_ * random_.normal() * step_;
        case Shape::subnormal:
            return static_cast<double>(random_.between(std::int64_t{-9}, std::int64_t{9})) *
                   (dtype_ == BMO_F32 ? 0x1p-149 : 0x1p-1074);
        case Shape::heavy_coordinate: return scale_ * random_.normal() * (j == heavy_ ? 1 / step_ : 1);
        case Shape::large_integers: return large_ + static_cast<double>(random_.below(integers_));
        case Shape::ulp_apart:
            return random_.chance(0.7) ? base_[j] : next_to(fit(base_[j], dtype_), dtype_, random_.chance(0.5));
        case Shape::mixed_values: return at_any_scale();
        case Shape::heavy_tail: return scale_ * random_.normal() * std::exp(3 * random_.normal());
        default: return scale_ * random_.normal();
        }
    }

    double at_any_scale() {
        const Range range = range_of(dtype_);
        return random_.normal() * std::pow(10, random_.between(range.least, range.most));
    }

    void fill_one_hot(std::span<double> row) {
        std::ranges::fill(row, 0);
        row[static_cast<std::size_t>(random_.below(d_))] = random_.chance(0.5) ? scale_ : scale_ * random_.normal();
    }

    void fill_permutation(std::span<double> row, std::int64_t i) {
        std::ranges::copy(base_, row.begin());
        if (i > 0)
            for (std::size_t j = row.size() - 1; j > 0; --j)
                std::swap(row[j], row[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(j) + 1))]);
    }

    void fill_duplicate(std::span<double> row, std::int64_t i) {
        if (i >= distinct_) {
            const std::int64_t of = random_.below(distinct_);
            std::copy_n(at_.begin() + of * d_, d_, row.begin());
            return;
        }
        for (double &to : row)
            to = scale_ * (random_.chance(0.5) ? random_.normal() : 0.1);
    }

    void fill_one_huge(std::span<double> row, std::int64_t i) {
        for (double &to : row)
            to = scale_ * random_.normal();
        if (i == huge_row_)
            row[static_cast<std::size_t>(random_.below(d_))] *= std::pow(10, random_.between(10.0, 320.0));
    }

    // What the difference is can be told to 1e-11 of it, in float too: the values of points are small beside it.
    void fill_single_difference(std::span<double> row, std::int64_t i) {
        for (std::size_t j = 0; j < row.size(); ++j)
            row[j] = fit(apart_ * (1 + 0x1p-12 * std::sin(static_cast<double>(j))), dtype_);
        if (i >= n_ - queries_ && random_.chance(0.7))
            return;
        const auto j = static_cast<std::size_t>(random_.below(d_));
        const bool near = random_.chance(near_);
        row[j] -= apart_ * (1 + (near ? 1e-10 : 1e-6) * random_.normal()) * (near ? 1 : 2);
    }

    void fill_parallel(std::span<double> row) {
        const double factor = random_.chance(0.5) ? random_.between(0.5, 2.0) : 1;
        for (std::size_t j = 0; j < row.size(); ++j)
            row[j] = base_[j] * factor * (random_.chance(0.8) ? 1 : 1 + 1e-15 * random_.normal());
    }

    // One row, in half of the cases one in twenty, has tiny values on the side of the queries, and no zeros.
    void fill_opposite(std::span<double> row, std::int64_t i) {
        const bool is_query = i >= n_ - queries_;
        const bool tiny = i == huge_row_ || (zeros_ == 0 && random_.chance(0.05));
        const double far = tiny ? std::pow(10, random_.between(-60.0, -30.0)) : 1;
        for (double &to : row) {
            to = scale_ * far * (is_query || tiny ? 1 : -1) * (1 + 0.01 * random_.normal());
            if (!is_query && !tiny && random_.chance(zeros_))
                to = 0;
        }
    }

    void fill_at_scale(std::span<double> row) {
        const double own = random_scale(dtype_, random_);
        for (double &to : row)
            to = own * random_.normal();
    }

    void fill_cluster(std::span<double> row) {
        Random center(static_cast<std::uint64_t>(random_.below(7)) + base_seed_);
        const double spread = scale_ * (random_.chance(0.3) ? 1e-6 : 0.1);
        for (double &to : row)
            to = scale_ * center.normal() + spread * random_.normal();
    }

    Shape shape_;
    std::int64_t n_, d_, queries_;
    bmo_dtype dtype_;
    Random &random_;
    double scale_;
    std::vector<double> base_, at_;
    std::int64_t integers_ = random_.pick<std::int64_t>({2, 3, 4, 200});
    double step_ = std::pow(10, random_.between(-9.0, 0.0));
    std::size_t heavy_ = static_cast<std::size_t>(random_.below(d_));
    double large_ = random_.pick<double>({0x1p51, 0x1p53 - 256, 0x1p26, 0x1p24});
    std::int64_t distinct_ = std::min(n_, random_.between(std::int64_t{1}, std::int64_t{6}));
    double near_ =
        random_.pick({0.15, 0.5, 1.0}); // the share of points of single differences that are nearly equally far
    // Half of the time just beyond the middle of two floats, so that differences are rounded up.
    double apart_ = random_.chance(0.5) ? scale_ : std::ldexp(1 + 0x1p-24 + 0x1p-30, std::ilogb(scale_));
    std::int64_t huge_row_ = random_.below(n_);
    double zeros_ = random_.chance(0.5) ? 0.9 : 0; // of opposite signs
    std::uint64_t base_seed_ = random_.next();
};

// Of queries: that of the points, or another, most often one that holds values far beyond theirs.
bmo_dtype query_dtype(bmo_dtype points, Random &random) {
    if (random.chance(0.6))
        return points;
    return random.chance(0.6) ? bmo_dtype{BMO_F64} : random.pick<bmo_dtype>({BMO_F32, BMO_U8, BMO_I32, BMO_I64});
}

bmo_dtype random_dtype(Shape shape, Random &random) {
    switch (shape) {
    case Shape::subnormal: return random.pick<bmo_dtype>({BMO_F32, BMO_F64});
    case Shape::single_difference: return random.pick<bmo_dtype>({BMO_F32, BMO_F32, BMO_F64, BMO_I64});
    case Shape::large_integers: return random.pick<bmo_dtype>({BMO_F64, BMO_I64});
    default:
        return random.pick<bmo_dtype>({BMO_F32, BMO_F32, BMO_F32, BMO_F64, BMO_F64, BMO_F64, BMO_U8, BMO_I32, BMO_I64});
    }
}

// A query is a point, a point that was changed a little, a point at another scale, 0, or like the points.
void change_query(std::span<double> query, const Points &points, Random &random) {
    const double choice = random.uniform();
    const auto row = points.row(random.below(points.n));
    if (choice < 0.5)
        std::ranges::copy(row, query.begin());
    if (choice < 0.2)
        return;
    if (choice < 0.35) {
        double &changed = query[static_cast<std::size_t>(random.below(points.d))];
        changed = next_to(changed, points.dtype, random.chance(0.5));
    } else if (choice < 0.4) {
        for (double &value : query)
            value *= 1 + 1e-6 * random.normal();
    } else if (choice < 0.47) {
        const double factor = random.chance(0.5) ? 1e200 : std::pow(10, random.between(-300.0, 300.0));
        for (double &value : query)
            value *= factor;
    } else if (choice < 0.5) {
        std::ranges::fill(query, 0);
    }
}

// Of the first `count`.
void drop_values(std::vector<double> &values, double zeros, std::size_t count, Random &random) {
    for (std::size_t i = 0; zeros > 0 && i < count; ++i)
        if (random.chance(zeros))
            values[i] = 0;
}

} // namespace

const char *name_of(Shape shape) {
    constexpr const char *names[] = {
        "normal",         "small_integers", "one_hot",           "constant_columns", "subnormal",    "heavy_coordinate",
        "large_integers", "permutations",   "ulp_apart",         "mixed_rows",       "mixed_values", "one_huge",
        "few_distinct",   "opposite_signs", "single_difference", "heavy_tail",       "parallel",     "clusters"};
    static_assert(std::size(names) == static_cast<std::size_t>(Shape::count));
    return names[static_cast<std::size_t>(shape)];
}

Made make_points(Shape shape, Sizes sizes, double zeros, Random &random) {
    Made made;
    made.shape = shape;
    made.points.dtype = random_dtype(shape, random);
    made.queries.dtype = query_dtype(made.points.dtype, random);
    std::vector<double> all = Maker(shape, sizes, made.points.dtype, random).make();
    drop_values(all, zeros, random.chance(0.5) ? all.size() : static_cast<std::size_t>(sizes.n * sizes.d), random);
    const auto first_query = all.begin() + sizes.n * sizes.d;
    made.points.n = sizes.n;
    made.queries.n = sizes.queries;
    made.points.d = made.queries.d = sizes.d;
    made.points.at.assign(all.begin(), first_query);
    made.queries.at.assign(first_query, all.end());
    for (double &value : made.points.at)
        value = fit(value, made.points.dtype);
    for (std::int64_t i = 0; i < sizes.queries; ++i)
        change_query({made.queries.at.data() + i * sizes.d, static_cast<std::size_t>(sizes.d)}, made.points, random);
    for (double &value : made.queries.at)
        value = fit(value, made.queries.dtype);
    return made;
}

bool is_free_of_rounding(const Made &made) {
    double largest = 0;
    for (const std::vector<double> *values : {&made.points.at, &made.queries.at})
        for (const double value : *values) {
            if (value != std::nearbyint(value))
                return false;
            largest = std::max(largest, std::abs(value));
        }
    return 4 * largest * largest * static_cast<double>(made.points.d) <= kLargestWhole;
}
