// What a bandit knows of a Monte Carlo box that is bound to a query, and what a box need not write itself.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "data/queries.hpp"
#include "simd/kernels.hpp"
#include "util/watch.hpp"

namespace bmo {

class ReadRows;

// What a box B of one query need not write itself: it derives from this. A member that it writes is used instead.
template <class B>
class BoxDefaults {
public:
    // How many of the samples can be pulled.
    std::int64_t readable() const { return self().population(); }
    // How many samples take as much as an exact sum.
    std::int64_t whole() const { return self().population(); }

    // What is known of an arm beforehand, at least 0. The exact sum, in the units of samples, is at least this and the
    // sum of the whole population.
    double start_sum(std::int32_t) const { return 0; }
    // head(): the coordinate operations that start_sum() takes for an arm. read_head(): reads what start_sum() needs
    // for the arms [first, last), and returns the operations.
    std::int64_t head() const { return 0; }
    std::uint64_t read_head(std::int64_t, std::int64_t) { return 0; }

    // Pulls of all 16 samples of a batch with a BetKernel, or an AddSumsKernel, on them.
    std::uint64_t bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look, const ArmState &state,
                      std::uint8_t *keep) {
        return pull_some(first, arms, [&](std::size_t at, const float *z, std::int64_t count) {
            kernels().bet(z, count, look, state.from(static_cast<std::int64_t>(at)), keep + at);
        });
    }
    std::uint64_t add_sums(std::int64_t first, std::span<const std::int32_t> arms, double *sums) {
        return pull_some(first, arms, [&](std::size_t at, const float *z, std::int64_t count) {
            kernels().add_sums(z, count, sums + at);
        });
    }

    // Prefetches of what will be read soon: a batch of some arms; `count` samples of an arm, from `first` on; samples
    // of an arm at these coordinates of the population; the exact sum of an arm.
    void prefetch(std::int64_t, std::span<const std::int32_t>) const {}
    void prefetch_next(std::int32_t, std::int64_t, std::int64_t) const {}
    void prefetch_drawn(std::int32_t, std::span<const std::int32_t>) const {}
    void prefetch_exact(std::int32_t) const {}
    // exact() may take points from these rows, which hold the same values (null: none any more).
    void read_from(const ReadRows *) {}

    // exact_ops() of all arms but `self`.
    std::uint64_t scan_ops(std::int64_t but) const { return self().brute_ops(but); }
    // What binding the query took.
    std::uint64_t projection_ops() const { return 0; }

    // Binds box i to query first + i.
    static void bind_together(std::vector<B *> boxes, const Queries &queries, std::int64_t first) {
        for (std::size_t i = 0; i < boxes.size(); ++i)
            boxes[i]->bind(queries, first + static_cast<std::int64_t>(i));
    }

private:
    static constexpr std::size_t kTogether = 256; // their samples stay in cache

    const B &self() const { return static_cast<const B &>(*this); }

    template <class Visit>
    std::uint64_t pull_some(std::int64_t first, std::span<const std::int32_t> arms, Visit visit) {
        alignas(64) float samples[kTogether * kBatch];
        std::uint64_t operations = 0;
        for (std::size_t at = 0; at < arms.size(); at += kTogether) {
            const std::span<const std::int32_t> some = arms.subspan(at, std::min(kTogether, arms.size() - at));
            operations += static_cast<B &>(*this).pull(first, kBatch, some, samples);
            visit(at, samples, static_cast<std::int64_t>(some.size()));
        }
        return operations;
    }
};

// Whether a box knows anything beforehand: it has a start_sum() of its own.
template <class B>
inline constexpr bool kStarts =
    !std::is_same_v<decltype(&B::start_sum), double (BoxDefaults<B>::*)(std::int32_t) const>;

// The base of a box whose arms, exact sums and distances are those of another box, `exact_`.
template <class B, class Exact>
class ExactBy : public BoxDefaults<B> {
public:
    std::int64_t arms() const { return exact_.arms(); }
    double exact(std::int32_t arm) { return exact_.exact(arm); }
    void prefetch_exact(std::int32_t arm) const { exact_.prefetch_exact(arm); }
    void read_from(const ReadRows *rows) { exact_.read_from(rows); }
    std::uint64_t exact_ops(std::int32_t arm) const { return exact_.exact_ops(arm); }
    std::uint64_t brute_ops(std::int64_t self) const { return exact_.brute_ops(self); }
    std::uint64_t scan_ops(std::int64_t self) const { return exact_.scan_ops(self); }
    double distance(double exact_sum) const { return exact_.distance(exact_sum); }
    double sum_of_epsilon(double epsilon) const { return exact_.sum_of_epsilon(epsilon); }

protected:
    template <class... Arguments>
    explicit ExactBy(Arguments &&...arguments) : exact_(std::forward<Arguments>(arguments)...) {}

    Exact exact_;
};

// arms, population: how many arms there are, and how many samples each has.
// pull(first, width, arms, z): z[16 i + j] = sample first + j of arms[i], j < width. first is a multiple of 16. Returns
//   the coordinate operations that it took.
// exact(arm): the sum of the whole population, in units of its own. exact_ops(arm): the operations that it takes.
// brute_ops(self): the operations of a scan of all arms but `self`; of all, if self is below 0.
// sample_units(sum): an exact sum in the units of samples, rounded up.
template <class B>
concept Box = std::derived_from<B, BoxDefaults<B>> &&
    requires(B box, std::int64_t first, int width, std::span<const std::int32_t> arms, float *z, double sum) {
    { box.arms() } -> std::same_as<std::int64_t>;
    { box.population() } -> std::same_as<std::int64_t>;
    { box.pull(first, width, arms, z) } -> std::same_as<std::uint64_t>;
    { box.exact(arms[0]) } -> std::same_as<double>;
    { box.exact_ops(arms[0]) } -> std::same_as<std::uint64_t>;
    { box.brute_ops(first) } -> std::same_as<std::uint64_t>;
    { box.sample_units(sum) } -> std::same_as<double>;
};

