/* One call of a public function on small data, which loops make again and again while something fails inside. */
#ifndef BMO_TESTS_SCENARIO_H
#define BMO_TESTS_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

#include <bmo.h>

typedef enum Layout { ROWS, COLUMNS, SPACED } Layout;

/* Points of whole numbers from 0 to 99, so that they are the same in every type; sparse ones have few. */
typedef struct Data {
    int is_sparse;
    bmo_dtype dtype; /* of the values; of sparse points 0: there are none, all are 1 */
    int64_t n, d;
    Layout layout;         /* dense */
    int orientation, base; /* sparse */
    bmo_dtype pointers, indices;
    int is_messy;   /* sparse: entries in any order, some twice */
    int is_damaged; /* one value is not finite, or one index out of range */
} Data;

enum { QUERIES = 5, NEIGHBORS = 2, CENTERS = 4, POINTS = 512, VALUES = 4096, ARMS = 24, BEST = 3 };

/* All that calls write. Untouched bytes stay as fill_outputs() left them. */
typedef struct Outputs {
    void *handle;
    uint64_t state; /* a digest of what the call changes elsewhere: a config, a file, what a new handle answers */
    int64_t released;
    int64_t index[POINTS * NEIGHBORS];
    double distance[POINTS * NEIGHBORS];
    bmo_row_stats row_stats[POINTS];
    uint8_t done[POINTS];
    double values[VALUES];
    int32_t labels[POINTS];
    int64_t integer;
    double real;
    size_t needed;
    char text[256];
    bmo_stats stats;
    bmo_medoid medoid;
    bmo_dataset_info info;
    bmo_param_info parameter;
    bmo_error error;
} Outputs;

enum {
    PREPARED = 1,        /* the dataset is prepared with the config */
    WEIGHTED = 2,        /* the config has weights */
    CUSTOM = 4,          /* the config has a rho */
    BORROWED = 8,        /* the data are used where they are */
    WATCHED = 16,        /* a monitor reports each step */
    STOPPED = 32,        /* the monitor's callback stops the call */
    CANCELED = 64,       /* the monitor's token is requested beforehand */
    FAILING = 128,       /* the caller's rho, pull or exact stops the call */
    OVER_OLD = 256,      /* save: over an older file */
    THROUGH_LINK = 512,  /* save: the name is a link to an older file */
    BOUNDED = 1024,      /* arms */
    INEXACT = 2048,      /* arms without an exact mean */
    CLEARS = 4096,       /* a setter clears */
    MADE_BY_FILE = 8192, /* `file` is opened undisturbed for the dataset of the call */
    EXPENSIVE = 16384,   /* many milliseconds: few places are taken */
    LIMITED = 32768      /* a search has limits */
};

typedef struct Stage Stage;

/* A public function, called as the stage has it. */
typedef struct Call {
    const char *function;
    bmo_status (*run)(Stage *stage);
    void (*before)(Stage *stage);                   /* undisturbed; may be NULL */
    void (*after)(Stage *stage, bmo_status status); /* undisturbed: the state, and frees what was made; may be NULL */
    int needs_query;
    int lacks_done; /* a search that does not tell which rows it finished */
} Call;

typedef struct Scenario {
    const Call *call;
    const char *name;     /* what is special about it */
    const Data *data;     /* NULL: a few dense points */
    const char *settings; /* "metric=l1 threads=2"; NULL: the defaults */
    int flags;
    bmo_status status; /* of the undisturbed call */
    const char *file;  /* open: the name, whose end tells the format */
    const char *text;  /* a parameter's name or value, or what else is varied */
    double value;
} Scenario;

struct Stage {
    const Scenario *scenario;
    bmo_config *config, *changed; /* changed: a copy made for each call */
    bmo_dataset *dataset, *queries;
    bmo_query *query;
    bmo_cancel *cancel;
    void *points; /* of the data: memory of the stage */
    bmo_dense dense;
    bmo_sparse sparse;
    bmo_monitor monitor;
    const char *directory; /* of its own, empty at first */
    char path[512];
    Outputs out, untouched;
    char message[256]; /* of the last call that failed */
};

extern const Scenario scenarios[];
extern const size_t scenario_count;

/* Ends this process: the case fails with the message. */
__attribute__((format(printf, 1, 2), noreturn)) void give_up(const char *format, ...);

/* The call succeeds, or the case is over. */
#define must(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != BMO_OK)                                                                                          \
            give_up("%s: %s", #call, bmo_last_error());                                                                \
    } while (0)

/* ---- stage.c */
Stage *stage_create(const Scenario *scenario, const char *directory);
void stage_free(Stage *stage);
/* Makes the scenario's call in a new thread: disturb() is called before and calm() after it, on that thread. Then the
 * outputs are in out, and what they were before in untouched. */
bmo_status stage_run(Stage *stage, void (*disturb)(void *ctx), void (*calm)(void *ctx), void *ctx);
int stage_has(const Stage *stage, int flag);

/* ---- points.c */
void make_points(Stage *stage, const Data *data); /* points, dense, sparse */
bmo_dataset *dataset_of(const Stage *stage);

/* ---- files.c */
void write_points(const Stage *stage, const char *path); /* in the format that the name ends with */
uint64_t digest(uint64_t before, const void *bytes, size_t size);
uint64_t digest_of_file(const char *path);      /* 0: there is none */
uint64_t digest_of_directory(const char *path); /* names, links and contents */
void empty_directory(const char *path);

#endif
