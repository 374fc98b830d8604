#include "boxes/dense/dense_prepared.hpp"

#include <algorithm>
#include <numeric>

#include "boxes/dense/gather.hpp"
#include "boxes/dense/weights.hpp"
#include "boxes/metric.hpp"
#include "boxes/saved_order.hpp"
#include "boxes/saved_rows.hpp"
#include "boxes/subset_rows.hpp"
#include "util/checked.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace bmo {
namespace {

// Rounds seldom read further than a quarter of the coordinates, and then for few arms: those are read from the source.
std::int64_t blocks_to_copy(std::int64_t d) {
    constexpr std::int64_t kLeast = 512;
    return std::max(std::min(d, kLeast), d / 4) / kBatch;
}

template <class T>
void fill_blocks(const DenseView &points, const DensePrepared &prepared, std::int64_t first, std::int64_t count,
                 void *storage) {
    std::vector<std::int32_t> arms(static_cast<std::size_t>(count));
    std::iota(arms.begin(), arms.end(), static_cast<std::int32_t>(first));
    auto *values = static_cast<T *>(storage);
    for (std::int64_t b = 0; b < prepared.blocks; ++b)
        gather_rows(points, prepared.order.data() + b * kBatch, kBatch, arms.data(), count,
                    values + (b * points.n + first) * kBatch);
}

} // namespace

std::shared_ptr<const Preparation> prepare_dense(const Dataset &source, const Settings &settings, int threads,
                                                 Watch &watch) {
    const Stopwatch stopwatch;
    auto prepared = std::make_shared<DensePrepared>();
    const DenseView &points = source.dense;
    prepared->box = BMO_BOX_DENSE;
    prepared->seed = settings.seed;
    prepared->weights = settings.weights;
    prepared->order = settings.weights ? weighted_order(Weights(*settings.weights), settings.seed)
                                       : random_order(points.d, settings.seed);
    prepared->blocks = blocks_to_copy(points.d);
    const std::int64_t rows = checked_mul(prepared->blocks, points.n, "source");
    const std::shared_ptr<void> storage = allocate_dense(points.dtype, rows, kBatch);
    prepared->storage = storage;
    prepared->storage_bytes = rows * kBatch * static_cast<std::int64_t>(dtype_size(points.dtype));

    constexpr std::int64_t kRows = 64; // of one item: their coordinates stay in cache from block to block
    watch.begin(BMO_PHASE_PREPARE, points.n);
    parallel_for(threads, (points.n + kRows - 1) / kRows, watch, [&](std::int64_t item, int) {
        watch.poll();
        const std::int64_t first = item * kRows, count = std::min(kRows, points.n - first);
        visit_stored(points.dtype,
                     [&]<class T>(const T *) { fill_blocks<T>(points, *prepared, first, count, storage.get()); });
        watch.advance(count);
    });
    if (is_angular(settings.metric))
        prepared->norms = norms_of(source.points(), threads, watch);
    prepared->bytes = prepared->own_bytes() + static_cast<std::uint64_t>(prepared->storage_bytes);
    watch.finish();
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

void subset_dense(const DensePrepared &whole, std::span<const std::int64_t> rows, std::int64_t n, bmo_dtype dtype,
                  DensePrepared &chosen, Watch &watch) {
    const std::size_t bytes = kBatch * dtype_size(dtype);
    chosen.copy_identity(whole);
    chosen.order = whole.order;
    chosen.blocks = whole.blocks;
    chosen.storage = chosen_blocks(whole.storage.get(), whole.blocks, n, bytes, rows, watch);
    chosen.storage_bytes = whole.blocks * static_cast<std::int64_t>(rows.size() * bytes);
    chosen.norms = chosen_norms(whole.norms, rows, watch);
    chosen.bytes = chosen.own_bytes() + static_cast<std::uint64_t>(chosen.storage_bytes);
}

std::vector<SectionSource> DensePrepared::sections() const {
    std::vector<SectionSource> all = {order_section(order),
                                      {SectionKind::blocks, storage.get(), storage_bytes, nullptr}};
    if (norms)
        all.push_back(norms_section(*norms));
    return all;
}

namespace {

void compare_blocks(const Sections &sections, const DenseView &points, const DensePrepared &prepared, Watch &watch) {
    const std::int64_t stored = prepared.blocks * kBatch;
    for (const std::int64_t row : rows_to_compare(points.n, stored)) {
        watch.poll();
        visit_stored(points.dtype, [&]<class T>(const T *) {
            const T *values = points.point<T>(row), *blocks = static_cast<const T *>(prepared.storage.get());
            for (std::int64_t t = 0; t < stored; ++t)
                if (blocks[(t / kBatch * points.n + row) * kBatch + t % kBatch] !=
                    values[prepared.order[static_cast<std::size_t>(t)] * points.coord_stride])
                    fail_foreign(sections, "values in blocks", row);
        });
    }
}

} // namespace

std::shared_ptr<const Preparation> restore_dense(const Dataset &source, const Settings &settings,
                                                 const Sections &sections, Watch &watch) {
    const DenseView &points = source.dense;
    auto prepared = std::make_shared<DensePrepared>();
    prepared->box = BMO_BOX_DENSE;
    prepared->seed = settings.seed;
    prepared->weights = settings.weights;
    prepared->order = restore_order(sections, points.d, settings.weights.get());
    prepared->storage = sections.memory(SectionKind::blocks);
    prepared->storage_bytes = sections.bytes(SectionKind::blocks);
    prepared->blocks = restored_blocks(sections, points.n, dtype_size(points.dtype), points.d);
    compare_blocks(sections, points, *prepared, watch);
    if (sections.has(SectionKind::norms)) {
        prepared->norms = restore_norms(sections, points.n);
        compare_norms(sections, source.points(), *prepared->norms, watch);
    }
    prepared->bytes =
        prepared->own_bytes() + (sections.mapped() ? 0 : static_cast<std::uint64_t>(prepared->storage_bytes));
    return prepared;
}

} // namespace bmo
