#include "api/output.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "api/strides.hpp"
#include "api/structs.hpp"
#include "data/dense.hpp"

namespace bmo {

namespace {

void check_types(bmo_output &out) {
    if (out.index_base != 0 && out.index_base != 1)
        refuse("out.index_base", out.index_base, "0 or 1");
    if (out.index_dtype == 0)
        out.index_dtype = BMO_I64;
    if (out.index_dtype != BMO_I32 && out.index_dtype != BMO_I64)
        refuse("out.index_dtype", out.index_dtype, "BMO_I32, BMO_I64 or 0 (BMO_I64)");
    if (out.distance_dtype == 0)
        out.distance_dtype = BMO_F64;
    if (out.distance_dtype != BMO_F32 && out.distance_dtype != BMO_F64)
        refuse("out.distance_dtype", out.distance_dtype, "BMO_F32, BMO_F64 or 0 (BMO_F64)");
    check_alignment(out.index, dtype_size(out.index_dtype), "out.index");
    check_alignment(out.distance, dtype_size(out.distance_dtype), "out.distance");
    check_alignment(out.row_stats, alignof(bmo_row_stats), "out.row_stats");
}

void check_places(bmo_output &out, std::int64_t queries, std::int64_t k) {
    if (out.capacity < 0)
        refuse("out.capacity", out.capacity, "0 or more");
    Axes axes{{queries, out.query_stride, "out.query_stride"}, {k, out.rank_stride, "out.rank_stride"}};
    axes.resolve();
    out.query_stride = axes.outer.stride;
    out.rank_stride = axes.inner.stride;
    if (axes.overlap())
        fail(BMO_EINVAL, "out.query_stride",
             text("out.query_stride is ", out.query_stride, " and out.rank_stride ", out.rank_stride, ": of ", queries,
                  " queries with ", k, " neighbors each two have the same place"));
    const std::int64_t extent = axes.extent(sizeof(double));
    if ((out.index || out.distance) && out.capacity < extent)
        refuse("out.capacity", out.capacity, extent, " or more");
}

} // namespace

Output::Output(const bmo_output *out, std::int64_t queries, std::int64_t k) : queries_(queries), k_(k) {
    if (!out)
        return;
    out_ = read_struct(out, "out");
    check_types(out_);
    check_places(out_, queries, k);
}

void Output::clear() const {
    if (out_.done)
        std::fill_n(out_.done, queries_, std::uint8_t{0});
}

// beyond: what places beyond the last neighbor get.
template <class Type, class Value>
void Output::put(void *to, std::int64_t query, std::span<const Neighbor> neighbors, const Value &value,
                 Type beyond) const {
    auto *row = static_cast<Type *>(to) + query * out_.query_stride;
    const auto found = static_cast<std::int64_t>(neighbors.size());
    for (std::int64_t rank = 0; rank < k_; ++rank)
        row[rank * out_.rank_stride] =
            rank < found ? static_cast<Type>(value(neighbors[static_cast<std::size_t>(rank)])) : beyond;
}

void Output::write(std::int64_t query, std::span<const Neighbor> neighbors, const bmo_row_stats &row_stats) const {
    const auto distance = [](const Neighbor &neighbor) { return neighbor.distance; };
    const auto index = [base = out_.index_base](const Neighbor &neighbor) { return neighbor.index + base; };
    if (out_.distance && out_.distance_dtype == BMO_F32) {
        for (const Neighbor &neighbor : neighbors)
            if (std::abs(neighbor.distance) > std::numeric_limits<float>::max())
                fail(BMO_EOVERFLOW, "out.distance_dtype",
                     text("a distance of query ", Position{query}, kCountedFrom0, " is ", neighbor.distance,
                          ", beyond ", Word{"BMO_F32"}, "; expected ", Word{"BMO_F64"}),
                     query);
        put(out_.distance, query, neighbors, distance, std::numeric_limits<float>::infinity());
    } else if (out_.distance) {
        put(out_.distance, query, neighbors, distance, std::numeric_limits<double>::infinity());
    }
    if (out_.index && out_.index_dtype == BMO_I32)
        put(out_.index, query, neighbors, index, std::int32_t{-1});
    else if (out_.index)
        put(out_.index, query, neighbors, index, std::int64_t{-1});
    if (out_.row_stats)
        out_.row_stats[query] = row_stats;
    if (out_.done)
        out_.done[query] = 1;
}

} // namespace bmo
