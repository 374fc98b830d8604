#include "boxes/projected/coefficient_groups.hpp"

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
constexpr std::int64_t kSampledPerGroup = 8;  // points that the centers are found from
constexpr int kIterations = 2;                // of k-means
constexpr std::int64_t kTried = 32;           // sampled points that ask, to see whether groups pay:
constexpr std::size_t kTriedAmong = 256; // the distance of the third of the nearest 256 of the sample stands for tau,
constexpr std::ptrdiff_t kTriedRank = 2; // and
constexpr double kLargestShare = 0.25;   // so much of the points may be left in groups that do not fall

// A point: its head, the norm behind it, 1 and zeros. A center c: the same numbers, of which |c|^2 / 2 is taken off in the
// place of the 1, so that the nearest center has the largest product.
constexpr std::int64_t kOne = kHead + 1, kRow = (kOne + 4) / 4 * 4;

bool may_have_groups(std::int64_t n) {
    return n >= kLeastPoints && n <= kMostPoints;
}

void read_row(const Heads &heads, std::int64_t point, float *row) {
    std::copy_n(heads.values + point * kHead, kHead, row);
    row[kHead] = heads.high[point];
    row[kOne] = 1;
    std::fill(row + kOne + 1, row + kRow, 0.0F);
}

// The centers of a k-means.
class Centers {
public:
    Centers(const Heads &heads, const std::vector<std::int64_t> &start)
        : count_(start.size()), blocks_((start.size() + kBatch - 1) / kBatch), values_(blocks_ * kRow * kBatch) {
        std::fill(values_.begin(), values_.end(), 0.0F);
        for (std::size_t g = 0; g < blocks_ * kBatch; ++g)
            *place(g, kOne) = std::numeric_limits<float>::lowest(); // there is none
        float row[kRow];
        for (std::size_t g = 0; g < count_; ++g) {
            read_row(heads, start[g], row);
            put(g, row);
        }
    }

    // That of each point.
    std::vector<std::int32_t> nearest(const Heads &heads, int threads, Watch &watch) const {
        constexpr std::int64_t kPoints = 128; // of one item
        std::vector<std::vector<float>> products(static_cast<std::size_t>(threads));
        std::vector<std::int32_t> found(static_cast<std::size_t>(heads.n));
        parallel_for(threads, (heads.n + kPoints - 1) / kPoints, watch, [&](std::int64_t item, int thread) {
            watch.poll();
            std::vector<float> &out = products[static_cast<std::size_t>(thread)];
            out.resize(blocks_ * kBatch);
            float row[kRow];
            for (std::int64_t i = item * kPoints; i < std::min(heads.n, (item + 1) * kPoints); ++i) {
                read_row(heads, i, row);
                kernels().expand(values_.data(), static_cast<std::int64_t>(blocks_), row, kRow, out.data());
                found[static_cast<std::size_t>(i)] = largest(out);
            }
        });
        return found;
    }

