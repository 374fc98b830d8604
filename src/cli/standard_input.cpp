#include "standard_input.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "failure.hpp"
#include "interrupt.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

[[noreturn]] void fail_system(std::string_view what) {
    fail(text("the standard input ", what, ": ", std::generic_category().message(errno)));
}

int nameless_file() {
    const char *wanted = std::getenv("TMPDIR");
    const std::string directory = wanted && *wanted ? wanted : "/tmp";
    const int descriptor = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0)
        return descriptor;
    std::string name = directory + "/bmo-XXXXXX"; // for file systems without O_TMPFILE
    const int named = mkostemp(name.data(), O_CLOEXEC);
    if (named < 0)
        fail_system(text("cannot be kept in ", directory));
    unlink(name.c_str());
    return named;
}

bool is_whole_file() {
    struct stat status;
    return fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) && lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
}

void write_all(int descriptor, const char *bytes, std::size_t size) {
    while (size > 0) {
        const ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno != EINTR)
            fail_system("cannot be kept in a temporary file");
        stop_if_interrupted();
        const auto done = static_cast<std::size_t>(written < 0 ? 0 : written);
        bytes += done;
        size -= done;
    }
}

} // namespace

StandardInput::StandardInput() : descriptor_(is_whole_file() ? dup(STDIN_FILENO) : nameless_file()) {
    if (descriptor_ < 0)
        fail_system("cannot be used");
    if (!is_whole_file())
        keep_all();
}

StandardInput::~StandardInput() {
    close(descriptor_);
}

void StandardInput::keep_all() const {
    constexpr std::size_t most = 1 << 20;
    const auto bytes = std::make_unique<char[]>(most);
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, bytes.get(), most);
        stop_if_interrupted();
        if (got == 0)
            return;
        if (got < 0 && errno != EINTR)
            fail_system("cannot be read");
        if (got > 0)
            write_all(descriptor_, bytes.get(), static_cast<std::size_t>(got));
    }
}

std::string StandardInput::path() const {
    return text("/dev/fd/", descriptor_);
}

} // namespace bmo_command
