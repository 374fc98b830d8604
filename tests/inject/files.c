/* Files of every format that the library reads, and what is in a file or a directory. */
#include "scenario.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* A file as it is, or compressed. */
typedef struct Writer {
    FILE *plain;
    gzFile compressed;
} Writer;

static int ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static void put_bytes(Writer *to, const void *bytes, size_t size) {
    if (size == 0)
        return;
    const int good = to->compressed ? gzwrite(to->compressed, bytes, (unsigned)size) == (int)size
                                    : fwrite(bytes, size, 1, to->plain) == 1;
    if (!good)
        give_up("a file cannot be written");
}

static void put_text(Writer *to, const char *text) {
    put_bytes(to, text, strlen(text));
}

static size_t value_size(bmo_dtype dtype) {
    return dtype == BMO_U8 ? 1 : dtype == BMO_F32 || dtype == BMO_I32 ? 4 : 8;
}

static const char *element(const bmo_dense *data, int64_t i, int64_t j) {
    return (const char *)data->data +
           (size_t)(i * data->point_stride + j * data->coord_stride) * value_size(data->dtype);
}

static void put_npy(Writer *to, const bmo_dense *data) {
    static const char *const types[] = {"", "<f4", "<f8", "|u1", "<i4", "<i8"};
    const int by_columns = data->point_stride == 1 && data->n > 1;
    char head[128];
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
    const int length =
        snprintf(head + 10, sizeof head - 10, "{'descr': '%s', 'fortran_order': %s, 'shape': (%lld, %lld), }",
                 types[data->dtype], by_columns ? "True" : "False", (long long)data->n, (long long)data->d);
    head[10 + length] = ' ';
    head[sizeof head - 1] = '\n';
    put_bytes(to, head, sizeof head);
    const int64_t outer = by_columns ? data->d : data->n, inner = by_columns ? data->n : data->d;
    for (int64_t i = 0; i < outer; ++i)
        for (int64_t j = 0; j < inner; ++j)
            put_bytes(to, by_columns ? element(data, j, i) : element(data, i, j), value_size(data->dtype));
}

static void put_vectors(Writer *to, const bmo_dense *data) {
    const int32_t d = (int32_t)data->d;
    for (int64_t i = 0; i < data->n; ++i) {
        put_bytes(to, &d, sizeof d);
        put_bytes(to, element(data, i, 0), (size_t)d * value_size(data->dtype));
    }
}

static void put_array(Writer *to, const bmo_dense *data) {
    char line[128];
    snprintf(line, sizeof line, "%%%%MatrixMarket matrix array real general\n%lld %lld\n", (long long)data->n,
             (long long)data->d);
    put_text(to, line);
    for (int64_t j = 0; j < data->d; ++j)
        for (int64_t i = 0; i < data->n; ++i) {
            snprintf(line, sizeof line, "%g\n", (double)*(const float *)element(data, i, j));
            put_text(to, line);
        }
}

/* Of points in 64-bit indices and doubles. */
static void put_coordinates(Writer *to, const bmo_sparse *data) {
    const int64_t *pointers = data->pointers, *indices = data->indices;
    const double *values = data->values;
    char line[128];
    snprintf(line, sizeof line, "%%%%MatrixMarket matrix coordinate real general\n%lld %lld %lld\n", (long long)data->n,
             (long long)data->d, (long long)data->nnz);
    put_text(to, line);
    for (int64_t i = 0; i < data->n; ++i)
        for (int64_t at = pointers[i]; at < pointers[i + 1]; ++at) {
            snprintf(line, sizeof line, "%lld %lld %g\n", (long long)i + 1, (long long)indices[at] + 1, values[at]);
            put_text(to, line);
        }
}

void write_points(const Stage *stage, const char *path) {
    if (ends_with(path, ".bmo")) {
        must(bmo_dataset_save(stage->dataset, path, NULL));
        return;
    }
    const int is_compressed = ends_with(path, ".gz");
    char plain[512];
    snprintf(plain, sizeof plain, "%.*s", (int)(strlen(path) - (is_compressed ? 3 : 0)), path);
    Writer to = {.plain = is_compressed ? NULL : fopen(path, "wb"),
                 .compressed = is_compressed ? gzopen(path, "wb") : NULL};
    if (!to.plain && !to.compressed)
        give_up("%s cannot be written", path);
    if (ends_with(plain, ".npy"))
        put_npy(&to, &stage->dense);
    else if (ends_with(plain, ".mtx") && stage->sparse.struct_size)
        put_coordinates(&to, &stage->sparse);
    else if (ends_with(plain, ".mtx"))
        put_array(&to, &stage->dense);
    else if (ends_with(plain, "vecs"))
        put_vectors(&to, &stage->dense);
    else
        put_text(&to, "no format that is known");
    if (to.plain)
        fclose(to.plain);
    else
        gzclose(to.compressed);
}

uint64_t digest(uint64_t before, const void *bytes, size_t size) {
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < size; ++i)
        before = (before ^ byte[i]) * 0x100000001b3U;
    return before;
}

uint64_t digest_of_file(const char *path) {
    char bytes[1 << 14];
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    uint64_t result = 0xcbf29ce484222325U;
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        result = digest(result, bytes, got);
    fclose(file);
    return result;
}

/* Calls each(path, name) of everything inside. */
static void for_each_entry(const char *directory, void (*each)(const char *path, const char *name, void *ctx),
                           void *ctx) {
    DIR *entries = opendir(directory);
    if (!entries)
        give_up("%s cannot be read", directory);
    for (const struct dirent *entry; (entry = readdir(entries));) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            each(path, entry->d_name, ctx);
    }
    closedir(entries);
}

/* A sum, since names come in any order. */
static void add_entry(const char *path, const char *name, void *sum) {
    struct stat status;
    uint64_t one = digest_of_file(path);
    if (lstat(path, &status) == 0)
        one = digest(one, &status.st_mode, sizeof status.st_mode);
    *(uint64_t *)sum += digest(one, name, strlen(name));
}

uint64_t digest_of_directory(const char *path) {
    uint64_t sum = 0;
    for_each_entry(path, add_entry, &sum);
    return sum;
}

static void remove_entry(const char *path, const char *name, void *ctx) {
    (void)name;
    (void)ctx;
    if (unlink(path) != 0 && rmdir(path) != 0)
        give_up("%s cannot be removed: %s", path, strerror(errno));
}

void empty_directory(const char *path) {
    for_each_entry(path, remove_entry, NULL);
}
