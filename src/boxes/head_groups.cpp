#include "boxes/head_groups.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "boxes/spread_rows.hpp"
#include "util/parallel.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kLeastPoints = 8192;   // fewer are guessed in less time than it takes to look at groups
constexpr std::int64_t kMostPoints = 1 << 29; // places in `values` are counted in 32 bits
constexpr std::int64_t kTrainedPerGroup = 16; // points that the centres are found from
constexpr int kIterations = 4;                // of k-means
constexpr std::int64_t kTried = 32;           // points that ask, to see whether groups pay:
constexpr std::int64_t kTriedAmong = 1024;    // the distance of the 10th of the nearest 1024 stands for tau,
constexpr std::ptrdiff_t kTriedRank = 9;      // and
constexpr double kLargestShare = 0.25;        // so much of the points may be left in groups that do not fall

// A point: its head, the norm behind it, 1 and zeros. A centre c: the same numbers, of which |c|^2 / 2 is taken off in the
// place of the 1, so that the nearest centre has the largest product.
constexpr std::int64_t kOne = kHead + 1, kRow = (kOne + 4) / 4 * 4;

void read_row(const Heads &heads, std::int64_t point, float *row) {
    std::copy_n(heads.values + point * kHead, kHead, row);
    row[kHead] = heads.high[point];
    row[kOne] = 1;
    std::fill(row + kOne + 1, row + kRow, 0.0F);
}

// k-means over the rows of some points.
class Centres {
public:
    Centres(const Heads &heads, const std::vector<std::int64_t> &start)
        : heads_(heads), count_(start.size()), blocks_((start.size() + kBatch - 1) / kBatch),
          values_(blocks_ * kRow * kBatch) {
        std::fill(values_.begin(), values_.end(), 0.0F);
        for (std::size_t g = 0; g < blocks_ * kBatch; ++g)
            *place(g, kOne) = std::numeric_limits<float>::lowest(); // there is none
        float row[kRow];
        for (std::size_t g = 0; g < count_; ++g) {
            read_row(heads, start[g], row);
            put(g, row);
        }
    }

    // The nearest centre of each of `count` points; point_at(i) is the i-th.
    template <class PointAt>
    std::vector<std::int32_t> nearest(std::int64_t count, PointAt point_at, int threads, Watch &watch) const {
        constexpr std::int64_t kPoints = 128; // of one item
        std::vector<std::vector<float>> products(static_cast<std::size_t>(threads));
        std::vector<std::int32_t> found(static_cast<std::size_t>(count));
        parallel_for(threads, (count + kPoints - 1) / kPoints, watch, [&](std::int64_t item, int thread) {
            watch.poll();
            std::vector<float> &out = products[static_cast<std::size_t>(thread)];
            out.resize(blocks_ * kBatch);
            float row[kRow];
            for (std::int64_t i = item * kPoints; i < std::min(count, (item + 1) * kPoints); ++i) {
                read_row(heads_, point_at(i), row);
                kernels().expand(values_.data(), static_cast<std::int64_t>(blocks_), row, kRow, out.data());
                found[static_cast<std::size_t>(i)] = largest(out);
            }
        });
        return found;
    }

    // Each centre becomes the mean of its points; one that has none stays.
    void move(const std::vector<std::int64_t> &points, const std::vector<std::int32_t> &groups) {
        std::vector<double> sums(count_ * kRow, 0), counts(count_, 0);
        float row[kRow];
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto group = static_cast<std::size_t>(groups[i]);
            read_row(heads_, points[i], row);
            for (std::size_t j = 0; j < kRow; ++j)
                sums[group * kRow + j] += static_cast<double>(row[j]);
            ++counts[group];
        }
        for (std::size_t g = 0; g < count_; ++g) {
            if (counts[g] == 0)
                continue;
            for (std::size_t j = 0; j < kRow; ++j)
                row[j] = static_cast<float>(sums[g * kRow + j] / counts[g]);
            put(g, row);
        }
    }

