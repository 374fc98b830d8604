// Structs that cross the ABI: the caller's may be shorter or longer than the library's (see struct_size in bmo.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "api/guard.hpp"

namespace bmo {

// The size of a struct as it was first published: no caller has a shorter one.
template <class Struct>
inline constexpr std::size_t first_size = 0;
template <>
inline constexpr std::size_t first_size<bmo_error> = offsetof(bmo_error, message) + sizeof(bmo_error::message);
template <>
inline constexpr std::size_t first_size<bmo_monitor> = offsetof(bmo_monitor, cancel) + sizeof(bmo_monitor::cancel);
template <>
inline constexpr std::size_t first_size<bmo_dense> = offsetof(bmo_dense, coord_stride) +
                                                     sizeof(bmo_dense::coord_stride);
template <>
inline constexpr std::size_t first_size<bmo_sparse> = offsetof(bmo_sparse, values) + sizeof(bmo_sparse::values);
template <>
inline constexpr std::size_t first_size<bmo_owner> = offsetof(bmo_owner, ctx) + sizeof(bmo_owner::ctx);
template <>
inline constexpr std::size_t first_size<bmo_dataset_info> = offsetof(bmo_dataset_info, prepare_ns) +
                                                            sizeof(bmo_dataset_info::prepare_ns);
template <>
inline constexpr std::size_t first_size<bmo_param_info> = offsetof(bmo_param_info, upper_i64) +
                                                          sizeof(bmo_param_info::upper_i64);
template <>
inline constexpr std::size_t first_size<bmo_stats> = offsetof(bmo_stats, wall_ns) + sizeof(bmo_stats::wall_ns);
template <>
inline constexpr std::size_t first_size<bmo_arms> = offsetof(bmo_arms, exact) + sizeof(bmo_arms::exact);
template <>
inline constexpr std::size_t first_size<bmo_best> = offsetof(bmo_best, halfwidth) + sizeof(bmo_best::halfwidth);
template <>
inline constexpr std::size_t first_size<bmo_kmeans> = offsetof(bmo_kmeans, iterations) + sizeof(bmo_kmeans::iterations);
template <>
inline constexpr std::size_t first_size<bmo_medoid> = offsetof(bmo_medoid, mean_distance) +
                                                      sizeof(bmo_medoid::mean_distance);
template <>
inline constexpr std::size_t first_size<bmo_candidates> = offsetof(bmo_candidates, labels) +
                                                          sizeof(bmo_candidates::labels);
template <>
inline constexpr std::size_t first_size<bmo_limits> = offsetof(bmo_limits, max_pairs) + sizeof(bmo_limits::max_pairs);
template <>
inline constexpr std::size_t first_size<bmo_neighbors_view> = offsetof(bmo_neighbors_view, distance) +
                                                              sizeof(bmo_neighbors_view::distance);
template <>
inline constexpr std::size_t first_size<bmo_output> = offsetof(bmo_output, row_stats) + sizeof(bmo_output::row_stats);

// No published struct comes near it: a larger size is a mistake, and its tail is not looked at.
inline constexpr std::size_t largest_struct = 4096;

// Read byte by byte: the caller's object may be smaller than a Struct.
template <class Struct>
std::size_t declared_size(const Struct *theirs) {
    static_assert(offsetof(Struct, struct_size) == 0);
    decltype(Struct::struct_size) size;
    std::memcpy(&size, theirs, sizeof size);
    return size;
}

template <class Struct>
void check_struct(const Struct *theirs, std::string_view argument) {
    static_assert(first_size<Struct> > 0 && std::is_trivially_copyable_v<Struct>);
    require(theirs, argument);
    const std::size_t size = declared_size(theirs);
    if (size < first_size<Struct> || size > largest_struct)
        fail(BMO_EINVAL, text(argument, ".struct_size"),
             text(argument, ".struct_size is ", size, "; expected ", sizeof(Struct)));
}

// What the caller's struct says; fields that it does not have are 0.
template <class Struct>
Struct read_struct(const Struct *theirs, std::string_view argument) {
    check_struct(theirs, argument);
    const std::size_t size = declared_size(theirs), known = std::min(size, sizeof(Struct));
    const auto *bytes = reinterpret_cast<const unsigned char *>(theirs);
    if (std::any_of(bytes + known, bytes + size, [](unsigned char byte) { return byte != 0; }))
        fail(BMO_EVERSION, text(argument, ".struct_size"),
             text(argument, " has fields set beyond the ", known, " bytes that version ", BMO_VERSION_MAJOR, ".",
                  BMO_VERSION_MINOR, ".", BMO_VERSION_PATCH, " of the library knows"));
    Struct ours{};
    std::memcpy(&ours, bytes, known);
    return ours;
}

// Fills as much of the caller's struct, which check_struct() accepted, as both know.
template <class Struct>
void write_struct(Struct *theirs, Struct ours) {
    const std::size_t size = declared_size(theirs);
    ours.struct_size = static_cast<decltype(ours.struct_size)>(size);
    std::memcpy(theirs, &ours, std::min(size, sizeof ours));
}

} // namespace bmo
