#include "boxes/projected/projected_prepared.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "boxes/metric.hpp"
#include "boxes/saved_order.hpp"
#include "boxes/saved_rows.hpp"
#include "boxes/tiles/tile_rows.hpp"
#include "simd/half.hpp"
#include "util/checked.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"
#include "util/xoshiro.hpp"

namespace bmo {
namespace {

constexpr double kUnit = 0x1p-24;
static_assert(kHead - kLead == kRowOf<Half>);

double product_error(std::int64_t terms) {
    return (static_cast<double>(terms) / kBatch + 6) * kUnit;
}

// Rounds read no further: what is left then is cheaper to finish. In pairs, as long as there are coordinates.
std::int64_t leading_blocks(std::int64_t d) {
    constexpr std::int64_t kLeast = 512;
    const std::int64_t blocks = std::max(std::min(d, kLeast), d / 5) / kBatch;
    return std::min(blocks + blocks % 2, d / kBatch);
}

std::int64_t pairs_of(std::int64_t blocks) {
    return (blocks + 1) / 2;
}

// With V the directions, one below the other, |(V V' - 1) z| is at most skew |z| for every z that is 0 where a direction is:
// tried with random signs for z, of which the left side's mean square is that of the largest skew there can be.
void check_skew(const Directions &directions, const Sections &sections) {
    constexpr int kTrials = 2;
    Xoshiro256pp random(0);
    const std::int64_t d = directions.d;
    std::vector<double> sum(static_cast<std::size_t>(d));
    for (int trial = 0; trial < kTrials; ++trial) {
        double signs[kHead], squares = 0, apart = 0;
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::int64_t h = 0; h < kHead; ++h) {
            const float *direction = directions.values.data() + h * d;
            const bool is_none = std::all_of(direction, direction + d, [](float value) { return value == 0; });
            signs[h] = is_none ? 0 : random.next() >> 63 == 0 ? -1 : 1;
            squares += signs[h] * signs[h];
            for (std::int64_t j = 0; j < d && !is_none; ++j)
                sum[static_cast<std::size_t>(j)] += signs[h] * static_cast<double>(direction[j]);
        }
        for (std::int64_t h = 0; h < kHead; ++h) {
            const float *direction = directions.values.data() + h * d;
            double product = 0;
            for (std::int64_t j = 0; j < d; ++j)
                product += static_cast<double>(direction[j]) * sum[static_cast<std::size_t>(j)];
            apart += (product - signs[h]) * (product - signs[h]);
        }
        const double most = directions.skew * (1 + 0x1p-10) + static_cast<double>(d + 64) * 0x1p-50;
        if (!(std::sqrt(apart) <= most * std::sqrt(squares)))
            sections.fail_format("the directions are not as orthonormal as it says; the file is damaged or made up");
    }
}

// scale and skew stand behind the middle.
Directions saved_directions(std::int64_t d, const Sections &sections) {
    Directions from;
    from.count = kHead;
    from.d = d;
    const auto *values = sections.values<float>(SectionKind::directions, kHead * d);
    const auto *middle = sections.values<double>(SectionKind::middle, d + 2);
    from.values.assign(values, values + kHead * d);
    from.middle.assign(middle, middle + d);
    from.skew = middle[d + 1];
    const auto is_finite = [](auto value) { return std::isfinite(value); };
    if (!std::all_of(from.values.begin(), from.values.end(), is_finite) ||
        !std::all_of(middle, middle + d + 2, is_finite) || middle[d] <= 0 || from.skew < 0)
        sections.fail_format("the directions are none of these points; the file is damaged");
    check_skew(from, sections);
    return from;
}

} // namespace

Projection::Projection(Directions directions, double scale)
    : directions_(std::move(directions)), scale_(scale), row_(kChunk + kTileStep) {
    const double root = std::sqrt(static_cast<double>(kHead));
    head_error_ = root * product_error(kChunk) + 3 * kUnit + 2 * directions_.skew;
    error_ = 2 * head_error_ + 2 * directions_.skew + root * (static_cast<double>(kHead) / 4 + 6) * kUnit + kUnit;
    const std::int64_t d = directions_.d, chunks = (d + kChunk - 1) / kChunk;
    chunks_.resize(static_cast<std::size_t>(chunks * kHead * row_));
    std::fill(chunks_.begin(), chunks_.end(), 0.0F);
    for (std::int64_t h = 0; h < kHead; ++h)
        for (std::int64_t j = 0; j < d; ++j)
            chunks_[static_cast<std::size_t>((j / kChunk * kHead + h) * row_ + j % kChunk)] =
                directions_.values[static_cast<std::size_t>(h * d + j)];
}

