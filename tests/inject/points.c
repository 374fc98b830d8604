/* The points of scenarios. */
#include "scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t mix(uint32_t bits) {
    bits = (bits ^ bits >> 16) * 0x7feb352dU;
    bits = (bits ^ bits >> 15) * 0x846ca68bU;
    return bits ^ bits >> 16;
}

/* Points of one of four kinds are alike. */
static int value_at(int64_t point, int64_t coordinate) {
    const uint32_t kind = (uint32_t)point % 4, place = (uint32_t)coordinate;
    return (int)(mix(kind * 7919U + place) % 80 + mix((uint32_t)point * 104729U + place) % 20);
}

static int has_entry(int64_t point, int64_t coordinate) {
    return mix((uint32_t)point * 31U + (uint32_t)coordinate * 1000003U + 5U) % 8 == 0;
}

static size_t size_of(bmo_dtype dtype) {
    switch (dtype) {
    case BMO_U8: return 1;
    case BMO_F32:
    case BMO_I32: return 4;
    default: return 8;
    }
}

static void put(void *array, bmo_dtype dtype, int64_t at, double value) {
    switch (dtype) {
    case BMO_F32: ((float *)array)[at] = (float)value; break;
    case BMO_F64: ((double *)array)[at] = value; break;
    case BMO_U8: ((uint8_t *)array)[at] = (uint8_t)value; break;
    case BMO_I32: ((int32_t *)array)[at] = (int32_t)value; break;
    default: ((int64_t *)array)[at] = (int64_t)value; break;
    }
}

/* Of the stage; freed with it. */
static void *take(char **free_memory, int64_t count, bmo_dtype dtype) {
    void *taken = *free_memory;
    *free_memory += ((size_t)count * size_of(dtype) + 15) / 16 * 16;
    return taken;
}

static void make_dense(Stage *stage, const Data *data) {
    static const int64_t spacing[] = {1, 1, 2};
    bmo_dense *dense = &stage->dense;
    *dense = (bmo_dense){.struct_size = sizeof *dense, .dtype = data->dtype, .n = data->n, .d = data->d};
    dense->coord_stride = data->layout == COLUMNS ? data->n : spacing[data->layout];
    dense->point_stride = data->layout == COLUMNS ? 1 : data->d * spacing[data->layout];
    stage->points = calloc((size_t)(data->n * data->d * spacing[data->layout] + 1), size_of(data->dtype));
    dense->data = stage->points;
    for (int64_t i = 0; i < data->n; ++i)
        for (int64_t j = 0; j < data->d; ++j)
            put(stage->points, data->dtype, i * dense->point_stride + j * dense->coord_stride, value_at(i, j));
    if (data->is_damaged)
        put(stage->points, data->dtype, dense->point_stride + dense->coord_stride, (double)INFINITY);
}

static void make_sparse(Stage *stage, const Data *data) {
    const int by_points = data->orientation == BMO_POINTS_COMPRESSED;
    const int64_t lines = by_points ? data->n : data->d, across = by_points ? data->d : data->n;
    char *memory = stage->points = calloc((size_t)(lines * across * 2 + lines + 8), 24);
    void *pointers = take(&memory, lines + 1, data->pointers),
         *indices = take(&memory, lines * across * 2, data->indices);
    void *values = data->dtype ? take(&memory, lines * across * 2, data->dtype) : NULL;
    int64_t entries = 0;
    put(pointers, data->pointers, 0, data->base);
    for (int64_t line = 0; line < lines; ++line) {
        for (int64_t step = 0; step < across; ++step) {
            const int64_t at = data->is_messy ? across - 1 - step : step;
            const int64_t point = by_points ? line : at, coordinate = by_points ? at : line;
            for (int again = has_entry(point, coordinate) ? 1 + data->is_messy : 0; again > 0; --again) {
                put(indices, data->indices, entries, (double)(at + data->base));
                if (values)
                    put(values, data->dtype, entries, value_at(point, coordinate) + 1);
                ++entries;
            }
        }
        put(pointers, data->pointers, line + 1, (double)(entries + data->base));
    }
    if (data->is_damaged)
        put(indices, data->indices, entries - 1, (double)(across + data->base));
    stage->sparse = (bmo_sparse){.struct_size = sizeof stage->sparse,
                                 .orientation = data->orientation,
                                 .index_base = data->base,
                                 .pointer_dtype = data->pointers,
                                 .index_dtype = data->indices,
                                 .value_dtype = data->dtype,
                                 .n = data->n,
                                 .d = data->d,
                                 .nnz = entries,
                                 .pointers = pointers,
                                 .indices = indices,
                                 .values = values};
}

void make_points(Stage *stage, const Data *data) {
    if (data->is_sparse)
        make_sparse(stage, data);
    else
        make_dense(stage, data);
}

bmo_dataset *dataset_of(const Stage *stage) {
    bmo_dataset *made = NULL;
    if (stage->sparse.struct_size)
        must(bmo_dataset_sparse(&made, &stage->sparse, BMO_COPY, NULL, NULL));
    else
        must(bmo_dataset_dense(&made, &stage->dense, BMO_COPY, NULL, NULL));
    return made;
}
