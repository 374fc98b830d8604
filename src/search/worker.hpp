// One thread's part of a search: a box that is bound to one query after another, and the memory that its races use.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "bandit/race.hpp"
#include "data/queries.hpp"
#include "search/scan.hpp"
#include "util/watch.hpp"

namespace bmo {

class Worker {
public:
    Worker() = default;
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;
    virtual ~Worker() = default;

    virtual void bind(const Queries &queries, std::int64_t query) = 0;

    // The k nearest of the bound query's candidates; `nearest` has them afterwards.
    virtual Cost race(const RaceRule &rule, Watch &watch) = 0;
    virtual Cost scan(std::int64_t k, std::int64_t self, Watch &watch) = 0;
    virtual Nearest &nearest() = 0;

    // What a sum is as a distance (infinite: beyond double), and what an epsilon is as a sum, for the bound query.
    virtual double distance(double sum) const = 0;
    virtual double sum_of_epsilon(double epsilon) const = 0;

    // Coordinate operations of the full scan for the bound query.
    virtual std::uint64_t brute_ops(std::int64_t self) const = 0;
};

template <Box B>
class BoxWorker final : public Worker {
public:
    template <class... Arguments>
    explicit BoxWorker(Arguments &&...arguments) : box_(std::forward<Arguments>(arguments)...) {}

    void bind(const Queries &queries, std::int64_t query) override { box_.bind(queries, query); }
    Cost race(const RaceRule &rule, Watch &watch) override {
        Cost cost = Race(box_, rule, work_, watch).run();
        if constexpr (requires { box_.project_ops(); })
            cost.project_ops = box_.project_ops();
        return cost;
    }
    Cost scan(std::int64_t k, std::int64_t self, Watch &watch) override {
        return bmo::scan(box_, k, self, watch, work_.nearest);
    }
    Nearest &nearest() override { return work_.nearest; }
    double distance(double sum) const override { return box_.distance(sum); }
    double sum_of_epsilon(double epsilon) const override { return box_.sum_of_epsilon(epsilon); }
    std::uint64_t brute_ops(std::int64_t self) const override { return box_.brute_ops(self); }

private:
    B box_;
    RaceWorkspace work_;
};

} // namespace bmo
