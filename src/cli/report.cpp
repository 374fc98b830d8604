#include "report.hpp"

#include <algorithm>
#include <limits>

#include "help.hpp"
#include "text.hpp"
#include "util/plain_text.hpp"

namespace bmo_command {

namespace {

double gain_of(const bmo_stats &stats) {
    return stats.coord_ops == 0 ? std::numeric_limits<double>::quiet_NaN()
                                : static_cast<double>(stats.coord_ops_brute) / static_cast<double>(stats.coord_ops);
}

} // namespace

std::string gain_text(const bmo_stats &stats) {
    return stats.coord_ops == 0 ? "-" : fixed(gain_of(stats), 1);
}

JsonObject json_report(const bmo_stats &stats, const Times &times) {
    JsonObject json;
    json.text("version", bmo_version_string());
    json.text("isa", bmo_isa());
    json.text("guarantee", bmo_guarantee_name(stats.guarantee));
    json.text("method", choice_text(BMO_PARAM_METHOD, stats.method));
    json.text("box", choice_text(BMO_PARAM_BOX, stats.box));
    json.text("bandit", choice_text(BMO_PARAM_BANDIT, stats.bandit));
    json.text("confidence", choice_text(BMO_PARAM_CONFIDENCE, stats.confidence));
    json.text("sampling", choice_text(BMO_PARAM_SAMPLING, stats.sampling));
    json.number("threads", std::int64_t{stats.threads});
    json.text("assumption", stats.assumption);
    json.text("reason", stats.reason);
    json.number("queries", stats.queries);
    json.number("arms", stats.arms);
    json.number("rounds", stats.rounds);
    json.number("coord_ops_sampled", stats.coord_ops_sampled);
    json.number("exact_evals", stats.exact_evals);
    json.number("coord_ops", stats.coord_ops);
    json.number("coord_ops_exact", stats.coord_ops_exact);
    json.number("coord_ops_brute", stats.coord_ops_brute);
    json.number("projection_ops", stats.projection_ops);
    json.number("arms_pruned", stats.arms_pruned);
    json.number("neighbors", stats.neighbors);
    json.number("seed", stats.seed);
    json.number("delta", stats.delta);
    json.number("epsilon", stats.epsilon);
    json.number("wall_ns", stats.wall_ns);
    json.number("gain", gain_of(stats));
    json.number("read_ms", times.read_ms);
    json.number("prepare_ms", times.prepare_ms);
    json.number("query_ms", times.query_ms);
    return json;
}

std::string guarantee_meaning(const bmo_stats &stats) {
    switch (stats.guarantee) {
    case BMO_GUARANTEE_EXACT: return "every distance was computed";
    case BMO_GUARANTEE_PROVEN:
        return text("each answer is right ", stats.epsilon > 0 ? "within epsilon " : "", "with probability at least ",
                    shortest(1 - stats.delta));
    case BMO_GUARANTEE_CONDITIONAL: return text("proven only if ", stats.assumption);
    case BMO_GUARANTEE_HEURISTIC: return "usually right, without a proof";
    default: return "nothing is promised";
    }
}

std::string summary_line(const bmo_stats &stats, const Times &times) {
    return text(grouped(stats.queries), stats.queries == 1 ? " query" : " queries", " against ",
                counted(stats.arms, "point"), " in ", fixed((times.prepare_ms + times.query_ms) / 1000, 2),
                " s; gain in operations over the full scan: ", gain_text(stats),
                "; guarantee: ", bmo_guarantee_name(stats.guarantee), " (", guarantee_meaning(stats), ")\n");
}

std::string point_text(std::int64_t point, const std::vector<std::string> &names) {
    return names.empty() ? std::to_string(point) : text(point, " ", bmo::plain(names[static_cast<std::size_t>(point)]));
}

std::string answers_table(const Answers &answers) {
    constexpr std::int64_t most_queries = 10, most_ranks = 5;
    const std::int64_t queries = std::min(answers.queries, most_queries), ranks = std::min(answers.k, most_ranks);
    std::vector<std::vector<std::string>> rows{{"query"}};
    for (std::int64_t rank = 1; rank <= ranks; ++rank)
        rows[0].push_back(text("neighbor ", rank, ": distance"));
    for (std::int64_t query = 0; query < queries; ++query) {
        rows.push_back({std::to_string(query)});
        for (std::int64_t rank = 0; rank < ranks; ++rank) {
            const auto at = static_cast<std::size_t>(query * answers.k + rank);
            rows.back().push_back(answers.has(at) ? text(point_text(answers.index[at], answers.names), ": ",
                                                         rounded(answers.distance[at]))
                                                  : "none");
        }
    }
    std::string table = columns(rows, "");
    if (queries < answers.queries || ranks < answers.k)
        table += text("... the whole answer has ", grouped(answers.queries),
                      answers.queries == 1 ? " query with " : " queries with ", counted(answers.k, "neighbor"),
                      " each: --out FILE writes it (", output_endings(), ")\n");
    return table;
}

} // namespace bmo_command
