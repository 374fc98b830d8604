#include "boxes/sketch/sketch_prepared.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "boxes/tiles/panel_terms.hpp"
#include "util/parallel.hpp"
#include "util/stopwatch.hpp"

namespace bmo {
namespace {

// One thread's part: some rows at a time.
class RowSketcher {
public:
    RowSketcher(const Frame &frame, const SketchBasis &basis)
        : frame_(frame), basis_(basis), map_(basis),
          coder_(std::make_unique<const RowCoder>(sketch_coder(basis, frame))), panel_(*coder_) {}

    NarrowCodes room_for(std::int64_t points) const { return coder_->room_for(points); }

    void sketch(std::int64_t first, std::int64_t count, SketchPrepared &prepared) {
        NarrowCodes &codes = prepared.codes;
        double squares[SketchMap::kRows] = {};
        float largest[SketchMap::kRows] = {};
        frame_.bring_points(first, count, 0, basis_.d(), map_.stride(), map_.row(0), squares, largest);
        map_.map(count);
        for (std::int64_t i = 0; i < count; ++i) {
            Coded &coded = codes.points[static_cast<std::size_t>(first + i)];
            coded = panel_.add(map_.sketch(i), map_.largest(i));
            coded.error += sketch_blur(basis_, squares[i]);
            if (frame_.of_products())
                prepared.squares[static_cast<std::size_t>(first + i)] = squares[i] * (1 + 0x1p-20);
            if ((i + 1) % kPanel == 0 || i + 1 == count)
                panel_.write(codes.panels.data() + (first + i) / kPanel * coder_->panel());
        }
    }

private:
    Frame frame_;
    const SketchBasis &basis_;
    SketchMap map_;
    std::unique_ptr<const RowCoder> coder_;
    PanelCoder panel_;
};

void summarize(SketchPrepared &prepared) {
    if (prepared.squares.empty())
        return;
    prepared.largest_square = *std::ranges::max_element(prepared.squares);
    const double mean = std::accumulate(prepared.squares.begin(), prepared.squares.end(), 0.0) /
                        static_cast<double>(prepared.squares.size());
    if (mean > 0)
        prepared.length = static_cast<double>(static_cast<float>(std::sqrt(mean)));
}

} // namespace

RowCoder sketch_coder(const SketchBasis &basis, const Frame &frame) {
    const double lost = static_cast<double>(basis.d()) * static_cast<double>(basis.width()) * 0x1p-118;
    return {basis.width(), lost + (frame.of_directions() ? Frame::kLost : 0)};
}

double sketch_blur(const SketchBasis &basis, double squares) {
    return basis.error() * std::sqrt(squares) * (1 + 0x1p-16);
}

std::shared_ptr<const Preparation> prepare_sketch(const Dataset &source, const Settings &settings, int threads,
                                                  Watch &watch) {
    const Stopwatch stopwatch;
    auto prepared = std::make_shared<SketchPrepared>();
    prepared->box = BMO_BOX_SKETCH;
    prepared->metric = is_angular(settings.metric) ? settings.metric : std::int64_t{BMO_METRIC_L2};
    prepared->seed = settings.seed;
    watch.begin(BMO_PHASE_PREPARE, source.n());
    const Metric metric = Metric::from(settings.metric, settings.p);
    if (is_angular(settings.metric)) {
        prepared->norms = norms_of(source.points(), threads, watch);
        prepared->angles = std::make_unique<const Angles>(prepared->norms, settings.metric, 0);
        prepared->bytes += prepared->norms->size() * sizeof(Norm);
    }
    if (Frame::applies(source, metric, 0)) {
        Frame frame(source, metric, prepared->angles.get());
        frame.fit(0);
        std::vector<float> values(static_cast<std::size_t>(source.d()));
        const PointSource framed{source.n(), source.d(), [&](std::int64_t row, double *out) {
                                     double square = 0;
                                     float largest = 0;
                                     frame.bring_points(row, 1, 0, source.d(), source.d(), values.data(), &square,
                                                        &largest);
                                     std::copy(values.begin(), values.end(), out);
                                 }};
        prepared->basis = std::make_unique<const SketchBasis>(framed, settings.seed, watch);
        std::vector<RowSketcher> sketchers;
        sketchers.reserve(static_cast<std::size_t>(threads));
        for (int thread = 0; thread < threads; ++thread)
            sketchers.emplace_back(frame, *prepared->basis);
        prepared->codes = sketchers.front().room_for(source.n());
        if (settings.metric == BMO_METRIC_INNER_PRODUCT)
            prepared->squares.resize(static_cast<std::size_t>(source.n()));
        constexpr std::int64_t kRows = SketchMap::kRows;
        parallel_for(threads, (source.n() + kRows - 1) / kRows, watch, [&](std::int64_t item, int thread) {
            watch.poll();
            const std::int64_t first = item * kRows, count = std::min(kRows, source.n() - first);
            sketchers[static_cast<std::size_t>(thread)].sketch(first, count, *prepared);
            watch.advance(count);
        });
        summarize(*prepared);
        prepared->bytes += prepared->squares.size() * sizeof(double) + prepared->basis->bytes() +
                           prepared->codes.panels.size() * sizeof(std::uint32_t) +
                           prepared->codes.points.size() * sizeof(Coded);
    }
    watch.finish();
    prepared->prepare_ns = stopwatch.ns();
    return prepared;
}

} // namespace bmo
