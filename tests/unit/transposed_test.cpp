// Points that were coordinates.
#include "cmocka.hpp"

#include <vector>

#include "data/transposed.hpp"
#include "opening.hpp"
#include "scratch.hpp"

namespace transposed_test {

std::shared_ptr<const bmo::Dataset> turned(const std::string &path, bool borrow) {
    bmo::Watch watch;
    return bmo::transposed(open_file(path, borrow), path, borrow, watch);
}

const std::vector<double> columns = {1, 4, 0, 5, 3, 6};

void dense_points(void **) {
    const Scratch scratch;
    const std::string text = scratch.file("1,0,3\n4,5,6\n", "a.csv");
    for (const bool borrow : {false, true}) {
        const auto dataset = turned(text, borrow);
        assert_int_equal(dataset->n(), 3);
        assert_int_equal(dataset->d(), 2);
        assert_int_equal(dataset->dense.coord_stride, borrow ? 3 : 1);
        assert_int_equal(dataset->bytes_owned, 24);
        assert_true(dataset->max_abs == 6);
        assert_true(values_of(*dataset) == columns);
    }
    assert_true(values_of(*turned(scratch.file("1,2,3\n", "a.csv"), true)) == std::vector<double>({1, 2, 3}));
    assert_true(values_of(*turned(scratch.file("1\n2\n3\n", "a.csv"), true)) == std::vector<double>({1, 2, 3}));
}

void sparse_points(void **) {
    const Scratch scratch;
    const std::string path =
        scratch.file("%%MatrixMarket matrix coordinate integer general\n2 3 5\n1 1 1\n1 3 3\n2 1 4\n"
                     "2 2 5\n2 3 6\n",
                     "a.mtx");
    for (const bool borrow : {false, true}) {
        const auto dataset = turned(path, borrow);
        assert_true(dataset->kind == bmo::Kind::sparse);
        assert_int_equal(dataset->n(), 3);
        assert_int_equal(dataset->d(), 2);
        assert_int_equal(dataset->nnz(), 5);
        assert_int_equal(dataset->sparse.dtype, BMO_F32);
        assert_true(values_of(*dataset) == columns);
    }
    const auto empty = turned(scratch.file("%%MatrixMarket matrix coordinate real general\n2 3 0\n", "a.mtx"), false);
    assert_int_equal(empty->n(), 3);
    assert_int_equal(empty->nnz(), 0);
}

void no_rows(void **) {
    const Scratch scratch;
    const std::string path = scratch.file("%%MatrixMarket matrix coordinate real general\n0 3 0\n", "a.mtx");
    const bmo::Failure failure = failure_of([&] { turned(path, false); });
    assert_int_equal(failure.status, BMO_EFORMAT);
    assert_non_null(strstr(failure.message.c_str(), path.c_str()));
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(dense_points),
        cmocka_unit_test(sparse_points),
        cmocka_unit_test(no_rows),
    };
    return cmocka_run_group_tests_name("transposed", tests, nullptr, nullptr);
}

} // namespace transposed_test
