// The opening of a race on a staged box: estimates of all sums, then bounds that cannot fail (bandit/race/stages.hpp). No arm is
// sampled before its bounds were tried.
#pragma once

#include <cstdint>

#include "bandit/race/group_stages.hpp"
#include "bandit/race/race_state.hpp"
#include "bandit/race/stages.hpp"

namespace bmo {

template <StagedBox B>
class StagedOpening {
public:
    // A part of each sum is not sampled: the samples tell nothing of it.
    static constexpr bool kSumsForetell = false;

    explicit StagedOpening(RaceState<B> &race) : race_(race) {}

    void begin() {
        if (Stages<B>(race_).begin())
            way_ = Way::estimates;
        if constexpr (GroupedBox<B>)
            if (way_ == Way::estimates && GroupStages<B>(race_).begin())
                way_ = Way::groups;
    }

    void open(std::int64_t first, std::int64_t last) {
        if (way_ == Way::estimates)
            Stages<B>(race_).guess(first, last);
        else if (way_ == Way::samples)
            race_.enter(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last));
    }

    void scout() {
        if (way_ == Way::groups)
            by_groups([](auto stages) { stages.finish_best(); });
        else if (way_ == Way::estimates)
            Stages<B>(race_).finish_best();
    }

    void enter(std::int64_t first, std::int64_t last) {
        if (way_ == Way::estimates)
            Stages<B>(race_).enter(first, last);
    }

    void end() {
        if (way_ == Way::groups)
            by_groups([](auto stages) { stages.enter(); });
        if (way_ != Way::samples)
            Stages<B>(race_).end();
    }

private:
    template <class Visit>
    void by_groups(Visit visit) {
        if constexpr (GroupedBox<B>)
            visit(GroupStages<B>(race_));
    }

    RaceState<B> &race_;
    // samples: there are too few coordinates for estimates to pay. groups: arms fall by groups.
    enum class Way { samples, estimates, groups } way_ = Way::samples;
};

} // namespace bmo
