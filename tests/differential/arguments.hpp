// Arguments of the interface at random, most of them valid: structs, arrays and texts, each at the end of a page of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "guarded.hpp"
#include "handles.hpp"
#include "random.hpp"

class Arguments {
public:
    explicit Arguments(std::uint64_t seed);

protected:
    // The buffers that a call used are checked, and serve the next.
    void forget() { next_buffer_ = 0; }
    bool are_intact() const;
    Guarded &buffer() { return *buffers_[next_buffer_++]; }
    void keep_last() { buffers_[next_buffer_ - 1]->keep(); }

    std::int64_t odd();
    std::int32_t odd32() { return static_cast<std::int32_t>(odd()); }
    bool rarely() { return random_.chance(0.06); }

    // The struct as a program of another version would have it, at the end of a page; NULL at times.
    template <class Struct>
    Struct *placed(Struct filled) {
        if (rarely())
            return nullptr;
        std::size_t size = sizeof filled;
        if (rarely()) // shorter: what is beyond is not there
            size = 8 * static_cast<std::size_t>(
                           random_.between(std::int64_t{1}, static_cast<std::int64_t>(sizeof filled / 8)));
        else if (rarely()) // longer
            size += 8 * static_cast<std::size_t>(random_.between(std::int64_t{1}, std::int64_t{8}));
        auto *at = static_cast<unsigned char *>(buffer().place(size));
        std::memset(at, rarely() ? 1 : 0, size);
        filled.struct_size = rarely() ? random_.pick<std::uint32_t>({0, 1, 4, 7}) : static_cast<std::uint32_t>(size);
        std::memcpy(at, &filled, std::min(size, sizeof filled));
        return reinterpret_cast<Struct *>(at);
    }

    // A place for a handle; a failing call leaves it as it is.
    template <class Handle>
    static Handle *no_handle() {
        return reinterpret_cast<Handle *>(std::uintptr_t{0x5a5a});
    }
    template <class Handle>
    Handle **place_handle() {
        auto **at = static_cast<Handle **>(buffer().place(sizeof(Handle *)));
        *at = no_handle<Handle>();
        return rarely() ? nullptr : at;
    }

    bmo_monitor *monitor();
    bmo_stats *stats() { return random_.chance(0.3) ? nullptr : placed(sized<bmo_stats>()); }

    // An array that the library may read and not write.
    const void *values(bmo_dtype dtype, std::int64_t count, std::int64_t below);
    // Numbers of rows below n, and at times others.
    const std::int64_t *row_numbers(std::int64_t count, std::int64_t n);
    // Points as a buffer has them; or fields that nothing can be read by.
    bmo_dense dense(std::int64_t n, std::int64_t d);
    bmo_sparse sparse(std::int64_t n, std::int64_t d);

    // Buffers of as many elements as the capacity says. NULL at times.
    bmo_output *output(std::int64_t queries, std::int64_t k);
    const bmo_limits *limits(std::int64_t queries);
    // Few different ones.
    const std::int32_t *labels(std::int64_t count);

    // A text at the end of a page.
    const char *text(const std::string &text);
    std::string some_word();

    Random random_;
    std::unique_ptr<bmo_cancel, void (*)(bmo_cancel *)> token_{nullptr, bmo_cancel_free};

private:
    static constexpr std::size_t kBuffers = 20, kMostBytes = 1 << 16;

    std::int64_t refused_size();
    bmo_dtype some_dtype();
    const void *pointers(const bmo_sparse &made, std::int64_t lines);
    const void *indices(const bmo_sparse &made, std::int64_t length);
    const void *positions(bmo_dtype dtype, const std::vector<std::int64_t> &from, std::int64_t base);

    std::array<std::unique_ptr<Guarded>, kBuffers> buffers_;
    std::size_t next_buffer_ = 0;
};
