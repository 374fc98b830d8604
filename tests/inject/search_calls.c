/* bmo_query, the searches on it, and arms of the caller's own. */
#include "calls.h"

#include <string.h>

uint64_t digest_of_answers(const bmo_query *query) {
    static const int64_t rows[] = {3, 1};
    int64_t index[2 * NEIGHBORS];
    double distance[2 * NEIGHBORS];
    const bmo_output out = {.struct_size = sizeof out, .index = index, .distance = distance, .capacity = 2 * NEIGHBORS};
    must(bmo_query_knn_rows(query, rows, 2, NEIGHBORS, &out, NULL, NULL));
    return digest(digest(0, index, sizeof index), distance, sizeof distance);
}

static bmo_status run_create(Stage *stage) {
    return bmo_query_create((bmo_query **)&stage->out.handle, stage->dataset, stage->config, monitor_of(stage));
}

static void free_query(Stage *stage, bmo_status status) {
    if (status != BMO_OK)
        return;
    stage->out.state = digest_of_answers(stage->out.handle);
    bmo_query_free(stage->out.handle);
    stage->out.handle = NULL;
}

static bmo_status run_free(Stage *stage) {
    bmo_query_free(stage->query);
    stage->query = NULL;
    return BMO_OK;
}

static void make_query(Stage *stage, bmo_status status) {
    (void)status;
    must(bmo_query_create(&stage->query, stage->dataset, stage->config, NULL));
}

/* The scenario's text: how candidates are chosen. */
static bmo_status run_create_among(Stage *stage) {
    static const int64_t rows[] = {9, 1, 3, 4, 0, 11};
    static uint8_t mask[POINTS];
    static int32_t labels[POINTS];
    const char *choice = stage->scenario->text;
    const int by_label = strcmp(choice, "same") == 0 || strcmp(choice, "other") == 0;
    for (int32_t i = 0; i < POINTS; ++i) {
        mask[i] = i % 3 != 2;
        labels[i] = i % 40 < 20 ? 1 : i % 3;
    }
    const bmo_candidates candidates = {.struct_size = sizeof candidates,
                                       .rows = strcmp(choice, "rows") == 0 ? rows : NULL,
                                       .nrows = strcmp(choice, "rows") == 0 ? (int64_t)(sizeof rows / sizeof *rows) : 0,
                                       .mask = strcmp(choice, "mask") == 0 ? mask : NULL,
                                       .labels = by_label ? labels : NULL,
                                       .label_rule = !by_label                     ? 0
                                                     : strcmp(choice, "same") == 0 ? BMO_LABELS_SAME
                                                                                   : BMO_LABELS_OTHER};
    return bmo_query_create_among((bmo_query **)&stage->out.handle, stage->dataset, stage->config, &candidates,
                                  monitor_of(stage));
}

/* A search that fails in a part of the candidates. */
static bmo_status run_search_among(Stage *stage) {
    static const int64_t rows[] = {4, 4, 0, 11};
    const bmo_output out = {.struct_size = sizeof out,
                            .index = stage->out.index,
                            .distance = stage->out.distance,
                            .capacity = POINTS * NEIGHBORS,
                            .done = stage->out.done,
                            .row_stats = stage->out.row_stats};
    bmo_status status = run_create_among(stage);
    if (status != BMO_OK)
        return status;
    status = bmo_query_knn_rows(stage->out.handle, rows, 4, NEIGHBORS, &out, monitor_of(stage), &stage->out.stats);
    bmo_query_free(stage->out.handle);
    stage->out.handle = stage->untouched.handle;
    return status;
}

const Call query_create_among = {.function = "bmo_query_create_among", .run = run_create_among, .after = free_query};
const Call query_search_among = {.function = "bmo_query_knn_rows", .run = run_search_among};
const Call query_create = {.function = "bmo_query_create", .run = run_create, .after = free_query};
const Call query_free = {.function = "bmo_query_free", .run = run_free, .after = make_query, .needs_query = 1};

static const double far_enough = 400;
static const bmo_limits limits = {.struct_size = sizeof limits, .max_distance = &far_enough, .max_distance_count = 1};

static bmo_output output_of(Stage *stage) {
    return (bmo_output){.struct_size = sizeof(bmo_output),
                        .index = stage->out.index,
                        .distance = stage->out.distance,
                        .capacity = POINTS * NEIGHBORS,
                        .done = stage->out.done,
                        .row_stats = stage->out.row_stats,
                        .limits = stage->scenario->flags & LIMITED ? &limits : NULL};
}

static int64_t neighbors(const Stage *stage) {
    return stage->scenario->value == 0 ? NEIGHBORS : (int64_t)stage->scenario->value;
}

static bmo_status run_knn(Stage *stage) {
    const bmo_output out = output_of(stage);
    return bmo_query_knn(stage->query, stage->queries, neighbors(stage), &out, monitor_of(stage), &stage->out.stats);
}

