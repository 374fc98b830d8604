#include "print.hpp"

#include <cstdio>

#include "failure.hpp"

namespace bmo_command {

void print(const std::string &text) {
    std::fputs(text.c_str(), stdout);
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
        fail("the standard output cannot be written; is the disk full?");
}

} // namespace bmo_command
