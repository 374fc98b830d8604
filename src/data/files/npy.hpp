// NumPy's .npy files: a line of text that describes an array, then its values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "data/dataset.hpp"
#include "data/files/source.hpp"

namespace bmo {

struct NpyHeader {
    bmo_dtype dtype = 0;
    bool by_column = false; // Fortran order
    std::int64_t n = 0, d = 0;
};

bool is_npy(std::string_view first_bytes);

// The Python dictionary of a header. A failure has status BMO_EFORMAT, BMO_EUNSUPPORTED or BMO_EOVERFLOW.
NpyHeader parse_npy_header(std::string_view dictionary, const std::string &path);

// borrow: maps the file if the values can be used as they lie there; otherwise they are read.
std::shared_ptr<const Dataset> read_npy(Source &source, bool borrow, Watch &watch);

} // namespace bmo
