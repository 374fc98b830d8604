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
//   opening   the first samples of every arm, kept
//   scout     the most promising arms, sampled further and then finished: a tau close to tau*
//   rounds    a batch of every arm that is left, and a look; now and then the arms that seem to be below tau are
//   finished finish    of what is left, before the samples of arms that are finished in the end cost more than
//   kWasteShare scans
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "bandit/betting.hpp"
#include "bandit/box.hpp"
#include "bandit/contenders.hpp"
#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
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
    AlignedVector<float> opening; // batch by batch, kBatch samples an arm
    AlignedVector<float> samples; // of one chunk
    std::vector<std::uint8_t> keep, keep_too;
    std::vector<Scout> scouts;
    Nearest nearest;
};

template <Box B>
class Race {
public:
    Race(B &box, const RaceRule &rule, RaceWorkspace &work, Watch &watch)
        : box_(box), rule_(rule), work_(work), watch_(watch), population_(box.population()),
          furthest_(std::min(readable_samples(box), population_ / 2)) {}

    // The k nearest arms are in the workspace's `nearest` afterwards.
    Cost run() {
        work_.nearest.reset(rule_.k);
        contenders_.enlist(box_.arms(), rule_.self);
        work_.samples.resize(kChunk * kBatch);
        work_.keep.resize(kChunk);
        work_.keep_too.resize(kChunk);
        const std::size_t candidates = contenders_.size();
        waste_left_ = kWasteShare * scan_ops();

        const std::int64_t opening = std::min(kOpeningBatches, population_ / kOpeningShare / kBatch);
        if (opening > 0) {
            read_opening(opening);
            send_scouts();
            look_at_opening(opening);
        }
        while (opening > 0 && another_round_pays()) {
            play_round();
            if (read_ >= next_finish_)
                finish_promising();
        }
        finish_rest();
        cost_.complete = cost_.exact_evals == candidates;
        return cost_;
    }

private:
    // Calls visit(position, count) for every chunk of `total` arms.
    template <class Visit>
    void for_chunks(std::size_t total, Visit visit) {
        for (std::size_t at = 0; at < total; at += kChunk) {
            watch_.poll();
            visit(at, std::min(kChunk, total - at));
        }
    }

    double scan_ops() const {
        double ops = 0;
        for (const std::int32_t arm : contenders_.arms)
            ops += static_cast<double>(box_.exact_ops(arm));
        return ops;
    }

    void pull(std::int64_t first, std::span<const std::int32_t> arms, float *z) {
        cost_.pulls += box_.pull(first, kBatch, arms, z);
    }

    void finish(std::int32_t arm) {
        watch_.poll();
        work_.nearest.offer({box_.exact(arm), arm});
        cost_.exact_ops += box_.exact_ops(arm);
        ++cost_.exact_evals;
    }

    float *opening_samples(std::int64_t batch, std::size_t at) {
        return work_.opening.data() + (static_cast<std::size_t>(batch) * contenders_.size() + at) * kBatch;
    }

    void read_opening(std::int64_t batches) {
        work_.opening.resize(static_cast<std::size_t>(batches) * contenders_.size() * kBatch);
        work_.scouts.resize(contenders_.size());
        double sums[kChunk];
        for_chunks(contenders_.size(), [&](std::size_t at, std::size_t count) {
            std::fill_n(sums, count, 0.0);
            for (std::int64_t batch = 0; batch < batches; ++batch) {
                pull(batch * kBatch, {contenders_.arms.data() + at, count}, opening_samples(batch, at));
                kernels_.add_sums(opening_samples(batch, at), static_cast<std::int64_t>(count), sums);
            }
            for (std::size_t i = 0; i < count; ++i)
                work_.scouts[at + i] = {sums[i], at + i};
        });
        read_ = batches * kBatch;
    }

    void send_scouts() {
        scout(work_.scouts, rule_.k, read_, population_,
              [&](std::vector<Scout> &scouts, std::int64_t first) { sample_scouts(scouts, first); });
        for (const Scout &found : work_.scouts) {
            finish(contenders_.arms[found.position]);
            contenders_.retire(found.position);
        }
        waste_left_ -=
            static_cast<double>(cost_.pulls) - static_cast<double>(contenders_.size()) * static_cast<double>(read_);
    }

