/* bmo_dataset_save, and bmo_dataset_open of what it wrote. */
#include "abi.h"
#include "reference.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 200, D = 600, K = 5, HEAD = 4096, ENTRY = 32 };

static char directory[] = "/tmp/bmo-saved-XXXXXX", path[64], other_path[64];

static int make_directory(void **state) {
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/points.bmo", directory);
    snprintf(other_path, sizeof other_path, "%s/other.bmo", directory);
    return 0;
}

static int count_files(void) {
    int count = 0;
    DIR *listing = opendir(directory);
    assert_non_null(listing);
    for (const struct dirent *entry = readdir(listing); entry; entry = readdir(listing))
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(listing);
    return count;
}

static int remove_directory(void **state) {
    (void)state;
    unlink(path);
    unlink(other_path);
    return rmdir(directory);
}

typedef struct Bytes {
    unsigned char *at;
    size_t size;
} Bytes;

static Bytes read_bytes(const char *name) {
    FILE *file = fopen(name, "rb");
    Bytes bytes = {malloc(1 << 22), 0};
    assert_true(file && bytes.at);
    bytes.size = fread(bytes.at, 1, 1 << 22, file);
    fclose(file);
    return bytes;
}

static void write_bytes(Bytes bytes, size_t size) {
    FILE *file = fopen(other_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.at, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static bmo_config *config_of(const char *box, const char *metric, const char *seed) {
    bmo_config *config = NULL;
    assert_ok(bmo_config_create(&config));
    assert_ok(bmo_config_set_text(config, "box", box));
    assert_ok(bmo_config_set_text(config, "metric", metric));
    assert_ok(bmo_config_set_text(config, "seed", seed));
    return config;
}

static bmo_dataset *dense_of(const Points *points, bmo_dtype dtype, int by_columns) {
    const int64_t point_stride = by_columns ? 1 : points->d, coord_stride = by_columns ? points->n : 1;
    void *values = points_as(points, dtype, point_stride, coord_stride);
    const bmo_dense dense = {.struct_size = sizeof dense,
                             .dtype = dtype,
                             .data = values,
                             .n = points->n,
                             .d = points->d,
                             .point_stride = point_stride,
                             .coord_stride = coord_stride};
    bmo_dataset *copy = NULL, *dataset = NULL;
    assert_ok(bmo_dataset_dense(&copy, &dense, BMO_COPY, NULL));
    if (!by_columns) {
        free(values);
        return copy;
    }
    bmo_dataset_free(copy);
    const bmo_owner owner = {.struct_size = sizeof owner, .release = free, .ctx = values};
    assert_ok(bmo_dataset_dense(&dataset, &dense, BMO_BORROW, &owner));
    return dataset;
}

static bmo_dataset *sparse_of(const Points *points) {
    const bmo_sparse sparse = points_sparse(points);
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_sparse(&dataset, &sparse, BMO_COPY, NULL));
    sparse_free(sparse);
    return dataset;
}

static bmo_dataset *prepared(bmo_dataset *source, const bmo_config *config) {
    bmo_dataset *dataset = NULL;
    assert_ok(bmo_dataset_prepare(&dataset, source, config, NULL));
    bmo_dataset_free(source);
    return dataset;
}

static bmo_dataset_info describe(const bmo_dataset *dataset) {
    bmo_dataset_info info = {.struct_size = sizeof info};
    assert_ok(bmo_dataset_describe(dataset, &info));
    return info;
}

typedef struct Answers {
    int64_t index[3 * K];
    double dist[3 * K];
    bmo_stats stats;
} Answers;

static Answers ask(const bmo_dataset *dataset, const bmo_config *config) {
    static const int64_t rows[3] = {0, 17, N - 1};
    Answers answers = {.stats = {.struct_size = sizeof answers.stats}};
    bmo_query *query = NULL;
    const bmo_output out = {.struct_size = sizeof out, .index = answers.index, .dist = answers.dist, .capacity = 3 * K};
    assert_ok(bmo_query_create(&query, dataset, config));
    assert_ok(bmo_query_knn_rows(query, rows, 3, K, &out, NULL, &answers.stats));
    bmo_query_free(query);
    return answers;
}

static void assert_same_points(const bmo_dataset *a, const bmo_dataset *b) {
    const bmo_dataset_info info = describe(a);
    double *of_a = allocate(info.d, sizeof *of_a), *of_b = allocate(info.d, sizeof *of_b);
    for (int64_t i = 0; i < info.n; ++i) {
        assert_ok(bmo_dataset_copy_rows(a, &i, 1, of_a));
        assert_ok(bmo_dataset_copy_rows(b, &i, 1, of_b));
        assert_memory_equal(of_a, of_b, (size_t)info.d * sizeof *of_a);
    }
    free(of_a);
    free(of_b);
}

/* What is opened is what was saved, and is searched in the same way. */
static void check(bmo_dataset *dataset, bmo_config *config) {
    assert_ok(bmo_dataset_save(dataset, path, NULL));
    const bmo_dataset_info expected = describe(dataset);
    const Answers before = ask(dataset, config);
    const Bytes bytes = read_bytes(path);
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
        bmo_dataset *opened = NULL;
        assert_ok(bmo_dataset_open(&opened, path, flags, NULL));
        const bmo_dataset_info info = describe(opened);
        assert_int_equal(info.kind, expected.kind);
        assert_int_equal(info.box, expected.box);
        assert_int_equal(info.metric, expected.metric);
        assert_int_equal(info.dtype, expected.dtype);
        assert_int_equal(info.n, expected.n);
        assert_int_equal(info.d, expected.d);
        assert_int_equal(info.nnz, expected.nnz);
        assert_int_equal(info.seed, expected.seed);
        assert_int_equal(info.bytes_borrowed, flags == BMO_BORROW ? bytes.size : 0);
        assert_same_points(dataset, opened);
        const Answers after = ask(opened, config);
        assert_memory_equal(after.index, before.index, sizeof after.index);
        assert_memory_equal(after.dist, before.dist, sizeof after.dist);
        assert_int_equal(after.stats.coord_ops, before.stats.coord_ops);

        assert_ok(bmo_dataset_save(opened, other_path, NULL));
        const Bytes again = read_bytes(other_path);
        assert_int_equal(again.size, bytes.size);
        assert_memory_equal(again.at, bytes.at, bytes.size);
        free(again.at);
        bmo_dataset_free(opened);
    }
    free(bytes.at);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
}

