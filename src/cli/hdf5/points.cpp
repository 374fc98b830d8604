#include "cli/hdf5/points.hpp"

#include <algorithm>

#include "cli/failure.hpp"
#include "cli/hdf5/axis_names.hpp"
#include "cli/hdf5/file.hpp"
#include "cli/hdf5/matrix.hpp"
#include "cli/hdf5/sparse_group.hpp"
#include "cli/input_path.hpp"
#include "cli/text.hpp"

namespace bmo_command {

namespace {

constexpr std::size_t most_named = 10;

// Notes matrices, and ends when there are more than are named. HDF5 is in C: no exception leaves.
herr_t note_matrix(hid_t root, const char *name, const H5O_info_t *, void *found) noexcept {
    try {
        auto &names = *static_cast<std::vector<std::string> *>(found);
        const Hdf5Id object(H5Oopen(root, name, H5P_DEFAULT));
        if (object && is_matrix(object.get()))
            names.emplace_back(name);
        return names.size() > most_named ? 1 : 0;
    } catch (...) {
        return -1;
    }
}

std::vector<std::string> find_matrices(const Hdf5File &file) {
    std::vector<std::string> names;
    if (H5Ovisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, note_matrix, static_cast<void *>(&names)) < 0)
        fail(text(file.path(), ": what it holds cannot be listed: ", hdf5_reason()));
    return names;
}

std::string list_of(const std::vector<std::string> &names) {
    std::string all;
    for (std::size_t i = 0; i < std::min(most_named, names.size()); ++i)
        all += text(i == 0 ? "" : ", ", names[i]);
    return names.size() > most_named ? all + ", ..." : all;
}

bool is_anndata(const Hdf5File &file) {
    return file.path().ends_with(".h5ad") || (file.has("obs") && file.has("var"));
}

std::string chosen(const Hdf5File &file) {
    if (is_anndata(file) && file.has("X"))
        return "X";
    const std::vector<std::string> names = find_matrices(file);
    if (names.empty())
        fail(text(file.path(), ": has no matrix; expected a dataset of two dimensions and numbers, or a sparse matrix "
                               "as AnnData or 10x Genomics write it"));
    if (names.size() > 1 || is_anndata(file))
        fail(text(file.path(), ": has ", is_anndata(file) ? "no X, but these matrices: " : "several matrices: ",
                  list_of(names), "; name one: ", file.path(), ":", names.front()));
    return names.front();
}

} // namespace

Hdf5Points read_hdf5(const std::string &path, bool transpose, Progress &progress) {
    const InputPath place = input_path(path);
    const Hdf5File file(place.file);
    const std::string object = place.part.empty() ? chosen(file) : place.part;
    Hdf5Points points;
    points.data = read_matrix(file, object, transpose, progress);
    points.names = axis_names(file, object, transpose, describe(points.data.get()).n);
    points.columns_are_cells = sparse_layout(file.open(object).get()) == SparseLayout::tenx;
    return points;
}

} // namespace bmo_command
