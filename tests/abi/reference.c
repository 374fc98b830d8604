#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"

void *allocate(int64_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        abort();
    return memory;
}

static uint64_t next_random(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15U; /* splitmix64 */
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

Points points_create(int64_t n, int64_t d, uint64_t seed) {
    enum { CLUSTERS = 5 };
    Points points = {n, d, allocate(n * d, 1)};
    for (int64_t i = 0; i < n; ++i) {
        uint64_t center = seed + (uint64_t)(i % CLUSTERS), noise = seed * 1000003U + (uint64_t)i;
        const uint64_t spread = 2 + next_random(&noise) % 20;
        for (int64_t j = 0; j < d; ++j)
            points.at[i * d + j] = (uint8_t)(next_random(&center) % 200 + next_random(&noise) % spread);
    }
    return points;
}

void points_free(Points points) {
    free(points.at);
}

static size_t type_size(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_U8:
    case BMO_I8: return 1;
    case BMO_I16:
    case BMO_U16:
    case BMO_F16:
    case BMO_BF16: return 2;
    case BMO_F32:
    case BMO_I32:
    case BMO_U32: return 4;
    default: return 8;
    }
}

uint16_t f16_of(double value) {
    int exponent = 0;
    const double fraction = frexp(fabs(value), &exponent); /* 0, or 1/2 to 1 */
    const unsigned sign = signbit(value) ? 0x8000 : 0;
    return (uint16_t)(value == 0 ? sign
                                 : sign | (unsigned)(exponent + 14) << 10 | ((unsigned)(fraction * 2048) & 0x3ff));
}

uint16_t bf16_of(double value) {
    const float f32 = (float)value;
    uint32_t bits;
    memcpy(&bits, &f32, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static void store(void *array, bmo_dtype dtype, int64_t element, uint8_t value) {
    switch (dtype) {
    case BMO_U8: ((uint8_t *)array)[element] = value; break;
    case BMO_I8: ((int8_t *)array)[element] = (int8_t)value; break;
    case BMO_F32: ((float *)array)[element] = (float)value; break;
    case BMO_F64: ((double *)array)[element] = (double)value; break;
    case BMO_I32: ((int32_t *)array)[element] = (int32_t)value; break;
    case BMO_U32: ((uint32_t *)array)[element] = value; break;
    case BMO_I16: ((int16_t *)array)[element] = value; break;
    case BMO_U16: ((uint16_t *)array)[element] = value; break;
    case BMO_F16: ((uint16_t *)array)[element] = f16_of(value); break;
    case BMO_BF16: ((uint16_t *)array)[element] = bf16_of(value); break;
    default: ((int64_t *)array)[element] = (int64_t)value; break;
    }
}

void *points_as(const Points *points, bmo_dtype dtype, int64_t point_stride, int64_t coord_stride) {
    const int64_t last = (points->n - 1) * point_stride + (points->d - 1) * coord_stride;
    void *array = allocate(last + 1, type_size(dtype));
    memset(array, 0xff, (size_t)(last + 1) * type_size(dtype)); /* NaN, -1 or 255 */
    for (int64_t i = 0; i < points->n; ++i)
        for (int64_t j = 0; j < points->d; ++j)
            store(array, dtype, i * point_stride + j * coord_stride, points->at[i * points->d + j]);
    return array;
}

bmo_dense points_dense(const Points *points) {
    const bmo_dense dense = {
        .struct_size = sizeof dense, .dtype = BMO_U8, .data = points->at, .n = points->n, .d = points->d};
    return dense;
}

bmo_sparse points_sparse(const Points *points) {
    int64_t *pointers = allocate(points->n + 1, sizeof *pointers);
    int32_t *indices = allocate(points->n * points->d, sizeof *indices);
    uint8_t *values = allocate(points->n * points->d, sizeof *values);
    int64_t nnz = 0;
    for (int64_t i = 0; i < points->n; ++i) {
        for (int64_t j = 0; j < points->d; ++j)
            if (points->at[i * points->d + j] != 0) {
                indices[nnz] = (int32_t)j;
                values[nnz++] = points->at[i * points->d + j];
            }
        pointers[i + 1] = nnz;
    }
    const bmo_sparse sparse = {.struct_size = sizeof sparse,
                               .orientation = BMO_POINTS_COMPRESSED,
                               .pointer_dtype = BMO_I64,
                               .index_dtype = BMO_I32,
                               .value_dtype = BMO_U8,
                               .n = points->n,
                               .d = points->d,
                               .nnz = nnz,
                               .pointers = pointers,
                               .indices = indices,
                               .values = values};
    return sparse;
}

void sparse_free(bmo_sparse sparse) {
    free((void *)sparse.pointers);
    free((void *)sparse.indices);
    free((void *)sparse.values);
}

bmo_dataset *points_dataset(const Points *points) {
    const bmo_dense dense = points_dense(points);
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_COPY, NULL, NULL));
    return dataset;
}

static int64_t sum_between(const uint8_t *a, const uint8_t *b, int64_t d, int32_t metric) {
    int64_t sum = 0;
    for (int64_t j = 0; j < d; ++j) {
        const int64_t difference = (int64_t)a[j] - (int64_t)b[j];
        sum += metric == BMO_METRIC_L1 ? (difference < 0 ? -difference : difference) : difference * difference;
    }
    return sum;
}

void nearest(const Points *candidates, const uint8_t *query, int64_t self, int64_t k, int32_t metric, int64_t *index,
             int64_t *sums) {
    int64_t *found = allocate(k, sizeof *found);
    int64_t held = 0;
    for (int64_t i = 0; i < candidates->n; ++i) {
        if (i == self)
            continue;
        const int64_t sum = sum_between(query, candidates->at + i * candidates->d, candidates->d, metric);
        int64_t rank = held < k ? held : k;
        for (; rank > 0 && found[rank - 1] > sum; --rank)
            if (rank < k) {
                found[rank] = found[rank - 1];
                index[rank] = index[rank - 1];
            }
        if (rank == k)
            continue;
        found[rank] = sum;
        index[rank] = i;
        held += held < k;
    }
    assert_int_equal(held, k);
    if (sums)
        memcpy(sums, found, (size_t)k * sizeof *sums);
    free(found);
}

void least(const double *sums, int64_t n, int64_t self, int64_t k, int64_t *index) {
    for (int64_t r = 0; r < k; ++r) {
        int64_t best = -1;
        for (int64_t i = 0; i < n; ++i) {
            int taken = i == self;
            for (int64_t s = 0; s < r; ++s)
                taken |= index[s] == i;
            if (!taken && (best < 0 || sums[i] < sums[best]))
                best = i;
        }
        assert_true(best >= 0);
        index[r] = best;
    }
}

double distance_of_sum(int64_t sum, int32_t metric) {
    return metric == BMO_METRIC_L2 ? sqrt((double)sum) : (double)sum;
}
