#include "data/files/sections.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <zlib.h>

#include "data/files/file.hpp"
#include "util/aligned.hpp"
#include "util/checked.hpp"
#include "util/failure.hpp"
#include "util/new_file.hpp"

namespace bmo {

static_assert(std::endian::native == std::endian::little, "values are written and used as they are");

namespace {

constexpr std::string_view kMagic("\x89"
                                  "BMO\r\n\x1a\n",
                                  8);
constexpr std::uint32_t kVersion = 1;
constexpr std::int64_t kStep = 1 << 20;

struct TableEntry {
    std::uint32_t kind, reserved;
    std::uint64_t offset, bytes, checksum;
};

struct Head {
    std::array<char, 8> magic;
    std::uint32_t version, count;
    std::uint64_t bytes, checksum;
    std::array<TableEntry, 126> entries;
    std::array<char, 32> rest;
};
static_assert(sizeof(TableEntry) == 32 && sizeof(Head) == 4096);

// Continues the checksum of what lies before.
std::uint64_t checksum(std::uint64_t before, const void *data, std::int64_t bytes) {
    return crc32_z(before, static_cast<const Bytef *>(data), static_cast<std::size_t>(bytes));
}

std::uint64_t checksum_of(Head head) {
    head.checksum = 0;
    return checksum(0, &head, sizeof head);
}

std::int64_t aligned(std::int64_t offset) {
    return (offset + 63) / 64 * 64;
}

std::int64_t size_of(const std::vector<SectionSource> &sections) {
    std::int64_t end = sizeof(Head);
    for (const SectionSource &section : sections)
        end = checked_add(aligned(end), section.bytes, "path");
    return end;
}

// Calls step(offset within the section, bytes) for each piece of it.
template <class Step>
void in_steps(std::int64_t bytes, Watch &watch, const Step &step) {
    for (std::int64_t done = 0, part; done < bytes; done += part) {
        part = std::min(kStep, bytes - done);
        watch.poll();
        step(done, part);
        watch.advance(part);
    }
}

} // namespace

namespace {

// Reports come before the file has its name: they may stop the call, and nothing may fail once the older file is gone.
void write_file(const std::string &path, const std::vector<SectionSource> &sections, Watch &watch) {
    Head head{};
    std::copy(kMagic.begin(), kMagic.end(), head.magic.begin());
    head.version = kVersion;
    head.count = static_cast<std::uint32_t>(sections.size());
    const std::int64_t bytes = size_of(sections);
    head.bytes = static_cast<std::uint64_t>(bytes);
    watch.begin(BMO_PHASE_WRITE, bytes - static_cast<std::int64_t>(sizeof head));
    NewFile file(path, bytes);
    std::int64_t end = sizeof head;
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const SectionSource &section = sections[i];
        const std::int64_t offset = aligned(end);
        std::uint64_t sum = 0;
        in_steps(section.bytes, watch, [&](std::int64_t at, std::int64_t part) {
            const char *from = static_cast<const char *>(section.data) + at;
            sum = checksum(sum, from, part);
            file.write(offset + at, from, part);
        });
        end = offset + section.bytes;
        head.entries[i] = {static_cast<std::uint32_t>(section.kind), 0, static_cast<std::uint64_t>(offset),
                           static_cast<std::uint64_t>(section.bytes), sum};
    }
    head.checksum = checksum_of(head);
    file.write(0, &head, sizeof head);
    file.sync();
    watch.finish();
    file.commit();
}

} // namespace

void write_sections(const std::string &path, const std::vector<SectionSource> &sections, Watch &watch) {
    try {
        write_file(path, sections, watch);
    } catch (const std::runtime_error &failure) {
        fail(BMO_EIO, "path", text(path, " ", failure.what()));
    }
}

bool has_sections(const std::string &path) {
    return File(path).peek(kMagic.size()) == kMagic;
}

void Sections::fail_format(const std::string &what) const {
    fail(BMO_EFORMAT, "path", text(path_, ": ", what));
}

