// What a run found and counted. It lies in memory that a process shares with its children, so that a crash of a child
// loses nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "points.hpp"

// The values of delta that are asked for, so that errors can be counted for each.
inline constexpr std::array<double, 6> kDeltas = {1e-6, 1e-4, 0.01, 0.05, 0.2, 0.5};

struct Count {
    std::atomic<std::uint32_t> trials, errors;
};

// P(X >= errors) of a binomial X: how likely as many errors are, if each trial errs with probability delta.
double tail(std::uint64_t trials, std::uint64_t errors, double delta);

class Journal {
public:
    // Rules that are counted apart from each other.
    static constexpr int kRules = 13;

    static Journal &shared();

    // Prints the finding if it is the first of its kind, with the seed of the case, and counts it.
    void find(const std::string &kind, const std::string &what);
    bool has_found(const std::string &kind) const;
    int kinds() const;

    // One answer that is right with probability 1 - delta.
    void count_trial(int rule, Shape shape, double delta, bool is_wrong);
    // Finds where the errors that were counted are more than delta explains: with probability 1e-9 at most when every
    // answer is as it should be.
    void judge_trials(const char *const *rules);

    bool print_all = false; // every finding, not the first of its kind alone
    std::atomic<std::uint64_t> seed, cases, searches, clusterings, medoids, proven, exact, refused, retrials;

private:
    struct Kind {
        std::atomic<std::uint64_t> key, count, first_seed;
        char name[120];
    };

    Kind *place_of(const std::string &kind);

    std::array<Kind, 512> kinds_;
    std::array<std::array<std::array<Count, kDeltas.size()>, static_cast<std::size_t>(Shape::count)>, kRules> counts_;

    friend void print_kinds(const Journal &journal);
};

// How often each kind was found.
void print_kinds(const Journal &journal);
