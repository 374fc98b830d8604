// .fbin, .u8bin and .i8bin files, written byte by byte.
#include "cmocka.hpp"

#include <limits>
#include <vector>

#include "gzip_bytes.hpp"
#include "npy_bytes.hpp"
#include "opening.hpp"
#include "scratch.hpp"

namespace bin_test {

const std::string sizes = raw<std::uint32_t>({2, 3});
const std::string floats = sizes + raw<float>({1.5F, -2, 3, 4, 5, -6.25F});
const std::string bytes = sizes + raw<std::uint8_t>({0, 1, 255, 7, 8, 9});
const std::string signed_bytes = sizes + raw<std::int8_t>({0, 1, -128, 127, -8, 9});

void expect(const std::string &content, const char *name, bmo_dtype dtype, const std::vector<double> &values) {
    const Scratch scratch;
    for (const bool borrow : {false, true})
        expect_two_points(scratch.file(content, name), borrow, dtype, values);
}

void files_of_each_type(void **) {
    const std::vector<double> halves = {1.5, -2, 3, 4, 5, -6.25}, small = {0, 1, 255, 7, 8, 9};
    expect(floats, "a.fbin", BMO_F32, halves);
    expect(bytes, "a.u8bin", BMO_U8, small);
    expect(signed_bytes, "a.i8bin", BMO_I8, {0, 1, -128, 127, -8, 9});
    expect(zipped(floats), "A.FBin.gz", BMO_F32, halves);
    expect(zipped(bytes), "a.u8bin", BMO_U8, small);
    const Scratch scratch;
    const auto none = open_file(scratch.file(raw<std::uint32_t>({0, 3}), "a.fbin"), false);
    assert_int_equal(none->n(), 0);
    assert_int_equal(none->d(), 3);
}

void a_plain_file_is_mapped_when_borrowed(void **) {
    const Scratch scratch;
    const std::string path = scratch.file(floats, "a.fbin");
    assert_int_equal(open_file(path, true)->bytes_borrowed, 24);
    assert_int_equal(open_file(path, false)->bytes_owned, 24);
}

bmo_status status_of_bin(const std::string &content, const char *name = "a.fbin") {
    const Scratch scratch;
    return status_of(scratch.file(content, name));
}

void files_cut_anywhere(void **) {
    for (const auto &[content, name] : {std::pair{floats, "a.fbin"}, {bytes, "a.u8bin"}, {signed_bytes, "a.i8bin"}}) {
        for (std::size_t size = 0; size < content.size(); ++size)
            assert_int_equal(status_of_bin(content.substr(0, size), name), BMO_EFORMAT);
        const std::string packed = zipped(content);
        for (std::size_t size = 0; size < packed.size(); ++size)
            assert_int_equal(status_of_bin(packed.substr(0, size), name), BMO_EFORMAT);
        assert_int_equal(status_of_bin(content, name), BMO_OK);
        assert_int_equal(status_of_bin(content + '\0', name), BMO_EFORMAT);
    }
}

void sizes_that_cannot_be(void **) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
    assert_int_equal(status_of_bin(raw<std::uint32_t>({2, 0})), BMO_EFORMAT);
    assert_int_equal(status_of_bin(raw<std::uint32_t>({most, 3})), BMO_EOVERFLOW);
    assert_int_equal(status_of_bin(raw<std::uint32_t>({3, most})), BMO_EOVERFLOW);
    assert_int_equal(status_of_bin(raw<std::uint32_t>({0x7fffffff, 0x7fffffff})), BMO_EOVERFLOW); // 2^64 bytes
    assert_int_equal(status_of_bin(raw<std::uint32_t>({0x7fffffff, 0x3fffffff})), BMO_EFORMAT);
    assert_int_equal(status_of_bin(zipped(raw<std::uint32_t>({0x7fffffff, 0x3fffffff}))), BMO_EFORMAT);
    const Scratch scratch;
    const bmo::Failure cut = open_failure(scratch.file(raw<std::uint32_t>({2, 3}) + "0123", "a.fbin"));
    assert_non_null(strstr(cut.message.c_str(), "2 points of 3 coordinates, 24 bytes, but the file has at most 4"));
}

void bad_values_are_named_with_their_place(void **) {
    const Scratch scratch;
    const std::string content = sizes + raw<float>({1, 2, 3, 4, std::numeric_limits<float>::infinity(), 6});
    const bmo::Failure failure = open_failure(scratch.file(content, "a.fbin"));
    assert_int_equal(failure.status, BMO_ENONFINITE);
    assert_int_equal(failure.row, 1);
    assert_int_equal(failure.col, 1);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(files_of_each_type),
        cmocka_unit_test(a_plain_file_is_mapped_when_borrowed),
        cmocka_unit_test(files_cut_anywhere),
        cmocka_unit_test(sizes_that_cannot_be),
        cmocka_unit_test(bad_values_are_named_with_their_place),
    };
    return cmocka_run_group_tests_name("bin", tests, nullptr, nullptr);
}

} // namespace bin_test
