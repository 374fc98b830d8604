// A file that appears under its name only when it is complete.
#pragma once

#include <string>
#include <string_view>

namespace bmo_command {

class OutputFile {
public:
    // Opens a new file beside the path, or the path itself where that is a device or a pipe.
    explicit OutputFile(const std::string &path);
    // Removes what was not committed.
    ~OutputFile();
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    void write(std::string_view bytes);
    // Writes all to the disk and gives the file its name.
    void commit();

private:
    void flush();
    void write_through(std::string_view bytes);
    [[noreturn]] void fail_io(const char *what) const;

    std::string path_;      // as it was given, for messages
    std::string target_;    // links followed
    std::string temporary_; // empty: the target is written directly, or the file has its name
    std::string buffer_;
    int descriptor_ = -1;
};

} // namespace bmo_command