static void dense_points_come_back(void **state) {
    static const bmo_dtype dtypes[] = {BMO_F32, BMO_F64, BMO_U8};
    const Points points = points_create(N, D, 1);
    (void)state;
    for (size_t t = 0; t < COUNT(dtypes); ++t)
        for (int by_columns = 0; by_columns < 2; ++by_columns) {
            bmo_config *config = config_of("dense", "l1", "-7");
            check(dense_of(&points, dtypes[t], by_columns), config_of("auto", "l2", "3"));
            check(prepared(dense_of(&points, dtypes[t], by_columns), config), config);
        }
    points_free(points);
}

static void what_boxes_prepared_comes_back(void **state) {
    static const char *const cases[][2] = {{"dense", "cosine"},   {"dense", "inner_product"},
                                           {"rotated", "l2"},     {"rotated", "sql2"},
                                           {"rotated", "cosine"}, {"rotated", "inner_product"}};
    const Points points = points_create(N, D, 2);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        bmo_config *config = config_of(cases[i][0], cases[i][1], "11");
        assert_ok(bmo_config_set_text(config, "method", "bandit"));
        check(prepared(dense_of(&points, BMO_F32, 0), config), config);
    }
    points_free(points);
}

static void weights_come_back(void **state) {
    const Points points = points_create(N, D, 3);
    bmo_config *config = config_of("dense", "l2", "0"), *without = config_of("dense", "l2", "0");
    double weights[D];
    (void)state;
    for (int j = 0; j < D; ++j)
        weights[j] = j % 4 * 0.3;
    assert_ok(bmo_config_set_weights(config, weights, D));
    check(prepared(dense_of(&points, BMO_F64, 0), config), config);
    bmo_dataset *opened = NULL;
    bmo_query *query = NULL;
    assert_ok(bmo_dataset_open(&opened, path, BMO_BORROW, NULL));
    assert_refused(bmo_query_create(&query, opened, without), BMO_EINVAL, "weights");
    bmo_dataset_free(opened);
    bmo_config_free(without);
    points_free(points);
}

