#include "search/box_table.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "boxes/dense/angular_box.hpp"
#include "boxes/dense/callback_box.hpp"
#include "boxes/dense/dense_box.hpp"
#include "boxes/dense/dense_prepared.hpp"
#include "boxes/dense/importance_box.hpp"
#include "boxes/dense/weighted_box.hpp"
#include "boxes/projected/projected_angular_box.hpp"
#include "boxes/projected/projected_box.hpp"
#include "boxes/projected/projected_prepared.hpp"
#include "boxes/rotated/rotated_angular_box.hpp"
#include "boxes/rotated/rotated_box.hpp"
#include "boxes/rotated/rotated_prepared.hpp"
#include "boxes/sketch/sketch_prepared.hpp"
#include "boxes/sparse/sparse_index.hpp"
#include "boxes/tiles/scan_prepared.hpp"
#include "search/sketch/sketch_worker.hpp"
#include "search/sparse/bound_sparse_box.hpp"
#include "search/tiled_worker.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

// The order of the coordinates: of the preparation for the dense box, or of the seed.
class CoordinateOrder {
public:
    CoordinateOrder(const Dataset &data, const Plan &plan, const Weights *weights = nullptr)
        : prepared_(dynamic_cast<const DensePrepared *>(data.prepared.get())) {
        if (!prepared_)
            own_ = weights ? weighted_order(*weights, plan.settings.seed) : random_order(data.d(), plan.settings.seed);
    }

    const DensePrepared *prepared() const { return prepared_; } // null: the dataset is not prepared
    const Order &order() const { return prepared_ ? prepared_->order : own_; }

private:
    const DensePrepared *prepared_;
    Order own_;
};

// Of boxes whose exact sums are the tiles': exact scans take many queries at once.
class BoundTiledBox : public BoundBox {
public:
    BoundTiledBox(const Dataset &data, const Plan &plan) : data_(data), metric_(plan.metric) {}

    std::int64_t scanned_together(const Queries &queries, int threads) const final {
        constexpr std::int64_t kMostOfAll = 128; // answers may be long
        const std::int64_t most = queries.all_within ? kMostOfAll : queries.count;
        return TiledScan::applies(data_, metric_, queries)
                   ? std::min(most, TiledScan::group(data_, queries.count, threads))
                   : 1;
    }

protected:
    const Dataset &data_;
    Metric metric_;
};

class BoundDenseBox final : public BoundTiledBox {
public:
    BoundDenseBox(const Dataset &data, const Plan &plan) : BoundTiledBox(data, plan), order_(data, plan) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<TiledWorker<DenseBox>>(
            data_, metric_, [this] { return DenseBox(data_, order_.order(), order_.prepared(), metric_); }, nullptr,
            codes_of(data_, metric_));
    }

private:
    CoordinateOrder order_;
};

// Of a box that reads points as they were prepared for it.
template <class B, class Prepared>
class BoundPreparedBox final : public BoundTiledBox {
public:
    BoundPreparedBox(const Dataset &data, const Plan &plan)
        : BoundTiledBox(data, plan), prepared_(dynamic_cast<const Prepared &>(*data.prepared)) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<TiledWorker<B>>(data_, metric_, [this] { return B(data_, prepared_, metric_); });
    }

private:
    const Prepared &prepared_;
};

using BoundRotatedBox = BoundPreparedBox<RotatedBox, RotatedPrepared>;
using BoundProjectedBox = BoundPreparedBox<ProjectedBox, ProjectedPrepared>;

class BoundWeightedBox final : public BoundBox {
public:
    BoundWeightedBox(const Dataset &data, const Plan &plan)
        : data_(data), metric_(plan.metric), weights_(*plan.settings.weights), order_(data, plan, &weights_) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<BoxWorker<WeightedBox>>(
            [this] { return WeightedBox(data_, order_.order(), order_.prepared(), metric_, weights_); });
    }

private:
    const Dataset &data_;
    Metric metric_;
    Weights weights_;
    CoordinateOrder order_;
};

