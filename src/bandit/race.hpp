// The race with exact finish: every arm is sampled until a test drops it or its sum is computed exactly.
//
// tau is the k-th smallest of the sums computed so far (over k distinct arms): never below tau*, the true k-th. An arm
// is dropped only where the test by betting (bandit/betting.hpp) rejects "its sum is at most tau" at level alpha =
// delta / k, or where its samples alone add up to more than tau. Let N be the k arms least in (sum, index). The answer
// is wrong only if one of N was dropped by the test, each with probability at most alpha: the union runs over k arms,
// not n. To drop any other arm is no error. With epsilon, the test is of "at most tau - epsilon": if one of the r best
// arms is dropped and its sum is indeed above tau - epsilon, then the r-th returned, being at most tau, exceeds the
// r-th best by less than epsilon.
//
// In what order arms are sampled, finished and made into a tau has no bearing on that; it is all about cost:
//
//   pilot    every few arms, sampled; the most promising sampled further, and the best of those finished: a first tau
//   opening  the first batches of every arm, with a look after each
//   scout    the most promising that are left, sampled further, and the best of those finished: a tau close to tau*
//   sweep    the first rounds, by parts of the arms
//   rounds   a batch of every arm that is left, and a look; now and then the arms that seem below tau are finished
//   finish   of what is left, before the samples of arms that are finished in the end cost too much
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bandit/betting.hpp"
#include "bandit/box.hpp"
#include "bandit/contenders.hpp"
#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "bandit/sampler.hpp"
#include "bandit/schedule.hpp"
#include "bandit/scout.hpp"
#include "simd/kernels.hpp"
#include "simd/look.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

struct RaceRule {
    std::int64_t k = 1;
    double alpha = 0.01;    // delta / k
    double epsilon_sum = 0; // epsilon, in units of an exact sum
    std::int64_t self = -1; // the arm that is no candidate; -1: all are
};

// Memory that one race after another uses.
struct RaceWorkspace {
    Contenders contenders;
    std::vector<std::int32_t> pilots;
    std::vector<double> pilot_sums, estimates;
    AlignedVector<float> guesses;     // of the whole sum of every arm; infinite: it does not enter
    std::vector<std::int32_t> absent; // arms that do not enter, ascending: self, and those that the pilots finished
    std::vector<Scout> scouts;
    Nearest nearest;
};

// begin(), open() for all arms in parts, scout(), sweep() in parts, end_sweep(), round() as long as it returns true, and finish(). Several races may go
// in step, so that what one reads is in cache for the next: see race_together().
template <Box B>
class Race {
public:
    Race(B &box, const RaceRule &rule, RaceWorkspace &work, Watch &watch)
        : box_(box), rule_(rule), work_(work), contenders_(work.contenders), watch_(watch), sampler_(box, cost_),
          population_(box.population()), furthest_(std::min(readable_samples(box), population_ / 2)),
          opening_(std::min(kOpeningBatches, std::min(furthest_, population_ / kOpeningShare) / kBatch)) {}
    Race(const Race &) = delete;
    Race &operator=(const Race &) = delete;

    void begin() {
        candidates_ = static_cast<std::uint64_t>(box_.arms() - (rule_.self < 0 ? 0 : 1));
        waste_left_ = kWasteShare * scan_ops();
        work_.nearest.reset(rule_.k);
        contenders_.reset(static_cast<std::size_t>(box_.arms()));
        work_.absent.assign(rule_.self < 0 ? 0 : 1, static_cast<std::int32_t>(rule_.self));
        if constexpr (StagedBox<B>) {
            guesses_ = pays_to_add(candidates_);
            work_.guesses.resize(static_cast<std::size_t>((box_.arms() + kBatch - 1) / kBatch * kBatch));
        } else if (opening_ > 0) {
            send_pilots();
        }
    }

