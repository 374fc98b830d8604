/* usage: kills BMO [--all]
 * kill -9 of the bmo command while it writes a file (prepare --out: by bmo_dataset_save()): before each call that changes a
 * file, and at random times. Then the file has its old content or the new one, and whatever is left beside it does not stop a
 * later run, even if that has the same process number. --all kills at more random times. */
#include "inject.h"
#include "scenario.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RANDOM_KILLS = 15, ALL_RANDOM_KILLS = 300, SEED = 20 };

static const char *command;
static char directory[64], data[128], target[128];
static int cases, failures;

void give_up(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    exit(2);
}

typedef struct Writer {
    const char *name, *end;    /* end: of the name of the file that is written */
    const char *arguments[12]; /* of the command */
} Writer;

static const Writer writers[] = {
    {"prepare --out", ".bmo", {"prepare", data, "--box", "rotated", "--out", target}},
    {"knn --out", ".csv", {"knn", data, "-k", "3", "--out", target}},
    {"graph --out", ".npz", {"graph", data, "-k", "3", "--method", "exact", "--out", target}},
    {"kmeans --out", ".npz", {"kmeans", data, "-k", "3", "--out", target}},
};

/* Starts the command; place: the call before which it is killed, -1: none. */
static pid_t start(const Writer *writer, long place) {
    fflush(stdout);
    const pid_t child = fork();
    if (child != 0)
        return child;
    const char *arguments[16] = {command};
    memcpy(arguments + 1, writer->arguments, sizeof writer->arguments);
    char text[32];
    snprintf(text, sizeof text, "%d %d 0 %ld 0", INJECT_CHANGE, INJECT_KILL, place);
    setenv("LD_PRELOAD", LIBINJECT, 1);
    setenv("INJECT_PID", "1", 1);
    setenv("INJECT", text, 1);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
        _exit(3);
    execv(command, (char **)arguments);
    _exit(3);
}

static int wait_for(pid_t child) {
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

static void write_old(void) {
    FILE *file = fopen(target, "wb");
    if (!file)
        give_up("%s cannot be written\n", target);
    fputs("an older file", file);
    fclose(file);
}

/* How the runs of one writer ended. */
typedef struct Tally {
    uint64_t old_content, new_content;
    int runs, killed, wrong;
} Tally;

static void look(Tally *tally, const char *when) {
    const uint64_t found = digest_of_file(target);
    if (found != tally->old_content && found != tally->new_content) {
        printf("# %s: neither the old file nor the new one\n", when);
        ++tally->wrong;
    }
}

/* The next run writes, whatever was left. */
static void run_after_all(const Writer *writer, Tally *tally) {
    const int status = wait_for(start(writer, -1));
    if (status != 0 || digest_of_file(target) != tally->new_content) {
        printf("# a run after killed ones ends with status %d\n", status);
        ++tally->wrong;
    }
}

static void kill_at_each_call(const Writer *writer, Tally *tally) {
    for (long place = 0;; ++place) {
        write_old();
        const int status = wait_for(start(writer, place));
        ++tally->runs;
        if (!WIFSIGNALED(status))
            break;
        ++tally->killed;
        look(tally, "before a call");
        run_after_all(writer, tally);
    }
}

static long long now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void kill_at_random(const Writer *writer, Tally *tally, int count) {
    const long long before = now_us();
    run_after_all(writer, tally);
    const long long usual = now_us() - before + 1;
    for (int i = 0; i < count; ++i) {
        write_old();
        const pid_t child = start(writer, -1);
        usleep((useconds_t)(rand() % usual));
        kill(child, SIGKILL);
        tally->killed += WIFSIGNALED(wait_for(child));
        ++tally->runs;
        look(tally, "at a random time");
    }
    run_after_all(writer, tally);
}

static void test_writer(const Writer *writer, int random_kills) {
    Tally tally = {0};
    snprintf(target, sizeof target, "%s/out%s", directory, writer->end);
    write_old();
    tally.old_content = digest_of_file(target);
    if (wait_for(start(writer, -1)) != 0)
        give_up("bmo %s does not run\n", writer->name);
    tally.new_content = digest_of_file(target);
    kill_at_each_call(writer, &tally);
    kill_at_random(writer, &tally, random_kills);
    failures += tally.wrong > 0;
    printf("%s %d - bmo %s: %d runs, %d killed\n", tally.wrong ? "not ok" : "ok", ++cases, writer->name, tally.runs,
           tally.killed);
    empty_directory(directory);
}

/* 400 points. */
static void write_data(void) {
    enum { D = 64 };
    FILE *file = fopen(data, "wb");
    if (!file)
        give_up("%s cannot be written\n", data);
    for (int i = 0; i < 400; ++i) {
        const int32_t d = D;
        float point[D];
        for (int j = 0; j < D; ++j)
            point[j] = (float)((i * 37 + j * j * 11 + i * j) % 101);
        fwrite(&d, sizeof d, 1, file);
        fwrite(point, sizeof point, 1, file);
    }
    fclose(file);
}

int main(int count, char **arguments) {
    if (count < 2)
        give_up("usage: kills BMO [--all]\n");
    command = arguments[1];
    snprintf(directory, sizeof directory, "/tmp/bmo-kills-XXXXXX");
    if (!mkdtemp(directory))
        return 2;
    snprintf(data, sizeof data, "%s.fvecs", directory);
    srand(SEED);
    write_data();
    for (size_t i = 0; i < sizeof writers / sizeof *writers; ++i)
        test_writer(&writers[i], count > 2 ? ALL_RANDOM_KILLS : RANDOM_KILLS);
    unlink(data);
    rmdir(directory);
    printf("1..%d\n", cases);
    return failures > 0;
}
