/* Cosine and inner product: what searching them costs, epsilon, and what they do not combine with. */
#include "vectors.h"

#include <stdlib.h>

static void sampling_saves_operations(void **state) {
    const Vectors vectors = vectors_create(3000, 10, -7);
    (void)state;
    for (int64_t i = 100; i < 3000; i += 300) /* near point 17 */
        for (int64_t j = i / 20; j < D; ++j)
            vectors.at[i * D + j] = vectors.at[17 * D + j];
    bmo_dataset *source = vectors_dense(&vectors, BMO_F32, NULL);
    for (int how = 0; how < PREPARATIONS; ++how)
        for (int c = 0; c < 2; ++c) {
            const char *metric = c ? "cosine" : "inner_product";
            bmo_dataset *dataset = vectors_prepared(source, how, metric);
            bmo_stats stats = {.struct_size = sizeof stats};
            check_row(dataset, &vectors, 17, metric, "bandit", &stats);
            assert_int_equal(stats.guarantee, BMO_GUARANTEE_PROVEN);
            assert_int_equal(stats.coord_ops_brute, 2999 * D);
            assert_true(stats.coord_ops < stats.coord_ops_brute / 2);
            bmo_dataset_free(dataset);
        }
    bmo_dataset_free(source);
    free(vectors.at);
}

static int one_is_long(int64_t row) {
    return row == 0 ? 10 : 0;
}

/* That one point is a thousand times as long as the others is no reason to read more of these. */
static void lengths_far_apart_cost_nothing(void **state) {
    const Vectors vectors = vectors_create(3000, 12, -7);
    (void)state;
    for (int64_t i = 100; i < 3000; i += 300)
        for (int64_t j = i / 20; j < D; ++j)
            vectors.at[i * D + j] = vectors.at[17 * D + j];
    for (int64_t j = 0; j < D; ++j)
        vectors.at[j] = -vectors.at[17 * D + j]; /* and far away */
    bmo_dataset *even = vectors_dense(&vectors, BMO_F32, NULL), *uneven = vectors_dense(&vectors, BMO_F32, one_is_long);
    bmo_stats alike = {.struct_size = sizeof alike}, apart_too = {.struct_size = sizeof apart_too};
    check_row(even, &vectors, 17, "inner_product", "bandit", &alike);
    check_row(uneven, &vectors, 17, "inner_product", "bandit", &apart_too);
    assert_true(apart_too.coord_ops < alike.coord_ops * 5 / 4);
    bmo_dataset_free(even);
    bmo_dataset_free(uneven);
    free(vectors.at);
}

static void epsilon_is_of_the_distance(void **state) {
    const Vectors vectors = vectors_create(3000, 13, 0);
    bmo_dataset *dataset = vectors_dense(&vectors, BMO_F32, NULL);
    const int64_t row = 4;
    (void)state;
    for (int c = 0; c < 2; ++c) {
        uint64_t ops[2];
        for (int loose = 0; loose < 2; ++loose) {
            bmo_config *config = angular_config(c ? "cosine" : "inner_product", "bandit");
            const double epsilon = c ? 0.05 : 20000;
            assert_ok(bmo_config_set_f64(config, BMO_PARAM_EPSILON, loose ? epsilon : 0));
            bmo_query *query = NULL;
            bmo_stats stats = {.struct_size = sizeof stats};
            int64_t index[K], expected[K];
            double dist[K];
            long double exact[K];
            const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = K};
            assert_ok(bmo_query_create(&query, dataset, config, NULL));
            assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, &stats));
            true_neighbors(&vectors, vectors.at + row * D, row, c, expected, exact);
            for (int r = 0; r < K; ++r)
                assert_true((long double)dist[r] <= exact[r] + (loose ? epsilon : 0) + 1e-15L);
            ops[loose] = stats.coord_ops;
            bmo_query_free(query);
            bmo_config_free(config);
        }
        assert_true(ops[1] < ops[0]);
    }
    bmo_dataset_free(dataset);
    free(vectors.at);
}

static void what_does_not_combine_is_refused(void **state) {
    static const double weights[D] = {1};
    const Vectors vectors = vectors_create(10, 11, 0);
    bmo_dataset *dataset = vectors_dense(&vectors, BMO_U8, NULL);
    bmo_query *query = NULL;
    (void)state;
    for (int c = 0; c < 2; ++c) {
        bmo_config *config = angular_config(c ? "cosine" : "inner_product", "auto");
        assert_ok(bmo_config_set_weights(config, weights, D));
        assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "weights");
        assert_ok(bmo_config_set_weights(config, NULL, 0));
        assert_ok(bmo_config_set_text(config, "bandit", "ucb"));
        assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "metric");
        bmo_config_free(config);
    }
    bmo_config *angle = angular_config("cosine", "auto"), *distance = angular_config("l2", "auto");
    bmo_dataset *of_angles = vectors_prepared(dataset, ROTATED, "inner_product"),
                *of_distances = vectors_prepared(dataset, ROTATED, "l2");
    assert_refused(bmo_query_create(&query, of_angles, distance, NULL), BMO_EINVAL, "metric");
    assert_refused(bmo_query_create(&query, of_distances, angle, NULL), BMO_EINVAL, "metric");
    bmo_dataset *of_products = vectors_prepared(dataset, PROJECTED, "inner_product");
    assert_refused(bmo_query_create(&query, of_products, angle, NULL), BMO_EINVAL, "metric");
    assert_refused(bmo_query_create(&query, of_products, distance, NULL), BMO_EINVAL, "metric");
    bmo_dataset_free(of_products);
    bmo_dataset *sparse = vectors_sparse(&vectors, BMO_F32, NULL);
    bmo_config *sampled = angular_config("cosine", "bandit");
    assert_refused(bmo_query_create(&query, sparse, sampled, NULL), BMO_EINVAL, "method");
    assert_null(query);
    bmo_config_free(sampled);
    bmo_dataset_free(sparse);
    bmo_dataset_free(of_distances);
    bmo_dataset_free(of_angles);
    bmo_config_free(distance);
    bmo_config_free(angle);
    bmo_dataset_free(dataset);
    free(vectors.at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampling_saves_operations),
        cmocka_unit_test(lengths_far_apart_cost_nothing),
        cmocka_unit_test(epsilon_is_of_the_distance),
        cmocka_unit_test(what_does_not_combine_is_refused),
    };
    return cmocka_run_group_tests_name("angular_search", tests, NULL, NULL);
}
