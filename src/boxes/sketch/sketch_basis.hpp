// The directions of a sketch: m leading ones, and T that are drawn uniformly (Haar) from what is orthogonal to them.
//
// Of the difference y of a point and a query, of d coordinates, let H be the square of its projection on the leading
// directions, R = |y|^2 - H, and S the square of its projection on the drawn ones. S / R has the law of
// boxes/sketch/shown_share.hpp with D = d - m, whatever the points are: the leading directions are made of them, but the others
// are drawn without. The sketch of y is u with
//
//     |u|^2 = w H + S
//
// for the weight w, a quantile b of that law at a usual level: with b >= w,
//
//     P(|u|^2 > b |y|^2) <= P(w H + S > b H + b R) <= P(S > b R) <= level
//
// A random rotation of u, which changes no norm, makes its coordinates alike, so that whole numbers of 8 bits hold them
// well. All is one matrix M, of float. error() bounds |u' - u| / |x'| for a point or a query x' of a frame
// (boxes/tiles/frame.hpp) and its sketch u' as SketchMap forms it, with F the Frobenius norm of M and c = kPanelChunk:
//
//     (c + d / c + 5) 2^-24 F  the products in float (boxes/tiles/float_panels.hpp)
//     2^-22 F                  M is rounded to float (2^-24 F); its directions, as made in double, are orthonormal and span what
//                              they should within 1e-12
//     2^-22                    x' is rounded to float (Frame::kRounding), and |M| <= 1
#pragma once

#include <cstdint>

#include "boxes/projected/directions.hpp"
#include "boxes/tiles/float_panels.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

// Coordinates of the sketch of d.
std::int64_t sketch_width(std::int64_t d);

class SketchBasis {
public:
    // points: of which the leading directions are. Polls the watch. Memory while it is made: 16 width() bytes a coordinate.
    SketchBasis(const PointSource &points, std::int64_t seed, Watch &watch);

    std::int64_t d() const { return d_; }
    std::int64_t leading() const { return leading_; } // m
    std::int64_t drawn() const { return drawn_; }     // T
    std::int64_t width() const { return width_; } // coordinates of a sketch: m + T, and zeros to a whole number of 16
    double error() const { return error_; }
    std::uint64_t bytes() const { return blocks_.size() * sizeof(float); }

    // b for a test at this level.
    double share(double level) const;

private:
    friend class SketchMap;

    std::int64_t d_, leading_, drawn_, width_;
    double weight_, error_ = 0;
    AlignedVector<float> blocks_; // M, as the queries of kernels().panel_floats: chunk by chunk
};

// Applies the matrix to rows of a frame. For one thread.
class SketchMap {
public:
    static constexpr std::int64_t kRows = 64; // at a time

    explicit SketchMap(const SketchBasis &basis);

    float *row(std::int64_t i) { return rows_.data() + i * stride_; }
    std::int64_t stride() const { return stride_; }
    // Of the first `count` rows, as they were filled.
    void map(std::int64_t count);
    const float *sketch(std::int64_t i) const { return sketches_.data() + i * basis_.width(); }
    float largest(std::int64_t i) const; // of |u'_j|

private:
    const SketchBasis &basis_;
    std::int64_t stride_;
    AlignedVector<float> rows_, panels_, sums_, sketches_;
};

} // namespace bmo
