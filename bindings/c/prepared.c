/* Points that are prepared once, and searched by many runs:
 *
 *     prepared FILE.npy FILE.bmo     prepares the points of FILE.npy, and saves both
 *     prepared FILE.bmo K ROW...     the K nearest other points of each of these points
 *
 * A line is printed for each ROW: it, then the index and the distance of each neighbor. The file is mapped: runs share its memory. */
#include <bmo.h>
#include <inttypes.h>
#include <string.h>

#include "example.h"

static bmo_status prepare(const char *from, const char *to) {
    bmo_dataset *points = NULL, *prepared = NULL;
    bmo_status status = bmo_dataset_open(&points, from, BMO_BORROW, NULL);
    if (!status)
        status = bmo_dataset_prepare(&prepared, points, NULL, NULL);
    if (!status)
        status = bmo_dataset_save(prepared, to, NULL);
    bmo_dataset_free(prepared);
    bmo_dataset_free(points);
    return status;
}

/* One search for all rows is faster than one for each. */
static bmo_status search(const char *path, const int64_t *rows, int64_t nrows, int64_t k, int64_t *index,
                         double *distance) {
    bmo_output out = {.struct_size = sizeof out, .index = index, .distance = distance, .capacity = nrows * k};
    bmo_dataset *prepared = NULL;
    bmo_query *query = NULL;
    bmo_status status = bmo_dataset_open(&prepared, path, BMO_BORROW, NULL);
    if (!status)
        status = bmo_query_create(&query, prepared, NULL, NULL);
    if (!status)
        status = bmo_query_knn_rows(query, rows, nrows, k, &out, NULL, NULL);
    bmo_query_free(query);
    bmo_dataset_free(prepared);
    return status;
}

static int print_nearest(const char *path, int64_t k, char **texts, int64_t nrows) {
    int64_t *rows = make_table(nrows, 1), *index = make_table(nrows, k);
    double *distance = make_table(nrows, k);
    int failed = !rows || !index || !distance ? fail("prepared", "out of memory") : 0;
    for (int64_t i = 0; !failed && i < nrows; i++)
        rows[i] = count_of(texts[i]); /* -1, which libbmo refuses, if it is none */
    if (!failed && search(path, rows, nrows, k, index, distance))
        failed = fail("prepared", "%s", bmo_last_error());
    for (int64_t i = 0; !failed && i < nrows; i++)
        print_neighbors(rows[i], k, index + i * k, distance + i * k);
    free(distance);
    free(index);
    free(rows);
    return failed;
}

int main(int argc, char **argv) {
    enum { MOST_NEIGHBORS = 1000000 };
    if (argc < 3)
        return fail("prepared", "usage: prepared FILE.npy FILE.bmo, or prepared FILE.bmo K ROW...");
    if (argc == 3)
        return prepare(argv[1], argv[2]) ? fail("prepared", "%s", bmo_last_error()) : 0;
    const int64_t k = count_of(argv[2]);
    if (k < 1 || k > MOST_NEIGHBORS)
        return fail("prepared", "K is %s; expected a whole number from 1 to %d", argv[2], MOST_NEIGHBORS);
    return print_nearest(argv[1], k, argv + 3, argc - 3);
}
