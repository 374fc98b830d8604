#include "data/files/zip.hpp"

#include <algorithm>
#include <optional>
#include <zlib.h>

#include "data/files/gzip.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr std::string_view kEntry("PK\x03\x04", 4), kInDirectory("PK\x01\x02", 4), kEnd("PK\x05\x06", 4),
    kLargeEnd("PK\x06\x06", 4), kLargeEndAt("PK\x06\x07", 4);
constexpr std::int64_t kEntryBytes = 30, kInDirectoryBytes = 46, kEndBytes = 22, kLargeEndBytes = 56,
                       kLargeEndAtBytes = 20, kLongestComment = 0xffff;
constexpr std::uint64_t kElsewhere = 0xffffffff; // of a field: the extra field of 64 bits has it
constexpr int kStored = 0, kDeflated = 8;

// A whole number of so many bytes, the lowest first; whoever asks has checked that they are there.
std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::int64_t position(std::string_view bytes, std::size_t at, std::size_t size) {
    const std::uint64_t value = number(bytes, at, size);
    return value > INT64_MAX ? INT64_MAX : static_cast<std::int64_t>(value); // beyond any file
}

// The field of 64 bits among the extra fields of an entry; empty if it is not there.
std::string_view large_fields(std::string_view extra) {
    constexpr std::uint64_t large = 1;
    while (extra.size() >= 4) {
        const std::uint64_t kind = number(extra, 0, 2), size = number(extra, 2, 2);
        extra.remove_prefix(4);
        const std::string_view content = extra.substr(0, size);
        if (kind == large)
            return content;
        extra.remove_prefix(content.size());
    }
    return {};
}

// Bytes of an archive, one after another.
class Part final : public Source {
public:
    Part(Source &archive, std::string path, std::int64_t first, std::int64_t size)
        : archive_(archive), path_(std::move(path)), next_(first), end_(first + size) {}

    const std::string &path() const override { return path_; }
    std::int64_t most() const override { return end_ - next_ + peeked(); }

private:
    std::size_t fetch(void *to, std::size_t size) override {
        const auto most = static_cast<std::size_t>(end_ - next_);
        const std::size_t got = archive_.read_at(next_, to, std::min(size, most));
        next_ += static_cast<std::int64_t>(got);
        return got;
    }

    Source &archive_;
    std::string path_;
    std::int64_t next_, end_;
};

// The content of an entry, of which size and checksum are known.
class Content final : public Source {
public:
    Content(const Zip::Entry &entry, std::unique_ptr<Part> part, Watch &watch)
        : part_(std::move(part)), left_(entry.unpacked), expected_(entry.checksum) {
        if (entry.method == kDeflated)
            inflated_.emplace(*part_, watch, true);
    }

    const std::string &path() const override { return part_->path(); }
    std::int64_t most() const override { return std::min(left_, source().most()) + peeked(); }

private:
    Source &source() { return inflated_ ? static_cast<Source &>(*inflated_) : *part_; }
    const Source &source() const { return inflated_ ? static_cast<const Source &>(*inflated_) : *part_; }

    [[noreturn]] void fail_format(const char *what) const {
        fail(BMO_EFORMAT, "path", text(path(), ": ", what, "; the archive is damaged"));
    }

    std::size_t fetch(void *to, std::size_t size) override {
        const std::size_t got = source().read(to, std::min(size, static_cast<std::size_t>(left_)));
        checksum_ = crc32_z(checksum_, static_cast<const Bytef *>(to), got);
        left_ -= static_cast<std::int64_t>(got);
        if (got < size && left_ > 0)
            fail_format("the content is shorter than the directory says");
        if (left_ == 0)
            check_end();
        return got;
    }

    void check_end() {
        if (!source().peek(1).empty())
            fail_format("the content is longer than the directory says");
        if (checksum_ != expected_)
            fail_format("the checksum of the content is wrong");
    }

    std::unique_ptr<Part> part_;
    std::optional<Gunzip> inflated_;
    std::int64_t left_;
    uLong checksum_ = 0, expected_;
};

} // namespace

bool is_zip(std::string_view first_bytes) {
    return first_bytes.starts_with(kEntry) || first_bytes.starts_with(kEnd);
}

Zip::Zip(Source &archive, Watch &watch) : archive_(archive), watch_(watch) {
    if (archive.size() < 0)
        fail(BMO_EUNSUPPORTED, "path",
             text(archive.path(), ": an archive in a compressed file is not supported; decompress it first"));
    read_entries(find_directory());
}

void Zip::fail_format(const std::string &what) const {
    fail(BMO_EFORMAT, "path", text(archive_.path(), ": the zip archive is damaged: ", what));
}

