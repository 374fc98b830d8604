#include "cmocka.hpp"

#include "api/structs.hpp"

namespace structs_test {

// A struct as it may be in three versions; the library knows the second.
struct First {
    std::uint32_t struct_size;
    std::int32_t a;
};
struct Second {
    std::uint32_t struct_size;
    std::int32_t a, b, c;
};
struct Third {
    std::uint32_t struct_size;
    std::int32_t a, b, c, d, e;
};

} // namespace structs_test

template <>
inline constexpr std::size_t bmo::first_size<structs_test::Second> = sizeof(structs_test::First);

namespace structs_test {

template <class Struct>
Second read(const Struct &theirs) {
    return bmo::read_struct(reinterpret_cast<const Second *>(&theirs), "it");
}

void an_older_struct_reads_as_zeros_beyond_its_end(void **) {
    const Second read_from_first = read(First{sizeof(First), 5});
    assert_int_equal(read_from_first.a, 5);
    assert_int_equal(read_from_first.b, 0);
    assert_int_equal(read_from_first.c, 0);
    const struct {
        First first;
        std::int32_t behind[2];
    } followed = {{sizeof(First), 6}, {77, 78}};
    assert_int_equal(read(followed).a, 6);
    assert_int_equal(read(followed).b, 0);
}

void the_same_version_reads_whole(void **) {
    const Second same = read(Second{sizeof(Second), 1, 2, 3});
    assert_int_equal(same.a, 1);
    assert_int_equal(same.b, 2);
    assert_int_equal(same.c, 3);
}

void a_newer_struct_needs_a_zero_tail(void **) {
    assert_int_equal(read(Third{sizeof(Third), 1, 2, 3, 0, 0}).c, 3);
    for (const Third &newer : {Third{sizeof(Third), 1, 2, 3, 4, 0}, Third{sizeof(Third), 1, 2, 3, 0, -1}}) {
        const bmo::Failure failure = failure_of([&] { read(newer); });
        assert_int_equal(failure.status, BMO_EVERSION);
        assert_string_equal(failure.argument.c_str(), "it.struct_size");
    }
}

void an_impossible_size_is_refused(void **) {
    for (const std::uint32_t size : {0U, 4U, 7U, 5000U, ~0U}) {
        const bmo::Failure failure = failure_of([&] { read(Second{size, 1, 2, 3}); });
        assert_int_equal(failure.status, BMO_EINVAL);
        assert_string_equal(failure.argument.c_str(), "it.struct_size");
    }
    const bmo::Failure failure = failure_of([] { bmo::read_struct<Second>(nullptr, "it"); });
    assert_int_equal(failure.status, BMO_EINVAL);
    assert_string_equal(failure.argument.c_str(), "it");
}

void writing_fills_what_both_know(void **) {
    const Second ours{99, 1, 2, 3};
    struct {
        First first;
        std::int32_t behind;
    } older = {{sizeof(First), 0}, 77};
    bmo::write_struct(reinterpret_cast<Second *>(&older), ours);
    assert_int_equal(older.first.struct_size, sizeof(First));
    assert_int_equal(older.first.a, 1);
    assert_int_equal(older.behind, 77);
    Third newer{sizeof(Third), 0, 0, 0, 44, 55};
    bmo::write_struct(reinterpret_cast<Second *>(&newer), ours);
    assert_int_equal(newer.struct_size, sizeof(Third));
    assert_int_equal(newer.c, 3);
    assert_int_equal(newer.d, 44);
    assert_int_equal(newer.e, 55);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(an_older_struct_reads_as_zeros_beyond_its_end),
        cmocka_unit_test(the_same_version_reads_whole),
        cmocka_unit_test(a_newer_struct_needs_a_zero_tail),
        cmocka_unit_test(an_impossible_size_is_refused),
        cmocka_unit_test(writing_fills_what_both_know),
    };
    return cmocka_run_group_tests_name("structs", tests, nullptr, nullptr);
}

} // namespace structs_test
