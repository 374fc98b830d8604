// What makes exact scans of dense points faster, and no sample: the points as whole numbers of 8 bits, in panels. To the dense
// box the dataset is as if it were not prepared.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "boxes/dense/dense_prepared.hpp"
#include "boxes/metric.hpp"
#include "boxes/tiles/narrow_codes.hpp"

namespace bmo {

struct ScanPrepared : DensePrepared {
    std::int64_t coded_for = BMO_METRIC_L2; // also serves metrics whose frame is the same
    std::shared_ptr<const NarrowCodes> codes;

    std::vector<SectionSource> sections() const override;
};

// Whether points can be coded for a metric.
bool codes_apply(const Dataset &source, const Metric &metric);

// Whether scans of them are faster then, if the queries are many. Measured: of fewer points or coordinates they are not.
bool codes_pay(const Dataset &source);

std::shared_ptr<const Preparation> prepare_scan(const Dataset &source, const Settings &settings, int threads,
                                                Watch &watch);

// Of a file that has them, the codes are made again.
std::shared_ptr<const Preparation> restore_dense_or_scan(const Dataset &source, const Settings &settings,
                                                         const Sections &sections, Watch &watch);

// Of some of the points: codes are made again, in a frame of their own.
std::shared_ptr<const Preparation> subset_dense_or_scan(const Dataset &whole, std::span<const std::int64_t> rows,
                                                        const Dataset &chosen, Watch &watch);

// The codes of a dataset for a metric; null: it has none.
const NarrowCodes *codes_of(const Dataset &data, const Metric &metric);

// Whether a dataset has samples in the order that they are read in.
bool has_blocks(const Dataset &data);

} // namespace bmo