static void sparse_points_come_back(void **state) {
    const Points points = points_create(N, D, 4);
    bmo_config *config = config_of("sparse", "l1", "5");
    (void)state;
    for (int64_t i = 0; i < N * D; ++i)
        if (points.at[i] % 5 != 0 || i / D == 6)
            points.at[i] = 0;
    check(sparse_of(&points), config_of("auto", "l2", "1"));
    check(prepared(sparse_of(&points), config), config);
    points_free(points);
}

static void few_points_come_back(void **state) {
    const Points points = points_create(N, D, 5);
    (void)state;
    for (int64_t n = 0; n < 2; ++n)
        for (int kind = 0; kind < 4; ++kind) {
            const Points few = {n, D, points.at};
            bmo_dataset *dataset = kind == 2 ? sparse_of(&few) : dense_of(&few, BMO_F32, 0), *opened = NULL;
            if (kind == 1 || kind == 3) {
                bmo_config *config = config_of(kind == 1 ? "dense" : "rotated", "l2", "1");
                dataset = prepared(dataset, config);
                bmo_config_free(config);
            }
            assert_ok(bmo_dataset_save(dataset, path, NULL));
            for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
                assert_ok(bmo_dataset_open(&opened, path, flags, NULL));
                assert_int_equal(describe(opened).n, n);
                assert_int_equal(describe(opened).d, D);
                assert_same_points(dataset, opened);
                bmo_dataset_free(opened);
            }
            bmo_dataset_free(dataset);
        }
    points_free(points);
}

static void assert_not_opened(bmo_status status) {
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
        bmo_dataset *dataset = NULL;
        assert_refused(bmo_dataset_open(&dataset, other_path, flags, NULL), status, "path");
        assert_non_null(strstr(bmo_last_error(), other_path));
        assert_null(dataset);
    }
}

/* The files that the format's own description yields: the library reads them, and writes the same. */
static void golden_files_are_read_and_written(void **state) {
    static const struct {
        const char *name, *box, *seed;
        int32_t kind, dtype;
    } files[] = {{"dense", "auto", "0", 1, BMO_F32},
                 {"dense_prepared", "dense", "-3", 1, BMO_U8},
                 {"dense_weights", "dense", "5", 1, BMO_F64},
                 {"rotated", "rotated", "4611686018427387904", 1, BMO_F32},
                 {"rotated_cosine", "rotated", "1", 1, BMO_F32},
                 {"sparse", "auto", "0", 2, BMO_F32},
                 {"sparse_prepared", "sparse", "9", 2, BMO_F64}};
    enum { ROWS = 40, COLUMNS = 20 };
    (void)state;
    for (size_t f = 0; f < COUNT(files); ++f)
        for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
            char golden[512], seed[32];
            bmo_dataset *dataset = NULL;
            snprintf(golden, sizeof golden, "%s/bmo/%s.bmo", TEST_DATA, files[f].name);
            assert_ok(bmo_dataset_open(&dataset, golden, flags, NULL));
            const bmo_dataset_info info = describe(dataset);
            assert_int_equal(info.kind, files[f].kind);
            assert_int_equal(info.dtype, files[f].dtype);
            assert_int_equal(info.n, ROWS);
            snprintf(seed, sizeof seed, "%lld", (long long)info.seed);
            assert_string_equal(seed, files[f].seed);
            for (int64_t i = 0; i < ROWS; ++i) {
                double row[COLUMNS];
                assert_ok(bmo_dataset_copy_rows(dataset, &i, 1, row));
                for (int64_t j = 0; j < COLUMNS; ++j) {
                    const int64_t value = (7 * i + 3 * j + i * j) % 10;
                    assert_true(row[j] == (double)(info.kind == 2 && value < 7 ? 0 : value));
                }
            }
            assert_ok(bmo_dataset_save(dataset, path, NULL));
            const Bytes theirs = read_bytes(golden), ours = read_bytes(path);
            assert_int_equal(ours.size, theirs.size);
            assert_memory_equal(ours.at, theirs.at, ours.size);
            free(theirs.at);
            free(ours.at);
            bmo_dataset_free(dataset);
        }
}

