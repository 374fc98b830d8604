// Memory that starts at a cache line.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace bmo {

template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t kAlignment{64};

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U> &) {}

    T *allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T))
            throw std::bad_array_new_length();
        return static_cast<T *>(::operator new(count * sizeof(T), kAlignment));
    }
    void deallocate(T *memory, std::size_t) noexcept { ::operator delete(memory, kAlignment); }

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