/* Against sparse points too: halves, which none of them has. */
static bmo_status run_knn_dense(Stage *stage) {
    float values[QUERIES * 512];
    bmo_dense few = stage->dense;
    few.n = QUERIES;
    if (!few.struct_size) {
        for (int i = 0; i < QUERIES * 512; ++i)
            values[i] = (float)(i % 7) / 2;
        few = (bmo_dense){
            .struct_size = sizeof few, .dtype = BMO_F32, .data = values, .n = QUERIES, .d = stage->sparse.d};
    }
    const bmo_output out = output_of(stage);
    return bmo_query_knn_dense(stage->query, &few, neighbors(stage), &out, monitor_of(stage), &stage->out.stats);
}

/* Point i has entry 2 at coordinate i and 3 at the one after it. */
static bmo_status run_knn_sparse(Stage *stage) {
    const int32_t pointers[] = {0, 2, 4, 6}, indices[] = {1, 0, 2, 1, 2, 3};
    const float values[] = {3, 2, 3, 2, 2, 3};
    const bmo_sparse few = {.struct_size = sizeof few,
                            .pointer_dtype = BMO_I32,
                            .index_dtype = BMO_I32,
                            .value_dtype = BMO_F32,
                            .n = 3,
                            .d = stage->sparse.struct_size ? stage->sparse.d : stage->dense.d,
                            .nnz = 6,
                            .pointers = pointers,
                            .indices = indices,
                            .values = values};
    const bmo_output out = output_of(stage);
    return bmo_query_knn_sparse(stage->query, &few, neighbors(stage), &out, monitor_of(stage), &stage->out.stats);
}

static bmo_status run_knn_rows(Stage *stage) {
    const int64_t rows[] = {4, 4, 0, 11};
    const bmo_output out = output_of(stage);
    return bmo_query_knn_rows(stage->query, rows, 4, neighbors(stage), &out, monitor_of(stage), &stage->out.stats);
}

static bmo_status run_graph(Stage *stage) {
    const bmo_output out = output_of(stage);
    return bmo_query_graph(stage->query, neighbors(stage), &out, monitor_of(stage), &stage->out.stats);
}

#define SEARCH(name, function_name, run_function)                                                                      \
    const Call name = {.function = function_name, .run = run_function, .needs_query = 1}

SEARCH(query_knn, "bmo_query_knn", run_knn);
SEARCH(query_knn_dense, "bmo_query_knn_dense", run_knn_dense);
SEARCH(query_knn_sparse, "bmo_query_knn_sparse", run_knn_sparse);
SEARCH(query_knn_rows, "bmo_query_knn_rows", run_knn_rows);
SEARCH(query_graph, "bmo_query_graph", run_graph);

static bmo_status run_radius(Stage *stage) {
    return bmo_query_radius(stage->query, stage->queries, &limits, (bmo_neighbors **)&stage->out.handle,
                            monitor_of(stage), &stage->out.stats);
}

static bmo_status run_radius_dense(Stage *stage) {
    bmo_dense few = stage->dense;
    few.n = QUERIES;
    return bmo_query_radius_dense(stage->query, &few, &limits, (bmo_neighbors **)&stage->out.handle, monitor_of(stage),
                                  &stage->out.stats);
}

static bmo_status run_radius_sparse(Stage *stage) {
    return bmo_query_radius_sparse(stage->query, &stage->sparse, &limits, (bmo_neighbors **)&stage->out.handle,
                                   monitor_of(stage), &stage->out.stats);
}

static bmo_status run_radius_rows(Stage *stage) {
    const int64_t rows[] = {4, 4, 0, 11};
    return bmo_query_radius_rows(stage->query, rows, 4, &limits, (bmo_neighbors **)&stage->out.handle,
                                 monitor_of(stage), &stage->out.stats);
}

static bmo_status run_radius_graph(Stage *stage) {
    return bmo_query_radius_graph(stage->query, &limits, (bmo_neighbors **)&stage->out.handle, monitor_of(stage),
                                  &stage->out.stats);
}

static void free_neighbors(Stage *stage, bmo_status status) {
    if (status != BMO_OK)
        return;
    bmo_neighbors_view view = {.struct_size = sizeof view};
    must(bmo_neighbors_read(stage->out.handle, &view));
    stage->out.state = digest(digest(0, view.offset, (size_t)(view.queries + 1) * sizeof *view.offset), view.index,
                              (size_t)view.pairs * sizeof *view.index);
    bmo_neighbors_free(stage->out.handle);
    stage->out.handle = NULL;
}

#define RADIUS(name, function_name, run_function)                                                                      \
    const Call name = {                                                                                                \
        .function = function_name, .run = run_function, .after = free_neighbors, .needs_query = 1, .lacks_done = 1}

RADIUS(query_radius, "bmo_query_radius", run_radius);
RADIUS(query_radius_dense, "bmo_query_radius_dense", run_radius_dense);
RADIUS(query_radius_sparse, "bmo_query_radius_sparse", run_radius_sparse);
RADIUS(query_radius_rows, "bmo_query_radius_rows", run_radius_rows);
RADIUS(query_radius_graph, "bmo_query_radius_graph", run_radius_graph);

static bmo_neighbors *found; /* beforehand */

