// Groups that hold a sparse matrix: arrays data, indices and indptr, and a shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/hdf5/file.hpp"

namespace bmo_command {

enum class SparseLayout { csr, csc, tenx }; // rows or columns of AnnData; columns of 10x Genomics, which are cells

// None if the object is no such group.
std::optional<SparseLayout> sparse_layout(hid_t object);

struct SparseShape {
    std::int64_t rows, cols;
};
SparseShape sparse_shape(const Hdf5File &file, const std::string &group, SparseLayout layout);

} // namespace bmo_command
