// bmo_best_arms: the bandits over arms of the caller's own.
#include <cmath>
#include <limits>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/structs.hpp"
#include "search/arms/best_arms.hpp"

namespace bmo {

namespace {

constexpr std::int64_t kMostArms = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t kMostSamples = std::numeric_limits<std::uint64_t>::max();

bmo_arms read_arms(const bmo_arms *arms) {
    const bmo_arms ours = read_struct(arms, "arms");
    constexpr std::uint32_t known = BMO_ARMS_MAXIMIZE | BMO_ARMS_BOUNDED;
    if ((ours.flags & ~known) != 0)
        refuse("arms.flags", ours.flags, "BMO_ARMS_MAXIMIZE (4), BMO_ARMS_BOUNDED (8), both or 0");
    if (ours.n < 1 || ours.n > kMostArms)
        refuse("arms.n", ours.n, "1 to ", kMostArms);
    if (!ours.pull)
        fail(BMO_EINVAL, "arms.pull", text(Word{"arms.pull"}, " is NULL"));
    if (ours.exact && ours.exact_cost == 0)
        fail(BMO_EINVAL, "arms.exact_cost",
             text(Word{"arms.exact_cost"}, " is 0; expected the samples that an exact value is worth"));
    if (ours.exact && ours.exact_cost > kMostSamples / static_cast<std::uint64_t>(ours.n))
        fail(BMO_EOVERFLOW, "arms.exact_cost",
             text(Word{"arms.exact_cost"}, ": ", ours.n, " * ", ours.exact_cost, " is beyond 64 bits"));
    const bool bounded = (ours.flags & BMO_ARMS_BOUNDED) != 0;
    if (bounded && !(ours.lower < ours.upper && (std::isfinite(ours.lower) || std::isfinite(ours.upper))))
        fail(BMO_EINVAL, "arms.lower",
             text(Word{"arms.lower"}, " is ", ours.lower, " and ", Word{"arms.upper"}, " ", ours.upper, "; expected ",
                  Word{"arms.lower"}, " < ", Word{"arms.upper"}, ", at least one of them finite"));
    return ours;
}

bmo_best read_best(const bmo_best *out, std::int64_t n) {
    const bmo_best ours = read_struct(out, "out");
    if (ours.k < 1 || ours.k > n)
        refuse("out.k", ours.k, "1 to ", n, ", the arms");
    return ours;
}

} // namespace

} // namespace bmo

bmo_status bmo_best_arms(const bmo_arms *arms, const bmo_config *config, const bmo_best *out,
                         const bmo_monitor *monitor, bmo_stats *stats) {
    return bmo::guard([&] {
        const bmo_arms asked = bmo::read_arms(arms);
        const bmo_best places = bmo::read_best(out, asked.n);
        bmo::Watch watch = bmo::watch_of(monitor);
        if (stats)
            bmo::check_struct(stats, "stats");
        bmo_stats filled{};
        const auto best = bmo::best_arms(asked, places.k, bmo::settings_of(config), watch, filled);
        for (std::size_t rank = 0; rank < best.size(); ++rank) {
            if (places.arm)
                places.arm[rank] = best[rank].arm;
            if (places.mean)
                places.mean[rank] = best[rank].mean;
            if (places.halfwidth)
                places.halfwidth[rank] = best[rank].halfwidth;
        }
        if (stats)
            bmo::write_struct(stats, filled);
    });
}
