// A file that appears under its name only when it is complete: it is written under another name beside it, flushed to
// the disk, and renamed.
#pragma once

#include <cstdint>
#include <string>

namespace bmo {

class NewFile {
public:
    // bytes: the size that it will have; what is not written of it is 0. Fails with BMO_EIO where that cannot be, or where the name is taken by what is no
    // regular file.
    NewFile(const std::string &path, std::int64_t bytes);
    ~NewFile(); // without commit(), nothing is left
    NewFile(const NewFile &) = delete;
    NewFile &operator=(const NewFile &) = delete;

    void write(std::int64_t offset, const void *data, std::int64_t bytes);
    void commit();

private:
    [[noreturn]] void fail_io(const char *what, int error) const;

    std::string path_, final_, temporary_; // as the caller names it, with links followed, and meanwhile
    std::int64_t bytes_;
    int descriptor_ = -1;
};

} // namespace bmo