// Rules that take samples one by one know nothing of a head.
ImportanceOrder parts_of(const Dataset &data, const Plan &plan, const Weights *weights = nullptr) {
    const Settings &settings = plan.settings;
    std::vector<std::int32_t> all(weights ? 0 : static_cast<std::size_t>(data.d()));
    std::iota(all.begin(), all.end(), 0);
    return {coordinate_spread(data, plan.metric, weights, settings.seed), weights ? weights->positive : all,
            settings.bandit == BMO_BANDIT_RACE, settings.seed};
}

// Of importance sampling: by parts of coordinates, whatever order the dataset was prepared with.
class BoundImportanceBox final : public BoundTiledBox {
public:
    BoundImportanceBox(const Dataset &data, const Plan &plan)
        : BoundTiledBox(data, plan), parts_(parts_of(data, plan)) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<TiledWorker<ImportanceBox<DenseBox>>>(
            data_, metric_, [this] { return ImportanceBox<DenseBox>(data_, parts_, metric_); });
    }

private:
    ImportanceOrder parts_;
};

class BoundWeightedImportanceBox final : public BoundBox {
public:
    BoundWeightedImportanceBox(const Dataset &data, const Plan &plan)
        : data_(data), metric_(plan.metric), weights_(*plan.settings.weights), parts_(parts_of(data, plan, &weights_)) {
    }

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<BoxWorker<ImportanceBox<WeightedBox>>>(
            [this] { return ImportanceBox<WeightedBox>(data_, parts_, metric_, weights_); });
    }

private:
    const Dataset &data_;
    Metric metric_;
    Weights weights_;
    ImportanceOrder parts_;
};

class BoundCallbackBox final : public BoundBox {
public:
    BoundCallbackBox(const Dataset &data, const Plan &plan)
        : data_(data), rho_(plan.settings.rho), order_(data, plan) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<BoxWorker<CallbackBox>>(
            [this] { return CallbackBox(data_, order_.order(), order_.prepared(), *rho_); });
    }

private:
    const Dataset &data_;
    std::shared_ptr<const CustomRho> rho_;
    CoordinateOrder order_;
};

// The norms of the points: from the preparation, or computed for this search.
std::shared_ptr<const Norms> norms_for(const Dataset &data, const Plan &plan, std::shared_ptr<const Norms> prepared,
                                       Watch &watch) {
    return prepared ? std::move(prepared) : norms_of(data.points(), threads_of(plan.settings), watch);
}

class BoundAngularBox final : public BoundTiledBox {
public:
    BoundAngularBox(const Dataset &data, const Plan &plan, Watch &watch)
        : BoundTiledBox(data, plan), order_(data, plan),
          angles_(norms_for(data, plan, order_.prepared() ? order_.prepared()->norms : nullptr, watch),
                  plan.settings.metric, AngularBox::kError) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<TiledWorker<AngularBox>>(
            data_, metric_, [this] { return AngularBox(data_, order_.order(), order_.prepared(), angles_); }, &angles_,
            codes_of(data_, metric_));
    }

private:
    CoordinateOrder order_;
    Angles angles_;
};

class BoundRotatedAngularBox final : public BoundTiledBox {
public:
    BoundRotatedAngularBox(const Dataset &data, const Plan &plan)
        : BoundTiledBox(data, plan), prepared_(dynamic_cast<const RotatedPrepared &>(*data.prepared)),
          angles_(prepared_.norms, plan.settings.metric, RotatedAngularBox::kError) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<TiledWorker<RotatedAngularBox>>(
            data_, metric_, [this] { return RotatedAngularBox(data_, prepared_, angles_); }, &angles_);
    }

private:
    const RotatedPrepared &prepared_;
    Angles angles_;
};

class BoundProjectedAngularBox final : public BoundTiledBox {
public:
    BoundProjectedAngularBox(const Dataset &data, const Plan &plan)
        : BoundTiledBox(data, plan), prepared_(dynamic_cast<const ProjectedPrepared &>(*data.prepared)),
          angles_(prepared_.norms, plan.settings.metric, ProjectedAngularBox::kError) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<TiledWorker<ProjectedAngularBox>>(
            data_, metric_, [this] { return ProjectedAngularBox(data_, prepared_, angles_); }, &angles_);
    }

