/* What a scenario's call finds: datasets, a config, a query, a monitor; and outputs that show what was written. */
#include "scenario.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int stage_has(const Stage *stage, int flag) {
    return (stage->scenario->flags & flag) != 0;
}

/* The sum of |a - b| over the coordinates. */
static int32_t absolute(void *ctx, const int64_t *coord, int64_t count, const double *a, const double *b, double *out) {
    (void)coord;
    for (int64_t i = 0; i < count; ++i)
        out[i] = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    return *(const int *)ctx;
}

static void set_parameters(bmo_config *config, const char *settings) {
    char name[64], value[64];
    int length;
    for (; sscanf(settings, " %63[^=]=%63s%n", name, value, &length) == 2; settings += length)
        must(bmo_config_set_text(config, name, value));
}

static void make_config(Stage *stage) {
    static int goes_on = 0, stops = 3;
    must(bmo_config_create(&stage->config));
    set_parameters(stage->config, stage->scenario->settings ? stage->scenario->settings : "");
    if (stage_has(stage, WEIGHTED)) {
        double weights[VALUES];
        const int64_t d = stage->sparse.struct_size ? stage->sparse.d : stage->dense.d;
        for (int64_t j = 0; j < d; ++j)
            weights[j] = (double)(j % 5);
        must(bmo_config_set_weights(stage->config, weights, d));
    }
    if (stage_has(stage, CUSTOM)) {
        const bmo_owner owner = {.struct_size = sizeof owner, .ctx = stage_has(stage, FAILING) ? &stops : &goes_on};
        must(bmo_config_set_rho(stage->config, absolute, BMO_CALLBACK_ANY_THREAD, &owner));
    }
}

/* The queries are the first of the points. */
static void make_datasets(Stage *stage) {
    stage->dataset = dataset_of(stage);
    if (stage->sparse.struct_size) {
        bmo_sparse few = stage->sparse;
        few.n = QUERIES;
        few.nnz = few.pointer_dtype == BMO_I32 ? ((const int32_t *)few.pointers)[QUERIES] - few.index_base
                                               : ((const int64_t *)few.pointers)[QUERIES] - few.index_base;
        if (few.orientation == BMO_POINTS_COMPRESSED)
            must(bmo_dataset_sparse(&stage->queries, &few, BMO_COPY, NULL, NULL));
    } else {
        bmo_dense few = stage->dense;
        few.n = few.n < QUERIES ? few.n : QUERIES;
        must(bmo_dataset_dense(&stage->queries, &few, BMO_COPY, NULL, NULL));
    }
    if (!stage_has(stage, PREPARED))
        return;
    bmo_dataset *plain = stage->dataset;
    must(bmo_dataset_prepare(&stage->dataset, plain, stage->config, NULL));
    bmo_dataset_free(plain);
}

static int32_t report(void *ctx, const bmo_progress *progress) {
    const Stage *stage = ctx;
    (void)progress;
    return stage_has(stage, STOPPED) ? 7 : 0;
}

static void make_monitor(Stage *stage) {
    must(bmo_cancel_create(&stage->cancel));
    /* A stop waits for the end of a phase, so that it does not depend on time. */
    stage->monitor =
        (bmo_monitor){.struct_size = sizeof stage->monitor, .interval_ms = stage_has(stage, STOPPED) ? INT32_MAX : 1};
    if (stage_has(stage, WATCHED | STOPPED)) {
        stage->monitor.progress = report;
        stage->monitor.ctx = stage;
    }
    if (stage_has(stage, CANCELED)) {
        stage->monitor.cancel = stage->cancel;
        bmo_cancel_request(stage->cancel);
    }
}

Stage *stage_create(const Scenario *scenario, const char *directory) {
    static const Data few = {.dtype = BMO_F32, .n = 60, .d = 40};
    Stage *stage = calloc(1, sizeof *stage);
    stage->scenario = scenario;
    stage->directory = directory;
    make_points(stage, scenario->data ? scenario->data : &few);
    make_config(stage);
    if (!scenario->data || !scenario->data->is_damaged)
        make_datasets(stage);
    make_monitor(stage);
    if (scenario->file) {
        snprintf(stage->path, sizeof stage->path, "%s/%s", directory, scenario->file);
        if (strcmp(scenario->file, "absent") != 0)
            write_points(stage, stage->path);
    }
    if (stage_has(stage, MADE_BY_FILE)) {
        bmo_dataset_free(stage->dataset);
        must(bmo_dataset_open(&stage->dataset, stage->path, BMO_BORROW, NULL));
    }
    if (scenario->call->needs_query)
        must(bmo_query_create(&stage->query, stage->dataset, stage->config, NULL));
    return stage;
}

void stage_free(Stage *stage) {
    bmo_query_free(stage->query);
    bmo_cancel_free(stage->cancel);
    bmo_dataset_free(stage->queries);
    bmo_dataset_free(stage->dataset);
    bmo_config_free(stage->config);
    bmo_config_free(stage->changed);
    empty_directory(stage->directory);
    free(stage->points);
    free(stage);
}

static void fill_outputs(Outputs *out) {
    memset(out, 0xa5, sizeof *out);
    out->state = 0;
    out->released = 0;
    out->stats.struct_size = sizeof out->stats;
    out->medoid.struct_size = sizeof out->medoid;
    out->medoid.reserved = 0;
    out->medoid.seed = NULL;
    out->info.struct_size = sizeof out->info;
    out->parameter.struct_size = sizeof out->parameter;
    out->error.struct_size = sizeof out->error;
}

typedef struct Run {
    Stage *stage;
    void (*disturb)(void *ctx), (*calm)(void *ctx);
    void *ctx;
    bmo_status status;
} Run;

/* What the thread's last error says is what the call returned. */
static void check_error(bmo_status status) {
    bmo_error error = {.struct_size = sizeof error};
    bmo_error_detail(&error);
    if (error.status != status)
        give_up("the call returns %s, its error says %s", bmo_status_name(status), bmo_status_name(error.status));
    if (error.message[0] == '\0' || strcmp(error.message, bmo_last_error()) != 0)
        give_up("%s has no message", bmo_status_name(status));
    if (status == BMO_ENOMEM && strcmp(error.message, "out of memory") != 0)
        give_up("BMO_ENOMEM says: %s", error.message);
    if (status == BMO_EIO && strcmp(error.argument, "path") != 0)
        give_up("BMO_EIO is of the argument '%s'", error.argument);
}

static void *run_in_thread(void *given) {
    Run *run = given;
    run->disturb(run->ctx);
    run->status = run->stage->scenario->call->run(run->stage);
    run->calm(run->ctx);
    if (run->status != BMO_OK)
        check_error(run->status);
    snprintf(run->stage->message, sizeof run->stage->message, "%s", bmo_last_error());
    return NULL;
}

bmo_status stage_run(Stage *stage, void (*disturb)(void *ctx), void (*calm)(void *ctx), void *ctx) {
    const Call *call = stage->scenario->call;
    Run run = {.stage = stage, .disturb = disturb, .calm = calm, .ctx = ctx, .status = BMO_OK};
    pthread_t thread;
    fill_outputs(&stage->out);
    if (call->before)
        call->before(stage);
    stage->untouched = stage->out;
    if (pthread_create(&thread, NULL, run_in_thread, &run) != 0)
        give_up("no thread");
    pthread_join(thread, NULL);
    if (call->after)
        call->after(stage, run.status);
    return run.status;
}
