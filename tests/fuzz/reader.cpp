// A reader of data files under any bytes: the one that the environment variable READER names.
//
// Built for libFuzzer, or with a main of its own that runs the files it is given.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "data/files/bin.hpp"
#include "data/files/csv.hpp"
#include "data/files/gzip.hpp"
#include "data/files/mtx.hpp"
#include "data/files/npy.hpp"
#include "data/files/npz.hpp"
#include "data/files/vecs.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

[[noreturn]] void find(const char *what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

// The only array of an archive, a sparse matrix, or an array of this name.
std::shared_ptr<const Dataset> read_archive(Source &source, bool borrow, Watch &watch) {
    return read_npz(source, borrow ? "x" : "", watch);
}

// What a .npy.gz is read by.
std::shared_ptr<const Dataset> read_gzip(Source &source, bool borrow, Watch &watch) {
    Gunzip content(source, watch);
    return read_npy(content, borrow, watch);
}

struct Reader {
    std::string_view name; // as the directory of its seeds
    std::shared_ptr<const Dataset> (*read)(Source &source, bool borrow, Watch &watch);
    const char *path;
};
constexpr Reader readers[] = {
    {"npy", read_npy, "a.npy"},      {"mtx", read_mtx, "a.mtx"},      {"fvecs", read_vecs, "a.fvecs"},
    {"bvecs", read_vecs, "a.bvecs"}, {"ivecs", read_vecs, "a.ivecs"}, {"fbin", read_bin, "a.fbin"},
    {"i8bin", read_bin, "a.i8bin"},  {"csv", read_csv, "a.csv"},      {"tsv", read_csv, "a.tsv"},
    {"npz", read_archive, "a.npz"},  {"gzip", read_gzip, "a.npy.gz"},
};

const Reader &find_reader() {
    const char *name = std::getenv("READER");
    for (const Reader &reader : readers)
        if (name && name == reader.name)
            return reader;
    find("READER names no reader");
}

const Reader &chosen() {
    static const Reader &reader = find_reader();
    return reader;
}

class Bytes final : public Source {
public:
    explicit Bytes(std::string_view bytes) : path_(chosen().path), all_(bytes), left_(bytes) {}

    const std::string &path() const override { return path_; }
    std::int64_t most() const override { return static_cast<std::int64_t>(left_.size()) + peeked(); }
    std::int64_t size() const override { return static_cast<std::int64_t>(all_.size()); }
    std::size_t read_at(std::int64_t position, void *to, std::size_t size) override {
        const auto first = static_cast<std::size_t>(std::min(position, this->size()));
        return all_.copy(static_cast<char *>(to), size, first);
    }

private:
    std::size_t fetch(void *to, std::size_t size) override {
        const std::size_t got = left_.copy(static_cast<char *>(to), size);
        left_.remove_prefix(got);
        return got;
    }

    const std::string path_;
    std::string_view all_, left_;
};

// Of a dataset everything has to be as the library relies on.
void check_values(const PointsView &points, double most) {
    if (points.n() == 0)
        return;
    std::vector<double> row(static_cast<std::size_t>(points.d()));
    for (std::int64_t i = 0; i < points.n(); ++i) {
        load_point(points, i, row.data());
        for (const double value : row)
            if (!(std::abs(value) <= most))
                find("a value is not finite, or beyond the largest");
    }
}

void check_entries(const SparseView &points, double most) {
    for (std::int64_t i = 0; i < points.n; ++i) {
        if (points.entries(i) < 0)
            find("pointers descend");
        for (std::int64_t k = points.first(i); k < points.first(i + 1); ++k) {
            if (points.indices[k] < 0 || points.indices[k] >= points.d)
                find("an index is out of range");
            if (k > points.first(i) && points.indices[k - 1] >= points.indices[k])
                find("indices do not ascend");
            if (points.value(k) == 0 || !(std::abs(points.value(k)) <= most))
                find("a value is 0, not finite, or beyond the largest");
        }
    }
}

void check_dataset(const Dataset &dataset) {
    if (dataset.n() < 0 || dataset.d() < 1)
        find("the sizes are none");
    if (dataset.kind == Kind::sparse)
        check_entries(dataset.sparse, dataset.max_abs);
    else
        check_values(dataset.points(), dataset.max_abs);
}

void run(std::string_view bytes) {
    for (const bool borrow : {false, true})
        try {
            Bytes source(bytes);
            Watch watch;
            check_dataset(*chosen().read(source, borrow, watch));
        } catch (const Failure &failure) {
            if (failure.status == BMO_EINTERNAL || failure.message.empty())
                find("a failure is none of the file");
        }
}

} // namespace
} // namespace bmo

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    bmo::run({reinterpret_cast<const char *>(data), size});
    return 0;
}
