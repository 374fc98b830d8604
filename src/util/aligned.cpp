#include "util/aligned.hpp"

#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace bmo {
namespace {

constexpr std::align_val_t kCacheLine{64};
constexpr std::size_t kHugePage = std::size_t{1} << 21;

#if defined(__linux__)
bool is_large(std::size_t bytes) {
    return bytes >= 2 * kHugePage;
}

// From the system itself: memory that malloc has had before is in small pages already.
void *map_huge(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(-1) - 2 * kHugePage)
        throw std::bad_alloc();
    const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage, room = whole + kHugePage;
    void *mapped = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        throw std::bad_alloc();
    auto *first = static_cast<char *>(mapped);
    const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(first) % kHugePage) % kHugePage;
    if (before > 0)
        munmap(first, before);
    if (before < kHugePage)
        munmap(first + before + whole, kHugePage - before);
    static_cast<void>(madvise(first + before, whole, MADV_HUGEPAGE)); // it may say no
    return first + before;
}

void unmap_huge(void *memory, std::size_t bytes) noexcept {
    munmap(memory, (bytes + kHugePage - 1) / kHugePage * kHugePage);
}
#else
bool is_large(std::size_t) {
    return false;
}
void *map_huge(std::size_t) {
    throw std::bad_alloc();
}
void unmap_huge(void *, std::size_t) noexcept {}
#endif

} // namespace

void *allocate_aligned(std::size_t bytes) {
    return is_large(bytes) ? map_huge(bytes) : ::operator new(bytes, kCacheLine);
}

void free_aligned(void *memory, std::size_t bytes) noexcept {
    if (is_large(bytes))
        unmap_huge(memory, bytes);
    else
        ::operator delete(memory, kCacheLine);
}

} // namespace bmo
