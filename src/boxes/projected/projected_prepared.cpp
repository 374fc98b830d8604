#include "boxes/projected/projected_prepared.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "boxes/metric.hpp"
#include "boxes/saved_order.hpp"
#include "boxes/saved_rows.hpp"
#include "boxes/subset_rows.hpp"
#include "boxes/tiles/tile_rows.hpp"
#include "simd/half.hpp"
#include "util/checked.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

static_assert(kHead - kLead == kRowOf<Half>);

// Rounds read no further: what is left then is cheaper to finish. In pairs, as long as there are coordinates.
std::int64_t leading_blocks(std::int64_t d) {
    constexpr std::int64_t kLeast = 512;
    const std::int64_t blocks = std::max(std::min(d, kLeast), d / 5) / kBatch;
    return std::min(blocks + blocks % 2, d / kBatch);
}

} // namespace

void ProjectedPrepared::residual_values(std::int64_t first, std::int64_t blocks_of, const double *point,
                                        const float *expanded, double shrink, float *out) const {
    const double scale = projection.scale() * shrink, *middle = projection.ordered_middle() + first * kBatch;
    const auto *coord = order.data() + first * kBatch;
    for (std::int64_t i = 0; i < blocks_of * kBatch; ++i)
        out[i] = static_cast<float>((point[coord[i]] - middle[i]) * scale - static_cast<double>(expanded[i]));
}

// The share of the head that the directions up to a stage truly have is within head_error |y| of what is stored.
void residual_norms(const float *head, double square, double head_error, float *low, float *high) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const double most = square * (1 + 0x1p-20), least = square * (1 - 0x1p-20), error = head_error * std::sqrt(most);
    double held = 0;
    for (std::int64_t stage = 0, j = 0; stage < kStages; ++stage) {
        for (; j < (stage == 0 ? kLead : kHead); ++j)
            held += static_cast<double>(head[j]) * static_cast<double>(head[j]);
        const double root = std::sqrt(held);
        const double above = root + error, below = std::max(0.0, root - error);
        low[stage] = std::nextafter(static_cast<float>(std::sqrt(std::max(0.0, least - above * above))), 0.0F);
        high[stage] = std::nextafter(static_cast<float>(std::sqrt(std::max(0.0, most - below * below))), kInfinity);
    }
}

namespace {

// One thread's part of the preparation: some rows at a time.
class RowPreparer {
public:
    RowPreparer(const ProjectedPoints &points, ProjectedPrepared &prepared, Half *residual)
        : points_(points), prepared_(prepared), residual_(residual) {}

    void prepare(std::int64_t first, std::int64_t count) {
        heads_.resize(static_cast<std::size_t>(count * kHead));
        point_.resize(static_cast<std::size_t>(points_.d()));
        squares_.resize(static_cast<std::size_t>(count));
        const Projection &projection = prepared_.projection;
        const ProjectedPoints::Rows rows = points_.rows(first, count, buffer_);
        projection.project(rows.view, rows.first, count, 1, heads_.data(), squares_.data(), work_);
        for (std::int64_t i = 0; i < count; ++i) {
            const float *head = heads_.data() + i * kHead;
            store_head(first + i, head, squares_[static_cast<std::size_t>(i)]);
            load_point(rows.view, rows.first + i, point_.data());
            store_residual(first + i, head);
        }
    }

private:
    void store_head(std::int64_t row, const float *head, double square) {
        float low[kStages], high[kStages];
        residual_norms(head, square, prepared_.projection.head_error(), low, high);
        for (std::int64_t stage = 0; stage < kStages; ++stage) {
            prepared_.low[static_cast<std::size_t>(stage * points_.n() + row)] = low[stage];
            prepared_.high[static_cast<std::size_t>(stage * points_.n() + row)] = high[stage];
        }
        std::copy_n(head, kHead, prepared_.heads.data() + row * kHead);
    }

    void store_residual(std::int64_t row, const float *head) {
        expanded_.resize(static_cast<std::size_t>(prepared_.blocks * kBatch));
        prepared_.projection.expand(head, 0, prepared_.blocks, expanded_.data());
        residual_of_row_.resize(expanded_.size());
        prepared_.residual_values(0, prepared_.blocks, point_.data(), expanded_.data(), 1, residual_of_row_.data());
        for (std::int64_t b = 0; b < prepared_.blocks; ++b)
            std::transform(residual_of_row_.data() + b * kBatch, residual_of_row_.data() + (b + 1) * kBatch,
                           residual_ + ProjectedPrepared::place(b, row, points_.n()), to_half);
    }

