// Sparse points in a random order of their coordinates, by point and by coordinate: the inverted index of the sparse
// boxes, and what the boxes know of each point and coordinate beforehand.
//
// A coordinate of rank t is the t-th of the random order. Reading coordinates by ascending rank samples without
// replacement from any set of coordinates that was chosen without a look at the order, such as a query's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "boxes/sparse/count_columns.hpp"
#include "data/dataset.hpp"
#include "data/settings.hpp"
#include "util/aligned.hpp"

namespace bmo {

// What the entries of one coordinate are like.
struct CoordinateSummary {
    double largest[2] = {0, 0}; // of |value|, over the positive and over the negative ones
    double sum_abs = 0;
};

// Values in the type of the dataset's.
struct IndexedValues {
    AlignedVector<float> floats;
    AlignedVector<double> doubles;

    template <class T>
    AlignedVector<T> &typed() {
        if constexpr (sizeof(T) == sizeof(float))
            return floats;
        else
            return doubles;
    }
    template <class T>
    const T *data() const {
        if constexpr (sizeof(T) == sizeof(float))
            return floats.data();
        else
            return doubles.data();
    }
};

// scans: what scans by columns read, and nothing else: a column of counts has no entries, and points have none.
enum class IndexUse { all, scans };

struct SparseIndex : Preparation {
    IndexUse use = IndexUse::all;
    std::vector<std::int32_t> present;    // the coordinates that have entries, if few have; else empty
    std::vector<std::int32_t> rank;       // of each coordinate, or of each present one
    std::vector<std::int64_t> rank_first; // entries of rank t: [rank_first[t], rank_first[t + 1]), as they are counted,
    std::vector<std::int64_t> kept_first; // and as they are stored, if only some are; else empty
    AlignedVector<std::int32_t> rank_arm; // ascending within a rank
    IndexedValues rank_value;
    AlignedVector<std::int32_t> row_rank; // entries of each point by ascending rank, if the dataset has its entries
    IndexedValues row_value;
    CountColumns counts;                    // of ranks that are full enough
    std::int64_t counted = 0;               // entries of these
    std::vector<CoordinateSummary> summary; // by rank
    std::vector<double> norm1, norm2;       // of each point, of values times `scale`: sum of |x|, and of x^2
    double scale = 1;                       // a power of two
    double largest_norm1 = 0, largest_norm2 = 0;
    std::int64_t largest_entries = 0; // of a point
    bool integers = true;             // every value is one

    std::int64_t ranks() const { return static_cast<std::int64_t>(rank.size()); }
    std::int64_t entries(std::int32_t t) const {
        return rank_first[static_cast<std::size_t>(t) + 1] - rank_first[static_cast<std::size_t>(t)];
    }
    // Where the entries of a rank are stored.
    const std::vector<std::int64_t> &stored() const { return kept_first.empty() ? rank_first : kept_first; }
    const std::vector<double> &norms(bool square) const { return square ? norm2 : norm1; }

    // -1 if no point has an entry, or may have none.
    std::int32_t rank_of(std::int32_t coordinate) const {
        if (present.empty())
            return rank.empty() ? -1 : rank[static_cast<std::size_t>(coordinate)];
        const auto found = std::lower_bound(present.begin(), present.end(), coordinate);
        return found != present.end() && *found == coordinate ? rank[static_cast<std::size_t>(found - present.begin())]
                                                              : -1;
    }
};

// Of any sparse box.
std::shared_ptr<SparseIndex> build_sparse_index(const Dataset &data, std::int64_t seed, IndexUse use, Watch &watch);
std::shared_ptr<const Preparation> prepare_sparse(const Dataset &source, const Settings &settings, int threads,
                                                  Watch &watch);

} // namespace bmo
