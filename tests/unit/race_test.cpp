// The race on made boxes: right answers, errors within delta, cost, and races in step. All numbers are small integers, so that
// the expected answers are exact.
#include "cmocka.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "bandit/race/race.hpp"
#include "util/xoshiro.hpp"

namespace race_test {

using bmo::Cost;
using Sums = std::vector<std::int64_t>;

// Arm i has the samples z[i][0..d), read in a random order that all arms share.
class MadeBox {
public:
    MadeBox(std::vector<std::vector<int>> z, std::uint64_t seed)
        : z_(std::move(z)), order_(z_.front().size()), sums_(z_.size()) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        bmo::Xoshiro256pp random(seed);
        for (std::size_t j = order_.size(); j > 1; --j)
            std::swap(order_[j - 1], order_[random.below(j)]);
        for (std::size_t i = 0; i < z_.size(); ++i)
            sums_[i] = std::accumulate(z_[i].begin(), z_[i].end(), std::int64_t{0});
    }

    std::int64_t arms() const { return static_cast<std::int64_t>(z_.size()); }
    std::int64_t population() const { return static_cast<std::int64_t>(order_.size()); }
    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) const {
        for (std::size_t i = 0; i < arms.size(); ++i)
            for (int j = 0; j < width; ++j) {
                const std::size_t at = order_[static_cast<std::size_t>(first + j)];
                z[i * bmo::kBatch + static_cast<std::size_t>(j)] = static_cast<float>(z_[index(arms[i])][at]);
            }
        return arms.size() * static_cast<std::uint64_t>(width);
    }
    double exact(std::int32_t arm) const { return static_cast<double>(sum(arm)); }
    std::uint64_t exact_ops(std::int32_t) const { return order_.size(); }
    std::uint64_t brute_ops(std::int64_t self) const { return (z_.size() - (self < 0 ? 0 : 1)) * order_.size(); }
    double sample_units(double sum) const { return sum; }

    std::int64_t sum(std::int32_t arm) const { return sums_[index(arm)] + beforehand(arm); }
    virtual std::int64_t beforehand(std::int32_t) const { return 0; }

protected:
    static std::size_t index(std::int64_t arm) { return static_cast<std::size_t>(arm); }
    ~MadeBox() = default;
    MadeBox(const MadeBox &) = default;

private:
    std::vector<std::vector<int>> z_;
    std::vector<std::size_t> order_;
    Sums sums_;
};

class PlainBox final : public MadeBox, public bmo::BoxDefaults<PlainBox> {
public:
    using MadeBox::MadeBox;
};
static_assert(bmo::Box<PlainBox> && !bmo::StagedBox<PlainBox>);

// A part of each sum, coarse[i] + fine[i], is known without sampling.
class TwoPartBox final : public MadeBox, public bmo::BoxDefaults<TwoPartBox> {
public:
    // lead, rest: the operations that the parts of an arm are said to take.
    TwoPartBox(std::vector<std::vector<int>> z, std::vector<int> coarse, std::vector<int> fine, std::uint64_t seed,
               std::int64_t lead = 1, std::int64_t rest = 1)
        : MadeBox(std::move(z), seed), coarse_(std::move(coarse)), fine_(std::move(fine)), lead_(lead), rest_(rest) {}

    std::int64_t beforehand(std::int32_t arm) const override { return coarse_[index(arm)] + fine_[index(arm)]; }
    std::int64_t lead() const { return lead_; }
    std::int64_t rest() const { return rest_; }
    std::uint64_t guess(std::int64_t first, std::int64_t last, float *guesses) const {
        for (std::int64_t arm = first; arm < last; ++arm)
            guesses[arm - first] = static_cast<float>(coarse_[index(arm)]);
        return static_cast<std::uint64_t>((last - first) * lead_);
    }
    std::uint64_t refine(std::span<const std::int32_t> arms, double *guesses) const { return add_rest(arms, guesses); }
    std::int64_t bound_guesses(std::int64_t first, std::int64_t count, const float *guesses, double target,
                               std::int32_t *kept, double *sums) const {
        std::int64_t n = 0;
        for (std::int64_t i = 0; i < count; ++i)
            if (static_cast<double>(guesses[i]) <= target && guesses[i] < 1e30F) {
                kept[n] = static_cast<std::int32_t>(first + i);
                sums[n++] = coarse_[index(first + i)];
            }
        return n;
    }
    std::uint64_t add_rest(std::span<const std::int32_t> arms, double *sums) const {
        for (std::size_t i = 0; i < arms.size(); ++i)
            sums[i] += fine_[index(arms[i])];
        return arms.size() * static_cast<std::uint64_t>(rest_);
    }
    void bound(std::span<const std::int32_t> arms, const double *sums, double target, std::uint8_t *keep) const {
        for (std::size_t i = 0; i < arms.size(); ++i)
            keep[i] = sums[i] <= target;
    }

private:
    std::vector<int> coarse_, fine_;
    std::int64_t lead_, rest_;
};
static_assert(bmo::StagedBox<TwoPartBox> && !bmo::GroupedBox<TwoPartBox>);

