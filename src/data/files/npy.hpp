// NumPy's .npy files: a line of text that describes an array, then its values.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "data/files/matrix.hpp"
#include "data/files/source.hpp"

namespace bmo {

// What a header says, whatever the array is.
struct NpyHeader {
    std::string type;       // NumPy's name: '<f4'
    bool by_column = false; // Fortran order
    std::vector<std::int64_t> shape;
};

bool is_npy(std::string_view first_bytes);

// The Python dictionary of a header. A failure has status BMO_EFORMAT, BMO_EUNSUPPORTED or BMO_EOVERFLOW.
NpyHeader parse_npy_header(std::string_view dictionary, const std::string &path);

// Reads a source up to the values.
NpyHeader read_npy_header(Source &source);

// The type of the values of a header, and whether their first byte is the highest. Fails if there is no such type.
struct NpyType {
    bmo_dtype dtype;
    bool big_endian;
};
NpyType npy_type(const NpyHeader &header, const std::string &path);

// The points that an array is.
StoredMatrix npy_matrix(const NpyHeader &header, const std::string &path);

// borrow: maps the file if the values can be used as they lie there; otherwise they are read.
std::shared_ptr<const Dataset> read_npy(Source &source, bool borrow, Watch &watch);

} // namespace bmo
