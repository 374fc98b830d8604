#include "util/crc64.hpp"

#include <array>
#include <cstring>

namespace bmo {
namespace {

constexpr std::size_t kBytes = 8; // taken at a time
using Tables = std::array<std::array<std::uint64_t, 256>, kBytes>;

// tables[k][b]: the remainder of the byte b with k bytes of 0 behind it.
constexpr Tables make_tables() {
    constexpr std::uint64_t polynomial = 0xc96c5795d7870f42;
    Tables tables{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        std::uint64_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit)
            remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? polynomial : 0);
        tables[0][byte] = remainder;
    }
    for (std::size_t k = 1; k < kBytes; ++k)
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint64_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
        }
    return tables;
}

constexpr Tables kTables = make_tables();

} // namespace

void Crc64::add(const void *data, std::size_t size) {
    const auto *bytes = static_cast<const unsigned char *>(data);
    std::uint64_t state = state_;
    for (; size >= kBytes; size -= kBytes, bytes += kBytes) {
        std::uint64_t word;
        std::memcpy(&word, bytes, kBytes); // little-endian
        word ^= state;
        state = 0;
        for (std::size_t k = 0; k < kBytes; ++k)
            state ^= kTables[kBytes - 1 - k][(word >> 8 * k) & 0xff];
    }
    for (; size > 0; --size, ++bytes)
        state = (state >> 8) ^ kTables[0][(state ^ *bytes) & 0xff];
    state_ = state;
}

} // namespace bmo