    const ProjectedPoints &points_;
    ProjectedPrepared &prepared_;
    Half *residual_;
    ProjectedPoints::Buffer buffer_;
    Projection::Workspace work_;
    std::vector<float> heads_, expanded_, residual_of_row_;
    std::vector<double> squares_, point_;
};

// Rows of one item: fewer of very many coordinates, so that the watch is polled in time.
std::int64_t rows_together(std::int64_t d) {
    constexpr std::int64_t kMost = 40, kProducts = std::int64_t{1} << 25;
    return std::clamp<std::int64_t>(kProducts / (kHead * d), 1, kMost);
}

// The largest |scale (x - middle)|^2 of the points, within 2^-20.
double largest_square(const ProjectedPoints &points, const double *middle, double scale, int threads, Watch &watch) {
    struct Work {
        AlignedVector<float> values;
        AlignedVector<std::byte> copy;
        ProjectedPoints::Buffer buffer;
        double largest = 0;
    };
    std::vector<Work> works(static_cast<std::size_t>(threads));
    const std::int64_t together = rows_together(points.d());
    parallel_for(threads, (points.n() + together - 1) / together, watch, [&](std::int64_t item, int thread) {
        watch.poll();
        Work &work = works[static_cast<std::size_t>(thread)];
        work.values.resize(static_cast<std::size_t>(points.d()));
        const std::int64_t first = item * together, count = std::min(together, points.n() - first);
        const ProjectedPoints::Rows rows = points.rows(first, count, work.buffer);
        visit_stored(rows.view.dtype, [&]<class T>(const T *) {
            const CenterKernel center = kernels().center[static_cast<std::size_t>(value_type_of(rows.view.dtype))][0];
            visit_rows<T>(rows.view, rows.first, count, 0, points.d(), work.copy, [&](std::int64_t, const T *row) {
                work.largest = std::max(work.largest, center(row, middle, scale, points.d(), work.values.data()));
            });
        });
    });
    double largest = 0;
    for (const Work &work : works)
        largest = std::max(largest, work.largest);
    return largest;
}

// A scale, itself a double, at which no |y| is above kLargestHalf, and points are not above kLargestScaled.
double scale_for_halves(const ProjectedPoints &points, double max_abs, const double *middle, int threads,
                        Watch &watch) {
    constexpr int kMostOfScale = 1020; // an exponent
    const int most = std::ilogb(kLargestScaled) - 1;
    const double scale = projection_scale(max_abs);
    const double square = largest_square(points, middle, scale, threads, watch) * (1 + 0x1p-19);
    if (square == 0)
        return scale;
    const int up = std::ilogb(kLargestHalf) - (std::ilogb(std::sqrt(square)) + 1);
    return std::ldexp(scale, std::min({up, most - std::ilogb(max_abs * scale), kMostOfScale - std::ilogb(scale)}));
}

} // namespace

