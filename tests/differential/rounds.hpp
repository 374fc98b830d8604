// Rounds at random, each by a seed, in children: a crash or a hang ends a child, and is a finding.
#pragma once

#include <atomic>
#include <cstdint>

// What children share with their parent.
struct Progress {
    std::atomic<std::uint64_t> next, seed, findings;
    std::atomic<std::uint64_t> tried, succeeded; // calls or files
    std::atomic<const char *> call;              // the function that is being called; null: it is not told
};
Progress &progress();

struct Rounds {
    const char *program; // its name
    const char *unit;    // what a round is: "ROUNDS"
    void (*run)(std::uint64_t seed);
    std::uint64_t (*seed_of)(std::uint64_t base, std::uint64_t round);
    unsigned seconds; // that a round may take before it is said to hang
};

// A finding names the seed that repeats it: PROGRAM --seed SEED --one.
void find(const Rounds &rounds, const char *what, const char *detail);

// Reads [--seed SEED] [--count ROUNDS] [--one] and runs the rounds, or the one of that seed. Returns how many were asked for;
// ends the program if the arguments are others.
std::uint64_t run_rounds(const Rounds &rounds, int argc, char **argv);
