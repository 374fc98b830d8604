/* The boxes that need prepared data, and what their tests share. */
#ifndef BMO_TESTS_PREPARED_BOX_H
#define BMO_TESTS_PREPARED_BOX_H

#include "reference.h"

/* Of the points of few_differences(), and of a rotation of them. */
enum { N = 600, D = 1500, PADDED = 2048, LEVELS = 11 };

/* projection_ops is what a new query of D coordinates takes at least, and at most. */
typedef struct Box {
    const char *name;
    int32_t id;
    uint64_t least_project_ops, most_project_ops;
} Box;

extern const Box rotated, projected, sketch;

/* A case of a test that is run on a box, its state. */
#define on_box(test, box) cmocka_unit_test_prestate(test, (void *)&(box))

/* A config of the bandit at delta 1e-9. */
bmo_config *box_config(const char *box, const char *seed);
bmo_dataset *dataset_prepare(const bmo_dataset *source, const bmo_config *config);
bmo_query *query_with(const bmo_dataset *dataset, const bmo_config *config);
bmo_output output_to(int64_t *index, double *dist, int64_t capacity);

/* Point i is the first one but for `differences` coordinates, each off by 1 or 2. */
Points few_differences(uint64_t seed);

#endif
