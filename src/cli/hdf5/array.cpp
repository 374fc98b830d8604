#include "cli/hdf5/array.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "cli/failure.hpp"
#include "cli/hdf5/file.hpp"
#include "cli/hdf5/number_type.hpp"
#include "cli/interrupt.hpp"
#include "cli/text.hpp"

namespace bmo_command {

namespace {

// Bytes of so many values; -1 if no memory has so many.
std::int64_t bytes_of(std::int64_t rows, std::int64_t cols, std::size_t size) {
    constexpr std::int64_t most = std::int64_t{1} << 47; // of a process
    std::int64_t values, bytes;
    const bool too_many = __builtin_mul_overflow(rows, cols, &values) || __builtin_mul_overflow(values, size, &bytes);
    return too_many || bytes >= most ? -1 : bytes;
}

// None if there is not so much.
std::unique_ptr<std::byte[]> memory_of(std::int64_t bytes) {
    if (bytes < 0)
        return nullptr;
    return std::unique_ptr<std::byte[]>(new (std::nothrow) std::byte[static_cast<std::size_t>(bytes)]);
}

Hdf5Id type_of(hid_t dataset, const std::string &name) {
    if (H5Iget_type(dataset) != H5I_DATASET)
        fail(text(name, ": is no dataset; expected one of numbers"));
    Hdf5Id type(H5Dget_type(dataset));
    if (!type)
        fail(text(name, ": has no type that can be read: ", hdf5_reason()));
    return type;
}

std::string filter_text(H5Z_filter_t filter, const char *name) {
    return *name ? text("\"", name, "\" (", filter, ")") : text(filter);
}

// HDF5 looks for its filters when they are asked for, also among its plugins.
void check_filters(hid_t properties, const std::string &dataset) {
    const int filters = H5Pget_nfilters(properties);
    for (int i = 0; i < filters; ++i) {
        char name[64] = {};
        std::size_t values = 0;
        unsigned flags = 0, info = 0;
        const H5Z_filter_t filter = H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr,
                                                   sizeof name - 1, name, &info);
        if (filter < 0 || H5Zfilter_avail(filter) <= 0)
            fail(text(dataset, ": is stored with the filter ", filter_text(filter, name),
                      ", which this HDF5 lacks; expected another, such as gzip (HDF5_PLUGIN_PATH tells HDF5 where "
                      "filters are)"));
    }
}

} // namespace

Hdf5Array::Hdf5Array(Hdf5Id dataset, std::string name, std::size_t dimensions)
    : dataset_(std::move(dataset)), type_(type_of(dataset_.get(), name)), name_(std::move(name)),
      dtype_(number_type(type_.get())), dimensions_(dimensions) {
    set_shape(dimensions);
    if (dtype_ == 0)
        fail(text(name_, ": has ", type_text(type_.get()),
                  "; expected floats of IEEE 754, of 16, 32 or 64 bits, or integers of 8, 16, 32 or 64"));
    check_values_are_here();
}

void Hdf5Array::make_index() {
    if (H5Tget_class(type_.get()) != H5T_INTEGER)
        fail(text(name_, ": has ", type_text(type_.get()), "; expected integers"));
    if (dtype_ != BMO_I32)
        dtype_ = BMO_I64;
}

void Hdf5Array::set_shape(std::size_t dimensions) {
    const Hdf5Id space(H5Dget_space(dataset_.get()));
    if (!space)
        fail(text(name_, ": has no shape that can be read: ", hdf5_reason()));
    if (H5Sget_simple_extent_type(space.get()) == H5S_NULL)
        fail(text(name_, ": is empty; expected numbers"));
    const int has = H5Sget_simple_extent_ndims(space.get());
    if (std::cmp_not_equal(has, dimensions))
        fail(text(name_, ": has ", has, has == 1 ? " dimension" : " dimensions", "; expected ", dimensions));
    hsize_t sizes[H5S_MAX_RANK] = {};
    H5Sget_simple_extent_dims(space.get(), sizes, nullptr);
    for (std::size_t i = 0; i < dimensions; ++i)
        if (sizes[i] > static_cast<hsize_t>(std::numeric_limits<std::int64_t>::max()))
            fail(text(name_, ": dimension ", i, " has the size ", sizes[i], "; expected at most ",
                      std::numeric_limits<std::int64_t>::max()));
    rows_ = static_cast<std::int64_t>(sizes[0]);
    cols_ = dimensions > 1 ? static_cast<std::int64_t>(sizes[1]) : 1;
}

