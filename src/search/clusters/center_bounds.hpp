// Bounds of the distances between points and centers that move a little from one step to the next, as in k-means.
//
// Let y be points and centers, centered and scaled, and a the stored head of y in 48 leading directions
// (boxes/projected/projected_prepared.hpp). For a point x and a center c, the squared distance is
//     D = |a_x - a_c|^2 + (|y_x|^2 - |a_x|^2) + (|y_c|^2 - |a_c|^2) + Z,    Z = 2 <a_x, a_c> - 2 <y_x, y_c>:
// all but Z is known from the heads. Two facts bound Z, with p the norm of what is left of y behind its head and e the error
// of a head in units of |y|:
//     |Z| / 2 <= p_x p_c + (2 e + e^2) |y_x| |y_c|, by Cauchy and Schwarz;
//     if Z is Z' once the center has moved by w, whose part behind the directions has the norm r, then
//     |Z - Z'| / 2 <= p_x r + e |y_x| |w| + (1 + e) |y_x| (e |y_c| + e |y_c'|).
// The second holds of a sequence of moves with the sums of r and |w|: a distance that was computed once tells of the later
// ones. Nothing here is a matter of chance.
//
// Of e |y_x| |w|: with P_x >= p_x and >= e |y_x| / theta it is at most P_x theta |w|, so that one number a pair, the sum of
// r + theta |w|, is all that is kept. The other terms do not grow with the moves: slack() is at least their sum, and that
// of what rounding does to the norms (within 2^-21), and to Z if it is kept as float.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "boxes/projected/projected_prepared.hpp"
#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "util/watch.hpp"

namespace bmo {

// Of a point and each center: D less what is the point's own, |y_x|^2 - |a_x|^2, is within [lower, upper].
struct Intervals {
    std::vector<double> lower, upper;
    std::vector<double> heads; // the same less Z: what the heads alone say
};

class CenterBounds {
public:
    // For k centers. Directions and heads are those of the preparation for the projected box, or found here.
    CenterBounds(const Dataset &data, std::int64_t k, const Settings &settings, Watch &watch);

    // New centers, or the same ones moved: rows of doubles. What was computed before is known of moved ones.
    void place(const DenseView &centers, bool moved);

    // Different points may be asked about, and learned of, by several threads at once.
    void bound(std::int64_t point, Intervals &intervals);
    // The squared distance, in units of y, was computed. Both bounds are it afterwards.
    void learn(std::int64_t point, std::int64_t center, double square, Intervals &intervals);

    // So much a square that is learned may be off by: slack() has room for it.
    double rounding(std::int64_t point) const {
        const double norm = norms_[static_cast<std::size_t>(point)];
        return 0x1p-24 * norm * norm;
    }

    double scale() const { return projection_->scale(); }         // of y
    std::uint64_t projection_ops() const { return project_ops_; } // so far
    static constexpr std::int64_t kOps = kHead;                   // coordinate operations of a pair's bounds

private:
    // Centers, as the bounds need them.
    struct Placed {
        std::vector<double> values;             // k x d
        std::vector<float> heads;               // k x kHead
        std::vector<double> by_direction;       // kHead x k: the same
        std::vector<double> rests, left, norms; // |y|^2 - |a|^2; at least p; at least |y|
    };

    void take_points(const Dataset &data, int threads, Watch &watch);
    void read_heads(const ProjectedPrepared &prepared, const DenseView &points, std::int64_t first, std::int64_t count,
                    double *squares);
    void take_norms(std::int64_t point, double square);
    Placed project_centers(const DenseView &centers);
    bool stays(const double *values, std::int64_t center) const;
    static void copy_center(const Placed &from, std::int64_t center, Placed &to);
    void project_center(const DenseView &centers, std::int64_t center, Placed &placed, Projection::Workspace &work);
    double moved_by(const Placed &before, const Placed &after, std::int64_t center) const;
    double slack(std::int64_t point) const;

    std::shared_ptr<const Projection> projection_;
    std::int64_t n_, d_, k_;
    double error_;                                // e
    double largest_;                              // |value| of the points
    std::vector<float> heads_;                    // n x kHead
    std::vector<double> norms_, rests_, factors_; // at least |y|; |y|^2 - |a|^2; P
    Placed centers_;
    double farthest_ = 0;              // at least |y| of every center so far
    std::vector<float> known_, drift_; // n x k: Z at some step, and the sum of the moves since
    std::uint64_t project_ops_ = 0;
};

} // namespace bmo
