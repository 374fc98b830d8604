/* bmo_dataset_open of what bmo_dataset_save wrote, and of files that the description of the format yields. */
#include "saved_files.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 200, D = 600, K = 5 };

static bmo_dataset_info describe(const bmo_dataset *dataset) {
    bmo_dataset_info info = {.struct_size = sizeof info};
    assert_ok(bmo_dataset_describe(dataset, &info));
    return info;
}

typedef struct Answers {
    int64_t index[3 * K];
    double distance[3 * K];
    bmo_stats stats;
} Answers;

static Answers ask(const bmo_dataset *dataset, const bmo_config *config) {
    static const int64_t rows[3] = {0, 17, N - 1};
    Answers answers = {.stats = {.struct_size = sizeof answers.stats}};
    bmo_query *query = NULL;
    const bmo_output out = {
        .struct_size = sizeof out, .index = answers.index, .distance = answers.distance, .capacity = 3 * K};
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_ok(bmo_query_knn_rows(query, rows, 3, K, &out, NULL, &answers.stats));
    bmo_query_free(query);
    return answers;
}

static void assert_same_points(const bmo_dataset *a, const bmo_dataset *b) {
    const bmo_dataset_info info = describe(a);
    double *of_a = allocate(info.d, sizeof *of_a), *of_b = allocate(info.d, sizeof *of_b);
    for (int64_t i = 0; i < info.n; ++i) {
        assert_ok(bmo_dataset_copy_rows(a, &i, 1, of_a));
        assert_ok(bmo_dataset_copy_rows(b, &i, 1, of_b));
        assert_memory_equal(of_a, of_b, (size_t)info.d * sizeof *of_a);
    }
    free(of_a);
    free(of_b);
}

/* What is opened is what was saved, and is searched in the same way. */
static void check(bmo_dataset *dataset, bmo_config *config) {
    assert_ok(bmo_dataset_save(dataset, saved_path, NULL));
    const bmo_dataset_info expected = describe(dataset);
    const Answers before = ask(dataset, config);
    const Bytes bytes = read_bytes(saved_path);
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
        bmo_dataset *opened = NULL;
        assert_ok(bmo_dataset_open(&opened, saved_path, flags, NULL));
        const bmo_dataset_info info = describe(opened);
        assert_int_equal(info.kind, expected.kind);
        assert_int_equal(info.box, expected.box);
        assert_int_equal(info.metric, expected.metric);
        assert_int_equal(info.dtype, expected.dtype);
        assert_int_equal(info.n, expected.n);
        assert_int_equal(info.d, expected.d);
        assert_int_equal(info.nnz, expected.nnz);
        assert_int_equal(info.seed, expected.seed);
        assert_int_equal(info.bytes_borrowed, flags == BMO_BORROW ? bytes.size : 0);
        assert_same_points(dataset, opened);
        const Answers after = ask(opened, config);
        assert_memory_equal(after.index, before.index, sizeof after.index);
        assert_memory_equal(after.distance, before.distance, sizeof after.distance);
        assert_int_equal(after.stats.coord_ops, before.stats.coord_ops);

        assert_ok(bmo_dataset_save(opened, other_path, NULL));
        const Bytes again = read_bytes(other_path);
        assert_int_equal(again.size, bytes.size);
        assert_memory_equal(again.at, bytes.at, bytes.size);
        free(again.at);
        bmo_dataset_free(opened);
    }
    free(bytes.at);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
}

static void dense_points_come_back(void **state) {
    static const bmo_dtype dtypes[] = {BMO_F32, BMO_F64, BMO_U8};
    const Points points = points_create(N, D, 1);
    (void)state;
    for (size_t t = 0; t < COUNT(dtypes); ++t)
        for (int by_columns = 0; by_columns < 2; ++by_columns) {
            bmo_config *config = config_of("dense", "l1", "-7");
            check(dense_of(&points, dtypes[t], by_columns), config_of("auto", "l2", "3"));
            check(prepared(dense_of(&points, dtypes[t], by_columns), config), config);
        }
    points_free(points);
}

