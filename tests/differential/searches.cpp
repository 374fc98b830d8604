// usage: searches [--seed SEED] [--count SEARCHES] [--one] [--all] [--shape NAME] [--soak CALLS]
// Searches of made points by every combination of parameters, k-means and medoids, against plain scans in more digits.
// Prints a line for the first finding of each kind (--all: for all findings), with the seed that repeats it: searches --seed
// SEED --one.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "case.hpp"
#include "journal.hpp"
#include "rules.hpp"
#include "soak.hpp"

namespace {

constexpr unsigned kSeconds = 600; // that a case may take before it is said to hang: machines are busy

struct Arguments {
    std::uint64_t seed = 1;
    std::uint64_t count = 20000;
    std::uint64_t soak = 0;
    bool one = false, all = false;
    std::string shape; // the only one, if it is named
};

Arguments parse(int argc, char **argv) {
    Arguments arguments;
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        std::uint64_t *const number = name == "--seed"    ? &arguments.seed
                                      : name == "--count" ? &arguments.count
                                      : name == "--soak"  ? &arguments.soak
                                                          : nullptr;
        if (name == "--one") {
            arguments.one = true;
        } else if (name == "--all") {
            arguments.all = true;
        } else if (name == "--shape" && i + 1 < argc) {
            arguments.shape = argv[++i];
        } else if (number && i + 1 < argc) {
            *number = std::strtoull(argv[++i], nullptr, 10);
        } else {
            std::fprintf(stderr, "usage: searches [--seed SEED] [--count SEARCHES] [--one] [--all] "
                                 "[--shape NAME] [--soak CALLS]\n");
            std::exit(2);
        }
    }
    return arguments;
}

void run_case(std::uint64_t seed, const std::string &shape) {
    Journal::shared().seed = seed;
    alarm(kSeconds);
    Case made(seed);
    if (shape.empty() || shape == name_of(made.shape()))
        made.run();
    alarm(0);
}

// The cases from `next` on, in a child, until enough was searched. A crash or a hang ends the child and is a finding.
bool run_child(const Arguments &arguments) {
    Journal &journal = Journal::shared();
    const pid_t child = fork();
    if (child == 0) {
        while (journal.searches < arguments.count)
            run_case(part_of(arguments.seed, journal.cases++), arguments.shape);
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        std::abort();
    if (WIFSIGNALED(status))
        journal.find(std::string("a case ends with signal ") + std::to_string(WTERMSIG(status)),
                     strsignal(WTERMSIG(status)));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void run_all(const Arguments &arguments) {
    Journal &journal = Journal::shared();
    std::uint64_t crashes = 0;
    while (!run_child(arguments) && ++crashes < 1000)
        continue;
    journal.judge_trials(kRuleNames);
}

void print_counts(double seconds) {
    const Journal &journal = Journal::shared();
    print_kinds(journal);
    std::printf(
        "%llu searches of %llu cases (%llu exact, %llu proven, %llu combinations refused, %llu errors looked into), "
        "%llu clusterings, %llu medoids, %.0f s; %d kinds of findings\n",
        static_cast<unsigned long long>(journal.searches), static_cast<unsigned long long>(journal.cases),
        static_cast<unsigned long long>(journal.exact), static_cast<unsigned long long>(journal.proven),
        static_cast<unsigned long long>(journal.refused), static_cast<unsigned long long>(journal.retrials),
        static_cast<unsigned long long>(journal.clusterings), static_cast<unsigned long long>(journal.medoids), seconds,
        journal.kinds());
}

} // namespace

int main(int argc, char **argv) {
    const Arguments arguments = parse(argc, argv);
    Journal &journal = Journal::shared();
    if (arguments.soak > 0)
        return soak(arguments.seed, arguments.soak);
    const auto start = std::chrono::steady_clock::now();
    journal.print_all = arguments.one || arguments.all;
    if (arguments.one)
        run_case(arguments.seed, "");
    else
        run_all(arguments);
    print_counts(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return journal.kinds() == 0 ? 0 : 1;
}
