/* usage: inject FAMILY [--all] [PART-OF-A-NAME]
 *        inject covers HEADER
 * Makes each scenario's call again and again and makes something else fail each time: memory (allocations), files (calls on
 * files) or threads (their starts). Every place is taken; if there are more than SAMPLE (FEW in an expensive call), the first,
 * the last, and some evenly between them. --all takes all.
 * After each call: the status is right; outputs are untouched, or those of an undisturbed call; the old file stays, and
 * nothing lies beside it. After each scenario: no allocation, mapping or descriptor is left.
 * Each scenario has a process of its own, so that a crash is one failed case. Each call has a thread of its own, so that its
 * failure is the thread's first. */
#include "loops.h"
#include "inject.h"
#include "scenario.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* One way in which calls are disturbed. */
typedef struct Way {
    const char *name;
    Injection injection;
    bmo_status failure; /* what the call may return for it, but for what it returns undisturbed; BMO_OK: nothing else */
} Way;

static const Way memory[] = {
    {"one allocation fails", {INJECT_MEMORY, INJECT_FAIL, ENOMEM, 0, 0}, BMO_ENOMEM},
    {"no memory from then on", {INJECT_MEMORY, INJECT_FAIL, ENOMEM, 0, 1}, BMO_ENOMEM},
    {NULL},
};
static const Way threads[] = {
    {"one thread is refused", {INJECT_THREAD, INJECT_FAIL, EAGAIN, 0, 0}, BMO_OK},
    {"no thread from then on", {INJECT_THREAD, INJECT_FAIL, EAGAIN, 0, 1}, BMO_OK},
    {NULL},
};
static const Way files[] = {
    {"EIO once", {INJECT_FILE, INJECT_FAIL, EIO, 0, 0}, BMO_EIO},
    {"EIO from then on", {INJECT_FILE, INJECT_FAIL, EIO, 0, 1}, BMO_EIO},
    {"ENOSPC once", {INJECT_CHANGE, INJECT_FAIL, ENOSPC, 0, 0}, BMO_EIO},
    {"ENOSPC from then on", {INJECT_CHANGE, INJECT_FAIL, ENOSPC, 0, 1}, BMO_EIO},
    {"EINTR once", {INJECT_FILE, INJECT_FAIL, EINTR, 0, 0}, BMO_EIO},
    {"one interrupted transfer", {INJECT_TRANSFER, INJECT_FAIL, EINTR, 0, 0}, BMO_OK},
    {"one short transfer", {INJECT_TRANSFER, INJECT_SHORTEN, 0, 0, 0}, BMO_OK},
    {"short transfers from then on", {INJECT_TRANSFER, INJECT_SHORTEN, 0, 0, 1}, BMO_OK},
    {NULL},
};

typedef struct Family {
    const char *name;
    unsigned calls;
    const Way *ways;
} Family;

static const Family families[] = {
    {"memory", INJECT_MEMORY, memory}, {"threads", INJECT_THREAD, threads}, {"files", INJECT_FILE, files}, {NULL}};

enum { SAMPLE = 120, FEW = 16, LIMIT_S = 120 };

/* Of the process that runs a scenario, for the one that waits for it. */
typedef struct Report {
    const char *way;
    long long place, runs, disturbed;
    char message[1024];
} Report;

static Report *report;
static int takes_all;

void give_up(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->message, sizeof report->message, format, arguments);
    va_end(arguments);
    _exit(1);
}

static void begin(void *injection) {
    inject_begin(injection);
}

static InjectCounts counts;

static void end(void *injection) {
    (void)injection;
    counts = inject_end();
}

/* Times differ from run to run, and threads = 0 goes by files that may be disturbed. */
static void forget_times(Outputs *out) {
    out->stats.wall_ns = out->info.prepare_ns = 0;
    out->stats.threads = 0;
}

static void compare(const char *what, const void *got, const void *expected, size_t size) {
    if (memcmp(got, expected, size) != 0)
        give_up("%s: not as expected", what);
}

