#include "boxes/projected/projected_box.hpp"

#include <algorithm>
#include <cmath>

namespace bmo {

void ProjectedBox::bind_together(std::vector<ProjectedBox *> boxes, const Queries &queries, std::int64_t first) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const std::int64_t query = first + static_cast<std::int64_t>(i);
        boxes[i]->exact_.bind(queries, query);
        boxes[i]->begin(boxes[i]->exact_.query().data(), queries.max_abs);
        if (queries.own_points)
            boxes[i]->take_row(queries.row(query));
    }
    if (queries.own_points)
        return;
    std::vector<double> squares(boxes.size());
    std::vector<float> heads(boxes.size() * kHead);
    project_together(boxes, queries, first, heads.data(), squares.data());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        boxes[i]->take_head(heads.data() + i * kHead, squares[i]);
}

// From where the queries lie, if they are of a type that points can have.
void ProjectedBox::project_together(const std::vector<ProjectedBox *> &boxes, const Queries &queries,
                                    std::int64_t first, float *heads, double *squares) {
    ProjectedBox &leader = *boxes[0];
    const auto count = static_cast<std::int64_t>(boxes.size());
    const PointsView &points = queries.points;
    if (points.kind == Kind::dense && !queries.rows && points.dtype() != BMO_I32 && points.dtype() != BMO_I64)
        return leader.project(points.dense, first, count, heads, squares);
    std::vector<double> copies;
    for (const ProjectedBox *box : boxes)
        copies.insert(copies.end(), box->exact_.query().begin(), box->exact_.query().end());
    leader.project(row_major(BMO_F64, copies.data(), count, leader.population()), 0, count, heads, squares);
}

double ProjectedBox::sample_units(double exact_sum) const {
    if (exact_sum < 0)
        return exact_sum;
    return allowed(std::sqrt(exact_sum) * (scale() / exact_.exact_scale()));
}

} // namespace bmo
