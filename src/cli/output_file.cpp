#include "output_file.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "failure.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

// A link stays a link to what is written.
std::string follow_links(const std::string &path) {
    std::error_code absent;
    const std::filesystem::path real = std::filesystem::canonical(path, absent);
    return absent ? path : real.string();
}

bool is_device_or_pipe(const std::string &path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// /dev/stdout, also where that is a regular file.
bool is_standard_output(const std::string &path) {
    struct stat named, standard;
    return stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 && named.st_dev == standard.st_dev &&
           named.st_ino == standard.st_ino;
}

} // namespace

OutputFile::OutputFile(const std::string &path)
    : path_(path == "-" ? "/dev/stdout" : path), target_(follow_links(path_)) {
    if (std::filesystem::is_directory(target_))
        fail(text(path_, " is a directory; give the name of a file to write"));
    if (is_standard_output(path_)) {
        descriptor_ = dup(STDOUT_FILENO);
    } else if (is_device_or_pipe(target_)) {
        descriptor_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        temporary_ = text(target_, ".part-", getpid());
        descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (descriptor_ < 0) {
        temporary_.clear();
        fail_io("cannot be created");
    }
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0)
        close(descriptor_);
    if (!temporary_.empty())
        unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
    constexpr std::size_t buffered = 1 << 16;
    if (bytes.size() + buffer_.size() > buffered)
        flush();
    if (bytes.size() > buffered)
        write_through(bytes);
    else
        buffer_ += bytes;
}

void OutputFile::commit() {
    flush();
    if (temporary_.empty())
        return;
    const bool stored = fsync(descriptor_) == 0;
    const bool closed = close(std::exchange(descriptor_, -1)) == 0;
    if (!stored || !closed)
        fail_io("cannot be written");
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
        fail_io("cannot be replaced");
    temporary_.clear();
}

void OutputFile::flush() {
    write_through(buffer_);
    buffer_.clear();
}

void OutputFile::write_through(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail_io("cannot be written");
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void OutputFile::fail_io(const char *what) const {
    const std::string reason = std::generic_category().message(errno);
    fail(text(path_, " ", what, ": ", reason, "; choose another place to write to"));
}

} // namespace bmo_command
