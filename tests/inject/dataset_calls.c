/* bmo_dataset. */
#include "calls.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const bmo_monitor *monitor_of(const Stage *stage) {
    return stage_has(stage, WATCHED | STOPPED | CANCELED) ? &stage->monitor : NULL;
}

/* What a dataset is, but for how long preparing took and where its bytes are, and what it answers. */
static uint64_t digest_of_dataset(const Stage *stage, const bmo_dataset *dataset) {
    bmo_dataset_info info = {.struct_size = sizeof info};
    must(bmo_dataset_describe(dataset, &info));
    info.prepare_ns = info.bytes_owned = info.bytes_borrowed = 0;
    uint64_t result = digest(0, &info, sizeof info);
    double row[VALUES];
    for (int64_t i = 0; i < info.n; i += info.n / 3 + 1) {
        must(bmo_dataset_copy_rows(dataset, &i, 1, row));
        result = digest(result, row, (size_t)info.d * sizeof *row);
    }
    bmo_query *query;
    if (info.n <= NEIGHBORS)
        return result;
    must(bmo_query_create(&query, dataset, stage->config, NULL));
    result = digest(result, &(uint64_t){digest_of_answers(query)}, sizeof result);
    bmo_query_free(query);
    return result;
}

static void free_dataset(Stage *stage, bmo_status status) {
    if (status != BMO_OK)
        return;
    stage->out.state = digest_of_dataset(stage, stage->out.handle);
    bmo_dataset_free(stage->out.handle);
    stage->out.handle = NULL;
}

static uint32_t placement(const Stage *stage) {
    return stage_has(stage, BORROWED) ? BMO_BORROW : BMO_COPY;
}

static bmo_owner owner_of(Stage *stage) {
    return (bmo_owner){.struct_size = sizeof(bmo_owner), .release = count_release, .ctx = &stage->out.released};
}

static bmo_status run_dense(Stage *stage) {
    const bmo_owner owner = owner_of(stage);
    return bmo_dataset_dense((bmo_dataset **)&stage->out.handle, &stage->dense, placement(stage), &owner, NULL);
}

static bmo_status run_sparse(Stage *stage) {
    const bmo_owner owner = owner_of(stage);
    return bmo_dataset_sparse((bmo_dataset **)&stage->out.handle, &stage->sparse, placement(stage), &owner, NULL);
}

static bmo_status run_open(Stage *stage) {
    return bmo_dataset_open((bmo_dataset **)&stage->out.handle, stage->path, placement(stage), monitor_of(stage));
}

static bmo_status run_prepare(Stage *stage) {
    return bmo_dataset_prepare((bmo_dataset **)&stage->out.handle, stage->dataset, stage->config, monitor_of(stage));
}

/* All but the first few, and the last one twice. */
static bmo_status run_subset(Stage *stage) {
    const int64_t n = stage->scenario->data->n;
    int64_t rows[POINTS];
    for (int64_t i = 0; i < n; ++i)
        rows[i] = i + 5 < n ? i + 5 : n - 1;
    return bmo_dataset_subset((bmo_dataset **)&stage->out.handle, stage->dataset, rows, n - 4, monitor_of(stage));
}

static bmo_status run_ref(Stage *stage) {
    return bmo_dataset_ref((bmo_dataset **)&stage->out.handle, stage->dataset);
}

const Call dataset_dense = {.function = "bmo_dataset_dense", .run = run_dense, .after = free_dataset};
const Call dataset_sparse = {.function = "bmo_dataset_sparse", .run = run_sparse, .after = free_dataset};
const Call dataset_open = {.function = "bmo_dataset_open", .run = run_open, .after = free_dataset};
const Call dataset_prepare = {.function = "bmo_dataset_prepare", .run = run_prepare, .after = free_dataset};
const Call dataset_subset = {.function = "bmo_dataset_subset", .run = run_subset, .after = free_dataset};
const Call dataset_ref = {.function = "bmo_dataset_ref", .run = run_ref, .after = free_dataset};

/* Under this name the dataset is saved, beside what lies there already. */
static void write_old(const char *path) {
    FILE *file = fopen(path, "wb");
    if (!file)
        give_up("%s cannot be written", path);
    fputs("an older file", file);
    fclose(file);
}

static void make_place(Stage *stage) {
    char old[600];
    empty_directory(stage->directory);
    snprintf(stage->path, sizeof stage->path, "%s/saved.bmo", stage->directory);
    snprintf(old, sizeof old, "%s/old.bmo", stage->directory);
    if (stage_has(stage, OVER_OLD))
        write_old(stage->path);
    if (stage_has(stage, THROUGH_LINK)) {
        write_old(old);
        if (symlink("old.bmo", stage->path) != 0)
            give_up("%s cannot be linked", stage->path);
    }
    if (stage->scenario->text)
        snprintf(stage->path, sizeof stage->path, "%s/%s", stage->directory, stage->scenario->text);
    stage->out.state = digest_of_directory(stage->directory);
}

static bmo_status run_save(Stage *stage) {
    return bmo_dataset_save(stage->dataset, stage->path, monitor_of(stage));
}

static void look_at_place(Stage *stage, bmo_status status) {
    (void)status;
    stage->out.state = digest_of_directory(stage->directory);
}

const Call dataset_save = {
    .function = "bmo_dataset_save", .run = run_save, .before = make_place, .after = look_at_place};

/* One of several: of a file, since that is closed then. */
static bmo_status run_free(Stage *stage) {
    bmo_dataset_free(stage->dataset);
    stage->dataset = NULL;
    return BMO_OK;
}

static void make_dataset(Stage *stage, bmo_status status) {
    (void)status;
    if (stage_has(stage, MADE_BY_FILE))
        must(bmo_dataset_open(&stage->dataset, stage->path, BMO_BORROW, NULL));
    else
        stage->dataset = dataset_of(stage);
}

static bmo_status run_describe(Stage *stage) {
    return bmo_dataset_describe(stage->dataset, &stage->out.info);
}

static bmo_status run_copy_rows(Stage *stage) {
    const int64_t rows[] = {7, 0, (int64_t)stage->scenario->value};
    return bmo_dataset_copy_rows(stage->dataset, rows, 3, stage->out.values);
}

const Call dataset_free = {.function = "bmo_dataset_free", .run = run_free, .after = make_dataset};
const Call dataset_describe = {.function = "bmo_dataset_describe", .run = run_describe};
const Call dataset_copy_rows = {.function = "bmo_dataset_copy_rows", .run = run_copy_rows};
