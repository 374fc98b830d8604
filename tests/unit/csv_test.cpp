// .csv and .tsv files as spreadsheets, pandas and R write them.
#include "cmocka.hpp"

#include <vector>

#include "gzip_bytes.hpp"
#include "opening.hpp"
#include "scratch.hpp"

namespace csv_test {

const std::vector<double> one_to_six = {1, 2, 3, 4, 5, 6};

void expect(const std::string &content, const char *name = "a.csv", const std::vector<double> &values = one_to_six,
            bmo_dtype dtype = BMO_F32, std::int64_t n = 2) {
    const Scratch scratch;
    for (const std::string &bytes : {content, zipped(content)})
        for (const bool borrow : {false, true}) {
            const auto dataset = open_file(scratch.file(bytes, name), borrow);
            assert_int_equal(dataset->n(), n);
            assert_int_equal(dataset->n() * dataset->d(), static_cast<std::int64_t>(values.size()));
            assert_int_equal(dataset->dense.dtype, dtype);
            assert_true(values_of(*dataset) == values);
        }
}

void numbers_alone(void **) {
    expect("1,2,3\n4,5,6\n");
    expect("1,2,3\n4,5,6");
    expect("1,2,3\r\n4,5,6\r\n");
    expect("\n1,2,3\n\n \n4,5,6\n\n");
    expect(" 1 , 2,3\n4, \"5\" ,+6.0e0\n");
    expect("\xef\xbb\xbf"
           "1,2,3\n4,5,6\n");
    expect("1;2;3\n4;5;6\n");
    expect("1\t2\t3\n4\t5\t6\n", "A.TSV");
    expect("1,2,3\n4,5,6\n", "a.csv.gz");
    expect("1,2,3\n4,5,6\n7,8,9\n", "a.csv", {1, 2, 3, 4, 5, 6, 7, 8, 9}, BMO_F32, 3);
    expect("0.5\n-2\n", "a.csv", {0.5, -2});
    expect("0.1,2\n3,4\n", "a.csv", {0.1, 2, 3, 4}, BMO_F64);
    expect("1e-400,2\n3,4\n", "a.csv", {0, 2, 3, 4});
    expect("1,2,3,4,5,6\n", "a.csv", one_to_six, BMO_F32, 1);
}

void heads(void **) {
    expect("a,b,c\n1,2,3\n4,5,6\n");
    expect("\"a, first\",\"the \"\"b\"\"\",c\n1,2,3\n4,5,6\n");
    expect("1,two,3\n1,2,3\n4,5,6\n");
    expect("x\n0.5\n-2\n", "a.csv", {0.5, -2});
    expect("# a\tb\tc\n1\t2\t3\n4\t5\t6\n", "a.tsv");
}

// pandas gives the column of names an empty head, write.table() of R none.
void names_of_points(void **) {
    expect("p,1,2,3\nq,4,5,6\n");
    expect(",a,b,c\n0,1,2,3\n1,4,5,6\n");
    expect(",0,1,2\n0,1,2,3\n1,4,5,6\n");
    expect("\"\",\"a\",\"b\",\"c\"\n\"p\",1,2,3\n\"q, r\",4,5,6\n");
    expect("a\tb\tc\np\t1\t2\t3\nq\t4\t5\t6\n", "a.tsv");
    expect("\ta\tb\tc\n0\t1\t2\t3\n1\t4\t5\t6\n", "a.tsv");
    expect("name,a,b,c\np,1,2,3\nq,4,5,6\n");
    expect("a,b\n7,1,2\n8,3,4\n", "a.csv", {1, 2, 3, 4});
}

struct Refused {
    const char *content;
    bmo_status status;
    const char *said;
};

void what_is_refused(void **) {
    const Scratch scratch;
    for (const Refused &refused : {
             Refused{"", BMO_EFORMAT, "is empty"},
             {"\n \n", BMO_EFORMAT, "has no lines"},
             {"a,b\n", BMO_EFORMAT, "line 1: no points follow the head"},
             {"1,2,3\n4,5\n", BMO_EFORMAT, "line 2: the line has 2 numbers; expected 3 as those before"},
             {"1,2,3\n4,5,6,7\n", BMO_EFORMAT, "line 2: the line has 4 numbers; expected 3 as those before"},
             {"a,b,c,d\n1,2\n", BMO_EFORMAT, "line 2: the line has 2 fields, but the head has 4"},
             {"p\nq\n", BMO_EFORMAT, "line 2: the line has a name and no numbers"},
             {"1,2\n3,four\n", BMO_EFORMAT,
              "line 2: the value of coordinate 1 (counted from 0) is \"four\"; expected a number"},
             {"1,2\n3,0x10\n", BMO_EFORMAT, "is \"0x10\"; expected a number"},
             {"1,2\n3,4 5\n", BMO_EFORMAT, "is \"4 5\"; expected a number"},
             {"1,2\n\"3,4\n", BMO_EFORMAT, "line 2: a quote is not closed on its line"},
             {"1,2\n3,\n", BMO_ENONFINITE,
              "line 2: the value of coordinate 1 (counted from 0) is \"\"; expected finite"},
             {"1,NA\n3,4\n", BMO_ENONFINITE,
              "line 1: the value of coordinate 1 (counted from 0) is \"NA\"; expected finite"},
             {"1,2\n3,nan\n", BMO_ENONFINITE, "is \"nan\"; expected finite values"},
             {"1,2\n3,-inf\n", BMO_ENONFINITE, "is \"-inf\"; expected finite values"},
             {"1,2\n3,1e999\n", BMO_ENONFINITE, "is \"1e999\"; expected finite values"},
         }) {
        const bmo::Failure failure = open_failure(scratch.file(refused.content, "a.csv"));
        assert_int_equal(failure.status, refused.status);
        assert_non_null(strstr(failure.message.c_str(), refused.said));
    }
    const bmo::Failure failure = open_failure(scratch.file("x,y\n1,2\n3,nan\n", "a.csv"));
    assert_int_equal(failure.row, 1);
    assert_int_equal(failure.col, 1);
}

void lines_of_any_length(void **) {
    std::string line;
    std::vector<double> values;
    for (int j = 0; j < 60000; ++j) {
        line += (j == 0 ? "" : ",") + std::to_string(j % 1000);
        values.push_back(j % 1000);
    }
    expect(line + "\n", "a.csv", values, BMO_F32, 1);
}

void a_request_stops_reading(void **) {
    const Scratch scratch;
    const auto flag = std::make_shared<bmo::CancelFlag>();
    flag->request();
    bmo::Watch watch(nullptr, nullptr, 0, flag);
    assert_int_equal(failure_of([&] { bmo::open_dataset(scratch.file("1,2\n", "a.csv"), false, watch); }).status,
                     BMO_ECANCELED);
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(numbers_alone),       cmocka_unit_test(heads),
        cmocka_unit_test(names_of_points),     cmocka_unit_test(what_is_refused),
        cmocka_unit_test(lines_of_any_length), cmocka_unit_test(a_request_stops_reading),
    };
    return cmocka_run_group_tests_name("csv", tests, nullptr, nullptr);
}

} // namespace csv_test
