#include "boxes/rotated/rotated_prepared.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "boxes/metric.hpp"
#include "boxes/saved_order.hpp"
#include "boxes/saved_rows.hpp"
#include "boxes/subset_rows.hpp"
#include "util/checked.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace bmo {
namespace {

// Rounds read no further: what is left then is cheaper to finish.
constexpr std::int64_t kStoredShare = 4;
constexpr std::int64_t kStoredAtLeast = 512;

std::int64_t blocks_to_turn(std::int64_t padded) {
    return std::max(std::min(padded, kStoredAtLeast), padded / kStoredShare) / kBatch;
}

// One thread's memory.
struct Buffers {
    std::vector<double> point, turned;
    ScaledVector vector;

    void fit(const Rotation &rotation, std::int64_t d) {
        point.resize(static_cast<std::size_t>(d));
        turned.resize(static_cast<std::size_t>(rotation.padded()));
    }
};

// A point divided by its norm, which is kept. The zero vector stays as it is.
void load_unit(const DenseView &points, std::int64_t row, Buffers &buffers, Norm &norm) {
    buffers.vector.load(points, row);
    norm = buffers.vector.norm;
    const double root = norm.is_zero() ? 1 : norm.root();
    std::transform(buffers.vector.values.begin(), buffers.vector.values.end(), buffers.point.begin(),
                   [root](double value) { return value / root; });
}

// A point, or if norms are kept its direction, is turned. Returns the norm of what comes out.
double turn_row(const DenseView &points, std::int64_t row, Buffers &buffers, const Rotation &rotation, Norm *norm,
                Watch &watch) {
    if (norm)
        load_unit(points, row, buffers, *norm);
    else
        load_point(points, row, buffers.point.data());
    const double length = rotation.center(buffers.point.data(), 1, buffers.turned.data());
    rotation.turn(buffers.turned.data(), watch);
    return length;
}

void store_row(const DenseView &points, std::int64_t row, Buffers &buffers, const RotatedPrepared &prepared,
               Norms *norms, float *storage, Watch &watch) {
    turn_row(points, row, buffers, prepared.rotation, norms ? &(*norms)[static_cast<std::size_t>(row)] : nullptr,
             watch);
    for (std::int64_t b = 0; b < prepared.blocks; ++b) {
        float *line = storage + (b * points.n + row) * kBatch;
        const std::int32_t *order = prepared.order.data() + b * kBatch;
        for (int j = 0; j < kBatch; ++j)
            line[j] = static_cast<float>(buffers.turned[static_cast<std::size_t>(order[j])]);
    }
}

std::uint64_t bytes_of(const RotatedPrepared &prepared) {
    return static_cast<std::uint64_t>(prepared.storage_bytes) + prepared.order.size() * sizeof(Order::value_type) +
           prepared.rotation.bytes() + (prepared.norms ? prepared.norms->size() * sizeof(Norm) : 0);
}

} // namespace

void RotatedPrepared::copy_row(std::int64_t row, std::int64_t n, float *out) const {
    for (std::int64_t b = 0; b < blocks; ++b)
        std::copy_n(block(b, n) + row * kBatch, kBatch, out + b * kBatch);
}

