#include "cli/hdf5/strings.hpp"

#include <algorithm>
#include <string_view>

#include "cli/interrupt.hpp"

namespace bmo_command {

namespace {

using Strings = std::optional<std::vector<std::string>>;
using Read = std::function<bool(hid_t type, void *to)>;

// HDF5 allocates them, and frees them again.
Strings read_of_any_length(hid_t type, hid_t space, std::size_t count, const Read &read) {
    std::vector<char *> values(count);
    Strings strings;
    if (read(type, static_cast<void *>(values.data()))) {
        strings.emplace();
        for (const char *value : values)
            strings->emplace_back(value ? value : "");
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, static_cast<void *>(values.data()));
    return strings;
}

// Up to a NUL, and without the spaces that Fortran pads by.
std::string unpadded(std::string_view value, H5T_str_t padding) {
    value = value.substr(0, value.find('\0'));
    if (padding == H5T_STR_SPACEPAD)
        value = value.substr(0, value.find_last_not_of(' ') + 1);
    return std::string(value);
}

Strings read_of_fixed_length(hid_t type, std::size_t count, const Read &read) {
    const std::size_t size = H5Tget_size(type);
    std::size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes))
        return {};
    std::string values(bytes, '\0');
    if (!read(type, values.data()))
        return {};
    Strings strings;
    strings.emplace();
    for (std::size_t i = 0; i < count; ++i)
        strings->push_back(unpadded(std::string_view(values).substr(i * size, size), H5Tget_strpad(type)));
    return strings;
}

} // namespace

Strings read_strings(hid_t type, hid_t space, std::size_t count, const Read &read) {
    if (H5Tget_class(type) != H5T_STRING)
        return {};
    return H5Tis_variable_str(type) > 0 ? read_of_any_length(type, space, count, read)
                                        : read_of_fixed_length(type, count, read);
}

Strings read_strings(hid_t dataset) {
    const Hdf5Id type(H5Dget_type(dataset)), all(H5Dget_space(dataset));
    hsize_t count = 0;
    if (!type || !all || H5Sget_simple_extent_ndims(all.get()) != 1 ||
        H5Sget_simple_extent_dims(all.get(), &count, nullptr) != 1)
        return {};
    constexpr hsize_t block = 1 << 16;
    std::vector<std::string> strings;
    for (hsize_t first = 0; first < count; first += block) {
        stop_if_interrupted();
        const hsize_t size = std::min(block, count - first);
        const Hdf5Id memory(H5Screate_simple(1, &size, nullptr));
        H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, &first, nullptr, &size, nullptr);
        auto some = read_strings(type.get(), memory.get(), size, [&](hid_t as, void *to) {
            return H5Dread(dataset, as, memory.get(), all.get(), H5P_DEFAULT, to) >= 0;
        });
        if (!some)
            return {};
        std::ranges::move(*some, std::back_inserter(strings));
    }
    return strings;
}

} // namespace bmo_command