    // The arms [first, last) enter, read the opening's batches and are looked at.
    void open(std::int64_t first, std::int64_t last) {
        if constexpr (StagedBox<B>)
            return guesses_ ? guess(first, last)
                            : enter(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last));
        for (std::int64_t from = first; from < last; from += static_cast<std::int64_t>(kChunk)) {
            watch_.poll();
            const std::size_t entered = contenders_.size();
            const std::int64_t to = std::min(last, from + static_cast<std::int64_t>(kChunk));
            enter(static_cast<std::int32_t>(from), static_cast<std::int32_t>(to));
            for (std::int64_t batch = 0; batch < opening_; ++batch)
                look(entered, batch * kBatch);
        }
        read_ = opening_ * kBatch;
    }

    void scout() {
        if constexpr (StagedBox<B>) {
            if (guesses_)
                narrow_by_stages();
            return;
        }
        if (opening_ == 0)
            return;
        const std::uint64_t before = cost_.pulls;
        bmo::scout(sampler_, contenders_.arms(0, contenders_.size()), estimates(), rule_.k, read_,
                   std::min(furthest_, population_ / kOpeningShare), work_.scouts);
        waste_left_ -= static_cast<double>(cost_.pulls - before);
        finish_scouts();
    }

    // The first rounds of all arms, in parts as open(): what the arms of a part read stays in cache for the next race.
    void sweep(std::int64_t last) {
        if (!sweeps())
            return;
        std::array<Look, kSweepRounds> looks;
        for (std::size_t i = 0; i < looks.size(); ++i)
            looks[i] = look_after(read_ + static_cast<std::int64_t>(i + 1) * kBatch);
        while (swept_ < contenders_.size() && contenders_.arm(swept_) < last)
            sweep_chunk(last, looks);
    }

    void end_sweep() {
        if (!sweeps())
            return;
        contenders_.shrink(swept_kept_);
        read_ += kSweepRounds * kBatch;
        cost_.rounds += kSweepRounds;
    }

    // False when no further round pays.
    bool round() {
        if (opening_ == 0 || !pays())
            return false;
        const std::size_t batches = pays(kRoundBatches) ? kRoundBatches : 1;
        read_on(batches);
        if (!StagedBox<B> &&
            read_ >= next_finish_) // a sum says nothing of what is left where a part of it is not sampled
            finish_promising();
        return true;
    }

    // The k nearest arms are in the workspace's `nearest` afterwards.
    Cost finish() {
        work_.scouts.clear();
        for (std::size_t i = 0; i < contenders_.size(); ++i)
            work_.scouts.push_back({estimate(i), i});
        std::sort(work_.scouts.begin(), work_.scouts.end()); // the most promising first: others may fall by their sums
        for (const Scout &left : work_.scouts)
            if (!sum_exceeds(contenders_.sum(left.place), look_after(std::max<std::int64_t>(read_, kBatch))))
                finish(contenders_.arm(left.place));
        contenders_.shrink(0);
        cost_.complete = cost_.exact_evals == candidates_;
        return cost_;
    }

