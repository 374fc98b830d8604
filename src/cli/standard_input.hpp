// The standard input as a file that the library can open.
#pragma once

#include <string>

namespace bmo_command {

// What comes is kept in a temporary file that has no name, in TMPDIR or /tmp; a regular file is used as it is.
class StandardInput {
public:
    // Reads all of it. Stops at interrupts.
    StandardInput();
    ~StandardInput();
    StandardInput(const StandardInput &) = delete;
    StandardInput &operator=(const StandardInput &) = delete;

    // As long as this object lives.
    std::string path() const;

private:
    void keep_all() const;

    int descriptor_;
};

} // namespace bmo_command