void Hdf5Array::check_values_are_here() const {
    const Hdf5Id properties(H5Dget_create_plist(dataset_.get()));
    if (!properties)
        fail(text(name_, ": its storage cannot be read: ", hdf5_reason()));
    if (H5Pget_layout(properties.get()) == H5D_VIRTUAL || H5Pget_external_count(properties.get()) > 0)
        fail(text(name_, ": has its values in other files; expected values in this file"));
    if (rows_ > 0 && cols_ > 0 && H5Dget_storage_size(dataset_.get()) == 0)
        fail(text(name_, ": has a shape, but no value was ever written"));
    check_filters(properties.get(), name_);
}

// Whole chunks, each of which is then unpacked once.
std::int64_t Hdf5Array::rows_a_block() const {
    constexpr std::int64_t bytes_a_block = std::int64_t{1} << 24;
    const std::int64_t row = bytes_of(1, cols_, bytes_of_number(dtype_));
    const std::int64_t wanted = std::max<std::int64_t>(1, bytes_a_block / std::max<std::int64_t>(1, row));
    const Hdf5Id properties(H5Dget_create_plist(dataset_.get()));
    hsize_t chunk[H5S_MAX_RANK] = {};
    if (H5Pget_layout(properties.get()) != H5D_CHUNKED || H5Pget_chunk(properties.get(), H5S_MAX_RANK, chunk) < 1)
        return wanted;
    const std::int64_t high = std::clamp<std::int64_t>(static_cast<std::int64_t>(chunk[0]), 1, std::max(rows_, wanted));
    return (wanted + high - 1) / high * high;
}

std::unique_ptr<std::byte[]> Hdf5Array::read(Progress &progress) const {
    const std::size_t size = bytes_of_number(dtype_);
    const std::int64_t bytes = bytes_of(rows_, cols_, size);
    std::unique_ptr<std::byte[]> values = memory_of(bytes);
    if (!values)
        fail(text(name_, ": has ", rows_, " x ", cols_, " values of ", size, " bytes, more than there is memory for"));
    const std::int64_t block = bytes == 0 ? 1 : rows_a_block(), row = bytes == 0 ? 0 : bytes / rows_;
    for (std::int64_t first = 0; first < rows_ && bytes > 0; first += block) {
        stop_if_interrupted();
        progress.show_reading(first * row, bytes);
        const std::int64_t count = std::min(block, rows_ - first);
        std::byte *to = values.get() + first * row;
        read_block(first, count, to);
        if (is_uint64(type_.get()))
            check_uint64(first, count, to);
    }
    progress.show_reading(bytes, bytes);
    return values;
}

void Hdf5Array::read_block(std::int64_t first, std::int64_t count, std::byte *to) const {
    const hsize_t start[] = {static_cast<hsize_t>(first), 0};
    const hsize_t sizes[] = {static_cast<hsize_t>(count), static_cast<hsize_t>(cols_)};
    const Hdf5Id from(H5Dget_space(dataset_.get()));
    H5Sselect_hyperslab(from.get(), H5S_SELECT_SET, start, nullptr, sizes, nullptr);
    const Hdf5Id memory(H5Screate_simple(static_cast<int>(dimensions_), sizes, nullptr));
    const Hdf5Id numbers = is_uint64(type_.get()) ? Hdf5Id(H5Tcopy(H5T_NATIVE_UINT64)) : memory_type(dtype_);
    // Truth values are an enumeration, which is read as it is.
    const hid_t as = H5Tget_class(type_.get()) == H5T_ENUM ? type_.get() : numbers.get();
    if (H5Dread(dataset_.get(), as, memory.get(), from.get(), H5P_DEFAULT, to) < 0)
        fail(text(name_, ": cannot be read: ", hdf5_reason()));
}

// Those that int64 lacks; the library refuses the others that are too large.
void Hdf5Array::check_uint64(std::int64_t first, std::int64_t count, const std::byte *values) const {
    for (std::int64_t i = 0; i < count * cols_; ++i) {
        std::uint64_t value;
        std::memcpy(&value, values + i * static_cast<std::int64_t>(sizeof value), sizeof value);
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            fail(text(name_, ": the value of row ", first + i / cols_, ", column ", i % cols_, " (counted from 0) is ",
                      value, "; expected integers from -2^53 to 2^53"));
    }
}

bool is_array_of_numbers(hid_t dataset, std::size_t dimensions) {
    const Hdf5Id space(H5Dget_space(dataset)), type(H5Dget_type(dataset));
    return space && type && std::cmp_equal(H5Sget_simple_extent_ndims(space.get()), dimensions) &&
           number_type(type.get()) != 0;
}

} // namespace bmo_command
