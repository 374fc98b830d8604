/* A dataset, queries on it, and the five searches behind one function. */
#ifndef BMO_TESTS_SEARCH_H
#define BMO_TESTS_SEARCH_H

#include "reference.h"

/* From KNN_ROWS on, a query is a candidate itself. */
typedef enum Kind { KNN, KNN_DENSE, KNN_SPARSE, KNN_ROWS, GRAPH, KINDS } Kind;

enum { QUERIES = 9 };

typedef struct Search {
    Points candidates, queries; /* QUERIES points that are none of the candidates */
    bmo_sparse sparse_queries;  /* the same */
    int64_t rows[QUERIES];      /* of candidates, most of them twice */
    int32_t metric;
    bmo_dataset *candidate_set, *query_set;
    bmo_query *query;
} Search;

/* n candidates of d coordinates. config NULL: the defaults. */
Search search_create(int64_t n, int64_t d, const bmo_config *config);
void search_free(Search search);

int64_t search_count(const Search *search, Kind kind); /* of queries */
bmo_status search_run(const Search *search, Kind kind, int64_t k, const bmo_output *out, const bmo_monitor *monitor,
                      bmo_stats *stats);

/* The k true neighbors of a query. */
void search_expect(const Search *search, Kind kind, int64_t query, int64_t k, int64_t *index, double *dist);

/* Runs with int64 and double results in place of `out`, and checks all of them. stats may be NULL. */
void search_check(const Search *search, Kind kind, int64_t k, bmo_stats *stats);

/* A config with one parameter set, by its texts. */
bmo_config *config_with(const char *name, const char *value);

#endif
