// MatrixMarket files: a matrix as text. Its rows are the points.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "data/dataset.hpp"
#include "data/files/source.hpp"

namespace bmo {

enum class MtxSymmetry { general, symmetric, skew };

// What the first line and the line of sizes say.
struct MtxHeader {
    bool coordinate = true; // the entries that are there; else an array of all of them
    bool integer = false, pattern = false;
    MtxSymmetry symmetry = MtxSymmetry::general;
    std::int64_t n = 0, d = 0;
    std::int64_t entries = 0; // of the file
};

bool is_mtx(std::string_view first_bytes);

// Of a coordinate file a sparse dataset, of an array a dense one. What a file announces allocates nothing: memory grows
// with what it holds, to at most 64 times its size as text and 32 MiB.
std::shared_ptr<const Dataset> read_mtx(Source &source, bool borrow, Watch &watch);

} // namespace bmo
