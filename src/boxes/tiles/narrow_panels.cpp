#include "boxes/tiles/narrow_panels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bmo {
void NarrowPanels::take_queries(const Queries &queries, std::int64_t first, std::int64_t count) {
    const std::int64_t d = frame_.data().d(), words = coder_.words();
    queries_.clear();
    blocks_.assign(static_cast<std::size_t>(query_blocks(count) * words * kPanelQueries), 0);
    AlignedVector<float> row(static_cast<std::size_t>(d));
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(words * NarrowCoder::kWord), 0);
    for (std::int64_t i = 0; i < count; ++i) {
        const FramedQuery framed = frame_.bring_query(queries, first + i, row.data());
        queries_.push_back({framed, coder_.code(row.data(), framed.largest, kernels().byte_levels, 0, bytes.data())});
        for (std::int64_t word = 0; word < words; ++word) {
            const std::int64_t at = (i / kPanelQueries * words + word) * kPanelQueries + i % kPanelQueries;
            std::memcpy(&blocks_[static_cast<std::size_t>(at)], bytes.data() + word * NarrowCoder::kWord,
                        NarrowCoder::kWord);
        }
    }
}

void NarrowPanels::take_points(std::int64_t first, std::int64_t points) {
    if (codes_) {
        panels_ = codes_->panels.data() + first / kPanel * coder_.panel();
        points_ = codes_->points.data() + first;
    } else {
        own_.points.resize(static_cast<std::size_t>(points));
        own_.panels.resize(static_cast<std::size_t>(whole_panels(points) / kPanel * coder_.panel()));
        coder_.code_points(first, points, 0, own_);
        panels_ = own_.panels.data();
        points_ = own_.points.data();
    }
    terms_.clear(whole_panels(points));
    for (std::int64_t i = 0; i < points; ++i)
        set_terms(static_cast<std::size_t>(i), first + i, points_[i]);
}

void NarrowPanels::set_terms(std::size_t at, std::int64_t point, const Coded &coded) {
    const double known = frame_.known_sum(point);
    terms_.base[at] = frame_.of_products() ? 0 : coded.length * coded.length - coded.error * coded.error;
    terms_.scale[at] = coded.step;
    terms_.spread[at] = coded.error;
    terms_.size[at] = frame_.of_products() ? coded.length : 0;
    if (!std::isnan(known))
        set_known(terms_, at, known);
}

void NarrowPanels::add(std::int64_t points, std::int64_t stride, Sum *sums) const {
    const auto count = static_cast<std::int64_t>(queries_.size());
    for (std::int64_t q = 0; q < count; ++q)
        std::fill_n(sums + q * stride, whole_panels(points),
                    static_cast<Sum>(-NarrowCoder::kPointBias * queries_[static_cast<std::size_t>(q)].coded.numbers));
    const std::int64_t words = coder_.words();
    const PanelTile tile{whole_panels(points) / kPanel, count, words, coder_.panel(), kPanelQueries * words, stride};
    kernels().panel_bytes(panels_, blocks_.data(), tile, sums);
}

PanelThreshold NarrowPanels::threshold(std::int64_t query, double tau) const {
    const auto &[framed, coded] = queries_[static_cast<std::size_t>(query)];
    if (frame_.of_products())
        return {coded.step, (coded.length + coded.error), coded.error, tau};
    if (!(tau < std::numeric_limits<double>::infinity()))
        return {2 * coded.step, 0, 0, tau};
    const double root = std::sqrt(tau) + coded.error, threshold = root * root - coded.length * coded.length;
    return {2 * coded.step, 2 * root, size_of_known(2, tau, threshold), threshold};
}

double NarrowPanels::value(std::int64_t point, std::int64_t query, Sum sum, double side) const {
    const auto at = static_cast<std::size_t>(point);
    const Coded &x = points_[at], &q = queries_[static_cast<std::size_t>(query)].coded;
    const double product = x.step * q.step * static_cast<double>(sum);
    if (frame_.of_products())
        return side * (x.length * q.error + (q.length + q.error) * x.error) - product;
    if (terms_.size[at] != 0)
        return 2;
    if (terms_.spread[at] == 0)
        return side * std::numeric_limits<double>::infinity();
    const double root = std::sqrt(std::max(0.0, x.length * x.length + q.length * q.length - 2 * product));
    const double bound = std::max(0.0, root + side * (x.error + q.error));
    return bound * bound;
}

} // namespace bmo