struct Answer {
    std::vector<std::int32_t> arms;
    Cost cost;
};

template <class B>
Answer answer_of(bmo::Race<B> &race, bmo::RaceWorkspace &work) {
    Answer answer{{}, race.finish()};
    for (const bmo::Finished &found : work.nearest.sorted())
        answer.arms.push_back(found.arm);
    return answer;
}

template <class B>
Answer race(B &box, const bmo::RaceRule &rule) {
    bmo::RaceWorkspace work;
    bmo::Watch watch;
    bmo::Race<B> only(box, rule, work, watch);
    bmo::Race<B> *races[] = {&only};
    bmo::race_together<B>(races, box.arms());
    return answer_of(only, work);
}

// The k least in (sum, index), without `self`.
std::vector<std::int32_t> nearest(const MadeBox &box, std::int64_t k, std::int64_t self = -1) {
    std::vector<std::int32_t> arms;
    for (std::int32_t arm = 0; arm < box.arms(); ++arm)
        if (arm != self)
            arms.push_back(arm);
    std::stable_sort(arms.begin(), arms.end(), [&](auto a, auto b) { return box.sum(a) < box.sum(b); });
    arms.resize(static_cast<std::size_t>(k));
    return arms;
}

// Arm i has samples 0 to 3, the more of them large the larger i / n is; arms are shuffled.
std::vector<std::vector<int>> spread_arms(std::size_t n, std::size_t d, std::uint64_t seed) {
    bmo::Xoshiro256pp random(seed);
    std::vector<std::vector<int>> z(n, std::vector<int>(d));
    for (std::size_t i = 0; i < n; ++i)
        for (int &sample : z[i * 7919 % n])
            sample = static_cast<int>(random.below(2)) + (random.below(n) < i ? 2 : 0);
    return z;
}

constexpr std::size_t kN = 1009, kD = 1024;

void the_nearest_are_found_for_a_part_of_the_operations(void **) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        PlainBox box(spread_arms(kN, kD, seed), seed);
        const Answer found = race(box, {.k = 3, .alpha = 1e-6});
        assert_true(found.arms == nearest(box, 3));
        assert_false(found.cost.complete);
        assert_true(found.cost.coord_ops() < box.brute_ops(-1) / 4);
        assert_true(found.cost.exact_ops == found.cost.exact_evals * kD);
    }
}

void the_arm_of_the_query_is_no_candidate(void **) {
    PlainBox box(spread_arms(kN, kD, 6), 6);
    const std::int32_t self = nearest(box, 1)[0];
    assert_true(race(box, {.k = 3, .alpha = 1e-6, .self = self}).arms == nearest(box, 3, self));
}

void few_coordinates_are_computed_at_once(void **) {
    PlainBox box(spread_arms(100, 16, 7), 7);
    const Answer found = race(box, {.k = 5, .alpha = 1e-6});
    assert_true(found.arms == nearest(box, 5));
    assert_true(found.cost.complete && found.cost.exact_evals == 100);
}

void equal_arms_cost_at_most_a_tenth_more_than_a_scan(void **) {
    std::vector<std::vector<int>> z(kN, std::vector<int>(kD));
    for (std::size_t i = 0; i < kN; ++i)
        for (std::size_t j = 0; j < kD; ++j)
            z[i][j] = static_cast<int>((i + j) % 4);
    PlainBox box(z, 8);
    const Answer found = race(box, {.k = 4, .alpha = 0.0025});
    assert_true(static_cast<double>(found.cost.coord_ops()) <= 1.1 * static_cast<double>(box.brute_ops(-1)));
    assert_true(found.arms == nearest(box, 4));
}

// Few arms, few coordinates, many neighbors: the opening must not cost more than near-ties allow.
void so_do_few_of_them(void **) {
    for (const std::size_t n : {5U, 22U, 49U, 162U, 300U})
        for (const std::size_t d : {177U, 277U, 330U, 436U, 486U, 700U})
            for (const std::size_t k : {std::size_t{1}, std::size_t{3}, n / 2, n}) {
                std::vector<std::vector<int>> z(n, std::vector<int>(d));
                for (std::size_t i = 0; i < n; ++i)
                    z[i][i % d] = 1000;
                PlainBox plain(z, 8);
                const std::vector<int> nothing(n);
                TwoPartBox staged(z, nothing, nothing, 8, 16, 32);
                const bmo::RaceRule rule{.k = static_cast<std::int64_t>(k), .alpha = 0.01};
                const double most = 1.1 * static_cast<double>(plain.brute_ops(-1));
                assert_true(static_cast<double>(race(plain, rule).cost.coord_ops()) <= most);
                assert_true(static_cast<double>(race(staged, rule).cost.coord_ops()) <= most);
            }
}

