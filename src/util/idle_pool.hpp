// Keeps a few idle workspaces between calls. No lock: a process may fork while another thread is inside.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

namespace bmo {

template <class T>
class IdlePool {
public:
    IdlePool() = default;
    IdlePool(const IdlePool &) = delete;
    IdlePool &operator=(const IdlePool &) = delete;
    ~IdlePool() {
        while (take()) {
        }
    }

    // Keeps no more than so many, of those that are given from now on.
    void limit(std::size_t most) { most_ = std::min(most, kSlots); }

    // An idle one, or null.
    std::unique_ptr<T> take() {
        for (std::atomic<T *> &slot : slots_)
            if (T *found = slot.exchange(nullptr, std::memory_order_acquire))
                return std::unique_ptr<T>(found);
        return nullptr;
    }

    // Keeps it if there is room.
    void give(std::unique_ptr<T> idle) {
        for (std::atomic<T *> &slot : std::span(slots_).first(most_)) {
            T *expected = nullptr;
            if (slot.compare_exchange_strong(expected, idle.get(), std::memory_order_release,
                                             std::memory_order_relaxed)) {
                static_cast<void>(idle.release()); // the slot owns it
                return;
            }
        }
    }

private:
    static constexpr std::size_t kSlots = 16;
    std::size_t most_ = kSlots;
    std::array<std::atomic<T *>, kSlots> slots_{};
};

} // namespace bmo
