/* bmo_config and the table of its parameters. Setters change a copy of the stage's config. */
#include "calls.h"

#include <string.h>

void count_release(void *count) {
    ++*(int64_t *)count;
}

uint64_t digest_of_config(const bmo_config *config) {
    uint64_t result = 0;
    for (int32_t position = 0; position < bmo_param_count(); ++position) {
        bmo_param_info info = {.struct_size = sizeof info};
        char text[64];
        must(bmo_param_at(position, &info));
        must(bmo_config_get_text(config, info.name, text, sizeof text, NULL));
        result = digest(result, text, strlen(text) + 1);
    }
    return result;
}

static void copy_config(Stage *stage) {
    must(bmo_config_copy(&stage->changed, stage->config));
    stage->out.state = digest_of_config(stage->changed);
}

/* What was released before the config was, and with it. */
static void free_copy(Stage *stage, bmo_status status) {
    (void)status;
    stage->out.state = digest_of_config(stage->changed);
    bmo_config_free(stage->changed);
    stage->changed = NULL;
}

static void free_made(Stage *stage, bmo_status status) {
    if (status != BMO_OK)
        return;
    stage->out.state = digest_of_config(stage->out.handle);
    bmo_config_free(stage->out.handle);
    stage->out.handle = NULL;
}

static bmo_status run_create(Stage *stage) {
    return bmo_config_create((bmo_config **)&stage->out.handle);
}

static bmo_status run_copy(Stage *stage) {
    return bmo_config_copy((bmo_config **)&stage->out.handle, stage->config);
}

static bmo_status run_free(Stage *stage) {
    bmo_config_free(stage->changed);
    stage->changed = NULL;
    return BMO_OK;
}

static bmo_status run_set_i64(Stage *stage) {
    return bmo_config_set_i64(stage->changed, BMO_PARAM_THREADS, (int64_t)stage->scenario->value);
}

static bmo_status run_set_f64(Stage *stage) {
    return bmo_config_set_f64(stage->changed, BMO_PARAM_DELTA, stage->scenario->value);
}

static bmo_status run_set_text(Stage *stage) {
    return bmo_config_set_text(stage->changed, "seed", stage->scenario->text);
}

static bmo_status run_set_weights(Stage *stage) {
    double weights[64];
    for (int i = 0; i < 64; ++i)
        weights[i] = i * stage->scenario->value;
    const int clears = stage_has(stage, CLEARS);
    return bmo_config_set_weights(stage->changed, clears ? NULL : weights, clears ? 0 : 64);
}

static int32_t no_distance(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b,
                           double *out) {
    (void)ctx;
    (void)coord;
    (void)a;
    (void)b;
    memset(out, 0, (size_t)count * sizeof *out);
    return 0;
}

static bmo_status run_set_rho(Stage *stage) {
    const bmo_owner owner = {.struct_size = sizeof owner, .release = count_release, .ctx = &stage->out.released};
    if (stage_has(stage, CLEARS))
        return bmo_config_set_rho(stage->changed, NULL, 0, NULL);
    return bmo_config_set_rho(stage->changed, no_distance, (uint32_t)stage->scenario->value, &owner);
}

static bmo_status run_get_i64(Stage *stage) {
    return bmo_config_get_i64(stage->config, (bmo_param)stage->scenario->value, &stage->out.integer);
}

static bmo_status run_get_f64(Stage *stage) {
    return bmo_config_get_f64(stage->config, (bmo_param)stage->scenario->value, &stage->out.real);
}

/* A buffer too small fails, with *needed set: of the outputs it is the one that may change then. */
static bmo_status run_get_text(Stage *stage) {
    size_t needed;
    const bmo_status status = bmo_config_get_text(stage->config, stage->scenario->text, stage->out.text,
                                                  (size_t)stage->scenario->value, &needed);
    if (status == BMO_OK)
        stage->out.needed = needed;
    return status;
}

static bmo_status run_check(Stage *stage) {
    return bmo_config_check(stage->changed, (uint32_t)stage->scenario->value);
}

static bmo_status run_param_count(Stage *stage) {
    stage->out.integer = bmo_param_count();
    return BMO_OK;
}

static bmo_status run_param_at(Stage *stage) {
    return bmo_param_at((int32_t)stage->scenario->value, &stage->out.parameter);
}

#define SETTER(name, function_name, run_function)                                                                      \
    const Call name = {.function = function_name, .run = run_function, .before = copy_config, .after = free_copy}

SETTER(config_set_i64, "bmo_config_set_i64", run_set_i64);
SETTER(config_set_f64, "bmo_config_set_f64", run_set_f64);
SETTER(config_set_text, "bmo_config_set_text", run_set_text);
SETTER(config_set_weights, "bmo_config_set_weights", run_set_weights);
SETTER(config_set_rho, "bmo_config_set_rho", run_set_rho);
const Call config_create = {.function = "bmo_config_create", .run = run_create, .after = free_made};
const Call config_copy = {.function = "bmo_config_copy", .run = run_copy, .after = free_made};
const Call config_free = {.function = "bmo_config_free", .run = run_free, .before = copy_config};
const Call config_get_i64 = {.function = "bmo_config_get_i64", .run = run_get_i64};
const Call config_get_f64 = {.function = "bmo_config_get_f64", .run = run_get_f64};
const Call config_get_text = {.function = "bmo_config_get_text", .run = run_get_text};
const Call config_check = {.function = "bmo_config_check", .before = copy_config, .run = run_check, .after = free_copy};
const Call param_count = {.function = "bmo_param_count", .run = run_param_count};
const Call param_at = {.function = "bmo_param_at", .run = run_param_at};