static void what_boxes_prepared_comes_back(void **state) {
    static const char *const cases[][2] = {
        {"dense", "cosine"},        {"dense", "inner_product"},     {"rotated", "l2"},   {"rotated", "sqeuclidean"},
        {"rotated", "cosine"},      {"rotated", "inner_product"},   {"projected", "l2"}, {"projected", "sqeuclidean"},
        {"projected", "cosine"},    {"projected", "inner_product"}, {"sketch", "l2"},    {"sketch", "cosine"},
        {"sketch", "inner_product"}};
    const Points points = points_create(N, D, 2);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bmo_config *config = config_of(cases[i][0], cases[i][1], "11");
        assert_ok(bmo_config_set_text(config, "method", "bandit"));
        check(prepared(dense_of(&points, BMO_F32, 0), config), config);
    }
    points_free(points);
}

static void weights_come_back(void **state) {
    const Points points = points_create(N, D, 3);
    bmo_config *config = config_of("dense", "l2", "0"), *without = config_of("dense", "l2", "0");
    double weights[D];
    (void)state;
    for (int j = 0; j < D; ++j)
        weights[j] = j % 4 * 0.3;
    assert_ok(bmo_config_set_weights(config, weights, D));
    check(prepared(dense_of(&points, BMO_F64, 0), config), config);
    bmo_dataset *opened = NULL;
    bmo_query *query = NULL;
    assert_ok(bmo_dataset_open(&opened, saved_path, BMO_BORROW, NULL));
    assert_refused(bmo_query_create(&query, opened, without, NULL), BMO_EINVAL, "weights");
    bmo_dataset_free(opened);
    bmo_config_free(without);
    points_free(points);
}

static void sparse_points_come_back(void **state) {
    const Points points = points_create(N, D, 4);
    bmo_config *config = config_of("sparse", "l1", "5");
    (void)state;
    for (int64_t i = 0; i < N * D; ++i)
        if (points.at[i] % 5 != 0 || i / D == 6)
            points.at[i] = 0;
    check(sparse_of(&points), config_of("auto", "l2", "1"));
    check(prepared(sparse_of(&points), config), config);
    points_free(points);
}

static void few_points_come_back(void **state) {
    const Points points = points_create(N, D, 5);
    (void)state;
    for (int64_t n = 0; n < 2; ++n)
        for (int kind = 0; kind < 5; ++kind) {
            static const char *const boxes[] = {NULL, "dense", NULL, "rotated", "projected"};
            const Points few = {n, D, points.at};
            bmo_dataset *dataset = kind == 2 ? sparse_of(&few) : dense_of(&few, BMO_F32, 0), *opened = NULL;
            if (boxes[kind]) {
                bmo_config *config = config_of(boxes[kind], "l2", "1");
                dataset = prepared(dataset, config);
                bmo_config_free(config);
            }
            assert_ok(bmo_dataset_save(dataset, saved_path, NULL));
            for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
                assert_ok(bmo_dataset_open(&opened, saved_path, flags, NULL));
                assert_int_equal(describe(opened).n, n);
                assert_int_equal(describe(opened).d, D);
                assert_same_points(dataset, opened);
                bmo_dataset_free(opened);
            }
            bmo_dataset_free(dataset);
        }
    points_free(points);
}

