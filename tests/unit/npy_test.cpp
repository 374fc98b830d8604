#include "cmocka.hpp"

#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "npy_bytes.hpp"
#include "opening.hpp"
#include "scratch.hpp"

namespace npy_test {

void expect(const std::string &path, std::int64_t n, std::int64_t d, bmo_dtype dtype,
            const std::vector<double> &values) {
    for (const bool borrow : {false, true}) {
        const auto dataset = open_file(path, borrow);
        assert_int_equal(dataset->n(), n);
        assert_int_equal(dataset->d(), d);
        assert_int_equal(dataset->dense.dtype, dtype);
        assert_true(values_of(*dataset) == values);
    }
}

std::string fixture(const std::string &name) {
    return TEST_DATA "/npy/" + name;
}

std::vector<double> tens_and_ones() {
    return {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
}

void files_that_numpy_wrote(void **) {
    for (const char *name : {"f4_c", "f4_f", "i4_c", "i4_f", "i8_c", "i8_f", "version2", "version3"})
        expect(fixture(std::string(name) + ".npy"), 3, 4, BMO_F32, tens_and_ones());
    expect(fixture("big_endian.npy"), 3, 4, BMO_F32, tens_and_ones());
    expect(fixture("half.npy"), 3, 4, BMO_F16, tens_and_ones());
    for (const char *name : {"f8_c", "f8_f"})
        expect(fixture(std::string(name) + ".npy"), 3, 4, BMO_F64, tens_and_ones());
    for (const char *name : {"u1_c", "u1_f"})
        expect(fixture(std::string(name) + ".npy"), 3, 4, BMO_U8, tens_and_ones());
    expect(fixture("bool_c.npy"), 3, 4, BMO_U8, {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1});
    expect(fixture("one_point.npy"), 1, 4, BMO_F32, {10, 11, 12, 13});
    expect(fixture("no_points.npy"), 0, 4, BMO_F32, {});
}

void files_of_numpy_that_are_refused(void **) {
    for (const char *name : {"no_coordinates", "three_axes", "no_axes", "complex", "unicode", "object", "records"})
        assert_int_equal(status_of(fixture(std::string(name) + ".npy")), BMO_EUNSUPPORTED);
    const auto refusal = [](const std::string &name) {
        return failure_of([&] { open_file(fixture(name + ".npy"), false); }).message;
    };
    assert_non_null(strstr(refusal("complex").c_str(), "'<c8'"));
    assert_null(strstr(refusal("complex").c_str(), "astype"));
    assert_non_null(
        strstr(failure_of([&] { open_file(fixture("records.npy"), false); }).message.c_str(), "('a', '<f4')"));
}

void headers_in_other_words(void **) {
    const Scratch scratch;
    const std::string values = raw<float>({1, 2, 3, 4, 5, 6});
    for (const char *dictionary : {
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
             "{'descr':'<f4','fortran_order':False,'shape':(2,3)}",
             "  { \"shape\" : ( 2 , 3 , ) ,\n\t'fortran_order' : False , 'descr' : \"<f4\" , }   \n",
             "{'shape': (2L, 3L), 'descr': '<f4', 'fortran_order': False}",
             "{'shape': (0000002, 3), 'descr': '<f4', 'fortran_order': False}",
         })
        for (const char version : {'\1', '\2', '\3'})
            expect(scratch.file(npy_file(dictionary, values, version)), 2, 3, BMO_F32, {1, 2, 3, 4, 5, 6});
    expect(scratch.file(npy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", values)), 2, 3, BMO_F32,
           {1, 3, 5, 2, 4, 6});
    expect(scratch.file(npy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (6,)}", values)), 1, 6, BMO_F32,
           {1, 2, 3, 4, 5, 6});
}

// cnpy, NPZ.jl and npy-matlab mark the order of single bytes, and others leave the mark out.
void marks_of_the_order_of_bytes(void **) {
    const Scratch scratch;
    const auto header = [](const std::string &descr) {
        return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (2, 3)}";
    };
    const std::string bytes = raw<std::uint8_t>({0, 1, 1, 0, 1, 0});
    for (const char *mark : {"", "<", ">", "=", "|"})
        for (const char *type : {"u1", "b1"})
            expect(scratch.file(npy_file(header(mark + std::string(type)), bytes)), 2, 3, BMO_U8, {0, 1, 1, 0, 1, 0});
    const std::string floats = raw<float>({1, 2, 3, 4, 5, 6}), doubles = raw<double>({1, 2, 3, 4, 5, 6}),
                      integers = raw<std::int32_t>({1, 2, 3, 4, 5, 6});
    for (const std::string mark : {"", "<", "=", "|"}) {
        expect(scratch.file(npy_file(header(mark + "f4"), floats)), 2, 3, BMO_F32, {1, 2, 3, 4, 5, 6});
        expect(scratch.file(npy_file(header(mark + "f8"), doubles)), 2, 3, BMO_F64, {1, 2, 3, 4, 5, 6});
        expect(scratch.file(npy_file(header(mark + "i4"), integers)), 2, 3, BMO_F32, {1, 2, 3, 4, 5, 6});
    }
    for (const char *descr : {"<<f4", "==u1", "<u8", "<f16", "u11", "", "<", "<4f"})
        assert_int_equal(status_of(scratch.file(npy_file(header(descr), floats))), BMO_EUNSUPPORTED);
    const std::string wide =
        failure_of([&] { open_file(scratch.file(npy_file(header("<u8"), floats)), false); }).message;
    assert_non_null(strstr(wide.c_str(), "x.astype(\"<i8\")"));
}

// Of each type of more than a byte, in both orders of bytes and both of the array.
template <class T>
void type_in_both_orders(const std::string &type, std::initializer_list<T> stored, bmo_dtype dtype,
                         const std::vector<double> &values) {
    const Scratch scratch;
    const std::string little = raw<T>(stored);
    std::string big;
    for (std::size_t at = 0; at < little.size(); at += sizeof(T))
        big.append(little.rend() - static_cast<std::ptrdiff_t>(at + sizeof(T)),
                   little.rend() - static_cast<std::ptrdiff_t>(at));
    const std::vector<double> turned = {values[0], values[3], values[1], values[4], values[2], values[5]};
    for (const auto &[mark, bytes] : {std::pair{"<", little}, {">", big}}) {
        const std::string start = std::string("{'descr': '") + mark + type + "', 'fortran_order': ";
        expect(scratch.file(npy_file(start + "False, 'shape': (2, 3)}", bytes)), 2, 3, dtype, values);
        expect(scratch.file(npy_file(start + "True, 'shape': (3, 2)}", bytes)), 3, 2, dtype, turned);
    }
}

void types_in_both_orders_of_bytes(void **) {
    type_in_both_orders<float>("f4", {1, 2.5F, -3, 4, 5, 6e30F}, BMO_F32,
                               {1, 2.5, -3, 4, 5, static_cast<double>(6e30F)});
    type_in_both_orders<double>("f8", {1, 2.1, -3, 4, 5, 6e300}, BMO_F64, {1, 2.1, -3, 4, 5, 6e300});
    type_in_both_orders<std::uint16_t>("f2", {0x3c00, 0xc000, 1, 0x7bff, 0, 0x3555}, BMO_F16,
                                       {1, -2, 0x1p-24, 65504, 0, 0x555p-12});
    type_in_both_orders<std::int16_t>("i2", {1, -2, 32767, -32768, 5, 6}, BMO_F32, {1, -2, 32767, -32768, 5, 6});
    type_in_both_orders<std::uint16_t>("u2", {1, 2, 65535, 32768, 5, 6}, BMO_F32, {1, 2, 65535, 32768, 5, 6});
    type_in_both_orders<std::int32_t>("i4", {1, -2, 16777217, 4, 5, 6}, BMO_F64, {1, -2, 16777217, 4, 5, 6});
    type_in_both_orders<std::uint32_t>("u4", {1, 2, 4294967295U, 4, 5, 6}, BMO_F64, {1, 2, 4294967295.0, 4, 5, 6});
    type_in_both_orders<std::int64_t>("i8", {1, -2, 3, 4, 5, 6}, BMO_F32, {1, -2, 3, 4, 5, 6});
    type_in_both_orders<std::int8_t>("i1", {1, -2, 127, -128, 5, 6}, BMO_I8, {1, -2, 127, -128, 5, 6});
}

void malformed_headers(void **) {
    const Scratch scratch;
    for (const char *dictionary : {
             "",
             "{",
             "}",
             "{}",
             "[]",
             "{'descr': '<f4', 'fortran_order': False}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3",
             "{'descr': '<f4', 'fortran_order': False, 'shape': 6}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3.0)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'shape': (2, 3)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
             "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x",
             "{'fortran_order': False, 'shape': (2, 3), 'descr': '<f4}",
             "{'descr': <f4, 'fortran_order': False, 'shape': (2, 3)}",
             "{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}",
             "{,}",
         })
        assert_int_equal(status_of(scratch.file(npy_file(dictionary, raw<float>({1, 2, 3, 4, 5, 6})))), BMO_EFORMAT);
}

void sizes_beyond_the_file_or_64_bits(void **) {
    const Scratch scratch;
    const struct {
        const char *shape;
        bmo_status status;
    } cases[] = {{"(2, 4)", BMO_EFORMAT},
                 {"(2147483647, 3)", BMO_EFORMAT},
                 {"(2147483648, 3)", BMO_EOVERFLOW},
                 {"(3, 768614336404564650)", BMO_EOVERFLOW},
                 {"(4294967296, 4294967296)", BMO_EOVERFLOW},
                 {"(2305843009213693952, 1)", BMO_EOVERFLOW},
                 {"(9223372036854775807, 9223372036854775807)", BMO_EOVERFLOW},
                 {"(9223372036854775808, 1)", BMO_EOVERFLOW},
                 {"(99999999999999999999999999, 1)", BMO_EOVERFLOW},
                 {"(2, 2)", BMO_EFORMAT}, // bytes are left over
                 {"(0, 3)", BMO_EFORMAT}};
    for (const auto &[shape, status] : cases)
        for (const char *order : {"False", "True"}) {
            const std::string dictionary =
                std::string("{'descr': '<f4', 'fortran_order': ") + order + ", 'shape': " + shape + "}";
            assert_int_equal(status_of(scratch.file(npy_file(dictionary, raw<float>({1, 2, 3, 4, 5, 6})))), status);
        }
}

void headers_of_no_known_kind(void **) {
    const Scratch scratch;
    for (const char version : {'\0', '\4', 'M'})
        assert_int_equal(status_of(scratch.file(npy_file("{}", "", version))), BMO_EUNSUPPORTED);
    std::string minor = small_npy();
    minor[7] = 1;
    assert_int_equal(status_of(scratch.file(minor)), BMO_EUNSUPPORTED);
    std::string long_header = npy_file("{}", "", 2);
    long_header[11] = '\x7f'; // two billion bytes
    assert_int_equal(status_of(scratch.file(long_header)), BMO_EFORMAT);
    for (const char *text : {"1,2,3\n", "NUMPY", "\x93NUMPX\x01", "PK\x03\x04", " "})
        assert_int_equal(status_of(scratch.file(text)), BMO_EFORMAT);
}

void files_cut_anywhere(void **) {
    const Scratch scratch;
    const std::string whole = small_npy();
    for (std::size_t size = 0; size < whole.size(); ++size)
        assert_int_equal(status_of(scratch.file(whole.substr(0, size))), BMO_EFORMAT);
    assert_int_equal(status_of(scratch.file(whole)), BMO_OK);
    assert_int_equal(status_of(scratch.file(whole + '\0')), BMO_EFORMAT);
}

void paths_that_are_no_file(void **) {
    const Scratch scratch;
    const std::string pipe = (scratch.directory() / "pipe").string();
    assert_int_equal(mkfifo(pipe.c_str(), 0600), 0);
    for (const std::string &path : {scratch.directory().string(), (scratch.directory() / "absent").string(), pipe,
                                    std::string("/dev/null"), std::string("/dev/zero"), std::string()})
        assert_int_equal(status_of(path), BMO_EIO);
    const std::string secret = scratch.file(small_npy());
    chmod(secret.c_str(), 0);
    assert_int_equal(status_of(secret), geteuid() == 0 ? BMO_OK : BMO_EIO);
}

void a_plain_file_is_mapped_when_borrowed(void **) {
    const auto mapped = open_file(fixture("f4_f.npy"), true), read = open_file(fixture("f4_f.npy"), false);
    assert_int_equal(mapped->bytes_borrowed, 48);
    assert_int_equal(mapped->bytes_owned, 0);
    assert_int_equal(mapped->dense.point_stride, 1);
    assert_int_equal(mapped->dense.coord_stride, 3);
    assert_int_equal(read->bytes_borrowed, 0);
    assert_int_equal(read->bytes_owned, 48);
    assert_int_equal(read->dense.point_stride, 4);
}

void values_off_their_boundary_are_read(void **) {
    const Scratch scratch;
    for (const char *space : {"", " ", "  ", "   "}) {
        const std::string dictionary = std::string("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)}") + space;
        const auto dataset = open_file(scratch.file(npy_file(dictionary, raw<double>({1, 2}))), true);
        assert_int_equal(reinterpret_cast<std::uintptr_t>(dataset->dense.data) % sizeof(double), 0);
        assert_true(values_of(*dataset) == std::vector<double>({1, 2}));
    }
}

void a_mapping_outlives_the_name_of_the_file(void **) {
    std::shared_ptr<const bmo::Dataset> dataset;
    {
        const Scratch scratch;
        dataset = open_file(scratch.file(small_npy() /* 71 bytes of header */, "x"), true);
    }
    assert_true(values_of(*dataset) == std::vector<double>({1, 2, 3, 4, 5, 6}));
}

void bad_values_are_named_with_their_place(void **) {
    const Scratch scratch;
    const float infinity = __builtin_inff();
    const std::string nonfinite =
        npy_file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3)}", raw<float>({1, 2, 3, infinity, 5, 6}));
    const std::string large = npy_file("{'descr': '<i8', 'fortran_order': False, 'shape': (2, 1)}",
                                       raw<std::int64_t>({1, (std::int64_t(1) << 53) + 1}));
    for (const bool borrow : {false, true}) {
        const bmo::Failure failure = failure_of([&] { open_file(scratch.file(nonfinite), borrow); });
        assert_int_equal(failure.status, BMO_ENONFINITE);
        assert_int_equal(failure.row, 1);
        assert_int_equal(failure.col, 1);
        assert_int_equal(failure_of([&] { open_file(scratch.file(large), borrow); }).row, 1);
    }
    assert_int_equal(status_of(scratch.file(nonfinite)), BMO_ENONFINITE);
    assert_int_equal(status_of(scratch.file(large)), BMO_EINVAL);
}

