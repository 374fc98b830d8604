#include "cli/hdf5/sparse_group.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "cli/failure.hpp"
#include "cli/hdf5/array.hpp"
#include "cli/hdf5/attribute.hpp"
#include "cli/text.hpp"

namespace bmo_command {

namespace {

using Pair = std::array<std::int64_t, 2>;

// Later and earlier versions of AnnData.
std::optional<std::string> layout_name(hid_t group) {
    const auto name = text_attribute(group, "encoding-type");
    return name ? name : text_attribute(group, "h5sparse_format");
}

bool has_all(hid_t group, std::initializer_list<const char *> names) {
    return std::ranges::all_of(names, [&](const char *name) { return H5Lexists(group, name, H5P_DEFAULT) > 0; });
}

std::optional<Pair> shape_attribute(hid_t group) {
    const auto shape = pair_attribute(group, "shape");
    return shape ? shape : pair_attribute(group, "h5sparse_shape");
}

// A dataset of two numbers.
Pair shape_dataset(const Hdf5File &file, const std::string &name) {
    const Hdf5Id dataset = file.open(name);
    const Hdf5Array array(Hdf5Id(H5Oopen(dataset.get(), ".", H5P_DEFAULT)), file.name_of(name), 1);
    Pair shape = {};
    if (array.dtype() == BMO_F16 || array.dtype() == BMO_F32 || array.dtype() == BMO_F64 || array.rows() != 2 ||
        H5Dread(dataset.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, shape.data()) < 0)
        fail(text(array.name(), ": is no shape; expected two whole numbers"));
    return shape;
}

} // namespace

std::optional<SparseLayout> sparse_layout(hid_t object) {
    if (H5Iget_type(object) != H5I_GROUP)
        return {};
    const std::optional<std::string> name = layout_name(object);
    if (name == "csr_matrix" || name == "csr")
        return SparseLayout::csr;
    if (name == "csc_matrix" || name == "csc")
        return SparseLayout::csc;
    if (has_all(object, {"data", "indices", "indptr", "shape"}))
        return SparseLayout::tenx;
    return {};
}

SparseShape sparse_shape(const Hdf5File &file, const std::string &group, SparseLayout layout) {
    const auto shape = layout == SparseLayout::tenx ? std::optional(shape_dataset(file, group + "/shape"))
                                                    : shape_attribute(file.open(group).get());
    if (!shape)
        fail(text(file.name_of(group), ": has no attribute shape of two whole numbers"));
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    for (const std::int64_t side : *shape)
        if (side < 0 || side > most)
            fail(text(file.name_of(group), ": has a shape of ", (*shape)[0], " x ", (*shape)[1],
                      "; expected sides from 0 to ", most));
    return {(*shape)[0], (*shape)[1]};
}

} // namespace bmo_command
