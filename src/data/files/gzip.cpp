#include "data/files/gzip.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <zlib.h>

#include "util/failure.hpp"

namespace bmo {

struct Gunzip::Inflater {
    z_stream stream{};
    Bytef input[1 << 16];
};

namespace {

// No input of deflate stands for more output than this, byte for byte.
constexpr std::int64_t largest_ratio = 1032;

} // namespace

bool is_gzip(std::string_view first_bytes) {
    return first_bytes.starts_with("\x1f\x8b");
}

Gunzip::Gunzip(Source &compressed, Watch &watch, bool bare)
    : compressed_(compressed), watch_(watch), inflater_(std::make_unique<Inflater>()), bare_(bare) {
    constexpr int gzip_of_any_window = 31, bare_of_any_window = -15;
    if (inflateInit2(&inflater_->stream, bare ? bare_of_any_window : gzip_of_any_window) != Z_OK)
        throw std::bad_alloc();
}

Gunzip::~Gunzip() {
    inflateEnd(&inflater_->stream);
}

std::int64_t Gunzip::most() const {
    constexpr std::int64_t held_inside = 16; // input that zlib took and has not answered yet
    constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() / largest_ratio / 2;
    const std::int64_t left = compressed_.most() + inflater_->stream.avail_in + held_inside;
    return std::min(left, limit) * largest_ratio + peeked();
}

void Gunzip::fail_format(const char *what) const {
    fail(BMO_EFORMAT, "path", text(path(), ": the ", bare_ ? "deflate" : "gzip", " data are damaged: ", what));
}

bool Gunzip::refill() {
    z_stream &stream = inflater_->stream;
    if (stream.avail_in > 0)
        return true;
    watch_.poll();
    stream.next_in = inflater_->input;
    stream.avail_in = static_cast<uInt>(compressed_.read(inflater_->input, sizeof inflater_->input));
    return stream.avail_in > 0;
}

// A gzip file may hold several members one after another, and zeros after the last.
bool Gunzip::next_member() {
    z_stream &stream = inflater_->stream;
    if (bare_ && refill())
        fail_format("bytes follow the end");
    if (!refill())
        return false;
    if (*stream.next_in != 0) {
        inflateReset(&stream);
        return true;
    }
    while (refill()) {
        if (std::any_of(stream.next_in, stream.next_in + stream.avail_in, [](Bytef byte) { return byte != 0; }))
            fail_format("bytes that are not gzip follow the end");
        stream.avail_in = 0;
    }
    return false;
}

std::size_t Gunzip::fetch(void *to, std::size_t size) {
    z_stream &stream = inflater_->stream;
    std::size_t done = 0;
    while (done < size && !ended_) {
        if (!refill())
            fail_format("the file ends too early; it seems to be cut short");
        const auto room = static_cast<uInt>(std::min<std::size_t>(size - done, std::numeric_limits<uInt>::max()));
        stream.next_out = static_cast<Bytef *>(to) + done;
        stream.avail_out = room;
        const int result = inflate(&stream, Z_NO_FLUSH);
        done += room - stream.avail_out;
        if (result == Z_STREAM_END)
            ended_ = !next_member();
        else if (result == Z_MEM_ERROR)
            throw std::bad_alloc();
        else if (result != Z_OK)
            fail_format(stream.msg ? stream.msg : "an unexpected end");
    }
    return done;
}

} // namespace bmo