// The nearest arm's sum is in 8 heavy samples of 1,024; the others' are even. Heavy samples that come early make it look far.
std::vector<std::vector<int>> deceiving_arms() {
    std::vector<std::vector<int>> z(200, std::vector<int>(kD, 4));
    std::fill(z[17].begin(), z[17].end(), 0);
    for (std::size_t j = 0; j < 8; ++j)
        z[17][j * 100] = 500; // 4,000 in all, below 4,096
    return z;
}

// 300 seeds at alpha = 0.2: more than 100 errors come with probability 2e-8 if each seed errs with probability 0.2.
void errors_are_within_the_level(void **) {
    const auto z = deceiving_arms();
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        PlainBox box(z, seed);
        wrong += race(box, {.k = 1, .alpha = 0.2}).arms[0] != 17;
    }
    assert_true(wrong <= 100);
}

// No wealth reaches 1e300: arms fall only for certain.
void without_a_level_no_answer_is_wrong(void **) {
    const auto z = deceiving_arms();
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        PlainBox box(z, seed);
        assert_int_equal(race(box, {.k = 1, .alpha = 1e-300}).arms[0], 17);
    }
}

void with_epsilon_no_rank_is_worse_by_more(void **) {
    constexpr std::int64_t kEpsilon = 100;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        PlainBox box(spread_arms(kN, kD, seed), seed);
        const Answer found = race(box, {.k = 5, .alpha = 1e-9, .epsilon_sum = static_cast<double>(kEpsilon)});
        const std::vector<std::int32_t> right = nearest(box, 5);
        for (std::size_t r = 0; r < right.size(); ++r)
            assert_true(box.sum(found.arms[r]) <= box.sum(right[r]) + kEpsilon);
    }
}

void races_in_step_go_as_each_alone(void **) {
    std::vector<std::unique_ptr<PlainBox>> boxes;
    std::vector<std::unique_ptr<bmo::RaceWorkspace>> work;
    std::vector<std::unique_ptr<bmo::Race<PlainBox>>> races;
    std::vector<bmo::Race<PlainBox> *> together;
    bmo::Watch watch;
    const bmo::RaceRule rule{.k = 3, .alpha = 0.01};
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        boxes.push_back(std::make_unique<PlainBox>(spread_arms(kN, kD, seed), 9));
        work.push_back(std::make_unique<bmo::RaceWorkspace>());
        races.push_back(std::make_unique<bmo::Race<PlainBox>>(*boxes.back(), rule, *work.back(), watch));
        together.push_back(races.back().get());
    }
    bmo::race_together<PlainBox>(together, static_cast<std::int64_t>(kN));
    for (std::size_t i = 0; i < races.size(); ++i) {
        const Answer in_step = answer_of(*races[i], *work[i]), alone = race(*boxes[i], rule);
        assert_true(in_step.arms == alone.arms);
        assert_int_equal(in_step.cost.coord_ops(), alone.cost.coord_ops());
        assert_int_equal(in_step.cost.rounds, alone.cost.rounds);
    }
}

void certain_bounds_drop_arms_before_a_sample(void **) {
    auto z = spread_arms(kN, kD, 10);
    std::vector<int> coarse(kN), fine(kN);
    for (std::size_t i = 0; i < kN; ++i) {
        coarse[i] = i % 10 == 0 ? 0 : 5000; // no sum of samples is above 3 * 1,024
        fine[i] = i % 20 == 0 ? 0 : 5000;
    }
    TwoPartBox box(z, coarse, fine, 10);
    const Answer found = race(box, {.k = 3, .alpha = 1e-6});
    assert_true(found.arms == nearest(box, 3));
    assert_true(found.cost.bounded >= kN * 18 / 20 && found.cost.bounded < kN);
}

void bounds_alone_make_a_complete_answer(void **) {
    const std::vector<std::vector<int>> z(kN, std::vector<int>(64, 1));
    std::vector<int> coarse(kN), fine(kN, 1);
    for (std::size_t i = 0; i < kN; ++i)
        coarse[i] = static_cast<int>(i) * 100;
    TwoPartBox box(z, coarse, fine, 11);
    const Answer found = race(box, {.k = 2, .alpha = 0.005});
    assert_true((found.arms == std::vector<std::int32_t>{0, 1}));
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_are_found_for_a_part_of_the_operations),
        cmocka_unit_test(the_arm_of_the_query_is_no_candidate),
        cmocka_unit_test(few_coordinates_are_computed_at_once),
        cmocka_unit_test(equal_arms_cost_at_most_a_tenth_more_than_a_scan),
        cmocka_unit_test(so_do_few_of_them),
        cmocka_unit_test(errors_are_within_the_level),
        cmocka_unit_test(without_a_level_no_answer_is_wrong),
        cmocka_unit_test(with_epsilon_no_rank_is_worse_by_more),
        cmocka_unit_test(races_in_step_go_as_each_alone),
        cmocka_unit_test(certain_bounds_drop_arms_before_a_sample),
        cmocka_unit_test(bounds_alone_make_a_complete_answer),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace race_test
