#include "rounds.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

void run_round(const Rounds &rounds, std::uint64_t seed) {
    progress().seed = seed;
    alarm(rounds.seconds);
    rounds.run(seed);
    alarm(0);
}

// The rounds from progress().next on. Threads of the library are not there when a child starts: it makes them within calls
// alone.
bool run_child(const Rounds &rounds, std::uint64_t base, std::uint64_t count) {
    const pid_t child = fork();
    if (child == 0) {
        for (std::uint64_t i = progress().next++; i < count; i = progress().next++)
            run_round(rounds, rounds.seed_of(base, i));
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        std::abort();
    if (WIFSIGNALED(status))
        find(rounds, "the process ends", strsignal(WTERMSIG(status)));
    return !WIFSIGNALED(status);
}

} // namespace

Progress &progress() {
    static auto *const shared = static_cast<Progress *>(
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    return *shared;
}

void find(const Rounds &rounds, const char *what, const char *detail) {
    ++progress().findings;
    const char *call = progress().call;
    std::printf("FOUND %s%s%s: %s (%s --seed %llu --one)\n", call ? call : "", call ? ", " : "", what, detail,
                rounds.program, static_cast<unsigned long long>(progress().seed.load()));
    std::fflush(stdout);
}

std::uint64_t run_rounds(const Rounds &rounds, int argc, char **argv) {
    std::uint64_t seed = 1, count = 2000;
    bool one = false;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--one") {
            one = true;
        } else if (i + 1 < argc && (name == "--seed" || name == "--count")) {
            (name == "--seed" ? seed : count) = std::strtoull(argv[++i], nullptr, 10);
        } else {
            std::fprintf(stderr, "usage: %s [--seed SEED] [--count %s] [--one]\n", rounds.program, rounds.unit);
            std::exit(2);
        }
    }
    progress(); // before there are children to share it with
    if (one) {
        run_round(rounds, seed);
        return 1;
    }
    while (!run_child(rounds, seed, count))
        continue;
    return count;
}
