// A file that appears under its name only when it is complete. Until then it has no name, or on file systems that need
// one a name of its own beside it. The library and the command share it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <sys/stat.h>

namespace bmo {

// Every member fails with a std::runtime_error that says what the path is or what cannot be done with it: "cannot be
// written: No space left on device".
class NewFile {
public:
    // Links are followed, also those to a file that is not there yet. size: that it will have; what is not written of
    // it is 0. size 0: as much as is written.
    explicit NewFile(const std::string &path, std::int64_t size = 0);
    ~NewFile(); // without commit(), nothing is left
    NewFile(const NewFile &) = delete;
    NewFile &operator=(const NewFile &) = delete;

    void write(std::int64_t offset, const void *data, std::int64_t bytes) const;
    // All that was written is on the disk afterwards.
    void sync() const;
    // After sync(): gives the file its name, and the mode of the file that it replaces. Either fails, and the older file
    // is as it was, or succeeds.
    void commit();

private:
    void create(const struct stat *older);

    std::string target_, directory_;       // links followed
    std::string temporary_;                // its name meanwhile, if it needs one
    std::array<char, 40> by_descriptor_{}; // how a file without a name is reached
    std::int64_t size_;
    int descriptor_ = -1;
    bool named_ = false; // `temporary_` is there
};

} // namespace bmo
