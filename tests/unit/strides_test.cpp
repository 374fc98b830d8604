#include "cmocka.hpp"

#include <limits>
#include <set>

#include "api/strides.hpp"

namespace strides_test {

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

bmo::Axes axes(std::int64_t outer, std::int64_t outer_stride, std::int64_t inner, std::int64_t inner_stride) {
    return {{outer, outer_stride, "outer"}, {inner, inner_stride, "inner"}};
}

void zero_is_contiguous(void **) {
    const struct {
        bmo::Axes axes;
        std::int64_t outer, inner;
    } cases[] = {
        {axes(3, 0, 4, 0), 4, 1},  {axes(3, 9, 4, 0), 9, 1},  {axes(3, 0, 4, 2), 8, 2},
        {axes(3, 1, 4, 3), 1, 3},  {axes(1, -7, 4, 0), 4, 1}, {axes(0, -7, 4, 2), 8, 2},
        {axes(3, 0, 1, -7), 1, 1}, {axes(3, 5, 1, 99), 5, 1}, {axes(1, huge, 1, huge), 1, 1},
    };
    for (auto [given, outer, inner] : cases) {
        given.resolve();
        assert_int_equal(given.outer.stride, outer);
        assert_int_equal(given.inner.stride, inner);
    }
}

void negative_strides_are_refused_by_name(void **) {
    bmo::Axes outer = axes(2, -1, 4, 1), inner = axes(2, 4, 4, -1);
    const bmo::Failure of_outer = failure_of([&] { outer.resolve(); });
    assert_int_equal(of_outer.status, BMO_EINVAL);
    assert_string_equal(of_outer.argument.c_str(), "outer");
    const bmo::Failure of_inner = failure_of([&] { inner.resolve(); });
    assert_int_equal(of_inner.status, BMO_EINVAL);
    assert_string_equal(of_inner.argument.c_str(), "inner");
}

std::set<std::int64_t> places_of(const bmo::Axes &array) {
    std::set<std::int64_t> places;
    for (std::int64_t i = 0; i < array.outer.length; ++i)
        for (std::int64_t j = 0; j < array.inner.length; ++j)
            places.insert(i * array.outer.stride + j * array.inner.stride);
    return places;
}

// Every array of a few elements, against a list of the places it uses.
void small_arrays_by_enumeration(void **) {
    for (std::int64_t m = 0; m <= 5; ++m)
        for (std::int64_t k = 0; k <= 5; ++k)
            for (std::int64_t a = 1; a <= 9; ++a)
                for (std::int64_t b = 1; b <= 9; ++b) {
                    const bmo::Axes array = axes(m, a, k, b);
                    const std::set<std::int64_t> places = places_of(array);
                    assert_int_equal(array.overlap(), places.size() < static_cast<std::size_t>(m * k));
                    assert_int_equal(array.extent(8), places.empty() ? 0 : *places.rbegin() + 1);
                }
}

void products_beyond_64_bits_are_refused(void **) {
    const bmo::Axes cases[] = {axes(3, huge / 2 + 1, 1, 1), axes(2, huge / 2 + 1, 3, huge / 4 + 1),
                               axes(2, huge / 8, 1, 1), axes(2, huge, 1, 1)};
    for (const bmo::Axes &array : cases)
        assert_int_equal(failure_of([&] { array.extent(8); }).status, BMO_EOVERFLOW);
    assert_int_equal(axes(2, huge / 8 - 1, 1, 1).extent(8), huge / 8);
    bmo::Axes array = axes(2, 0, huge / 2, 3);
    assert_int_equal(failure_of([&] { array.resolve(); }).status, BMO_EOVERFLOW);
}

void alignment_is_checked(void **) {
    alignas(8) char memory[16] = {};
    bmo::check_alignment(nullptr, 8, "it");
    bmo::check_alignment(memory + 8, 8, "it");
    bmo::check_alignment(memory + 4, 4, "it");
    bmo::check_alignment(memory + 1, 1, "it");
    const bmo::Failure failure = failure_of([&] { bmo::check_alignment(memory + 4, 8, "it"); });
    assert_int_equal(failure.status, BMO_EINVAL);
    assert_string_equal(failure.argument.c_str(), "it");
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(zero_is_contiguous),          cmocka_unit_test(negative_strides_are_refused_by_name),
        cmocka_unit_test(small_arrays_by_enumeration), cmocka_unit_test(products_beyond_64_bits_are_refused),
        cmocka_unit_test(alignment_is_checked),
    };
    return cmocka_run_group_tests_name("strides", tests, nullptr, nullptr);
}

} // namespace strides_test
