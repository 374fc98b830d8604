#include "boxes/rotated_prepared.hpp"

#include <algorithm>
#include <utility>

#include "boxes/metric.hpp"
#include "util/checked.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace bmo {
namespace {

// Rounds read no further: what is left then is cheaper to finish.
constexpr std::int64_t kStoredShare = 4;
constexpr std::int64_t kStoredAtLeast = 512;

std::int64_t leading_blocks(std::int64_t padded) {
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

void store_row(const DenseView &points, std::int64_t row, Buffers &buffers, RotatedPrepared &prepared, Norms *norms) {
    if (norms)
        load_unit(points, row, buffers, (*norms)[static_cast<std::size_t>(row)]);
    else
        load_point(points, row, buffers.point.data());
    prepared.rotation.centre(buffers.point.data(), 1, buffers.turned.data());
    prepared.rotation.turn(buffers.turned.data());
    for (std::int64_t b = 0; b < prepared.blocks; ++b) {
        float *line = prepared.storage.data() + (b * points.n + row) * kBatch;
        const std::int32_t *order = prepared.order.data() + b * kBatch;
        for (int j = 0; j < kBatch; ++j)
            line[j] = static_cast<float>(buffers.turned[static_cast<std::size_t>(order[j])]);
    }
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
    prepared->blocks = leading_blocks(prepared->rotation.padded());
    prepared->storage.resize(static_cast<std::size_t>(checked_mul(prepared->blocks * kBatch, points.n, "source")));
    prepared->bytes = prepared->storage.size() * sizeof(float) + prepared->order.size() * sizeof(Order::value_type) +
                      prepared->rotation.bytes() + (norms ? norms->size() * sizeof(Norm) : 0);

    constexpr std::int64_t kRows = 16; // of one item
    std::vector<Buffers> buffers(static_cast<std::size_t>(threads));
    watch.begin(BMO_PHASE_PREPARE, points.n);
    parallel_for(threads, (points.n + kRows - 1) / kRows, watch, [&](std::int64_t item, int thread) {
        Buffers &mine = buffers[static_cast<std::size_t>(thread)];
        mine.fit(prepared->rotation, points.d);
        for (std::int64_t row = item * kRows; row < std::min((item + 1) * kRows, points.n); ++row) {
            watch.poll();
            store_row(points, row, mine, *prepared, norms.get());
            watch.advance(1);
        }
    });
    watch.finish();
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

} // namespace bmo
