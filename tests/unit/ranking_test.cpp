// Tournaments against std::set, and few of many sums against a sort.
#include "cmocka.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "bandit/adaptive/ranking.hpp"
#include "bandit/race/scout.hpp"
#include "util/xoshiro.hpp"

namespace ranking_test {

bool same(const bmo::Preference &a, const bmo::Preference &b) {
    return a.bound == b.bound && a.value == b.value && a.arm == b.arm;
}

// With few bounds and values, so that many are equal.
void the_first_is_the_least(void **) {
    for (const std::int32_t arms : {1, 2, 3, 17, 64}) {
        bmo::Xoshiro256pp random(static_cast<std::uint64_t>(arms));
        bmo::Ranking ranking(arms);
        std::set<bmo::Preference> expected;
        std::vector<bmo::Preference> of(static_cast<std::size_t>(arms));
        for (int step = 0; step < 2000; ++step) {
            const auto arm = random.below(static_cast<std::uint64_t>(arms));
            expected.erase(of[arm]);
            if (random.below(3) == 0) {
                ranking.remove(static_cast<std::int32_t>(arm));
            } else {
                of[arm] = {static_cast<double>(random.below(4)), -static_cast<double>(random.below(3)),
                           static_cast<std::int32_t>(arm)};
                ranking.place(of[arm]);
                expected.insert(of[arm]);
            }
            assert_int_equal(ranking.empty(), expected.empty());
            if (!expected.empty())
                assert_true(same(ranking.first(), *expected.begin()));
        }
    }
}

// As if they had entered one by one: whoever is first leaves.
void many_enter_at_once(void **) {
    for (const std::int32_t arms : {1, 2, 3, 17, 64}) {
        bmo::Ranking ranking(arms);
        std::set<bmo::Preference> expected;
        for (std::int32_t arm = 0; arm < arms; arm += 1 + arm % 2) {
            const bmo::Preference preference = {static_cast<double>(arm * 7 % 5), 0, arm};
            ranking.seat(preference);
            expected.insert(preference);
        }
        ranking.play_all();
        for (const bmo::Preference &preference : expected) {
            assert_true(same(ranking.first(), preference));
            ranking.remove(preference.arm);
        }
        assert_true(ranking.empty());
    }
}

// At least as many as wanted, the least among them, and not many more.
void few_are_the_least(void **) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    bmo::Xoshiro256pp random(9);
    std::vector<bmo::Scored> chosen;
    for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 40U, 511U, 512U, 513U, 5000U})
        for (const std::size_t few : {1U, 2U, 10U, 40U}) {
            if (few > count)
                continue;
            std::vector<float> sums(count);
            for (float &sum : sums)
                sum = static_cast<float>(random.below(count));
            const std::size_t out = count > few ? random.below(count) : count;
            if (out < count)
                sums[out] = kInfinity;
            bmo::choose_few(sums, few, chosen);
            assert_true(chosen.size() >= few);
            std::vector<float> sorted = sums, found;
            std::sort(sorted.begin(), sorted.end());
            for (const bmo::Scored &scout : chosen) {
                assert_true(scout.sum == static_cast<double>(sums.at(scout.place)));
                found.push_back(sums[scout.place]);
            }
            std::sort(found.begin(), found.end());
            assert_true(std::equal(found.begin(), found.end(), sorted.begin()));
            if (count == 5000)
                assert_true(chosen.size() <= 3 * few + 10);
        }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_the_least),
        cmocka_unit_test(many_enter_at_once),
        cmocka_unit_test(few_are_the_least),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

} // namespace ranking_test
