/* .bmo files that were cut, damaged or made up are refused. */
#include "saved_files.h"

#include <stdlib.h>
#include <zlib.h>

enum { HEAD = 4096, ENTRY = 32 };

static void assert_not_opened(bmo_status status) {
    for (uint32_t flags = BMO_COPY; flags <= BMO_BORROW; ++flags) {
        bmo_dataset *dataset = NULL;
        assert_refused(bmo_dataset_open(&dataset, other_path, flags, NULL), status, "path");
        assert_non_null(strstr(bmo_last_error(), other_path));
        assert_null(dataset);
    }
}

static void files_that_were_cut_are_refused(void **state) {
    (void)state;
    save_a_small_file("rotated");
    const Bytes bytes = read_bytes(saved_path);
    const size_t sizes[] = {0, 1, 7, 8, 9, 31, HEAD - 1, HEAD, HEAD + 1, bytes.size / 2, bytes.size - 1};
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        write_other(bytes, sizes[i]);
        assert_not_opened(BMO_EFORMAT);
    }
    bytes.at[bytes.size] = 0;
    write_other(bytes, bytes.size + 1);
    assert_not_opened(BMO_EFORMAT);
    free(bytes.at);
}

/* One bit, anywhere that counts: between the table and the sections, and between sections, are zeros that do not. */
static void damage_is_found(void **state) {
    (void)state;
    save_a_small_file("rotated");
    const Bytes bytes = read_bytes(saved_path);
    for (size_t at = 0; at < bytes.size; at += at < 400 ? 1 : 37) {
        bytes.at[at] ^= 0x10;
        write_other(bytes, bytes.size);
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
            put(entry + 24, crc32_z(0, bytes.at + get(entry + 8), get(entry + 16)));
    }
    put(bytes.at + 24, 0);
    put(bytes.at + 24, crc32_z(0, bytes.at, HEAD));
}

static unsigned char *entry_of(Bytes bytes, uint32_t kind) {
    for (uint32_t i = 0; i < bytes.at[12]; ++i)
        if (bytes.at[32 + i * ENTRY] == kind)
            return bytes.at + 32 + i * ENTRY;
    fail_msg("no section %u", kind);
    return NULL;
}

enum {
    META = 1,
    VALUES,
    POINTERS,
    INDICES,
    ENTRIES,
    WEIGHTS,
    ORDER,
    BLOCKS,
    NORMS,
    ROTATION,
    SIGNS,
    DIRECTIONS,
    MIDDLE,
    HEADS,
    REMAINDERS
};

/* Checksums are right, and what they cover is not. */
static void content_that_cannot_be_is_refused(void **state) {
    enum { COORDINATES = 40 }; /* of the small file */
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
        {"projected", DIRECTIONS, 8, UINT64_C(0x7fc00000)},
        {"projected", MIDDLE, 0, UINT64_C(0x7ff0000000000000)},
        {"projected", MIDDLE, 8 * COORDINATES, 0}, /* the scale */
        {"projected", MIDDLE, 8 * COORDINATES, UINT64_C(0x7e37e43c8800759c)},
        {"projected", MIDDLE, 8 * COORDINATES + 8, UINT64_C(0xbff0000000000000)},
        {"projected", ORDER, 0, UINT64_C(0x7fffffff)},
        {"projected", HEADS, 0, UINT64_C(0x7f800000)},
        {"projected", HEADS, -16, 8},
        {"projected", REMAINDERS, 4, UINT64_C(0x7fc00000)},
        {"projected", BLOCKS, 2, UINT64_C(0x7c00)},
        {"projected", META, 24, 31},
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
        const Bytes bytes = read_bytes(saved_path);
        unsigned char *entry = entry_of(bytes, cases[i].section);
        put(cases[i].place < 0 ? entry + ENTRY + cases[i].place : bytes.at + get(entry + 8) + cases[i].place,
            cases[i].value);
        seal(bytes);
        write_other(bytes, bytes.size);
        assert_not_opened(BMO_EFORMAT);
        free(bytes.at);
    }
}

