/* bmo_query_kmeans: against Lloyd's algorithm by plain loops. */
#include "clustering.h"

#include <math.h>
#include <stdlib.h>

enum { N = 240, D = 150, K = 9 };

static void assert_same(const Clustering *got, const Clustering *expected, int64_t n, int64_t d) {
    assert_memory_equal(got->labels, expected->labels, (size_t)n * sizeof(int32_t));
    assert_memory_equal(got->centers, expected->centers, (size_t)(expected->k * d) * sizeof(double));
    assert_true(fabs(got->inertia - expected->inertia) <= 1e-12 * expected->inertia);
    assert_int_equal(got->iterations, expected->iterations);
}

static Clustering clustering_by_lloyd(const Points *points, int64_t max_iter) {
    Clustering expected = clustering_create(K, points->n, points->d);
    start_from_points(points, &expected);
    lloyd(points, &expected, max_iter);
    return expected;
}

/* From the first points as centers. */
static void assert_finds(const bmo_query *query, const Points *points, const Clustering *expected) {
    Clustering got = clustering_create(K, points->n, points->d);
    start_from_points(points, &got);
    const bmo_kmeans run = run_of(&got, points->d, BMO_INIT_GIVEN);
    assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
    assert_same(&got, expected, points->n, points->d);
    clustering_free(got);
}

static void given_centers(void **state) {
    (void)state;
    static const char *const ways[][5] = {
        {NULL}, {"method", "exact", NULL}, {"threads", "3", "metric", "sqeuclidean", NULL}};
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        const Points points = points_create(N, D, seed);
        const Clustering expected = clustering_by_lloyd(&points, 100);
        assert_true(expected.iterations >= 2);
        for (size_t way = 0; way < COUNT(ways); ++way) {
            bmo_query *query = query_on(&points, ways[way]);
            Clustering got = clustering_create(K, N, D);
            start_from_points(&points, &got);
            const bmo_kmeans run = run_of(&got, D, BMO_INIT_GIVEN);
            bmo_stats stats = {.struct_size = sizeof stats};
            assert_ok(bmo_query_kmeans(query, &run, NULL, &stats));
            assert_same(&got, &expected, N, D);
            assert_int_equal(stats.guarantee, BMO_GUARANTEE_EXACT);
            const uint64_t steps = (uint64_t)expected.iterations + 1;
            assert_int_equal(stats.queries, steps * N);
            assert_int_equal(stats.coord_ops_brute, steps * N * K * D + N * D);
            assert_int_equal(stats.coord_ops, stats.coord_ops_sampled + stats.exact_evals * D);
            if (way == 1)
                assert_int_equal(stats.coord_ops, stats.coord_ops_brute);
            clustering_free(got);
            bmo_query_free(query);
        }
        clustering_free(expected);
        points_free(points);
    }
}

static void any_type_and_strides(void **state) {
    (void)state;
    const Points points = points_create(N, D, 5);
    const Clustering expected = clustering_by_lloyd(&points, 100);
    static const bmo_dtype types[] = {BMO_F32, BMO_F64, BMO_U8, BMO_I32, BMO_I64, BMO_U16, BMO_F16, BMO_BF16};
    for (size_t t = 0; t < COUNT(types); ++t)
        for (int by_column = 0; by_column < 2; ++by_column) {
            const int64_t strides[2] = {by_column ? 1 : D + 3, by_column ? N + 1 : 1};
            void *values = points_as(&points, types[t], strides[0], strides[1]);
            const bmo_dense dense = {sizeof dense, types[t], values, N, D, strides[0], strides[1]};
            bmo_dataset *dataset = NULL;
            assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
            bmo_query *query = query_of(dataset, NULL);
            assert_finds(query, &points, &expected);
            bmo_query_free(query);
            bmo_dataset_free(dataset);
            free(values);
        }
    clustering_free(expected);
    points_free(points);
}

