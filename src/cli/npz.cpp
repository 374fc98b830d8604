#include "npz.hpp"

#include <string>
#include <zlib.h>

#include "answers.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

std::string little_endian(std::uint64_t value, int bytes) {
    std::string digits;
    for (; bytes > 0; --bytes, value >>= 8)
        digits += static_cast<char>(value & 0xff);
    return digits;
}

std::string npy_header(const NpzArray &array) {
    constexpr std::size_t preamble = 10, alignment = 64;
    const std::string cols = array.cols > 0 ? std::to_string(array.cols) : "";
    std::string dictionary =
        text("{'descr': '", array.descr, "', 'fortran_order': False, 'shape': (", array.rows, ", ", cols, "), }");
    dictionary.append(alignment - (preamble + dictionary.size() + 1) % alignment, ' ');
    dictionary += '\n';
    return std::string("\x93NUMPY\x01\0", 8) + little_endian(dictionary.size(), 2) + dictionary;
}

class Archive {
public:
    explicit Archive(OutputFile &file) : file_(file) {}

    void add(const std::string &name, const std::string &header, std::string_view values) {
        const std::uint64_t size = header.size() + values.size();
        const std::string facts = entry_facts(crc(header, values), size, name.size());
        directory_ += text("PK\x01\x02", little_endian(version_made_by, 2), facts, little_endian(0, 2 + 2 + 2 + 4),
                           little_endian(written_, 4), name);
        ++entries_;
        put(text("PK\x03\x04", facts, name, header));
        put(values);
    }

    void finish() {
        const std::uint64_t start = written_, size = directory_.size();
        put(directory_);
        put(text("PK\x05\x06", little_endian(0, 4), little_endian(entries_, 2), little_endian(entries_, 2),
                 little_endian(size, 4), little_endian(start, 4), little_endian(0, 2)));
    }

private:
    static constexpr std::uint64_t version_made_by = 20;

    static std::uint64_t crc(std::string_view header, std::string_view values) {
        const uLong start = crc32_z(0, reinterpret_cast<const Bytef *>(header.data()), header.size());
        if (values.empty()) // its data may be null, for which zlib answers with the checksum of a fresh start
            return start;
        return crc32_z(start, reinterpret_cast<const Bytef *>(values.data()), values.size());
    }

    // What both headers of an entry say, from the version that is needed to the length of the extra field.
    static std::string entry_facts(std::uint64_t crc, std::uint64_t size, std::size_t name_length) {
        constexpr std::uint64_t version_needed = 20, flags = 0, stored = 0, midnight = 0, first_of_1980 = 0x21;
        return little_endian(version_needed, 2) + little_endian(flags, 2) + little_endian(stored, 2) +
               little_endian(midnight, 2) + little_endian(first_of_1980, 2) + little_endian(crc, 4) +
               little_endian(size, 4) + little_endian(size, 4) + little_endian(name_length, 2) + little_endian(0, 2);
    }

    void put(std::string_view bytes) {
        written_ += bytes.size();
        file_.write(bytes);
    }

    OutputFile &file_;
    std::string directory_;
    std::uint64_t written_ = 0, entries_ = 0;
};

} // namespace

void write_npz_arrays(std::initializer_list<NpzArray> arrays, OutputFile &file) {
    Archive archive(file);
    for (const NpzArray &array : arrays)
        archive.add(text(array.name, ".npy"), npy_header(array), array.bytes);
    archive.finish();
}

void write_npz(const Answers &answers, OutputFile &file) {
    write_npz_arrays({{"index", "<i8", answers.queries, answers.k, bytes_of(answers.index)},
                      {"distance", "<f8", answers.queries, answers.k, bytes_of(answers.distance)}},
                     file);
}

} // namespace bmo_command
