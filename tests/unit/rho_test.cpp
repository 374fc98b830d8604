// What simd/rho.hpp demands of each coordinate distance, and that data/metrics.hpp and data/boxes.hpp have no row twice. A
// coordinate distance that is added to Rhos is tested here without a further line.
#include "cmocka.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "data/boxes.hpp"
#include "data/metrics.hpp"
#include "util/xoshiro.hpp"

namespace rho_test {

constexpr double kExponents[] = {0.05, 0.5, 1, 2, 3, 7.5};
constexpr int kPairs = 2000; // of each coordinate distance

// Numbers of either sign and of all sizes from `least` to `most`, and 0.
class Numbers {
public:
    Numbers(double least, double most, std::uint64_t seed)
        : low_(std::log2(least)), range_(std::log2(most) - low_), random_(seed) {}

    double next() {
        const std::uint64_t bits = random_.next();
        if (bits % 16 == 0)
            return 0;
        const double size = std::exp2(low_ + range_ * static_cast<double>(bits >> 11) * 0x1p-53);
        return bits % 2 == 0 ? size : -size;
    }

private:
    double low_, range_;
    bmo::Xoshiro256pp random_;
};

// visit(rho, numbers) with every coordinate distance.
template <class Visit>
void for_each_rho(Visit visit) {
    for (int i = 0; i < bmo::kRhos; ++i)
        for (const double p : kExponents)
            bmo::visit_rho(static_cast<bmo::Rho>(i), p, [&](auto rho) {
                assert_int_equal(static_cast<int>(rho.kRho), i);
                visit(rho);
                return 0;
            });
}

void equal_numbers_are_0_apart_and_order_does_not_matter(void **) {
    for_each_rho([](auto rho) {
        Numbers numbers(1e-30, 1e30, 1);
        for (int i = 0; i < kPairs; ++i) {
            const double x = numbers.next(), y = numbers.next();
            assert_true(rho(x, x) == 0 && rho(x, y) >= 0 && rho(x, y) == rho(y, x));
            assert_true(rho.span(x, x) == 0 && (x == y || rho.span(x, y) > 0));
        }
    });
}

void a_factor_counts_by_the_degree(void **) {
    constexpr double kError = 1e-12;
    for_each_rho([](auto rho) {
        Numbers numbers(1e-3, 1e3, 2);
        for (int i = 0; i < kPairs; ++i) {
            const double x = numbers.next(), y = numbers.next(), half = 0.5, large = 1024;
            const double want = rho(x, y) * std::pow(half * large, rho.degree());
            assert_true(std::abs(rho(x * half * large, y * half * large) - want) <= kError * want);
            assert_true(std::abs(rho.scaled(x, y, half, large) - want) <= kError * want);
        }
    });
}

void samples_of_floats_are_near_or_below(void **) {
    for_each_rho([](auto rho) {
        using Number = std::conditional_t<rho.kInDouble, double, float>;
        for (const double largest : {1e-9, 1.0, 1e6, 1e17, 3e38}) {
            if (!rho.in_float(largest))
                continue;
            Numbers numbers(largest * 1e-6, largest, 3);
            for (int i = 0; i < kPairs; ++i) {
                const auto x = static_cast<float>(numbers.next()), y = static_cast<float>(numbers.next());
                const auto sample = static_cast<double>(rho(static_cast<Number>(x), static_cast<Number>(y)));
                const double exact = rho(static_cast<double>(x), static_cast<double>(y));
                assert_true(std::isfinite(sample) && sample <= exact * (1 + 0x1p-22));
                assert_true(sample >= exact * (1 - 0x1p-22));
            }
        }
    });
}

void no_distance_is_above_the_most_of_its_difference(void **) {
    for_each_rho([](auto rho) {
        Numbers numbers(1e-5, 1e5, 4);
        for (int i = 0; i < kPairs; ++i) {
            const double x = numbers.next(), y = numbers.next();
            assert_true(rho(x, y) <= rho.most(std::abs(x - y)) * (1 + 1e-12));
        }
    });
}

template <class Table>
void check_rows(const Table &table) {
    for (const auto &row : table) {
        assert_int_equal(std::ranges::count(table, row.id, [](const auto &other) { return other.id; }), 1);
        assert_int_equal(std::ranges::count(table, row.name, [](const auto &other) { return other.name; }), 1);
    }
}

void rows_have_ids_and_names_of_their_own(void **) {
    check_rows(bmo::kMetrics);
    check_rows(bmo::kBoxes);
    for (const bmo::MetricTraits &metric : bmo::kMetrics)
        assert_true(metric.id > 0 && metric.id < 32 && !metric.name.empty()); // combinations are sets of 32 bits
}

void what_is_no_metric_or_box_has_traits_of_none(void **) {
    for (const std::int64_t id : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 40}) {
        assert_int_equal(bmo::metric_traits(id).id, 0);
        assert_false(bmo::is_angular(id));
        assert_int_equal(bmo::box_traits(id).id, BMO_BOX_AUTO);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(equal_numbers_are_0_apart_and_order_does_not_matter),
        cmocka_unit_test(a_factor_counts_by_the_degree),
        cmocka_unit_test(samples_of_floats_are_near_or_below),
        cmocka_unit_test(no_distance_is_above_the_most_of_its_difference),
        cmocka_unit_test(rows_have_ids_and_names_of_their_own),
        cmocka_unit_test(what_is_no_metric_or_box_has_traits_of_none),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace rho_test