std::shared_ptr<const Preparation> prepare_rotated(const Dataset &source, const Settings &settings, int threads,
                                                   Watch &watch) {
    const Stopwatch stopwatch;
    const DenseView &points = source.dense;
    const bool angular = is_angular(settings.metric);
    auto prepared = std::make_shared<RotatedPrepared>(angular ? Rotation(points.d, settings.seed)
                                                              : Rotation(source, settings.seed));
    const auto norms = angular ? std::make_shared<Norms>(static_cast<std::size_t>(points.n)) : nullptr;
    prepared->norms = norms;
    prepared->box = BMO_BOX_ROTATED;
    prepared->metric = angular ? BMO_METRIC_COSINE : BMO_METRIC_L2;
    prepared->seed = settings.seed;
    prepared->order = random_order(prepared->rotation.padded(), settings.seed);
    prepared->blocks = blocks_to_turn(prepared->rotation.padded());
    const std::int64_t rows = checked_mul(prepared->blocks, points.n, "source");
    const std::shared_ptr<void> storage = allocate_dense(BMO_F32, rows, kBatch);
    prepared->storage = storage;
    prepared->storage_bytes = rows * kBatch * static_cast<std::int64_t>(sizeof(float));
    prepared->bytes = bytes_of(*prepared);

    constexpr std::int64_t kRows = 16; // of one item
    std::vector<Buffers> buffers(static_cast<std::size_t>(threads));
    watch.begin(BMO_PHASE_PREPARE, points.n);
    parallel_for(threads, (points.n + kRows - 1) / kRows, watch, [&](std::int64_t item, int thread) {
        Buffers &mine = buffers[static_cast<std::size_t>(thread)];
        mine.fit(prepared->rotation, points.d);
        for (std::int64_t row = item * kRows; row < std::min((item + 1) * kRows, points.n); ++row) {
            watch.poll();
            store_row(points, row, mine, *prepared, norms.get(), static_cast<float *>(storage.get()), watch);
            watch.advance(1);
        }
    });
    watch.finish();
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

std::shared_ptr<const Preparation> subset_rotated(const Dataset &whole, std::span<const std::int64_t> rows,
                                                  const Dataset &chosen, Watch &watch) {
    const Stopwatch stopwatch;
    const auto &all = dynamic_cast<const RotatedPrepared &>(*whole.prepared);
    if (!all.norms && normalizing_scale(chosen.max_abs) != normalizing_scale(whole.max_abs))
        return nullptr;
    auto prepared = std::make_shared<RotatedPrepared>(all.rotation);
    prepared->copy_identity(all);
    prepared->order = all.order;
    prepared->blocks = all.blocks;
    constexpr std::size_t kBytes = kBatch * sizeof(float);
    prepared->storage = chosen_blocks(all.storage.get(), all.blocks, whole.n(), kBytes, rows, watch);
    prepared->storage_bytes = all.blocks * static_cast<std::int64_t>(rows.size() * kBytes);
    prepared->norms = chosen_norms(all.norms, rows, watch);
    prepared->bytes = bytes_of(*prepared);
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

std::vector<SectionSource> RotatedPrepared::sections() const {
    std::vector<SectionSource> all = rotation.sections();
    all.push_back(order_section(order));
    all.push_back({SectionKind::blocks, storage.get(), storage_bytes, nullptr});
    if (norms)
        all.push_back(norms_section(*norms));
    return all;
}

namespace {

// Transforms on other processors may round otherwise, by far less than a float does.
void compare_blocks(const Sections &sections, const DenseView &points, const RotatedPrepared &prepared, Watch &watch) {
    Buffers buffers;
    buffers.fit(prepared.rotation, points.d);
    Norm norm;
    const auto operations = static_cast<std::int64_t>(prepared.rotation.turn_ops());
    for (const std::int64_t row : rows_to_compare(points.n, operations)) {
        watch.poll();
        const double length =
            turn_row(points, row, buffers, prepared.rotation, prepared.norms ? &norm : nullptr, watch);
        for (std::int64_t t = 0; t < prepared.blocks * kBatch; ++t) {
            const auto coordinate = static_cast<std::size_t>(prepared.order[static_cast<std::size_t>(t)]);
            const double value = buffers.turned[coordinate];
            const auto stored = static_cast<double>(prepared.block(t / kBatch, points.n)[row * kBatch + t % kBatch]);
            if (!(std::abs(stored - value) <= 0x1p-23 * std::abs(value) + 0x1p-44 * length + 0x1p-149))
                fail_foreign(sections, "rotated values in blocks", row);
        }
    }
}

} // namespace

std::shared_ptr<const Preparation> restore_rotated(const Dataset &source, const Settings &settings,
                                                   const Sections &sections, Watch &watch) {
    const std::int64_t n = source.n();
    const bool angular = is_angular(settings.metric);
    auto prepared = std::make_shared<RotatedPrepared>(Rotation(source.d(), angular ? 1 : source.max_abs, sections));
    prepared->box = BMO_BOX_ROTATED;
    prepared->metric = angular ? BMO_METRIC_COSINE : BMO_METRIC_L2;
    prepared->seed = settings.seed;
    const std::int64_t padded = prepared->rotation.padded();
    prepared->order = restore_order(sections, padded, nullptr);
    prepared->blocks = restored_blocks(sections, n, sizeof(float), padded);
    prepared->storage = sections.memory(SectionKind::blocks);
    prepared->storage_bytes = sections.bytes(SectionKind::blocks);
    prepared->bytes = prepared->order.size() * sizeof(Order::value_type) + prepared->rotation.bytes();
    if (!sections.mapped())
        prepared->bytes += static_cast<std::uint64_t>(prepared->storage_bytes);
    if (angular) {
        prepared->norms = restore_norms(sections, n);
        compare_norms(sections, source.points(), *prepared->norms, watch);
        prepared->bytes += prepared->norms->size() * sizeof(Norm);
    }
    check_values(row_major(BMO_F32, prepared->storage.get(), prepared->blocks * n, kBatch), "path", watch);
    compare_blocks(sections, source.dense, *prepared, watch);
    return prepared;
}

} // namespace bmo
