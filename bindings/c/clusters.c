/* Groups of the points in a file, and the most typical point:
 *
 *     clusters FILE K
 *
 * FILE is anything that bmo_dataset_open() reads. The first line has the point whose mean distance to the others is least, and that
 * distance. Then a line is printed for each point: its index, and which of the K groups it is in. */
#include <bmo.h>
#include <inttypes.h>

#include "example.h"

static int print_groups(const bmo_query *query, int64_t n, int64_t k) {
    int32_t *labels = malloc((size_t)n * sizeof *labels);
    if (!labels)
        return fail("clusters", "out of memory");
    bmo_kmeans run = {.struct_size = sizeof run, .k = k, .n_init = 3, .labels = labels};
    bmo_medoid medoid = {.struct_size = sizeof medoid};
    int failed = 0;
    if (bmo_query_kmeans(query, &run, NULL, NULL) || bmo_query_medoid(query, &medoid, NULL, NULL)) {
        failed = fail("clusters", "%s", bmo_last_error());
    } else {
        printf("%" PRId64 " %.17g\n", medoid.index, medoid.mean_distance);
        for (int64_t i = 0; i < n; i++)
            printf("%" PRId64 " %" PRId32 "\n", i, labels[i]);
    }
    free(labels);
    return failed;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return fail("clusters", "usage: clusters FILE K");
    const int64_t k = count_of(argv[2]);
    if (k < 1)
        return fail("clusters", "K is %s; expected a whole number from 1 on", argv[2]);
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;
    bmo_dataset_info info = {.struct_size = sizeof info};
    int failed;
    if (bmo_dataset_open(&dataset, argv[1], BMO_COPY, NULL) || bmo_dataset_describe(dataset, &info) ||
        bmo_query_create(&query, dataset, NULL, NULL))
        failed = fail("clusters", "%s", bmo_last_error());
    else
        failed = print_groups(query, info.n, k);
    bmo_query_free(query);
    bmo_dataset_free(dataset);
    return failed;
}
