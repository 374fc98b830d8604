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

// Rows of d floats, to be coded.
class RowCoder {
public:
    static constexpr int kPointLevels = 127, kPointBias = 128;
    static constexpr std::int64_t kWord = 4; // bytes of an element of a panel

    // lost: what rows are off by, in norm, beside what their rounding to float says.
    RowCoder(std::int64_t d, double lost);

    std::int64_t words() const { return words_; } // of a point, zeros behind its numbers
    std::int64_t panel() const { return kPanel * words_; }
    NarrowCodes room_for(std::int64_t points) const;

    // to: room for words() of four bytes.
    Coded code(const float *values, float largest, int levels, int bias, std::uint8_t *to) const;

private:
    std::int64_t d_, words_;
    double lost_;
};

// A panel of points, row by row.
class PanelCoder {
public:
    explicit PanelCoder(const RowCoder &coder);

    // The next point of the panel; row: as RowCoder takes it.
    Coded add(const float *row, float largest);
    // The points that were added: the panel begins anew.
    void write(std::uint32_t *panel);

private:
    const RowCoder &coder_;
    std::int64_t row_, added_ = 0;
    AlignedVector<std::uint8_t> bytes_;
};

// Points as they are in a frame. For one thread.
class NarrowCoder {
public:
    explicit NarrowCoder(Frame &frame);

    const RowCoder &rows() const { return *coder_; }

    // The points [first, first + count) as the points [at, at + count), a whole number of panels from the first, of `codes`, which
    // has room for them.
    void code_points(std::int64_t first, std::int64_t count, std::int64_t at, NarrowCodes &codes);

private:
    Frame &frame_;
    std::unique_ptr<const RowCoder> coder_;
    PanelCoder panel_;
    AlignedVector<float> rows_;
};

// All points of a frame that was fitted to them alone.
std::shared_ptr<const NarrowCodes> code_all(const Dataset &data, const Metric &metric, const Angles *angles,
                                            int threads, Watch &watch);

} // namespace bmo
