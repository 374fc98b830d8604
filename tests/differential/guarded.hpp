// Memory that ends where a page begins that cannot be read or written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

class Guarded {
public:
    explicit Guarded(std::size_t most);
    ~Guarded();
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;

    // The last `bytes` before the guard; what lies before them is marked.
    void *place(std::size_t bytes);
    template <class T>
    T *place_array(std::size_t count) {
        return static_cast<T *>(place(count * sizeof(T)));
    }

    // Whether what lies before the bytes that were placed last is as it was.
    bool is_intact() const;
    // From now on, until the next place().
    void keep() { kept_.assign(at_, at_ + bytes_); }
    // Whether the bytes are those that were kept.
    bool is_kept() const { return kept_.empty() || std::memcmp(kept_.data(), at_, kept_.size()) == 0; }

private:
    std::size_t size_;
    unsigned char *region_, *at_ = nullptr;
    std::size_t bytes_ = 0;
    std::vector<unsigned char> kept_;
};
