// bmo medoid: the point of least mean distance to the others.
#include <utility>

#include "failure.hpp"
#include "inputs.hpp"
#include "names.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "search.hpp"
#include "stopwatch.hpp"
#include "subcommands.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

std::string medoid_line(const bmo_medoid &medoid, const bmo_stats &stats, double ms,
                        const std::vector<std::string> &names) {
    return text("point ", point_text(medoid.index, names), " of ", grouped(stats.arms), ": mean distance ",
                rounded(medoid.mean_distance), " to the others; found in ", fixed(ms / 1000, 2),
                " s; gain in operations over computing every distance: ", gain_text(stats),
                "; guarantee: ", bmo_guarantee_name(stats.guarantee), " (", guarantee_meaning(stats), ")\n");
}

int run_medoid(const Arguments &arguments) {
    const Config config = config_of(arguments, BMO_CALL_MEDOID);
    Outputs outputs(arguments);
    Progress progress;
    Times times;
    const Stopwatch reading;
    Input input = open_data(arguments, progress);
    const Dataset data = std::move(input.data);
    const std::vector<std::string> names = names_of(arguments, describe(data.get()).n, std::move(input.names));
    times.read_ms = reading.ms();
    bmo_query *handle = nullptr;
    check(bmo_query_create(&handle, data.get(), config.get(), nullptr), exit_usage);
    const Query query(handle);
    auto medoid = sized<bmo_medoid>();
    auto stats = sized<bmo_stats>();
    const Stopwatch watch;
    const bmo_status status = bmo_query_medoid(query.get(), &medoid, &progress.monitor(), &stats);
    check(status, status == BMO_EINVAL ? exit_usage : exit_failed); // parameters that do not combine
    times.query_ms = watch.ms();
    progress.clear();

    JsonObject report = json_report(stats, times);
    report.number("index", medoid.index);
    report.number("mean_distance", medoid.mean_distance);
    outputs.commit(report.str(), medoid_line(medoid, stats, times.query_ms, names));
    return exit_done;
}

} // namespace

Subcommand medoid_subcommand() {
    return {
        "medoid",
        "DATA",
        "the point of least mean distance to the others",
        "Finds the medoid of DATA: the point whose mean distance to the others is least, ties to the lowest index. "
        "Indices\n"
        "count from 0.\n"
        "\n"
        "    bmo medoid points.npy --metric l1 --threads 0\n",
        {{"json", "FILE", "write the index, the mean distance and what was done: operations, gain, guarantee, times"},
         transpose_option(),
         names_option()},
        {"metric", "p", "method", "box", "delta", "seed", "threads"},
        1,
        1,
        run_medoid};
}

} // namespace bmo_command
