#include "boxes/tiles/narrow_codes.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "boxes/tiles/panel_terms.hpp"
#include "util/parallel.hpp"

namespace bmo {
namespace {

std::int64_t words_of(std::int64_t d) { // a whole number of what is interleaved at a time
    constexpr std::int64_t kStep = 4 * RowCoder::kWord;
    return (d + kStep - 1) / kStep * kStep / RowCoder::kWord;
}

} // namespace

RowCoder::RowCoder(std::int64_t d, double lost)
    : d_(d), words_(words_of(d)), lost_(std::sqrt(static_cast<double>(d)) * 0x1p-73 + lost) {}

NarrowCodes RowCoder::room_for(std::int64_t points) const {
    NarrowCodes codes;
    codes.points.resize(static_cast<std::size_t>(points));
    codes.panels.resize(static_cast<std::size_t>(whole_panels(points) * words_));
    return codes;
}

Coded RowCoder::code(const float *values, float largest, int levels, int bias, std::uint8_t *to) const {
    constexpr float kLeast = 0x1p-100F; // whose inverse is far from the limits of float
    const float step = largest < kLeast ? 0 : largest / static_cast<float>(levels);
    const CodeScale scale{step, step > 0 ? 1 / step : 0, levels, bias};
    CodeSums sums;
    for (std::int64_t from = 0; from < d_; from += kCodeChunk)
        kernels().code(values + from, std::min<std::int64_t>(kCodeChunk, d_ - from), scale, to + from, sums);
    Coded coded{.step = static_cast<double>(step), .numbers = sums.numbers};
    coded.length = coded.step * std::sqrt(sums.squares);
    coded.error = std::sqrt(sums.lost) * (1 + 0x1p-14) + coded.length * 0x1p-20 + lost_;
    return coded;
}

PanelCoder::PanelCoder(const RowCoder &coder)
    : coder_(coder), row_(coder.words() * RowCoder::kWord + 64), // rows do not fall on the same lines of a cache
      bytes_(static_cast<std::size_t>(kPanel * row_), 0) {}

Coded PanelCoder::add(const float *row, float largest) {
    return coder_.code(row, largest, RowCoder::kPointLevels, RowCoder::kPointBias, bytes_.data() + added_++ * row_);
}

void PanelCoder::write(std::uint32_t *panel) {
    kernels().interleave(bytes_.data(), row_ / RowCoder::kWord, coder_.words(), panel);
    added_ = 0;
}

NarrowCoder::NarrowCoder(Frame &frame)
    : frame_(frame),
      coder_(std::make_unique<const RowCoder>(frame.data().d(), frame.of_directions() ? Frame::kLost : 0)),
      panel_(*coder_) {}

// Rows of a panel are brought together if a coordinate of all points is together in memory, else one by one: it stays in the
// nearest cache.
void NarrowCoder::code_points(std::int64_t first, std::int64_t count, std::int64_t at, NarrowCodes &codes) {
    const std::int64_t together = frame_.data().dense.coord_stride == 1 ? 1 : kPanel, d = frame_.data().d();
    rows_.resize(static_cast<std::size_t>(together * d));
    for (std::int64_t from = 0; from < count; from += together) {
        const std::int64_t some = std::min(together, count - from), done = from + some;
        double squares[kPanel] = {};
        float largest[kPanel] = {};
        frame_.bring_points(first + from, some, 0, d, d, rows_.data(), squares, largest);
        for (std::int64_t i = 0; i < some; ++i)
            codes.points[static_cast<std::size_t>(at + from + i)] = panel_.add(rows_.data() + i * d, largest[i]);
        if (done % kPanel == 0 || done == count)
            panel_.write(codes.panels.data() + (at + done - 1) / kPanel * coder_->panel());
    }
}

std::shared_ptr<const NarrowCodes> code_all(const Dataset &data, const Metric &metric, const Angles *angles,
                                            int threads, Watch &watch) {
    Frame fitted(data, metric, angles);
    fitted.fit(0);
    std::vector<Frame> frames(static_cast<std::size_t>(threads), fitted);
    std::vector<NarrowCoder> coders;
    for (Frame &frame : frames)
        coders.emplace_back(frame);
    auto codes = std::make_shared<NarrowCodes>(coders.front().rows().room_for(data.n()));
    parallel_for(threads, whole_panels(data.n()) / kPanel, watch, [&](std::int64_t panel, int thread) {
        watch.poll();
        const std::int64_t first = panel * kPanel, count = std::min<std::int64_t>(kPanel, data.n() - first);
        coders[static_cast<std::size_t>(thread)].code_points(first, count, first, *codes);
        watch.advance(count);
    });
    return codes;
}

} // namespace bmo