/* A section of a file of other points, or of another seed, of the same shape. */
static void parts_of_another_file_are_refused(void **state) {
    static const struct {
        const char *box, *metric;
        uint32_t section;
        const char *what; /* in the message */
    } cases[] = {
        {"dense", "l2", VALUES, "values in blocks"},
        {"dense", "l2", ORDER, "values in blocks"},
        {"dense", "l2", BLOCKS, "values in blocks"},
        {"dense", "cosine", NORMS, "norm"},
        {"rotated", "l2", BLOCKS, "rotated values"},
        {"rotated", "l2", ORDER, "rotated values"},
        {"rotated", "l2", SIGNS, "rotated values"},
        {"rotated", "l2", ROTATION, "rotated values"},
        {"rotated", "l2", VALUES, "rotated values"},
        {"rotated", "cosine", NORMS, "norm"},
        {"rotated", "inner_product", BLOCKS, "rotated values"},
        {"projected", "l2", HEADS, "shares of the directions"},
        {"projected", "l2", DIRECTIONS, "shares of the directions"},
        {"projected", "l2", VALUES, "shares of the directions"},
        {"projected", "l2", MIDDLE, "shares of the directions"},
        {"projected", "l2", ORDER, "residuals in blocks"},
        {"projected", "l2", BLOCKS, "residuals in blocks"},
        {"projected", "l2", REMAINDERS, "norms behind the directions"},
        {"projected", "cosine", NORMS, "norm"},
        {"projected", "cosine", HEADS, "shares of the directions"},
        {"projected", "inner_product", BLOCKS, "residuals in blocks"},
    };
    (void)state;
    const Points mine = points_create(90, 160, 6), others = points_create(90, 160, 7);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        save_points(&others, cases[i].box, cases[i].metric, "3");
        const Bytes other = read_bytes(saved_path);
        save_points(&mine, cases[i].box, cases[i].metric, "2");
        const Bytes bytes = read_bytes(saved_path);
        const unsigned char *from = entry_of(other, cases[i].section);
        unsigned char *to = entry_of(bytes, cases[i].section);
        assert_int_equal(get(from + 16), get(to + 16));
        memcpy(bytes.at + get(to + 8), other.at + get(from + 8), get(to + 16));
        seal(bytes);
        write_other(bytes, bytes.size);
        assert_not_opened(BMO_EFORMAT);
        assert_non_null(strstr(bmo_last_error(), cases[i].what));
        free(bytes.at);
        free(other.at);
    }
    points_free(mine);
    points_free(others);
}

/* What a file promises of its directions is that they are orthonormal but for so much. */
static void directions_that_are_none_are_refused(void **state) {
    (void)state;
    save_a_small_file("projected");
    const Bytes bytes = read_bytes(saved_path);
    unsigned char *directions = bytes.at + get(entry_of(bytes, DIRECTIONS) + 8);
    memcpy(directions, directions + 40 * sizeof(float), 40 * sizeof(float)); /* the first is the second */
    seal(bytes);
    write_other(bytes, bytes.size);
    assert_not_opened(BMO_EFORMAT);
    assert_non_null(strstr(bmo_last_error(), "orthonormal"));
    free(bytes.at);
}

static void groups_that_cannot_be_are_refused(void **state) {
    enum { GROUPS = 16, MANY = 9000, WIDE = 200 };
    static const uint64_t values[] = {UINT64_C(0xffffffff), MANY};
    const Points points = points_create(MANY, WIDE, 6);
    bmo_config *config = config_of("projected", "l2", "2");
    bmo_dataset *dataset = prepared(dense_of(&points, BMO_U8, 0), config);
    (void)state;
    assert_ok(bmo_dataset_save(dataset, saved_path, NULL));
    const Bytes bytes = read_bytes(saved_path);
    for (size_t i = 0; i < COUNT(values); ++i) {
        put(bytes.at + get(entry_of(bytes, GROUPS) + 8) + 8, values[i]);
        seal(bytes);
        write_other(bytes, bytes.size);
        assert_not_opened(BMO_EFORMAT);
    }
    free(bytes.at);
    bmo_dataset_free(dataset);
    bmo_config_free(config);
    points_free(points);
}

static void boxes_and_versions_of_later_times_are_told(void **state) {
    (void)state;
    save_a_small_file("dense");
    Bytes bytes = read_bytes(saved_path);
    bytes.at[8] = 2;
    seal(bytes);
    write_other(bytes, bytes.size);
    assert_not_opened(BMO_EVERSION);
    bytes.at[8] = 1;
    bytes.at[get(entry_of(bytes, 1) + 8) + 12] = 200; /* the box */
    seal(bytes);
    write_other(bytes, bytes.size);
    assert_not_opened(BMO_EVERSION);
    free(bytes.at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_that_were_cut_are_refused),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(content_that_cannot_be_is_refused),
        cmocka_unit_test(parts_of_another_file_are_refused),
        cmocka_unit_test(directions_that_are_none_are_refused),
        cmocka_unit_test(groups_that_cannot_be_are_refused),
        cmocka_unit_test(boxes_and_versions_of_later_times_are_told),
    };
    return cmocka_run_group_tests_name("saved_damage", tests, make_saved_directory, remove_saved_directory);
}
