#include "data/files/file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "util/failure.hpp"

namespace bmo {

namespace {

[[noreturn]] void fail_io(const std::string &path, const char *what, int error) {
    fail(BMO_EIO, "path", text(path, ": ", what, ": ", std::generic_category().message(error)));
}

} // namespace

File::File(const std::string &path) : path_(path) {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0)
        fail_io(path, "cannot be opened", errno);
    struct stat status;
    const int error = fstat(descriptor_, &status) == 0 ? 0 : errno;
    if (error == 0 && S_ISREG(status.st_mode)) {
        size_ = status.st_size;
        return;
    }
    close(descriptor_);
    if (error != 0)
        fail_io(path, "cannot be examined", error);
    fail(BMO_EIO, "path",
         text(path, S_ISDIR(status.st_mode)
                        ? " is a directory; expected a regular file"
                        : " is a pipe or a device, and its size is needed first; expected a regular "
                          "file: write what comes to one, and give its name"));
}

File::~File() {
    close(descriptor_);
}

std::size_t File::fetch(void *to, std::size_t size) {
    const std::size_t got = read_at(position_, to, size);
    position_ += static_cast<std::int64_t>(got);
    return got;
}

std::size_t File::read_at(std::int64_t position, void *to, std::size_t size) {
    std::size_t done = 0;
    while (done < size && position < size_) {
        const auto left = static_cast<std::size_t>(size_ - position);
        const ssize_t got = pread(descriptor_, static_cast<char *>(to) + done, std::min(size - done, left), position);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail_io(path_, "cannot be read", errno);
        if (got == 0)
            break;
        done += static_cast<std::size_t>(got);
        position += got;
    }
    return done;
}

Memory File::map() {
    if (size_ == 0)
        return nullptr;
    const auto bytes = static_cast<std::size_t>(size_);
    void *memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (memory == MAP_FAILED)
        return nullptr;
    const std::shared_ptr<const char> whole(static_cast<const char *>(memory),
                                            [memory, bytes](const char *) { munmap(memory, bytes); });
    return {whole, whole.get() + (size_ - most())};
}

} // namespace bmo