    void sample_scouts(std::vector<Scout> &scouts, std::int64_t first) {
        std::int32_t arms[kChunk];
        double sums[kChunk];
        for_chunks(scouts.size(), [&](std::size_t at, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) {
                arms[i] = contenders_.arms[scouts[at + i].position];
                sums[i] = scouts[at + i].sum;
            }
            pull(first, {arms, count}, work_.samples.data());
            kernels_.add_sums(work_.samples.data(), static_cast<std::int64_t>(count), sums);
            for (std::size_t i = 0; i < count; ++i)
                scouts[at + i].sum = sums[i];
        });
    }

    // A look after `read` samples, the last `kBatch` of which are new.
    Look look_at(std::int64_t read) const {
        Look look;
        look.target = box_.sample_units(work_.nearest.threshold() - rule_.epsilon_sum) * kRoundUp;
        look.unread = static_cast<double>(population_ - (read - kBatch));
        look.slack = static_cast<double>(read) * kSampleAbsoluteError;
        look.rejection = rejection_level(rule_.alpha, read);
        return look;
    }

    // Moves the arms at [at, at + count) that are kept behind the first `kept`; returns the new number.
    std::size_t compact(std::size_t at, std::size_t count, std::size_t kept) {
        for (std::size_t i = 0; i < count; ++i)
            if (work_.keep[i])
                contenders_.move(at + i, kept++);
        return kept;
    }

    void look_at_opening(std::int64_t batches) {
        std::size_t kept = 0;
        for_chunks(contenders_.size(), [&](std::size_t at, std::size_t count) {
            std::fill_n(work_.keep.begin(), count, std::uint8_t{1});
            for (std::int64_t batch = 0; batch < batches; ++batch) {
                bet(opening_samples(batch, at), at, count, look_at((batch + 1) * kBatch), work_.keep_too.data());
                for (std::size_t i = 0; i < count; ++i)
                    work_.keep[i] &= work_.keep_too[i];
            }
            kept = compact(at, count, kept);
        });
        contenders_.shrink(kept);
    }

    void bet(const float *z, std::size_t at, std::size_t count, const Look &look, std::uint8_t *keep) {
        kernels_.bet(z, static_cast<std::int64_t>(count), look, contenders_.sums.data() + at,
                     contenders_.wealths.data() + at * kBets, keep);
    }

    // Near-ties are cheaper to finish than to tell apart: a race goes no further than half the population.
    bool another_round_pays() const {
        const auto arms = static_cast<std::int64_t>(contenders_.size());
        return arms > kFewArms && read_ + kBatch <= furthest_ &&
               static_cast<double>(arms) * static_cast<double>(read_ + kBatch) <= waste_left_;
    }

    void play_round() {
        ++cost_.rounds;
        const Look look = look_at(read_ + kBatch);
        std::size_t kept = 0;
        for_chunks(contenders_.size(), [&](std::size_t at, std::size_t count) {
            pull(read_, {contenders_.arms.data() + at, count}, work_.samples.data());
            bet(work_.samples.data(), at, count, look, work_.keep.data());
            kept = compact(at, count, kept);
        });
        contenders_.shrink(kept);
        read_ += kBatch;
    }

    // Finishes the arms whose estimated sum is below tau, and takes them out of the race.
    void finish_promising() {
        next_finish_ *= 2;
        const double promising = box_.sample_units(work_.nearest.threshold()) * static_cast<double>(read_) /
                                 static_cast<double>(population_);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < contenders_.size(); ++i) {
            if (contenders_.sums[i] < promising) {
                finish(contenders_.arms[i]);
                waste_left_ -= static_cast<double>(read_);
            } else {
                contenders_.move(i, kept++);
            }
        }
        contenders_.shrink(kept);
    }

    // The most promising first, so that others may fall by their sums alone.
    void finish_rest() {
        work_.scouts.clear();
        for (std::size_t i = 0; i < contenders_.size(); ++i)
            work_.scouts.push_back({contenders_.sums[i], i});
        std::sort(work_.scouts.begin(), work_.scouts.end(), [](const Scout &a, const Scout &b) {
            return a.sum < b.sum || (a.sum == b.sum && a.position < b.position);
        });
        for (const Scout &left : work_.scouts)
            if (!sum_exceeds(left.sum, look_at(std::max<std::int64_t>(read_, kBatch))))
                finish(contenders_.arms[left.position]);
        contenders_.shrink(0);
    }

    B &box_;
    const RaceRule &rule_;
    RaceWorkspace &work_;
    Contenders &contenders_ = work_.contenders;
    Watch &watch_;
    const Kernels &kernels_ = kernels();
    const std::int64_t population_, furthest_;
    Cost cost_;
    std::int64_t read_ = 0; // samples that every arm in the race has read
    std::int64_t next_finish_ = kFirstFinish;
    double waste_left_ = 0;
};

} // namespace bmo
