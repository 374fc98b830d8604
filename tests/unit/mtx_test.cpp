// MatrixMarket files, against the matrices that they are defined to mean.
#include "cmocka.hpp"

#include <clocale>
#include <cstdlib>
#include <limits>
#include <locale>
#include <vector>

#include "gzip_bytes.hpp"
#include "opening.hpp"
#include "scratch.hpp"

namespace mtx_test {

struct Expected {
    std::int64_t n, d;
    bmo_dtype dtype;
    std::vector<double> values; // row-major
    bool sparse = true;
};

Expected dense(Expected expected) {
    expected.sparse = false;
    return expected;
}

std::shared_ptr<const bmo::Dataset> open_text(const std::string &bytes) {
    const Scratch scratch;
    return open_file(scratch.file(bytes));
}

bmo_status status_of_text(const std::string &bytes) {
    const Scratch scratch;
    return status_of(scratch.file(bytes));
}

void expect(const std::string &bytes, const Expected &expected) {
    const auto dataset = open_text(bytes);
    const bool sparse = expected.sparse;
    assert_true((dataset->kind == bmo::Kind::sparse) == sparse);
    assert_int_equal(dataset->n(), expected.n);
    assert_int_equal(dataset->d(), expected.d);
    assert_int_equal(sparse ? dataset->sparse.dtype : dataset->dense.dtype, expected.dtype);
    assert_true(values_of(*dataset) == expected.values);
    double largest = 0;
    std::int64_t present = 0;
    for (const double value : expected.values) {
        largest = std::max(largest, std::abs(value));
        present += value != 0;
    }
    assert_true(dataset->max_abs == largest);
    assert_int_equal(dataset->nnz(), sparse ? present : expected.n * expected.d);
    assert_int_equal(dataset->bytes_borrowed, 0);
}

std::string banner(const std::string &words) {
    return "%%MatrixMarket matrix " + words + "\n";
}

const std::string real_coordinates = banner("coordinate real general") + "2 3 4\n1 1 1.5\n2 3 -2e1\n1 3 .25\n2 1 +4\n";
const Expected real_meaning{2, 3, BMO_F32, {1.5, 0, 0.25, 4, 0, -20}};

void coordinates_of_each_field(void **) {
    expect(real_coordinates, real_meaning);
    expect(banner("coordinate double general") + "1 2 1\n1 2 2.5\n", {1, 2, BMO_F32, {0, 2.5}});
    expect(banner("coordinate integer general") + "2 2 2\n2 1 -7\n1 2 +3\n", {2, 2, BMO_F32, {0, 3, -7, 0}});
    expect(banner("coordinate pattern general") + "2 2 3\n2 1\n1 2\n2 2\n", {2, 2, BMO_F32, {0, 1, 1, 1}});
    expect(banner("coordinate real general") + "3 2 0\n", {3, 2, BMO_F32, {0, 0, 0, 0, 0, 0}});
    expect(banner("coordinate real general") + "0 2 0\n", {0, 2, BMO_F32, {}});
}

// As scipy.io.mmwrite() names the type of uint32 and uint64, and as others name float.
void fields_in_other_words(void **) {
    for (const char *field : {"integer", "unsigned-integer", "unsigned", "Unsigned-Integer"}) {
        expect(banner(std::string("coordinate ") + field + " general") + "2 2 2\n2 1 7\n1 2 3\n",
               {2, 2, BMO_F32, {0, 3, 7, 0}});
        assert_int_equal(status_of_text(banner(std::string("coordinate ") + field + " general") +
                                        "1 1 1\n1 1 18446744073709551615\n"),
                         BMO_EINVAL);
        assert_int_equal(status_of_text(banner(std::string("array ") + field + " general") + "1 1\n1.5\n"),
                         BMO_EFORMAT);
    }
    expect(banner("coordinate float general") + "1 2 1\n1 2 2.5\n", {1, 2, BMO_F32, {0, 2.5}});
    assert_int_equal(status_of_text(banner("coordinate complex general") + "1 1 1\n1 1 1 0\n"), BMO_EUNSUPPORTED);
}

void banners_in_other_forms(void **) {
    const std::string rest = "MatrixMarket matrix coordinate real general\n1 2 1\n1 2 2.5\n";
    for (const char *start : {"%%", "%", "  %%", "\t%", "\n%%", "\r\n %"})
        expect(start + rest, {1, 2, BMO_F32, {0, 2.5}});
    expect("%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL\n1 2 1\n1 2 2.5\n", {1, 2, BMO_F32, {0, 2.5}});
    expect(zipped("  %" + rest), {1, 2, BMO_F32, {0, 2.5}});
    for (const char *start : {"", "%%%", "% ", "x%%"})
        assert_int_equal(status_of_text(start + rest), BMO_EFORMAT);
}

void arrays_of_each_field_go_by_column(void **) {
    expect(banner("array real general") + "2 3\n1\n2\n3\n4.5\n5\n-6\n", dense({2, 3, BMO_F32, {1, 3, 5, 2, 4.5, -6}}));
    expect(banner("array integer general") + "2 1\n-1\n2\n", dense({2, 1, BMO_F32, {-1, 2}}));
    expect(banner("array real general") + "0 2\n", dense({0, 2, BMO_F32, {}}));
}

void one_triangle_stands_for_both(void **) {
    expect(banner("coordinate real symmetric") + "3 3 3\n1 1 5\n3 1 2.5\n3 2 -1\n",
           {3, 3, BMO_F32, {5, 0, 2.5, 0, 0, -1, 2.5, -1, 0}});
    expect(banner("coordinate real skew-symmetric") + "3 3 2\n2 1 4\n3 2 -1\n",
           {3, 3, BMO_F32, {0, -4, 0, 4, 0, 1, 0, -1, 0}});
    expect(banner("coordinate pattern symmetric") + "2 2 2\n1 1\n2 1\n", {2, 2, BMO_F32, {1, 1, 1, 0}});
    expect(banner("array real symmetric") + "3 3\n1\n2\n3\n4\n5\n6\n",
           dense({3, 3, BMO_F32, {1, 2, 3, 2, 4, 5, 3, 5, 6}}));
    expect(banner("array integer skew-symmetric") + "3 3\n1\n2\n3\n",
           dense({3, 3, BMO_F32, {0, -1, -2, 1, 0, -3, 2, 3, 0}}));
    expect(banner("array real skew-symmetric") + "1 1\n", dense({1, 1, BMO_F32, {0}}));
}

void entries_mean_their_matrix(void **) {
    const std::string head = banner("coordinate real general") + "2 2 ";
    expect(head + "3\n1 2 1.5\n2 1 1\n1 2 2\n", {2, 2, BMO_F32, {0, 3.5, 1, 0}}); // repeated: summed
    expect(head + "3\n1 2 1.5\n2 1 0\n1 2 -1.5\n", {2, 2, BMO_F32, {0, 0, 0, 0}});
    expect(head + "1\n1 1 -0.0\n", {2, 2, BMO_F32, {0, 0, 0, 0}});
    expect(banner("coordinate pattern general") + "1 2 3\n1 2\n1 2\n1 2\n", {1, 2, BMO_F32, {0, 3}});
}

void float_where_that_is_exact(void **) {
    const std::string head = banner("coordinate real general") + "1 2 2\n1 1 0.5\n1 2 ";
    expect(head + "16777216\n", {1, 2, BMO_F32, {0.5, 16777216}});
    expect(head + "16777217\n", {1, 2, BMO_F64, {0.5, 16777217}});
    expect(head + "0.1\n", {1, 2, BMO_F64, {0.5, 0.1}});
    expect(head + "1e39\n", {1, 2, BMO_F64, {0.5, 1e39}});
    expect(banner("array real general") + "1 2\n0.5\n0.1\n", dense({1, 2, BMO_F64, {0.5, 0.1}}));
    expect(banner("array integer general") + "1 1\n9007199254740992\n", dense({1, 1, BMO_F32, {9007199254740992.0}}));
}

void layouts_that_programs_write(void **) {
    std::string crlf;
    for (const char letter : real_coordinates)
        crlf += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
    expect(crlf, real_meaning);
    expect(real_coordinates.substr(0, real_coordinates.size() - 1), real_meaning); // no end of the last line
    expect(banner("coordinate real general") +
               "% a comment\n%\n\n  \t\n 2\t3  4 \n1 1 1.5\n\n% another\n2  3\t-20\n  1 3 0.25\n2 1 4\n\n",
           real_meaning);
    expect("%%MatrixMarket MATRIX Coordinate REAL General\n1 1 1\n1 1 2\n", {1, 1, BMO_F32, {2}});
    const std::string longest(60000, ' ');
    expect(banner("coordinate real general") + "1 1 1\n1 1" + longest + "7\n%" + longest + "\n", {1, 1, BMO_F32, {7}});
}

void compressed_in_members_cut_anywhere(void **) {
    for (std::size_t cut = 0; cut <= real_coordinates.size(); ++cut)
        expect(zipped(real_coordinates.substr(0, cut)) + zipped("") + zipped(real_coordinates.substr(cut)),
               real_meaning);
}

// More than one piece of what is read at a time, so that lines lie across pieces.
void many_entries(void **) {
    constexpr std::int64_t n = 700, d = 100;
    std::string bytes = banner("coordinate integer general") + "700 100 35000\n";
    std::vector<double> values(n * d, 0);
    for (std::int64_t at = n * d - 2; at >= 0; at -= 2) {
        const std::int64_t value = at * 7919 % 100003 - 50000;
        bytes += std::to_string(at / d + 1) + " " + std::to_string(at % d + 1) + " " + std::to_string(value) + "\n";
        values[static_cast<std::size_t>(at)] = static_cast<double>(value);
    }
    assert_true(bytes.size() > 4 << 16);
    expect(bytes, {n, d, BMO_F32, values});
    expect(zipped(bytes), {n, d, BMO_F32, values});
}

void numbers_as_they_are_written(void **) {
    const std::string head = banner("array real general") + "1 1\n", zeros(400, '0');
    const struct {
        std::string word;
        double value;
    } words[] = {{"1", 1},
                 {"-0", 0},
                 {"+1.5E+2", 150},
                 {"1e-3", 1e-3},
                 {".5", 0.5},
                 {"5.", 5},
                 {"9007199254740993", 9007199254740992.0}, // halfway: to even
                 {"4.9406564584124654e-324", std::numeric_limits<double>::denorm_min()},
                 {"1.7976931348623157e308", std::numeric_limits<double>::max()},
                 {"1e-400", 0},
                 {"-1e-99999999999999999999", 0},
                 {"0." + zeros + "1", 0},
                 {"0." + zeros + "1e401", 1},
                 {"1" + zeros + "e-400", 1},
                 {"0e999", 0}};
    for (const auto &[word, value] : words) {
        const auto dataset = open_text(head + word + "\n");
        assert_true(values_of(*dataset) == std::vector<double>{value});
    }
    for (const std::string &word : {std::string("1e309"), std::string("-1e99999999999999999999"), "1" + zeros,
                                    "1" + zeros + "e-5", std::string("inf"), std::string("-Inf"), std::string("nan")})
        assert_int_equal(status_of_text(head + word + "\n"), BMO_ENONFINITE);
    for (const char *word : {"1,5", "0x10", "1.5.5", "1e", "e5", "--1", "+-1", "1_000", "one", "1d5", ".", "-"})
        assert_int_equal(status_of_text(head + word + "\n"), BMO_EFORMAT);
}

void integers_are_exact_or_refused(void **) {
    const std::string head = banner("coordinate integer general") + "1 2 1\n1 2 ";
    for (const char *word : {"9007199254740993", "-9007199254740993", "99999999999999999999"})
        assert_int_equal(status_of_text(head + word + "\n"), BMO_EINVAL);
    for (const char *word : {"1.0", "1e3", "0x1", ""})
        assert_int_equal(status_of_text(head + word + "\n"), BMO_EFORMAT);
    const std::string twice = banner("coordinate integer general") + "1 2 2\n1 2 9007199254740992\n1 2 1\n";
    assert_int_equal(status_of_text(twice), BMO_EINVAL);
    assert_int_equal(status_of_text(banner("coordinate real general") + "1 1 2\n1 1 1.7e308\n1 1 1.7e308\n"),
                     BMO_ENONFINITE);
}

// What C and C++ call the decimal separator changes nothing.
struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

void numbers_in_a_locale_with_commas(void **) {
    const Scratch scratch;
    const std::string made = (scratch.directory() / "de_DE.UTF-8").string();
    if (std::system(("localedef -i de_DE -f UTF-8 " + made + " >/dev/null 2>&1").c_str()) == 0) {
        setenv("LOCPATH", scratch.directory().c_str(), 1);
        assert_non_null(std::setlocale(LC_ALL, "de_DE.UTF-8"));
        assert_string_equal(std::localeconv()->decimal_point, ",");
    } else {
        print_message("# no sources of locales on this system: only C++ has commas\n");
    }
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
    expect(real_coordinates, real_meaning);
    const bmo::Failure failure =
        open_failure(scratch.file(banner("coordinate real general") + "1234567 2 1\n1234568 1 1\n"));
    assert_int_equal(failure.status, BMO_EFORMAT);
    assert_non_null(strstr(failure.message.c_str(), "expected 1 to 1234567"));
    std::locale::global(before);
    std::setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}

void malformed_files(void **) {
    const std::string coordinate = banner("coordinate real general"), array = banner("array real general"),
                      symmetric = banner("coordinate real symmetric"), skew = banner("coordinate real skew-symmetric");
    for (const std::string &bytes : {
             std::string("%%MatrixMarketing matrix coordinate real general\n1 1 0\n"),
             coordinate + "1 1\n",
             coordinate + "1 1 1 1\n1 1 1\n",
             coordinate + "-1 1 0\n",
             coordinate + "1.0 1 0\n",
             coordinate + "1 0 0\n",
             coordinate + "x\n",
             coordinate + "2 2 1\n0 1 1\n",
             coordinate + "2 2 1\n1 0 1\n",
             coordinate + "2 2 1\n3 1 1\n",
             coordinate + "2 2 1\n1 3 1\n",
             coordinate + "2 2 1\n1 -1 1\n",
             coordinate + "2 2 1\n1 1\n",
             coordinate + "2 2 1\n1 1 1 1\n",
             coordinate + "2 2 1\n1 1 1\n2 2 2\n",
             coordinate + "2 2 2\n1 1 1\n",
             coordinate + "2 2 1\n4294967297 1 1\n",
             array + "2 1\n1\n",
             array + "2 1\n1\n2\n3\n",
             array + "2 1\n1 2\n",
             array + "2 1 2\n1\n2\n",
             symmetric + "2 3 1\n1 1 1\n",
             banner("array real symmetric") + "2 2\n1\n2\n3\n4\n",
             skew + "2 2 1\n1 1 1\n",
             banner("array pattern general") + "1 1\n1\n",
             banner("coordinate pattern skew-symmetric") + "2 2 1\n2 1\n",
             banner("coordinate pattern general") + "2 2 1\n1 1 1\n",
             coordinate + "1 1 1\n1 1 " + std::string(1 << 20, ' ') + "7\n",
         })
        assert_int_equal(status_of_text(bytes), BMO_EFORMAT);
}

void kinds_that_are_not_read(void **) {
    for (const char *words : {"coordinate complex general", "coordinate real hermitian", "sparse real general",
                              "coordinate real", "coordinate", "", "array quaternion general"})
        assert_int_equal(status_of_text(banner(words) + "1 1 1\n1 1 1\n"), BMO_EUNSUPPORTED);
    assert_int_equal(status_of_text("%%MatrixMarket vector coordinate real general\n1 1\n1 1\n"), BMO_EUNSUPPORTED);
}

void bad_values_are_named_with_their_place(void **) {
    const Scratch scratch;
    const bmo::Failure sparse =
        open_failure(scratch.file(banner("coordinate real general") + "3 4 2\n1 1 1\n% nothing\n2 4 nan\n"));
    assert_int_equal(sparse.status, BMO_ENONFINITE);
    assert_int_equal(sparse.row, 1);
    assert_int_equal(sparse.col, 3);
    assert_non_null(strstr(sparse.message.c_str(), "line 5"));
    const bmo::Failure dense = open_failure(scratch.file(banner("array real general") + "2 2\n1\n2\n3\ninf\n"));
    assert_int_equal(dense.row, 1);
    assert_int_equal(dense.col, 1);
    const bmo::Failure triangle = open_failure(scratch.file(banner("array real symmetric") + "2 2\n1\n2\ninf\n"));
    assert_int_equal(triangle.row, 1);
    assert_int_equal(triangle.col, 1);
}

// A digit less in the last line is a number still: what is cut before that is noticed.
void files_cut_anywhere(void **) {
    for (const std::string &whole : {real_coordinates, banner("array real general") + "2 2\n1\n2\n3\n4\n",
                                     banner("coordinate pattern symmetric") + "3 3 2\n2 1\n3 2\n"}) {
        const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
        for (std::size_t size = 0; size <= last_line; ++size) {
            const bmo_status status = status_of_text(whole.substr(0, size));
            assert_true(status == BMO_EFORMAT || (size < whole.find('\n') && status == BMO_EUNSUPPORTED));
        }
        const std::string packed = zipped(whole);
        for (std::size_t size = 0; size < packed.size(); ++size)
            assert_int_equal(status_of_text(packed.substr(0, size)), BMO_EFORMAT);
        assert_int_equal(status_of_text(packed), BMO_OK);
    }
}

void sizes_beyond_the_file_or_their_type(void **) {
    const struct {
        const char *sizes;
        bmo_status status;
    } cases[] = {{"4611686018427387904 1 1", BMO_EOVERFLOW},
                 {"1 4611686018427387904 1", BMO_EOVERFLOW},
                 {"1 1 4611686018427387904", BMO_EFORMAT},
                 {"2147483648 1 1", BMO_EOVERFLOW},
                 {"2147483647 1 1", BMO_EFORMAT},
                 {"9223372036854775808 1 1", BMO_EOVERFLOW},
                 {"1 1 9223372036854775808", BMO_EOVERFLOW},
                 {"1 1 2147483647", BMO_EFORMAT},
                 {"1 1 2", BMO_EFORMAT},
                 {"1 1 1000000", BMO_EFORMAT}};
    for (const auto &[sizes, status] : cases) {
        const std::string bytes = banner("coordinate real general") + sizes + "\n1 1 1\n";
        assert_int_equal(status_of_text(bytes), status);
        assert_int_equal(status_of_text(zipped(bytes)), status);
    }
    const bmo::Failure announced =
        failure_of([] { open_text(banner("coordinate real general") + "9 9 4\n1 1 1\n2 2 2\n3 3 3"); });
    assert_non_null(std::strstr(announced.what(), "announces 4 entries, but at most 17 bytes follow"));
    for (const char *sizes : {"2147483647 2147483647", "2147483647 1", "65536 65536"})
        for (const char *kind : {"array real general", "array real symmetric"}) {
            const bool square = std::string(sizes).find(" 1") == std::string::npos;
            if (square || std::string(kind).ends_with("general"))
                assert_int_equal(status_of_text(banner(kind) + sizes + "\n1\n"), BMO_EFORMAT);
        }
    const auto wide = open_text(banner("coordinate real general") + "1 2147483647 1\n1 2147483647 1\n");
    assert_int_equal(wide->d(), 2147483647);
    assert_int_equal(wide->sparse.indices[0], 2147483646);
}

std::int32_t note_phases(void *ctx, const bmo_progress *progress) {
    static_cast<std::vector<bmo_progress> *>(ctx)->push_back(*progress);
    return 0;
}

void reading_reports_entries(void **) {
    const Scratch scratch;
    std::vector<bmo_progress> reports;
    bmo::Watch watch(note_phases, &reports, 1, nullptr);
    bmo::open_dataset(scratch.file(real_coordinates), false, watch);
    bmo_progress last_read = {};
    for (const bmo_progress &report : reports)
        if (report.phase == BMO_PHASE_READ)
            last_read = report;
    assert_int_equal(last_read.done, 4);
    assert_int_equal(last_read.total, 4);
    assert_int_equal(reports.back().phase, BMO_PHASE_CHECK);
}

void a_request_stops_reading(void **) {
    const Scratch scratch;
    const auto flag = std::make_shared<bmo::CancelFlag>();
    flag->request();
    bmo::Watch watch(nullptr, nullptr, 0, flag);
    assert_int_equal(failure_of([&] { bmo::open_dataset(scratch.file(real_coordinates), false, watch); }).status,
                     BMO_ECANCELED);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_of_each_field),
        cmocka_unit_test(fields_in_other_words),
        cmocka_unit_test(banners_in_other_forms),
        cmocka_unit_test(arrays_of_each_field_go_by_column),
        cmocka_unit_test(one_triangle_stands_for_both),
        cmocka_unit_test(entries_mean_their_matrix),
        cmocka_unit_test(float_where_that_is_exact),
        cmocka_unit_test(layouts_that_programs_write),
        cmocka_unit_test(compressed_in_members_cut_anywhere),
        cmocka_unit_test(many_entries),
        cmocka_unit_test(numbers_as_they_are_written),
        cmocka_unit_test(integers_are_exact_or_refused),
        cmocka_unit_test(numbers_in_a_locale_with_commas),
        cmocka_unit_test(malformed_files),
        cmocka_unit_test(kinds_that_are_not_read),
        cmocka_unit_test(bad_values_are_named_with_their_place),
        cmocka_unit_test(files_cut_anywhere),
        cmocka_unit_test(sizes_beyond_the_file_or_their_type),
        cmocka_unit_test(reading_reports_entries),
        cmocka_unit_test(a_request_stops_reading),
    };
    return cmocka_run_group_tests_name("mtx", tests, nullptr, nullptr);
}

} // namespace mtx_test
