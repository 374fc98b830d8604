// Sparse points as a caller describes them: compressed rows or columns, of any supported types.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "data/dataset.hpp"

namespace bmo {

// Fields were checked; what the arrays hold was not.
struct SparseInput {
    bool by_coordinate = false; // compressed columns: the lines are coordinates, not points
    std::int32_t index_base = 0;
    bmo_dtype pointer_dtype = BMO_I64, index_dtype = BMO_I32;
    bmo_dtype value_dtype = BMO_F32; // not looked at if values is null
    std::int64_t n = 0, d = 1, nnz = 0;
    const void *pointers = nullptr, *indices = nullptr;
    const void *values = nullptr; // null: all 1

    std::int64_t lines() const { return by_coordinate ? d : n; }
    std::int64_t line_length() const { return by_coordinate ? n : d; }
};

// Checks all that the arrays hold. A borrow that can be used as it is (see SparseView) is; everything else is copied.
// The release of a borrow is `owner`, run when the memory goes. `argument` names the struct in messages.
std::shared_ptr<const Dataset> make_sparse(const SparseInput &points, bool borrow, Memory owner,
                                           const std::string &argument, Watch &watch);

} // namespace bmo
