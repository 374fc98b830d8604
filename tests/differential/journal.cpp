#include "journal.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace {

std::size_t bucket_of(double delta) {
    return static_cast<std::size_t>(std::ranges::find(kDeltas, delta) - kDeltas.begin());
}

// Sums of counts, and what they are of.
struct Sum {
    std::uint64_t trials = 0, errors = 0;
    void add(const Count &count) {
        trials += count.trials;
        errors += count.errors;
    }
};

} // namespace

double tail(std::uint64_t trials, std::uint64_t errors, double delta) {
    if (errors == 0)
        return 1;
    const auto n = static_cast<double>(trials);
    double sum = 0;
    for (std::uint64_t x = errors; x <= trials; ++x) {
        const auto of = static_cast<double>(x);
        const double term = std::exp(std::lgamma(n + 1) - std::lgamma(of + 1) - std::lgamma(n - of + 1) +
                                     of * std::log(delta) + (n - of) * std::log1p(-delta));
        sum += term;
        if (of > n * delta && term < sum * 1e-12)
            break;
    }
    return std::min(sum, 1.0);
}

Journal &Journal::shared() {
    static Journal *const journal = [] {
        void *memory = mmap(nullptr, sizeof(Journal), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            std::abort();
        return new (memory) Journal;
    }();
    return *journal;
}

Journal::Kind *Journal::place_of(const std::string &kind) {
    const std::uint64_t key = std::hash<std::string>()(kind) | 1;
    for (std::size_t step = 0; step < kinds_.size(); ++step) {
        Kind &place = kinds_[(key + step) % kinds_.size()];
        std::uint64_t none = 0;
        if (place.key.compare_exchange_strong(none, key)) {
            std::snprintf(place.name, sizeof place.name, "%s", kind.c_str());
            return &place;
        }
        if (place.key == key)
            return &place;
    }
    return nullptr;
}

void Journal::find(const std::string &kind, const std::string &what) {
    Kind *place = place_of(kind);
    if (!place)
        return;
    const bool is_first = place->count++ == 0;
    if (is_first)
        place->first_seed = seed.load();
    if (is_first || print_all) {
        std::printf("FOUND %s: %s (searches --seed %llu --one)\n", kind.c_str(), what.c_str(),
                    static_cast<unsigned long long>(seed.load()));
        std::fflush(stdout);
    }
}

bool Journal::has_found(const std::string &kind) const {
    return std::ranges::any_of(kinds_, [&](const Kind &place) { return kind == place.name; });
}

int Journal::kinds() const {
    return static_cast<int>(std::ranges::count_if(kinds_, [](const Kind &place) { return place.key != 0; }));
}

void Journal::count_trial(int rule, Shape shape, double delta, bool is_wrong) {
    Count &count = counts_[static_cast<std::size_t>(rule)][static_cast<std::size_t>(shape)][bucket_of(delta)];
    ++count.trials;
    count.errors += is_wrong;
}

void Journal::judge_trials(const char *const *rules) {
    const auto shapes = static_cast<std::size_t>(Shape::count);
    const double level = 1e-9 / static_cast<double>(kDeltas.size() * (kRules * shapes + kRules + shapes + 1));
    const auto judge = [&](const Sum &sum, double delta, const std::string &of) {
        if (tail(sum.trials, sum.errors, delta) > level)
            return;
        char text[160];
        std::snprintf(text, sizeof text, "%llu of %llu answers are wrong, delta %g",
                      static_cast<unsigned long long>(sum.errors), static_cast<unsigned long long>(sum.trials), delta);
        find("proven errs too often: " + of, text);
    };
    for (std::size_t bucket = 0; bucket < kDeltas.size(); ++bucket) {
        Sum all;
        std::array<Sum, static_cast<std::size_t>(Shape::count)> by_shape{};
        for (std::size_t rule = 0; rule < kRules; ++rule) {
            Sum by_rule;
            for (std::size_t shape = 0; shape < shapes; ++shape) {
                Sum cell;
                for (Sum *sum : {&all, &by_rule, &by_shape[shape], &cell})
                    sum->add(counts_[rule][shape][bucket]);
                judge(cell, kDeltas[bucket], std::string(rules[rule]) + ", " + name_of(static_cast<Shape>(shape)));
            }
            judge(by_rule, kDeltas[bucket], rules[rule]);
        }
        for (std::size_t shape = 0; shape < shapes; ++shape)
            judge(by_shape[shape], kDeltas[bucket], name_of(static_cast<Shape>(shape)));
        judge(all, kDeltas[bucket], "all");
    }
}

void print_kinds(const Journal &journal) {
    std::vector<const Journal::Kind *> found;
    for (const Journal::Kind &kind : journal.kinds_)
        if (kind.key != 0)
            found.push_back(&kind);
    std::ranges::sort(found, {}, [](const Journal::Kind *kind) { return std::string(kind->name); });
    for (const Journal::Kind *kind : found)
        std::printf("%9llu  %s (first: --seed %llu)\n", static_cast<unsigned long long>(kind->count.load()), kind->name,
                    static_cast<unsigned long long>(kind->first_seed.load()));
}
