#include "util/new_file.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstdio>
#include <fcntl.h>
#include <stdexcept>
#include <string_view>
#include <sys/random.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace bmo {
namespace {

[[noreturn]] void fail_io(const char *what, int error) {
    throw std::system_error(error, std::generic_category(), what);
}

std::string directory_of(const std::string &path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "./" : path.substr(0, slash + 1);
}

// The file that a path stands for, which need not exist.
std::string follow_links(std::string path) {
    constexpr int most_links = 40; // as many as Linux follows
    std::array<char, PATH_MAX> link;
    for (int followed = 0; followed < most_links; ++followed) {
        const ssize_t length = readlink(path.c_str(), link.data(), link.size());
        if (length < 0 && errno != EINVAL && errno != ENOENT) // it may be a link, which the file is not to replace
            fail_io("cannot be created", errno);
        if (length <= 0)
            break;
        const std::string_view target(link.data(), static_cast<std::size_t>(length));
        path = target.starts_with('/') ? std::string() : directory_of(path);
        path += target;
    }
    return path;
}

// Short, so that it fits wherever the file's own name does, and no other run's, however often process numbers repeat.
std::string temporary_name() {
    std::uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits)
        bits = static_cast<std::uint64_t>(getpid());
    std::array<char, 17> digits{};
    std::to_chars(digits.data(), digits.data() + digits.size(), bits, 16);
    return std::string("bmo-") + digits.data() + ".part";
}

// What a process may not write costs it a signal, not an error, when it tries.
bool is_beyond_limit(std::int64_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
           limit.rlim_cur < static_cast<rlim_t>(bytes);
}

// The rights of the file that is replaced, as far as this process may give them.
void take_rights(int descriptor, const struct stat &older) {
    constexpr auto same_owner = static_cast<uid_t>(-1);
    constexpr auto same_group = static_cast<gid_t>(-1);
    constexpr mode_t permissions = 0777, of_group = 0070;
    const bool in_group = fchown(descriptor, same_owner, older.st_gid) == 0;
    [[maybe_unused]] const bool owned = fchown(descriptor, older.st_uid, same_group) == 0;
    const mode_t mode = older.st_mode & (in_group ? permissions : permissions & ~of_group);
    [[maybe_unused]] const bool given = fchmod(descriptor, mode) == 0; // else it stays this user's alone
}

} // namespace

NewFile::NewFile(const std::string &path, std::int64_t size) : size_(size) {
    // Before links are read: the system may forbid to follow one.
    struct stat older;
    const bool replaces = stat(path.c_str(), &older) == 0;
    if (!replaces && errno != ENOENT)
        fail_io("cannot be created", errno);
    if (replaces && !S_ISREG(older.st_mode))
        throw std::runtime_error(std::string(S_ISDIR(older.st_mode) ? "is a directory" : "is a pipe or a device") +
                                 "; expected a new name, or that of a regular file");
    if (is_beyond_limit(size))
        fail_io("cannot be written", EFBIG);
    target_ = follow_links(path);
    directory_ = directory_of(target_);
    temporary_ = directory_ + temporary_name();
    create(replaces ? &older : nullptr);
}

NewFile::~NewFile() {
    close(descriptor_);
    if (named_)
        unlink(temporary_.c_str());
}

void NewFile::create(const struct stat *older) {
    constexpr mode_t usual = 0666, private_at_first = 0600;
    const mode_t mode = older ? private_at_first : usual;
    // A file without a name vanishes with its process, however that ends. Its name comes by way of /proc.
    const int unnamed = open(directory_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
    if (unnamed >= 0) {
        std::snprintf(by_descriptor_.data(), by_descriptor_.size(), "/proc/self/fd/%d", unnamed);
        if (access(by_descriptor_.data(), F_OK) == 0)
            descriptor_ = unnamed;
        else
            close(unnamed);
    }
    if (descriptor_ < 0) {
        descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (descriptor_ < 0)
            fail_io("cannot be created", errno);
        named_ = true;
    }
    if (older)
        take_rights(descriptor_, *older);
}

void NewFile::write(std::int64_t offset, const void *data, std::int64_t bytes) const {
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

void NewFile::sync() const {
    if ((size_ > 0 && ftruncate(descriptor_, size_) != 0) || fsync(descriptor_) != 0)
        fail_io("cannot be written", errno);
}

void NewFile::commit() {
    if (!named_ && linkat(AT_FDCWD, by_descriptor_.data(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0)
        fail_io("cannot be created", errno);
    named_ = true;
    if (rename(temporary_.c_str(), target_.c_str()) != 0)
        fail_io("cannot be created", errno);
    named_ = false;
    // The name itself is on the disk when the directory is. If that cannot be had, the file is there all the same.
    const int directory = open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
}

} // namespace bmo
