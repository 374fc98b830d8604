/* bmo_output: where results go, in which types, and what is refused before anything is written. */
#include "abi.h"
#include "search.h"

#include <math.h>
#include <stdlib.h>

enum { K = 3, ROOM = 400, UNTOUCHED = 0x5a };

/* Both buffers, wide enough for every type, filled with a pattern. */
static int64_t index_room[ROOM];
static double dist_room[ROOM];

static bmo_output fresh_output(void) {
    memset(index_room, UNTOUCHED, sizeof index_room);
    memset(dist_room, UNTOUCHED, sizeof dist_room);
    const bmo_output out = {
        .struct_size = sizeof out, .index = index_room, .distance = dist_room, .capacity = (int64_t)QUERIES * K};
    return out;
}

static int is_untouched(const void *memory, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i)
        if (((const unsigned char *)memory)[i] != UNTOUCHED)
            return 0;
    return 1;
}

static int nothing_was_written(void) {
    return is_untouched(index_room, sizeof index_room) && is_untouched(dist_room, sizeof dist_room);
}

static int64_t index_at(const bmo_output *out, int64_t element) {
    return out->index_dtype == BMO_I32 ? ((const int32_t *)out->index)[element]
                                       : ((const int64_t *)out->index)[element];
}

static double dist_at(const bmo_output *out, int64_t element) {
    return out->distance_dtype == BMO_F32 ? (double)((const float *)out->distance)[element]
                                          : ((const double *)out->distance)[element];
}

/* Every neighbor is in its place, and every other place is untouched. */
static void check_places(const Search *search, const bmo_output *out, int64_t query_stride, int64_t rank_stride) {
    const size_t index_size = out->index_dtype == BMO_I32 ? 4 : 8, dist_size = out->distance_dtype == BMO_F32 ? 4 : 8;
    int used[ROOM] = {0};
    for (int64_t i = 0; i < QUERIES; ++i) {
        int64_t index[K];
        double dist[K];
        search_expect(search, KNN, i, K, index, dist);
        for (int64_t r = 0; r < K; ++r) {
            const int64_t element = i * query_stride + r * rank_stride;
            used[element] = 1;
            if (out->index)
                assert_int_equal(index_at(out, element), index[r] + out->index_base);
            if (out->distance)
                assert_true(dist_at(out, element) ==
                            (out->distance_dtype == BMO_F32 ? (double)(float)dist[r] : dist[r]));
        }
    }
    for (int64_t element = 0; element < ROOM; ++element) {
        if (!used[element] || !out->index)
            assert_true(is_untouched((char *)index_room + (size_t)element * index_size, index_size));
        if (!used[element] || !out->distance)
            assert_true(is_untouched((char *)dist_room + (size_t)element * dist_size, dist_size));
    }
}

static void every_stride_and_type_gets_its_place(void **state) {
    static const struct {
        int64_t given_query, given_rank, query, rank, capacity;
    } strides[] = {
        /* of 9 queries with 3 neighbors each */
        {0, 0, K, 1, 27},         {K, 1, K, 1, 27},     {1, QUERIES, 1, QUERIES, 27}, /* column-major */
        {K + 4, 0, K + 4, 1, 59},                                                     /* padded rows */
        {0, 2, 2 * K, 2, 53},     {2, 19, 2, 19, ROOM}, {7, 5, 7, 5, 67},             /* interleaved, yet apart */
    };
    static const bmo_dtype index_types[] = {0, BMO_I32, BMO_I64}, dist_types[] = {0, BMO_F32, BMO_F64};
    const Search search = search_create(50, 20, NULL);
    (void)state;
    for (size_t s = 0; s < COUNT(strides); ++s)
        for (size_t t = 0; t < COUNT(index_types); ++t)
            for (int32_t base = 0; base <= 1; ++base) {
                bmo_output out = fresh_output();
                out.query_stride = strides[s].given_query;
                out.rank_stride = strides[s].given_rank;
                out.capacity = strides[s].capacity;
                out.index_dtype = index_types[t];
                out.distance_dtype = dist_types[t];
                out.index_base = base;
                assert_ok(search_run(&search, KNN, K, &out, NULL, NULL));
                check_places(&search, &out, strides[s].query, strides[s].rank);
            }
    search_free(search);
}

