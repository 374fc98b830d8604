#include "data/transposed.hpp"

#include <utility>

#include "data/sparse_input.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

std::shared_ptr<const Dataset> transposed_dense(std::shared_ptr<const Dataset> data, bool borrow, Watch &watch) {
    const DenseView &points = data->dense;
    const DenseView columns{points.dtype, points.data, points.d, points.n, points.coord_stride, points.point_stride};
    if (!borrow)
        return make_dense(columns, false, nullptr, watch);
    auto turned = std::make_shared<Dataset>();
    turned->dense = columns;
    turned->bytes_owned = data->bytes_owned;
    turned->bytes_borrowed = data->bytes_borrowed;
    turned->max_abs = data->max_abs;
    turned->memory = std::move(data);
    return turned;
}

std::shared_ptr<const Dataset> transposed_sparse(const Dataset &data, Watch &watch) {
    const SparseView &points = data.sparse;
    SparseInput input;
    input.by_coordinate = true;
    input.pointer_dtype = points.pointer_dtype;
    input.value_dtype = points.dtype;
    input.n = points.d;
    input.d = points.n;
    input.nnz = points.nnz();
    input.pointers = points.pointers;
    input.indices = points.indices;
    input.values = points.values;
    return make_sparse(input, false, nullptr, "data", watch);
}

} // namespace

std::shared_ptr<const Dataset> transposed(std::shared_ptr<const Dataset> data, const std::string &path, bool borrow,
                                          Watch &watch) {
    if (data->n() == 0)
        fail(BMO_EFORMAT, "path",
             text(path, ": the file has no rows, so its columns have no coordinates; expected 1 row or more"));
    return data->kind == Kind::dense ? transposed_dense(std::move(data), borrow, watch)
                                     : transposed_sparse(*data, watch);
}

} // namespace bmo
