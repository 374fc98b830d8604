// The k best of the arms whose sums were computed exactly, and are within a limit: ascending by sum, ties by index.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace bmo {

struct Finished {
    double sum;
    std::int32_t arm;

    friend bool operator<(const Finished &a, const Finished &b) {
        return a.sum < b.sum || (a.sum == b.sum && a.arm < b.arm);
    }
};

// What a query wants: the k arms of least sum, of those whose sum is at most `limit`, but `self` (-1: none is left out).
struct Wanted {
    std::int64_t k = 1;
    std::int64_t self = -1;
    double limit = std::numeric_limits<double>::infinity();
};

class Nearest {
public:
    void reset(std::int64_t k, double limit = std::numeric_limits<double>::infinity()) {
        k_ = static_cast<std::size_t>(k);
        limit_ = limit;
        heap_.clear();
    }

    void offer(Finished arm) {
        if (arm.sum > limit_)
            return;
        if (heap_.size() < k_) {
            heap_.push_back(arm);
            std::push_heap(heap_.begin(), heap_.end());
        } else if (arm < heap_.front()) {
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.back() = arm;
            std::push_heap(heap_.begin(), heap_.end());
        }
    }

    // The k-th smallest sum: the limit until there are k.
    double threshold() const { return heap_.size() < k_ ? limit_ : heap_.front().sum; }
    // The threshold less epsilon: a sum above it is no better, within epsilon, than one that is there. The limit until there are k.
    double target(double epsilon) const { return heap_.size() < k_ ? limit_ : heap_.front().sum - epsilon; }
    double limit() const { return limit_; }

    // Sorts; offer nothing afterwards.
    std::span<const Finished> sorted() {
        std::sort_heap(heap_.begin(), heap_.end());
        return heap_;
    }

private:
    std::size_t k_ = 0;
    double limit_ = std::numeric_limits<double>::infinity();
    std::vector<Finished> heap_; // the worst in front
};

} // namespace bmo
