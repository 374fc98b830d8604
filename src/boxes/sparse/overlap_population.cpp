#include "boxes/sparse/overlap_population.hpp"

#include <algorithm>
#include <cmath>

namespace bmo {
namespace {

// Measured: so many coordinates are worth reading of every point before any is ruled out.
constexpr std::size_t kHeavy = 16;
// A smaller population is not worth sampling: all is read.
constexpr std::size_t kLeastSamples = 32;
// What predicts a sample is clipped at so many times its mean: bets have to shrink as its largest grows.
constexpr double kClip = 3;
// Samples that are all below so much of the largest sum of norms tell nothing: rounding of these hides them. Their unit is that
// of larger ones, so that no norm leaves double's range in it.
constexpr double kLeastSpread = 0x1p-100;

} // namespace

void OverlapPopulation::draw(const SparseQuery &query, double largest_norms) {
    part(query);
    unit_ = normalizing_scale(std::max(largest_sample(query), largest_norms * kLeastSpread));
    predict(query);
    add_up();
}

void OverlapPopulation::meet(const SparseQuery &query) {
    meetings_.assign(1, QueryTerm{});
    for (const SparseQuery::Entry &entry : query.entries()) {
        QueryTerm meeting;
        meeting.size = std::abs(entry.value);
        meeting.sign = entry.value < 0 ? -query.scale() : query.scale();
        if (entry.rank >= 0) {
            const CoordinateSummary &summary = index_.summary[static_cast<std::size_t>(entry.rank)];
            meeting.largest = summary.largest[entry.value < 0 ? 1 : 0] * query.scale();
            meeting.most = square_ ? meeting.size * meeting.largest : std::min(meeting.size, meeting.largest);
        }
        meetings_.push_back(meeting);
    }
}

// The heaviest, and the population by rank.
void OverlapPopulation::part(const SparseQuery &query) {
    by_rank_.clear();
    heavy_.clear();
    samples_.clear();
    std::int32_t position = 0;
    for (const SparseQuery::Entry &entry : query.entries()) {
        ++position;
        if (entry.rank >= 0)
            by_rank_.push_back(static_cast<std::uint64_t>(entry.rank) << 32 | static_cast<std::uint32_t>(position));
    }
    const auto position_of = [](std::uint64_t key) { return static_cast<std::int32_t>(key & 0xffffffffU); };
    const auto size_of = [&](std::uint64_t key) { return meetings_[static_cast<std::size_t>(position_of(key))].size; };
    const std::size_t heavy = by_rank_.size() < kHeavy + kLeastSamples ? by_rank_.size() : kHeavy;
    std::nth_element(by_rank_.begin(), by_rank_.begin() + static_cast<std::ptrdiff_t>(heavy), by_rank_.end(),
                     [&](std::uint64_t a, std::uint64_t b) {
                         return size_of(a) > size_of(b) ||
                                (size_of(a) == size_of(b) && position_of(a) < position_of(b));
                     });
    std::sort(by_rank_.begin(), by_rank_.begin() + static_cast<std::ptrdiff_t>(heavy));
    std::sort(by_rank_.begin() + static_cast<std::ptrdiff_t>(heavy), by_rank_.end());
    for (std::size_t i = 0; i < by_rank_.size(); ++i) {
        QueryTerm &meeting = meetings_[static_cast<std::size_t>(position_of(by_rank_[i]))];
        meeting.heavy = i < heavy;
        if (!meeting.heavy)
            meeting.lane = static_cast<std::int32_t>(samples_.size() % kBatch);
        (meeting.heavy ? heavy_ : samples_).push_back(position_of(by_rank_[i]));
    }
}

// No z is above it: under l2 an entry of the opposite sign, however large, adds to u.
double OverlapPopulation::largest_sample(const SparseQuery &query) const {
    double largest = 0;
    for (const std::int32_t position : samples_) {
        const QueryTerm &meeting = meetings_[static_cast<std::size_t>(position)];
        const SparseQuery::Entry &entry = query.entries()[static_cast<std::size_t>(position) - 1];
        const CoordinateSummary &summary = index_.summary[static_cast<std::size_t>(entry.rank)];
        const double opposite = summary.largest[entry.value < 0 ? 0 : 1] * query.scale();
        largest = std::max(largest, square_ ? meeting.size * (meeting.largest + opposite) : meeting.most);
    }
    return largest;
}

// The mean of z over all points, about: their overlap is u if they have an entry, but not more than its mean.
void OverlapPopulation::predict(const SparseQuery &query) {
    const auto points = static_cast<double>(index_.norm1.size());
    const double ratio = query.scale() / index_.scale;
    expected_.clear();
    double sum = 0;
    for (const std::int32_t position : samples_) {
        const QueryTerm &meeting = meetings_[static_cast<std::size_t>(position)];
        const std::int32_t rank = query.entries()[static_cast<std::size_t>(position) - 1].rank;
        const double mean = index_.summary[static_cast<std::size_t>(rank)].sum_abs * ratio / points;
        const double share = static_cast<double>(index_.entries(rank)) / points;
        const double overlap =
            square_ ? std::min(meeting.most, meeting.size * mean) : std::min(meeting.most * share, mean);
        expected_.push_back(static_cast<float>((meeting.most - overlap) * unit_));
        sum += static_cast<double>(expected_.back());
    }
    const auto clip = static_cast<float>(kClip * sum / static_cast<double>(samples_.size() + 1));
    largest_expected_ = 0;
    for (float &expected : expected_) {
        expected = std::min(expected, clip);
        largest_expected_ = std::max(largest_expected_, expected);
    }
}

void OverlapPopulation::add_up() {
    const std::size_t count = samples_.size();
    most_from_.assign(count + 1, 0);
    norm_from_.assign(count + 1, 0);
    expected_from_.assign(count + 1, 0);
    for (std::size_t i = count; i-- > 0;) {
        const QueryTerm &meeting = meetings_[static_cast<std::size_t>(samples_[i])];
        most_from_[i] = most_from_[i + 1] + meeting.most;
        norm_from_[i] = norm_from_[i + 1] + (square_ ? meeting.size * meeting.size : meeting.size);
        expected_from_[i] = expected_from_[i + 1] + static_cast<double>(expected_[i]);
    }
    heavy_most_ = 0;
    for (const std::int32_t position : heavy_)
        heavy_most_ += meetings_[static_cast<std::size_t>(position)].most;
}

} // namespace bmo
