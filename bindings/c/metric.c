/* A metric of your own:
 *
 *     metric FILE K
 *
 * FILE is anything that bmo_dataset_open() reads. The distance of two points is the Canberra distance, the sum of
 * |a - b| / (|a| + |b|) over the coordinates. A line is printed for each point: its index, then the index and the distance of each
 * of its K nearest others. */
#include <bmo.h>
#include <inttypes.h>
#include <math.h>

#include "example.h"

/* Of some thousands of coordinates at a time. It keeps nothing, so several threads may call it at once. */
static int32_t canberra(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b, double *out) {
    (void)ctx, (void)coord;
    for (int64_t i = 0; i < count; i++)
        out[i] = a[i] == b[i] ? 0 : fabs(a[i] - b[i]) / (fabs(a[i]) + fabs(b[i]));
    return 0; /* anything else would stop the search */
}

static bmo_status make_query(bmo_query **query, const bmo_dataset *dataset) {
    bmo_config *config = NULL;
    bmo_status status = bmo_config_create(&config);
    if (!status)
        status = bmo_config_set_i64(config, BMO_PARAM_METRIC, BMO_METRIC_CUSTOM);
    if (!status)
        status = bmo_config_set_rho(config, canberra, BMO_CALLBACK_ANY_THREAD, NULL);
    if (!status)
        status = bmo_config_set_text(config, "threads", "2");
    if (!status)
        status = bmo_query_create(query, dataset, config, NULL);
    bmo_config_free(config); /* the query has a copy */
    return status;
}

static int print_nearest(const bmo_query *query, int64_t n, int64_t k) {
    int64_t *index = make_table(n, k);
    double *distance = make_table(n, k);
    bmo_output out = {.struct_size = sizeof out, .index = index, .distance = distance, .capacity = n * k};
    int failed = 0;
    if (!index || !distance)
        failed = fail("metric", "out of memory");
    else if (bmo_query_graph(query, k, &out, NULL, NULL))
        failed = fail("metric", "%s", bmo_last_error());
    for (int64_t i = 0; !failed && i < n; i++)
        print_neighbors(i, k, index + i * k, distance + i * k);
    free(index);
    free(distance);
    return failed;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return fail("metric", "usage: metric FILE K");
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    bmo_dataset_info info = {.struct_size = sizeof info};
    int failed = 0;
    if (bmo_dataset_open(&dataset, argv[1], BMO_COPY, NULL) || bmo_dataset_describe(dataset, &info) ||
        make_query(&query, dataset))
        failed = fail("metric", "%s", bmo_last_error());
    const int64_t k = count_of(argv[2]);
    if (!failed && (k < 1 || k >= info.n))
        failed = fail("metric", "K is %s; expected a whole number from 1 to %" PRId64 ", the other points", argv[2],
                      info.n - 1);
    if (!failed)
        failed = print_nearest(query, info.n, k);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    return failed;
}