namespace {

Head read_head(File &file) {
    const auto fail_format = [&](const std::string &what) { fail(BMO_EFORMAT, "path", text(file.path(), ": ", what)); };
    const auto bytes = static_cast<std::uint64_t>(file.most());
    Head head{};
    if (file.read(&head, sizeof head) < sizeof head)
        fail_format("the file ends within its head; it seems to be cut short");
    if (head.version != kVersion)
        fail(BMO_EVERSION, "path",
             text(file.path(), ": version ", head.version, " of the .bmo format; this library reads version ",
                  kVersion));
    if (head.checksum != checksum_of(head) || head.count > head.entries.size())
        fail_format("the checksum of its head is wrong; the file is damaged");
    if (head.bytes != bytes)
        fail_format(text("the file should have ", head.bytes, " bytes, but has ", bytes,
                         head.bytes > bytes ? "; it seems to be cut short" : ""));
    return head;
}

std::shared_ptr<void> allocate(std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    return {allocate_aligned(size), [size](void *memory) { free_aligned(memory, size); }};
}

} // namespace

Sections::Sections(const std::string &path, bool borrow, Watch &watch) : path_(path) {
    File file(path);
    file_bytes_ = file.most();
    const Memory map = borrow ? file.map() : nullptr;
    mapped_ = map != nullptr;
    const Head head = read_head(file);
    watch.begin(BMO_PHASE_READ, file_bytes_ - static_cast<std::int64_t>(sizeof head));
    std::int64_t end = sizeof head;
    for (std::uint32_t i = 0; i < head.count; ++i) {
        const TableEntry &entry = head.entries[i];
        const std::int64_t offset = aligned(end);
        if (entry.reserved != 0 || offset > file_bytes_ || entry.offset != static_cast<std::uint64_t>(offset) ||
            entry.bytes > static_cast<std::uint64_t>(file_bytes_ - offset))
            fail_format(text("section ", i, " is not where it should be; the file is damaged"));
        const auto bytes = static_cast<std::int64_t>(entry.bytes);
        const std::shared_ptr<void> own = map ? nullptr : allocate(bytes);
        std::array<char, 64> padding;
        if (own)
            file.read(padding.data(), static_cast<std::size_t>(offset - end));
        Section section{static_cast<SectionKind>(entry.kind), bytes, own};
        if (map)
            section.content = Memory(map, static_cast<const char *>(map.get()) + offset);
        std::uint64_t sum = 0;
        in_steps(bytes, watch, [&](std::int64_t at, std::int64_t part) {
            if (own && file.read(static_cast<char *>(own.get()) + at, static_cast<std::size_t>(part)) <
                           static_cast<std::size_t>(part))
                fail_format("the file ends before its sections do; it seems to be cut short");
            sum = checksum(sum, static_cast<const char *>(section.content.get()) + at, part);
        });
        if (sum != entry.checksum)
            fail_format(text("the checksum of section ", i, " is wrong; the file is damaged"));
        sections_.push_back(std::move(section));
        end = offset + bytes;
    }
    if (end != file_bytes_)
        fail_format("its sections do not fill the file; the file is damaged");
    watch.finish();
}

const Sections::Section *Sections::find(SectionKind kind) const {
    const auto found =
        std::find_if(sections_.begin(), sections_.end(), [&](const Section &section) { return section.kind == kind; });
    return found == sections_.end() ? nullptr : &*found;
}

const Sections::Section &Sections::get(SectionKind kind) const {
    const Section *section = find(kind);
    if (!section)
        fail_format(text("section ", static_cast<std::uint32_t>(kind), " is missing; the file is damaged"));
    return *section;
}

const void *Sections::expect(SectionKind kind, std::int64_t count, std::size_t size) const {
    const Section &section = get(kind);
    std::int64_t bytes;
    if (count < 0 || __builtin_mul_overflow(count, static_cast<std::int64_t>(size), &bytes) || bytes != section.bytes)
        fail_format(text("section ", static_cast<std::uint32_t>(kind), " has ", section.bytes, " bytes; expected ",
                         count, " values of ", size, "; the file is damaged"));
    return section.content.get();
}

} // namespace bmo
