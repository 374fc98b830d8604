// Zip archives: the files in them, stored or deflated, with or without the fields of 64 bits. No encryption, and no parts.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/source.hpp"

namespace bmo {

bool is_zip(std::string_view first_bytes);

class Zip {
public:
    struct Entry {
        std::string name;
        int method = 0; // 0: stored; 8: deflated
        bool encrypted = false;
        std::uint32_t checksum = 0;
        std::int64_t packed = 0, unpacked = 0; // bytes
        std::int64_t header = 0;               // where its own header starts
    };

    // Reads the directory at the end. The source must be one that can be read in any order.
    Zip(Source &archive, Watch &watch);

    const std::vector<Entry> &entries() const { return entries_; }
    // The content of an entry; its checksum is compared at its end. It refers to the archive.
    std::unique_ptr<Source> open(const Entry &entry);

private:
    struct Directory {
        std::int64_t entries, start, bytes;
    };
    Directory find_directory();
    Directory large_directory(std::int64_t end);
    void read_entries(const Directory &directory);
    std::string bytes_at(std::int64_t position, std::int64_t size, const char *what);
    [[noreturn]] void fail_format(const std::string &what) const;

    Source &archive_;
    Watch &watch_;
    std::vector<Entry> entries_;
};

} // namespace bmo
