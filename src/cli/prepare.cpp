// bmo prepare: points prepared for searching, in a file.
#include "failure.hpp"
#include "inputs.hpp"
#include "outputs.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "search.hpp"
#include "stopwatch.hpp"
#include "subcommands.hpp"
#include "text.hpp"
#include "util/plain_text.hpp"

namespace bmo_command {

namespace {

int run_prepare(const Arguments &arguments) {
    const Config config = config_of(arguments, BMO_CALL_PREPARE);
    if (!arguments.has("out"))
        fail_usage("expected --out FILE: where to write what is prepared");
    const std::string path = arguments.get("out");
    if (!path.ends_with(".bmo")) // by which it is known when it is opened
        fail_usage(text("--out is ", path, "; expected a name that ends in .bmo"));
    refuse_to_replace_inputs(arguments, "out");
    Progress progress;
    const Stopwatch watch;
    Dataset dataset = open_data(arguments, progress).data;
    prepare(dataset, config, Prepare::yes, 0, progress.monitor());
    const bmo_dataset_info info = describe(dataset.get());
    const std::string line =
        text(bmo::plain(path), ": ", counted(info.n, "point"), " of ", counted(info.d, "coordinate"),
             ", prepared for box ", choice_text(BMO_PARAM_BOX, info.box), " in ", fixed(watch.ms() / 1000, 2), " s\n");
    check(bmo_dataset_save(dataset.get(), path.c_str(), &progress.monitor()));
    progress.clear();
    try {
        print(line);
    } catch (const Failure &failure) {
        fail(text(failure.what(), " ", path, " is written"));
    }
    return exit_done;
}

} // namespace

Subcommand prepare_subcommand() {
    return {
        "prepare",
        "DATA",
        "points prepared for searching, in a file",
        "Prepares the points of DATA for the box and seed among the parameters, and writes both to a .bmo file. That "
        "is DATA\n"
        "for the other commands: they take the seed from it, and need not prepare it again.\n"
        "\n"
        "    bmo prepare points.npy --box rotated --out points.bmo\n"
        "    bmo knn points.bmo --queries new.npy\n",
        {{"out", "FILE", "the .bmo file; an older one stays as it is until the new one is complete"},
         transpose_option()},
        {"metric", "box", "seed", "threads"},
        1,
        1,
        run_prepare};
}

} // namespace bmo_command
