#include "search/box_table.hpp"

#include "boxes/dense_box.hpp"
#include "boxes/dense_prepared.hpp"
#include "boxes/rotated_box.hpp"
#include "boxes/rotated_prepared.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

class DenseShare final : public BoxShare {
public:
    DenseShare(const Dataset &data, const Plan &plan)
        : data_(data), metric_(plan.metric), prepared_(dynamic_cast<const DensePrepared *>(data.prepared.get())),
          order_(prepared_ ? Order{} : random_order(data.d(), plan.settings.seed)) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<BoxWorker<DenseBox>>(
            [this] { return DenseBox(data_, prepared_ ? prepared_->order : order_, prepared_, metric_); });
    }

private:
    const Dataset &data_;
    Metric metric_;
    const DensePrepared *prepared_; // null: the dataset is not prepared for this box
    Order order_;                   // then
};

class RotatedShare final : public BoxShare {
public:
    RotatedShare(const Dataset &data, const Plan &plan)
        : data_(data), metric_(plan.metric), prepared_(dynamic_cast<const RotatedPrepared &>(*data.prepared)) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<BoxWorker<RotatedBox>>([this] { return RotatedBox(data_, prepared_, metric_); });
    }

private:
    const Dataset &data_;
    Metric metric_;
    const RotatedPrepared &prepared_;
};

template <class Share>
std::unique_ptr<BoxShare> share(const Dataset &data, const Plan &plan) {
    return std::make_unique<Share>(data, plan);
}

constexpr BoxEntry kBoxes[] = {
    {BMO_BOX_DENSE, share<DenseShare>, prepare_dense},
    {BMO_BOX_ROTATED, share<RotatedShare>, prepare_rotated},
};

} // namespace

const BoxEntry &box_entry(std::int64_t box) {
    for (const BoxEntry &entry : kBoxes)
        if (entry.box == box)
            return entry;
    fail(BMO_EINTERNAL, "box", text("box ", box, " is not in the table of boxes"));
}

} // namespace bmo
