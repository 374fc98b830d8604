// Which neighbors count: a caller's bmo_limits, checked.
#pragma once

#include <cstdint>
#include <string>

#include "bmo.h"
#include "data/queries.hpp"

namespace bmo {

class Limits {
public:
    // Of these queries, whose number is known. limits may be NULL; argument: its name.
    Limits(const bmo_limits *limits, const Queries &queries, LabelRule rule, const std::string &argument);

    void set(Queries &queries) const;
    bool has_max_distance() const { return limits_.max_distance; }
    std::int64_t max_pairs() const { return limits_.max_pairs; } // 0: any number

private:
    bmo_limits limits_{};
};

} // namespace bmo