// Columns longer and shorter than the pieces in which they are read.
void large_files_by_column(void **) {
    const Scratch scratch;
    for (const auto &[n, d] : {std::pair<std::int64_t, std::int64_t>{3, 70000}, {3000000, 3}, {40000000, 2}}) {
        const std::string dictionary =
            "{'descr': '|u1', 'fortran_order': True, 'shape': (" + std::to_string(n) + ", " + std::to_string(d) + ")}";
        std::string values;
        for (std::int64_t j = 0; j < d; ++j)
            for (std::int64_t i = 0; i < n; ++i)
                values += static_cast<char>((i * 7 + j * 13) % 251);
        const auto dataset = open_file(scratch.file(npy_file(dictionary, values)), false);
        const auto *stored = static_cast<const std::uint8_t *>(dataset->dense.data);
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < d; ++j)
                wrong += stored[i * d + j] != (i * 7 + j * 13) % 251;
        assert_int_equal(wrong, 0);
    }
}

std::int32_t note_phases(void *ctx, const bmo_progress *progress) {
    static_cast<std::vector<bmo_progress> *>(ctx)->push_back(*progress);
    return 0;
}

void reading_reports_bytes(void **) {
    std::vector<bmo_progress> reports;
    bmo::Watch watch(note_phases, &reports, 1, nullptr);
    bmo::open_dataset(fixture("f8_f.npy"), false, watch);
    bmo_progress last_read = {};
    for (const bmo_progress &report : reports)
        if (report.phase == BMO_PHASE_READ)
            last_read = report;
    assert_int_equal(last_read.done, 3 * 4 * 8);
    assert_int_equal(last_read.total, 3 * 4 * 8);
    assert_int_equal(reports.back().phase, BMO_PHASE_CHECK);
}

