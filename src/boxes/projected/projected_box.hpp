// The projected Monte Carlo box for l2 and its square: see boxes/projected/projected_arms.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "boxes/dense/dense_box.hpp"
#include "boxes/projected/projected_arms.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"

namespace bmo {

// For one thread, as DenseBox, which it asks for exact sums.
class ProjectedBox : public ProjectedArms {
public:
    ProjectedBox(const Dataset &data, const ProjectedPrepared &prepared, const Metric &metric)
        : ProjectedArms(prepared, data.n()), exact_(data, prepared.order, nullptr, metric) {}

    void bind(const Queries &queries, std::int64_t query) { bind_together({this}, queries, query); }

    // Binds box i to query first + i. The queries are projected in one go, so that the directions are read once.
    static void bind_together(std::vector<ProjectedBox *> boxes, const Queries &queries, std::int64_t first);

    std::int64_t arms() const { return exact_.arms(); }
    double exact(std::int32_t arm) { return exact_.exact(arm); }
    void prefetch_exact(std::int32_t arm) const { exact_.prefetch_exact(arm); }
    double sample_units(double exact_sum) const;

    std::uint64_t exact_ops(std::int32_t arm) const { return exact_.exact_ops(arm); }
    std::uint64_t brute_ops(std::int64_t self) const { return exact_.brute_ops(self); }
    double distance(double exact_sum) const { return exact_.distance(exact_sum); }
    double sum_of_epsilon(double epsilon) const { return exact_.sum_of_epsilon(epsilon); }

private:
    static void project_together(const std::vector<ProjectedBox *> &boxes, const Queries &queries, std::int64_t first,
                                 float *heads, double *squares);

    DenseBox exact_;
};

} // namespace bmo