/* The nearest point of a row among the golden files' points, by integers; sum is the squared distance. */
static int64_t nearest_of(int64_t row, int64_t *sum) {
    int64_t best = -1;
    for (int64_t i = 0; i < 40; ++i) {
        int64_t squares = 0;
        for (int64_t j = 0; j < 20; ++j) {
            const int64_t difference = (7 * i + 3 * j + i * j) % 10 - (7 * row + 3 * j + row * j) % 10;
            squares += difference * difference;
        }
        if (i != row && (best < 0 || squares < *sum)) {
            best = i;
            *sum = squares;
        }
    }
    return best;
}

static void golden_preparations_serve(void **state) {
    static const char *const files[][3] = {{"dense_prepared", "-3", "sql2"},
                                           {"rotated", "4611686018427387904", "sql2"}};
    (void)state;
    for (size_t f = 0; f < COUNT(files); ++f) {
        char golden[512];
        bmo_dataset *dataset = NULL;
        bmo_query *query = NULL;
        bmo_config *config = config_of("auto", files[f][2], files[f][1]);
        snprintf(golden, sizeof golden, "%s/bmo/%s.bmo", TEST_DATA, files[f][0]);
        assert_ok(bmo_config_set_text(config, "method", "bandit"));
        assert_ok(bmo_dataset_open(&dataset, golden, BMO_BORROW, NULL));
        assert_ok(bmo_query_create(&query, dataset, config));
        for (int64_t row = 0; row < 40; ++row) {
            int64_t index = -1, sum = 0;
            double dist = -1;
            const bmo_output out = {.struct_size = sizeof out, .index = &index, .dist = &dist, .capacity = 1};
            assert_ok(bmo_query_knn_rows(query, &row, 1, 1, &out, NULL, NULL));
            assert_int_equal(index, nearest_of(row, &sum));
            assert_true(dist == (double)sum);
        }
        bmo_query_free(query);
        bmo_dataset_free(dataset);
        bmo_config_free(config);
    }
}

static void save_a_small_file(const char *box) {
    const Points points = points_create(30, 40, 6);
    bmo_config *config = config_of(box, "l2", "2");
    bmo_dataset *dataset = prepared(strcmp(box, "sparse") ? dense_of(&points, BMO_F32, 0) : sparse_of(&points), config);
    assert_ok(bmo_dataset_save(dataset, path, NULL));
    bmo_dataset_free(dataset);
    bmo_config_free(config);
    points_free(points);
}

static void files_that_were_cut_are_refused(void **state) {
    (void)state;
    save_a_small_file("rotated");
    const Bytes bytes = read_bytes(path);
    const size_t sizes[] = {0, 1, 7, 8, 9, 31, HEAD - 1, HEAD, HEAD + 1, bytes.size / 2, bytes.size - 1};
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        write_bytes(bytes, sizes[i]);
        assert_not_opened(BMO_EFORMAT);
    }
    bytes.at[bytes.size] = 0;
    write_bytes(bytes, bytes.size + 1);
    assert_not_opened(BMO_EFORMAT);
    free(bytes.at);
}

/* One bit, anywhere that counts: between the table and the sections, and between sections, are zeros that do not. */
static void damage_is_found(void **state) {
    (void)state;
    save_a_small_file("rotated");
    const Bytes bytes = read_bytes(path);
    for (size_t at = 0; at < bytes.size; at += at < 400 ? 1 : 37) {
        bytes.at[at] ^= 0x10;
        write_bytes(bytes, bytes.size);
        bytes.at[at] ^= 0x10;
        bmo_dataset *dataset = NULL;
        const bmo_status status = bmo_dataset_open(&dataset, other_path, BMO_COPY, NULL);
        if (status == BMO_OK) { /* padding */
            assert_true(at > HEAD && bytes.at[at] == 0);
            bmo_dataset_free(dataset);
        } else {
            assert_int_equal(status, at >= 8 && at < 12 ? BMO_EVERSION : BMO_EFORMAT);
        }
    }
    free(bytes.at);
}

static uint64_t crc64(const unsigned char *bytes, size_t size) {
    uint64_t state = ~UINT64_C(0);
    for (size_t i = 0; i < size; ++i) {
        state ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit)
            state = state >> 1 ^ (state & 1 ? UINT64_C(0xc96c5795d7870f42) : 0);
    }
    return ~state;
}

