// Where a search writes its results: a caller's bmo_output, checked.
#pragma once

#include <cstdint>
#include <span>

#include "bmo.h"
#include "search/knn.hpp"

namespace bmo {

class Output {
public:
    // For so many queries, k neighbors each or fewer, of n points. out may be NULL. Writes nothing.
    Output(const bmo_output *out, std::int64_t queries, std::int64_t k);

    // Marks every query as not done.
    void clear() const;
    // Threads may write different queries at once. Fails with BMO_EOVERFLOW, and writes nothing, if a distance is
    // beyond the output's type.
    void write(std::int64_t query, std::span<const Neighbor> neighbors, const bmo_row_stats &row_stats) const;

    // Where the caller's limits are; NULL: there are none.
    const bmo_limits *limits() const { return out_.limits; }

private:
    template <class Type, class Value>
    void put(void *to, std::int64_t query, std::span<const Neighbor> neighbors, const Value &value, Type beyond) const;

    bmo_output out_{};
    std::int64_t queries_, k_;
};

} // namespace bmo
