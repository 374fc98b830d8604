// The projected Monte Carlo box for cosine and inner product: see boxes/projected/projected_arms.hpp and
// boxes/projected/projected_points.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/angles.hpp"
#include "boxes/box.hpp"
#include "boxes/dense/angular_box.hpp"
#include "boxes/projected/projected_arms.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"

namespace bmo {

// For one thread, as AngularBox, which it asks for exact sums.
class ProjectedAngularBox : public ProjectedArms, public ExactBy<ProjectedAngularBox, AngularBox> {
public:
    // Of the difference of two vectors of length 1, as they are formed: each value within 2^-51 of it, relatively.
    static constexpr double kError = 0x1p-49;

    ProjectedAngularBox(const Dataset &data, const ProjectedPrepared &prepared, const Angles &angles)
        : ProjectedArms(prepared, data.n()), ExactBy(data, prepared.order, nullptr, angles), angles_(angles),
          vector_(static_cast<std::size_t>(population())) {}

    void bind(const Queries &queries, std::int64_t query) { bind_together({this}, queries, query); }

    // Binds box i to query first + i. The queries are projected in one go, so that the directions are read once.
    static void bind_together(std::vector<ProjectedAngularBox *> boxes, const Queries &queries, std::int64_t first);

    // Of the samples and heads, not the defaults.
    using ProjectedArms::population, ProjectedArms::readable, ProjectedArms::bet, ProjectedArms::prefetch,
        ProjectedArms::projection_ops;

    double sample_units(double exact_sum) const;

private:
    const Angles &angles_;
    std::vector<double> vector_;
};
static_assert(QueryBox<ProjectedAngularBox> && GroupedBox<ProjectedAngularBox>);

} // namespace bmo