private:
    void guess(std::int64_t first, std::int64_t last) {
        for (std::int64_t from = first; from < last; from += static_cast<std::int64_t>(kChunk)) {
            watch_.poll();
            const std::int64_t to = std::min(last, from + static_cast<std::int64_t>(kChunk));
            cost_.pulls += box_.guess(from, to, work_.guesses.data() + from);
        }
    }

    // The best guesses are finished; arms fall by bounds, stage by stage.
    void narrow_by_stages() {
        if (rule_.self >= 0)
            leave_out(static_cast<std::size_t>(rule_.self));
        finish_best_guesses();
        enter_by_guesses();
        waste_left_ -= static_cast<double>(cost_.pulls);
        for (std::int64_t stage = 0; stage < box_.stages() && pays_to_add(contenders_.size()); ++stage) {
            waste_left_ -= static_cast<double>(contenders_.size() * kBatch);
            add_stage(stage);
            if (stage > 0)
                fall_by_bounds(stage);
        }
        contenders_.give_stakes(0);
    }

    // A stage of so many arms.
    bool pays_to_add(std::uint64_t arms) const { return static_cast<double>(arms * kBatch) < waste_left_; }

    void leave_out(std::size_t arm) { work_.guesses[arm] = std::numeric_limits<float>::infinity(); }

    void finish_best_guesses() {
        const std::span<const float> guesses{work_.guesses.data(), static_cast<std::size_t>(box_.arms())};
        const std::int64_t finished = std::min(scouts_finished(rule_.k), static_cast<std::int64_t>(candidates_));
        choose_scouts(guesses, 4 * finished, finished, work_.scouts);
        narrow(work_.scouts, finished);
        for (const Scout &found : work_.scouts) {
            finish(static_cast<std::int32_t>(found.place));
            leave_out(found.place);
        }
    }

    // The arms that their guesses do not put out of question, without stakes.
    void enter_by_guesses() {
        std::uint8_t keep[kChunk];
        const double target = look_after(kBatch).target;
        const std::int64_t arms = box_.arms();
        for (std::int64_t first = 0; first < arms; first += static_cast<std::int64_t>(kChunk)) {
            watch_.poll();
            const std::int64_t count = std::min(static_cast<std::int64_t>(kChunk), arms - first);
            box_.bound_guesses(first, count, work_.guesses.data() + first, target, keep);
            contenders_.add_kept_without_stakes(static_cast<std::int32_t>(first), keep,
                                                static_cast<std::size_t>(count));
        }
    }

    void add_stage(std::int64_t stage) {
        for (std::size_t at = 0; at < contenders_.size(); at += kChunk) {
            watch_.poll();
            const std::size_t count = std::min(kChunk, contenders_.size() - at);
            cost_.pulls += box_.add_stage(stage, contenders_.arms(at, count), contenders_.state(at).sum);
        }
    }

    void fall_by_bounds(std::int64_t stage) {
        std::uint8_t keep[kChunk];
        const double target = look_after(kBatch).target;
        const std::size_t all = contenders_.size();
        std::size_t kept = 0;
        for (std::size_t at = 0; at < all; at += kChunk) {
            const std::size_t count = std::min(kChunk, all - at);
            box_.bound(stage, contenders_.arms(at, count), contenders_.state(at).sum, target, keep);
            kept = contenders_.compact(keep, at, count, kept);
        }
        contenders_.shrink(kept);
    }

    void finish_scouts() {
        for (const Scout &found : work_.scouts) {
            finish(contenders_.arm(found.place));
            contenders_.retire(found.place);
        }
    }

    // The arms [first, last) but for those that are absent.
    void enter(std::int32_t first, std::int32_t last) {
        for (auto gap = std::lower_bound(work_.absent.begin(), work_.absent.end(), first);
             gap != work_.absent.end() && *gap < last; ++gap) {
            enter_all(first, *gap);
            first = *gap + 1;
        }
        enter_all(first, last);
    }

    void enter_all(std::int32_t first, std::int32_t last) {
        if constexpr (requires { box_.start_sum(first); }) {
            for (std::int32_t arm = first; arm < last; ++arm)
                contenders_.add(arm, box_.start_sum(arm));
        } else {
            contenders_.add_range(first, last);
        }
    }

    // What arms that have read as much are compared by.
    double estimate(std::size_t i) const {
        const std::int32_t arm = contenders_.arm(i);
        return contenders_.sum(i) - start_sum(box_, arm) + sampled_start(box_, arm, read_);
    }

    std::span<const double> estimates() {
        if constexpr (requires { box_.start_sum(0); }) {
            work_.estimates.clear();
            for (std::size_t i = 0; i < contenders_.size(); ++i)
                work_.estimates.push_back(estimate(i));
            return work_.estimates;
        } else {
            return contenders_.sums();
        }
    }

    double scan_ops() const {
        double ops = 0;
        for (std::int64_t arm = 0; arm < box_.arms(); ++arm)
            if (arm != rule_.self)
                ops += static_cast<double>(box_.exact_ops(static_cast<std::int32_t>(arm)));
        return ops;
    }

    void finish(std::int32_t arm) {
        watch_.poll();
        work_.nearest.offer({box_.exact(arm), arm});
        cost_.exact_ops += box_.exact_ops(arm);
        ++cost_.exact_evals;
    }

    void send_pilots() {
        const std::int64_t wanted = std::max(box_.arms() / kPilotShare, kPilotsPerFinished * scouts_finished(rule_.k));
        const std::int64_t step = std::max<std::int64_t>(1, box_.arms() / wanted);
        work_.pilots.clear();
        for (std::int64_t arm = 0; arm < box_.arms(); arm += step)
            if (arm != rule_.self)
                work_.pilots.push_back(static_cast<std::int32_t>(arm));
        work_.pilot_sums.assign(work_.pilots.size(), 0);
        for (std::size_t at = 0; at < work_.pilots.size(); at += kChunk) {
            watch_.poll();
            const std::span<const std::int32_t> some{work_.pilots.data() + at,
                                                     std::min(kChunk, work_.pilots.size() - at)};
            for (std::int64_t batch = 0; batch < opening_; ++batch)
                sampler_.add_sums(batch * kBatch, some, work_.pilot_sums.data() + at);
        }
        bmo::scout(sampler_, work_.pilots, work_.pilot_sums, rule_.k, opening_ * kBatch,
                   std::min(furthest_, population_ / kOpeningShare), work_.scouts);
        waste_left_ -= static_cast<double>(cost_.pulls);
        for (const Scout &found : work_.scouts) {
            finish(work_.pilots[found.place]);
            work_.absent.push_back(work_.pilots[found.place]);
        }
        std::sort(work_.absent.begin(), work_.absent.end());
    }

    // A look after `read` samples, the last batch of which is new. The target is raised by what an exact sum may have
    // lost to rounding: at most one unit in 2^52 a term.
    Look look_after(std::int64_t read) const {
        Look look;
        look.target = box_.sample_units(work_.nearest.threshold() - rule_.epsilon_sum) *
                      (kRoundUp + static_cast<double>(population_) * 0x1p-52);
        look.unread = static_cast<double>(population_ - (read - kBatch));
        look.slack = static_cast<double>(read) * kSampleAbsoluteError;
        look.rejection = rejection_level(rule_.alpha, read);
        look.first_bet = read <= kLateBetsJoin ? kLateBets : 0;
        return look;
    }

    bool sweeps() const { return opening_ > 0 && pays(kSweepRounds); }

    // Some arms, in order, read all batches of the sweep.
    void sweep_chunk(std::int64_t last, std::span<const Look> looks) {
        std::size_t count = 0;
        while (count < kChunk && swept_ + count < contenders_.size() && contenders_.arm(swept_ + count) < last)
            ++count;
        swept_kept_ = look_at(swept_, count, looks, swept_kept_);
        swept_ += count;
    }

    // The contenders [at, at + count), a chunk, read a batch for each look. Those that are kept in the end go behind the first
    // `kept`; returns the new number.
    std::size_t look_at(std::size_t at, std::size_t count, std::span<const Look> looks, std::size_t kept) {
        watch_.poll();
        std::uint8_t keep[kChunk];
        for (std::size_t i = 0; i < looks.size() && count > 0; ++i) {
            const std::int64_t read = read_ + static_cast<std::int64_t>(i) * kBatch;
            const std::span<const std::int32_t> arms = contenders_.arms(at, count);
            if (i + 1 < looks.size())
                sampler_.prefetch(read + kBatch, arms);
            sampler_.bet(read, arms, looks[i], contenders_.state(at), keep);
            const std::size_t to = i + 1 == looks.size() ? kept : at;
            count = contenders_.compact(keep, at, count, to) - to;
        }
        return kept + count;
    }

    // All contenders read so many batches, with a look after each.
    void read_on(std::size_t batches) {
        std::array<Look, kRoundBatches> looks;
        for (std::size_t i = 0; i < batches; ++i)
            looks[i] = look_after(read_ + static_cast<std::int64_t>(i + 1) * kBatch);
        const std::size_t end = contenders_.size();
        std::size_t kept = 0;
        for (std::size_t at = 0; at < end; at += kChunk)
            kept = look_at(at, std::min(kChunk, end - at), {looks.data(), batches}, kept);
        contenders_.shrink(kept);
        read_ += static_cast<std::int64_t>(batches) * kBatch;
        cost_.rounds += batches;
    }

    // Reads a batch of the contenders from `begin` on, and drops those that the look rejects.
    void look(std::size_t begin, std::int64_t read) {
        std::uint8_t keep[kChunk];
        const Look look = look_after(read + kBatch);
        const std::size_t end = contenders_.size();
        std::size_t kept = begin;
        for (std::size_t at = begin; at < end; at += kChunk) {
            watch_.poll();
            const std::size_t count = std::min(kChunk, end - at);
            sampler_.bet(read, contenders_.arms(at, count), look, contenders_.state(at), keep);
            kept = contenders_.compact(keep, at, count, kept);
        }
        contenders_.shrink(kept);
    }

    // Near-ties are cheaper to finish than to tell apart: a race goes no further than half the population.
    bool pays(std::int64_t rounds = 1) const {
        const auto arms = static_cast<std::int64_t>(contenders_.size());
        const std::int64_t read = read_ + rounds * kBatch;
        return arms > kFewArms && read <= furthest_ &&
               static_cast<double>(arms) * static_cast<double>(read) <= waste_left_;
    }

    // Finishes the arms whose estimated sum is below tau.
    void finish_promising() {
        next_finish_ *= 2;
        const double promising = box_.sample_units(work_.nearest.threshold()) * static_cast<double>(read_) /
                                 static_cast<double>(population_);
        for (std::size_t i = 0; i < contenders_.size(); ++i)
            if (estimate(i) < promising) {
                finish(contenders_.arm(i));
                contenders_.retire(i);
                waste_left_ -= static_cast<double>(read_);
            }
    }

    B &box_;
    const RaceRule rule_;
    RaceWorkspace &work_;
    Contenders &contenders_;
    Watch &watch_;
    Cost cost_;
    Sampler<B> sampler_;
    const std::int64_t population_, furthest_;
    const std::int64_t opening_; // batches; 0: so small a population is finished at once
    std::uint64_t candidates_ = 0;
    std::int64_t read_ = 0; // samples that every arm in the race has read
    std::int64_t next_finish_ = kFirstFinish;
    double waste_left_ = 0;
    bool guesses_ = false;                   // of a staged box: there are coordinates enough for guesses to pay
    std::size_t swept_ = 0, swept_kept_ = 0; // contenders that the sweep is through with, and how many it kept of them
};

// Runs several races over the same arms in step. Each goes as it would alone.
template <Box B>
void race_together(std::span<Race<B> *const> races, std::int64_t arms) {
    for (Race<B> *race : races)
        race->begin();
    for (std::int64_t first = 0; first < arms; first += kTile)
        for (Race<B> *race : races)
            race->open(first, std::min(arms, first + kTile));
    for (Race<B> *race : races)
        race->scout();
    for (std::int64_t first = 0; first < arms; first += kTile)
        for (Race<B> *race : races)
            race->sweep(std::min(arms, first + kTile));
    for (Race<B> *race : races)
        race->end_sweep();
    for (bool running = true; running;) {
        running = false;
        for (Race<B> *race : races)
            running = race->round() || running;
    }
}

} // namespace bmo
