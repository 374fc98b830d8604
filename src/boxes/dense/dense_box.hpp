// The dense Monte Carlo box: a sample of an arm is rho(q_j, x_j) at the next coordinate of the shared random order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/box.hpp"
#include "boxes/dense/point_reader.hpp"
#include "boxes/metric.hpp"
#include "boxes/order.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

struct DensePrepared;

// For one thread: holds the query that it is bound to. Sums are "exact" sums, in units of a scale to the p-th
// power, or codes of sums that are too small for it (boxes/far_number.hpp); samples have units of their own, to which
// sample_units() converts.
class DenseBox : public BoxDefaults<DenseBox> {
public:
    // order: of the preparation, if there is one (else null), or an importance order of parts. All outlive the box.
    DenseBox(const Dataset &data, const Order &order, const DensePrepared *prepared, const Metric &metric);

    void bind(const Queries &queries, std::int64_t query);

    std::int64_t arms() const { return data_.n(); }
    std::int64_t population() const { return data_.d(); }

    // z[16 i + j]: sample first + j of arms[i], for j < width. first is a multiple of 16.
    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z);

    // The same with what becomes of the samples in one go: see bandit/race/sampler.hpp.
    std::uint64_t bet(std::int64_t first, std::span<const std::int32_t> arms, const Look &look, const ArmState &state,
                      std::uint8_t *keep);
    std::uint64_t add_sums(std::int64_t first, std::span<const std::int32_t> arms, double *sums);
    void prefetch(std::int64_t first, std::span<const std::int32_t> arms) const;
    // Samples of one arm: from `first` on in the order, or at some coordinates.
    void prefetch_next(std::int32_t arm, std::int64_t first, std::int64_t count) const;
    void prefetch_drawn(std::int32_t arm, std::span<const std::int32_t> coords) const;

    // z[j]: the sample of one arm at coordinate coords[j], for j < width <= 16.
    void sample(std::int32_t arm, const std::int32_t *coords, int width, float *z);

    // No sample of the bound query is above it.
    double largest_sample() const;

    // The whole sum of an arm. From differences, in double or integers; the same bits on every instruction set.
    double exact(std::int32_t arm);
    void read_from(const ReadRows *rows) { reader_.read_from(rows); }
    void prefetch_exact(std::int32_t arm) const;

    // The exact sum in the units of samples, rounded up.
    double sample_units(double exact_sum) const { return exact_sum * unit_ratio_; }

    std::uint64_t exact_ops(std::int32_t) const { return static_cast<std::uint64_t>(data_.d()); }
    std::uint64_t brute_ops(std::int64_t self) const {
        return static_cast<std::uint64_t>(data_.n() - (self < 0 ? 0 : 1)) * static_cast<std::uint64_t>(data_.d());
    }

    double distance(double exact_sum) const { return metric_.distance(exact_sum, exact_rho_.scale); }
    // root: of weights, by whose square they are divided.
    double sum_of_epsilon(double epsilon, double root = 1) const {
        return metric_.sum_of_epsilon(epsilon, data_.d(), exact_rho_.scale, root);
    }
    double sample_of(double distance, double root = 1) const {
        return sample_units(sum_of_epsilon(distance, root)) / static_cast<double>(data_.d());
    }

    // An exact sum in units of another scale, a power of two.
    double sum_at(double exact_sum, double scale) const;

    const std::vector<double> &query() const { return query_; }
    double largest_query() const { return largest_query_; } // |value|; at least that, if data have larger ones
    double exact_scale() const { return exact_rho_.scale; } // a power of two: values are multiplied by it

private:
    void choose_scales(double largest);
    void choose_source(double largest, bmo_dtype query_dtype);
    bool differs_by_little() const;
    double pair_sum(const void *point) const;
    void order_query_block(std::int64_t block);

    // What a kernel needs to pull a batch.
    struct Batch {
        const void *rows;
        const std::int32_t *arms; // as rows counts them
        const void *query;
    };
    Batch batch_at(std::int64_t first, int width, std::span<const std::int32_t> arms);
    void gather(const std::int32_t *coords, int width, std::span<const std::int32_t> arms);

    const Dataset &data_;
    const Order &order_;
    const DensePrepared *prepared_;
    Metric metric_;
    const Kernels &kernels_;

    ValueType source_ = ValueType::f32;
    bool narrow_ = true;
    PullKernel pull_ = nullptr;
    PullBetKernel pull_bet_ = nullptr;
    PullSumsKernel pull_sums_ = nullptr;
    ExactKernel exact_ = nullptr;
    ExactBytesKernel exact_bytes_ = nullptr; // null: query or data are not bytes
    RhoScale pull_rho_, exact_rho_;
    double unit_ratio_ = 1;
    double least_plain_ = 0, largest_query_ = 0;

    std::vector<double> query_;            // as given
    AlignedVector<double> scaled_query_;   // times the scale of exact sums
    std::vector<std::uint8_t> byte_query_; // if exact_bytes_
    AlignedVector<float> narrow_order_;    // the query in the shared order, as far as it was needed
    AlignedVector<double> wide_order_;
    std::int64_t ordered_blocks_ = 0;
    PointReader reader_;
    AlignedVector<std::byte> gathered_; // a chunk of rows, of a source that is not contiguous
    std::vector<std::int32_t> gathered_arms_;
};
static_assert(QueryBox<DenseBox> && DrawableBox<DenseBox>);

} // namespace bmo
