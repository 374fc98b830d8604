/* Points of small integers, and their nearest neighbors by exact integer arithmetic. */
#ifndef BMO_TESTS_REFERENCE_H
#define BMO_TESTS_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

#include <bmo.h>

typedef struct Points {
    int64_t n, d;
    uint8_t *at; /* row-major */
} Points;

/* Zeroed memory, to be freed; where there is none the program ends. */
void *allocate(int64_t count, size_t size);

/* Random bytes that depend on the seed alone. Clusters, so that some points are much nearer than others. */
Points points_create(int64_t n, int64_t d, uint64_t seed);
void points_free(Points points);

/* A copy as another type and with other strides, in elements; the gaps hold a value that would spoil every distance. */
/* Numbers that binary16, or the upper half of a float, holds exactly and without a subnormal, as these. */
uint16_t f16_of(double value);
uint16_t bf16_of(double value);

void *points_as(const Points *points, bmo_dtype dtype, int64_t point_stride, int64_t coord_stride);

/* As a struct of the ABI, and as a dataset that holds a copy. The arrays of a bmo_sparse are freed by sparse_free(). */
bmo_dense points_dense(const Points *points);
bmo_sparse points_sparse(const Points *points);
void sparse_free(bmo_sparse sparse);
bmo_dataset *points_dataset(const Points *points);

/* The k of the candidates nearest to query, ties by index; self (or -1) is none. metric: L1, or L2 and SQEUCLIDEAN, whose
 * order is the same. sums: of |a-b| or (a-b)^2; may be NULL. */
void nearest(const Points *candidates, const uint8_t *query, int64_t self, int64_t k, int32_t metric, int64_t *index,
             int64_t *sums);

/* The positions of the k least of n sums, ties by position; self (or -1) is none of them. */
void least(const double *sums, int64_t n, int64_t self, int64_t k, int64_t *index);

/* The distance that belongs to such a sum. */
double distance_of_sum(int64_t sum, int32_t metric);

#endif
