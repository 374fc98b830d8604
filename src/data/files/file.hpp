// A regular file, read in order or mapped into memory.
#pragma once

#include <string>

#include "data/files/source.hpp"

namespace bmo {

class File final : public Source {
public:
    // Fails with BMO_EIO if the path is no regular file that can be read.
    explicit File(const std::string &path);
    ~File() override;
    File(const File &) = delete;
    File &operator=(const File &) = delete;

    const std::string &path() const override { return path_; }
    std::int64_t most() const override { return size_ - position_ + peeked(); }
    Memory map() override;
    std::int64_t size() const override { return size_; }
    std::size_t read_at(std::int64_t position, void *to, std::size_t size) override;

private:
    std::size_t fetch(void *to, std::size_t size) override;

    std::string path_;
    int descriptor_ = -1;
    std::int64_t size_ = 0;     // as it was when the file was opened
    std::int64_t position_ = 0; // of the next byte to fetch
};

} // namespace bmo
