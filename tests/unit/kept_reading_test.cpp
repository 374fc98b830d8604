#include "cmocka.hpp"

#include "util/kept_reading.hpp"

namespace kept_reading_test {

using std::chrono::milliseconds;

void a_reading_is_kept_for_a_second(void **) {
    bmo::KeptReading kept;
    std::int64_t value = 4, readings = 0;
    const auto at = [&](milliseconds now) {
        return kept.get(now, [&] {
            ++readings;
            return value;
        });
    };
    assert_int_equal(at(milliseconds(5)), 4); // a clock may begin at 0
    value = 2;
    assert_int_equal(at(milliseconds(5)), 4);
    assert_int_equal(at(milliseconds(1004)), 4);
    assert_int_equal(readings, 1);
    assert_int_equal(at(milliseconds(1005)), 2);
    value = 0; // no quota any more
    assert_int_equal(at(milliseconds(2004)), 2);
    assert_int_equal(at(milliseconds(9000)), 0);
    assert_int_equal(readings, 3);
}

void a_reading_that_fails_is_tried_again(void **) {
    bmo::KeptReading kept;
    const bmo::Failure failure =
        failure_of([&] { kept.get(milliseconds(1), []() -> std::int64_t { bmo::fail(BMO_ENOMEM, "", "none"); }); });
    assert_int_equal(failure.status, BMO_ENOMEM);
    assert_int_equal(kept.get(milliseconds(1), [] { return std::int64_t{3}; }), 3);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(a_reading_is_kept_for_a_second),
        cmocka_unit_test(a_reading_that_fails_is_tried_again),
    };
    return cmocka_run_group_tests_name("kept_reading", tests, nullptr, nullptr);
}

} // namespace kept_reading_test
