/* The calls whose structs hold pointers to Go memory. cgo wants such pointers to be arguments, so the structs are made
 * here, in C, for the time of the call. */
#ifndef BMO_GO_CALLS_H
#define BMO_GO_CALLS_H

#include <bmo.h>

/* How a long call is stopped, and whom it tells how far it is: the cgo.Handle of a function, or 0. */
typedef struct go_watch {
    bmo_cancel *cancel;
    uintptr_t progress;
} go_watch;

/* What every search takes and fills, its buffers apart. */
typedef struct go_search {
    int64_t k, capacity;
    int32_t radius;             /* 1: all neighbors within the limits, which go to found; 0: the k nearest */
    int64_t max_distance_count; /* 0: no limit */
    int64_t query_label_count;  /* 0: there are none */
    int64_t max_pairs;
    bmo_neighbors *found;
    go_watch watch;
    bmo_stats stats;
} go_search;

/* The buffers of a search. cgo looks for pointers to Go's memory in arguments alone: each is one. */
#define GO_BUFFERS                                                                                                     \
    go_search *search, const double *max_distance, const int32_t *query_labels, int64_t *index, double *dist

/* Is there room for so many bytes? A system that promises more memory than there is would end the process at their use. */
int go_has_room(size_t bytes);

bmo_status go_dataset_dense(bmo_dataset **out, const bmo_dense *shape, const void *data);
/* Uses pinned memory where it lies, until it calls goRelease with the cgo.Handle. */
bmo_status go_dataset_borrow(bmo_dataset **out, const bmo_dense *shape, const void *data, uintptr_t handle);
/* BMO_OK if the data may still be borrowed. */
bmo_status go_check_dense(const bmo_dense *shape, const void *data);
bmo_status go_dataset_sparse(bmo_dataset **out, const bmo_sparse *shape, const void *pointers, const void *indices,
                             const void *values);
bmo_status go_dataset_open(bmo_dataset **out, const char *path, uint32_t flags, const go_watch *watch);
bmo_status go_dataset_prepare(bmo_dataset **out, const bmo_dataset *source, const bmo_config *config,
                              const go_watch *watch);
bmo_status go_dataset_subset(bmo_dataset **out, const bmo_dataset *dataset, const int64_t *rows, int64_t nrows,
                             const go_watch *watch);

bmo_status go_dataset_save(const bmo_dataset *dataset, const char *path, const go_watch *watch);

/* The metric "custom" by the Rho behind a cgo.Handle. */
bmo_status go_config_set_rho(bmo_config *config, uintptr_t handle);

/* What bmo_query_create_among() takes, its arrays and their lengths apart. */
typedef struct go_among {
    bmo_label_rule label_rule;
    go_watch watch;
} go_among;

bmo_status go_query_create_among(bmo_query **out, const bmo_dataset *dataset, const bmo_config *config,
                                 const go_among *ask, const int64_t *rows, int64_t nrows, const uint8_t *mask,
                                 const int32_t *labels);

bmo_status go_search_points(const bmo_query *query, const bmo_dataset *points, GO_BUFFERS);
bmo_status go_search_dense(const bmo_query *query, const bmo_dense *shape, const void *data, GO_BUFFERS);
bmo_status go_search_sparse(const bmo_query *query, const bmo_sparse *shape, const void *pointers, const void *indices,
                            const void *values, GO_BUFFERS);
bmo_status go_search_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, GO_BUFFERS);
bmo_status go_search_graph(const bmo_query *query, GO_BUFFERS);

/* What bmo_query_kmeans() takes and fills, its buffers apart. */
typedef struct go_kmeans {
    bmo_kmeans run;
    double inertia;
    int64_t iterations;
    go_watch watch;
    bmo_stats stats;
} go_kmeans;

bmo_status go_query_kmeans(const bmo_query *query, go_kmeans *ask, const int64_t *seed, double *centers,
                           int32_t *labels);

/* What bmo_query_medoid() takes and fills, its seed apart. */
typedef struct go_medoid {
    int64_t index;
    double mean_distance;
    go_watch watch;
    bmo_stats stats;
} go_medoid;

bmo_status go_query_medoid(const bmo_query *query, go_medoid *ask, const int64_t *seed);

/* What bmo_best_arms() takes and fills, its places and functions apart. */
typedef struct go_arms {
    bmo_arms arms;
    int32_t has_exact;
    int64_t k;
    go_watch watch;
    bmo_stats stats;
} go_arms;

/* The arms behind a cgo.Handle. */
bmo_status go_best_arms(uintptr_t handle, go_arms *ask, const bmo_config *config, int64_t *arm, double *mean,
                        double *halfwidth);

/* What C calls: defined in callbacks.go, progress.go and arms.go. */
int32_t goRho(uintptr_t handle, int64_t *coord, int64_t count, double *a, double *b, double *out);
void goRelease(uintptr_t handle);
int32_t goProgress(uintptr_t handle, int32_t phase, int64_t done, int64_t total);
int32_t goPull(uintptr_t handle, int64_t *arms, int64_t count, int64_t m, uint64_t stream, double *sum, double *sumsq);
int32_t goExact(uintptr_t handle, int64_t arm, double *mean);

#endif
