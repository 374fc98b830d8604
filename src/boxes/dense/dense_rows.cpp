#include "boxes/dense/dense_rows.hpp"

#include <algorithm>

#include "boxes/dense/dense_prepared.hpp"
#include "boxes/dense/gather.hpp"

namespace bmo {

DenseRows::Batch DenseRows::batch(std::int64_t first, int width, std::span<const std::int32_t> arms) {
    const std::int64_t block = first / kBatch;
    if (prepared_ && block < prepared_->blocks)
        return {prepared_->block(block, points_.n, points_.dtype), arms.data()};
    const auto count = static_cast<std::int64_t>(arms.size());
    for (auto next = static_cast<std::int32_t>(numbers_.size()); next < count; ++next)
        numbers_.push_back(next);
    gathered_.resize(std::max(gathered_.size(), arms.size() * kBatch * dtype_size(points_.dtype)));
    visit_stored(points_.dtype, [&]<class T>(const T *) {
        gather_rows(points_, order_.data() + first, width, arms.data(), count, reinterpret_cast<T *>(gathered_.data()));
    });
    return {gathered_.data(), numbers_.data()};
}

} // namespace bmo
