// The box of importance sampling: a sample of an arm is a part of a coordinate distance. See boxes/dense/importance_order.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "boxes/box.hpp"
#include "boxes/dense/dense_box.hpp"
#include "boxes/dense/importance_order.hpp"
#include "boxes/dense/weighted_box.hpp"
#include "data/queries.hpp"
#include "simd/kernels.hpp"

namespace bmo {

// For one thread. Base: DenseBox or WeightedBox, of which it is a view; `more` is what its constructor takes further.
template <class Base>
class ImportanceBox : public ExactBy<ImportanceBox<Base>, Base> {
public:
    template <class... More>
    ImportanceBox(const Dataset &data, const ImportanceOrder &parts, const Metric &metric, const More &...more)
        : ExactBy<ImportanceBox, Base>(data, parts.order, nullptr, metric, more...), parts_(parts) {}

    void bind(const Queries &queries, std::int64_t query) {
        this->exact_.bind(queries, query);
        heads_.assign(parts_.head > 0 ? static_cast<std::size_t>(this->arms()) : 0, 0);
    }

    std::int64_t population() const { return parts_.population(); }
    std::int64_t whole() const { return std::min(population(), this->exact_.population()); }
    std::int64_t head() const { return parts_.head; }

    // The share adds 2^-23 to the relative error of a sample: within what bandit/betting.hpp allows.
    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
        const std::uint64_t operations = this->exact_.pull(parts_.head + first, width, arms, z);
        const float *share = parts_.share.data() + parts_.head + first;
        for (std::size_t i = 0; i < arms.size(); ++i, z += kBatch)
            for (int j = 0; j < kBatch; ++j)
                z[j] *= share[j];
        return operations;
    }

    std::uint64_t read_head(std::int64_t first, std::int64_t last) {
        constexpr std::int64_t kArms = 256; // at a time
        // What samples that are subnormal may have lost: see bandit/betting.hpp.
        const double slack = static_cast<double>(parts_.head) * 0x1p-140;
        std::uint64_t operations = 0;
        for (; first < last && parts_.head > 0; first += kArms) {
            chosen_.clear();
            for (std::int64_t arm = first; arm < std::min(last, first + kArms); ++arm)
                chosen_.push_back(static_cast<std::int32_t>(arm));
            samples_.resize(chosen_.size() * kBatch);
            double *sums = heads_.data() + first;
            for (std::int64_t at = 0; at < parts_.head; at += kBatch) {
                operations += this->exact_.pull(at, kBatch, chosen_, samples_.data());
                kernels().add_sums(samples_.data(), static_cast<std::int64_t>(chosen_.size()), sums);
            }
            for (std::size_t i = 0; i < chosen_.size(); ++i)
                sums[i] = std::max(0.0, sums[i] - slack);
        }
        return operations;
    }

    double start_sum(std::int32_t arm) const { return heads_.empty() ? 0 : heads_[static_cast<std::size_t>(arm)]; }

    double largest_sample() const { return this->exact_.largest_sample(); }
    double sample_units(double exact_sum) const { return this->exact_.sample_units(exact_sum); }
    double sample_of(double distance) const { return this->exact_.sample_of(distance); }

private:
    const ImportanceOrder &parts_;
    std::vector<double> heads_; // the head's part of each arm's sum, none too large
    std::vector<std::int32_t> chosen_;
    AlignedVector<float> samples_;
};
static_assert(QueryBox<ImportanceBox<DenseBox>> && OrderedBox<ImportanceBox<DenseBox>>);
static_assert(QueryBox<ImportanceBox<WeightedBox>> && OrderedBox<ImportanceBox<WeightedBox>>);
static_assert(kStarts<ImportanceBox<DenseBox>>);

} // namespace bmo
