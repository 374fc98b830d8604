// The constants of the race's schedule, measured to be good. The proof minds none of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bmo {

inline constexpr std::int64_t kOpeningBatches = 2; // of every arm, kept until there is a tau to look at them with,
inline constexpr std::int64_t kOpeningShare = 20;  // but at most 1/20 of the population

inline constexpr std::int64_t kScoutShare = 20;          // the scout starts with 1/20 of the arms,
inline constexpr std::int64_t kScoutPerNeighbour = 200;  // but at most 200 for each neighbour wanted;
inline constexpr std::int64_t kScoutBatches[] = {4, 32}; // so much further they are sampled,
inline constexpr std::int64_t kScoutNarrowing = 8;       // the best 1/8 going on each time,
inline constexpr std::int64_t kScoutSpare = 5;           // and k + min(k, 5) are finished

inline constexpr std::int64_t kFirstFinish = 512; // samples after which arms that seem below tau are finished; doubles
inline constexpr std::int64_t kFewArms = 4;       // so few are finished without a further round
inline constexpr double kWasteShare = 0.095;      // of a scan: what arms finished in the end may have sampled before
inline constexpr std::size_t kChunk = 256;        // arms pulled at a time: their samples stay in cache

} // namespace bmo
