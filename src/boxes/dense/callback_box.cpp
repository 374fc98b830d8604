#include "boxes/dense/callback_box.hpp"

#include <algorithm>
#include <cmath>

#include "simd/kernels.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

constexpr std::int64_t kPairs = 4096; // of one call, about

bool acceptable(double rho) {
    return std::isfinite(rho) && rho >= 0;
}

} // namespace

CallbackBox::CallbackBox(const Dataset &data, const Order &order, const DensePrepared *prepared, const CustomRho &rho)
    : data_(data), order_(order), rho_(rho), rows_(data, order, prepared), reader_(data.dense),
      query_(static_cast<std::size_t>(data.d())) {}

void CallbackBox::bind(const Queries &queries, std::int64_t query) {
    load_point(queries.points, queries.row(query), query_.data());
    part_ = queries.part;
}

void CallbackBox::Pairs::resize(std::size_t count) {
    if (count <= coord.size())
        return;
    coord.resize(count);
    a.resize(count);
    b.resize(count);
    rho.resize(count);
}

void CallbackBox::ask(std::size_t count) {
    const std::int32_t result = rho_.call(rho_.ctx, pairs_.coord.data(), static_cast<std::int64_t>(count),
                                          pairs_.a.data(), pairs_.b.data(), pairs_.rho.data());
    if (result != 0)
        throw Failure(BMO_ECALLBACK, "rho", text("stopped by ", Word{"rho"}, ", which returned ", result), -1, -1,
                      result);
}

// The answers are of_each for each arm.
void CallbackBox::check_answers(std::size_t count, std::span<const std::int32_t> arms, std::size_t of_each) const {
    const auto *end = pairs_.rho.data() + count, *bad = std::find_if_not(pairs_.rho.data(), end, acceptable);
    if (bad == end)
        return;
    const auto at = static_cast<std::size_t>(bad - pairs_.rho.data());
    const std::int64_t point = part_.point(arms[at / of_each]), coord = pairs_.coord[at];
    fail(BMO_ECALLBACK, "rho",
         text(Word{"rho"}, " says ", *bad, " of coordinate ", Position{coord}, " of point ", Position{point},
              kCountedFrom0, "; expected a finite number >= 0"),
         point, coord);
}

std::uint64_t CallbackBox::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    const DenseRows::Batch batch = rows_.batch(first, width, arms);
    const auto each = static_cast<std::size_t>(width);
    const std::size_t count = arms.size() * each;
    pairs_.resize(count);
    visit_stored(data_.dense.dtype, [&]<class T>(const T *) {
        for (std::size_t i = 0; i < arms.size(); ++i)
            for (std::size_t j = 0; j < each; ++j) {
                const std::int32_t coord = order_[static_cast<std::size_t>(first) + j];
                const T *row = static_cast<const T *>(batch.rows) + std::int64_t{batch.arms[i]} * kBatch;
                pairs_.coord[i * each + j] = coord;
                pairs_.a[i * each + j] = query_[static_cast<std::size_t>(coord)];
                pairs_.b[i * each + j] = static_cast<double>(row[j]);
            }
    });
    ask(count);
    check_answers(count, arms, each);
    for (std::size_t i = 0; i < arms.size(); ++i)
        for (std::size_t j = 0; j < each; ++j)
            z[i * kBatch + j] =
                static_cast<float>(std::min(pairs_.rho[i * each + j], static_cast<double>(kSampleLimit)));
    return count;
}

double CallbackBox::exact(std::int32_t arm) {
    double sum = 0;
    visit_stored(data_.dense.dtype, [&]<class T>(const T *) {
        const T *point = static_cast<const T *>(reader_.point(arm));
        for (std::int64_t first = 0; first < data_.d(); first += kPairs) {
            const auto count = static_cast<std::size_t>(std::min(kPairs, data_.d() - first));
            pairs_.resize(count);
            for (std::size_t t = 0; t < count; ++t) {
                const auto coord = static_cast<std::size_t>(first) + t;
                pairs_.coord[t] = static_cast<std::int64_t>(coord);
                pairs_.a[t] = query_[coord];
                pairs_.b[t] = static_cast<double>(point[coord]);
            }
            ask(count);
            check_answers(count, {&arm, 1}, count);
            for (std::size_t t = 0; t < count; ++t)
                sum += pairs_.rho[t];
        }
    });
    return sum;
}

} // namespace bmo
