/* The public functions, one Call each. */
#ifndef BMO_TESTS_CALLS_H
#define BMO_TESTS_CALLS_H

#include "scenario.h"

/* ---- library_calls.c */
extern const Call status_name, dtype_name, phase_name, guarantee_name, last_error, error_detail, version,
    version_string, isa, threads_available;
extern const Call cancel_create, cancel_request, cancel_reset, cancel_free;

/* ---- config_calls.c */
extern const Call config_create, config_copy, config_free, config_set_i64, config_set_f64, config_set_text,
    config_set_weights, config_set_rho, config_get_i64, config_get_f64, config_get_text, config_check, param_count,
    param_at;

/* ---- dataset_calls.c */
extern const Call dataset_dense, dataset_sparse, dataset_open, dataset_save, dataset_prepare, dataset_subset,
    dataset_ref, dataset_free, dataset_describe, dataset_copy_rows;

/* ---- search_calls.c */
extern const Call query_create, query_create_among, query_search_among, query_free, query_knn, query_knn_dense,
    query_knn_sparse, query_knn_rows, query_graph, query_radius, query_radius_dense, query_radius_sparse,
    query_radius_rows, query_radius_graph, neighbors_read, neighbors_free, query_kmeans, query_medoid, best_arms,
    simple_knn, simple_graph;

void count_release(void *count); /* adds 1 to an int64_t */
uint64_t digest_of_config(const bmo_config *config);
uint64_t digest_of_answers(const bmo_query *query); /* to questions about its own points */
const bmo_monitor *monitor_of(const Stage *stage);  /* NULL without one */

#endif
