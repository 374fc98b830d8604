// A file that appears under its name only when it is complete, or a device or a pipe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "util/new_file.hpp"

namespace bmo_command {

class OutputFile {
public:
    explicit OutputFile(const std::string &path);
    ~OutputFile(); // without commit(), no file is left
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    void write(std::string_view bytes);
    // All is on the disk afterwards, or with the device or pipe.
    void finish();
    // After finish(): gives the file its name.
    void commit();
    // As it was given.
    const std::string &path() const { return path_; }

private:
    template <class Step>
    void attempt(const Step &step);
    void flush();
    void write_through(std::string_view bytes);

    std::string path_;
    std::string buffer_;
    std::optional<bmo::NewFile> file_; // or `descriptor_`, of a device or a pipe
    std::int64_t written_ = 0;
    int descriptor_ = -1;
};

} // namespace bmo_command