static void either_buffer_is_enough(void **state) {
    const Search search = search_create(50, 20, NULL);
    (void)state;
    bmo_output out = fresh_output();
    out.index = NULL;
    assert_ok(search_run(&search, KNN, K, &out, NULL, NULL));
    check_places(&search, &out, K, 1);
    out = fresh_output();
    out.distance = NULL;
    assert_ok(search_run(&search, KNN, K, &out, NULL, NULL));
    check_places(&search, &out, K, 1);
    out = fresh_output();
    out.index = out.distance = NULL;
    out.capacity = 0;
    assert_ok(search_run(&search, KNN, K, &out, NULL, NULL));
    assert_true(nothing_was_written());
    search_free(search);
}

static void bad_fields_are_refused_and_nothing_is_written(void **state) {
    static const struct {
        const char *argument;
        int32_t index_base;
        bmo_dtype index_dtype, distance_dtype;
        bmo_status status;
        int64_t capacity, query_stride, rank_stride;
    } cases[] = {
        {"out.index_base", 2, 0, 0, BMO_EINVAL, 27, 0, 0},
        {"out.index_base", -1, 0, 0, BMO_EINVAL, 27, 0, 0},
        {"out.index_dtype", 0, BMO_F64, 0, BMO_EINVAL, 27, 0, 0},
        {"out.index_dtype", 0, BMO_U8, 0, BMO_EINVAL, 27, 0, 0},
        {"out.index_dtype", 0, -1, 0, BMO_EINVAL, 27, 0, 0},
        {"out.distance_dtype", 0, 0, BMO_I64, BMO_EINVAL, 27, 0, 0},
        {"out.distance_dtype", 0, 0, BMO_U8, BMO_EINVAL, 27, 0, 0},
        {"out.distance_dtype", 0, 0, 77, BMO_EINVAL, 27, 0, 0},
        {"out.capacity", 0, 0, 0, BMO_EINVAL, 26, 0, 0},
        {"out.capacity", 0, 0, 0, BMO_EINVAL, 0, 0, 0},
        {"out.capacity", 0, 0, 0, BMO_EINVAL, -1, 0, 0},
        {"out.capacity", 0, 0, 0, BMO_EINVAL, 26, 1, 9},
        {"out.capacity", 0, 0, 0, BMO_EINVAL, 58, 7, 1},
        {"out.query_stride", 0, 0, 0, BMO_EINVAL, 400, -3, 1},
        {"out.rank_stride", 0, 0, 0, BMO_EINVAL, 400, 3, -1},
        {"out.query_stride", 0, 0, 0, BMO_EINVAL, 400, 1, 1},
        {"out.query_stride", 0, 0, 0, BMO_EINVAL, 400, 2, 1},
        {"out.query_stride", 0, 0, 0, BMO_EINVAL, 400, 1, 8},
        {"out.query_stride", 0, 0, 0, BMO_EINVAL, 400, 2, 2},
        {"out.query_stride", 0, 0, 0, BMO_EOVERFLOW, INT64_MAX, INT64_MAX / 2, 1},
        {"out.query_stride", 0, 0, 0, BMO_EOVERFLOW, INT64_MAX, INT64_MAX / 63, 1},
        {"out.rank_stride", 0, 0, 0, BMO_EOVERFLOW, INT64_MAX, 1, INT64_MAX / 2 + 1},
        {"out.rank_stride", 0, 0, 0, BMO_EOVERFLOW, INT64_MAX, 0, INT64_MAX / 2},
    };
    const Search search = search_create(50, 20, NULL);
    uint8_t done[QUERIES];
    bmo_row_stats row_stats[QUERIES];
    bmo_stats stats;
    memset(done, UNTOUCHED, sizeof done);
    memset(row_stats, UNTOUCHED, sizeof row_stats);
    memset(&stats, UNTOUCHED, sizeof stats);
    stats.struct_size = sizeof stats;
    const bmo_stats stats_before = stats;
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bmo_output out = fresh_output();
        out.index_base = cases[i].index_base;
        out.index_dtype = cases[i].index_dtype;
        out.distance_dtype = cases[i].distance_dtype;
        out.capacity = cases[i].capacity;
        out.query_stride = cases[i].query_stride;
        out.rank_stride = cases[i].rank_stride;
        out.done = done;
        out.row_stats = row_stats;
        assert_refused(search_run(&search, KNN, K, &out, NULL, &stats), cases[i].status, cases[i].argument);
        assert_true(nothing_was_written());
        assert_true(is_untouched(done, sizeof done));
        assert_true(is_untouched(row_stats, sizeof row_stats));
        assert_memory_equal(&stats, &stats_before, sizeof stats);
    }
    search_free(search);
}