static void find_neighbors(Stage *stage) {
    must(bmo_query_radius_graph(stage->query, &limits, &found, NULL, NULL));
}

static bmo_status run_neighbors_read(Stage *stage) {
    bmo_neighbors_view view = {.struct_size = sizeof view};
    const bmo_status status = bmo_neighbors_read(found, &view);
    if (status == BMO_OK)
        stage->out.integer = view.pairs;
    return status;
}

static void drop_neighbors(Stage *stage, bmo_status status) {
    (void)stage;
    (void)status;
    bmo_neighbors_free(found);
}

static bmo_status run_neighbors_free(Stage *stage) {
    (void)stage;
    bmo_neighbors_free(found);
    return BMO_OK;
}

const Call neighbors_read = {.function = "bmo_neighbors_read",
                             .run = run_neighbors_read,
                             .before = find_neighbors,
                             .after = drop_neighbors,
                             .needs_query = 1};
const Call neighbors_free = {
    .function = "bmo_neighbors_free", .run = run_neighbors_free, .before = find_neighbors, .needs_query = 1};

/* The first points are the queries. */
static bmo_status run_simple_knn(Stage *stage) {
    const bmo_dense *points = &stage->dense;
    return bmo_knn(points->dtype, points->data, points->n, points->data, QUERIES, points->d, neighbors(stage),
                   stage->out.index, stage->out.distance, stage->config);
}

static bmo_status run_simple_graph(Stage *stage) {
    const bmo_dense *points = &stage->dense;
    return bmo_knn_graph(points->dtype, points->data, points->n, points->d, neighbors(stage), stage->out.index,
                         stage->out.distance, stage->config);
}

const Call simple_knn = {.function = "bmo_knn", .run = run_simple_knn, .lacks_done = 1};
const Call simple_graph = {.function = "bmo_knn_graph", .run = run_simple_graph, .lacks_done = 1};

/* The first points are the centers that are given. */
static void give_centers(Stage *stage) {
    const int64_t rows[CENTERS] = {0, 1, 2, 3};
    must(bmo_dataset_copy_rows(stage->dataset, rows, CENTERS, stage->out.values));
}

static bmo_status run_kmeans(Stage *stage) {
    const char *start = stage->scenario->text;
    const int32_t init = !start ? BMO_INIT_PLUSPLUS : strcmp(start, "given") == 0 ? BMO_INIT_GIVEN : BMO_INIT_RANDOM;
    const bmo_kmeans run = {.struct_size = sizeof run,
                            .init = init,
                            .n_init = init == BMO_INIT_RANDOM ? 2 : 1,
                            .k = stage->scenario->value == 0 ? CENTERS : (int64_t)stage->scenario->value,
                            .max_iter = 4,
                            .centers = stage->out.values,
                            .centers_capacity = VALUES,
                            .labels = stage->out.labels,
                            .inertia = &stage->out.real,
                            .iterations = &stage->out.integer};
    return bmo_query_kmeans(stage->query, &run, monitor_of(stage), &stage->out.stats);
}

static bmo_status run_medoid(Stage *stage) {
    return bmo_query_medoid(stage->query, &stage->out.medoid, monitor_of(stage), &stage->out.stats);
}

const Call query_kmeans = {.function = "bmo_query_kmeans", .run = run_kmeans, .before = give_centers, .needs_query = 1};
const Call query_medoid = {.function = "bmo_query_medoid", .run = run_medoid, .needs_query = 1};

/* Samples of arm i are i or i + 1, as the stream has it. */
static int32_t pull(void *ctx, const int64_t *arms, int64_t count, int64_t m, uint64_t stream, double *sum,
                    double *sumsq) {
    for (int64_t i = 0; i < count; ++i) {
        sum[i] = sumsq[i] = 0;
        for (int64_t draw = 0; draw < m; ++draw) {
            stream = stream * 6364136223846793005U + 1442695040888963407U;
            const double sample = (double)arms[i] + (double)(stream >> 63);
            sum[i] += sample;
            sumsq[i] += sample * sample;
        }
    }
    return stage_has(ctx, FAILING) ? 5 : 0;
}

static int32_t exact(void *ctx, int64_t arm, double *mean) {
    (void)ctx;
    *mean = (double)arm + 0.5;
    return 0;
}

static bmo_status run_best_arms(Stage *stage) {
    const bmo_arms arms = {.struct_size = sizeof arms,
                           .flags = stage_has(stage, BOUNDED) ? BMO_ARMS_BOUNDED : 0,
                           .n = ARMS,
                           .ctx = stage,
                           .exact_cost = 400,
                           .lower = 0,
                           .upper = ARMS,
                           .pull = pull,
                           .exact = stage_has(stage, INEXACT) ? NULL : exact};
    const bmo_best best = {.struct_size = sizeof best,
                           .k = BEST,
                           .arm = stage->out.index,
                           .mean = stage->out.distance,
                           .halfwidth = stage->out.values};
    return bmo_best_arms(&arms, stage->config, &best, monitor_of(stage), &stage->out.stats);
}

const Call best_arms = {.function = "bmo_best_arms", .run = run_best_arms};
