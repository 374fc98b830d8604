// Points, and datasets of them in every form: layouts, owners, boxes that they are prepared for, files they went through.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "layouts.hpp"
#include "settings.hpp"

// A dataset that searches go to.
struct Target {
    Form form;
    DatasetHandle dataset;
};

class World {
public:
    explicit World(std::uint64_t seed);

    const Made &made() const { return made_; }
    bool is_sparse() const { return is_sparse_; }
    bool is_large() const { return made_.points.n > 500; }
    bool is_free_of_rounding() const { return free_of_rounding_; }

    // The points as they are: copied or borrowed, in a layout of its own.
    Target plain(Random &random);
    // Null where the box does not serve the points and the metric.
    Target prepared(const Target &source, const Metric &metric, std::int32_t box, std::int64_t seed) const;
    // As it is, and in every form that serves the metric; some of them saved and opened again.
    std::vector<Target> targets(const Metric &metric, Random &random);

private:
    Made made_;
    bool is_sparse_, free_of_rounding_;
    std::vector<std::unique_ptr<DenseLayout>> dense_layouts_; // which datasets may have borrowed
    std::vector<std::unique_ptr<SparseLayout>> sparse_layouts_;
};
