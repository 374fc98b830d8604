// The race of bandit/race/race.hpp over an overlap box: the same rule for dropping an arm, hence the same proof, in rounds
// that read whole coordinates of the query at first, and the rows of the arms that are left once that is less.
//
//   heavy    the heaviest coordinates of the query, of every arm
//   scouts   the arms that overlap most with those are finished: a first tau
//   rounds   a batch of samples and a look; an arm also falls when its bound says so. Now and then the arms that seem to
//            be below tau are finished
//   finish   of what is left
#pragma once

#include <cstdint>
#include <vector>

#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "bandit/race/contenders.hpp"
#include "bandit/race/race_state.hpp"
#include "boxes/sparse/overlap_box.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

// Memory that one search after another uses.
struct OverlapWorkspace {
    Contenders contenders;
    std::vector<Scored> scouts;
    std::vector<double> starts; // by arm: its sum before the first sample
    AlignedVector<float> samples;
    Nearest nearest;
};

// Arms whose overlap is complete become neighbors: at once if overlaps give exact sums, else by differences, if
// their sum may be below the threshold.
class OverlapFinish {
public:
    OverlapFinish(OverlapBox &box, Nearest &nearest, Cost &cost) : box_(box), nearest_(nearest), cost_(cost) {}

    // Of its entries below a rank, none was read but those that meet the query's.
    void operator()(std::int32_t arm, std::int64_t unread_below);

private:
    OverlapBox &box_;
    Nearest &nearest_;
    Cost &cost_;
};

class OverlapRace {
public:
    OverlapRace(OverlapBox &box, const RaceRule &rule, OverlapWorkspace &work, Watch &watch);

    // The k nearest arms are in the workspace's `nearest` afterwards.
    Cost run();

private:
    void enter();
    bool pays() const;
    void round();
    ForetoldBets bets() const;
    void look(std::size_t at, std::size_t count, const Look &look, const ForetoldBets &bets, std::uint8_t *keep);
    void subset_dense();
    // Is the sum of an arm out of question for certain, but for an epsilon?
    bool falls(std::int32_t arm, std::int64_t read);
    void finish_scouts();
    void finish_promising();
    void finish_rest();
    void finish(std::size_t place);

    OverlapBox &box_;
    const RaceRule rule_;
    OverlapWorkspace &work_;
    Contenders &contenders_;
    Watch &watch_;
    Cost cost_;
    OverlapFinish finished_;
    const std::int64_t samples_;
    std::int64_t read_ = 0, next_finish_;
    double repeats_left_;        // entries that columns may read again of arms that are done
    std::int64_t done_;          // finished, or no candidates
    std::int64_t rows_from_ = 0; // samples read by columns, once others are read by rows
    bool by_rows_ = false;
};

} // namespace bmo
