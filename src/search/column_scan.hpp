// The exact scan of points that lie in columns: bounds of all sums by a pass over the columns, for as many queries as that pays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "boxes/angles.hpp"
#include "boxes/metric.hpp"
#include "boxes/tiles/byte_blocks.hpp"
#include "boxes/tiles/column_sums.hpp"
#include "boxes/tiles/lone_products.hpp"
#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "search/leaders.hpp"
#include "util/watch.hpp"

namespace bmo {

// For one thread.
class ColumnScan {
public:
    // angles: of the metrics of angles, else null.
    ColumnScan(const Dataset &data, const Metric &metric, const Angles *angles);

    // Whether it takes less time for so many queries than tiles do. bytes: all are whole numbers from 0 to 255, and points are bytes;
    // then every sum is exact.
    static bool applies(const Dataset &data, const Metric &metric, std::int64_t count, bool bytes);

    void run(const Queries &queries, std::int64_t first, std::int64_t count, std::int64_t k, bool bytes,
             std::vector<Leaders> &leaders, Watch &watch);

private:
    void take_differences(const Queries &queries, std::int64_t first, std::int64_t count);
    void take_angles(const Queries &queries, std::int64_t first, std::int64_t count);
    void consider(std::int64_t query, std::int64_t first, Leaders &leaders) const;
    double limit_of(std::int64_t query, double distance) const;

    const Dataset &data_;
    Metric metric_;
    const Angles *angles_;
    ColumnSums sums_;
    ByteBlocks byte_blocks_;
    bool by_blocks_ = false; // byte_blocks_ in place of sums_
    double scale_ = 1;
    bool exact_ = false;
    std::vector<LoneProducts> products_; // of each query, under a metric of angles
};

} // namespace bmo
