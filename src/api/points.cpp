#include "api/points.hpp"

#include "api/strides.hpp"
#include "api/structs.hpp"
#include "util/checked.hpp"
#include "util/counted.hpp"

namespace bmo {

namespace {

void check_fields(const bmo_dense &points, const std::string &argument) {
    if (dtype_size(points.dtype) == 0)
        refuse(argument + ".dtype", points.dtype, kDtypeNames);
    if (points.n < 0)
        refuse(argument + ".n", points.n, "0 or more");
    if (points.d < 1)
        refuse(argument + ".d", points.d, "1 or more");
    if (!points.data && points.n > 0)
        fail(BMO_EINVAL, argument + ".data", text(argument, ".data is NULL with ", counted(points.n, "point")));
    check_alignment(points.data, dtype_size(points.dtype), argument + ".data");
}

} // namespace

DenseView view_of(const bmo_dense *points, const std::string &argument) {
    const bmo_dense ours = read_struct(points, argument);
    check_fields(ours, argument);
    check_side(ours.n, argument + ".n", argument + ".n");
    check_side(ours.d, argument + ".d", argument + ".d");
    const std::size_t bytes = dtype_size(ours.dtype);
    checked_mul(checked_mul(ours.n, ours.d, argument + ".n"), sizeof(double),
                argument + ".n"); // as converted or copied
    Axes axes{{ours.n, ours.point_stride, argument + ".point_stride"},
              {ours.d, ours.coord_stride, argument + ".coord_stride"}};
    axes.resolve();
    axes.extent(bytes);
    return {ours.dtype, ours.data, ours.n, ours.d, axes.outer.stride, axes.inner.stride};
}

void check_rows(const std::int64_t *rows, std::int64_t nrows, std::int64_t n, const std::string &name) {
    const std::string argument = name + "rows";
    if (nrows < 0)
        refuse(name + "nrows", nrows, "0 or more");
    if (nrows > 0)
        require(rows, argument);
    for (std::int64_t i = 0; i < nrows; ++i)
        if (rows[i] < 0 || rows[i] >= n)
            fail(BMO_EINVAL, argument,
                 text(Word{argument}, "[", Position{i}, "] is ", Position{rows[i]}, kCountedFrom0, "; the dataset has ",
                      counted(n, "point")),
                 i);
}

} // namespace bmo
