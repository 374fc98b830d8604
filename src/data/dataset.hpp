// An immutable set of points, and what was prepared for searching it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bmo.h"
#include "data/check.hpp"
#include "data/points.hpp"
#include "util/watch.hpp"

namespace bmo {

struct SectionSource; // data/files/sections.hpp

// What a box needs beside the data; each box derives its own.
struct Preparation {
    std::int64_t box = BMO_BOX_AUTO;
    std::int64_t metric = 0; // BMO_METRIC_* that it is for; 0: any
    std::int64_t seed = 0;
    std::shared_ptr<const std::vector<double>> weights; // of the coordinates; null: none
    std::uint64_t bytes = 0;                            // of memory
    std::uint64_t prepare_ns = 0;

    Preparation() = default;
    Preparation(const Preparation &) = delete;
    Preparation &operator=(const Preparation &) = delete;
    virtual ~Preparation() = default;

    // The box, what it is for, and what it was drawn and weighted by.
    void copy_identity(const Preparation &other) {
        box = other.box;
        metric = other.metric;
        seed = other.seed;
        weights = other.weights;
    }

    // What is to be kept of it in a file, beyond the fields above; nothing: it is made again. Refers to the preparation.
    virtual std::vector<SectionSource> sections() const;
};

// Memory that a dataset holds: freed by the deleter, which calls the caller's release function, unmaps or frees.
using Memory = std::shared_ptr<const void>;

struct Dataset {
    Kind kind = Kind::dense;
    DenseView dense;                                   // of this kind
    SparseView sparse;                                 // or of that
    Memory memory;                                     // behind the view
    std::uint64_t bytes_owned = 0, bytes_borrowed = 0; // of the source
    double max_abs = 0;                                // the largest |value|
    std::shared_ptr<const Preparation> prepared;       // null: not prepared
    bool prepared_by_auto = false; // its box was not asked for: a metric that it does not serve is searched without it

    PointsView points() const { return kind == Kind::dense ? PointsView(dense) : PointsView(sparse); }
    std::int64_t n() const { return kind == Kind::dense ? dense.n : sparse.n; }
    std::int64_t d() const { return kind == Kind::dense ? dense.d : sparse.d; }
    std::int64_t nnz() const { return kind == Kind::dense ? dense.n * dense.d : sparse.nnz(); } // stored values
};

// Takes what the caller describes (already checked for struct fields). The release of a borrow is `owner`, run when the
// memory goes. Integers of more than 8 bits become F32 if that is exact, else F64. `argument` names the points in messages.
std::shared_ptr<const Dataset> make_dense(const DenseView &points, bool borrow, Memory owner, Watch &watch,
                                          const char *argument = "data");

// Room for n x d values, row-major, on a cache line's boundary.
std::shared_ptr<void> allocate_dense(bmo_dtype dtype, std::int64_t n, std::int64_t d);

// The same as make_dense for values that the library has in memory of its own.
std::shared_ptr<const Dataset> adopt_dense(const DenseView &points, Memory memory, Watch &watch);

// A row-major copy of dense points, for work that reads each of them often. Null if it would be of no use: the coordinates of a
// point are together in memory as it is, or the points are prepared.
std::shared_ptr<const Dataset> in_rows(const Dataset &data, Watch &watch);

// A row-major copy of dense points in a type of at most half the width that holds each value: bytes, or, if coordinates are
// apart in memory, float. Also of int8 as bytes. Null if there is none.
std::shared_ptr<const Dataset> narrow_rows(const Dataset &data, Watch &watch);

// Reads a file by its first bytes.
std::shared_ptr<const Dataset> open_dataset(const std::string &path, bool borrow, Watch &watch);

} // namespace bmo