static uint64_t get(const unsigned char *from) {
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return value;
}

static void put(unsigned char *to, uint64_t value) {
    memcpy(to, &value, sizeof value);
}

/* Makes every checksum right. */
static void seal(Bytes bytes) {
    for (uint32_t i = 0; i < bytes.at[12]; ++i) {
        unsigned char *entry = bytes.at + 32 + i * ENTRY;
        if (get(entry + 8) <= bytes.size && get(entry + 16) <= bytes.size - get(entry + 8))
            put(entry + 24, crc64(bytes.at + get(entry + 8), get(entry + 16)));
    }
    put(bytes.at + 24, 0);
    put(bytes.at + 24, crc64(bytes.at, HEAD));
}

static unsigned char *entry_of(Bytes bytes, uint32_t kind) {
    for (uint32_t i = 0; i < bytes.at[12]; ++i)
        if (bytes.at[32 + i * ENTRY] == kind)
            return bytes.at + 32 + i * ENTRY;
    fail_msg("no section %u", kind);
    return NULL;
}

/* Checksums are right, and what they cover is not. */
static void content_that_cannot_be_is_refused(void **state) {
    enum { META = 1, VALUES, POINTERS, INDICES, ENTRIES, WEIGHTS, ORDER, BLOCKS, NORMS, ROTATION, SIGNS };
    static const struct {
        const char *box;
        uint32_t section;
        int64_t place; /* in the section; below 0: of the table's entry, from its end */
        uint64_t value;
    } cases[] = {
        {"dense", META, 0, 3},                     /* a kind that is none */
        {"dense", META, 0, (uint64_t)7 << 32 | 1}, /* a type that is none */
        {"dense", META, 24, UINT64_C(1) << 62},    /* n */
        {"dense", META, 24, 31},                   /* n that does not fit the values */
        {"dense", META, 32, 0},                    /* d */
        {"dense", META, 32, UINT64_C(1) << 62},
        {"dense", VALUES, 0, UINT64_C(0x7fc00000)}, /* NaN */
        {"dense", ORDER, 0, 1},                     /* 1 and 0, one of which is there again */
        {"dense", ORDER, 0, UINT64_C(0x7fffffff)},
        {"dense", ORDER, -16, 8}, /* bytes: sections do not follow each other any more */
        {"dense", VALUES, -16, UINT64_C(1) << 62},
        {"dense", VALUES, -24, UINT64_C(1) << 62},              /* offset */
        {"dense", ORDER, -32, 99},                              /* the section is another */
        {"rotated", ROTATION, 0, UINT64_C(0x3ff0000000000000)}, /* a scale that is not that of the points */
        {"rotated", ROTATION, 8, UINT64_C(0x7ff0000000000000)}, /* a reference that is infinite */
        {"rotated", SIGNS, 0, 0},
        {"rotated", BLOCKS, 0, UINT64_C(0x7f800000)},
        {"sparse", POINTERS, 0, 1},
        {"sparse", POINTERS, 8, UINT64_C(1) << 62},
        {"sparse", INDICES, 0, 40},
        {"sparse", INDICES, 0, UINT64_C(0xffffffffffffffff)},
        {"sparse", META, 40, UINT64_C(1) << 62}, /* nnz */
        {"sparse", META, 32, UINT64_C(0xffffffff)},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); ++i) {
        save_a_small_file(cases[i].box);
        const Bytes bytes = read_bytes(path);
        unsigned char *entry = entry_of(bytes, cases[i].section);
        put(cases[i].place < 0 ? entry + ENTRY + cases[i].place : bytes.at + get(entry + 8) + cases[i].place,
            cases[i].value);
        seal(bytes);
        write_bytes(bytes, bytes.size);
        assert_not_opened(BMO_EFORMAT);
        free(bytes.at);
    }
}

static void boxes_and_versions_of_later_times_are_told(void **state) {
    (void)state;
    save_a_small_file("dense");
    Bytes bytes = read_bytes(path);
    bytes.at[8] = 2;
    seal(bytes);
    write_bytes(bytes, bytes.size);
    assert_not_opened(BMO_EVERSION);
    bytes.at[8] = 1;
    bytes.at[get(entry_of(bytes, 1) + 8) + 12] = 200; /* the box */
    seal(bytes);
    write_bytes(bytes, bytes.size);
    assert_not_opened(BMO_EVERSION);
    free(bytes.at);
}

