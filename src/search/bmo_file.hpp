// Datasets in files of the library's own format, .bmo: data/files/sections.hpp has the frame.
#pragma once

#include <memory>
#include <string>

#include "data/dataset.hpp"
#include "util/watch.hpp"

namespace bmo {

// The data and what was prepared of it, or nothing if it fails.
void save_dataset(const Dataset &data, const std::string &path, Watch &watch);

// A file that save_dataset() wrote, or any that open_dataset() reads.
std::shared_ptr<const Dataset> open_any_dataset(const std::string &path, bool borrow, Watch &watch);

} // namespace bmo