static void misaligned_buffers_are_refused(void **state) {
    const Search search = search_create(50, 20, NULL);
    bmo_row_stats row_stats[QUERIES + 1];
    (void)state;
    bmo_output out = fresh_output();
    out.index = (char *)index_room + 4;
    assert_refused(search_run(&search, KNN, K, &out, NULL, NULL), BMO_EINVAL, "out.index");
    out.index_dtype = BMO_I32;
    assert_ok(search_run(&search, KNN, K, &out, NULL, NULL));
    out = fresh_output();
    out.distance = (char *)dist_room + 2;
    out.distance_dtype = BMO_F32;
    assert_refused(search_run(&search, KNN, K, &out, NULL, NULL), BMO_EINVAL, "out.distance");
    out = fresh_output();
    out.row_stats = (bmo_row_stats *)(void *)((char *)row_stats + 4);
    assert_refused(search_run(&search, KNN, K, &out, NULL, NULL), BMO_EINVAL, "out.row_stats");
    search_free(search);
}

static void the_strides_of_one_query_or_one_neighbor_are_ignored(void **state) {
    const Search search = search_create(50, 20, NULL);
    const int64_t row = 4;
    (void)state;
    bmo_output out = fresh_output();
    out.query_stride = -5;
    out.capacity = K;
    assert_ok(bmo_query_knn_rows(search.query, &row, 1, K, &out, NULL, NULL));
    out.query_stride = 2;
    out.rank_stride = -5;
    out.capacity = 2 * (QUERIES - 1) + 1;
    assert_ok(search_run(&search, KNN, 1, &out, NULL, NULL));
    out.capacity -= 1;
    assert_refused(search_run(&search, KNN, 1, &out, NULL, NULL), BMO_EINVAL, "out.capacity");
    search_free(search);
}

static void struct_sizes_are_checked(void **state) {
    const Search search = search_create(50, 20, NULL);
    struct {
        bmo_output out;
        int64_t later;
    } newer;
    (void)state;
    newer.out = fresh_output();
    newer.out.struct_size = sizeof newer;
    newer.later = 1;
    assert_refused(search_run(&search, KNN, K, &newer.out, NULL, NULL), BMO_EVERSION, "out.struct_size");
    assert_true(nothing_was_written());
    newer.later = 0;
    assert_ok(search_run(&search, KNN, K, &newer.out, NULL, NULL));
    check_places(&search, &newer.out, K, 1);
    static const uint32_t bad_sizes[] = {0, 4, offsetof(bmo_output, limits) - 1, UINT32_MAX};
    for (size_t i = 0; i < COUNT(bad_sizes); ++i) {
        newer.out = fresh_output();
        newer.out.struct_size = bad_sizes[i];
        assert_refused(search_run(&search, KNN, K, &newer.out, NULL, NULL), BMO_EINVAL, "out.struct_size");
    }
    search_free(search);
}

static void done_and_row_stats_have_one_a_query(void **state) {
    bmo_config *config = config_with("method", "exact");
    const Search search = search_create(50, 20, config);
    (void)state;
    for (Kind kind = KNN; kind < KINDS; ++kind) {
        const int64_t count = search_count(&search, kind);
        uint8_t done[51];
        bmo_row_stats row_stats[51];
        memset(done, UNTOUCHED, sizeof done);
        memset(row_stats, UNTOUCHED, sizeof row_stats);
        const bmo_output out = {.struct_size = sizeof out, .done = done, .row_stats = row_stats};
        assert_ok(search_run(&search, kind, K, &out, NULL, NULL));
        for (int64_t i = 0; i < count; ++i) {
            const uint32_t candidates = kind < KNN_ROWS ? 50 : 49;
            assert_int_equal(done[i], 1);
            assert_int_equal(row_stats[i].exact_evals, candidates);
            assert_int_equal(row_stats[i].coord_ops, candidates * 20);
            assert_int_equal(row_stats[i].rounds, 0);
        }
        assert_int_equal(done[count], UNTOUCHED);
        assert_true(is_untouched(&row_stats[count], sizeof row_stats[0]));
    }
    search_free(search);
    bmo_config_free(config);
}

