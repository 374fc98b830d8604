#include "api/points.hpp"
#include "api/strides.hpp"
#include "api/structs.hpp"
#include "util/checked.hpp"

namespace bmo {

namespace {

void check_positions(bmo_dtype dtype, const std::string &argument) {
    if (dtype != BMO_I32 && dtype != BMO_I64)
        refuse(argument, dtype, "BMO_I32 or BMO_I64");
}

void check_array(const void *array, std::int64_t count, bmo_dtype dtype, const std::string &argument) {
    if (!array && count > 0)
        fail(BMO_EINVAL, argument, text(argument, " is NULL; expected ", count, " elements"));
    check_alignment(array, dtype_size(dtype), argument);
}

void check_sizes(const bmo_sparse &points, const std::string &argument) {
    if (points.n < 0)
        refuse(argument + ".n", points.n, "0 or more");
    if (points.d < 1)
        refuse(argument + ".d", points.d, "1 or more");
    check_side(points.n, argument + ".n", argument + ".n");
    check_side(points.d, argument + ".d", argument + ".d");
    if (points.nnz < 0)
        refuse(argument + ".nnz", points.nnz, "0 or more");
    checked_mul(points.nnz, sizeof(double) + sizeof(std::int32_t), argument + ".nnz"); // as copied
}

} // namespace

SparseInput input_of(const bmo_sparse *points, const std::string &argument) {
    const bmo_sparse ours = read_struct(points, argument);
    if (ours.orientation != BMO_POINTS_COMPRESSED && ours.orientation != BMO_COORDS_COMPRESSED)
        refuse(argument + ".orientation", ours.orientation, "BMO_POINTS_COMPRESSED or BMO_COORDS_COMPRESSED");
    if (ours.index_base != 0 && ours.index_base != 1)
        refuse(argument + ".index_base", ours.index_base, "0 or 1");
    check_positions(ours.pointer_dtype, argument + ".pointer_dtype");
    check_positions(ours.index_dtype, argument + ".index_dtype");
    if (ours.values && dtype_size(ours.value_dtype) == 0)
        refuse(argument + ".value_dtype", ours.value_dtype, kDtypeNames);
    check_sizes(ours, argument);
    const bool by_coordinate = ours.orientation == BMO_COORDS_COMPRESSED;
    const bool none = !by_coordinate && ours.n == 0 && ours.nnz == 0;
    check_array(ours.pointers, none ? 0 : (by_coordinate ? ours.d : ours.n) + 1, ours.pointer_dtype,
                argument + ".pointers");
    check_array(ours.indices, ours.nnz, ours.index_dtype, argument + ".indices");
    if (ours.values)
        check_array(ours.values, ours.nnz, ours.value_dtype, argument + ".values");
    return {.by_coordinate = by_coordinate,
            .index_base = ours.index_base,
            .pointer_dtype = ours.pointer_dtype,
            .index_dtype = ours.index_dtype,
            .value_dtype = ours.value_dtype,
            .n = ours.n,
            .d = ours.d,
            .nnz = ours.nnz,
            .pointers = ours.pointers,
            .indices = ours.indices,
            .values = ours.values};
}

} // namespace bmo
