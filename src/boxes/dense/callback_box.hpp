// The dense Monte Carlo box of a caller's coordinate distance: a sample of an arm is what the callback says of the next
// coordinate of the shared random order. The distance is the sum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/box.hpp"
#include "boxes/dense/dense_rows.hpp"
#include "boxes/dense/point_reader.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "data/settings.hpp"

namespace bmo {

// For one thread.
class CallbackBox : public BoxDefaults<CallbackBox> {
public:
    // order: the order of the preparation, if there is one (else null). All outlive the box.
    CallbackBox(const Dataset &data, const Order &order, const DensePrepared *prepared, const CustomRho &rho);

    void bind(const Queries &queries, std::int64_t query);

    std::int64_t arms() const { return data_.n(); }
    std::int64_t population() const { return data_.d(); }

    std::uint64_t pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z);

    // In the order of the coordinates.
    double exact(std::int32_t arm);
    double sample_units(double exact_sum) const { return exact_sum; }

    std::uint64_t exact_ops(std::int32_t) const { return static_cast<std::uint64_t>(data_.d()); }
    std::uint64_t brute_ops(std::int64_t self) const {
        return static_cast<std::uint64_t>(data_.n() - (self < 0 ? 0 : 1)) * static_cast<std::uint64_t>(data_.d());
    }
    double distance(double exact_sum) const { return exact_sum; }
    double sum_of_epsilon(double epsilon) const { return epsilon * static_cast<double>(data_.d()); }

private:
    // Coordinate pairs to ask about, and the answers.
    struct Pairs {
        std::vector<std::int64_t> coord;
        std::vector<double> a, b, rho;

        void resize(std::size_t count);
    };
    void ask(std::size_t count);
    void check_answers(std::size_t count, std::span<const std::int32_t> arms, std::size_t of_each) const;

    const Dataset &data_;
    const Order &order_;
    const CustomRho &rho_;
    DenseRows rows_;
    PointReader reader_;
    std::vector<double> query_;
    PartOfSearch part_; // that the query is asked in
    Pairs pairs_;
};
static_assert(QueryBox<CallbackBox>);

} // namespace bmo
