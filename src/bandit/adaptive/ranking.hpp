// Arms in the order in which they are preferred, of which the first is wanted and any may change.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace bmo {

// The order in which arms are preferred: by a bound or a mean, exact ones by value if these are equal, then by
// index. An arm that can still be sampled comes before an exact one with the same bound: it has to show that it is not
// less.
struct Preference {
    double bound = 0, value = 0;
    std::int32_t arm = 0;

    friend bool operator<(const Preference &a, const Preference &b) {
        return std::tie(a.bound, a.value, a.arm) < std::tie(b.bound, b.value, b.arm);
    }
};

// A tournament: an arm that changes plays again on the way to the final.
class Ranking {
public:
    explicit Ranking(std::int64_t arms)
        : leaves_(std::bit_ceil(static_cast<std::size_t>(arms))), winners_(2 * leaves_, nobody()) {}

    bool empty() const { return first().arm == nobody().arm; }
    const Preference &first() const { return winners_[1]; }

    // Enters an arm, or changes its place.
    void place(const Preference &preference) { play(preference.arm, preference); }
    void remove(std::int32_t arm) { play(arm, nobody()); }

    // Many arms enter first: each takes its seat, and they play when all have.
    void seat(const Preference &preference) {
        winners_[leaves_ + static_cast<std::size_t>(preference.arm)] = preference;
    }
    void play_all() {
        for (std::size_t at = leaves_ - 1; at > 0; --at)
            play_at(at);
    }

private:
    static constexpr Preference nobody() {
        constexpr double kLast = std::numeric_limits<double>::infinity();
        return {kLast, kLast, std::numeric_limits<std::int32_t>::max()};
    }

    void play(std::int32_t arm, const Preference &preference) {
        std::size_t at = leaves_ + static_cast<std::size_t>(arm);
        winners_[at] = preference;
        for (at /= 2; at > 0; at /= 2)
            play_at(at);
    }
    void play_at(std::size_t at) { winners_[at] = std::min(winners_[2 * at], winners_[2 * at + 1]); }

    std::size_t leaves_;
    std::vector<Preference> winners_; // the final at 1, the arms from leaves_ on
};

} // namespace bmo