void a_request_stops_reading(void **) {
    const auto flag = std::make_shared<bmo::CancelFlag>();
    flag->request();
    for (const bool borrow : {false, true}) {
        bmo::Watch watch(nullptr, nullptr, 0, flag);
        assert_int_equal(failure_of([&] { bmo::open_dataset(fixture("f4_c.npy"), borrow, watch); }).status,
                         BMO_ECANCELED);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(files_that_numpy_wrote),
        cmocka_unit_test(files_of_numpy_that_are_refused),
        cmocka_unit_test(headers_in_other_words),
        cmocka_unit_test(marks_of_the_order_of_bytes),
        cmocka_unit_test(types_in_both_orders_of_bytes),
        cmocka_unit_test(malformed_headers),
        cmocka_unit_test(sizes_beyond_the_file_or_64_bits),
        cmocka_unit_test(headers_of_no_known_kind),
        cmocka_unit_test(files_cut_anywhere),
        cmocka_unit_test(paths_that_are_no_file),
        cmocka_unit_test(a_plain_file_is_mapped_when_borrowed),
        cmocka_unit_test(values_off_their_boundary_are_read),
        cmocka_unit_test(a_mapping_outlives_the_name_of_the_file),
        cmocka_unit_test(bad_values_are_named_with_their_place),
        cmocka_unit_test(large_files_by_column),
        cmocka_unit_test(reading_reports_bytes),
        cmocka_unit_test(a_request_stops_reading),
    };
    return cmocka_run_group_tests_name("npy", tests, nullptr, nullptr);
}

} // namespace npy_test
