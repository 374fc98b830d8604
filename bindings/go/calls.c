#include "calls.h"

#include <stdlib.h>
#include <unistd.h>

static int32_t report(void *ctx, const bmo_progress *progress) {
    return goProgress((uintptr_t)ctx, progress->phase, progress->done, progress->total);
}

static bmo_monitor monitor_of(const go_watch *watch) {
    bmo_monitor monitor = {.struct_size = sizeof monitor, .cancel = watch->cancel};
    if (watch->progress) {
        monitor.progress = report;
        monitor.ctx = (void *)watch->progress;
    }
    return monitor;
}

/* What a search is asked, as the library takes it. */
typedef struct asked {
    bmo_monitor monitor;
    bmo_limits limits;
    bmo_output out;
} asked;

static void ask(asked *it, const go_search *search, const double *max_distance, const int32_t *query_labels,
                int64_t *index, double *dist) {
    it->monitor = monitor_of(&search->watch);
    it->limits = (bmo_limits){.struct_size = sizeof it->limits,
                              .max_distance = search->max_distance_count ? max_distance : NULL,
                              .max_distance_count = search->max_distance_count,
                              .max_pairs = search->max_pairs,
                              .query_labels = search->query_label_count ? query_labels : NULL,
                              .query_label_count = search->query_label_count};
    it->out = (bmo_output){.struct_size = sizeof it->out,
                           .index = index,
                           .distance = dist,
                           .capacity = search->capacity,
                           .limits = &it->limits};
}

static bmo_dense dense_of(const bmo_dense *shape, const void *data) {
    bmo_dense dense = *shape;
    dense.data = data;
    return dense;
}

static bmo_sparse sparse_of(const bmo_sparse *shape, const void *pointers, const void *indices, const void *values) {
    bmo_sparse sparse = *shape;
    sparse.pointers = pointers;
    sparse.indices = indices;
    sparse.values = values;
    return sparse;
}

int go_has_room(size_t bytes) {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0 && bytes / (size_t)page >= (size_t)pages)
        return 0;
    void *volatile room = malloc(bytes); /* volatile: what nobody looks at need not be asked for */
    const int has = room != NULL;
    free(room);
    return has;
}

static void release(void *ctx) {
    goRelease((uintptr_t)ctx);
}

static bmo_owner owner_of(uintptr_t handle) {
    return (bmo_owner){.struct_size = sizeof(bmo_owner), .release = release, .ctx = (void *)handle};
}

bmo_status go_dataset_dense(bmo_dataset **out, const bmo_dense *shape, const void *data) {
    const bmo_dense dense = dense_of(shape, data);
    return bmo_dataset_dense(out, &dense, BMO_COPY, NULL, NULL);
}

bmo_status go_dataset_borrow(bmo_dataset **out, const bmo_dense *shape, const void *data, uintptr_t handle) {
    const bmo_dense dense = dense_of(shape, data);
    const bmo_owner owner = owner_of(handle);
    return bmo_dataset_dense(out, &dense, BMO_BORROW, &owner, NULL);
}

bmo_status go_check_dense(const bmo_dense *shape, const void *data) {
    const bmo_dense dense = dense_of(shape, data);
    bmo_dataset *again;
    const bmo_status status = bmo_dataset_dense(&again, &dense, BMO_BORROW, NULL, NULL);
    if (status == BMO_OK)
        bmo_dataset_free(again);
    return status;
}

bmo_status go_dataset_sparse(bmo_dataset **out, const bmo_sparse *shape, const void *pointers, const void *indices,
                             const void *values) {
    const bmo_sparse sparse = sparse_of(shape, pointers, indices, values);
    return bmo_dataset_sparse(out, &sparse, BMO_COPY, NULL, NULL);
}

bmo_status go_dataset_open(bmo_dataset **out, const char *path, uint32_t flags, const go_watch *watch) {
    const bmo_monitor monitor = monitor_of(watch);
    return bmo_dataset_open(out, path, flags, &monitor);
}

bmo_status go_dataset_prepare(bmo_dataset **out, const bmo_dataset *source, const bmo_config *config,
                              const go_watch *watch) {
    const bmo_monitor monitor = monitor_of(watch);
    return bmo_dataset_prepare(out, source, config, &monitor);
}

bmo_status go_dataset_subset(bmo_dataset **out, const bmo_dataset *dataset, const int64_t *rows, int64_t nrows,
                             const go_watch *watch) {
    const bmo_monitor monitor = monitor_of(watch);
    return bmo_dataset_subset(out, dataset, rows, nrows, &monitor);
}

bmo_status go_dataset_save(const bmo_dataset *dataset, const char *path, const go_watch *watch) {
    const bmo_monitor monitor = monitor_of(watch);
    return bmo_dataset_save(dataset, path, &monitor);
}

static int32_t call_rho(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b, double *out) {
    return goRho((uintptr_t)ctx, (int64_t *)coord, count, (double *)a, (double *)b, out);
}

bmo_status go_config_set_rho(bmo_config *config, uintptr_t handle) {
    const bmo_owner owner = owner_of(handle);
    return bmo_config_set_rho(config, call_rho, 0, &owner);
}

