// The projected Monte Carlo box for cosine and inner product: see boxes/projected/projected_arms.hpp and boxes/projected/projected_points.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/angles.hpp"
#include "boxes/dense/angular_box.hpp"
#include "boxes/projected/projected_arms.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"

namespace bmo {

// For one thread, as AngularBox, which it asks for exact sums.
class ProjectedAngularBox : public ProjectedArms {
public:
    // Of the difference of two vectors of length 1, as they are formed: each value within 2^-51 of it, relatively.
    static constexpr double kError = 0x1p-49;

    ProjectedAngularBox(const Dataset &data, const ProjectedPrepared &prepared, const Angles &angles)
        : ProjectedArms(prepared, data.n()), angles_(angles), exact_(data, prepared.order, nullptr, angles),
          vector_(static_cast<std::size_t>(population())) {}

    void bind(const Queries &queries, std::int64_t query) { bind_together({this}, queries, query); }

    // Binds box i to query first + i. The queries are projected in one go, so that the directions are read once.
    static void bind_together(std::vector<ProjectedAngularBox *> boxes, const Queries &queries, std::int64_t first);

    std::int64_t arms() const { return exact_.arms(); }
    double exact(std::int32_t arm) { return exact_.exact(arm); }
    double sample_units(double exact_sum) const;

    std::uint64_t exact_ops(std::int32_t arm) const { return exact_.exact_ops(arm); }
    std::uint64_t brute_ops(std::int64_t self) const { return exact_.brute_ops(self); }
    std::uint64_t scan_ops(std::int64_t self) const { return exact_.scan_ops(self); }
    double distance(double exact_sum) const { return exact_.distance(exact_sum); }
    double sum_of_epsilon(double epsilon) const { return exact_.sum_of_epsilon(epsilon); }

private:
    const Angles &angles_;
    AngularBox exact_;
    std::vector<double> vector_;
};

} // namespace bmo