// A box that binds queries. distance(sum): an exact sum as a distance, infinite beyond double. sum_of_epsilon(epsilon):
// an epsilon as an exact sum.
template <class B>
concept QueryBox = Box<B> && requires(B box, const Queries &queries, std::int64_t query, double value) {
    box.bind(queries, query);
    { box.distance(value) } -> std::same_as<double>;
    { box.sum_of_epsilon(value) } -> std::same_as<double>;
};

// A box whose samples bandits may take one by one. largest_sample(): no sample of the bound query is above it.
// sample_of(distance): what a coordinate distance is as a sample.
template <class B>
concept OrderedBox = Box<B> && requires(B box, double distance) {
    { box.largest_sample() } -> std::same_as<double>;
    { box.sample_of(distance) } -> std::same_as<double>;
};

// sample(arm, coords, width, z): z[j] = the sample at coordinate coords[j] of the population, for j < width <= 16.
template <class B>
concept DrawableBox = OrderedBox<B> &&
    requires(B box, std::int32_t arm, const std::int32_t *coords, int width, float *z) {
    box.sample(arm, coords, width, z);
};

// A box that knows a part of each sum, the head, without sampling. All in the units of samples:
// lead(), rest(): the head has two stages; how many operations each takes for an arm.
// guess(first, last, guesses): guesses of the sums of the arms [first, last), from the lead: less is more promising.
//   first is a multiple of 16, and guesses has room for whole blocks of 16. Returns the coordinate operations.
// refine(arms, guesses): improves guesses of the arms by the rest of the head. Returns the coordinate operations.
// bound_guesses(first, count, guesses, target, arms, sums): finds those of the arms [first, first + count), with these
//   guesses, whose whole sum may be within the target: all others are above it with certainty. Writes them to `arms`,
//   with at most the lead's part of each sum, and returns how many they are. An arm whose guess is infinite is never
//   one of them. arms and sums have room for all.
// add_rest(arms, sums): adds the rest of the head. Returns the coordinate operations.
// bound(arms, sums, target, keep): keep[i] = 0 if the whole sum of an arm is above the target with certainty, else 1.
//   sums[i] has the whole head.
template <class B>
concept StagedBox = Box<B> && requires(B box, std::int64_t i, std::span<const std::int32_t> arms, double *sums,
                                       double target, std::uint8_t *keep, float *guesses, std::int32_t *kept) {
    { box.lead() } -> std::same_as<std::int64_t>;
    { box.rest() } -> std::same_as<std::int64_t>;
    { box.guess(i, i, guesses) } -> std::same_as<std::uint64_t>;
    { box.refine(arms, sums) } -> std::same_as<std::uint64_t>;
    { box.bound_guesses(i, i, guesses, target, kept, sums) } -> std::same_as<std::int64_t>;
    { box.add_rest(arms, sums) } -> std::same_as<std::uint64_t>;
    box.bound(arms, sums, target, keep);
};

// A staged box whose arms come in groups, which bounds may rule out as a whole:
// groups(): how many there are; 0: none, for this query. group(g): its arms, ascending.
// group_sums(about, at_least): an estimate of the whole sums in each group, and a lower bound of all of them. Returns
//   the coordinate operations.
// guess_some(arms, guesses): adds guesses of the arms, as guess(). add_lead(arms, sums): adds the lead. Both return the
//   coordinate operations.
// bound_lead(arms, sums, target, keep): as bound(), if sums[i] has no more than the lead.
template <class B>
concept GroupedBox = StagedBox<B> &&
    requires(B box, std::int64_t g, std::vector<double> &of_groups, std::span<const std::int32_t> arms, double *sums,
             double target, std::uint8_t *keep) {
    { box.groups() } -> std::same_as<std::int64_t>;
    { box.group(g) } -> std::same_as<std::span<const std::int32_t>>;
    { box.group_sums(of_groups, of_groups) } -> std::same_as<std::uint64_t>;
    { box.guess_some(arms, sums) } -> std::same_as<std::uint64_t>;
    { box.add_lead(arms, sums) } -> std::same_as<std::uint64_t>;
    box.bound_lead(arms, sums, target, keep);
};

// Reads what start_sum() tells of all arms; returns the coordinate operations.
template <Box B>
std::uint64_t read_heads(B &box, Watch &watch) {
    constexpr std::int64_t kArms = 1024; // between polls
    std::uint64_t operations = 0;
    for (std::int64_t first = 0; box.head() > 0 && first < box.arms(); first += kArms) {
        watch.poll();
        operations += box.read_head(first, std::min(box.arms(), first + kArms));
    }
    return operations;
}

// The part of start_sum() that counts when arms with so many samples are compared: as if it were sampled as well.
template <Box B>
double sampled_start(const B &box, std::int32_t arm, std::int64_t read) {
    return box.start_sum(arm) * static_cast<double>(read) / static_cast<double>(box.population());
}

} // namespace bmo
