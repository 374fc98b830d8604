// What a bandit knows of a Monte Carlo box that is bound to a query.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "util/watch.hpp"

namespace bmo {

// arms, population: how many arms there are, and how many samples each has.
// pull(first, width, arms, z): z[16 i + j] = sample first + j of arms[i], j < width. first is a multiple of 16. Returns
//   the coordinate operations that it took.
// exact(arm): the sum of the whole population, in units of its own. exact_ops(arm): what that takes. brute_ops(self): what a scan
//   of all arms takes, without `self` unless that is below 0.
// sample_units(sum): an exact sum in the units of samples, rounded up.
// Optional: readable(): how many of the samples can be pulled, where it is not all of them.
// Optional: start_sum(arm): >= 0, what is known of an arm beforehand. The exact sum, in the units of samples, is at least
//   that and the sum of the whole population.
// Optional, with it: read_head(first, last): reads what start_sum() tells of the arms [first, last). Returns the coordinate
//   operations. head(): how many that are of an arm.
// Optional: whole(): how many samples take as much as an exact sum, where that is not population().
template <class B>
concept Box = requires(B box, std::int64_t first, int width, std::span<const std::int32_t> arms, float *z, double sum) {
    { box.arms() } -> std::same_as<std::int64_t>;
    { box.population() } -> std::same_as<std::int64_t>;
    { box.pull(first, width, arms, z) } -> std::same_as<std::uint64_t>;
    { box.exact(arms[0]) } -> std::same_as<double>;
    { box.exact_ops(arms[0]) } -> std::same_as<std::uint64_t>;
    { box.brute_ops(first) } -> std::same_as<std::uint64_t>;
    { box.sample_units(sum) } -> std::same_as<double>;
};

// A box that knows a part of each sum, the head, without sampling. All in the units of samples:
// lead(), rest(): the operations of an arm's two parts of it.
// guess(first, last, guesses): of the sums of the arms [first, last), from the lead of the head: the less, the more promising.
//   first is a multiple of 16, and guesses has room for whole blocks of 16. Returns the coordinate operations.
// refine(arms, guesses): puts what the rest of the head tells into the arms' guesses. Returns the coordinate operations.
// bound_guesses(first, count, guesses, target, arms, sums): writes those of the arms [first, first + count), of these guesses,
//   whose whole sum is not above the target with certainty, each with no more than the lead's part of it; returns their number.
//   Never one whose guess is infinite. arms and sums have room for all.
// add_rest(arms, sums): adds the rest of the head. Returns the coordinate operations.
// bound(arms, sums, target, keep): keep[i] = 0 where the whole sum of an arm is above the target with certainty, else 1, where
//   sums[i] has the head's part of it.
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

// A staged box whose arms come in groups that bounds may put out of question as a whole:
// groups(): how many there are; 0: none, for this query. group(g): its arms, ascending.
// group_sums(about, at_least): of each group, about how much the whole sums of its arms are, and what none is below with
//   certainty. Returns the coordinate operations.
// guess_some(arms, guesses): adds guesses of the arms, as guess(). add_lead(arms, sums): adds the lead of the head. Both return
//   the coordinate operations.
// bound_lead(arms, sums, target, keep): bound(), where sums[i] has no more than the lead.
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

template <Box B>
std::int64_t readable_samples(const B &box) {
    if constexpr (requires { box.readable(); })
        return box.readable();
    else
        return box.population();
}

template <Box B>
std::int64_t whole_samples(const B &box) {
    if constexpr (requires { box.whole(); })
        return box.whole();
    else
        return box.population();
}

template <Box B>
std::int64_t head_samples(const B &box) {
    if constexpr (requires { box.head(); })
        return box.head();
    else
        return 0;
}

template <Box B>
double start_sum(const B &box, std::int32_t arm) {
    if constexpr (requires { box.start_sum(arm); })
        return box.start_sum(arm);
    else
        return 0;
}

// Reads what start_sum() tells of all arms; returns the coordinate operations.
template <Box B>
std::uint64_t read_heads(B &box, Watch &watch) {
    std::uint64_t operations = 0;
    if constexpr (requires { box.read_head(0, 0); }) {
        constexpr std::int64_t kArms = 1024; // between polls
        for (std::int64_t first = 0; first < box.arms(); first += kArms) {
            watch.poll();
            operations += box.read_head(first, std::min(box.arms(), first + kArms));
        }
    }
    return operations;
}

// As much of it as arms that have read so many samples are compared with, so that it counts as if it were sampled.
template <Box B>
double sampled_start(const B &box, std::int32_t arm, std::int64_t read) {
    return start_sum(box, arm) * static_cast<double>(read) / static_cast<double>(box.population());
}

} // namespace bmo
