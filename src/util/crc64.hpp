// CRC-64/XZ: the polynomial of ECMA-182, reflected, with all bits inverted before and after. Of "123456789" it is
// 0x995dc9bbdf1939fa.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bmo {

class Crc64 {
public:
    void add(const void *data, std::size_t size);
    std::uint64_t value() const { return ~state_; }

private:
    std::uint64_t state_ = ~std::uint64_t{0};
};

} // namespace bmo
