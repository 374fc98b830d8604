#include "cmocka.hpp"

#include <cstring>
#include <vector>

#include "gzip_bytes.hpp"
#include "npy_bytes.hpp"
#include "opening.hpp"
#include "scratch.hpp"

namespace gzip_test {

void expect_small(const std::string &path) {
    const auto dataset = open_file(path);
    assert_int_equal(dataset->n(), 2);
    assert_int_equal(dataset->d(), 3);
    std::vector<double> row(3);
    for (std::int64_t i = 0; i < 2; ++i) {
        bmo::load_point(dataset->dense, i, row.data());
        for (std::size_t j = 0; j < 3; ++j)
            assert_true(row[j] == static_cast<double>(3 * i + 1 + static_cast<std::int64_t>(j)));
    }
}

void files_that_python_compressed(void **) {
    for (const char *name : {"f4_c", "i8_f"}) {
        const auto dataset = open_file(std::string(TEST_DATA "/npy/") + name + ".npy.gz");
        assert_int_equal(dataset->n(), 3);
        assert_int_equal(dataset->dense.dtype, BMO_F32);
        assert_int_equal(dataset->bytes_borrowed, 0);
        std::vector<double> row(4);
        for (std::int64_t i = 0; i < 3; ++i) {
            bmo::load_point(dataset->dense, i, row.data());
            for (std::size_t j = 0; j < 4; ++j)
                assert_true(row[j] == static_cast<double>(10 * i + static_cast<std::int64_t>(j)));
        }
    }
}

void members_follow_one_another(void **) {
    const Scratch scratch;
    const std::string whole = small_npy();
    for (std::size_t cut = 0; cut <= whole.size(); ++cut)
        expect_small(scratch.file(zipped(whole.substr(0, cut)) + zipped("") + zipped(whole.substr(cut))));
    expect_small(scratch.file(zipped(whole) + std::string(100000, '\0')));
}

void files_cut_anywhere(void **) {
    const Scratch scratch;
    const std::string whole = zipped(small_npy());
    for (std::size_t size = 0; size < whole.size(); ++size)
        assert_int_equal(status_of(scratch.file(whole.substr(0, size))), BMO_EFORMAT);
    assert_int_equal(status_of(scratch.file(whole)), BMO_OK);
}

void a_flipped_bit_is_noticed(void **) {
    const Scratch scratch;
    const std::string whole = zipped(small_npy());
    constexpr std::size_t header = 10; // flags and times of the header may change
    for (std::size_t at = header; at < whole.size(); ++at)
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            const std::string path = scratch.file(damaged);
            if (status_of(path) == BMO_OK) // a bit that stands for nothing
                expect_small(path);
        }
}

void what_follows_the_end_is_refused(void **) {
    const Scratch scratch;
    const std::string whole = zipped(small_npy());
    for (const std::string &tail : {std::string("x"), std::string("\0\0x", 3), std::string("\x1f\x8b"), zipped("x")})
        assert_int_equal(status_of(scratch.file(whole + tail)), BMO_EFORMAT);
}

void content_of_no_known_kind(void **) {
    const Scratch scratch;
    for (const std::string &content : {std::string(), std::string("1 2 3"), zipped(small_npy())})
        assert_int_equal(status_of(scratch.file(zipped(content))), BMO_EFORMAT);
}

// What deflate cannot hold is refused before memory is taken: 64 TiB here, which would be std::bad_alloc.
void announced_sizes_beyond_the_ratio_of_deflate(void **) {
    const Scratch scratch;
    const std::string shape = "'shape': (8388608, 8388608)}";
    const std::string bomb = npy_file("{'descr': '|u1', 'fortran_order': False, " + shape, std::string(1 << 20, '\0'));
    const bmo::Failure failure = failure_of([&] { open_file(scratch.file(zipped(bomb))); });
    assert_int_equal(failure.status, BMO_EFORMAT);
    assert_non_null(strstr(failure.message.c_str(), "70368744177664 bytes"));
}

// The densest that deflate gets, close to 1,032 to 1, is read.
void zeros_of_the_highest_ratio(void **) {
    const Scratch scratch;
    const std::string zeros =
        npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (8192, 8192)}", std::string(1 << 26, '\0'));
    const std::string small = zipped(zeros);
    assert_true(small.size() * 1000 < zeros.size());
    const auto dataset = open_file(scratch.file(small));
    assert_int_equal(dataset->n(), 8192);
    assert_true(dataset->max_abs == 0);
}

void a_request_stops_unpacking(void **) {
    const auto flag = std::make_shared<bmo::CancelFlag>();
    flag->request();
    bmo::Watch watch(nullptr, nullptr, 0, flag);
    assert_int_equal(failure_of([&] { bmo::open_dataset(TEST_DATA "/npy/f4_c.npy.gz", false, watch); }).status,
                     BMO_ECANCELED);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(files_that_python_compressed),
        cmocka_unit_test(members_follow_one_another),
        cmocka_unit_test(files_cut_anywhere),
        cmocka_unit_test(a_flipped_bit_is_noticed),
        cmocka_unit_test(what_follows_the_end_is_refused),
        cmocka_unit_test(content_of_no_known_kind),
        cmocka_unit_test(announced_sizes_beyond_the_ratio_of_deflate),
        cmocka_unit_test(zeros_of_the_highest_ratio),
        cmocka_unit_test(a_request_stops_unpacking),
    };
    return cmocka_run_group_tests_name("gzip", tests, nullptr, nullptr);
}

} // namespace gzip_test
