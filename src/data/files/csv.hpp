// .csv and .tsv files: numbers as text, a point a line, perhaps with a head and a first column of names.
#pragma once

#include <memory>
#include <string_view>

#include "data/dataset.hpp"
#include "data/files/source.hpp"

namespace bmo {

// These files have no mark of their own: their name tells.
bool is_csv(std::string_view path);

// Memory grows with what the file holds.
std::shared_ptr<const Dataset> read_csv(Source &source, bool borrow, Watch &watch);

} // namespace bmo
