#include "truth.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace {

// 113 bits. Where long double has them already (aarch64), it serves.
#if LDBL_MANT_DIG < 113
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

constexpr Wide kUlp = 0x1p-52L;
constexpr Wide kLeast = 0x1p-1074L; // of double

Quad root_of(Quad square) {
    if (!(square > 0))
        return 0;
    Quad root = sqrtl(static_cast<Wide>(square));
    for (int step = 0; step < 2; ++step)
        root = (root + square / root) / 2;
    return root;
}

Quad product_of(std::span<const double> a, std::span<const double> b) {
    Quad sum = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
        if (a[j] != 0 && b[j] != 0)
            sum += static_cast<Quad>(a[j]) * static_cast<Quad>(b[j]);
    return sum;
}

// Half the squared difference of the normalized vectors. What cancels there are numbers up to 1, told to 2^-112.
Distance cosine(std::span<const double> query, std::span<const double> point) {
    const Quad of_query = root_of(product_of(query, query)), of_point = root_of(product_of(point, point));
    if (of_query == 0 || of_point == 0)
        return {1, 0};
    Quad sum = 0;
    for (std::size_t j = 0; j < query.size(); ++j) {
        if (query[j] == 0 && point[j] == 0)
            continue;
        const Quad apart = static_cast<Quad>(query[j]) / of_query - static_cast<Quad>(point[j]) / of_point;
        sum += apart * apart;
    }
    const Wide value = static_cast<Wide>(sum / 2);
    return {value, value * 8 * kUlp + sqrtl(2 * value) * 0x1p-111L + 1e-60L};
}

// Within 2^-48, as the header says.
Distance inner_product(std::span<const double> query, std::span<const double> point) {
    Quad sum = 0, size = 0;
    for (std::size_t j = 0; j < query.size(); ++j) {
        if (query[j] == 0 || point[j] == 0)
            continue;
        const Quad product = static_cast<Quad>(query[j]) * static_cast<Quad>(point[j]);
        sum += product;
        size += product < 0 ? -product : product;
    }
    const Wide value = static_cast<Wide>(-sum);
    return {value, fabsl(value) * 16 * kUlp + static_cast<Wide>(size) * 0x1p-96L + kLeast};
}

Distance called_back(const Metric &metric, std::span<const double> query, std::span<const double> point) {
    Wide sum = 0;
    for (std::size_t j = 0; j < query.size(); ++j)
        sum += coordinate_distance(metric.callback, query[j], point[j]);
    return {sum, sum * kUlp * static_cast<Wide>(query.size() + 4)};
}

Wide weight_of(const Metric &metric, std::size_t j) {
    return metric.weights.empty() ? 1 : metric.weights[j];
}

// The range of long double holds every sum of differences and of their squares. Exact where those are whole numbers.
Wide plain_distance(const Metric &metric, std::span<const double> query, std::span<const double> point) {
    const bool square = metric.power() == 2;
    Wide sum = 0;
    for (std::size_t j = 0; j < query.size(); ++j) {
        const Wide apart = fabsl(static_cast<Wide>(query[j]) - point[j]);
        sum += weight_of(metric, j) * (square ? apart * apart : apart);
    }
    return square && metric.id != BMO_METRIC_SQEUCLIDEAN ? sqrtl(sum) : sum;
}

// In units of the largest difference, so that no power leaves the range.
Wide power_distance(const Metric &metric, std::span<const double> query, std::span<const double> point) {
    const Wide p = metric.p;
    Wide largest = 0, sum = 0;
    for (std::size_t j = 0; j < query.size(); ++j)
        if (weight_of(metric, j) > 0)
            largest = std::max(largest, fabsl(static_cast<Wide>(query[j]) - point[j]));
    for (std::size_t j = 0; j < query.size(); ++j) {
        const Wide apart = fabsl(static_cast<Wide>(query[j]) - point[j]);
        if (apart > 0 && weight_of(metric, j) > 0)
            sum += weight_of(metric, j) * powl(apart / largest, p);
    }
    return largest * powl(sum, 1 / p);
}

Distance separable(const Metric &metric, std::span<const double> query, std::span<const double> point) {
    const double p = metric.power();
    const Wide value = p == 1 || p == 2 ? plain_distance(metric, query, point) : power_distance(metric, query, point);
    const Wide steps = static_cast<Wide>(query.size()) + 16 + static_cast<Wide>(p);
    return {value, value * kUlp * steps * std::max<Wide>(1, 1 / static_cast<Wide>(p)) + 2 * kLeast};
}

} // namespace

double coordinate_distance(Callback callback, double a, double b) {
    const double apart = std::abs(a / 2 - b / 2);
    switch (callback) {
    case Callback::saturating: return apart > 1e15 ? 1 : apart / (1 + apart);
    case Callback::differs: return a == b ? 0 : 1;
    default: return std::min(apart, 3.0);
    }
}

double Metric::power() const {
    return id == BMO_METRIC_L2 || id == BMO_METRIC_SQEUCLIDEAN ? 2 : id == BMO_METRIC_LP ? p : 1;
}

Distance distance_between(const Metric &metric, std::span<const double> query, std::span<const double> point) {
    switch (metric.id) {
    case BMO_METRIC_COSINE: return cosine(query, point);
    case BMO_METRIC_INNER_PRODUCT: return inner_product(query, point);
    case BMO_METRIC_CUSTOM: return called_back(metric, query, point);
    default: return separable(metric, query, point);
    }
}

Wide sum_of(const Metric &metric, Wide distance) {
    return metric.id == BMO_METRIC_SQEUCLIDEAN || metric.power() == 1 ? distance : powl(distance, metric.power());
}
