// Points as sketches, in whole numbers of 8 bits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "boxes/angles.hpp"
#include "boxes/metric.hpp"
#include "boxes/norms.hpp"
#include "boxes/sketch/sketch_basis.hpp"
#include "boxes/tiles/frame.hpp"
#include "boxes/tiles/narrow_codes.hpp"
#include "data/dataset.hpp"
#include "data/settings.hpp"

namespace bmo {

// Nothing of it is kept in files: it is made again of the points and the seed.
struct SketchPrepared : Preparation {
    std::unique_ptr<const SketchBasis> basis; // null: the points are too large for a frame, and are scanned
    NarrowCodes codes;
    std::shared_ptr<const Norms> norms; // of a metric of angles
    std::unique_ptr<const Angles> angles;

    // Of inner product: at least |x'|^2 of each point and the largest of them, and about as long as points are.
    std::vector<double> squares;
    double largest_square = 0, length = 1;
};

std::shared_ptr<const Preparation> prepare_sketch(const Dataset &source, const Settings &settings, int threads,
                                                  Watch &watch);

// What is coded of a row of a frame with these squares, of codes that `coder` makes.
RowCoder sketch_coder(const SketchBasis &basis, const Frame &frame);
double sketch_blur(const SketchBasis &basis, double squares);

} // namespace bmo
