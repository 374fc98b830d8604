// The constants of the race's schedule, measured to be good. The proof minds none of them.
#pragma once

#include <cstdint>

namespace bmo {

inline constexpr std::int64_t kPilotShare = 12;       // every 12th arm is a pilot, and at least
inline constexpr std::int64_t kPilotsPerFinished = 8; // 8 for each that they are to leave

inline constexpr std::int64_t kOpeningBatches = 2; // of every arm, before the scouts go,
inline constexpr std::int64_t kOpeningShare = 20;  // but at most 1/20 of the population; nor do scouts go further

inline constexpr std::int64_t kLateBetsJoin = 32; // samples after which the bets of small stakes join

inline constexpr std::int64_t kAllBets = 128;   // samples after which the bet of the largest stake leaves,
inline constexpr std::int64_t kThreeBets = 512; // and the next: what they may win they have won

inline constexpr std::int64_t kScoutShare = 20;          // scouting starts with 1/20 of the arms,
inline constexpr std::int64_t kScoutPerNeighbor = 200;   // but at most 200 for each neighbor wanted;
inline constexpr std::int64_t kScoutBatches[] = {4, 32}; // so much further they are sampled,
inline constexpr std::int64_t kScoutNarrowing = 8;       // the best 1/8 going on each time,
inline constexpr std::int64_t kScoutSpare = 5;           // and k + min(k, 5) are finished

inline constexpr std::int64_t kFirstFinish = 512; // samples after which arms that seem below tau are finished; doubles
inline constexpr std::int64_t kFewArms = 4;       // so few are finished without a further round
inline constexpr double kWasteShare = 0.095;      // of a scan: what arms finished in the end may have sampled before

inline constexpr std::int64_t kSweepRounds = 8;  // rounds that go by parts of the arms
inline constexpr std::int64_t kRoundBatches = 8; // batches of a round after those

inline constexpr std::int64_t kGuessed = 4; // guesses refined for each arm that is finished by its guess

inline constexpr std::int64_t kGuessedInGroups = 64; // arms of the nearest groups guessed for each that is finished

inline constexpr std::int64_t kTile = 2048; // arms that several races open one after another

} // namespace bmo
