#include "soak.hpp"

#include <cstdio>
#include <malloc.h>
#include <unistd.h>

#include "case.hpp"
#include "journal.hpp"

namespace {

constexpr int kParts = 10;
constexpr std::uint64_t kCases = 20;   // that are repeated
constexpr std::size_t kKept = 1 << 16; // bytes that malloc may keep for threads: less than one a call of a long run

struct Memory {
    std::size_t in_use; // by blocks that were allocated and not freed
    long resident;      // KiB
};

Memory memory_now() {
    malloc_trim(0);
    long pages = 0, resident = 0;
    if (FILE *file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2)
            resident = 0;
        std::fclose(file);
    }
    const struct mallinfo2 info = mallinfo2();
    return {info.uordblks + info.hblkhd, resident * (sysconf(_SC_PAGESIZE) / 1024)};
}

} // namespace

// The same cases in every part: what a part leaves behind, the next one would add.
int soak(std::uint64_t seed, std::uint64_t calls) {
    Journal &journal = Journal::shared();
    Memory first{}, last{};
    for (int part = 0; part <= kParts; ++part) {
        while (journal.searches < calls * static_cast<std::uint64_t>(part + 1) / (kParts + 1))
            for (std::uint64_t i = 0; i < kCases; ++i)
                Case(part_of(seed, i)).run();
        last = memory_now();
        if (part == 0)
            first = last;
        std::printf("%llu searches: %zu bytes in use, %ld KiB resident\n",
                    static_cast<unsigned long long>(journal.searches), last.in_use, last.resident);
    }
    const bool grows = last.in_use > first.in_use + kKept || last.resident > first.resident + first.resident / 4;
    std::printf("memory %s\n", grows ? "grows" : "does not grow");
    return grows ? 1 : 0;
}