private:
    float *place(std::size_t group, std::size_t number) {
        return values_.data() + (group / kBatch * kRow + number) * kBatch + group % kBatch;
    }

    void put(std::size_t group, const float *row) {
        double square = 0;
        for (std::size_t j = 0; j < kOne; ++j) {
            *place(group, j) = row[j];
            square += static_cast<double>(row[j]) * static_cast<double>(row[j]);
        }
        *place(group, kOne) = static_cast<float>(-square / 2);
    }

    // Lane by lane, which compilers turn into vectors.
    static std::int32_t largest(const std::vector<float> &products) {
        float best[kBatch];
        std::int32_t at[kBatch];
        std::copy_n(products.data(), kBatch, best);
        std::iota(at, at + kBatch, 0);
        for (std::size_t first = kBatch; first < products.size(); first += kBatch)
            for (std::size_t l = 0; l < kBatch; ++l) {
                const bool above = products[first + l] > best[l];
                best[l] = above ? products[first + l] : best[l];
                at[l] = above ? static_cast<std::int32_t>(first + l) : at[l];
            }
        return at[std::max_element(best, best + kBatch) - best];
    }

    const Heads &heads_;
    std::size_t count_, blocks_;
    AlignedVector<float> values_; // blocks of kRow x 16
};

std::vector<std::int32_t> find_groups(const Heads &heads, std::int64_t groups, Xoshiro256pp &random, int threads,
                                      Watch &watch) {
    Centres centres(heads, spread_rows(heads.n, groups, random));
    const std::vector<std::int64_t> trained =
        spread_rows(heads.n, std::min(heads.n, kTrainedPerGroup * groups), random);
    const auto trained_point = [&](std::int64_t i) { return trained[static_cast<std::size_t>(i)]; };
    for (int i = 0; i < kIterations; ++i)
        centres.move(trained,
                     centres.nearest(static_cast<std::int64_t>(trained.size()), trained_point, threads, watch));
    return centres.nearest(
        heads.n, [](std::int64_t i) { return i; }, threads, watch);
}

double square_apart(const float *a, const float *b) {
    double square = 0;
    for (std::int64_t j = 0; j < kHead; ++j)
        square += (static_cast<double>(a[j]) - static_cast<double>(b[j])) *
                  (static_cast<double>(a[j]) - static_cast<double>(b[j]));
    return square;
}

// The share of the points that are left in groups that do not fall for the query that a point is.
double share_left(const HeadGroups &groups, const Heads &heads, std::int64_t query) {
    const float *head = heads.values + query * kHead;
    std::vector<double> about, at_least, guesses;
    groups.distances(head, heads.low[query], heads.high[query], about, at_least);
    std::vector<std::int64_t> nearest(about.size());
    std::iota(nearest.begin(), nearest.end(), 0);
    std::sort(nearest.begin(), nearest.end(), [&](std::int64_t a, std::int64_t b) {
        return about[static_cast<std::size_t>(a)] < about[static_cast<std::size_t>(b)];
    });
    const auto behind = [&](std::int64_t point) {
        return static_cast<double>(heads.high[point]) * static_cast<double>(heads.high[point]);
    };
    for (std::size_t g = 0; g < nearest.size() && static_cast<std::int64_t>(guesses.size()) < kTriedAmong; ++g)
        for (const std::int32_t point : groups.points(nearest[g]))
            if (point != query)
                guesses.push_back(square_apart(head, heads.values + std::int64_t{point} * kHead) + behind(point));
    std::nth_element(guesses.begin(), guesses.begin() + kTriedRank, guesses.end());
    const double tau = guesses[kTriedRank] + behind(query);
    std::int64_t left = 0;
    for (std::size_t g = 0; g < at_least.size(); ++g)
        left += at_least[g] <= tau ? static_cast<std::int64_t>(groups.points(static_cast<std::int64_t>(g)).size()) : 0;
    return static_cast<double>(left) / static_cast<double>(heads.n);
}

bool pays(const HeadGroups &groups, const Heads &heads, Xoshiro256pp &random, int threads, Watch &watch) {
    const std::vector<std::int64_t> queries = spread_rows(heads.n, kTried, random);
    std::vector<double> shares(queries.size());
    parallel_for(threads, kTried, watch, [&](std::int64_t item, int) {
        watch.poll();
        const auto at = static_cast<std::size_t>(item);
        shares[at] = share_left(groups, heads, queries[at]);
    });
    return std::accumulate(shares.begin(), shares.end(), 0.0) <= kLargestShare * static_cast<double>(kTried);
}

} // namespace

