#include "guarded.hpp"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr unsigned char kMark = 0x5c;
constexpr std::size_t kMarked = 64;

} // namespace

Guarded::Guarded(std::size_t most) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (most + kMarked + page - 1) / page * page;
    void *memory = mmap(nullptr, size_ + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        std::abort();
    region_ = static_cast<unsigned char *>(memory);
    if (mprotect(region_ + size_, page, PROT_NONE) != 0)
        std::abort();
    at_ = region_ + size_;
}

Guarded::~Guarded() {
    munmap(region_, size_ + static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

void *Guarded::place(std::size_t bytes) {
    if (bytes + kMarked > size_)
        std::abort();
    bytes_ = bytes;
    at_ = region_ + size_ - bytes;
    std::memset(at_ - kMarked, kMark, kMarked);
    kept_.clear();
    return at_;
}

bool Guarded::is_intact() const {
    return std::all_of(at_ - kMarked, at_, [](unsigned char byte) { return byte == kMark; });
}
