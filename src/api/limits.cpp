#include "api/limits.hpp"

#include <cmath>

#include "api/strides.hpp"
#include "api/structs.hpp"

namespace bmo {

namespace {

void check_max_distance(const bmo_limits &limits, std::int64_t queries, const std::string &argument) {
    const std::string name = argument + ".max_distance", count_name = name + "_count";
    const std::int64_t count = limits.max_distance_count;
    if (!limits.max_distance) {
        if (count != 0)
            refuse(count_name, count, "0, for ", name, " is NULL");
        return;
    }
    if (count != 1 && count != queries)
        refuse(count_name, count, "1, or ", queries, ", the number of queries");
    check_alignment(limits.max_distance, alignof(double), name);
    for (std::int64_t i = 0; i < count; ++i)
        if (std::isnan(limits.max_distance[i]))
            fail(BMO_EINVAL, name, text(Word{name}, "[", Position{i}, "] is NaN; expected a number"), i);
}

} // namespace

Limits::Limits(const bmo_limits *limits, std::int64_t queries, const std::string &argument) {
    if (!limits)
        return;
    limits_ = read_struct(limits, argument);
    if (limits_.reserved != 0)
        refuse(argument + ".reserved", limits_.reserved, "0");
    check_max_distance(limits_, queries, argument);
    if (limits_.max_pairs < 0)
        refuse(argument + ".max_pairs", limits_.max_pairs, "0 or more");
}

void Limits::set(Queries &queries) const {
    queries.max_distance = limits_.max_distance;
    queries.one_max_distance = limits_.max_distance_count == 1;
}

} // namespace bmo