HeadGroups::HeadGroups(std::vector<std::int32_t> of_point, std::int64_t groups, const Heads &heads)
    : of_point_(std::move(of_point)), points_(of_point_.size()), all_(static_cast<std::size_t>(groups)),
      first_(static_cast<std::size_t>(groups) + 1), centres_(static_cast<std::size_t>(groups * kHead)),
      radius_(static_cast<std::size_t>(groups), 0),
      low_(static_cast<std::size_t>(groups), std::numeric_limits<float>::infinity()),
      high_(static_cast<std::size_t>(groups), 0) {
    std::iota(all_.begin(), all_.end(), 0);
    for (const std::int32_t group : of_point_)
        ++first_[static_cast<std::size_t>(group) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t point = 0; point < of_point_.size(); ++point)
        points_[static_cast<std::size_t>(next[static_cast<std::size_t>(of_point_[point])]++)] =
            static_cast<std::int32_t>(point);
    std::vector<double> sums(kHead);
    std::vector<float> centre(kHead);
    for (std::int64_t group = 0; group < groups; ++group) {
        const auto at = static_cast<std::size_t>(group);
        std::fill(sums.begin(), sums.end(), 0.0);
        for (const std::int32_t point : points(group))
            for (std::int64_t j = 0; j < kHead; ++j)
                sums[static_cast<std::size_t>(j)] += static_cast<double>(heads.values[point * kHead + j]);
        for (std::int64_t j = 0; j < kHead; ++j) {
            const double mean =
                sums[static_cast<std::size_t>(j)] / static_cast<double>(std::max<std::size_t>(1, points(group).size()));
            centre[static_cast<std::size_t>(j)] = static_cast<float>(mean);
            centres_[static_cast<std::size_t>((j / kBatch * groups + group) * kBatch + j % kBatch)] =
                static_cast<float>(mean);
        }
        for (const std::int32_t point : points(group)) {
            radius_[at] = std::max(radius_[at], std::sqrt(square_apart(centre.data(), heads.values + point * kHead)) *
                                                    (1 + 0x1p-40));
            low_[at] = std::min(low_[at], heads.low[point]);
            high_[at] = std::max(high_[at], heads.high[point]);
        }
    }
}

// The sums from the kernels are within 2^-20 of their values, and 2^-140 where they are tiny; what follows is in double.
void HeadGroups::distances(const float *head, float least, float most, std::vector<double> &about,
                           std::vector<double> &at_least) const {
    about.assign(radius_.size(), 0);
    at_least.resize(radius_.size());
    for (std::int64_t j = 0; j < kHead; j += kBatch)
        kernels().pull_sums_for(Source::f32, Rho::square)(centres_.data() + j * count(), all_.data(), count(), head + j,
                                                          {}, about.data());
    for (std::size_t g = 0; g < radius_.size(); ++g) {
        const double centre = std::sqrt(std::max(0.0, about[g] * (1 - 0x1p-19) - 0x1p-140));
        const double apart = std::max(0.0, centre - radius_[g]);
        const double gap = std::max({0.0, static_cast<double>(low_[g]) - static_cast<double>(most),
                                     static_cast<double>(least) - static_cast<double>(high_[g])});
        const double middle = (static_cast<double>(low_[g]) + static_cast<double>(high_[g])) / 2;
        about[g] += (middle - static_cast<double>(most)) * (middle - static_cast<double>(most));
        at_least[g] = (apart * apart + gap * gap) * (1 - 0x1p-40);
    }
}

std::uint64_t HeadGroups::bytes() const {
    return (of_point_.size() + points_.size() + all_.size()) * sizeof(std::int32_t) +
           first_.size() * sizeof(std::int64_t) + radius_.size() * sizeof(double) +
           (centres_.size() + low_.size() + high_.size()) * sizeof(float);
}

SectionSource HeadGroups::section() const {
    return {SectionKind::groups, of_point_.data(), static_cast<std::int64_t>(of_point_.size() * sizeof(std::int32_t)),
            nullptr};
}

HeadGroups group_heads(const Heads &heads, std::int64_t seed, int threads, Watch &watch) {
    if (heads.n < kLeastPoints || heads.n > kMostPoints)
        return {};
    Xoshiro256pp random(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 3; ++i) // what is before belongs to the order and the directions
        random.jump();
    const auto groups = static_cast<std::int64_t>(2 * std::sqrt(static_cast<double>(heads.n)));
    HeadGroups found(find_groups(heads, groups, random, threads, watch), groups, heads);
    return pays(found, heads, random, threads, watch) ? found : HeadGroups();
}

HeadGroups restore_groups(const Sections &sections, const Heads &heads) {
    if (!sections.has(SectionKind::groups))
        return {};
    const auto *from = sections.values<std::int32_t>(SectionKind::groups, heads.n);
    std::vector<std::int32_t> groups(from, from + heads.n);
    const auto [least, most] = std::minmax_element(groups.begin(), groups.end());
    if (heads.n == 0 || heads.n > kMostPoints || *least < 0 || *most >= heads.n)
        sections.fail_format("the groups are none of these points; the file is damaged");
    const std::int64_t count = *most + 1;
    return {std::move(groups), count, heads};
}

} // namespace bmo
