/* The k nearest other points of every point of a matrix:
 *
 *     knn FILE K
 *
 * FILE is text: the number of points, the number of coordinates, and the coordinates, point after point. A line is
 * printed for each point: its index, then the index and the distance of each neighbor. */
#include <bmo.h>
#include <inttypes.h>
#include <string.h>

#include "example.h"

static double *read_matrix(FILE *file, int64_t *n, int64_t *d) {
    if (fscanf(file, "%" SCNd64 " %" SCNd64, n, d) != 2)
        return NULL;
    double *x = make_table(*n, *d);
    for (int64_t i = 0; x && i < *n * *d; i++)
        if (fscanf(file, "%lf", &x[i]) != 1) {
            free(x);
            return NULL;
        }
    if (x && !is_at_end(file)) {
        free(x);
        return NULL;
    }
    return x;
}

static bmo_status search(const double *x, int64_t n, int64_t d, int64_t k, int64_t *index, double *dist) {
    bmo_dense points = {.struct_size = sizeof points, .dtype = BMO_F64, .data = x, .n = n, .d = d};
    bmo_output out = {.struct_size = sizeof out, .index = index, .distance = dist, .capacity = n * k};
    bmo_dataset *dataset = NULL;
    bmo_query *query = NULL;

    /* BMO_BORROW: x is used where it is, for as long as the dataset and the query live. */
    bmo_status status = bmo_dataset_dense(&dataset, &points, BMO_BORROW, NULL, NULL);
    if (!status)
        status = bmo_query_create(&query, dataset, NULL, NULL);
    if (!status)
        status = bmo_query_graph(query, k, &out, NULL, NULL);

    bmo_query_free(query);
    bmo_dataset_free(dataset);
    return status;
}

static int print_nearest(const double *x, int64_t n, int64_t d, const char *asked) {
    const int64_t k = count_of(asked);
    if (n < 2)
        return fail("knn", "there is %" PRId64 " point; expected 2 or more, to be neighbors", n);
    if (k < 1 || k >= n)
        return fail("knn", "K is %s; expected a whole number from 1 to %" PRId64 ", the other points", asked, n - 1);
    int64_t *index = make_table(n, k);
    double *dist = make_table(n, k);
    int failed = 0;
    if (!index || !dist)
        failed = fail("knn", "out of memory");
    else if (search(x, n, d, k, index, dist))
        failed = fail("knn", "%s", bmo_last_error());
    for (int64_t i = 0; !failed && i < n; i++)
        print_neighbors(i, k, index + i * k, dist + i * k);
    free(index);
    free(dist);
    return failed;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return fail("knn", "usage: knn FILE K");
    FILE *file = fopen(argv[1], "r");
    if (!file)
        return fail("knn", "%s: %s", argv[1], strerror(errno));
    int64_t n = 0, d = 0;
    double *x = read_matrix(file, &n, &d);
    int failed;
    if (x)
        failed = print_nearest(x, n, d, argv[2]);
    else if (ferror(file))
        failed = fail("knn", "%s: %s", argv[1], strerror(errno));
    else
        failed = fail("knn", "%s does not hold points, coordinates and just so many numbers", argv[1]);
    fclose(file);
    free(x);
    return failed;
}
