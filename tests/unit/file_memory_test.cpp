// What opening a file allocates at most, whatever sizes the file announces.
#include "cmocka.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <vector>

#include "gzip_bytes.hpp"
#include "npy_bytes.hpp"
#include "opening.hpp"
#include "scratch.hpp"
#include "simd/kernels.hpp"

namespace {

std::atomic<std::int64_t> held = 0, most_held = 0;

void *note(void *memory) {
    if (!memory)
        throw std::bad_alloc();
    held += static_cast<std::int64_t>(malloc_usable_size(memory));
    most_held = std::max<std::int64_t>(most_held, held);
    return memory;
}

void give_back(void *memory) {
    if (memory)
        held -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

} // namespace

void *operator new(std::size_t size) {
    return note(std::malloc(std::max<std::size_t>(1, size)));
}
void *operator new(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return note(std::aligned_alloc(step, (std::max<std::size_t>(1, size) + step - 1) / step * step));
}
void operator delete(void *memory) noexcept {
    give_back(memory);
}
void operator delete(void *memory, std::size_t) noexcept {
    give_back(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept {
    give_back(memory);
}
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
    give_back(memory);
}

namespace {

constexpr std::int64_t kMiB = 1 << 20, kAnyMtx = 32 * kMiB, kTextFactor = 64;

// The status of opening a file of these bytes, and the most memory that was held meanwhile.
std::pair<bmo_status, std::int64_t> open_and_measure(const std::string &bytes, const char *name = "data") {
    const Scratch scratch;
    const std::string path = scratch.file(bytes, name);
    const std::int64_t before = held;
    most_held = before;
    const bmo_status status = failure_of([&] { open_file(path); }).status;
    assert_int_equal(held, before);
    return {status, most_held - before};
}

void expect_at_most(const std::string &bytes, bmo_status status, std::int64_t most, const char *name = "data") {
    const auto [got, memory] = open_and_measure(bytes, name);
    assert_int_equal(got, status);
    if (memory > most)
        print_message("# %s: %lld bytes, expected at most %lld\n", name, static_cast<long long>(memory),
                      static_cast<long long>(most));
    assert_true(memory <= most);
}

std::string repeated(const std::string &line, int times) {
    std::string text;
    for (int i = 0; i < times; ++i)
        text += line;
    return text;
}

// Kinds of .mtx with as much to keep for each byte as there can be.
void announced_sizes_of_a_text_take_nothing(void **) {
    const std::string banner = "%%MatrixMarket matrix ";
    for (const char *sizes : {"2147483647 2147483647 2147483647", "2147483647 1 1", "1 2147483647 4000000",
                              "1048576 1 1", "1 1 4611686018427387904"}) {
        const std::string bytes = banner + "coordinate real general\n" + sizes + "\n1 1 1\n";
        for (const std::string &file : {bytes, zipped(bytes)}) {
            const auto [status, memory] = open_and_measure(file);
            assert_true(status == BMO_EFORMAT || std::string(sizes) == "1048576 1 1");
            assert_true(memory <= kAnyMtx);
        }
    }
    for (const char *sizes : {"2147483647 2147483647", "65536 65536", "2147483647 1"})
        expect_at_most(banner + "array real general\n" + sizes + "\n1\n", BMO_EFORMAT, kAnyMtx);
}

void a_text_takes_a_factor_of_its_size(void **) {
    const std::string banner = "%%MatrixMarket matrix ";
    constexpr int lines = 1500000;
    const std::string count = std::to_string(lines);
    for (const std::string &bytes :
         {banner + "coordinate pattern symmetric\n2 2 " + count + "\n" + repeated("2 1\n", lines),
          banner + "coordinate real general\n1 1 " + count + "\n" + repeated("1 1 .1\n", lines),
          banner + "array integer general\n" + count + " 1\n" + repeated("0\n", lines),
          banner + "array integer symmetric\n1731 1731\n" + repeated("0\n", 1731 * 1732 / 2)}) {
        const std::int64_t most = kTextFactor * static_cast<std::int64_t>(bytes.size()) + kAnyMtx;
        expect_at_most(bytes, BMO_OK, most);
        const std::string bomb = zipped(bytes); // hundreds of times smaller
        assert_true(bomb.size() * 100 < bytes.size());
        expect_at_most(bomb, BMO_OK, most);
    }
}

// Lines that are not kept.
void empty_lines_take_nothing(void **) {
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    for (const char *line : {"\n", "%\n", "% a comment\n"})
        for (const std::string &bytes :
             {head + repeated(line, 5000000) + "1 1 1\n1 1 1\n", head + "1 1 1\n" + repeated(line, 5000000)}) {
            const std::string bomb = zipped(bytes);
            assert_true(bomb.size() * 500 < bytes.size());
            const auto [status, memory] = open_and_measure(bomb);
            assert_true(status == BMO_OK || status == BMO_EFORMAT);
            assert_true(memory <= 2 * kMiB);
        }
    expect_at_most(zipped(head + std::string(50 * kMiB, ' ')), BMO_EFORMAT, 2 * kMiB); // one line
}

void binary_files_take_what_they_hold(void **) {
    const std::string npy = npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (2147483647, 2147483647)}", "");
    expect_at_most(npy, BMO_EFORMAT, kMiB);
    expect_at_most(zipped(npy), BMO_EFORMAT, kMiB);
    const std::string huge = raw<std::int32_t>({2147483647});
    for (const char *name : {"a.fvecs", "a.bvecs", "a.ivecs"}) {
        expect_at_most(huge, BMO_EFORMAT, kMiB, name);
        expect_at_most(huge + std::string(kMiB, '\1'), BMO_EFORMAT, kMiB, name);
    }
    const std::string vectors = repeated(raw<std::int32_t>({1, 7}), 1000000);
    expect_at_most(vectors, BMO_OK, 4 * static_cast<std::int64_t>(vectors.size()), "a.ivecs");
    expect_at_most(zipped(vectors), BMO_OK, 4 * static_cast<std::int64_t>(vectors.size()), "a.ivecs");
}

} // namespace

int main() {
    bmo::kernels(); // their table stays
    const CMUnitTest tests[] = {
        cmocka_unit_test(announced_sizes_of_a_text_take_nothing),
        cmocka_unit_test(a_text_takes_a_factor_of_its_size),
        cmocka_unit_test(empty_lines_take_nothing),
        cmocka_unit_test(binary_files_take_what_they_hold),
    };
    return cmocka_run_group_tests_name("file_memory", tests, nullptr, nullptr);
}