/* The files that the format's own description yields: the library reads them, and writes the same. */
static void golden_files_are_read_and_written(void **state) {
    static const struct {
        const char *name, *box, *seed;
        int32_t kind, dtype;
    } files[] = {{"dense", "auto", "0", 1, BMO_F32},
                 {"dense_prepared", "dense", "-3", 1, BMO_U8},
                 {"dense_weights", "dense", "5", 1, BMO_F64},
                 {"rotated", "rotated", "4611686018427387904", 1, BMO_F32},
                 {"rotated_cosine", "rotated", "1", 1, BMO_F32},
                 {"projected", "projected", "-8", 1, BMO_F32},
                 {"sparse", "auto", "0", 2, BMO_F32},
                 {"sparse_prepared", "sparse", "9", 2, BMO_F64}};
    enum { ROWS = 40, COLUMNS = 20 };
    (void)state;
    for (size_t f = 0; f < COUNT(files); ++f)
        for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
            char golden[512], seed[32];
            bmo_dataset *dataset = NULL;
            snprintf(golden, sizeof golden, "%s/bmo/%s.bmo", TEST_DATA, files[f].name);
            assert_ok(bmo_dataset_open(&dataset, golden, flags, NULL));
            const bmo_dataset_info info = describe(dataset);
            assert_int_equal(info.kind, files[f].kind);
            assert_int_equal(info.dtype, files[f].dtype);
            assert_int_equal(info.n, ROWS);
            snprintf(seed, sizeof seed, "%lld", (long long)info.seed);
            assert_string_equal(seed, files[f].seed);
            for (int64_t i = 0; i < ROWS; ++i) {
                double row[COLUMNS];
                assert_ok(bmo_dataset_copy_rows(dataset, &i, 1, row));
                for (int64_t j = 0; j < COLUMNS; ++j) {
                    const int64_t value = (7 * i + 3 * j + i * j) % 10;
                    assert_true(row[j] == (double)(info.kind == 2 && value < 7 ? 0 : value));
                }
            }
            assert_ok(bmo_dataset_save(dataset, saved_path, NULL));
            const Bytes theirs = read_bytes(golden), ours = read_bytes(saved_path);
            assert_int_equal(ours.size, theirs.size);
            assert_memory_equal(ours.at, theirs.at, ours.size);
            free(theirs.at);
            free(ours.at);
            bmo_dataset_free(dataset);
        }
}

/* The nearest point of a row among the golden files' points, by integers; sum is the squared distance. */
static int64_t nearest_of(int64_t row, int64_t *sum) {
    int64_t best = -1;
    for (int64_t i = 0; i < 40; ++i) {
        int64_t squares = 0;
        for (int64_t j = 0; j < 20; ++j) {
            const int64_t difference = (7 * i + 3 * j + i * j) % 10 - (7 * row + 3 * j + row * j) % 10;
            squares += difference * difference;
        }
        if (i != row && (best < 0 || squares < *sum)) {
            best = i;
            *sum = squares;
        }
    }
    return best;
}

static void golden_preparations_serve(void **state) {
    static const char *const files[][3] = {{"dense_prepared", "-3", "sqeuclidean"},
                                           {"rotated", "4611686018427387904", "sqeuclidean"},
                                           {"projected", "-8", "sqeuclidean"}};
    (void)state;
    for (size_t f = 0; f < COUNT(files); ++f) {
        char golden[512];
        bmo_dataset *dataset = NULL;
        bmo_query *query = NULL;
        bmo_config *config = config_of("auto", files[f][2], files[f][1]);
        snprintf(golden, sizeof golden, "%s/bmo/%s.bmo", TEST_DATA, files[f][0]);
        assert_ok(bmo_config_set_text(config, "method", "bandit"));
        assert_ok(bmo_dataset_open(&dataset, golden, BMO_BORROW, NULL));
        assert_ok(bmo_query_create(&query, dataset, config, NULL));
        for (int64_t row = 0; row < 40; ++row) {
            int64_t index = -1, sum = 0;
            double dist = -1;
            const bmo_output out = {.struct_size = sizeof out, .index = &index, .distance = &dist, .capacity = 1};
            assert_ok(bmo_query_knn_rows(query, &row, 1, 1, &out, NULL, NULL));
            assert_int_equal(index, nearest_of(row, &sum));
            assert_true(dist == (double)sum);
        }
        bmo_query_free(query);
        bmo_dataset_free(dataset);
        bmo_config_free(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_points_come_back),    cmocka_unit_test(what_boxes_prepared_comes_back),
        cmocka_unit_test(weights_come_back),         cmocka_unit_test(sparse_points_come_back),
        cmocka_unit_test(few_points_come_back),      cmocka_unit_test(golden_files_are_read_and_written),
        cmocka_unit_test(golden_preparations_serve),
    };
    return cmocka_run_group_tests_name("saved", tests, make_saved_directory, remove_saved_directory);
}
