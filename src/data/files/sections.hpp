// The sections of a .bmo file, version 1. All numbers are little-endian.
//
//   0     8 bytes  magic: 0x89 "BMO" 0x0d 0x0a 0x1a 0x0a (a transfer as text changes it)
//   8     u32      version: 1
//   12    u32      number of sections, at most 126
//   16    u64      bytes of the file
//   24    u64      CRC-32 of the head (as zlib has it), with 0 in this place
//   32    32 bytes for each section: u32 what it holds, u32 0, u64 offset, u64 bytes, u64 CRC-32 of its content
//   ...   zeros
//   4096  the sections, in the order of the table, each at the next multiple of 64, zeros between
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "util/watch.hpp"

namespace bmo {

enum class SectionKind : std::uint32_t {
    meta = 1,
    dense_values = 2,
    sparse_pointers = 3,
    sparse_indices = 4,
    sparse_values = 5,
    weights = 6,
    order = 7,
    blocks = 8,
    norms = 9,
    rotation = 10,
    signs = 11,
    directions = 12,
    middle = 13,
    heads = 14,
    remainders = 15,
    groups = 16,
    codes = 17,
};

// One to be written: `bytes` at `data`, which `keeper` keeps.
struct SectionSource {
    SectionKind kind;
    const void *data;
    std::int64_t bytes;
    Memory keeper;

    // Of a vector that is given away.
    template <class T>
    static SectionSource of(SectionKind what, std::vector<T> values) {
        const auto kept = std::make_shared<const std::vector<T>>(std::move(values));
        return {what, kept->data(), static_cast<std::int64_t>(kept->size() * sizeof(T)), kept};
    }
};

// Writes a file of them, or leaves things as they were. Reports phase WRITE.
void write_sections(const std::string &path, const std::vector<SectionSource> &sections, Watch &watch);

// Whether the file begins as one of them.
bool has_sections(const std::string &path);

// All sections of a file, checked against their sums. Reports phase READ.
class Sections {
public:
    // borrow: maps the file if that can be had. Memory: never more than the file has bytes.
    Sections(const std::string &path, bool borrow, Watch &watch);

    bool has(SectionKind kind) const { return find(kind) != nullptr; }
    std::int64_t bytes(SectionKind kind) const { return get(kind).bytes; }
    Memory memory(SectionKind kind) const { return get(kind).content; }
    // A section of so many values. Fails with BMO_EFORMAT if it is not there, or of another size.
    template <class T>
    const T *values(SectionKind kind, std::int64_t count) const {
        return static_cast<const T *>(expect(kind, count, sizeof(T)));
    }

    bool mapped() const { return mapped_; }
    const std::string &path() const { return path_; }
    std::int64_t file_bytes() const { return file_bytes_; }
    [[noreturn]] void fail_format(const std::string &what) const;

private:
    struct Section {
        SectionKind kind;
        std::int64_t bytes;
        Memory content;
    };
    const Section *find(SectionKind kind) const;
    const Section &get(SectionKind kind) const;
    const void *expect(SectionKind kind, std::int64_t count, std::size_t size) const;

    std::string path_;
    std::int64_t file_bytes_ = 0;
    bool mapped_ = false;
    std::vector<Section> sections_;
};

} // namespace bmo
