// A projected preparation from a file: what is stored is checked against the points.
#include <algorithm>
#include <cmath>

#include "boxes/projected/projected_prepared.hpp"
#include "boxes/saved_order.hpp"
#include "boxes/saved_rows.hpp"
#include "simd/half.hpp"

namespace bmo {
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
    if (pairs * pair != prepared.residual_bytes || pairs > ProjectedPrepared::pairs_of(d / kBatch))
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
    prepared->spread_heads(n, watch);
    prepared->groups = restore_groups(sections, prepared->all_heads(n), watch);
    prepared->bytes = prepared->own_bytes();
    if (!sections.mapped())
        prepared->bytes += static_cast<std::uint64_t>(prepared->residual_bytes);
    return prepared;
}

} // namespace bmo
