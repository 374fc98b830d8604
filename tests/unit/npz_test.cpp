// .npz files that NumPy and SciPy wrote, and archives put together byte by byte.
#include "cmocka.hpp"

#include <vector>
#include <zlib.h>

#include "npy_bytes.hpp"
#include "opening.hpp"
#include "scratch.hpp"

namespace npz_test {

std::string fixture(const std::string &name) {
    return TEST_DATA "/npz/" + name;
}

void expect(const std::string &path, bmo_dtype dtype, std::int64_t n, const std::vector<double> &values) {
    for (const bool borrow : {false, true}) {
        const auto dataset = open_file(path, borrow);
        assert_int_equal(dataset->kind == bmo::Kind::dense, true);
        assert_int_equal(dataset->n(), n);
        assert_int_equal(dataset->dense.dtype, dtype);
        assert_true(values_of(*dataset) == values);
        assert_int_equal(dataset->bytes_borrowed, 0);
    }
}

const std::vector<double> tens_and_ones = {0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23};
const std::vector<double> turned = {0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23};

void archives_that_numpy_wrote(void **) {
    expect(fixture("one.npz"), BMO_F32, 3, tens_and_ones);
    expect(fixture("one.npz:x"), BMO_F32, 3, tens_and_ones);
    expect(fixture("one.npz:x.npy"), BMO_F32, 3, tens_and_ones);
    expect(fixture("one_compressed.npz"), BMO_F64, 3, tens_and_ones);
    expect(fixture("several.npz:x"), BMO_F32, 3, tens_and_ones);
    expect(fixture("several.npz:y"), BMO_F32, 4, turned);
    const std::string several = open_failure(fixture("several.npz")).message;
    assert_non_null(strstr(several.c_str(), "2 arrays: x, y; name one"));
    const bmo::Failure absent = failure_of([] { open_file(fixture("several.npz:z"), false); });
    assert_int_equal(absent.status, BMO_EFORMAT);
    assert_non_null(strstr(absent.message.c_str(), "no array \"z\"; it has x, y"));
    const std::string plain = TEST_DATA "/npy/f4_c.npy";
    assert_int_equal(failure_of([&] { open_file(plain + ":x", false); }).status, BMO_EIO);
}

void matrices_that_scipy_wrote(void **) {
    for (const auto &[name, dtype] : {std::pair{"csr", BMO_F64}, {"csc", BMO_F64}, {"csr_wide", BMO_F32}}) {
        const auto dataset = open_file(fixture(std::string(name) + ".npz"), false);
        assert_true(dataset->kind == bmo::Kind::sparse);
        assert_int_equal(dataset->sparse.dtype, dtype);
        assert_int_equal(dataset->nnz(), 3);
        assert_true(values_of(*dataset) == std::vector<double>({0, 1.5, 0, 0, 0, 0, 0, 0, -2, 0, 0, 4}));
        assert_int_equal(dataset->bytes_borrowed, 0);
        assert_true(dataset->bytes_owned > 0);
    }
    const auto empty = open_file(fixture("empty.npz"), false);
    assert_int_equal(empty->n(), 3);
    assert_int_equal(empty->d(), 4);
    assert_int_equal(empty->nnz(), 0);
    const bmo::Failure failure = open_failure(fixture("coo.npz"));
    assert_int_equal(failure.status, BMO_EUNSUPPORTED);
    assert_non_null(strstr(failure.message.c_str(), "\"coo\"; expected csr or csc"));
}

void files_cut_anywhere(void **) {
    const Scratch scratch;
    for (const char *name : {"one.npz", "one_compressed.npz", "csr.npz"}) {
        const std::string whole = file_bytes(fixture(name));
        for (std::size_t size = 0; size < whole.size(); ++size)
            assert_int_equal(status_of(scratch.file(whole.substr(0, size), "a.npz")), BMO_EFORMAT);
        assert_int_equal(status_of(scratch.file(whole, "a.npz")), BMO_OK);
    }
}

// No byte of the array can change without a word: its checksum tells. Others may, such as those of times.
void a_byte_that_changed(void **) {
    const Scratch scratch;
    for (const char *name : {"one.npz", "one_compressed.npz"}) {
        const std::string whole = file_bytes(fixture(name));
        const std::vector<double> values = values_of(*open_file(fixture(name), false));
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string changed = whole;
            changed[at] = static_cast<char>(changed[at] ^ 0x10);
            const std::string path = scratch.file(changed, "a.npz");
            const bmo_status status = failure_of([&] { open_file(path, false); }).status;
            if (status == BMO_OK)
                assert_true(values_of(*open_file(path, false)) == values);
            else
                assert_true(status == BMO_EFORMAT || status == BMO_EUNSUPPORTED);
        }
    }
}

std::string number(std::uint64_t value, int bytes) {
    std::string digits;
    for (; bytes > 0; --bytes, value >>= 8)
        digits += static_cast<char>(value & 0xff);
    return digits;
}

// An archive of one stored entry a.npy; of large ones sizes and places stand in the fields of 64 bits.
struct Written {
    std::string content = small_npy();
    int method = 0, flags = 0;
    bool large = false;
    std::uint64_t unpacked = content.size(), packed = content.size(), header = 0, directory_shift = 0;
    std::string comment;

