// .fvecs, .bvecs and .ivecs files, written byte by byte.
#include "cmocka.hpp"

#include <limits>
#include <vector>

#include "gzip_bytes.hpp"
#include "npy_bytes.hpp"
#include "opening.hpp"
#include "scratch.hpp"

namespace vecs_test {

template <class T>
std::string vector_of(std::initializer_list<T> values) {
    return raw<std::int32_t>({static_cast<std::int32_t>(values.size())}) + raw<T>(values);
}

const std::string floats = vector_of<float>({1.5F, -2, 3}) + vector_of<float>({4, 5, -6.25F});
const std::string bytes = vector_of<std::uint8_t>({0, 1, 255}) + vector_of<std::uint8_t>({7, 8, 9});
const std::string integers = vector_of<std::int32_t>({-1, 2, 16777216}) + vector_of<std::int32_t>({4, -5, 6});

void expect(const std::string &content, const char *name, bmo_dtype dtype, const std::vector<double> &values) {
    const Scratch scratch;
    for (const bool borrow : {false, true})
        assert_int_equal(expect_two_points(scratch.file(content, name), borrow, dtype, values)->bytes_borrowed, 0);
}

void files_of_each_type(void **) {
    expect(floats, "a.fvecs", BMO_F32, {1.5, -2, 3, 4, 5, -6.25});
    expect(bytes, "a.bvecs", BMO_U8, {0, 1, 255, 7, 8, 9});
    expect(integers, "a.ivecs", BMO_F32, {-1, 2, 16777216, 4, -5, 6});
    const std::string large = vector_of<std::int32_t>({std::numeric_limits<std::int32_t>::min(), 2, 16777217}) +
                              vector_of<std::int32_t>({std::numeric_limits<std::int32_t>::max(), 0, 0});
    expect(large, "a.ivecs", BMO_F64, {-2147483648.0, 2, 16777217, 2147483647, 0, 0});
    expect(zipped(floats), "a.fvecs.gz", BMO_F32, {1.5, -2, 3, 4, 5, -6.25});
    expect(zipped(bytes.substr(0, 5)) + zipped(bytes.substr(5)), "a.bvecs.gz", BMO_U8, {0, 1, 255, 7, 8, 9});
    expect(floats, "A.FVECS", BMO_F32, {1.5, -2, 3, 4, 5, -6.25});
    expect(zipped(bytes), "A.BVecs.GZ", BMO_U8, {0, 1, 255, 7, 8, 9});
    expect(zipped(floats), "compressed.fvecs", BMO_F32, {1.5, -2, 3, 4, 5, -6.25}); // whatever the name says of that
}

bmo_status status_of_vecs(const std::string &content, const char *name = "a.fvecs") {
    const Scratch scratch;
    return status_of(scratch.file(content, name));
}

void files_cut_anywhere(void **) {
    for (const auto &[content, name] : {std::pair{floats, "a.fvecs"}, {bytes, "a.bvecs"}, {integers, "a.ivecs"}}) {
        for (std::size_t size = 0; size < content.size(); ++size)
            if (size != content.size() / 2) // the end of a vector
                assert_int_equal(status_of_vecs(content.substr(0, size), name), BMO_EFORMAT);
        const std::string packed = zipped(content);
        for (std::size_t size = 0; size < packed.size(); ++size)
            assert_int_equal(status_of_vecs(packed.substr(0, size), name), BMO_EFORMAT);
        assert_int_equal(status_of_vecs(content, name), BMO_OK);
    }
}

void malformed_files(void **) {
    const std::string zero = raw<std::int32_t>({0}), negative = raw<std::int32_t>({-3}),
                      huge = raw<std::int32_t>({std::numeric_limits<std::int32_t>::max()});
    for (const std::string &content :
         {zero, negative, huge, floats + zero, floats + negative, floats + huge, floats + vector_of<float>({1, 2}),
          floats + vector_of<float>({1, 2, 3, 4}), huge + std::string(1 << 16, '\1')}) {
        assert_int_equal(status_of_vecs(content), BMO_EFORMAT);
        assert_int_equal(status_of_vecs(zipped(content)), BMO_EFORMAT);
    }
    const Scratch scratch;
    const bmo::Failure cut =
        failure_of([&] { open_file(scratch.file(std::string("\x3c\0\0\0", 4) + "0123456789", "a.fvecs"), false); });
    assert_non_null(strstr(cut.message.c_str(), "length 60, but at most 14 bytes follow"));
    assert_int_equal(status_of_vecs(floats, "a.vecs"), BMO_EFORMAT);
    assert_int_equal(status_of_vecs(floats, "fvecs"), BMO_EFORMAT);
    assert_int_equal(status_of_vecs(small_npy(), "a.fvecs"), BMO_OK); // the first bytes of .npy tell
}

void bad_values_are_named_with_their_place(void **) {
    const Scratch scratch;
    const std::string content = floats + vector_of<float>({0, std::numeric_limits<float>::infinity(), 0});
    const bmo::Failure failure = open_failure(scratch.file(content, "a.fvecs"));
    assert_int_equal(failure.status, BMO_ENONFINITE);
    assert_int_equal(failure.row, 2);
    assert_int_equal(failure.col, 1);
}

void a_request_stops_reading(void **) {
    const Scratch scratch;
    const auto flag = std::make_shared<bmo::CancelFlag>();
    flag->request();
    bmo::Watch watch(nullptr, nullptr, 0, flag);
    assert_int_equal(failure_of([&] { bmo::open_dataset(scratch.file(floats, "a.fvecs"), false, watch); }).status,
                     BMO_ECANCELED);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(files_of_each_type),      cmocka_unit_test(files_cut_anywhere),
        cmocka_unit_test(malformed_files),         cmocka_unit_test(bad_values_are_named_with_their_place),
        cmocka_unit_test(a_request_stops_reading),
    };
    return cmocka_run_group_tests_name("vecs", tests, nullptr, nullptr);
}

} // namespace vecs_test
