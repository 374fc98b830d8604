// One reader of data files under any bytes. Meson names the reader (READER) and what the file is called (FILE_NAME).
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

class Bytes final : public Source {
public:
    explicit Bytes(std::string_view bytes) : all_(bytes), left_(bytes) {}

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

    const std::string path_ = FILE_NAME;
    std::string_view all_, left_;
};

// The only array of an archive, a sparse matrix, or an array of this name.
[[maybe_unused]] std::shared_ptr<const Dataset> read_archive(Source &source, bool borrow, Watch &watch) {
    return read_npz(source, borrow ? "x" : "", watch);
}

// What a .npy.gz is read by.
[[maybe_unused]] std::shared_ptr<const Dataset> read_gzip(Source &source, bool borrow, Watch &watch) {
    Gunzip content(source, watch);
    return read_npy(content, borrow, watch);
}

[[noreturn]] void find(const char *what) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

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
            check_dataset(*READER(source, borrow, watch));
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
