// What is asked of a query, and what comes back, whatever the entry point and the form of the output.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "handles.hpp"
#include "points.hpp"
#include "random.hpp"

enum class Entry { knn, dense, sparse, rows, graph };

// Queries: `ids` are rows of the points for the entries rows and graph, else rows of the queries.
struct Questions {
    Entry entry = Entry::dense;
    std::vector<std::int64_t> ids;
    std::int64_t k = 1;
    std::vector<double> max_distance; // none, one for all, or one each

    bool are_own() const { return entry == Entry::rows || entry == Entry::graph; }
    std::int64_t self(std::size_t query) const { return are_own() ? ids[query] : -1; }
    std::int64_t count() const { return static_cast<std::int64_t>(ids.size()); }
    double within(std::size_t query) const {
        return max_distance.empty() ? std::numeric_limits<double>::infinity()
                                    : max_distance[max_distance.size() == 1 ? 0 : query];
    }
};

const char *name_of(Entry entry);

struct Answer {
    bmo_status status = BMO_OK;
    std::string message;
    std::vector<std::int64_t> index; // of all queries, k each
    std::vector<double> distance;
    bmo_dtype distance_dtype = BMO_F64;
    bool is_whole = true; // what lies beside the places of neighbors is as it was; done is 1 of each query
    bmo_stats stats{};
    std::vector<bmo_row_stats> rows;
};

// Layouts of queries and outputs are made from the random numbers.
Answer ask(const bmo_query *query, const Made &made, const Questions &questions, Random &random);