static void assert_not_saved(const bmo_dataset *dataset, const char *name, const bmo_monitor *monitor,
                             bmo_status status) {
    const int before = count_files();
    if (status == BMO_ECANCELED)
        assert_int_equal(bmo_dataset_save(dataset, name, monitor), status);
    else
        assert_refused(bmo_dataset_save(dataset, name, monitor), status, "path");
    assert_int_equal(count_files(), before);
}

static int32_t stop_when_half_is_written(void *ctx, const bmo_progress *progress) {
    (void)ctx;
    return progress->phase == BMO_PHASE_WRITE && progress->done > progress->total / 2;
}

static void a_failed_write_leaves_what_was_there(void **state) {
    const Points points = points_create(3000, 2000, 7);
    bmo_dataset *dataset = points_dataset(&points);
    char link[64];
    (void)state;
    save_a_small_file("dense");
    const Bytes before = read_bytes(path);
    snprintf(link, sizeof link, "%s/full", directory);
    assert_int_equal(symlink("/dev/full", link), 0);
    assert_not_saved(dataset, link, NULL, BMO_EIO);
    assert_not_saved(dataset, "/dev/full", NULL, BMO_EIO);
    assert_int_equal(unlink(link), 0);
    assert_not_saved(dataset, directory, NULL, BMO_EIO);
    assert_not_saved(dataset, "/nonexistent/points.bmo", NULL, BMO_EIO);
    assert_not_saved(dataset, "", NULL, BMO_EIO);

    const bmo_monitor monitor = {
        .struct_size = sizeof monitor, .interval_ms = 1, .progress = stop_when_half_is_written};
    assert_not_saved(dataset, path, &monitor, BMO_ECANCELED);

    struct rlimit usual, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    small = usual;
    small.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_not_saved(dataset, path, NULL, BMO_EIO); /* and no signal, which would end the program */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);

    const Bytes after = read_bytes(path);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.at, before.at, after.size);
    free(after.at);
    free(before.at);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void a_link_is_followed(void **state) {
    char link[64];
    Bytes first;
    (void)state;
    save_a_small_file("dense");
    first = read_bytes(path);
    snprintf(link, sizeof link, "%s/link", directory);
    assert_int_equal(symlink(path, link), 0);
    const Points points = points_create(5, 3, 8);
    bmo_dataset *dataset = points_dataset(&points);
    assert_ok(bmo_dataset_save(dataset, link, NULL));
    const Bytes second = read_bytes(path);
    assert_true(second.size < first.size);
    assert_int_equal(unlink(link), 0);
    free(first.at);
    free(second.at);
    bmo_dataset_free(dataset);
    points_free(points);
}

static void bad_arguments_are_refused(void **state) {
    const Points points = points_create(5, 3, 9);
    bmo_dataset *dataset = points_dataset(&points);
    const bmo_monitor monitor = {.struct_size = sizeof monitor - 1};
    (void)state;
    assert_refused(bmo_dataset_save(NULL, path, NULL), BMO_EINVAL, "ds");
    assert_refused(bmo_dataset_save(dataset, NULL, NULL), BMO_EINVAL, "path");
    assert_refused(bmo_dataset_save(dataset, path, &monitor), BMO_EINVAL, "monitor.struct_size");
    bmo_dataset_free(dataset);
    points_free(points);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_points_come_back),
        cmocka_unit_test(what_boxes_prepared_comes_back),
        cmocka_unit_test(weights_come_back),
        cmocka_unit_test(sparse_points_come_back),
        cmocka_unit_test(few_points_come_back),
        cmocka_unit_test(golden_files_are_read_and_written),
        cmocka_unit_test(golden_preparations_serve),
        cmocka_unit_test(files_that_were_cut_are_refused),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(content_that_cannot_be_is_refused),
        cmocka_unit_test(boxes_and_versions_of_later_times_are_told),
        cmocka_unit_test(a_failed_write_leaves_what_was_there),
        cmocka_unit_test(a_link_is_followed),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("saved", tests, make_directory, remove_directory);
}
