#include "boxes/tiles/float_panels.hpp"

#include <algorithm>
#include <cmath>

namespace bmo {
namespace {

constexpr std::int64_t kRow = kPanelChunk + 16; // rows do not fall on the same lines of a cache

// Of a chunk, a whole number of what is interleaved at a time.
std::int64_t padded(std::int64_t width) {
    constexpr std::int64_t kStep = 4;
    return (width + kStep - 1) / kStep * kStep;
}

} // namespace

FloatPanels::FloatPanels(Frame &frame)
    : frame_(frame), d_(frame.data().d()), chunks_((d_ + kPanelChunk - 1) / kPanelChunk) {
    const double product = static_cast<double>(kPanelChunk + chunks_ + 4) * 0x1p-24 * (1 + 0x1p-8);
    margin_ = product + (frame.of_products() ? 0x1p-20 : 0x1p-18);
    lost_ = static_cast<double>(d_) * 0x1p-118 + (frame.of_directions() ? 0x1p26 * Frame::kLost * Frame::kLost : 0);
}

std::int64_t FloatPanels::query_bytes(std::int64_t d) {
    return (d + kPanelChunk) * static_cast<std::int64_t>(sizeof(float));
}

void FloatPanels::take_queries(const Queries &queries, std::int64_t first, std::int64_t count) {
    queries_ = count;
    framed_.clear();
    blocks_.assign(static_cast<std::size_t>(chunks_ * query_blocks(count) * kPanelChunk * kPanelQueries), 0);
    AlignedVector<float> row(static_cast<std::size_t>(d_));
    for (std::int64_t i = 0; i < count; ++i) {
        framed_.push_back(frame_.bring_query(queries, first + i, row.data()));
        for (std::int64_t j = 0; j < d_; ++j) {
            const std::int64_t block = j / kPanelChunk * query_blocks(count) + i / kPanelQueries;
            const std::int64_t at = (block * kPanelChunk + j % kPanelChunk) * kPanelQueries + i % kPanelQueries;
            blocks_[static_cast<std::size_t>(at)] = row[static_cast<std::size_t>(j)];
        }
    }
}

void FloatPanels::start(std::int64_t points, std::int64_t stride, Sum *sums) {
    const std::int64_t room = whole_panels(points);
    squares_.assign(static_cast<std::size_t>(room), 0);
    largest_.assign(static_cast<std::size_t>(room), 0);
    if (frame_.has_columns()) {
        panels_.resize(std::max(panels_.size(), static_cast<std::size_t>(room * kPanelChunk)));
        if (points < room)
            std::ranges::fill(panels_, 0.0F);
    } else {
        panels_.resize(static_cast<std::size_t>(room * kPanelChunk));
        rows_.assign(static_cast<std::size_t>(room * kRow), 0);
    }
    std::fill_n(sums, queries_ * stride, 0.0F);
}

void FloatPanels::add(std::int64_t first, std::int64_t points, std::int64_t chunk, std::int64_t stride, Sum *sums) {
    const std::int64_t from = chunk * kPanelChunk, values = std::min(kPanelChunk, d_ - from), width = padded(values);
    const std::int64_t panels = whole_panels(points) / kPanel, panel = kPanel * kPanelChunk;
    if (frame_.has_columns()) {
        frame_.bring_columns(first, points, from, values, panel, panels_.data(), squares_.data(), largest_.data());
        for (std::int64_t i = 0; values < width && i < panels; ++i)
            std::fill(panels_.data() + i * panel + values * kPanel, panels_.data() + i * panel + width * kPanel, 0.0F);
    } else {
        bring_rows(first, points, from, values);
        for (std::int64_t i = 0; i < panels; ++i)
            kernels().interleave(rows_.data() + i * kPanel * kRow, kRow, width, panels_.data() + i * panel);
    }
    const PanelTile tile{panels, queries_, width, panel, kPanelQueries * kPanelChunk, stride};
    kernels().panel_floats(panels_.data(),
                           blocks_.data() + chunk * query_blocks(queries_) * kPanelQueries * kPanelChunk, tile, sums);
}

// With zeros behind the values.
void FloatPanels::bring_rows(std::int64_t first, std::int64_t points, std::int64_t from, std::int64_t values) {
    frame_.bring_points(first, points, from, values, kRow, rows_.data(), squares_.data(), largest_.data());
    for (std::int64_t i = 0; values < padded(values) && i < points; ++i)
        std::fill(rows_.data() + i * kRow + values, rows_.data() + i * kRow + padded(values), 0.0F);
}

void FloatPanels::set_terms(std::int64_t first, std::int64_t points) {
    terms_.clear(whole_panels(points));
    for (std::int64_t i = 0; i < points; ++i) {
        const auto point = static_cast<std::size_t>(i);
        const double known = frame_.known_sum(first + i), squares = squares_[point];
        terms_.scale[point] = 1;
        terms_.base[point] = frame_.of_products() ? -margin_ * std::sqrt(squares) : squares - margin_ * squares;
        if (!std::isnan(known))
            set_known(terms_, point, known);
    }
}

PanelThreshold FloatPanels::threshold(std::int64_t query, double tau) const {
    const FramedQuery &framed = framed_[static_cast<std::size_t>(query)];
    if (frame_.of_products())
        return {1, 0, 0, tau + lost_};
    const double threshold = tau - (framed.squares - margin_ * framed.squares) + lost_;
    return {2, 0, size_of_known(2, tau, threshold), threshold};
}

double FloatPanels::value(std::int64_t point, std::int64_t query, Sum sum, double side) const {
    const double squares = squares_[static_cast<std::size_t>(point)], product = static_cast<double>(sum);
    if (frame_.of_products())
        return side * (margin_ * std::sqrt(squares) + lost_) - product;
    const auto at = static_cast<std::size_t>(point);
    if (terms_.size[at] != 0)
        return 2;
    if (terms_.scale[at] == 0)
        return side * std::numeric_limits<double>::infinity();
    const double norms = squares + framed_[static_cast<std::size_t>(query)].squares;
    return norms - 2 * product + side * (margin_ * norms + lost_);
}

} // namespace bmo
