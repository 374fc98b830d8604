#include "boxes/tiles/scan_prepared.hpp"

#include "boxes/angles.hpp"
#include "boxes/tiles/narrow_panels.hpp"
#include "simd/kernels.hpp"
#include "util/stopwatch.hpp"

namespace bmo {
namespace {

// Points in the same frame.
std::int64_t frame_of(std::int64_t metric) {
    return is_angular(metric) ? metric : std::int64_t{BMO_METRIC_L2};
}

void add_codes(const Dataset &source, const Metric &metric, int threads, Watch &watch, ScanPrepared &prepared) {
    std::unique_ptr<const Angles> angles;
    if (is_angular(metric.id)) {
        if (!prepared.norms) {
            prepared.norms = norms_of(source.points(), threads, watch);
            prepared.bytes += prepared.norms->size() * sizeof(Norm);
        }
        angles = std::make_unique<const Angles>(prepared.norms, metric.id, 0);
    }
    prepared.coded_for = frame_of(metric.id);
    prepared.codes = code_all(source, metric, angles.get(), threads, watch);
    prepared.bytes +=
        prepared.codes->panels.size() * sizeof(std::uint32_t) + prepared.codes->points.size() * sizeof(Coded);
}

} // namespace

bool codes_apply(const Dataset &source, const Metric &metric) {
    return source.kind == Kind::dense && Frame::applies(source, metric, 0) && CodedPanels::applies(source.d()) &&
           (is_angular(metric.id) || source.dense.dtype != BMO_U8); // l2 of bytes is exact as it is
}

bool codes_pay(const Dataset &source) {
    constexpr std::int64_t kLeastPoints = 2048, kLeastCoordinates = 128;
    return kernels().bytes_are_fast && source.n() >= kLeastPoints && source.d() >= kLeastCoordinates;
}

std::shared_ptr<const Preparation> prepare_scan(const Dataset &source, const Settings &settings, int threads,
                                                Watch &watch) {
    const Stopwatch stopwatch;
    auto prepared = std::make_shared<ScanPrepared>();
    prepared->box = BMO_BOX_DENSE;
    prepared->seed = settings.seed;
    prepared->order = random_order(source.d(), settings.seed);
    prepared->bytes = prepared->order.size() * sizeof(Order::value_type);
    watch.begin(BMO_PHASE_PREPARE, source.n());
    add_codes(source, Metric::from(settings.metric, settings.p), threads, watch, *prepared);
    watch.finish();
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

std::vector<SectionSource> ScanPrepared::sections() const {
    std::vector<SectionSource> all = DensePrepared::sections();
    all.push_back(SectionSource::of(SectionKind::codes, std::vector<std::int64_t>{coded_for}));
    return all;
}

std::shared_ptr<const Preparation> restore_dense_or_scan(const Dataset &source, const Settings &settings,
                                                         const Sections &sections, Watch &watch) {
    auto dense = restore_dense(source, settings, sections, watch);
    if (!sections.has(SectionKind::codes))
        return dense;
    const Metric metric = Metric::from(*sections.values<std::int64_t>(SectionKind::codes, 1), 2);
    const auto &restored = dynamic_cast<const DensePrepared &>(*dense);
    if ((metric.id != BMO_METRIC_L2 && !is_angular(metric.id)) || !codes_apply(source, metric) || restored.blocks != 0)
        sections.fail_format("its points are not coded for a metric that has codes; the file is damaged");
    auto prepared = std::make_shared<ScanPrepared>();
    prepared->box = restored.box;
    prepared->seed = restored.seed;
    prepared->order = restored.order;
    prepared->bytes = restored.bytes;
    prepared->norms = restored.norms;
    add_codes(source, metric, 1, watch, *prepared);
    return prepared;
}

std::shared_ptr<const Preparation> subset_dense_or_scan(const Dataset &whole, std::span<const std::int64_t> rows,
                                                        const Dataset &chosen, Watch &watch) {
    const Stopwatch stopwatch;
    const auto *scan = dynamic_cast<const ScanPrepared *>(whole.prepared.get());
    if (scan) {
        Settings settings;
        settings.metric = scan->coded_for;
        settings.seed = scan->seed;
        return prepare_scan(chosen, settings, 1, watch);
    }
    auto prepared = std::make_shared<DensePrepared>();
    subset_dense(dynamic_cast<const DensePrepared &>(*whole.prepared), rows, whole.n(), whole.dense.dtype, *prepared,
                 watch);
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

const NarrowCodes *codes_of(const Dataset &data, const Metric &metric) {
    const auto *prepared = dynamic_cast<const ScanPrepared *>(data.prepared.get());
    const bool serves = prepared && metric.tiles() == Tiles::products && prepared->coded_for == frame_of(metric.id);
    return serves ? prepared->codes.get() : nullptr;
}

bool has_blocks(const Dataset &data) {
    return data.prepared && !dynamic_cast<const ScanPrepared *>(data.prepared.get());
}

} // namespace bmo
