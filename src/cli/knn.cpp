// bmo knn and bmo graph: neighbors of given queries, or of every point.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "candidates.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "names.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "stopwatch.hpp"
#include "subcommands.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

constexpr std::int64_t usual_neighbors = 5, usual_graph_neighbors = 15;

void check_shapes(const bmo_dataset_info &data, const bmo_dataset_info *queries, const Wanted &wanted) {
    const std::int64_t k = wanted.k;
    if (queries && queries->d != data.d)
        fail(text("the queries have ", counted(queries->d, "coordinate"), ", but the points of DATA have ", data.d,
                  "; give files with the same number of columns"));
    const bool own = !queries && !wanted.candidates.any(); // which a query is none of
    const std::int64_t candidates = std::max<std::int64_t>(0, wanted.candidates.most(data.n) - (own ? 1 : 0));
    if (k > candidates && (queries ? queries->n : data.n) > 0)
        fail_usage(
            text("-k is ", k, ", but a query has ", counted(candidates, "candidate"), " in DATA; ask for fewer"));
}

std::optional<double> max_distance_of(const Arguments &arguments) {
    if (!arguments.has("max_distance"))
        return std::nullopt;
    double value = 0;
    if (!parse_real(arguments.get("max_distance"), value) || std::isnan(value))
        fail_usage(text("--max-distance is '", arguments.get("max_distance"), "'; expected a number"));
    return value;
}

int search_among(const Arguments &arguments, std::int64_t usual_k) {
    Wanted wanted{.k = arguments.count("k", usual_k), .max_distance = max_distance_of(arguments)};
    const Config config = config_of(arguments, BMO_CALL_KNN | BMO_CALL_PREPARE);
    const Prepare choice = parse_prepare(arguments.get("prepare", "auto"));
    const OutputFormat *format = arguments.has("out") ? &output_format_for(arguments.get("out")) : nullptr;
    Outputs outputs(arguments);

    Progress progress;
    Times times;
    const Stopwatch reading;
    Input input = open_data(arguments, progress);
    Dataset data = std::move(input.data);
    const bmo_dataset_info points = describe(data.get());
    Dataset queries;
    bmo_dataset_info query_points = points;
    if (arguments.has("queries")) {
        queries = open_queries(arguments, progress).data;
        query_points = describe(queries.get());
    }
    std::vector<std::string> names = names_of(arguments, points.n, std::move(input.names));
    times.read_ms = reading.ms();
    wanted.candidates = candidates_of(arguments, points.n, query_points.n);
    check_shapes(points, queries ? &query_points : nullptr, wanted);
    if (format)
        check_room(*format, query_points.n, wanted.k);
    times.prepare_ms = prepare(data, config, choice, query_points.n, progress.monitor());
    Search search = search_all(data, config, queries.get(), wanted, progress.monitor());
    times.query_ms = search.query_ms;
    search.answers.names = std::move(names);
    progress.clear();

    if (format)
        format->write(search.answers, *outputs.out());
    outputs.commit(json_report(search.stats, times).str(),
                   format ? "" : text(answers_table(search.answers), summary_line(search.stats, times)));
    return exit_done;
}

int run_knn(const Arguments &arguments) {
    return search_among(arguments, usual_neighbors);
}

int run_graph(const Arguments &arguments) {
    return search_among(arguments, usual_graph_neighbors);
}

std::vector<Option> search_options(const char *k_summary) {
    std::vector<Option> options = {
        {"k", "N", k_summary},
        {"max_distance", "R", "leave out neighbors that are farther than R"},
        {"out", "FILE",
         "write all answers: .npz (arrays index, distance), .csv, .tsv or .mtx (queries by points); without it the "
         "first are shown"},
        {"json", "FILE", "write what the search did: operations, gain, guarantee, times"},
        {"prepare", "yes|no|auto", "rearrange the data first; auto: where there are queries enough [auto]"},
        transpose_option(),
        names_option()};
    const std::vector<Option> more = candidate_options();
    options.insert(options.end(), more.begin(), more.end());
    return options;
}

} // namespace

Subcommand knn_subcommand() {
    std::vector<Option> options = search_options("neighbors of each query [5]");
    options.push_back(query_labels_option());
    options.insert(options.begin(),
                   {"queries", "FILE", "the queries, a file like DATA; without it, every point of DATA"});
    return {"knn",
            "DATA",
            "the nearest neighbors of each query",
            "Finds the k nearest points of DATA for each query. Without --queries every point of DATA is a query, and "
            "none is\n"
            "its own neighbor. Indices count from 0; rank 1 is the nearest.\n"
            "\n"
            "    bmo knn points.npy --queries new.npy -k 5 --metric l1 --threads 0 --out neighbors.npz\n",
            std::move(options),
            parameter_names(),
            1,
            1,
            run_knn};
}

Subcommand graph_subcommand() {
    return {"graph",
            "DATA",
            "the nearest neighbors of every point",
            "Finds the k nearest other points of each point of DATA: the k-nearest-neighbor graph. Row i of the "
            "answers has\n"
            "the neighbors of point i; indices count from 0.\n"
            "\n"
            "    bmo graph points.npy -k 15 --threads 0 --out graph.npz\n",
            search_options("neighbors of each point [15]"),
            parameter_names(),
            1,
            1,
            run_graph};
}

} // namespace bmo_command
