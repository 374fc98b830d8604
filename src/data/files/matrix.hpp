// A matrix of numbers as they lie in a file: of one type, row after row or column after column.
#pragma once

#include <cstdint>
#include <memory>

#include "data/dataset.hpp"
#include "data/files/source.hpp"

namespace bmo {

struct StoredMatrix {
    bmo_dtype dtype = 0;
    bool by_column = false;
    bool big_endian = false; // of values of more than a byte
    std::int64_t n = 0, d = 0;
};

// Reads what is left of the source, which must be exactly the values. borrow: maps the file if the values can be used as
// they lie there. What is announced allocates nothing beyond what the source can hold.
std::shared_ptr<const Dataset> read_matrix(Source &source, const StoredMatrix &matrix, bool borrow, Watch &watch);

// Turns the bytes of each value around: of one byte there is nothing to do.
void swap_bytes(void *values, std::int64_t count, std::size_t size, Watch &watch);

} // namespace bmo