#define COMPARE(field) compare(#field, &got->field, &expected->field, sizeof got->field)

static void compare_all(const Outputs *got, const Outputs *expected) {
    COMPARE(handle);
    COMPARE(state);
    COMPARE(released);
    COMPARE(index);
    COMPARE(distance);
    COMPARE(row_stats);
    COMPARE(done);
    COMPARE(values);
    COMPARE(labels);
    COMPARE(integer);
    COMPARE(real);
    COMPARE(needed);
    COMPARE(text);
    COMPARE(stats);
    COMPARE(medoid);
    COMPARE(info);
    COMPARE(parameter);
}

static long long neighbors_of(const Stage *stage) {
    return stage->scenario->value == 0 ? NEIGHBORS : (long long)stage->scenario->value;
}

/* Whether the call finished this row before it failed. A search that does not tell has finished each row that it changed. */
static int has_finished(const Stage *stage, const Outputs *undisturbed, long long row) {
    const long long k = neighbors_of(stage);
    if (stage->scenario->call->lacks_done)
        return row * k < POINTS && memcmp(stage->out.index + row * k, stage->untouched.index + row * k,
                                          (size_t)k * sizeof *stage->out.index) != 0;
    if (stage->out.done[row] != 1)
        return 0;
    if (undisturbed->done[row] != 1)
        give_up("row %lld is done, but not in an undisturbed call", row);
    return 1;
}

/* Of a failed call nothing is written but rows that are done, which are those of the undisturbed call. */
static void check_failed(const Stage *stage, const Outputs *undisturbed) {
    static Outputs expected;
    expected = stage->untouched;
    const Outputs *got = &stage->out;
    const long long k = neighbors_of(stage);
    for (long long i = 0; i < POINTS; ++i) {
        if (got->done[i] <= 1)
            expected.done[i] = got->done[i];
        if (!has_finished(stage, undisturbed, i))
            continue;
        memcpy(expected.index + i * k, undisturbed->index + i * k, (size_t)k * sizeof *expected.index);
        memcpy(expected.distance + i * k, undisturbed->distance + i * k, (size_t)k * sizeof *expected.distance);
        expected.row_stats[i] = undisturbed->row_stats[i];
    }
    forget_times(&expected);
    compare_all(got, &expected);
}

static void check(Stage *stage, bmo_status status, bmo_status failure, const Outputs *undisturbed) {
    const bmo_status usual = stage->scenario->status;
    if (status != usual && (failure == BMO_OK || status != failure))
        give_up("%s (%s); expected %s or %s", bmo_status_name(status), stage->message, bmo_status_name(usual),
                bmo_status_name(failure));
    forget_times(&stage->out);
    if (status == BMO_OK)
        compare_all(&stage->out, undisturbed);
    else
        check_failed(stage, undisturbed);
}

/* How many calls of these kinds an undisturbed call makes; what it writes. */
static long long run_undisturbed(Stage *stage, unsigned calls, Outputs *out) {
    Injection none = {.calls = calls, .first = -1};
    const bmo_status status = stage_run(stage, begin, end, &none);
    if (status != stage->scenario->status)
        give_up("undisturbed: %s (%s); expected %s", bmo_status_name(status), stage->message,
                bmo_status_name(stage->scenario->status));
    *out = stage->out;
    forget_times(out);
    return counts.calls;
}

static int is_taken(const Stage *stage, long long place, long long places) {
    const long long sample = stage_has(stage, EXPENSIVE) ? FEW : SAMPLE, ends = sample / 4;
    const long long step = places / (sample / 2) + 1;
    return takes_all || places <= sample || place < ends || place >= places - ends || place % step == 0;
}

static void run_disturbed(Stage *stage, const Way *way) {
    static Outputs undisturbed;
    Injection injection = way->injection;
    const long long places = run_undisturbed(stage, injection.calls, &undisturbed);
    for (long long place = 0; place < places; ++place) {
        if (!is_taken(stage, place, places))
            continue;
        report->place = injection.first = place;
        const bmo_status status = stage_run(stage, begin, end, &injection);
        check(stage, status, way->failure, &undisturbed);
        report->runs += 1;
        report->disturbed += counts.disturbed;
    }
}