std::shared_ptr<const Preparation> prepare_projected(const Dataset &source, const Settings &settings, int threads,
                                                     Watch &watch) {
    const Stopwatch stopwatch;
    watch.begin(BMO_PHASE_PREPARE, source.n());
    const std::int64_t metric = projected_metric(settings.metric);
    const auto norms = is_angular(metric) ? norms_of(source.points(), threads, watch) : nullptr;
    const ProjectedPoints points(source.dense, metric, norms.get());
    const double max_abs = points.max_abs(source.max_abs);
    ScaledVector loading;
    const PointSource sampled{points.n(), points.d(),
                              [&](std::int64_t row, double *out) { points.load(row, out, loading); }};
    Directions directions = leading_directions(sampled, kHead, projection_scale(max_abs), settings.seed, watch);
    const double scale = scale_for_halves(points, max_abs, directions.middle.data(), threads, watch);
    auto prepared = std::make_shared<ProjectedPrepared>(Projection(std::move(directions), scale));
    prepared->box = BMO_BOX_PROJECTED;
    prepared->metric = metric;
    prepared->norms = norms;
    prepared->seed = settings.seed;
    prepared->order = random_order(points.d(), settings.seed);
    prepared->blocks = leading_blocks(points.d());
    prepared->projection.set_order(prepared->order, prepared->blocks);
    const std::int64_t stages = checked_mul(points.n(), kStages, "source");
    prepared->heads.resize(static_cast<std::size_t>(checked_mul(points.n(), kHead, "source")));
    prepared->low.resize(static_cast<std::size_t>(stages));
    prepared->high.resize(static_cast<std::size_t>(stages));
    const auto residual = std::make_shared<AlignedVector<Half>>(static_cast<std::size_t>(
        checked_mul(ProjectedPrepared::pairs_of(prepared->blocks) * kRowOf<Half>, points.n(), "source")));
    if (prepared->blocks % 2 != 0) // then the last line is half of nothing
        std::fill(residual->end() - points.n() * kRowOf<Half>, residual->end(), Half{0});
    prepared->residual = Memory(residual, residual->data());
    prepared->residual_bytes = static_cast<std::int64_t>(residual->size() * sizeof(Half));

    std::vector<RowPreparer> preparers(static_cast<std::size_t>(threads),
                                       RowPreparer(points, *prepared, residual->data()));
    const std::int64_t together = rows_together(points.d());
    parallel_for(threads, (points.n() + together - 1) / together, watch, [&](std::int64_t item, int thread) {
        watch.poll();
        const std::int64_t first = item * together, count = std::min(together, points.n() - first);
        preparers[static_cast<std::size_t>(thread)].prepare(first, count);
        watch.advance(count);
    });
    prepared->spread_heads(points.n(), watch);
    prepared->groups = group_heads(prepared->all_heads(points.n()), settings.seed, threads, watch);
    prepared->bytes = prepared->own_bytes() + static_cast<std::uint64_t>(prepared->residual_bytes);
    watch.finish();
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

std::shared_ptr<const Preparation> subset_projected(const Dataset &whole, std::span<const std::int64_t> rows,
                                                    const Dataset &, Watch &watch) {
    const Stopwatch stopwatch;
    const auto &all = dynamic_cast<const ProjectedPrepared &>(*whole.prepared);
    if (all.metric == BMO_METRIC_INNER_PRODUCT)
        return nullptr;
    const auto n = static_cast<std::int64_t>(rows.size());
    auto prepared = std::make_shared<ProjectedPrepared>(all.projection);
    prepared->copy_identity(all);
    prepared->order = all.order;
    prepared->blocks = all.blocks;
    add_chosen(all.heads, 0, kHead, rows, prepared->heads, watch);
    for (std::int64_t stage = 0; stage < kStages; ++stage) {
        add_chosen(all.low, stage * whole.n(), 1, rows, prepared->low, watch);
        add_chosen(all.high, stage * whole.n(), 1, rows, prepared->high, watch);
    }
    constexpr std::size_t kBytes = kRowOf<Half> * sizeof(Half);
    const std::int64_t pairs = ProjectedPrepared::pairs_of(all.blocks);
    prepared->residual = chosen_blocks(all.residual.get(), pairs, whole.n(), kBytes, rows, watch);
    prepared->residual_bytes = pairs * n * static_cast<std::int64_t>(kBytes);
    prepared->norms = chosen_norms(all.norms, rows, watch);
    prepared->spread_heads(n, watch);
    prepared->groups = all.groups.subset(rows, prepared->all_heads(n), watch);
    prepared->bytes = prepared->own_bytes() + static_cast<std::uint64_t>(prepared->residual_bytes);
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

void ProjectedPrepared::spread_heads(std::int64_t n, Watch &watch) {
    const std::int64_t padded = (n + kBatch - 1) / kBatch * kBatch;
    leads.resize(static_cast<std::size_t>(padded * kBatch));
    base.resize(static_cast<std::size_t>(padded));
    rest.resize(static_cast<std::size_t>(n * kRowOf<Half>));
    std::fill(leads.begin(), leads.end(), 0.0F); // also what is behind the last point
    std::fill(base.begin(), base.end(), 0.0F);
    for (std::int64_t row = 0; row < n; ++row) {
        if (row % 1024 == 0)
            watch.poll();
        const float *coefficients = head(row);
        float *lead = leads.data() + row / kBatch * kBatch * kBatch + row % kBatch;
        const auto norm = static_cast<double>(high[static_cast<std::size_t>(row)]);
        double held = norm * norm;
        for (std::int64_t j = 0; j < kLead; ++j) {
            lead[j * kBatch] = coefficients[j];
            held += static_cast<double>(coefficients[j]) * static_cast<double>(coefficients[j]);
        }
        base[static_cast<std::size_t>(row)] = static_cast<float>(held);
        std::transform(coefficients + kLead, coefficients + kHead, rest.data() + row * kRowOf<Half>, to_half);
    }
}

std::uint64_t ProjectedPrepared::own_bytes() const {
    return (heads.size() + low.size() + high.size() + leads.size() + base.size()) * sizeof(float) + groups.bytes() +
           rest.size() * sizeof(Half) + order.size() * sizeof(Order::value_type) + projection.bytes() +
           (norms ? norms->size() * sizeof(Norm) : 0);
}

std::shared_ptr<const ProjectedPrepared> projected_for_l2(const Dataset &data) {
    auto prepared = std::dynamic_pointer_cast<const ProjectedPrepared>(data.prepared);
    return prepared && prepared->metric == BMO_METRIC_L2 ? prepared : nullptr;
}

std::vector<SectionSource> ProjectedPrepared::sections() const {
    std::vector<SectionSource> all = projection.sections();
    all.push_back(order_section(order));
    all.push_back({SectionKind::heads, heads.data(), static_cast<std::int64_t>(heads.size() * sizeof(float)), nullptr});
    std::vector<float> remainders(low.begin(), low.end());
    remainders.insert(remainders.end(), high.begin(), high.end());
    all.push_back(SectionSource::of(SectionKind::remainders, std::move(remainders)));
    all.push_back({SectionKind::blocks, residual.get(), residual_bytes, nullptr});
    if (groups.count() > 0)
        all.push_back(groups.section());
    if (norms)
        all.push_back(norms_section(*norms));
    return all;
}

} // namespace bmo
