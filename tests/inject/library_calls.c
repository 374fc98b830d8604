/* Errors, the library as a whole, tokens that cancel. */
#include "calls.h"

#include <stdio.h>
#include <string.h>

static void keep_text(Stage *stage, const char *text) {
    snprintf(stage->out.text, sizeof stage->out.text, "%s", text);
}

static bmo_status run_status_name(Stage *stage) {
    keep_text(stage, bmo_status_name(BMO_ENOMEM));
    return BMO_OK;
}

static bmo_status run_dtype_name(Stage *stage) {
    keep_text(stage, bmo_dtype_name(BMO_BF16));
    return BMO_OK;
}

static bmo_status run_phase_name(Stage *stage) {
    keep_text(stage, bmo_phase_name(BMO_PHASE_WRITE));
    return BMO_OK;
}

static bmo_status run_guarantee_name(Stage *stage) {
    keep_text(stage, bmo_guarantee_name(BMO_GUARANTEE_PROVEN));
    return BMO_OK;
}

static bmo_status run_last_error(Stage *stage) {
    keep_text(stage, bmo_last_error());
    return BMO_OK;
}

static bmo_status run_error_detail(Stage *stage) {
    bmo_error error = {.struct_size = sizeof error};
    bmo_error_detail(&error);
    keep_text(stage, error.message);
    stage->out.integer = error.status;
    return BMO_OK;
}

static bmo_status run_version(Stage *stage) {
    stage->out.integer = bmo_version();
    return BMO_OK;
}

static bmo_status run_version_string(Stage *stage) {
    keep_text(stage, bmo_version_string());
    return BMO_OK;
}

static bmo_status run_isa(Stage *stage) {
    keep_text(stage, bmo_isa());
    return BMO_OK;
}

/* How many there are is told by files that may not be read: at least 1. */
static bmo_status run_threads_available(Stage *stage) {
    stage->out.integer = bmo_threads_available() >= 1;
    return BMO_OK;
}

const Call status_name = {.function = "bmo_status_name", .run = run_status_name};
const Call dtype_name = {.function = "bmo_dtype_name", .run = run_dtype_name};
const Call phase_name = {.function = "bmo_phase_name", .run = run_phase_name};
const Call guarantee_name = {.function = "bmo_guarantee_name", .run = run_guarantee_name};
const Call last_error = {.function = "bmo_last_error", .run = run_last_error};
const Call error_detail = {.function = "bmo_error_detail", .run = run_error_detail};
const Call version = {.function = "bmo_version", .run = run_version};
const Call version_string = {.function = "bmo_version_string", .run = run_version_string};
const Call isa = {.function = "bmo_isa", .run = run_isa};
const Call threads_available = {.function = "bmo_threads_available", .run = run_threads_available};

static bmo_status run_cancel_create(Stage *stage) {
    return bmo_cancel_create((bmo_cancel **)&stage->out.handle);
}

static void free_cancel(Stage *stage, bmo_status status) {
    if (status != BMO_OK)
        return;
    bmo_cancel_free(stage->out.handle);
    stage->out.handle = NULL;
}

static bmo_status run_cancel_request(Stage *stage) {
    bmo_cancel_request(stage->cancel);
    return BMO_OK;
}

static bmo_status run_cancel_reset(Stage *stage) {
    bmo_cancel_reset(stage->cancel);
    return BMO_OK;
}

static bmo_status run_cancel_free(Stage *stage) {
    bmo_cancel_free(stage->cancel);
    return BMO_OK;
}

static void make_cancel(Stage *stage, bmo_status status) {
    (void)status;
    must(bmo_cancel_create(&stage->cancel));
}

const Call cancel_create = {.function = "bmo_cancel_create", .run = run_cancel_create, .after = free_cancel};
const Call cancel_request = {.function = "bmo_cancel_request", .run = run_cancel_request};
const Call cancel_reset = {.function = "bmo_cancel_reset", .run = run_cancel_reset};
const Call cancel_free = {.function = "bmo_cancel_free", .run = run_cancel_free, .after = make_cancel};
