// A zip archive of .npy files, stored uncompressed, as numpy.savez writes it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "output_file.hpp"

namespace bmo_command {

constexpr std::uint64_t npz_limit =
    (std::uint64_t{1} << 32) - (1 << 16); // of bytes of values: less what the headers take

struct NpzArray {
    const char *name, *descr; // "label", "<i4"
    std::int64_t rows, cols;  // cols 0: one-dimensional
    std::string_view bytes;
};

template <class T>
std::string_view bytes_of(const std::vector<T> &values) {
    return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

void write_npz_arrays(std::initializer_list<NpzArray> arrays, OutputFile &file);

} // namespace bmo_command