std::string Zip::bytes_at(std::int64_t position, std::int64_t size, const char *what) {
    if (position < 0 || size > archive_.size() || position > archive_.size() - size)
        fail_format(text(what, " lies beyond its end; it seems to be cut short"));
    std::string bytes(static_cast<std::size_t>(size), '\0');
    if (archive_.read_at(position, bytes.data(), bytes.size()) < bytes.size())
        fail_format(text(what, " cannot be read"));
    return bytes;
}

// The last record of the file. A comment of the archive may follow it, and its length must say how long that is.
Zip::Directory Zip::find_directory() {
    const std::int64_t size = archive_.size(), tail = std::min(size, kEndBytes + kLongestComment);
    const std::string tail_bytes = bytes_at(size - tail, tail, "the end");
    const std::string_view bytes = tail_bytes;
    for (std::size_t end = bytes.size(), at; (at = bytes.substr(0, end).rfind(kEnd)) != std::string::npos; end = at) {
        const std::size_t behind = bytes.size() - at;
        if (behind < kEndBytes || number(bytes, at + 20, 2) != behind - kEndBytes)
            continue;
        const Directory small{position(bytes, at + 10, 2), position(bytes, at + 16, 4), position(bytes, at + 12, 4)};
        const bool large = small.entries == 0xffff || small.start == kElsewhere || small.bytes == kElsewhere;
        return large ? large_directory(size - static_cast<std::int64_t>(behind)) : small;
    }
    fail_format("no directory is at its end; it seems to be cut short");
}

Zip::Directory Zip::large_directory(std::int64_t end) {
    const std::string locator = bytes_at(end - kLargeEndAtBytes, kLargeEndAtBytes, "the locator of the directory");
    if (!locator.starts_with(kLargeEndAt))
        fail_format("the locator of the directory is missing");
    const std::string record = bytes_at(position(locator, 8, 8), kLargeEndBytes, "the end of the directory");
    if (!record.starts_with(kLargeEnd))
        fail_format("the end of the directory is missing");
    return {position(record, 32, 8), position(record, 48, 8), position(record, 40, 8)};
}

void Zip::read_entries(const Directory &directory) {
    const std::string all = bytes_at(directory.start, directory.bytes, "the directory");
    std::string_view left = all;
    for (std::int64_t i = 0; i < directory.entries; ++i) {
        watch_.poll();
        if (left.size() < kInDirectoryBytes || !left.starts_with(kInDirectory))
            fail_format(text("its directory has fewer than the ", directory.entries, " entries that it announces"));
        const std::size_t name = number(left, 28, 2), extra = number(left, 30, 2), comment = number(left, 32, 2);
        const std::size_t length = kInDirectoryBytes + name + extra + comment;
        if (left.size() < length)
            fail_format("an entry of its directory is cut short");
        Entry entry{.name = std::string(left.substr(kInDirectoryBytes, name)),
                    .method = static_cast<int>(number(left, 10, 2)),
                    .encrypted = (number(left, 8, 2) & 1) != 0,
                    .checksum = static_cast<std::uint32_t>(number(left, 16, 4))};
        std::string_view large = large_fields(left.substr(kInDirectoryBytes + name, extra));
        const auto field = [&](std::size_t at) {
            const std::uint64_t small = number(left, at, 4);
            if (small != kElsewhere || large.size() < 8)
                return static_cast<std::int64_t>(small);
            const std::int64_t value = position(large, 0, 8);
            large.remove_prefix(8);
            return value;
        };
        entry.unpacked = field(24);
        entry.packed = field(20);
        entry.header = field(42);
        entries_.push_back(std::move(entry));
        left.remove_prefix(length);
    }
}

std::unique_ptr<Source> Zip::open(const Entry &entry) {
    const std::string path = text(archive_.path(), ":", entry.name);
    if (entry.encrypted)
        fail(BMO_EUNSUPPORTED, "path", text(path, ": the content is encrypted; expected a plain one"));
    if (entry.method != kStored && entry.method != kDeflated)
        fail(
            BMO_EUNSUPPORTED, "path",
            text(path, ": compression method ", entry.method, " is not supported; expected 0 (stored) or 8 (deflate)"));
    const std::string header = bytes_at(entry.header, kEntryBytes, "the header of an entry");
    if (!header.starts_with(kEntry))
        fail_format(text("no entry starts at byte ", entry.header));
    const auto names = static_cast<std::int64_t>(number(header, 26, 2) + number(header, 28, 2));
    const std::int64_t room = archive_.size() - entry.header - kEntryBytes - names;
    if (entry.packed > room || (entry.method == kStored && entry.packed != entry.unpacked))
        fail_format(text("entry ", entry.name, " has ", entry.packed, " bytes, but ", std::max<std::int64_t>(0, room),
                         " follow"));
    auto part = std::make_unique<Part>(archive_, path, entry.header + kEntryBytes + names, entry.packed);
    return std::make_unique<Content>(entry, std::move(part), watch_);
}

} // namespace bmo
