// Memory that starts at a cache line, and, if it is large, at a huge page, which it asks the system for: what is read
// at scattered places else misses the processor's table of pages.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace bmo {

void *allocate_aligned(std::size_t bytes);
void free_aligned(void *memory, std::size_t bytes) noexcept; // as many as were allocated

template <class T>
struct CacheLineAllocator {
    using value_type = T;
    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U> &) {}

    T *allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T))
            throw std::bad_array_new_length();
        return static_cast<T *>(allocate_aligned(count * sizeof(T)));
    }
    void deallocate(T *memory, std::size_t count) noexcept { free_aligned(memory, count * sizeof(T)); }

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
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

} // namespace bmo
