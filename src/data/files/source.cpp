#include "data/files/source.hpp"

#include <algorithm>
#include <cstring>

#include "util/failure.hpp"

namespace bmo {

std::string_view Source::peek(std::size_t size) {
    const std::size_t held = ahead_.size();
    if (held < size) {
        ahead_.resize(size);
        ahead_.resize(held + fetch(ahead_.data() + held, size - held));
    }
    return std::string_view(ahead_).substr(0, size);
}

std::size_t Source::read(void *to, std::size_t size) {
    const std::size_t held = std::min(size, ahead_.size());
    std::memcpy(to, ahead_.data(), held);
    ahead_.erase(0, held);
    return held == size ? held : held + fetch(static_cast<char *>(to) + held, size - held);
}

void Source::read_all(void *to, std::int64_t bytes, Watch &watch) {
    constexpr std::int64_t step = 1 << 20;
    for (std::int64_t done = 0, part; done < bytes; done += part) {
        part = std::min(step, bytes - done);
        if (read(static_cast<char *>(to) + done, static_cast<std::size_t>(part)) < static_cast<std::size_t>(part))
            fail(BMO_EFORMAT, "path", text(path(), ": the file ends before its values do; it seems to be cut short"));
        watch.advance(part);
        watch.poll();
    }
}

void Source::expect_end() {
    if (!peek(1).empty())
        fail(BMO_EFORMAT, "path", text(path(), ": more bytes follow the values than the header announces"));
}

} // namespace bmo
