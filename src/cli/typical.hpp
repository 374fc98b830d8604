// The demo's clock: the most typical of the characters, found with and without the bandit.
#pragma once

#include <cstdint>

#include "glyphs.hpp"

namespace bmo_command {

struct Typical {
    std::int64_t row = 0; // of the glyph whose mean distance to the others is least
    bool same = false;    // the scan found it too
    double bandit_ms = 0, scan_ms = 0;
};

Typical find_typical(const Dataset &glyphs, const bmo_monitor &monitor);

} // namespace bmo_command
