// Where a reader takes its bytes from: a file as it is, or what another source holds compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/dataset.hpp"
#include "util/watch.hpp"

namespace bmo {

class Source {
public:
    virtual ~Source() = default;

    // Names the source in messages.
    virtual const std::string &path() const = 0;
    // The most bytes that can still be read: of a file exactly those that are left, of compressed data a bound.
    virtual std::int64_t most() const = 0;
    // The bytes that are left as they lie in memory, or null if that cannot be had.
    virtual Memory map() { return nullptr; }
    // All bytes of a source that can be read in any order: how many, or -1.
    virtual std::int64_t size() const { return -1; }
    // Of such a source the bytes from a position on, fewer than `size` only at the end. What read() reads next stays.
    virtual std::size_t read_at(std::int64_t, void *, std::size_t) { return 0; }

    // The next bytes, fewer than `size` only at the end. They stay to be read.
    std::string_view peek(std::size_t size);
    // Reads the next bytes; returns how many: fewer than `size` only at the end.
    std::size_t read(void *to, std::size_t size);
    // Reads exactly so many bytes, or fails with BMO_EFORMAT. Advances and polls the watch.
    void read_all(void *to, std::int64_t bytes, Watch &watch);
    // Fails with BMO_EFORMAT if bytes are left.
    void expect_end();

protected:
    std::int64_t peeked() const { return static_cast<std::int64_t>(ahead_.size()); }

private:
    virtual std::size_t fetch(void *to, std::size_t size) = 0;

    std::string ahead_; // peeked at, not read yet
};

} // namespace bmo
