#include "boxes/tiles/coded_panels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace bmo {

void CodedPanels::start_queries(std::int64_t count) {
    queries_.clear();
    blocks_.assign(static_cast<std::size_t>(query_blocks(count) * coder_.words() * kPanelQueries), 0);
    bytes_.assign(static_cast<std::size_t>(coder_.words() * RowCoder::kWord), 0);
}

void CodedPanels::add_query(const float *row, float largest, double blur) {
    const auto i = static_cast<std::int64_t>(queries_.size()), words = coder_.words();
    queries_.push_back(coder_.code(row, largest, kernels().byte_levels, 0, bytes_.data()));
    queries_.back().error += blur;
    for (std::int64_t word = 0; word < words; ++word) {
        const std::int64_t at = (i / kPanelQueries * words + word) * kPanelQueries + i % kPanelQueries;
        std::memcpy(&blocks_[static_cast<std::size_t>(at)], bytes_.data() + word * RowCoder::kWord, RowCoder::kWord);
    }
}

void CodedPanels::take_points(const std::uint32_t *panels, std::span<const Coded> points) {
    panels_ = panels;
    points_ = points;
    terms_.clear(whole_panels(static_cast<std::int64_t>(points.size())));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Coded &coded = points[i];
        terms_.base[i] = coded.length * coded.length - coded.error * coded.error;
        terms_.scale[i] = coded.step;
        terms_.spread[i] = coded.error;
    }
}

void CodedPanels::add(std::int64_t stride, Sum *sums) const {
    const auto count = static_cast<std::int64_t>(queries_.size()), words = coder_.words();
    const std::int64_t points = whole_panels(static_cast<std::int64_t>(points_.size()));
    for (std::int64_t q = 0; q < count; ++q)
        std::fill_n(sums + q * stride, points, static_cast<Sum>(-RowCoder::kPointBias * query(q).numbers));
    const PanelTile tile{points / kPanel, count, words, coder_.panel(), kPanelQueries * words, stride};
    kernels().panel_bytes(panels_, blocks_.data(), tile, sums);
}

PanelThreshold CodedPanels::threshold(std::int64_t query, double tau, double known) const {
    const Coded &q = this->query(query);
    if (!(tau < std::numeric_limits<double>::infinity()))
        return {2 * q.step, 0, 0, tau};
    const double root = std::sqrt(tau) + q.error, threshold = root * root - q.length * q.length;
    return {2 * q.step, 2 * root, size_of_known(known, tau, threshold), threshold};
}

double CodedPanels::bound(std::int64_t point, std::int64_t query, Sum sum, double side, double known) const {
    const auto at = static_cast<std::size_t>(point);
    if (terms_.size[at] != 0)
        return known;
    if (terms_.spread[at] == 0)
        return side * std::numeric_limits<double>::infinity();
    const Coded &x = this->point(point), &q = this->query(query);
    const double root =
        std::sqrt(std::max(0.0, x.length * x.length + q.length * q.length - 2 * product(point, query, sum)));
    const double bound = std::max(0.0, root + side * (x.error + q.error));
    return bound * bound;
}

} // namespace bmo