    std::string bytes() const {
        const std::string name = "a.npy";
        const auto checksum = crc32_z(0, reinterpret_cast<const Bytef *>(content.data()), content.size());
        const auto small = [&](std::uint64_t value) { return number(large ? 0xffffffff : value, 4); };
        const std::string facts = number(20, 2) + number(static_cast<std::uint64_t>(flags), 2) +
                                  number(static_cast<std::uint64_t>(method), 2) + number(0, 4) + number(checksum, 4);
        const std::string other = number(0xcafe, 2) + number(3, 2) + "xyz";
        const std::string wide =
            number(1, 2) + number(24, 2) + number(unpacked, 8) + number(packed, 8) + number(header, 8);
        const std::string extra = large ? other + wide : other;
        std::string archive = std::string("PK\x03\x04", 4) + facts + small(packed) + small(unpacked) +
                              number(name.size(), 2) + number(extra.size(), 2) + name + extra + content;
        const std::uint64_t start = archive.size() + directory_shift;
        const std::string directory = std::string("PK\x01\x02", 4) + number(45, 2) + facts + small(packed) +
                                      small(unpacked) + number(name.size(), 2) + number(extra.size(), 2) +
                                      number(0, 2 + 2 + 2 + 4) + small(header) + name + extra;
        archive += directory;
        if (large) {
            const std::uint64_t end = archive.size();
            archive += std::string("PK\x06\x06", 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) +
                       number(1, 8) + number(1, 8) + number(directory.size(), 8) + number(start, 8);
            archive += std::string("PK\x06\x07", 4) + number(0, 4) + number(end, 8) + number(1, 4);
        }
        archive += std::string("PK\x05\x06", 4) + number(0, 4) + number(large ? 0xffff : 1, 2) +
                   number(large ? 0xffff : 1, 2) + small(directory.size()) + small(start) + number(comment.size(), 2) +
                   comment;
        return archive;
    }
};

void archives_by_hand(void **) {
    const Scratch scratch;
    for (const bool large : {false, true})
        for (const std::string comment : {"", "made by hand", "PK\x05\x06 is no end"}) {
            Written written;
            written.large = large;
            written.comment = comment;
            expect(scratch.file(written.bytes(), "a.npz"), BMO_F32, 2, {1, 2, 3, 4, 5, 6});
            expect(scratch.file(written.bytes(), "any name"), BMO_F32, 2, {1, 2, 3, 4, 5, 6});
        }
    const std::string colon = scratch.file(small_npy(), "b.npz:x"); // a file that is there is no array of another
    expect(colon, BMO_F32, 2, {1, 2, 3, 4, 5, 6});
}

void malformed_archives(void **) {
    const Scratch scratch;
    const auto status = [&](const auto &change) {
        Written written;
        change(written);
        return status_of(scratch.file(written.bytes(), "a.npz"));
    };
    for (const bool large : {false, true}) {
        assert_int_equal(status([&](Written &w) { w.large = large, w.packed = w.unpacked = 1000; }), BMO_EFORMAT);
        assert_int_equal(status([&](Written &w) { w.large = large, w.unpacked = 1000; }), BMO_EFORMAT);
        assert_int_equal(status([&](Written &w) { w.large = large, w.packed = w.unpacked = w.content.size() - 1; }),
                         BMO_EFORMAT);
        assert_int_equal(status([&](Written &w) { w.large = large, w.header = 1; }), BMO_EFORMAT);
        assert_int_equal(status([&](Written &w) { w.large = large, w.header = 4000; }), BMO_EFORMAT);
        assert_int_equal(status([&](Written &w) { w.large = large, w.directory_shift = 1; }), BMO_EFORMAT);
        assert_int_equal(status([&](Written &w) { w.large = large, w.directory_shift = 4000; }), BMO_EFORMAT);
    }
    const std::uint64_t huge = ~std::uint64_t{0};
    assert_int_equal(status([&](Written &w) { w.large = true, w.packed = w.unpacked = huge; }), BMO_EFORMAT);
    assert_int_equal(status([&](Written &w) { w.large = true, w.header = huge; }), BMO_EFORMAT);
    assert_int_equal(status([&](Written &w) { w.large = true, w.directory_shift = huge / 2; }), BMO_EFORMAT);
    assert_int_equal(status([&](Written &w) { w.flags = 1; }), BMO_EUNSUPPORTED);
    assert_int_equal(status([&](Written &w) { w.method = 12; }), BMO_EUNSUPPORTED);
    assert_int_equal(status([&](Written &w) { w.method = 8; }), BMO_EFORMAT);
    assert_int_equal(status_of(scratch.file(std::string("PK\x05\x06", 4) + number(0, 18), "none.npz")), BMO_EFORMAT);
}

void bad_values_are_named_with_their_place(void **) {
    const Scratch scratch;
    Written written;
    written.content = npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
                               raw<float>({1, 2, 3, 4, __builtin_inff(), 6}));
    written.packed = written.unpacked = written.content.size();
    const bmo::Failure failure = open_failure(scratch.file(written.bytes(), "a.npz"));
    assert_int_equal(failure.status, BMO_ENONFINITE);
    assert_int_equal(failure.row, 1);
    assert_int_equal(failure.col, 1);
}

void a_request_stops_reading(void **) {
    const auto flag = std::make_shared<bmo::CancelFlag>();
    flag->request();
    for (const char *name : {"one.npz", "csr.npz"}) {
        bmo::Watch watch(nullptr, nullptr, 0, flag);
        assert_int_equal(failure_of([&] { bmo::open_dataset(fixture(name), false, watch); }).status, BMO_ECANCELED);
    }
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(archives_that_numpy_wrote),
        cmocka_unit_test(matrices_that_scipy_wrote),
        cmocka_unit_test(files_cut_anywhere),
        cmocka_unit_test(a_byte_that_changed),
        cmocka_unit_test(archives_by_hand),
        cmocka_unit_test(malformed_archives),
        cmocka_unit_test(bad_values_are_named_with_their_place),
        cmocka_unit_test(a_request_stops_reading),
    };
    return cmocka_run_group_tests_name("npz", tests, nullptr, nullptr);
}

} // namespace npz_test