    // Each center becomes the mean of its points; one that has none stays.
    void move(const Heads &heads, const std::vector<std::int32_t> &groups) {
        std::vector<double> sums(count_ * kRow, 0), counts(count_, 0);
        float row[kRow];
        for (std::int64_t point = 0; point < heads.n; ++point) {
            const auto group = static_cast<std::size_t>(groups[static_cast<std::size_t>(point)]);
            read_row(heads, point, row);
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

    std::size_t count_, blocks_;
    AlignedVector<float> values_; // blocks of kRow x 16
};

// Some points, as Heads.
class Sample {
public:
    Sample(const Heads &heads, const std::vector<std::int64_t> &points) {
        for (const std::int64_t point : points) {
            values_.insert(values_.end(), heads.values + point * kHead, heads.values + (point + 1) * kHead);
            low_.push_back(heads.low[point]);
            high_.push_back(heads.high[point]);
        }
    }
    Heads heads() const { return {static_cast<std::int64_t>(low_.size()), values_.data(), low_.data(), high_.data()}; }

private:
    std::vector<float> values_, low_, high_;
};

double square_apart(const float *a, const float *b) {
    double square = 0;
    for (std::int64_t j = 0; j < kHead; ++j)
        square += (static_cast<double>(a[j]) - static_cast<double>(b[j])) *
                  (static_cast<double>(a[j]) - static_cast<double>(b[j]));
    return square;
}

double square_behind(const Heads &heads, std::int64_t point) {
    return static_cast<double>(heads.high[point]) * static_cast<double>(heads.high[point]);
}

// Squared distances of points in the groups nearest to the query that a point is, as if what is behind heads were orthogonal.
std::vector<double> near_distances(const CoefficientGroups &groups, const std::vector<double> &about,
                                   const Heads &heads, std::int64_t query) {
    std::vector<std::int64_t> nearest(about.size());
    std::iota(nearest.begin(), nearest.end(), 0);
    std::sort(nearest.begin(), nearest.end(), [&](std::int64_t a, std::int64_t b) {
        return about[static_cast<std::size_t>(a)] < about[static_cast<std::size_t>(b)];
    });
    std::vector<double> found;
    for (const std::int64_t group : nearest)
        for (const std::int32_t point : groups.points(group)) {
            if (found.size() == kTriedAmong)
                return found;
            if (point != query)
                found.push_back(square_apart(heads.values + query * kHead, heads.values + point * kHead) +
                                square_behind(heads, point) + square_behind(heads, query));
        }
    return found;
}

// The share of the points that are left in groups that do not fall for the query that a point is.
double share_left(const CoefficientGroups &groups, const Heads &heads, std::int64_t query) {
    std::vector<double> about, at_least;
    groups.distances(heads.values + query * kHead, heads.low[query], heads.high[query], about, at_least);
    std::vector<double> near = near_distances(groups, about, heads, query);
    std::nth_element(near.begin(), near.begin() + kTriedRank, near.end());
    std::size_t left = 0;
    for (std::int64_t group = 0; group < groups.count(); ++group)
        left += at_least[static_cast<std::size_t>(group)] <= near[kTriedRank] ? groups.points(group).size() : 0;
    return static_cast<double>(left) / static_cast<double>(heads.n);
}

bool pays(const CoefficientGroups &groups, const Heads &heads, Xoshiro256pp &random, int threads, Watch &watch) {
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

CoefficientGroups::CoefficientGroups(const std::vector<std::int32_t> &of_point, const Heads &heads, Watch &watch)
    : points_(of_point.size()) {
    list_points(of_point);
    const auto groups = static_cast<std::size_t>(count());
    all_.resize(groups);
    std::iota(all_.begin(), all_.end(), 0);
    centers_.resize(groups * kHead);
    radius_.assign(groups, 0);
    low_.assign(groups, std::numeric_limits<float>::infinity());
    high_.assign(groups, 0);
    for (std::int64_t group = 0; group < count(); ++group) {
        watch.poll();
        bound_points(group, find_center(group, heads), heads);
    }
}

void CoefficientGroups::list_points(const std::vector<std::int32_t> &of_point) {
    std::vector<std::int64_t> sizes(kMost, 0), next(kMost, 0);
    for (const std::int32_t group : of_point)
        ++sizes[static_cast<std::size_t>(group)];
    first_.assign(1, 0);
    for (std::size_t group = 0; group < sizes.size(); ++group) {
        next[group] = first_.back();
        if (sizes[group] > 0)
            first_.push_back(first_.back() + sizes[group]);
    }
    for (std::size_t point = 0; point < of_point.size(); ++point)
        points_[static_cast<std::size_t>(next[static_cast<std::size_t>(of_point[point])]++)] =
            static_cast<std::int32_t>(point);
}

std::vector<float> CoefficientGroups::find_center(std::int64_t group, const Heads &heads) {
    std::vector<double> sums(kHead, 0);
    for (const std::int32_t point : points(group))
        for (std::size_t j = 0; j < kHead; ++j)
            sums[j] += static_cast<double>(heads.values[static_cast<std::size_t>(point) * kHead + j]);
    std::vector<float> center(kHead);
    for (std::size_t j = 0; j < kHead; ++j) {
        center[j] = static_cast<float>(sums[j] / static_cast<double>(points(group).size()));
        centers_[(j / kBatch * all_.size() + static_cast<std::size_t>(group)) * kBatch + j % kBatch] = center[j];
    }
    return center;
}

void CoefficientGroups::bound_points(std::int64_t group, const std::vector<float> &center, const Heads &heads) {
    constexpr double kUp = 1 + 0x1p-40;
    const auto at = static_cast<std::size_t>(group);
    for (const std::int32_t point : points(group)) {
        const double apart = std::sqrt(square_apart(center.data(), heads.values + std::int64_t{point} * kHead));
        radius_[at] = std::max(radius_[at], apart * kUp);
        low_[at] = std::min(low_[at], heads.low[point]);
        high_[at] = std::max(high_[at], heads.high[point]);
    }
}

// The sums from the kernels are within 2^-20 of their values, and 2^-140 if they are tiny, or less (kSampleLimit); what
// follows is in double.
void CoefficientGroups::distances(const float *head, float least, float most, std::vector<double> &about,
                                  std::vector<double> &at_least) const {
    about.assign(radius_.size(), 0);
    at_least.resize(radius_.size());
    for (std::int64_t j = 0; j < kHead; j += kBatch)
        kernels().pull_sums_for(ValueType::f32, Rho::square)(centers_.data() + j * count(), all_.data(), count(),
                                                             head + j, {}, about.data());
    for (std::size_t g = 0; g < radius_.size(); ++g) {
        const double center = std::sqrt(std::max(0.0, about[g] * (1 - 0x1p-19) - 0x1p-140));
        const double apart = std::max(0.0, center - radius_[g]);
        const double gap = std::max({0.0, static_cast<double>(low_[g]) - static_cast<double>(most),
                                     static_cast<double>(least) - static_cast<double>(high_[g])});
        const double middle = (static_cast<double>(low_[g]) + static_cast<double>(high_[g])) / 2;
        about[g] += (middle - static_cast<double>(most)) * (middle - static_cast<double>(most));
        at_least[g] = (apart * apart + gap * gap) * (1 - 0x1p-40);
    }
}

std::uint64_t CoefficientGroups::bytes() const {
    return (points_.size() + all_.size()) * sizeof(std::int32_t) + first_.size() * sizeof(std::int64_t) +
           radius_.size() * sizeof(double) + (centers_.size() + low_.size() + high_.size()) * sizeof(float);
}

SectionSource CoefficientGroups::section() const {
    std::vector<std::int32_t> of_point(points_.size());
    for (const std::int32_t group : all_)
        for (const std::int32_t point : points(group))
            of_point[static_cast<std::size_t>(point)] = group;
    return SectionSource::of(SectionKind::groups, std::move(of_point));
}

CoefficientGroups CoefficientGroups::subset(std::span<const std::int64_t> rows, const Heads &heads,
                                            Watch &watch) const {
    if (count() == 0 || !may_have_groups(heads.n))
        return {};
    SmallSteps steps(watch);
    std::vector<std::int32_t> of_all(points_.size()), of_point;
    for (std::int64_t group = 0; group < count(); ++group)
        for (const std::int32_t point : points(group)) {
            steps.step();
            of_all[static_cast<std::size_t>(point)] = static_cast<std::int32_t>(group);
        }
    of_point.reserve(rows.size());
    for (const std::int64_t row : rows) {
        steps.step();
        of_point.push_back(of_all[static_cast<std::size_t>(row)]);
    }
    return {of_point, heads, watch};
}

CoefficientGroups group_heads(const Heads &heads, std::int64_t seed, int threads, Watch &watch) {
    if (!may_have_groups(heads.n))
        return {};
    Xoshiro256pp random(static_cast<std::uint64_t>(seed));
    for (int i = 0; i < 3; ++i) // what is before belongs to the order and the directions
        random.jump();
    const std::int64_t groups =
        std::min<std::int64_t>(CoefficientGroups::kMost, 2 * std::llround(std::sqrt(static_cast<double>(heads.n))));
    const Sample sample(heads, spread_rows(heads.n, kSampledPerGroup * groups, random));
    const Heads some = sample.heads();
    Centers centers(some, spread_rows(some.n, groups, random));
    for (int i = 0; i < kIterations; ++i)
        centers.move(some, centers.nearest(some, threads, watch));
    if (!pays(CoefficientGroups(centers.nearest(some, threads, watch), some, watch), some, random, threads, watch))
        return {};
    return {centers.nearest(heads, threads, watch), heads, watch};
}

CoefficientGroups restore_groups(const Sections &sections, const Heads &heads, Watch &watch) {
    if (!sections.has(SectionKind::groups))
        return {};
    const auto *from = sections.values<std::int32_t>(SectionKind::groups, heads.n);
    const auto is_group = [](std::int32_t group) { return group >= 0 && group < CoefficientGroups::kMost; };
    if (heads.n > kMostPoints || !std::all_of(from, from + heads.n, is_group))
        sections.fail_format("the groups are none of these points; the file is damaged");
    return {{from, from + heads.n}, heads, watch};
}

} // namespace bmo
