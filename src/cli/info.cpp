// bmo info: what a data file holds.
#include <string_view>

#include "failure.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "print.hpp"
#include "progress.hpp"
#include "stopwatch.hpp"
#include "subcommands.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

// Of the metric that a preparation is for.
std::string metrics_text(const bmo_dataset_info &info) {
    switch (info.metric) {
    case 0: return "";
    case BMO_METRIC_L2: return " and metric l2 or sqeuclidean";
    default:
        return info.box == BMO_BOX_PROJECTED ? text(" and metric ", choice_text(BMO_PARAM_METRIC, info.metric))
                                             : " and metric cosine or inner_product";
    }
}

int run_info(const Arguments &arguments) {
    Progress progress;
    const Stopwatch watch;
    const Input input = open_data(arguments, progress);
    const bmo_dataset_info info = describe(input.data.get());
    const std::uint64_t mapped = input.is_mapped ? info.bytes_borrowed : 0;
    const std::uint64_t held = info.bytes_owned + info.bytes_borrowed - mapped;
    progress.clear();
    constexpr std::int32_t sparse = 2;
    std::vector<std::vector<std::string>> rows{
        {"points", std::to_string(info.n)},
        {"coordinates", std::to_string(info.d)},
        {"values", text(bmo_dtype_name(info.dtype), ", all finite")},
        {"memory", text(bytes_text(held), " held, ", bytes_text(mapped), " mapped from the file")},
        {"read in", text(fixed(watch.ms() / 1000, 2), " s")}};
    if (info.kind == sparse)
        rows.push_back({"sparse", counted(info.nnz, "stored value")});
    if (info.box != BMO_BOX_AUTO)
        rows.push_back({"prepared", text("for box ", choice_text(BMO_PARAM_BOX, info.box), metrics_text(info),
                                         ", with seed ", info.seed)});
    print(columns(rows, ""));
    return exit_done;
}

} // namespace

Subcommand info_subcommand() {
    return {"info",
            "DATA",
            "what a data file holds",
            "Reads DATA, checks every value, and prints the number of points and coordinates, the type they are "
            "kept in, and what they are prepared for.\n",
            {transpose_option()},
            {},
            1,
            1,
            run_info};
}

} // namespace bmo_command
