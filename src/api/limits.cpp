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

// Labels are needed, or they are not.
void check_labels(const bmo_limits &limits, const Queries &queries, LabelRule rule, const std::string &argument) {
    const std::string name = argument + ".query_labels", count_name = argument + ".query_label_count";
    const bool needed = rule != LabelRule::none && !queries.own_points;
    if (limits.query_labels && !needed)
        fail(
            BMO_EINVAL, name,
            text(Word{name}, " are set; expected NULL, for ",
                 rule == LabelRule::none ? "labels do not count here" : "the queries have the labels of their points"));
    if (!limits.query_labels && needed && queries.count > 0)
        fail(BMO_EINVAL, name, text(Word{name}, " is NULL; expected the label of each query"));
    const std::int64_t labels = limits.query_labels ? queries.count : 0;
    if (limits.query_label_count != labels)
        refuse(count_name, limits.query_label_count, labels,
               limits.query_labels ? ", the number of queries" : ", for there are no labels of queries");
    check_alignment(limits.query_labels, alignof(std::int32_t), name);
}

} // namespace

Limits::Limits(const bmo_limits *limits, const Queries &queries, LabelRule rule, const std::string &argument) {
    if (limits)
        limits_ = read_struct(limits, argument);
    if (limits_.reserved != 0)
        refuse(argument + ".reserved", limits_.reserved, "0");
    check_max_distance(limits_, queries.count, argument);
    if (limits_.max_pairs < 0)
        refuse(argument + ".max_pairs", limits_.max_pairs, "0 or more");
    check_labels(limits_, queries, rule, argument);
}

void Limits::set(Queries &queries) const {
    queries.max_distance = limits_.max_distance;
    queries.one_max_distance = limits_.max_distance_count == 1;
    queries.labels = limits_.query_labels;
}

} // namespace bmo
