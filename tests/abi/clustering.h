/* What the tests of bmo_query_kmeans share: Lloyd's algorithm by plain loops, in long double, and calls to compare with it. */
#ifndef BMO_TESTS_CLUSTERING_H
#define BMO_TESTS_CLUSTERING_H

#include "abi.h"
#include "reference.h"

typedef struct Clustering {
    int64_t k, iterations;
    double inertia, *centers;
    int32_t *labels;
} Clustering;

Clustering clustering_create(int64_t k, int64_t n, int64_t d);
void clustering_free(Clustering clustering);

/* The squared distance of a point to a center. */
long double square_to_center(const Points *points, int64_t i, const double *center);
int32_t nearest_center(const Points *points, int64_t i, const Clustering *clustering); /* the lowest of the nearest */
double inertia_of(const Points *points, const Clustering *clustering);

/* Each center to the mean of its points; one without points stays. */
void move_to_means(const Points *points, Clustering *clustering);
/* Lloyd's algorithm from the centers that are there. */
void lloyd(const Points *points, Clustering *clustering, int64_t max_iter);
void start_from_points(const Points *points, Clustering *clustering); /* the first k */

bmo_kmeans run_of(Clustering *clustering, int64_t d, int32_t init);

/* settings: names and values by turns, then NULL; or NULL. */
bmo_dataset *prepared_of(const bmo_dataset *dataset, const char *const *settings);
bmo_query *query_of(const bmo_dataset *dataset, const char *const *settings);
bmo_query *query_on(const Points *points, const char *const *settings);

#endif
