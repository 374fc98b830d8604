#include "boxes/projected/projected_angular_box.hpp"

#include <cmath>

#include "boxes/projected/projected_points.hpp"

namespace bmo {

// A point is prepared as a query of cosine is; for inner product queries are other vectors than points.
void ProjectedAngularBox::bind_together(std::vector<ProjectedAngularBox *> boxes, const Queries &queries,
                                        std::int64_t first) {
    const bool stored = queries.own_points && boxes[0]->angles_.metric == BMO_METRIC_COSINE;
    std::vector<double> copies;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        ProjectedAngularBox &box = *boxes[i];
        const std::int64_t query = first + static_cast<std::int64_t>(i);
        box.exact_.bind(queries, query);
        ProjectedPoints::load_query(box.exact_.query(), box.vector_);
        box.begin(box.vector_.data(), 1);
        if (stored)
            box.take_row(queries.row(query));
        else
            copies.insert(copies.end(), box.vector_.begin(), box.vector_.end());
    }
    if (stored)
        return;
    const auto count = static_cast<std::int64_t>(boxes.size());
    std::vector<double> squares(boxes.size());
    std::vector<float> heads(boxes.size() * kHead);
    boxes[0]->project(row_major(BMO_F64, copies.data(), count, boxes[0]->population()), 0, count, heads.data(),
                      squares.data());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        boxes[i]->take_head(heads.data() + i * kHead, squares[i]);
}

// The squared distance is at most 2 (1 - cos), or 2 - 2 <q, x> / (|q| M), where the last value of a point, the root of what
// 1 - |x|^2 / M^2 comes to, adds kRounding at most. Where q or all points are zero, so is every product.
double ProjectedAngularBox::sample_units(double exact_sum) const {
    constexpr double kRounding = 0x1p-46;
    const Norm &norm = exact_.query().norm;
    double square = 2 * exact_sum;
    if (angles_.metric == BMO_METRIC_INNER_PRODUCT) {
        const bool zero = norm.is_zero() || angles_.largest.is_zero();
        square =
            kRounding + (zero ? (exact_sum < 0 ? -1 : 2) : 2 + 2 * exact_sum / (norm.root() * angles_.largest.root()));
    }
    if (square < 0)
        return square;
    return allowed((std::sqrt(square) + kError) * scale());
}

} // namespace bmo
