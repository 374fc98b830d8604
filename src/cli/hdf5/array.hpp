// An array of numbers in an HDF5 file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bmo.h"
#include "cli/hdf5/id.hpp"
#include "cli/progress.hpp"

namespace bmo_command {

class Hdf5Array {
public:
    // `name` is how messages call it. A failure if the dataset has not so many dimensions, holds no numbers, or has its values
    // elsewhere.
    Hdf5Array(Hdf5Id dataset, std::string name, std::size_t dimensions);

    // From here on values are kept as int32 or int64; a failure if they are no integers.
    void make_index();

    const std::string &name() const { return name_; }
    bmo_dtype dtype() const { return dtype_; }
    std::int64_t rows() const { return rows_; }
    std::int64_t cols() const { return cols_; } // 1 of one dimension

    // All values, row-major. Stops at interrupts.
    std::unique_ptr<std::byte[]> read(Progress &progress) const;

private:
    void set_shape(std::size_t dimensions);
    void check_values_are_here() const;
    std::int64_t rows_a_block() const;
    void read_block(std::int64_t first, std::int64_t count, std::byte *to) const;
    void check_uint64(std::int64_t first, std::int64_t count, const std::byte *values) const;

    Hdf5Id dataset_, type_;
    std::string name_;
    bmo_dtype dtype_;
    std::int64_t rows_ = 0, cols_ = 1;
    std::size_t dimensions_;
};

// Whether a dataset has so many dimensions, and numbers.
bool is_array_of_numbers(hid_t dataset, std::size_t dimensions);

} // namespace bmo_command
