#include "search/sparse/bound_sparse_box.hpp"

#include <algorithm>
#include <vector>

#include "boxes/sparse/overlap_box.hpp"
#include "boxes/sparse/sparse_angular_query.hpp"
#include "boxes/sparse/sparse_index.hpp"
#include "boxes/sparse/sparse_query.hpp"
#include "search/choice/method_choice.hpp"
#include "search/sparse/overlap_race.hpp"
#include "search/sparse/overlap_scan.hpp"
#include "search/sparse/union_arms.hpp"
#include "util/failure.hpp"

namespace bmo {
namespace {

// Combinations of parameters leave each box of sparse points some of these.
class SparseSeat : public QuerySlot {
public:
    Cost sample(const AdaptiveRule &, Draw, std::uint64_t, Watch &) override { fail_unreached(); }
    Cost sample_all(const UniformRule &, Watch &) override { fail_unreached(); }

protected:
    [[noreturn]] static void fail_unreached() {
        fail(BMO_EINTERNAL, "method", "sparse points were to be searched in a way that plan.cpp should have refused");
    }
};

class OverlapSlot final : public SparseSeat {
public:
    OverlapSlot(const Dataset &data, const SparseIndex &index, const Metric &metric) : box(data, index, metric) {}

    void bind(const Queries &queries, std::int64_t query) override { box.bind(queries, query); }
    Cost scan(const Wanted &wanted, Watch &watch) override { return scan_overlaps(box, wanted, work.nearest, watch); }
    Cost race(const RaceRule &rule, Watch &watch) {
        box.draw_population();
        return OverlapRace(box, rule, work, watch).run();
    }
    Nearest &nearest() override { return work.nearest; }
    double exact(std::int32_t arm) override { return box.difference_sum(arm); }
    std::uint64_t exact_ops(std::int32_t arm) const override { return box.difference_ops(arm); }
    double distance(double sum) const override { return box.distance(sum); }
    double sum_of_epsilon(double epsilon) const override { return box.sum_of_epsilon(epsilon); }
    std::uint64_t brute_ops(std::int64_t self) const override { return box.brute_ops(self); }

    OverlapBox box;
    OverlapWorkspace work;
};

class UnionSlot final : public SparseSeat {
public:
    UnionSlot(const Dataset &data, const SparseIndex &index, const Metric &metric)
        : data_(data), index_(index), query_(data, index, metric) {}

    void bind(const Queries &queries, std::int64_t query) override { query_.bind(queries, query); }
    Cost scan(const Wanted &wanted, Watch &watch) override {
        return scan_sums(query_, data_.n(), wanted, nearest_, watch);
    }
    Cost race(const RaceRule &, Watch &) { fail_unreached(); }
    Cost sample(const AdaptiveRule &rule, Draw, std::uint64_t stream, Watch &watch) override {
        return sample_union(query_, data_, index_, rule, stream, watch, nearest_);
    }
    Nearest &nearest() override { return nearest_; }
    double exact(std::int32_t arm) override { return query_.sum(arm); }
    std::uint64_t exact_ops(std::int32_t arm) const override { return query_.sum_ops(arm); }
    double distance(double sum) const override { return query_.distance(sum); }
    double sum_of_epsilon(double epsilon) const override { return query_.sum_of_epsilon(epsilon); }
    std::uint64_t brute_ops(std::int64_t self) const override { return query_.brute_ops(self); }

private:
    const Dataset &data_;
    const SparseIndex &index_;
    SparseQuery query_;
    Nearest nearest_;
};

// Scans alone. Query: SparseQuery, or SparseAngularQuery.
template <class Query>
class ScanSlot final : public SparseSeat {
public:
    template <class How>
    ScanSlot(const Dataset &data, const SparseIndex &index, const How &how)
        : query_(data, index, how), arms_(data.n()) {}

