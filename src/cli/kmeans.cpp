// bmo kmeans: the points in k clusters.
#include <limits>
#include <utility>

#include "failure.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "npz.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "stopwatch.hpp"
#include "subcommands.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

constexpr std::int64_t usual_clusters = 8;

struct Clusters {
    std::int64_t k = 0, n = 0, d = 0, most_iterations = 0, iterations = 0;
    std::vector<double> centers;
    std::vector<std::int32_t> labels;
    double inertia = 0;
    bmo_stats stats = sized<bmo_stats>();
};

// What the options say; the buffers are of `clusters`.
bmo_kmeans run_of(const Arguments &arguments, Clusters &clusters) {
    auto run = sized<bmo_kmeans>();
    const std::string init = arguments.get("init", "plusplus");
    if (init != "plusplus" && init != "random")
        fail_usage(text("--init is '", init, "'; expected plusplus or random"));
    run.init = init == "random" ? BMO_INIT_RANDOM : BMO_INIT_PLUSPLUS;
    const std::int64_t starts = arguments.count("starts", 1);
    if (starts > std::numeric_limits<std::int32_t>::max())
        fail_usage(text("--starts is ", starts, "; expected at most ", std::numeric_limits<std::int32_t>::max()));
    run.n_init = static_cast<std::int32_t>(starts);
    run.max_iter = clusters.most_iterations = arguments.count("max_iter", 100);
    run.k = clusters.k;
    clusters.centers.resize(static_cast<std::size_t>(clusters.k * clusters.d));
    clusters.labels.resize(static_cast<std::size_t>(clusters.n));
    run.centers = clusters.centers.data();
    run.centers_capacity = static_cast<std::int64_t>(clusters.centers.size());
    run.labels = clusters.labels.data();
    run.inertia = &clusters.inertia;
    run.iterations = &clusters.iterations;
    return run;
}

void write_clusters(const Clusters &clusters, OutputFile &file) {
    write_npz_arrays({{"center", "<f8", clusters.k, clusters.d, bytes_of(clusters.centers)},
                      {"label", "<i4", clusters.n, 0, bytes_of(clusters.labels)}},
                     file);
}

std::string clusters_table(const Clusters &clusters) {
    constexpr std::size_t most = 10;
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(clusters.k));
    for (const std::int32_t label : clusters.labels)
        ++sizes[static_cast<std::size_t>(label)];
    std::vector<std::vector<std::string>> rows{{"cluster", "points"}};
    for (std::size_t c = 0; c < std::min(most, sizes.size()); ++c)
        rows.push_back({std::to_string(c), grouped(sizes[c])});
    std::string table = columns(rows, "");
    if (sizes.size() > most)
        table += text("... of ", grouped(clusters.k), " clusters: --out FILE.npz writes all\n");
    return table;
}

std::string clusters_line(const Clusters &clusters, double ms) {
    return text(counted(clusters.n, "point"), " in ", counted(clusters.k, "cluster"), ", inertia ",
                rounded(clusters.inertia), ", after ", counted(clusters.iterations, "move"), " of the centers",
                clusters.iterations == clusters.most_iterations ? " (as many as --max-iter allows)" : "", " in ",
                fixed(ms / 1000, 2),
                " s; gain in operations over computing every distance: ", gain_text(clusters.stats),
                "; every label is that of the nearest center\n");
}

void check_out(const Arguments &arguments, const Clusters &clusters) {
    if (!arguments.get("out").ends_with(".npz"))
        fail_usage(text("--out ", arguments.get("out"), ": the ending is of no known format; expected .npz"));
    const std::uint64_t bytes = bytes_of(clusters.centers).size() + bytes_of(clusters.labels).size();
    if (bytes > npz_limit)
        fail_usage("the centers and labels are more than the 4 GiB that .npz holds; ask for a smaller k");
}

int run_kmeans(const Arguments &arguments) {
    const Config config = config_of(arguments, BMO_CALL_KMEANS);
    Progress progress;
    Times times;
    const Stopwatch reading;
    const Dataset data = open_data(arguments, progress).data;
    times.read_ms = reading.ms();
    const bmo_dataset_info info = describe(data.get());
    Clusters clusters;
    clusters.k = arguments.count("k", usual_clusters);
    clusters.n = info.n;
    clusters.d = info.d;
    if (clusters.k > info.n)
        fail_usage(text("-k is ", clusters.k, ", but DATA has ", counted(info.n, "point"), "; ask for fewer clusters"));
    const bmo_kmeans asked = run_of(arguments, clusters);
    if (arguments.has("out"))
        check_out(arguments, clusters);
    Outputs outputs(arguments);

    bmo_query *handle = nullptr;
    check(bmo_query_create(&handle, data.get(), config.get(), nullptr), exit_usage);
    const Query query(handle);
    const Stopwatch watch;
    const bmo_status status = bmo_query_kmeans(query.get(), &asked, &progress.monitor(), &clusters.stats);
    check(status, status == BMO_EINVAL ? exit_usage : exit_failed); // parameters that do not combine
    times.query_ms = watch.ms();
    progress.clear();

    if (outputs.out())
        write_clusters(clusters, *outputs.out());
    JsonObject report = json_report(clusters.stats, times);
    report.number("inertia", clusters.inertia);
    report.number("iterations", clusters.iterations);
    outputs.commit(report.str(),
                   outputs.out() ? "" : text(clusters_table(clusters), clusters_line(clusters, times.query_ms)));
    return exit_done;
}

} // namespace

Subcommand kmeans_subcommand() {
    return {"kmeans",
            "DATA",
            "the points in k clusters",
            "Puts each point of DATA in one of k clusters, by k-means: each point is nearest to the center of its own "
            "cluster,\n"
            "and each center is moved to the mean of its points, until no label changes. Clusters count from 0. The "
            "labels are\n"
            "exact: each is that of the nearest center.\n"
            "\n"
            "    bmo kmeans points.npy -k 100 --threads 0 --out clusters.npz\n",
            {{"k", "N", "clusters [8]"},
             {"init", "plusplus|random", "how the first centers are chosen among the points [plusplus]"},
             {"starts", "N", "so many starts, the best of which is kept [1]"},
             {"max_iter", "N", "moves of the centers at most [100]"},
             {"out", "FILE", "write all: .npz (arrays center, label); without it the sizes of the clusters are shown"},
             {"json", "FILE", "write what was done: operations, gain, guarantee, times, inertia, iterations"},
             transpose_option()},
            {"metric", "method", "seed", "threads"},
            1,
            1,
            run_kmeans};
}

} // namespace bmo_command
