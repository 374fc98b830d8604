// What searches and preparations take in time, as measured on one core, in nanoseconds. Only their ratios matter.
#pragma once

#include <cstdint>

#include "data/dataset.hpp"
#include "data/settings.hpp"

namespace bmo {

struct ScanTimes {
    double of_many; // a coordinate of a pair, when many queries are scanned together
    double of_one;  // when each is scanned alone: memory is what takes time, unless the coordinate distance does
};
// Of queries that are bytes, or not.
ScanTimes scan_times(const Dataset &data, const Settings &settings, bool byte_queries);

// A query among so many.
double scan_time(const Dataset &data, const ScanTimes &scan, std::int64_t arms, std::int64_t queries);

// The sums that a race finishes. Where the coordinates of a point are apart in memory, each is a cache line and a page of its
// own.
double finish_time(const Dataset &data, const ScanTimes &scan, std::int64_t k);

// Dimensions of which the directions of the projected box hold most.
inline constexpr double kLearnable = 100;

// The same so well that no sketch is as good.
inline constexpr double kWellLearned = 30;

// A query of the sketch box.
double sketch_time(const Dataset &data, const ScanTimes &scan, std::int64_t k);

// An arm of the projected box, on images, beside what a query takes for each coordinate.
double projected_arm_time(const Dataset &data);
inline constexpr double kProjectedCoordinateTime = 10;

// Samples of an arm on images, and the time of one of prepared points.
inline constexpr double kUsualSamples = 100, kPullTime = 0.5;
// A sample of points that are not prepared: a cache line.
inline constexpr double kLineTime = 5;

// To prepare a dataset for a box of dense points.
double prepare_time(const Dataset &data, std::int64_t box);

// To look for bytes in the values of a dataset, each.
inline constexpr double kNarrowTime = 1;

} // namespace bmo
