#include "world.hpp"

#include <string>
#include <unistd.h>

#include "journal.hpp"

namespace {

constexpr std::int64_t kQueries = 6;

std::int64_t between(Random &random, std::int64_t least, std::int64_t most) {
    return random.between(least, most);
}

// Most are small: there the ends of rounds and batches are. Those that are long are what races have time for.
Sizes random_sizes(Shape shape, bool is_sparse, Random &random) {
    if (shape == Shape::single_difference && random.chance(0.4))
        return {between(random, 20, 300), between(random, 100, 500), kQueries};
    const double choice = random.uniform();
    if (choice < 0.001)
        return {3000, 64, kQueries};
    if (choice < 0.006)
        return {between(random, 4, 12), 4096, kQueries};
    if (choice < 0.03)
        return {between(random, 100, 400), between(random, 100, is_sparse ? 1500 : 400), kQueries};
    if (choice < 0.15)
        return {between(random, 20, 60), between(random, 100, 400), kQueries};
    if (choice < 0.2)
        return {between(random, 64, 300), between(random, 1, 80), kQueries};
    if (choice < 0.25)
        return {between(random, 1, 4), between(random, 1, 4), kQueries};
    return {between(random, 1, 60), between(random, 1, 80), kQueries};
}

Made random_points(std::uint64_t seed, bool is_sparse) {
    Random random(part_of(seed, 2));
    const auto shape = static_cast<Shape>(random.below(static_cast<std::int64_t>(Shape::count)));
    const Sizes sizes = random_sizes(shape, is_sparse, random);
    const double zeros = is_sparse && shape != Shape::opposite_signs ? random.pick({0.0, 0.3, 0.7, 0.95})
                         : random.chance(0.1)                        ? 0.5
                                                                     : 0;
    return make_points(shape, sizes, zeros, random);
}

std::string scratch_path() {
    return "/dev/shm/bmo-searches-" + std::to_string(getpid()) + ".bmo";
}

// Weights are kept with what is prepared for the dense box.
bool keeps_weights(std::int32_t box, const Metric &metric) {
    return box == BMO_BOX_DENSE && !metric.weights.empty();
}

bool serves(std::int32_t box, const Metric &metric) {
    if (box == BMO_BOX_ROTATED || box == BMO_BOX_PROJECTED || box == BMO_BOX_SKETCH)
        return metric.weights.empty() &&
               (metric.is_angular() || metric.id == BMO_METRIC_L2 || metric.id == BMO_METRIC_SQEUCLIDEAN);
    if (box == BMO_BOX_SPARSE_UNION)
        return !metric.is_angular();
    return true;
}

// A dataset that is what it was before it was written to a file.
void save_and_open(Target &target, Random &random) {
    const std::string path = scratch_path();
    bmo_dataset *opened = nullptr;
    bmo_status status = bmo_dataset_save(target.dataset.get(), path.c_str(), nullptr);
    if (status == BMO_OK)
        status = bmo_dataset_open(&opened, path.c_str(), random.chance(0.5) ? BMO_COPY : BMO_BORROW, nullptr);
    unlink(path.c_str());
    if (status != BMO_OK)
        Journal::shared().find("a dataset cannot be saved and opened", bmo_last_error());
    else
        target.dataset.reset(opened);
}

} // namespace

World::World(std::uint64_t seed) : is_sparse_(Random(part_of(seed, 1)).chance(0.4)) {
    made_ = random_points(seed, is_sparse_);
    free_of_rounding_ = ::is_free_of_rounding(made_);
}

Target World::plain(Random &random) {
    bmo_dataset *dataset = nullptr;
    bmo_status status;
    const std::uint32_t flags = random.chance(0.5) ? BMO_COPY : BMO_BORROW;
    if (is_sparse_) {
        sparse_layouts_.push_back(std::make_unique<SparseLayout>(made_.points, random));
        status = bmo_dataset_sparse(&dataset, &sparse_layouts_.back()->view(), flags, nullptr, nullptr);
    } else {
        dense_layouts_.push_back(std::make_unique<DenseLayout>(made_.points, random));
        status = bmo_dataset_dense(&dataset, &dense_layouts_.back()->view(), flags, nullptr, nullptr);
    }
    if (status != BMO_OK)
        Journal::shared().find("a dataset is refused", bmo_last_error());
    return {{.is_sparse = is_sparse_}, DatasetHandle(dataset)};
}

Target World::prepared(const Target &source, const Metric &metric, std::int32_t box, std::int64_t seed) const {
    Settings settings;
    settings.metric = metric;
    settings.box = box;
    settings.seed = seed;
    bmo_dataset *dataset = nullptr;
    if (bmo_dataset_prepare(&dataset, source.dataset.get(), make_config(settings).get(), nullptr) != BMO_OK)
        Journal::shared().find("a dataset cannot be prepared", bmo_last_error());
    return {{.is_sparse = is_sparse_,
             .box = box,
             .metric = metric.id,
             .with_weights = keeps_weights(box, metric),
             .seed = seed},
            DatasetHandle(dataset)};
}

std::vector<Target> World::targets(const Metric &metric, Random &random) {
    std::vector<Target> targets;
    targets.push_back(plain(random));
    if (!targets.front().dataset)
        return {};
    const auto seed = static_cast<std::int64_t>(random.next() >> 1);
    const std::vector<std::int32_t> boxes =
        is_sparse_ ? std::vector<std::int32_t>{BMO_BOX_SPARSE, BMO_BOX_SPARSE_UNION}
                   : std::vector<std::int32_t>{BMO_BOX_DENSE, BMO_BOX_ROTATED, BMO_BOX_PROJECTED, BMO_BOX_SKETCH};
    for (const std::int32_t box : boxes)
        if (serves(box, metric))
            targets.push_back(prepared(targets.front(), metric, box, seed));
    std::erase_if(targets, [](const Target &target) { return !target.dataset; });
    for (Target &target : targets)
        if (random.chance(0.2))
            save_and_open(target, random);
    return targets;
}
