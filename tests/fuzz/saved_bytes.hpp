// The bytes of .bmo files: see src/data/files/sections.hpp.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

// The head holds the table of sections from kEntry on; an entry is as long as what is before the table.
inline constexpr std::size_t kHead = 4096, kEntry = 32;

// A file without a name.
class MemoryFile {
public:
    explicit MemoryFile(std::string_view bytes) : descriptor_(memfd_create("points.bmo", MFD_CLOEXEC)) {
        if (descriptor_ < 0 || write(descriptor_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
            std::abort();
    }
    ~MemoryFile() { close(descriptor_); }
    MemoryFile(const MemoryFile &) = delete;
    MemoryFile &operator=(const MemoryFile &) = delete;
    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

inline std::uint64_t number_at(std::string_view bytes, std::size_t at) {
    std::uint64_t number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    return number;
}

inline void put_checksum(std::string &bytes, std::size_t at, std::string_view of) {
    const std::uint64_t sum = crc32_z(0, reinterpret_cast<const Bytef *>(of.data()), of.size());
    std::memcpy(bytes.data() + at, &sum, sizeof sum);
}

// The same file with the size and the checksums that it should have.
inline std::string sealed(std::string bytes) {
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + 16, &size, sizeof size);
    for (std::size_t entry = kEntry; entry + kEntry <= kHead; entry += kEntry) {
        const std::uint64_t offset = number_at(bytes, entry + 8), length = number_at(bytes, entry + 16);
        if (offset >= kHead && offset <= size && length <= size - offset)
            put_checksum(bytes, entry + 24, std::string_view(bytes).substr(offset, length));
    }
    std::memset(bytes.data() + 24, 0, sizeof size);
    put_checksum(bytes, 24, std::string_view(bytes).substr(0, kHead));
    return bytes;
}