    void bind(const Queries &queries, std::int64_t query) override { query_.bind(queries, query); }
    Cost scan(const Wanted &wanted, Watch &watch) override { return scan_sums(query_, arms_, wanted, nearest_, watch); }
    Cost race(const RaceRule &, Watch &) { fail_unreached(); }
    Nearest &nearest() override { return nearest_; }
    double exact(std::int32_t arm) override { return query_.sum(arm); }
    std::uint64_t exact_ops(std::int32_t arm) const override { return query_.sum_ops(arm); }
    double distance(double sum) const override { return query_.distance(sum); }
    double sum_of_epsilon(double epsilon) const override { return query_.sum_of_epsilon(epsilon); }
    std::uint64_t brute_ops(std::int64_t self) const override { return query_.brute_ops(self); }

private:
    Query query_;
    std::int64_t arms_;
    Nearest nearest_;
};

// how: a Metric, or Angles.
template <class S, class How>
class SparseWorker final : public Worker {
public:
    SparseWorker(const Dataset &data, const SparseIndex &index, const How &how)
        : data_(data), index_(index), how_(how) {}

    S &slot(std::size_t i) override {
        while (slots_.size() <= i)
            slots_.push_back(std::make_unique<S>(data_, index_, how_));
        return *slots_[i];
    }
    void race(std::span<const RaceRule> rules, Watch &watch, std::span<Cost> costs) override {
        for (std::size_t i = 0; i < rules.size(); ++i)
            costs[i] = slot(i).race(rules[i], watch);
    }

private:
    const Dataset &data_;
    const SparseIndex &index_;
    const How &how_;
    std::vector<std::unique_ptr<S>> slots_;
};

SparseScan scan_of(const SparseIndex &index, const Dataset &data) {
    double pairs = 0;
    for (std::int64_t t = 0; t < index.ranks(); ++t) {
        const auto entries = static_cast<double>(index.entries(static_cast<std::int32_t>(t)));
        pairs += entries * entries;
    }
    const auto n = static_cast<double>(std::max<std::int64_t>(1, data.n()));
    return {.of_counts = 2 * index.counted >= data.nnz(), .shared = pairs / (n * n)};
}

class BoundSparseBox final : public BoundBox {
public:
    BoundSparseBox(const Dataset &data, const Plan &plan, Watch &watch)
        : data_(data), metric_(plan.metric), union_(plan.settings.box == BMO_BOX_SPARSE_UNION),
          index_(std::dynamic_pointer_cast<const SparseIndex>(data.prepared)) {
        if (!index_)
            index_ = build_sparse_index(data, plan.settings.seed,
                                        scans_always(data, plan) ? IndexUse::scans : IndexUse::all, watch);
        scan_ = scan_of(*index_, data);
        if (is_angular(plan.settings.metric))
            angles_ = std::make_unique<Angles>(norms_of(data.points(), threads_of(plan.settings), watch),
                                               plan.settings.metric, 0);
    }

    std::unique_ptr<Worker> make_worker() const override {
        if (union_)
            return worker<UnionSlot>(metric_);
        if (angles_)
            return worker<ScanSlot<SparseAngularQuery>>(*angles_);
        return metric_.overlaps() ? worker<OverlapSlot>(metric_) : worker<ScanSlot<SparseQuery>>(metric_);
    }
    std::int64_t raced_together(std::int64_t) const override { return 1; }
    SparseScan sparse_scan() const override { return scan_; }

private:
    template <class S, class How>
    std::unique_ptr<Worker> worker(const How &how) const {
        return std::make_unique<SparseWorker<S, How>>(data_, *index_, how);
    }

    const Dataset &data_;
    Metric metric_;
    bool union_;                               // the box
    std::shared_ptr<const SparseIndex> index_; // the preparation, or one of its own
    std::unique_ptr<const Angles> angles_;     // of cosine and inner product
    SparseScan scan_;
};

} // namespace

std::unique_ptr<BoundBox> bind_sparse(const Dataset &data, const Plan &plan, Watch &watch) {
    return std::make_unique<BoundSparseBox>(data, plan, watch);
}

} // namespace bmo
