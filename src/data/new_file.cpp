#include "data/new_file.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "util/failure.hpp"

namespace bmo {
namespace {

// Through links, so that one to a file is not replaced by the file.
std::string target_of(const std::string &path) {
    const std::unique_ptr<char, decltype(&std::free)> target(realpath(path.c_str(), nullptr), &std::free);
    return target ? std::string(target.get()) : path;
}

std::string directory_of(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

std::string random_suffix() {
    std::uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
        bits = static_cast<std::uint64_t>(getpid());
    return text(".", bits, ".tmp");
}

// What a process may not write costs it a signal, not an error, when it tries.
bool is_beyond_limit(std::int64_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           limit.rlim_cur < static_cast<rlim_t>(bytes);
}

} // namespace

void NewFile::fail_io(const char *what, int error) const {
    fail(BMO_EIO, "path", text(path_, ": ", what, ": ", std::generic_category().message(error)));
}

NewFile::NewFile(const std::string &path, std::int64_t bytes) : path_(path), final_(target_of(path)), bytes_(bytes) {
    struct stat status;
    if (stat(final_.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
        fail(BMO_EIO, "path",
             text(path, S_ISDIR(status.st_mode) ? " is a directory" : " is a pipe or a device",
                  "; expected a new name, or that of a regular file"));
    if (is_beyond_limit(bytes))
        fail_io("cannot be written", EFBIG);
    temporary_ = final_ + random_suffix();
    descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0)
        fail_io("cannot be created", errno);
}

NewFile::~NewFile() {
    if (descriptor_ < 0)
        return;
    close(descriptor_);
    unlink(temporary_.c_str());
}

void NewFile::write(std::int64_t offset, const void *data, std::int64_t bytes) {
    const auto *from = static_cast<const char *>(data);
    while (bytes > 0) {
        const ssize_t done = pwrite(descriptor_, from, static_cast<std::size_t>(bytes), offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            fail_io("cannot be written", errno);
        from += done;
        offset += done;
        bytes -= done;
    }
}

void NewFile::commit() {
    if (ftruncate(descriptor_, bytes_) != 0 || fsync(descriptor_) != 0)
        fail_io("cannot be written", errno);
    if (rename(temporary_.c_str(), final_.c_str()) != 0)
        fail_io("cannot be created", errno);
    close(descriptor_);
    descriptor_ = -1;
    // The name itself is on the disk when the directory is. Where that cannot be had, the file is there all the same.
    const int directory = open(directory_of(final_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
}

} // namespace bmo
