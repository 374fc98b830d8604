// .npy files written by hand, byte by byte.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

template <class T>
std::string raw(std::initializer_list<T> values) {
    return {reinterpret_cast<const char *>(values.begin()), values.size() * sizeof(T)};
}

inline std::string npy_file(std::string_view dictionary, std::string_view values, char version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += version;
    bytes += '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
        bytes += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
    bytes += dictionary;
    bytes += values;
    return bytes;
}

// 2 points of 3 coordinates: 1 2 3, 4 5 6.
inline std::string small_npy() {
    return npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", raw<float>({1, 2, 3, 4, 5, 6}));
}
