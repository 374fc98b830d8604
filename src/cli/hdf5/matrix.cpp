#include "cli/hdf5/matrix.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "cli/failure.hpp"
#include "cli/hdf5/array.hpp"
#include "cli/hdf5/sparse_group.hpp"
#include "cli/text.hpp"

namespace bmo_command {

namespace {

using Values = std::unique_ptr<std::byte[]>;

// Memory that a dataset borrows, and frees.
template <class Memory>
struct Lent {
    explicit Lent(std::unique_ptr<Memory> lent) : memory(std::move(lent)), owner(sized<bmo_owner>()) {
        owner.release = [](void *lent_before) { delete static_cast<Memory *>(lent_before); };
        owner.ctx = memory.get();
    }
    // The library frees it from now on.
    void give_away() { static_cast<void>(memory.release()); }

    std::unique_ptr<Memory> memory;
    bmo_owner owner;
};

// The library speaks of the arrays that it is given; the file calls them otherwise.
[[noreturn]] void fail_named(const Failure &failure, const std::string &name) {
    constexpr std::pair<std::string_view, std::string_view> names[] = {
        {"data.pointers", ": indptr"}, {"data.indices", ": indices"}, {"data.", ": "}, {"data:", ":"}};
    const std::string_view message = failure.what();
    for (const auto &[given, in_file] : names)
        if (message.starts_with(given))
            throw Failure(failure.exit_code, text(name, in_file, message.substr(given.size())));
    throw Failure(failure);
}

// make(&dataset) is a call of the library that borrows `lent`.
template <class Memory, class Make>
Dataset lend(Lent<Memory> &lent, const std::string &name, Make make) {
    bmo_dataset *dataset = nullptr;
    try {
        check(make(&dataset));
    } catch (const Failure &failure) {
        fail_named(failure, name);
    }
    lent.give_away();
    return Dataset(dataset);
}

void check_sides(std::int64_t rows, std::int64_t cols, bool transpose, const std::string &name) {
    if ((transpose ? rows : cols) == 0)
        fail(text(name, ": has no ", transpose ? "rows" : "columns", "; a point has one coordinate or more"));
}

Dataset read_dense(const Hdf5Array &array, bool transpose, Progress &progress) {
    check_sides(array.rows(), array.cols(), transpose, array.name());
    Lent<Values> lent(std::make_unique<Values>(array.read(progress)));
    auto points = sized<bmo_dense>();
    points.dtype = array.dtype();
    points.data = lent.memory->get();
    points.n = transpose ? array.cols() : array.rows();
    points.d = transpose ? array.rows() : array.cols();
    points.point_stride = transpose ? 1 : array.cols();
    points.coord_stride = transpose ? array.cols() : 1;
    return lend(lent, array.name(), [&](bmo_dataset **dataset) {
        return bmo_dataset_dense(dataset, &points, BMO_BORROW, &lent.owner, &progress.monitor());
    });
}

struct SparseValues {
    Values pointers, indices, values;
};

Hdf5Array open_part(const Hdf5File &file, const std::string &group, const char *part) {
    const std::string object = text(group, "/", part);
    return {file.open(object), file.name_of(object), 1};
}

// The arrays of a group.
struct Parts {
    Parts(const Hdf5File &file, const std::string &group)
        : pointers(open_part(file, group, "indptr")), indices(open_part(file, group, "indices")),
          values(open_part(file, group, "data")) {
        pointers.make_index();
        indices.make_index();
    }

    void check(std::int64_t lines) const {
        if (pointers.rows() != lines + 1)
            fail(text(pointers.name(), ": has ", counted(pointers.rows(), "element"), "; expected ", lines + 1));
        if (indices.rows() != values.rows())
            fail(text(indices.name(), ": has ", counted(indices.rows(), "element"), ", but ", values.name(), " has ",
                      values.rows()));
    }

    Hdf5Array pointers, indices, values;
};

Dataset read_sparse(const Hdf5File &file, const std::string &group, SparseLayout layout, bool transpose,
                    Progress &progress) {
    const std::string name = file.name_of(group);
    const SparseShape shape = sparse_shape(file, group, layout);
    check_sides(shape.rows, shape.cols, transpose, name);
    const bool by_rows = layout == SparseLayout::csr;
    const Parts parts(file, group);
    parts.check(by_rows ? shape.rows : shape.cols);
    Lent<SparseValues> lent(std::make_unique<SparseValues>(
        SparseValues{parts.pointers.read(progress), parts.indices.read(progress), parts.values.read(progress)}));
    auto points = sized<bmo_sparse>();
    points.orientation = by_rows != transpose ? BMO_POINTS_COMPRESSED : BMO_COORDS_COMPRESSED;
    points.pointer_dtype = parts.pointers.dtype();
    points.index_dtype = parts.indices.dtype();
    points.value_dtype = parts.values.dtype();
    points.n = transpose ? shape.cols : shape.rows;
    points.d = transpose ? shape.rows : shape.cols;
    points.nnz = parts.values.rows();
    points.pointers = lent.memory->pointers.get();
    points.indices = lent.memory->indices.get();
    points.values = lent.memory->values.get();
    return lend(lent, name, [&](bmo_dataset **dataset) {
        return bmo_dataset_sparse(dataset, &points, BMO_BORROW, &lent.owner, &progress.monitor());
    });
}

} // namespace

Dataset read_matrix(const Hdf5File &file, const std::string &object, bool transpose, Progress &progress) {
    Hdf5Id opened = file.open(object);
    if (const auto layout = sparse_layout(opened.get()))
        return read_sparse(file, object, *layout, transpose, progress);
    if (H5Iget_type(opened.get()) == H5I_GROUP)
        fail(text(file.name_of(object), ": is a group; expected a dataset, or a sparse matrix as AnnData or 10x "
                                        "Genomics write it"));
    return read_dense(Hdf5Array(std::move(opened), file.name_of(object), 2), transpose, progress);
}

bool is_matrix(hid_t object) {
    return H5Iget_type(object) == H5I_DATASET ? is_array_of_numbers(object, 2) : sparse_layout(object).has_value();
}

} // namespace bmo_command
