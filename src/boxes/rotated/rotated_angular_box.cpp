#include "boxes/rotated/rotated_angular_box.hpp"

namespace bmo {

RotatedAngularBox::RotatedAngularBox(const Dataset &data, const RotatedPrepared &prepared, const Angles &angles)
    : ExactBy(data, prepared.order, nullptr, angles), data_(data), prepared_(prepared), angles_(angles),
      pull_(kernels().pull_for(ValueType::f32, Rho::square)), turned_(static_cast<std::size_t>(population())),
      query_(static_cast<std::size_t>(readable())) {}

void RotatedAngularBox::bind(const Queries &queries, std::int64_t query) {
    exact_.bind(queries, query);
    project_ops_ = 0;
    if (queries.own_points) // rotated as it was prepared
        return prepared_.copy_row(queries.row(query), data_.n(), query_.data());
    const ScaledVector &vector = exact_.query();
    std::vector<double> unit = vector.values;
    for (double &value : unit)
        value = vector.norm.is_zero() ? 0 : value / vector.norm.root();
    prepared_.rotation.center(unit.data(), 1, turned_.data());
    prepared_.rotation.turn(turned_.data());
    project_ops_ = prepared_.rotation.turn_ops();
    for (std::size_t t = 0; t < query_.size(); ++t)
        query_[t] = static_cast<float>(turned_[static_cast<std::size_t>(prepared_.order[t])]);
}

std::uint64_t RotatedAngularBox::pull(std::int64_t first, int width, std::span<const std::int32_t> arms, float *z) {
    pull_(prepared_.block(first / kBatch, data_.n()), arms.data(), static_cast<std::int64_t>(arms.size()),
          query_.data() + first, {1, 2}, z);
    const double unit = 1 / prepared_.rotation.scale() / prepared_.rotation.scale();
    for (std::size_t i = 0; i < arms.size(); ++i, z += kBatch) {
        const double weight = angles_.weight[static_cast<std::size_t>(arms[i])] * unit;
        for (int j = 0; j < kBatch; ++j)
            z[j] = static_cast<float>(static_cast<double>(z[j]) * weight);
    }
    return arms.size() * static_cast<std::uint64_t>(width);
}

} // namespace bmo
