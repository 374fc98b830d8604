/* The k-nearest-neighbor graph of the points in a file, as a MatrixMarket matrix of distances:
 *
 *     graph FILE K >graph.mtx
 *
 * FILE is anything that bmo_dataset_open() reads. Progress is shown on stderr; Ctrl-C stops the search at once. */
#include <bmo.h>
#include <inttypes.h>
#include <signal.h>

#include "example.h"

static bmo_cancel *cancel; /* global: the signal handler needs it */

static void interrupt(int number) {
    (void)number;
    bmo_cancel_request(cancel); /* one of the few calls that are safe here */
}

static int32_t show(void *ctx, const bmo_progress *progress) {
    static const char *const phases[] = {"", "reading", "checking", "preparing", "searching"};
    const char *phase = progress->phase <= BMO_PHASE_SEARCH ? phases[progress->phase] : "working";
    double share = progress->total > 0 ? 100.0 * (double)progress->done / (double)progress->total : 100.0;
    int *line_is_open = ctx;
    *line_is_open = progress->done != progress->total;
    fprintf(stderr, "\r%-10s %5.1f %%%s", phase, share, *line_is_open ? "" : "\n");
    return 0; /* anything else would stop the call */
}

static int64_t count_points(const bmo_dataset *dataset) {
    bmo_dataset_info info = {.struct_size = sizeof info};
    return bmo_dataset_describe(dataset, &info) ? 0 : info.n;
}

static void print_graph(int64_t n, int64_t k, const int64_t *index, const double *dist) {
    printf("%%%%MatrixMarket matrix coordinate real general\n%" PRId64 " %" PRId64 " %" PRId64 "\n", n, n, n * k);
    for (int64_t i = 0; i < n * k; i++)
        printf("%" PRId64 " %" PRId64 " %.17g\n", i / k + 1, index[i], dist[i]);
}

static bmo_status search(const bmo_dataset *dataset, int64_t k, const bmo_monitor *monitor) {
    int64_t n = count_points(dataset);
    int64_t places = k > 0 && k < n ? n * k : 0; /* another k is refused below, before anything is written */
    int64_t *index = malloc((size_t)places * sizeof *index + 1);
    double *dist = malloc((size_t)places * sizeof *dist + 1);
    bmo_output out = {.struct_size = sizeof out, .index_base = 1, .index = index, .distance = dist, .capacity = places};
    bmo_query *query = NULL;
    bmo_status status = index && dist ? bmo_query_create(&query, dataset, NULL, NULL) : BMO_ENOMEM;
    if (!status)
        status = bmo_query_graph(query, k, &out, monitor, NULL);
    if (!status)
        print_graph(n, k, index, dist);
    bmo_query_free(query);
    free(index);
    free(dist);
    return status;
}

static bmo_status open_and_search(const char *path, int64_t k, const bmo_monitor *monitor) {
    bmo_dataset *dataset = NULL;
    bmo_status status = bmo_dataset_open(&dataset, path, BMO_BORROW, monitor);
    if (!status)
        status = search(dataset, k, monitor);
    bmo_dataset_free(dataset);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fail("graph", "usage: graph FILE K");
        return 2;
    }
    const int64_t k = count_of(argv[2]);
    if (k < 0)
        return fail("graph", "K is %s; expected a whole number, 1 or more", argv[2]);
    if (bmo_cancel_create(&cancel) != BMO_OK)
        return fail("graph", "%s", bmo_last_error());
    signal(SIGINT, interrupt);
    int line_is_open = 0; /* of the progress */
    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .progress = show, .ctx = &line_is_open, .cancel = cancel};
    bmo_status status = open_and_search(argv[1], k, &monitor);
    signal(SIGINT, SIG_DFL);
    bmo_cancel_free(cancel);
    if (line_is_open)
        fputc('\n', stderr);
    if (status)
        fail("graph", "%s: %s", bmo_status_name(status), bmo_last_error());
    return status == BMO_OK ? 0 : status == BMO_ECANCELED ? 130 : 1;
}
