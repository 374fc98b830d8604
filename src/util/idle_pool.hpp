// Keeps a few idle workspaces between calls. No lock: a process may fork while another thread is inside.
#pragma once

#include <array>
#include <atomic>
#include <memory>

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

    // An idle one, or null.
    std::unique_ptr<T> take() {
        for (std::atomic<T *> &slot : slots_)
            if (T *found = slot.exchange(nullptr, std::memory_order_acquire))
                return std::unique_ptr<T>(found);
        return nullptr;
    }

    // Keeps it if there is room.
    void give(std::unique_ptr<T> idle) {
        for (std::atomic<T *> &slot : slots_) {
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
    std::array<std::atomic<T *>, kSlots> slots_{};
};

} // namespace bmo
