// The assignment step of k-means: the nearest center of every point, ties to the lowest, exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bandit/cost.hpp"
#include "bandit/nearest.hpp"
#include "boxes/dense/dense_box.hpp"
#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "search/clusters/center_bounds.hpp"
#include "util/watch.hpp"

namespace bmo {

// The k centers as a dataset, row-major, in double.
class Centers {
public:
    Centers(std::int64_t k, std::int64_t d);

    std::int64_t k() const { return data_->dense.n; }
    std::int64_t d() const { return data_->dense.d; }
    std::span<double> row(std::int64_t center);
    std::span<double> values() { return values_; }
    const double *row_values(std::int64_t center) const { return values_.data() + center * d(); }
    const DenseView &view() const { return data_->dense; }
    const std::shared_ptr<Dataset> &data() const { return data_; }
    // After the values were changed. Fails with BMO_EOVERFLOW if one is not finite.
    void changed();

private:
    std::vector<double> values_;
    std::shared_ptr<Dataset> data_;
};

// What one thread computes exact distances with.
class PointToCenters {
public:
    PointToCenters(const Dataset &points, const Centers &centers, const Order &order);

    void choose(std::int64_t point) { point_ = point, bound_ = false; }
    // Sums that compare as the squared distances do.
    double sum(std::int64_t center);
    double square(double sum) const { return box_.distance(sum); }
    double sum_at(double sum, double scale) const { return box_.sum_at(sum, scale); } // of values times `scale`

    // Of a sparse point, from its entries alone: |c|^2 + sum of x_j (x_j - 2 c_j). With u = 2^-53, rounding moves the first
    // by at most d u |c|^2, and the terms and their sum by (entries + 2) u (|x|^2 + 2 |x| |c|): less than `error` in all, which
    // has room for what products lose below the range of double.
    struct Near {
        double square, error;
    };
    Near near(std::int64_t center, double square_of_center);

    Cost cost;

private:
    Queries queries_;
    const Centers &centers_;
    DenseBox box_;
    std::int64_t point_ = 0;
    bool bound_ = false;
};

class Assignment {
public:
    // Both outlive it. settings: decided, of metric sqeuclidean. exact: every distance is computed.
    Assignment(const Dataset &points, Centers &centers, const Settings &settings, bool exact, Watch &watch);

    // The centers are new, or the former ones moved.
    void placed(bool moved);
    // The nearest center of each point. Returns how many labels that changed.
    std::int64_t assign(std::span<std::int32_t> labels, Watch &watch);
    // squares[i] = the squared distance of point i to its center.
    void distances(std::span<const std::int32_t> labels, std::span<double> squares, Watch &watch);
    // The same, lowered to the distance to center c if that is less.
    void lower_to(std::int64_t center, std::span<double> squares, Watch &watch);

    Cost cost() const;

private:
    struct PointSlot {
        PointToCenters distances;
        Intervals intervals;
        std::vector<std::int32_t> candidates;
        std::vector<Finished> nearest; // sum < 0: narrowed, not computed
        std::int64_t changed = 0;
    };

    template <class Visit>
    void for_points(Watch &watch, const Visit &visit);
    std::int32_t nearest(std::int64_t point, PointSlot &slot);
    std::int32_t first_of_computed(std::int64_t point, PointSlot &slot);
    std::int32_t first_of_all(PointSlot &slot);
    bool narrow(std::int64_t point, std::int32_t center, PointSlot &slot);
    double compute(std::int64_t point, std::int32_t center, PointSlot &slot);
    std::int64_t scan(std::span<std::int32_t> labels, Watch &watch);

    const Dataset &points_;
    Centers &centers_;
    Settings settings_;
    Order order_;
    std::optional<CenterBounds> bounds_;            // none: every distance is computed
    std::vector<std::unique_ptr<PointSlot>> slots_; // of the threads
    std::vector<double> squares_;                   // |c|^2 of the centers, if the points are sparse
    Cost scanned_;
};

} // namespace bmo