Projection::Projection(std::int64_t d, const Sections &sections)
    : Projection(saved_directions(d, sections), sections.values<double>(SectionKind::middle, d + 2)[d]) {}

std::vector<SectionSource> Projection::sections() const {
    std::vector<double> middle(directions_.middle.begin(), directions_.middle.end());
    middle.insert(middle.end(), {scale_, directions_.skew});
    return {{SectionKind::directions, directions_.values.data(),
             static_cast<std::int64_t>(directions_.values.size() * sizeof(float)), nullptr},
            SectionSource::of(SectionKind::middle, std::move(middle))};
}

std::uint64_t Projection::bytes() const {
    return (chunks_.size() + ordered_.size() + directions_.values.size()) * sizeof(float) +
           (directions_.middle.size() + ordered_middle_.size()) * sizeof(double);
}

void Projection::project(const DenseView &points, std::int64_t first, std::int64_t count, double shrink, float *heads,
                         double *squares, Workspace &work) const {
    work.rows.resize(std::max(work.rows.size(), static_cast<std::size_t>(count * row_)));
    work.sums.assign(static_cast<std::size_t>(count * kHead), 0);
    std::fill_n(squares, count, 0.0);
    for (std::int64_t from = 0; from < points.d; from += kChunk) {
        const std::int64_t values = std::min(kChunk, points.d - from);
        const std::int64_t width = (values + kTileStep - 1) / kTileStep * kTileStep;
        visit_dtype(points.dtype, [&]<class T>(const T *) {
            const CenterKernel center = kernels().center[static_cast<std::size_t>(value_type_of(points.dtype))][0];
            visit_rows<T>(points, first, count, from, values, work.copy, [&](std::int64_t i, const T *row) {
                float *to = work.rows.data() + i * row_;
                squares[i] += center(row, directions_.middle.data() + from, scale_ * shrink, values, to);
                std::fill(to + values, to + width, 0.0F);
            });
        });
        const Tile tile{count, kHead, row_, width, kHead};
        kernels().tile_products(work.rows.data(), chunks_.data() + from / kChunk * kHead * row_, tile,
                                work.sums.data());
    }
    std::transform(work.sums.begin(), work.sums.end(), heads, [](double sum) { return static_cast<float>(sum); });
}

void Projection::set_order(const Order &order, std::int64_t blocks) {
    ordered_.resize(static_cast<std::size_t>(blocks * kHead * kBatch));
    ordered_middle_.resize(static_cast<std::size_t>(blocks * kBatch));
    for (std::int64_t t = 0; t < blocks * kBatch; ++t) {
        ordered_middle_[static_cast<std::size_t>(t)] =
            directions_.middle[static_cast<std::size_t>(order[static_cast<std::size_t>(t)])];
        for (std::int64_t h = 0; h < kHead; ++h)
            ordered_[static_cast<std::size_t>((t / kBatch * kHead + h) * kBatch + t % kBatch)] =
                directions_.values[static_cast<std::size_t>(h * directions_.d + order[static_cast<std::size_t>(t)])];
    }
}

void Projection::expand(const float *head, std::int64_t first, std::int64_t blocks, float *out) const {
    kernels().expand(ordered_.data() + first * kHead * kBatch, blocks, head, kHead, out);
}

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

// What follows from the heads and norms of all points.
void spread_heads(std::int64_t n, ProjectedPrepared &prepared, Watch &watch) {
    const std::int64_t padded = (n + kBatch - 1) / kBatch * kBatch;
    prepared.leads.resize(static_cast<std::size_t>(padded * kBatch));
    prepared.base.resize(static_cast<std::size_t>(padded));
    prepared.rest.resize(static_cast<std::size_t>(n * kRowOf<Half>));
    std::fill(prepared.leads.begin(), prepared.leads.end(), 0.0F); // also what is behind the last point
    std::fill(prepared.base.begin(), prepared.base.end(), 0.0F);
    for (std::int64_t row = 0; row < n; ++row) {
        if (row % 1024 == 0)
            watch.poll();
        const float *head = prepared.head(row);
        float *lead = prepared.leads.data() + row / kBatch * kBatch * kBatch + row % kBatch;
        const auto high = static_cast<double>(prepared.high[static_cast<std::size_t>(row)]);
        double held = high * high;
        for (std::int64_t j = 0; j < kLead; ++j) {
            lead[j * kBatch] = head[j];
            held += static_cast<double>(head[j]) * static_cast<double>(head[j]);
        }
        prepared.base[static_cast<std::size_t>(row)] = static_cast<float>(held);
        std::transform(head + kLead, head + kHead, prepared.rest.data() + row * kRowOf<Half>, to_half);
    }
}