static void prepared_data(void **state) {
    (void)state;
    const Points points = points_create(N, D, 6);
    const Clustering expected = clustering_by_lloyd(&points, 100);
    static const char *const boxes[] = {"dense", "projected", "rotated"};
    for (size_t box = 0; box < COUNT(boxes); ++box) {
        bmo_dataset *dataset = points_dataset(&points), *prepared = NULL;
        bmo_config *config = NULL;
        assert_ok(bmo_config_create(&config));
        assert_ok(bmo_config_set_text(config, "box", boxes[box]));
        assert_ok(bmo_dataset_prepare(&prepared, dataset, config, NULL));
        bmo_query *query = query_of(prepared, NULL);
        assert_finds(query, &points, &expected);
        bmo_query_free(query);
        bmo_config_free(config);
        bmo_dataset_free(prepared);
        bmo_dataset_free(dataset);
    }
    clustering_free(expected);
    points_free(points);
}

static void assert_found_in(const bmo_dataset *dataset, const Points *points, const Clustering *expected) {
    static const char *const ways[][5] = {{NULL}, {"threads", "2", "seed", "7", NULL}, {"method", "exact", NULL}};
    for (size_t way = 0; way < COUNT(ways); ++way) {
        bmo_query *query = query_of(dataset, ways[way]);
        assert_finds(query, points, expected);
        bmo_query_free(query);
    }
}

/* Three of four coordinates are zero. */
static void sparse_points(void **state) {
    (void)state;
    for (uint64_t seed = 6; seed < 9; ++seed) {
        const Points points = points_create(N, D, seed);
        for (int64_t i = 0; i < N * D; ++i)
            points.at[i] = i % 4 ? 0 : points.at[i];
        const Clustering expected = clustering_by_lloyd(&points, 100);
        const bmo_sparse sparse = points_sparse(&points);
        bmo_dataset *dataset = NULL, *prepared = NULL;
        assert_ok(bmo_dataset_sparse(&dataset, &sparse, BMO_COPY, NULL, NULL));
        assert_ok(bmo_dataset_prepare(&prepared, dataset, NULL, NULL));
        assert_found_in(dataset, &points, &expected);
        bmo_query *query = query_of(prepared, NULL);
        assert_finds(query, &points, &expected);
        bmo_query_free(query);
        bmo_dataset_free(prepared);
        bmo_dataset_free(dataset);
        sparse_free(sparse);
        clustering_free(expected);
        points_free(points);
    }
}

static void stops_after_max_iter(void **state) {
    (void)state;
    const Points points = points_create(N, D, 7);
    bmo_query *query = query_on(&points, NULL);
    for (int64_t most = 1; most <= 2; ++most) {
        Clustering expected = clustering_create(K, N, D), got = clustering_create(K, N, D);
        start_from_points(&points, &expected);
        start_from_points(&points, &got);
        lloyd(&points, &expected, most);
        bmo_kmeans run = run_of(&got, D, BMO_INIT_GIVEN);
        run.max_iter = most;
        assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
        assert_same(&got, &expected, N, D);
        run.max_iter = 0;
        run.tol = 1e6; /* farther than anything moves: one move, as with max_iter 1 */
        start_from_points(&points, &got);
        assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
        assert_int_equal(got.iterations, 1);
        clustering_free(got);
        clustering_free(expected);
    }
    bmo_query_free(query);
    points_free(points);
}

/* Of labels and centers that were found: each fits the other, and the search for the nearest center says the same. */
static void assert_settled(const Points *points, const Clustering *got) {
    Clustering again = clustering_create(got->k, points->n, points->d);
    memcpy(again.centers, got->centers, (size_t)(got->k * points->d) * sizeof(double));
    memcpy(again.labels, got->labels, (size_t)points->n * sizeof(int32_t));
    for (int64_t i = 0; i < points->n; ++i)
        assert_int_equal(got->labels[i], nearest_center(points, i, got));
    move_to_means(points, &again);
    assert_memory_equal(again.centers, got->centers, (size_t)(got->k * points->d) * sizeof(double));
    assert_true(fabs(got->inertia - inertia_of(points, got)) <= 1e-12 * got->inertia);
    clustering_free(again);

    const bmo_dense centers = {sizeof centers, BMO_F64, got->centers, got->k, points->d, 0, 0};
    const bmo_dense queries = points_dense(points);
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &centers, BMO_COPY, NULL, NULL));
    bmo_query *query = query_of(dataset, NULL);
    int64_t *index = allocate(points->n, sizeof *index);
    const bmo_output out = {.struct_size = sizeof out, .index = index, .capacity = points->n};
    assert_ok(bmo_query_knn_dense(query, &queries, 1, &out, NULL, NULL));
    for (int64_t i = 0; i < points->n; ++i)
        assert_int_equal(got->labels[i], index[i]);
    free(index);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
}

