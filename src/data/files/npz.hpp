// NumPy's .npz files: zip archives of .npy files.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "data/dataset.hpp"
#include "data/files/source.hpp"

namespace bmo {

// A path "FILE.npz:ARRAY", in parts. Any other path, and one of a file that is there, is a file alone.
struct NpzPath {
    std::string file, array;
};
NpzPath npz_path(const std::string &path);

// The points of an array: that of this name, or, if it is empty, the only one. Without a name, the arrays that
// scipy.sparse.save_npz() writes of a CSR or CSC matrix are sparse points.
std::shared_ptr<const Dataset> read_npz(Source &archive, std::string_view array, Watch &watch);

} // namespace bmo
