// The search among some of a dataset's points: chosen rows, or those whose label fits that of the query.
//
// Each part of the candidates is a dataset of its own, prepared as the whole is. Of several parts, each is searched within the k-th
// distance that the parts before it gave: it is never below the true one. A true neighbor that is dropped is dropped in its own part,
// and k of them share delta, as if there were one search (docs/statistics.md).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/dataset.hpp"
#include "data/queries.hpp"
#include "data/settings.hpp"
#include "search/among/candidates.hpp"
#include "search/knn.hpp"
#include "search/neighbor_search.hpp"
#include "util/watch.hpp"

namespace bmo {

class AmongSearch : public NeighborSearch {
public:
    // There is a candidate. Fails as KnnSearch does.
    AmongSearch(std::shared_ptr<const Dataset> data, const Settings &settings, Candidates candidates, Watch &watch);

    const Dataset &data() const override { return *data_; }
    const Settings &settings() const override { return settings_; }
    std::int64_t most_candidates(bool) const override { return parts_.points(); }
    LabelRule label_rule() const override { return parts_.rule(); }
    void run(const Queries &queries, std::int64_t k, const Deliver &deliver, Watch &watch,
             bmo_stats &stats) const override;

private:
    std::unique_ptr<KnnSearch> search_of(const CandidatePart &part, const Settings &asked, Watch &watch) const;

    std::shared_ptr<const Dataset> data_;
    Settings settings_;
    CandidateParts parts_;
    std::vector<std::unique_ptr<KnnSearch>> searches_; // of each part
};

} // namespace bmo
