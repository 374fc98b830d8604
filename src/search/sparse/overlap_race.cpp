#include "search/sparse/overlap_race.hpp"

#include <algorithm>
#include <cmath>

#include "bandit/betting.hpp"
#include "simd/kernels.hpp"
#include "simd/look.hpp"

namespace bmo {
namespace {

// Measured. No proof depends on them.
constexpr std::int64_t kFirstPromising = 64; // samples after which arms that seem below tau are finished; doubles
constexpr double kSupposedReach = 0.5;       // share of the overlap that the scouts' bound allows, before any sample

} // namespace

void OverlapFinish::operator()(std::int32_t arm, std::int64_t unread_below) {
    const double tau = nearest_.threshold(), sum = box_.overlap_sum(arm);
    if (box_.exact()) {
        nearest_.offer({sum, arm});
        ++cost_.exact_evals;
    } else if (!(sum - box_.error(tau) > tau)) {
        nearest_.offer({box_.difference_sum(arm), arm});
        cost_.exact_ops += box_.unread_ops(arm, unread_below);
        ++cost_.exact_evals;
    }
}

OverlapRace::OverlapRace(OverlapBox &box, const RaceRule &rule, OverlapWorkspace &work, Watch &watch)
    : box_(box), rule_(rule), work_(work), contenders_(work.contenders), watch_(watch),
      finished_(box, work.nearest, cost_), samples_(box.population().size()), next_finish_(kFirstPromising),
      repeats_left_(kWasteShare * static_cast<double>(box.brute_ops(rule.self))), done_(rule.self < 0 ? 0 : 1) {}

Cost OverlapRace::run() {
    enter();
    finish_scouts();
    while (pays())
        round();
    finish_rest();
    return cost_;
}

void OverlapRace::enter() {
    work_.nearest.reset(rule_.k, rule_.limit);
    work_.samples.resize((kChunk + 1) * kBatch);
    contenders_.reset(static_cast<std::size_t>(box_.arms()), watch_);
    box_.restart();
    cost_.sampling_ops += box_.read_heavy();
    if (rule_.self >= 0) // no candidate, and all of these are in it
        cost_.sampling_ops -= box_.population().heavy().size();
    const double unit = box_.population().unit();
    work_.starts.resize(static_cast<std::size_t>(box_.arms()));
    for (std::int32_t arm = 0; arm < static_cast<std::int32_t>(box_.arms()); ++arm) {
        const double start = work_.starts[static_cast<std::size_t>(arm)] = box_.start_sum(arm) * unit;
        if (arm != rule_.self)
            contenders_.add(arm, start);
    }
}

bool OverlapRace::pays() const {
    return static_cast<std::int64_t>(contenders_.size()) > kFewArms && read_ < samples_;
}

ForetoldBets OverlapRace::bets() const {
    const OverlapPopulation &population = box_.population();
    std::array<float, kBatch> foretold;
    const std::int64_t width = std::min<std::int64_t>(kBatch, samples_ - read_);
    for (std::int64_t j = 0; j < width; ++j)
        foretold[static_cast<std::size_t>(j)] = population.expected(read_ + j);
    return foretold_bets({foretold.data(), static_cast<std::size_t>(width)},
                         population.expected_from(read_) / static_cast<double>(samples_ - read_),
                         static_cast<double>(population.largest_expected()));
}

// Rows, once and for all, when they take less than columns, or when columns would read again too much of arms that are done.
void OverlapRace::subset_dense() {
    if (by_rows_)
        return;
    repeats_left_ -= static_cast<double>(box_.column_entries_of(read_, done_));
    std::uint64_t entries = 0;
    for (const std::int32_t arm : contenders_.arms(0, contenders_.size()))
        entries += box_.entries(arm);
    by_rows_ = repeats_left_ < 0 || box_.row_entries(read_, entries) < static_cast<double>(box_.column_entries(read_));
    rows_from_ = read_;
    if (!by_rows_)
        box_.start_columns(read_);
}

void OverlapRace::round() {
    ++cost_.rounds;
    subset_dense();
    Look look;
    look.target = box_.target(work_.nearest.target(rule_.epsilon_sum)) * box_.population().unit() * kRoundUp;
    look.unread = static_cast<double>(samples_ - read_);
    look.slack = static_cast<double>(read_ + kBatch) * kSampleAbsoluteError;
    look.rejection = rejection_level(rule_.alpha, read_ + kBatch);
    look.width = static_cast<int>(std::min<std::int64_t>(kBatch, samples_ - read_));
    const ForetoldBets foretold = bets();
    std::uint8_t keep[kChunk];
    const std::size_t end = contenders_.size();
    std::size_t kept = 0;
    for (std::size_t at = 0; at < end; at += kChunk) {
        watch_.poll();
        const std::size_t count = std::min(kChunk, end - at);
        this->look(at, count, look, foretold, keep);
        kept = contenders_.compact(keep, at, count, kept);
    }
    contenders_.shrink(kept);
    read_ += look.width;
    if (read_ >= next_finish_)
        finish_promising();
}

void OverlapRace::look(std::size_t at, std::size_t count, const Look &look, const ForetoldBets &bets,
                       std::uint8_t *keep) {
    const std::span<const std::int32_t> arms = contenders_.arms(at, count);
    float *z = work_.samples.data();
    cost_.sampling_ops += by_rows_ ? box_.read_rows(read_, arms, z) : box_.read_columns(read_, arms, z);
    kernels().bet_foretold(z, static_cast<std::int64_t>(count), look, bets, contenders_.state(at), keep);
    for (std::size_t i = 0; i < count; ++i) {
        if (keep[i])
            keep[i] = !falls(arms[i], read_ + look.width);
        else if (std::isfinite(contenders_.sum(at + i)))
            cost_.complete = false; // by the test, or nearly so
    }
}

// What falls by epsilon alone may be among the nearest: that is right, but not exact.
bool OverlapRace::falls(std::int32_t arm, std::int64_t read) {
    const double tau = work_.nearest.threshold();
    if (!box_.excluded(arm, read, work_.nearest.target(rule_.epsilon_sum)))
        return false;
    if (rule_.epsilon_sum > 0 && !box_.excluded(arm, read, tau))
        cost_.complete = false;
    return true;
}

void OverlapRace::finish(std::size_t place) {
    watch_.poll();
    const std::int32_t arm = contenders_.arm(place);
    cost_.exact_ops += box_.complete(arm, read_);
    finished_(arm, box_.sample_rank(by_rows_ ? rows_from_ : read_));
    contenders_.retire(place);
    ++done_;
}

// The most overlap with the heaviest coordinates, and a share of what is possible with the others.
void OverlapRace::finish_scouts() {
    work_.scouts.clear();
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
        const std::int32_t arm = contenders_.arm(i);
        work_.scouts.push_back({box_.overlap_sum(arm) - 2 * kSupposedReach * box_.reach(arm, 0), i});
    }
    narrow(work_.scouts, scouts_finished(rule_.scouted()), watch_);
    for (const Scored &scout : work_.scouts)
        finish(scout.place);
}

