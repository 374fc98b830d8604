// Memory that starts at a cache line, and where it is large at a huge page, which it asks the system for: what is read
// at scattered places else misses the processor's table of pages.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#include <vector>

namespace bmo {

template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kCacheLine{64}, kHugePage{std::size_t{1} << 21};

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U> &) {}

    T *allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T))
            throw std::bad_array_new_length();
        void *memory = ::operator new(count * sizeof(T), alignment(count));
#if defined(__linux__)
        if (alignment(count) == kHugePage)
            static_cast<void>(madvise(memory, count * sizeof(T), MADV_HUGEPAGE)); // it may say no
#endif
        return static_cast<T *>(memory);
    }
    void deallocate(T *memory, std::size_t count) noexcept {
        ::operator delete(memory, alignment(count));
    }

    // A vector that grows leaves new elements of plain types as they are: whoever grows it fills it.
    template <class U>
    void construct(U *at) {
        ::new (static_cast<void *>(at)) U;
    }
    template <class U, class... Arguments>
    void construct(U *at, Arguments &&...arguments) {
        ::new (static_cast<void *>(at)) U(static_cast<Arguments &&>(arguments)...);
    }

    template <class U>
    bool operator==(const CacheLineAllocator<U> &) const {
        return true;
    }

private:
    static std::align_val_t alignment(std::size_t count) {
        return count * sizeof(T) < 2 * static_cast<std::size_t>(kHugePage) ? kCacheLine : kHugePage;
    }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

} // namespace bmo