/* Prepared with another seed, too. */
static void a_seed_of_its_own_draws_the_starts(void **state) {
    (void)state;
    static const char *const third[] = {"seed", "3", NULL}, *const first[] = {"seed", "1", "box", "dense", NULL};
    const int64_t seed = 3;
    const Points points = points_create(N, D, 8);
    bmo_dataset *dataset = points_dataset(&points), *prepared = prepared_of(dataset, first);
    bmo_query *queries[] = {query_of(dataset, third), query_of(dataset, NULL), query_of(prepared, NULL)};
    Clustering expected = clustering_create(K, N, D);
    for (size_t i = 0; i < COUNT(queries); ++i) {
        Clustering got = clustering_create(K, N, D);
        bmo_kmeans run = run_of(i == 0 ? &expected : &got, D, BMO_INIT_PLUSPLUS);
        bmo_stats stats = {.struct_size = sizeof stats};
        run.seed = i == 0 ? NULL : &seed;
        assert_ok(bmo_query_kmeans(queries[i], &run, NULL, &stats));
        assert_int_equal(stats.seed, 3);
        if (i > 0)
            assert_same(&got, &expected, N, D);
        clustering_free(got);
    }
    bmo_kmeans run = run_of(&expected, D, BMO_INIT_RANDOM);
    run.seed = (const int64_t *)(const void *)((const char *)&seed + 1);
    assert_refused(bmo_query_kmeans(queries[1], &run, NULL, NULL), BMO_EINVAL, "run.seed");
    for (size_t i = 0; i < COUNT(queries); ++i)
        bmo_query_free(queries[i]);
    clustering_free(expected);
    bmo_dataset_free(prepared);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void own_starts(void **state) {
    (void)state;
    const Points points = points_create(N, D, 8);
    static const char *const settings[] = {"seed", "3", NULL};
    bmo_query *query = query_on(&points, settings);
    for (int32_t init = BMO_INIT_PLUSPLUS; init <= BMO_INIT_RANDOM; ++init) {
        Clustering one = clustering_create(K, N, D), again = clustering_create(K, N, D),
                   many = clustering_create(K, N, D);
        bmo_kmeans run = run_of(&one, D, init);
        assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
        assert_settled(&points, &one);
        run = run_of(&again, D, init);
        assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
        assert_same(&again, &one, N, D);
        run = run_of(&many, D, init);
        run.n_init = 6;
        assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
        assert_settled(&points, &many);
        assert_true(many.inertia < one.inertia); /* six starts of which all are no better than the first are unlikely */
        clustering_free(many);
        clustering_free(again);
        clustering_free(one);
    }
    bmo_query_free(query);
    points_free(points);
}

/* Three different points, each four times, in turn. */
static Points three_points(void) {
    Points points = points_create(12, 20, 9);
    for (int64_t i = 3; i < points.n; ++i)
        memcpy(points.at + i * points.d, points.at + i % 3 * points.d, (size_t)points.d);
    return points;
}

static void more_centers_than_points(void **state) {
    (void)state;
    const Points points = three_points();
    bmo_query *query = query_on(&points, NULL);
    for (int32_t init = BMO_INIT_PLUSPLUS; init <= BMO_INIT_GIVEN; ++init)
        for (int64_t k = 4; k <= 12; k += 4) {
            Clustering got = clustering_create(k, points.n, points.d);
            start_from_points(&points, &got);
            const bmo_kmeans run = run_of(&got, points.d, init);
            assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
            if (init == BMO_INIT_PLUSPLUS || init == BMO_INIT_GIVEN || k == 12)
                assert_true(got.inertia == 0);
            for (int64_t i = 0; i < points.n; ++i) /* ties to the lowest */
                assert_int_equal(got.labels[i], nearest_center(&points, i, &got));
            for (int64_t i = 3; i < points.n; ++i)
                assert_int_equal(got.labels[i], got.labels[i % 3]);
            clustering_free(got);
        }
    bmo_query_free(query);
    points_free(points);
}

/* Points 0, 1, 10, 11, 13 on a line; centers 0.5, 11 and one far from all of them, which nothing is nearest to. It moves to
 * the point that is farthest from its own: 13. */
static void empty_cluster_moves(void **state) {
    (void)state;
    uint8_t line[] = {0, 1, 10, 11, 13};
    const Points points = {5, 1, line};
    bmo_query *query = query_on(&points, NULL);
    Clustering got = clustering_create(3, 5, 1);
    static const double start[] = {0.5, 11, 1e9};
    memcpy(got.centers, start, sizeof start);
    const bmo_kmeans run = run_of(&got, 1, BMO_INIT_GIVEN);
    assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
    static const int32_t labels[] = {0, 0, 1, 1, 2};
    static const double centers[] = {0.5, 10.5, 13};
    assert_memory_equal(got.labels, labels, sizeof labels);
    assert_memory_equal(got.centers, centers, sizeof centers);
    assert_true(got.inertia == 1);
    clustering_free(got);
    bmo_query_free(query);
}

/* Four rows, some of them twice or more, and four centers: each row becomes a center. On the way the labels come twice, since
 * two centers move to equal rows, and the first of them gets both. */
static void labels_that_repeat_do_not_end_it(void **state) {
    (void)state;
    uint8_t rows[][3] = {{0, 0, 105}, {0, 16, 105}, {0, 0, 105},  {0, 16, 105},
                         {0, 0, 0},   {0, 16, 105}, {0, 16, 105}, {0, 16, 0}};
    enum { ROWS = COUNT(rows), CENTERS = 4 };
    const Points points = {ROWS, 3, rows[0]};
    static const char *const ways[][3] = {{NULL}, {"method", "exact", NULL}};
    for (size_t way = 0; way < COUNT(ways); ++way) {
        bmo_query *query = query_on(&points, ways[way]);
        Clustering got = clustering_create(CENTERS, ROWS, 3);
        static const double start[] = {105, 0, 16, 0, 0, 0, 0, 0, 105, 105, 0, 0};
        memcpy(got.centers, start, sizeof start);
        const bmo_kmeans run = run_of(&got, 3, BMO_INIT_GIVEN);
        assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
        assert_true(got.inertia == 0);
        clustering_free(got);
        bmo_query_free(query);
    }
}

static void far_from_the_origin(void **state) {
    (void)state;
    const Points points = points_create(N, D, 11);
    double *values = points_as(&points, BMO_F64, D, 1);
    const Clustering expected = clustering_by_lloyd(&points, 100);
    for (int64_t i = 0; i < N * D; ++i)
        values[i] = ldexp(values[i] + 1048576, 300); /* exact: what a mean loses to rounding decides no label here */
    const bmo_dense dense = {sizeof dense, BMO_F64, values, N, D, 0, 0};
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, NULL, NULL));
    bmo_query *query = query_of(dataset, NULL);
    Clustering got = clustering_create(K, N, D);
    memcpy(got.centers, values, (size_t)(K * D) * sizeof(double));
    const bmo_kmeans run = run_of(&got, D, BMO_INIT_GIVEN);
    assert_ok(bmo_query_kmeans(query, &run, NULL, NULL));
    assert_memory_equal(got.labels, expected.labels, N * sizeof(int32_t));
    assert_true(fabs(ldexp(got.inertia, -600) - expected.inertia) <= 1e-6 * expected.inertia);
    clustering_free(got);
    clustering_free(expected);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    free(values);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_centers),
        cmocka_unit_test(any_type_and_strides),
        cmocka_unit_test(prepared_data),
        cmocka_unit_test(stops_after_max_iter),
        cmocka_unit_test(sparse_points),
        cmocka_unit_test(own_starts),
        cmocka_unit_test(a_seed_of_its_own_draws_the_starts),
        cmocka_unit_test(more_centers_than_points),
        cmocka_unit_test(empty_cluster_moves),
        cmocka_unit_test(labels_that_repeat_do_not_end_it),
        cmocka_unit_test(far_from_the_origin),
    };
    return cmocka_run_group_tests_name("kmeans", tests, NULL, NULL);
}