private:
    const ProjectedPrepared &prepared_;
    Angles angles_;
};

template <class B>
class BoundSketchBox final : public BoundTiledBox {
public:
    BoundSketchBox(const Dataset &data, const Plan &plan)
        : BoundTiledBox(data, plan), prepared_(dynamic_cast<const SketchPrepared &>(*data.prepared)),
          order_(random_order(data.d(), plan.settings.seed)) {}

    std::unique_ptr<Worker> make_worker() const override {
        return std::make_unique<SketchWorker<B>>(data_, metric_, prepared_, [this] {
            if constexpr (std::is_same_v<B, AngularBox>)
                return AngularBox(data_, order_, nullptr, *prepared_.angles);
            else
                return DenseBox(data_, order_, nullptr, metric_);
        });
    }
    std::int64_t raced_together(std::int64_t) const override { return 192; } // their sketches stay in cache

private:
    const SketchPrepared &prepared_;
    Order order_;
};

template <class Share, class... More>
std::unique_ptr<BoundBox> share(const Dataset &data, const Plan &plan, More &...more) {
    return std::make_unique<Share>(data, plan, more...);
}

std::unique_ptr<BoundBox> bind_dense(const Dataset &data, const Plan &plan, Watch &watch) {
    if (plan.settings.metric == BMO_METRIC_CUSTOM)
        return share<BoundCallbackBox>(data, plan);
    if (is_angular(plan.settings.metric))
        return share<BoundAngularBox>(data, plan, watch);
    if (plan.settings.sampling == BMO_SAMPLING_IMPORTANCE)
        return plan.settings.weights ? share<BoundWeightedImportanceBox>(data, plan)
                                     : share<BoundImportanceBox>(data, plan);
    return plan.settings.weights ? share<BoundWeightedBox>(data, plan) : share<BoundDenseBox>(data, plan);
}

std::unique_ptr<BoundBox> bind_rotated(const Dataset &data, const Plan &plan, Watch &) {
    return is_angular(plan.settings.metric) ? share<BoundRotatedAngularBox>(data, plan)
                                            : share<BoundRotatedBox>(data, plan);
}

std::unique_ptr<BoundBox> bind_projected(const Dataset &data, const Plan &plan, Watch &) {
    return is_angular(plan.settings.metric) ? share<BoundProjectedAngularBox>(data, plan)
                                            : share<BoundProjectedBox>(data, plan);
}

std::unique_ptr<BoundBox> bind_sketch(const Dataset &data, const Plan &plan, Watch &) {
    return is_angular(plan.settings.metric) ? share<BoundSketchBox<AngularBox>>(data, plan)
                                            : share<BoundSketchBox<DenseBox>>(data, plan);
}

constexpr BoxEntry kEntries[] = {
    {BMO_BOX_DENSE, bind_dense, prepare_dense, subset_dense_or_scan, restore_dense_or_scan},
    {BMO_BOX_SPARSE, bind_sparse, prepare_sparse, nullptr, nullptr},
    {BMO_BOX_SPARSE_UNION, bind_sparse, prepare_sparse, nullptr, nullptr},
    {BMO_BOX_ROTATED, bind_rotated, prepare_rotated, subset_rotated, restore_rotated},
    {BMO_BOX_PROJECTED, bind_projected, prepare_projected, subset_projected, restore_projected},
    {BMO_BOX_SKETCH, bind_sketch, prepare_sketch, nullptr, nullptr},
};

} // namespace

bool is_box(std::int64_t box) {
    return std::ranges::find(kEntries, box, &BoxEntry::box) != std::end(kEntries);
}

const BoxEntry &box_entry(std::int64_t box) {
    for (const BoxEntry &entry : kEntries)
        if (entry.box == box)
            return entry;
    fail(BMO_EINTERNAL, "box", text("box ", box, " is not in the table of boxes"));
}

} // namespace bmo
