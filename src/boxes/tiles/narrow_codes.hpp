// Points and queries in a frame as whole numbers of 8 bits: x' = s X + r, with a step s of its own for each, and of r no more
// than a bound of its length. boxes/tiles/narrow_panels.hpp says what follows for sums.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "boxes/tiles/frame.hpp"
#include "simd/kernels.hpp"
#include "util/aligned.hpp"
#include "util/watch.hpp"

namespace bmo {

struct Coded {
    double step = 0, length = 0; // s; |s X|
    double error = 0;            // at least |r|
    std::int64_t numbers = 0;    // those of X added up
};

// Of some points, in whole panels.
struct NarrowCodes {
    AlignedVector<std::uint32_t> panels;
    std::vector<Coded> points;
};

// For one thread.
class NarrowCoder {
public:
    static constexpr int kPointLevels = 127, kPointBias = 128;
    static constexpr std::int64_t kWord = 4; // bytes of an element of a panel

    explicit NarrowCoder(Frame &frame);

    std::int64_t words() const { return words_; } // of a point, zeros behind its numbers
    std::int64_t panel() const { return kPanel * words_; }

    // values: d floats. to: room for words() of four bytes.
    Coded code(const float *values, float largest, int levels, int bias, std::uint8_t *to) const;

    // The points [first, first + count) as the points [at, at + count), a whole number of panels from the first, of `codes`, which
    // has room for them.
    void code_points(std::int64_t first, std::int64_t count, std::int64_t at, NarrowCodes &codes);

private:
    Frame &frame_;
    std::int64_t d_, words_;
    AlignedVector<float> rows_;
    AlignedVector<std::uint8_t> bytes_;
};

// All points of a frame that was fitted to them alone.
std::shared_ptr<const NarrowCodes> code_all(const Dataset &data, const Metric &metric, const Angles *angles,
                                            int threads, Watch &watch);

} // namespace bmo
