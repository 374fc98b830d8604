/* What the tests of cosine and inner product share: vectors of small integers, and their true neighbors. */
#ifndef BMO_TESTS_VECTORS_H
#define BMO_TESTS_VECTORS_H

#include "abi.h"
#include "reference.h"

enum { D = 700, K = 6 };

typedef struct Vectors {
    int64_t n;
    int *at; /* n x D */
} Vectors;

/* Values from `least` on, 16 of them. */
Vectors vectors_create(int64_t n, uint64_t seed, int least);

int64_t product(const int *a, const int *b);

/* The k nearest by angle, or by inner product; ties by index. */
void true_neighbors(const Vectors *points, const int *query, int64_t self, int cosine, int64_t *index,
                    long double *dist);

bmo_config *angular_config(const char *metric, const char *method);

/* As a dataset of this type, row i multiplied by 2^exponent(i); exponent NULL: as they are. */
bmo_dataset *vectors_dense(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t));
bmo_dataset *vectors_sparse(const Vectors *vectors, bmo_dtype dtype, int (*exponent)(int64_t));

enum { AS_IT_IS, FOR_ANY_METRIC, FOR_THIS_METRIC, ROTATED, PROJECTED, PREPARATIONS };
bmo_dataset *vectors_prepared(const bmo_dataset *source, int how, const char *metric);

/* The neighbors of a row are the true ones. stats may be NULL. */
void check_row(const bmo_dataset *dataset, const Vectors *vectors, int64_t row, const char *metric, const char *method,
               bmo_stats *stats);

#endif