bmo_status go_query_create_among(bmo_query **out, const bmo_dataset *dataset, const bmo_config *config,
                                 const go_among *ask, const int64_t *rows, int64_t nrows, const uint8_t *mask,
                                 const int32_t *labels) {
    const bmo_candidates candidates = {.struct_size = sizeof candidates,
                                       .label_rule = ask->label_rule,
                                       .rows = rows,
                                       .nrows = nrows,
                                       .mask = mask,
                                       .labels = labels};
    const bmo_monitor monitor = monitor_of(&ask->watch);
    return bmo_query_create_among(out, dataset, config, &candidates, &monitor);
}

bmo_status go_search_points(const bmo_query *query, const bmo_dataset *points, GO_BUFFERS) {
    asked it;
    ask(&it, search, max_distance, query_labels, index, dist);
    return search->radius ? bmo_query_radius(query, points, &it.limits, &search->found, &it.monitor, &search->stats)
                          : bmo_query_knn(query, points, search->k, &it.out, &it.monitor, &search->stats);
}

bmo_status go_search_dense(const bmo_query *query, const bmo_dense *shape, const void *data, GO_BUFFERS) {
    const bmo_dense dense = dense_of(shape, data);
    asked it;
    ask(&it, search, max_distance, query_labels, index, dist);
    return search->radius
               ? bmo_query_radius_dense(query, &dense, &it.limits, &search->found, &it.monitor, &search->stats)
               : bmo_query_knn_dense(query, &dense, search->k, &it.out, &it.monitor, &search->stats);
}

bmo_status go_search_sparse(const bmo_query *query, const bmo_sparse *shape, const void *pointers, const void *indices,
                            const void *values, GO_BUFFERS) {
    const bmo_sparse sparse = sparse_of(shape, pointers, indices, values);
    asked it;
    ask(&it, search, max_distance, query_labels, index, dist);
    return search->radius
               ? bmo_query_radius_sparse(query, &sparse, &it.limits, &search->found, &it.monitor, &search->stats)
               : bmo_query_knn_sparse(query, &sparse, search->k, &it.out, &it.monitor, &search->stats);
}

bmo_status go_search_rows(const bmo_query *query, const int64_t *rows, int64_t nrows, GO_BUFFERS) {
    asked it;
    ask(&it, search, max_distance, query_labels, index, dist);
    return search->radius
               ? bmo_query_radius_rows(query, rows, nrows, &it.limits, &search->found, &it.monitor, &search->stats)
               : bmo_query_knn_rows(query, rows, nrows, search->k, &it.out, &it.monitor, &search->stats);
}

bmo_status go_search_graph(const bmo_query *query, GO_BUFFERS) {
    asked it;
    ask(&it, search, max_distance, query_labels, index, dist);
    return search->radius ? bmo_query_radius_graph(query, &it.limits, &search->found, &it.monitor, &search->stats)
                          : bmo_query_graph(query, search->k, &it.out, &it.monitor, &search->stats);
}

bmo_status go_query_kmeans(const bmo_query *query, go_kmeans *ask, const int64_t *seed, double *centers,
                           int32_t *labels) {
    bmo_kmeans run = ask->run;
    run.struct_size = sizeof run;
    run.seed = seed;
    run.centers = centers;
    run.labels = labels;
    run.inertia = &ask->inertia;
    run.iterations = &ask->iterations;
    const bmo_monitor monitor = monitor_of(&ask->watch);
    return bmo_query_kmeans(query, &run, &monitor, &ask->stats);
}

bmo_status go_query_medoid(const bmo_query *query, go_medoid *ask, const int64_t *seed) {
    bmo_medoid found = {.struct_size = sizeof found, .seed = seed};
    const bmo_monitor monitor = monitor_of(&ask->watch);
    const bmo_status status = bmo_query_medoid(query, &found, &monitor, &ask->stats);
    ask->index = found.index;
    ask->mean_distance = found.mean_distance;
    return status;
}

static int32_t call_pull(void *ctx, const int64_t *arms, int64_t count, int64_t m, uint64_t stream, double *sum,
                         double *sumsq) {
    return goPull((uintptr_t)ctx, (int64_t *)arms, count, m, stream, sum, sumsq);
}

static int32_t call_exact(void *ctx, int64_t arm, double *mean) {
    return goExact((uintptr_t)ctx, arm, mean);
}

bmo_status go_best_arms(uintptr_t handle, go_arms *ask, const bmo_config *config, int64_t *arm, double *mean,
                        double *halfwidth) {
    bmo_arms arms = ask->arms;
    arms.ctx = (void *)handle;
    arms.pull = call_pull;
    arms.exact = ask->has_exact ? call_exact : NULL;
    const bmo_best out = {.struct_size = sizeof out, .k = ask->k, .arm = arm, .mean = mean, .halfwidth = halfwidth};
    const bmo_monitor monitor = monitor_of(&ask->watch);
    return bmo_best_arms(&arms, config, &out, &monitor, &ask->stats);
}
