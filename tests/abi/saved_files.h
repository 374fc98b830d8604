/* What the tests of .bmo files share: a directory of their own with two files in it, and what is saved there. */
#ifndef BMO_TESTS_SAVED_FILES_H
#define BMO_TESTS_SAVED_FILES_H

#include "abi.h"
#include "reference.h"

/* The directory is there from the group's setup to its teardown. */
extern char saved_directory[], saved_path[64], other_path[64];
int make_saved_directory(void **state);
int remove_saved_directory(void **state);

typedef struct Bytes {
    unsigned char *at;
    size_t size;
} Bytes;

Bytes read_bytes(const char *name);
void write_other(Bytes bytes, size_t size); /* the first `size` to other_path */

bmo_config *config_of(const char *box, const char *metric, const char *seed);
bmo_dataset *dense_of(const Points *points, bmo_dtype dtype, int by_columns);
bmo_dataset *sparse_of(const Points *points);
bmo_dataset *prepared(bmo_dataset *source, const bmo_config *config); /* frees the source */

/* Points, prepared for a box, at saved_path; and 30 points of 40 coordinates. */
void save_points(const Points *points, const char *box, const char *metric, const char *seed);
void save_a_small_file(const char *box);

#endif