std::uint64_t bytes_of(const ProjectedPrepared &prepared) {
    return (prepared.heads.size() + prepared.low.size() + prepared.high.size() + prepared.leads.size() +
            prepared.base.size()) *
               sizeof(float) +
           prepared.groups.bytes() + prepared.rest.size() * sizeof(Half) +
           prepared.order.size() * sizeof(Order::value_type) + prepared.projection.bytes() +
           (prepared.norms ? prepared.norms->size() * sizeof(Norm) : 0);
}

// What it is prepared for: l2 stands for its square too.
std::int64_t projected_metric(std::int64_t metric) {
    return is_angular(metric) ? metric : std::int64_t{BMO_METRIC_L2};
}

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
        visit_dtype(rows.view.dtype, [&]<class T>(const T *) {
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
    const auto residual = std::make_shared<AlignedVector<Half>>(
        static_cast<std::size_t>(checked_mul(pairs_of(prepared->blocks) * kRowOf<Half>, points.n(), "source")));
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
    spread_heads(points.n(), *prepared, watch);
    prepared->groups = group_heads(prepared->all_heads(points.n()), settings.seed, threads, watch);
    prepared->bytes = bytes_of(*prepared) + static_cast<std::uint64_t>(prepared->residual_bytes);
    watch.finish();
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
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

namespace {

void take_floats(const Sections &sections, SectionKind kind, std::int64_t count, AlignedVector<float> &to) {
    const float *from = count > 0 ? sections.values<float>(kind, count) : nullptr;
    to.assign(from, from + count);
    if (!std::all_of(to.begin(), to.end(), [](float value) { return std::isfinite(value); }))
        sections.fail_format("a head or a norm is no number; the file is damaged");
}

// As many as leading_blocks() had, or another version of it.
void take_residual(const Sections &sections, std::int64_t n, std::int64_t d, ProjectedPrepared &prepared) {
    prepared.residual = sections.memory(SectionKind::blocks);
    prepared.residual_bytes = sections.bytes(SectionKind::blocks);
    const std::int64_t pair = n * kRowOf<Half> * static_cast<std::int64_t>(sizeof(Half));
    const std::int64_t pairs = n > 0 ? prepared.residual_bytes / pair : 0;
    prepared.blocks = std::min(2 * pairs, d / kBatch);
    if (pairs * pair != prepared.residual_bytes || pairs > pairs_of(d / kBatch))
        sections.fail_format(text("section ", static_cast<std::uint32_t>(SectionKind::blocks), " has ",
                                  prepared.residual_bytes, " bytes; expected a multiple of ", pair,
                                  "; the file is damaged"));
    constexpr std::uint16_t kInfinity = 0x7c00;
    const auto *halves = static_cast<const Half *>(prepared.residual.get());
    const auto count = static_cast<std::ptrdiff_t>(prepared.residual_bytes / static_cast<std::int64_t>(sizeof(Half)));
    if (std::any_of(halves, halves + count, [](Half half) { return (half.bits & kInfinity) == kInfinity; }))
        sections.fail_format("a residual is no number; the file is damaged");
}

// Rows of a file, made again. What is kept of them may be off by rounding, for which the box allows: more is an error.
class RowComparer {
public:
    RowComparer(const Sections &sections, const ProjectedPoints &points, const ProjectedPrepared &prepared)
        : sections_(sections), points_(points), prepared_(prepared), point_(static_cast<std::size_t>(points.d())),
          expanded_(static_cast<std::size_t>(prepared.blocks * kBatch)), residual_(expanded_.size()) {}

    void compare(std::int64_t row) {
        const Projection &projection = prepared_.projection;
        const ProjectedPoints::Rows rows = points_.rows(row, 1, buffer_);
        float head[kHead];
        double square = 0;
        projection.project(rows.view, rows.first, 1, 1, head, &square, work_);
        compare_head(row, head, square);
        compare_remainders(row, square);
        load_point(rows.view, rows.first, point_.data());
        compare_residual(row, square);
    }

private:
    void compare_head(std::int64_t row, const float *head, double square) const {
        double apart = 0;
        for (std::int64_t h = 0; h < kHead; ++h) {
            const double step = static_cast<double>(head[h]) - static_cast<double>(prepared_.head(row)[h]);
            apart += step * step;
        }
        if (!(std::sqrt(apart) <= 2 * prepared_.projection.head_error() * std::sqrt(square) + kUnit))
            fail_foreign(sections_, "shares of the directions", row);
    }

    void compare_remainders(std::int64_t row, double square) const {
        const double slack = square * (4 * prepared_.projection.head_error() + 0x1p-18) + kUnit;
        double held = 0;
        for (std::int64_t stage = 0, j = 0; stage < kStages; ++stage) {
            for (; j < (stage == 0 ? kLead : kHead); ++j)
                held += static_cast<double>(prepared_.head(row)[j]) * static_cast<double>(prepared_.head(row)[j]);
            const auto at = static_cast<std::size_t>(stage * points_.n() + row);
            const auto low = static_cast<double>(prepared_.low[at]), high = static_cast<double>(prepared_.high[at]);
            if (!(low * low <= square - held + slack && high * high >= square - held - slack && low >= 0 && high >= 0))
                fail_foreign(sections_, "norms behind the directions", row);
        }
    }

    void compare_residual(std::int64_t row, double square) {
        prepared_.projection.expand(prepared_.head(row), 0, prepared_.blocks, expanded_.data());
        prepared_.residual_values(0, prepared_.blocks, point_.data(), expanded_.data(), 1, residual_.data());
        const double rounding = 0x1p-20 * std::sqrt(square) + 2 * kHalfTiny;
        for (std::int64_t t = 0; t < prepared_.blocks * kBatch; ++t) {
            const Half *line = prepared_.block(t / kBatch, points_.n()) + row * kRowOf<Half>;
            const auto stored = static_cast<double>(to_float(line[t % kBatch])),
                       value = static_cast<double>(residual_[static_cast<std::size_t>(t)]);
            if (!(std::abs(stored - value) <= 2 * kHalfError * std::abs(value) + rounding))
                fail_foreign(sections_, "residuals in blocks", row);
        }
    }

    const Sections &sections_;
    const ProjectedPoints &points_;
    const ProjectedPrepared &prepared_;
    ProjectedPoints::Buffer buffer_;
    Projection::Workspace work_;
    std::vector<double> point_;
    std::vector<float> expanded_, residual_;
};

void compare_rows(const Sections &sections, const ProjectedPoints &points, const ProjectedPrepared &prepared,
                  Watch &watch) {
    RowComparer comparer(sections, points, prepared);
    for (const std::int64_t row : rows_to_compare(points.n(), 2 * kHead * points.d())) {
        watch.poll();
        comparer.compare(row);
    }
}

} // namespace

std::shared_ptr<const Preparation> restore_projected(const Dataset &source, const Settings &settings,
                                                     const Sections &sections, Watch &watch) {
    const std::int64_t n = source.n(), metric = projected_metric(settings.metric);
    const std::int64_t d = ProjectedPoints::dimensions(source.d(), metric);
    auto prepared = std::make_shared<ProjectedPrepared>(Projection(d, sections));
    prepared->box = BMO_BOX_PROJECTED;
    prepared->metric = metric;
    if (is_angular(metric)) {
        prepared->norms = restore_norms(sections, n);
        compare_norms(sections, source.points(), *prepared->norms, watch);
    }
    prepared->seed = settings.seed;
    prepared->order = restore_order(sections, d, nullptr);
    const double max_abs = is_angular(metric) ? 1 : source.max_abs;
    if (max_abs * prepared->projection.scale() > kLargestScaled)
        sections.fail_format("the scale is none of these points; the file is damaged");
    take_residual(sections, n, d, *prepared);
    prepared->projection.set_order(prepared->order, prepared->blocks);
    take_floats(sections, SectionKind::heads, n * kHead, prepared->heads);
    AlignedVector<float> norms;
    take_floats(sections, SectionKind::remainders, 2 * kStages * n, norms);
    prepared->low.assign(norms.begin(), norms.begin() + kStages * n);
    prepared->high.assign(norms.begin() + kStages * n, norms.end());
    compare_rows(sections, ProjectedPoints(source.dense, metric, prepared->norms.get()), *prepared, watch);
    spread_heads(n, *prepared, watch);
    prepared->groups = restore_groups(sections, prepared->all_heads(n), watch);
    prepared->bytes = bytes_of(*prepared);
    if (!sections.mapped())
        prepared->bytes += static_cast<std::uint64_t>(prepared->residual_bytes);
    return prepared;
}

} // namespace bmo
