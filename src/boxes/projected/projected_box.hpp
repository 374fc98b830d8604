// The projected Monte Carlo box for l2 and its square: see boxes/projected/projected_arms.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/box.hpp"
#include "boxes/dense/dense_box.hpp"
#include "boxes/projected/projected_arms.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"

namespace bmo {

// For one thread, as DenseBox, which it asks for exact sums.
class ProjectedBox : public ProjectedArms, public ExactBy<ProjectedBox, DenseBox> {
public:
    ProjectedBox(const Dataset &data, const ProjectedPrepared &prepared, const Metric &metric)
        : ProjectedArms(prepared, data.n()), ExactBy(data, prepared.order, nullptr, metric) {}

    void bind(const Queries &queries, std::int64_t query) { bind_together({this}, queries, query); }

    // Binds box i to query first + i. The queries are projected in one go, so that the directions are read once.
    static void bind_together(std::vector<ProjectedBox *> boxes, const Queries &queries, std::int64_t first);

    // Of the samples and heads, not the defaults.
    using ProjectedArms::population, ProjectedArms::readable, ProjectedArms::bet, ProjectedArms::prefetch,
        ProjectedArms::projection_ops;

    double sample_units(double exact_sum) const;

private:
    static void project_together(const std::vector<ProjectedBox *> &boxes, const Queries &queries, std::int64_t first,
                                 float *heads, double *squares);
};
static_assert(QueryBox<ProjectedBox> && GroupedBox<ProjectedBox>);

} // namespace bmo
