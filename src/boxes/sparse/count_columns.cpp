#include "boxes/sparse/count_columns.hpp"

#include <cmath>

namespace bmo {
namespace {

// Measured on counts of genes: from one entry in so many points on, a column is read faster than its entries.
constexpr std::int64_t kPointsAnEntry = 16;

} // namespace

bool is_full_column(std::int64_t entries, std::int64_t points) {
    return entries * kPointsAnEntry >= points;
}

std::uint64_t CountColumns::memory() const {
    return place.size() * sizeof(place[0]) + largest.size() + bytes.size();
}

bool CountSums::take(std::int32_t rank, double value) {
    const std::int32_t place = columns_.place[static_cast<std::size_t>(rank)];
    if (place < 0 || value < 1 || value != std::floor(value))
        return false;
    const double largest = columns_.largest[static_cast<std::size_t>(place)];
    const double most = square_ ? value * largest : std::min(value, largest);
    if (most > 0xffff)
        return false;
    terms_.push_back({columns_.column(place), static_cast<std::uint16_t>(square_ ? value : std::min(value, largest)),
                      static_cast<std::uint16_t>(most)});
    return true;
}

} // namespace bmo
