// The stages of a race (bandit/race/stages.hpp) where arms come in groups: the first tau comes from the groups nearest to the query,
// and a group whose sums are above it for certain falls without a look at its arms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bandit/race/race_state.hpp"
#include "bandit/race/stages.hpp"

namespace bmo {

template <GroupedBox B>
class GroupStages {
public:
    explicit GroupStages(RaceState<B> &race) : race_(race), stages_(race) {}

    // Whether groups serve: if few arms need guesses. Many are guessed sooner in order.
    bool begin() const {
        return race_.box.groups() > 0 &&
               kGuessedInGroups * kScattered * stages_.finished() <= static_cast<std::int64_t>(race_.candidates);
    }

    // Some arms of the best guesses in the nearest groups are finished.
    void finish_best() {
        RaceWorkspace &work = race_.work;
        race_.cost.sampling_ops += race_.box.group_sums(work.about, work.at_least);
        if (stages_.finished() == 0)
            return;
        list_nearest();
        guess_listed(work.scouts);
        const auto arm_at = [&](std::size_t place) { return work.pilots[place]; };
        bmo::narrow(work.scouts, kGuessed * stages_.finished(), race_.watch);
        stages_.narrow_refined(work.scouts, arm_at);
        stages_.finish(work.scouts, arm_at, [&](std::int32_t arm) { work.absent.push_back(arm); });
        std::sort(work.absent.begin(), work.absent.end());
    }

    // The arms enter that no bound puts out of question. Where too few groups fall, arms are looked at in order.
    void enter() {
        const double target = race_.look_after(kBatch).target;
        std::vector<Scored> &left = race_.work.scouts;
        choose_left(target, left);
        std::int64_t size = 0;
        for (const Scored &group : left)
            size += static_cast<std::int64_t>(race_.box.group(group_of(group)).size());
        const bool many = size * kScattered > static_cast<std::int64_t>(race_.candidates);
        if (many && stages_.pays(race_.candidates, race_.box.lead()))
            return enter_in_order();
        for (const Scored &group : left)
            enter_all(race_.box.group(group_of(group)));
        if (many)
            return race_.contenders.sort_unsampled(race_.watch);
        stages_.fall(0, [&](std::span<const std::int32_t> arms, double *sums, std::uint8_t *keep) {
            race_.cost.sampling_ops += race_.box.add_lead(arms, sums);
            race_.box.bound_lead(arms, sums, target, keep);
        });
        stages_.fall_by_heads(0, target);
        race_.contenders.sort_unsampled(race_.watch);
    }

private:
    static constexpr std::int64_t kScattered = 4; // an arm by itself takes as long as so many in order

    static std::int64_t group_of(const Scored &scout) { return static_cast<std::int64_t>(scout.place); }

    // The groups that are not above the target for certain.
    void choose_left(double target, std::vector<Scored> &left) const {
        left.clear();
        for (std::size_t g = 0; g < race_.work.at_least.size(); ++g)
            if (race_.work.at_least[g] <= target)
                left.push_back({race_.work.at_least[g], g});
    }

    // But for those that are finished, or no candidates.
    void enter_all(std::span<const std::int32_t> arms) {
        for (const std::int32_t arm : arms)
            if (!std::binary_search(race_.work.absent.begin(), race_.work.absent.end(), arm))
                race_.contenders.append_unsampled(arm, 0);
    }

    void list_nearest() {
        const auto wanted = static_cast<std::size_t>(kGuessedInGroups * stages_.finished());
        std::vector<Scored> &groups = race_.work.scouts;
        groups.clear();
        for (std::size_t g = 0; g < race_.work.about.size(); ++g)
            groups.push_back({race_.work.about[g], g});
        const auto farther = [](const Scored &a, const Scored &b) { return b < a; };
        std::make_heap(groups.begin(), groups.end(), farther);
        race_.work.pilots.clear();
        while (!groups.empty() && race_.work.pilots.size() < wanted) {
            std::pop_heap(groups.begin(), groups.end(), farther);
            const std::span<const std::int32_t> arms = race_.box.group(group_of(groups.back()));
            race_.work.pilots.insert(race_.work.pilots.end(), arms.begin(), arms.end());
            groups.pop_back();
        }
    }

    // Of each listed arm that is a candidate: its guess, and its place in the list.
    void guess_listed(std::vector<Scored> &guessed) {
        const std::vector<std::int32_t> &listed = race_.work.pilots;
        std::vector<double> &guesses = race_.work.pilot_sums;
        guesses.assign(listed.size(), 0);
        race_.cost.sampling_ops += race_.box.guess_some(listed, guesses.data());
        guessed.clear();
        for (std::size_t place = 0; place < listed.size(); ++place)
            if (listed[place] != race_.rule.self)
                guessed.push_back({guesses[place], place});
    }

    // By parts, so that the rest of as many heads is read as pays.
    void enter_in_order() {
        const std::uint64_t before = race_.cost.sampling_ops;
        stages_.guess(0, race_.box.arms());
        race_.sampling_budget -= static_cast<double>(race_.cost.sampling_ops - before);
        for (const std::int32_t arm : race_.work.absent)
            stages_.leave_out(arm);
        for (std::int64_t first = 0; first < race_.box.arms(); first += kTile)
            stages_.enter(first, std::min(race_.box.arms(), first + kTile));
    }

    RaceState<B> &race_;
    Stages<B> stages_;
};

} // namespace bmo
