// The k best of the arms whose sums were computed exactly: ascending by sum, ties by index.
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

class Nearest {
public:
    void reset(std::int64_t k) {
        k_ = static_cast<std::size_t>(k);
        heap_.clear();
    }

    void offer(Finished arm) {
        if (heap_.size() < k_) {
            heap_.push_back(arm);
            std::push_heap(heap_.begin(), heap_.end());
        } else if (arm < heap_.front()) {
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.back() = arm;
            std::push_heap(heap_.begin(), heap_.end());
        }
    }

    // The k-th smallest sum: infinite until there are k.
    double threshold() const { return heap_.size() < k_ ? std::numeric_limits<double>::infinity() : heap_.front().sum; }

    // Sorts; offer nothing afterwards.
    std::span<const Finished> sorted() {
        std::sort_heap(heap_.begin(), heap_.end());
        return heap_;
    }

private:
    std::size_t k_ = 0;
    std::vector<Finished> heap_; // the worst in front
};

} // namespace bmo
