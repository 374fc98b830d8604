#include "data/subset.hpp"

#include <algorithm>

#include "data/check.hpp"
#include "data/sparse_rows.hpp"

namespace bmo {
namespace {

std::shared_ptr<Dataset> choose_dense(const Dataset &whole, std::span<const std::int64_t> rows, Watch &watch) {
    constexpr std::int64_t kValuesAPoll = 1 << 21,
                           kOfColumns = 8; // points at least
    const DenseView &points = whole.dense;
    const auto n = static_cast<std::int64_t>(rows.size()), size = static_cast<std::int64_t>(dtype_size(points.dtype));
    const std::shared_ptr<void> memory = allocate_dense(points.dtype, n, points.d);
    const std::int64_t band = std::max(kValuesAPoll / points.d, points.coord_stride == 1 ? 1 : kOfColumns);
    auto chosen = std::make_shared<Dataset>();
    watch.begin(BMO_PHASE_CHECK, n);
    for (std::int64_t first = 0; first < n; first += band) {
        const std::int64_t count = std::min(band, n - first);
        std::byte *to = static_cast<std::byte *>(memory.get()) + first * points.d * size;
        copy_points(points, rows.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)), to, watch);
        const DenseView copied = row_major(points.dtype, to, count, points.d);
        chosen->max_abs = std::max(chosen->max_abs, check_block(copied, first, 0, "rows"));
        watch.advance(count);
    }
    watch.finish();
    chosen->dense = row_major(points.dtype, memory.get(), n, points.d);
    chosen->memory = memory;
    chosen->bytes_owned = static_cast<std::uint64_t>(n * points.d * size);
    return chosen;
}

template <class T>
SparseRows<T> chosen_rows(const SparseView &points, std::span<const std::int64_t> rows, Watch &watch) {
    SparseRows<T> chosen;
    chosen.n = static_cast<std::int64_t>(rows.size());
    chosen.d = points.d;
    chosen.pointers.push_back(0);
    SmallSteps steps(watch);
    for (const std::int64_t row : rows) {
        steps.step();
        chosen.pointers.push_back(chosen.pointers.back() + points.entries(row));
    }
    chosen.indices.resize(static_cast<std::size_t>(chosen.pointers.back()));
    chosen.values.resize(chosen.indices.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        watch.poll();
        const std::int64_t from = points.first(rows[i]), count = points.entries(rows[i]), to = chosen.pointers[i];
        std::copy_n(points.indices + from, count, chosen.indices.begin() + to);
        std::copy_n(points.typed_values<T>() + from, count, chosen.values.begin() + to);
    }
    return chosen;
}

std::shared_ptr<const Dataset> choose_sparse(const SparseView &points, std::span<const std::int64_t> rows,
                                             Watch &watch) {
    if (points.dtype == BMO_F32)
        return adopt_sparse(chosen_rows<float>(points, rows, watch), "rows", watch);
    return adopt_sparse(chosen_rows<double>(points, rows, watch), false, false, "rows", watch);
}

} // namespace

std::shared_ptr<Dataset> choose_points(const Dataset &whole, std::span<const std::int64_t> rows, Watch &watch) {
    return whole.kind == Kind::dense ? choose_dense(whole, rows, watch)
                                     : std::make_shared<Dataset>(*choose_sparse(whole.sparse, rows, watch));
}

} // namespace bmo