static int open_descriptors(void) {
    DIR *entries = opendir("/proc/self/fd");
    int count = 0;
    while (entries && readdir(entries))
        ++count;
    closedir(entries);
    return count;
}

static void check_nothing_left(InjectLive before, int descriptors) {
    const InjectLive after = inject_live();
    report->place = -1;
    if (after.allocations != before.allocations || after.mapped != before.mapped)
        give_up("%lld allocations and %lld mapped bytes are left", after.allocations - before.allocations,
                after.mapped - before.mapped);
    if (open_descriptors() != descriptors)
        give_up("descriptors are left: %d instead of %d", open_descriptors(), descriptors);
}

static long long count_calls(const Scenario *scenario, const char *directory, unsigned calls) {
    static Outputs unused;
    Stage *stage = stage_create(scenario, directory);
    const long long count = run_undisturbed(stage, calls, &unused);
    stage_free(stage);
    return count;
}

/* After a first time, which tells whether there is anything to disturb, and makes what a process keeps for good. */
static void run_scenario(const Scenario *scenario, const char *directory, const Family *family) {
    if (count_calls(scenario, directory, family->calls) == 0)
        return;
    for (const Way *way = family->ways; way->name; ++way) {
        const InjectLive before = inject_live();
        const int descriptors = open_descriptors();
        report->way = way->name;
        Stage *stage = stage_create(scenario, directory);
        run_disturbed(stage, way);
        stage_free(stage);
        check_nothing_left(before, descriptors);
    }
}

/* "" or what went wrong in the process. */
static const char *outcome(int status) {
    static char text[1200];
    text[0] = '\0';
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0)
        snprintf(text, sizeof text, "%s", report->message[0] ? report->message : "the process ended");
    return text;
}

static int test_scenario(const Scenario *scenario, const Family *family, const char *directory, int number) {
    const long long runs = report->runs;
    report->way = "undisturbed";
    report->place = -1;
    report->message[0] = '\0';
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        alarm(takes_all ? 60 * LIMIT_S : LIMIT_S);
        run_scenario(scenario, directory, family);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    const char *wrong = outcome(status);
    printf("%s %d - %s %s: %lld runs\n", *wrong ? "not ok" : "ok", number, scenario->call->function, scenario->name,
           report->runs - runs);
    if (*wrong)
        printf("# %s, place %lld: %s\n", report->way, report->place, wrong);
    empty_directory(directory);
    return *wrong == '\0';
}

static const Family *family_named(const char *name) {
    for (const Family *family = families; family->name; ++family)
        if (strcmp(family->name, name) == 0)
            return family;
    fprintf(stderr, "usage: inject memory|files|threads [--all] [PART-OF-A-NAME]\n       inject covers HEADER\n");
    exit(2);
}

int run_loops(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "covers") == 0)
        return check_coverage(arguments[2]);
    const Family *family = family_named(count > 1 ? arguments[1] : "");
    const char *part = "";
    char directory[] = "/tmp/bmo-inject-XXXXXX";
    for (int i = 2; i < count; ++i)
        if (strcmp(arguments[i], "--all") == 0)
            takes_all = 1;
        else
            part = arguments[i];
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED || !mkdtemp(directory))
        return 2;
    int number = 0, failed = 0;
    for (size_t i = 0; i < scenario_count; ++i) {
        char name[256];
        snprintf(name, sizeof name, "%s %s", scenarios[i].call->function, scenarios[i].name);
        if (strstr(name, part))
            failed += !test_scenario(&scenarios[i], family, directory, ++number);
    }
    empty_directory(directory);
    rmdir(directory);
    printf("# %lld runs, %lld disturbed calls\n1..%d\n", report->runs, report->disturbed, number);
    return failed > 0;
}