// Those whose samples, if the others turn out as these did of what was foretold, put them below tau.
void OverlapRace::finish_promising() {
    next_finish_ *= 2;
    const OverlapPopulation &population = box_.population();
    const double unit = population.unit(), left = population.expected_from(read_);
    const double ratio = left / (population.expected_from(0) - left);
    work_.scouts.clear();
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
        const double sampled = contenders_.sum(i) - work_.starts[static_cast<std::size_t>(contenders_.arm(i))];
        const double sum = contenders_.sum(i) + sampled * ratio;
        if (sum < box_.target(work_.nearest.threshold()) * unit)
            work_.scouts.push_back({sum, i});
    }
    narrow(work_.scouts, scouts_finished(rule_.k), watch_);
    for (const Scored &scout : work_.scouts)
        finish(scout.place);
}

void OverlapRace::finish_rest() {
    work_.scouts.clear();
    for (std::size_t i = 0; i < contenders_.size(); ++i)
        if (std::isfinite(contenders_.sum(i)))
            work_.scouts.push_back({contenders_.sum(i), i});
    order(work_.scouts, watch_); // others may fall by their bound
    for (const Scored &left : work_.scouts)
        if (!falls(contenders_.arm(left.place), read_))
            finish(left.place);
    contenders_.shrink(0);
}

} // namespace bmo
