#include "boxes/sketch/shown_share.hpp"

#define EIGEN_STACK_ALLOCATION_LIMIT 0
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>

namespace bmo {

double shown_share(std::int64_t directions, std::int64_t dimensions, double level) {
    constexpr int kSteps = 42;
    constexpr double kMargin = 1 - 1e-6; // for the error of the incomplete beta function
    constexpr double kLeast = 1e-200;    // a level below is beyond that function
    if (directions >= dimensions || !(level >= kLeast))
        return 1;
    const double shown = static_cast<double>(directions) / 2, hidden = static_cast<double>(dimensions - directions) / 2;
    const auto tail = [&](double share) { return Eigen::numext::betainc(hidden, shown, 1 - share); };
    double low = 0, high = 1;
    for (int step = 0; step < kSteps; ++step) {
        const double share = (low + high) / 2;
        (tail(share) <= level * kMargin ? high : low) = share;
    }
    return high;
}

} // namespace bmo
