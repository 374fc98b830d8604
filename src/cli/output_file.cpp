#include "output_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "failure.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

bool is_device_or_pipe(const std::string &path) {
    struct stat status;
    return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// /dev/stdout, also if that is a regular file.
bool is_standard_output(const std::string &path) {
    struct stat named, standard;
    return stat(path.c_str(), &named) == 0 && fstat(STDOUT_FILENO, &standard) == 0 && named.st_dev == standard.st_dev &&
           named.st_ino == standard.st_ino;
}

std::system_error system_failure(const char *what) {
    return {errno, std::generic_category(), what};
}

} // namespace

OutputFile::OutputFile(const std::string &path) : path_(path == "-" ? "/dev/stdout" : path) {
    attempt([this] {
        const bool standard = is_standard_output(path_);
        if (!standard && !is_device_or_pipe(path_)) {
            file_.emplace(path_);
            return;
        }
        descriptor_ = standard ? dup(STDOUT_FILENO) : open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (descriptor_ < 0)
            throw system_failure("cannot be opened");
    });
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0)
        close(descriptor_);
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

void OutputFile::finish() {
    flush();
    if (file_)
        attempt([this] { file_->sync(); });
}

void OutputFile::commit() {
    if (file_)
        attempt([this] { file_->commit(); });
}

void OutputFile::flush() {
    write_through(buffer_);
    buffer_.clear();
}

void OutputFile::write_through(std::string_view bytes) {
    attempt([&] {
        if (file_) {
            const auto size = static_cast<std::int64_t>(bytes.size());
            file_->write(written_, bytes.data(), size);
            written_ += size;
            return;
        }
        while (!bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                throw system_failure("cannot be written");
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    });
}

template <class Step>
void OutputFile::attempt(const Step &step) {
    try {
        step();
    } catch (const std::runtime_error &failure) {
        fail(text(path_, " ", failure.what(), "; choose another place to write to"));
    }
}

} // namespace bmo_command
