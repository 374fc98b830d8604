// Columns of counts: of a coordinate in which many points have an entry, a byte a point, zeros included. Reading all of
// it in order is then several times faster than reading its entries, each of which goes to another point's sum.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simd/kernels.hpp"
#include "util/aligned.hpp"

namespace bmo {

struct CountColumns {
    std::int64_t points = 0, stride = 0; // bytes of a column: the points, then 0 up to a whole number of kColumnStep
    std::vector<std::int32_t> place;     // by rank: of its column; -1: it has none
    std::vector<std::uint8_t> largest;   // by column
    AlignedVector<std::uint8_t> bytes;

    // The column at a place.
    std::uint8_t *column(std::int32_t at) { return bytes.data() + at * stride; }
    const std::uint8_t *column(std::int32_t at) const { return bytes.data() + at * stride; }
    std::uint64_t memory() const;
};

// A column as well as its entries is worth its memory from so many entries on.
bool is_full_column(std::int64_t entries, std::int64_t points);

// For one thread: sums over columns, for all points at once, of a query's value times the point's (square), or of the
// lesser of the two.
class CountSums {
public:
    CountSums(const CountColumns &columns, bool square) : columns_(columns), square_(square) {}

    void clear() { terms_.clear(); }
    // Takes the column of a rank into the sum. False if it has none, or if the sum with this value is not of counts.
    bool take(std::int32_t rank, double value);

    // Calls add(point, sum) with parts of the sums of what was taken.
    template <class Add>
    void add_up(Add add) {
        constexpr std::int64_t kPoints = 4096; // whose sums stay in the fastest cache
        sums_.resize(kPoints);
        for (std::int64_t from = 0; from < columns_.points; from += kPoints)
            add_up_part(from, std::min(kPoints, columns_.stride - from), add);
    }

private:
    struct Term {
        const std::uint8_t *column;
        std::uint16_t value, most; // most that it adds to a sum
    };

    template <class Add>
    void add_up_part(std::int64_t from, std::int64_t width, Add add) {
        constexpr std::int32_t kMost = 0xffff;
        const AddColumnKernel add_column = kernels().add_column[square_ ? 0 : 1];
        const auto hand_over = [&] {
            for (std::int64_t i = 0; i < std::min(width, columns_.points - from); ++i)
                add(from + i, sums_[static_cast<std::size_t>(i)]);
            std::fill_n(sums_.begin(), width, std::uint16_t{0});
        };
        std::fill_n(sums_.begin(), width, std::uint16_t{0});
        std::int32_t room = kMost;
        for (const Term &term : terms_) {
            if (term.most > room) {
                hand_over();
                room = kMost;
            }
            add_column(term.column + from, width, term.value, sums_.data());
            room -= term.most;
        }
        hand_over();
    }

    const CountColumns &columns_;
    bool square_;
    std::vector<Term> terms_;
    AlignedVector<std::uint16_t> sums_;
};

} // namespace bmo
