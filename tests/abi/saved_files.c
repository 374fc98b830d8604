#include "saved_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 1 << 24 }; /* bytes of a file */

char saved_directory[] = "/tmp/bmo-saved-XXXXXX", saved_path[64], other_path[64];

int make_saved_directory(void **state) {
    (void)state;
    assert_non_null(mkdtemp(saved_directory));
    snprintf(saved_path, sizeof saved_path, "%s/points.bmo", saved_directory);
    snprintf(other_path, sizeof other_path, "%s/other.bmo", saved_directory);
    return 0;
}

int remove_saved_directory(void **state) {
    (void)state;
    unlink(saved_path);
    unlink(other_path);
    return rmdir(saved_directory);
}

Bytes read_bytes(const char *name) {
    FILE *file = fopen(name, "rb");
    Bytes bytes = {malloc(MOST), 0};
    assert_true(file && bytes.at);
    bytes.size = fread(bytes.at, 1, MOST, file);
    fclose(file);
    return bytes;
}

void write_other(Bytes bytes, size_t size) {
    FILE *file = fopen(other_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.at, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

bmo_config *config_of(const char *box, const char *metric, const char *seed) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "box", box));
    assert_ok(bmo_config_set_text(config, "metric", metric));
    assert_ok(bmo_config_set_text(config, "seed", seed));
    return config;
}

/* So that floats stay floats when they are prepared. No distance changes. */
static void move_by_half(void *values, bmo_dtype dtype, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
        if (dtype == BMO_F32)
            ((float *)values)[i] += 0.5F;
        else if (dtype == BMO_F64)
            ((double *)values)[i] += 0.5;
}

bmo_dataset *dense_of(const Points *points, bmo_dtype dtype, int by_columns) {
    const int64_t point_stride = by_columns ? 1 : points->d, coord_stride = by_columns ? points->n : 1;
    void *values = points_as(points, dtype, point_stride, coord_stride);
    move_by_half(values, dtype, points->n * points->d);
    const bmo_dense dense = {.struct_size = sizeof dense,
                             .dtype = dtype,
                             .data = values,
                             .n = points->n,
                             .d = points->d,
                             .point_stride = point_stride,
                             .coord_stride = coord_stride};
    bmo_dataset *copy = NULL, *dataset = NULL;
    assert_ok(bmo_dataset_dense(&copy, &dense, BMO_COPY, NULL, NULL));
    if (!by_columns) {
        free(values);
        return copy;
    }
    bmo_dataset_free(copy);
    const bmo_owner owner = {.struct_size = sizeof owner, .release = free, .ctx = values};
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, &owner, NULL));
    return dataset;
}

bmo_dataset *sparse_of(const Points *points) {
    const bmo_sparse sparse = points_sparse(points);
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_sparse(&dataset, &sparse, BMO_COPY, NULL, NULL));
    sparse_free(sparse);
    return dataset;
}

bmo_dataset *prepared(bmo_dataset *source, const bmo_config *config) {
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_prepare(&dataset, source, config, NULL));
    bmo_dataset_free(source);
    return dataset;
}

void save_a_small_file(const char *box) {
    const Points points = points_create(30, 40, 6);
    save_points(&points, box, "l2", "2");
    points_free(points);
}

void save_points(const Points *points, const char *box, const char *metric, const char *seed) {
    bmo_config *config = config_of(box, metric, seed);
    bmo_dataset *dataset = prepared(strcmp(box, "sparse") ? dense_of(points, BMO_F32, 0) : sparse_of(points), config);
    assert_ok(bmo_dataset_save(dataset, saved_path, NULL));
    bmo_dataset_free(dataset);
    bmo_config_free(config);
}
