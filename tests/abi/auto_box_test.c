/* What auto prepares data for, and what it then searches by. */
#include "abi.h"
#include "prepared_box.h"

#include <stdlib.h>
#include <string.h>

enum { K = 5, MANY = 2000, NOISY = 3000, WIDE = 1024, ROW = 77 };

/* Searches for what is nearest to ROW, and checks that it is that. */
static bmo_stats search(const Points *points, const bmo_dataset *dataset, const bmo_config *config, int32_t metric) {
    const int64_t row = ROW;
    int64_t index[K], true_index[K];
    const bmo_output out = output_to(index, NULL, K);
    bmo_stats stats = {.struct_size = sizeof stats};
    bmo_query *query = query_with(dataset, config);
    assert_ok(bmo_query_knn_rows(query, &row, 1, K, &out, NULL, &stats));
    nearest(points, points->at + ROW * WIDE, ROW, K, metric, true_index, NULL);
    assert_memory_equal(index, true_index, sizeof index);
    bmo_query_free(query);
    return stats;
}

static int32_t box_of(const bmo_dataset *dataset) {
    bmo_dataset_info info = {.struct_size = sizeof info};
    assert_ok(bmo_dataset_describe(dataset, &info));
    return info.box;
}

/* Nothing for few queries, whose searches are those of data that are not prepared. */
static void auto_prepares_what_the_queries_pay_for(void **state) {
    const Points points = points_create(MANY, WIDE, 4);
    bmo_config *config = NULL;
    bmo_dataset *source = points_dataset(&points);
    (void)state;
    assert_ok(bmo_config_create(&config));
    for (int box = 0; box < 2; ++box) {
        assert_ok(bmo_config_set_text(config, "box", box ? "rotated" : "auto"));
        assert_ok(bmo_config_set_i64(config, BMO_PARAM_EXPECTED_QUERIES, 1));
        bmo_dataset *dataset = dataset_prepare(source, config);
        assert_int_equal(box_of(dataset), box ? BMO_BOX_ROTATED : BMO_BOX_AUTO);
        search(&points, dataset, config, BMO_METRIC_L2);
        bmo_dataset_free(dataset);
    }
    bmo_config_free(config);
    bmo_dataset_free(source);
    points_free(points);
}

/* The nearest of values in units of 2^-16 below 2^8: their squared distances are whole numbers of units. */
static void nearest_of_noise(const float *values, int64_t row, int64_t *index) {
    double *sums = allocate(NOISY, sizeof *sums);
    for (int64_t i = 0; i < NOISY; ++i) {
        int64_t sum = 0;
        for (int64_t j = 0; j < WIDE; ++j) {
            const int64_t apart = (int64_t)((values[i * WIDE + j] - (double)values[row * WIDE + j]) * 65536);
            sum += apart * apart;
        }
        sums[i] = (double)sum;
    }
    least(sums, NOISY, row, K, index);
    free(sums);
}

/* Noise, of which all points are as far apart: auto tries two races, and scans. */
static void auto_scans_where_races_do_not_pay(void **state) {
    enum { ASKED = 64 };
    float *values = allocate(NOISY * WIDE, sizeof *values);
    int64_t rows[ASKED], index[ASKED * K];
    bmo_dataset *source = NULL;
    bmo_config *config = NULL;
    uint64_t bits = 88172645463325252u;
    (void)state;
    for (int64_t i = 0; i < NOISY * WIDE; ++i) {
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        values[i] = (float)(bits >> 40) / 65536;
    }
    for (int64_t i = 0; i < ASKED; ++i)
        rows[i] = i * 7;
    const bmo_dense dense = {.struct_size = sizeof dense, .dtype = BMO_F32, .data = values, .n = NOISY, .d = WIDE};
    assert_ok(bmo_dataset_dense(&source, &dense, BMO_BORROW, NULL, NULL));
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "box", "projected"));
    bmo_dataset *dataset = dataset_prepare(source, config);
    for (int exact = 0; exact < 2; ++exact) {
        bmo_stats stats = {.struct_size = sizeof stats};
        const bmo_output out = output_to(index, NULL, ASKED * K);
        assert_ok(bmo_config_set_text(config, "method", exact ? "exact" : "auto"));
        bmo_query *query = query_with(dataset, config);
        assert_ok(bmo_query_knn_rows(query, rows, ASKED, K, &out, NULL, &stats));
        assert_int_equal(stats.method, BMO_METHOD_EXACT);
        assert_int_equal(stats.guarantee, BMO_GUARANTEE_EXACT);
        assert_true(exact ? stats.coord_ops == stats.coord_ops_brute : stats.coord_ops > stats.coord_ops_brute);
        if (!exact)
            assert_non_null(strstr(stats.reason, "races of two of the queries"));
        for (int64_t i = 0; i < ASKED; i += 7) {
            int64_t expected[K];
            nearest_of_noise(values, rows[i], expected);
            assert_memory_equal(index + i * K, expected, sizeof expected);
        }
        bmo_query_free(query);
    }
    bmo_dataset_free(dataset);
    bmo_config_free(config);
    bmo_dataset_free(source);
    free(values);
}

/* Data that auto prepares for the projected box are searched as if they were not prepared where that box does not serve: under
 * other metrics, and by coordinates that are sampled uniformly. */
static void auto_prepares_large_data_for_the_projected_box(void **state) {
    const Points points = points_create(MANY, WIDE, 4);
    bmo_config *config = NULL;
    bmo_query *query = NULL;
    (void)state;
    bmo_dataset *source = points_dataset(&points), *dataset = dataset_prepare(source, NULL);
    assert_int_equal(box_of(dataset), BMO_BOX_PROJECTED);
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "method", "bandit"));
    assert_int_equal(search(&points, dataset, config, BMO_METRIC_L2).box, BMO_BOX_PROJECTED);
    assert_ok(bmo_config_set_text(config, "metric", "l1"));
    assert_int_equal(search(&points, dataset, config, BMO_METRIC_L1).box, BMO_BOX_DENSE);
    assert_ok(bmo_config_set_text(config, "metric", "l2"));
    assert_ok(bmo_config_set_text(config, "method", "uniform"));
    assert_ok(bmo_config_set_i64(config, BMO_PARAM_UNIFORM_PULLS, WIDE)); /* all coordinates: the estimates are exact */
    assert_int_equal(search(&points, dataset, config, BMO_METRIC_L2).box, BMO_BOX_DENSE);
    assert_ok(bmo_config_set_text(config, "box", "projected"));
    assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "method");
    assert_ok(bmo_config_set_text(config, "method", "bandit"));
    assert_ok(bmo_config_set_text(config, "box", "dense"));
    assert_refused(bmo_query_create(&query, dataset, config, NULL), BMO_EINVAL, "box");
    bmo_config_free(config);
    bmo_dataset_free(dataset);
    bmo_dataset_free(source);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_prepares_what_the_queries_pay_for),
        cmocka_unit_test(auto_scans_where_races_do_not_pay),
        cmocka_unit_test(auto_prepares_large_data_for_the_projected_box),
    };
    return cmocka_run_group_tests_name("auto_box", tests, NULL, NULL);
}
