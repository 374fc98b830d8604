// Points as they lie in the caller's memory: all layouts that the interface takes.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "bmo.h"
#include "points.hpp"
#include "random.hpp"

// Memory whose type is known at run time.
class Array {
public:
    Array() = default;
    Array(bmo_dtype dtype, std::int64_t count);

    void set(std::int64_t i, double value);
    const void *data() const { return bytes_.get(); }
    bmo_dtype dtype() const { return dtype_; }

private:
    bmo_dtype dtype_ = BMO_F64;
    std::unique_ptr<std::byte[]> bytes_; // aligned for every type
};

// Strides at random; what lies between is NaN, or no value of the points.
class DenseLayout {
public:
    DenseLayout(const Points &points, Random &random);
    const bmo_dense &view() const { return view_; }

private:
    Array values_;
    bmo_dense view_;
};

// By points or by coordinates, from 0 or 1, in any order and types, some values in two parts, some zeros stored.
class SparseLayout {
public:
    SparseLayout(const Points &points, Random &random);
    const bmo_sparse &view() const { return view_; }

private:
    Array pointers_, indices_, values_;
    bmo_sparse view_;
};