/* Points on a line, of which the last is far beyond the distances of float32. */
static void a_distance_beyond_float_is_refused(void **state) {
    static const double line[4] = {0, 1, 3, 1e39};
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = line, .n = 4, .d = 1};
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    float dist[4] = {77, 77, 77, 77};
    int64_t index[4] = {77, 77, 77, 77};
    uint8_t done[4] = {9, 9, 9, 9};
    bmo_output out = {.struct_size = sizeof out,
                      .distance_dtype = BMO_F32,
                      .index = index,
                      .distance = dist,
                      .capacity = 4,
                      .done = done};
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_query_create(&query, dataset, NULL, NULL));
    assert_refused(bmo_query_graph(query, 1, &out, NULL, NULL), BMO_EOVERFLOW, "out.distance_dtype");
    assert_int_equal(last_error().row, 3);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(done[i], 1);
        assert_int_equal(index[i], i == 1 ? 0 : 1);
        assert_true(dist[i] == (i == 2 ? 2 : 1));
    }
    assert_int_equal(done[3], 0);
    assert_int_equal(index[3], 77);
    assert_true(dist[3] == 77);
    out.distance = NULL; /* the index alone is fine */
    assert_ok(bmo_query_graph(query, 1, &out, NULL, NULL));
    assert_int_equal(index[3], 0); /* in double the three others are equally far */
    bmo_query_free(query);
    bmo_dataset_free(dataset);
}

/* The nearest of an inner product is the one that is beyond float32. */
static void a_product_beyond_float_is_refused(void **state) {
    static const double line[3] = {1, 2, 1e30}, asked = 1e30;
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = line, .n = 3, .d = 1};
    const bmo_dense point = {.struct_size = sizeof point, .dtype = BMO_F64, .data = &asked, .n = 1, .d = 1};
    bmo_config *config = config_with("metric", "inner_product");
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    float dist[2] = {77, 77};
    double wide[2];
    bmo_output out = {.struct_size = sizeof out, .distance_dtype = BMO_F32, .distance = dist, .capacity = 2};
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_refused(bmo_query_knn_dense(query, &point, 2, &out, NULL, NULL), BMO_EOVERFLOW, "out.distance_dtype");
    assert_true(dist[0] == 77 && dist[1] == 77);
    out.distance_dtype = BMO_F64;
    out.distance = wide;
    assert_ok(bmo_query_knn_dense(query, &point, 2, &out, NULL, NULL));
    assert_true(fabs(wide[0] / -1e60 - 1) < 1e-15 && fabs(wide[1] / -2e30 - 1) < 1e-15);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
}

static void the_largest_float_fits(void **state) {
    const double line[2] = {0, 3.4028234663852886e38};
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F64, .data = line, .n = 2, .d = 1};
    bmo_config *config = config_with("metric", "l1");
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    float dist[2];
    const bmo_output out = {.struct_size = sizeof out, .distance_dtype = BMO_F32, .distance = dist, .capacity = 2};
    (void)state;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    assert_ok(bmo_query_create(&query, dataset, config, NULL));
    assert_ok(bmo_query_graph(query, 1, &out, NULL, NULL));
    assert_true((double)dist[0] == line[1]);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stride_and_type_gets_its_place),
        cmocka_unit_test(either_buffer_is_enough),
        cmocka_unit_test(bad_fields_are_refused_and_nothing_is_written),
        cmocka_unit_test(misaligned_buffers_are_refused),
        cmocka_unit_test(the_strides_of_one_query_or_one_neighbor_are_ignored),
        cmocka_unit_test(struct_sizes_are_checked),
        cmocka_unit_test(done_and_row_stats_have_one_a_query),
        cmocka_unit_test(a_distance_beyond_float_is_refused),
        cmocka_unit_test(a_product_beyond_float_is_refused),
        cmocka_unit_test(the_largest_float_fits),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
