// bmo params: the library's table of parameters.

#include "failure.hpp"
#include "help.hpp"
#include "print.hpp"
#include "subcommands.hpp"

namespace bmo_command {

namespace {

int run_params(const Arguments &) {
    std::vector<std::vector<std::string>> rows{{"name", "default", "values", "meaning"}};
    for (const bmo_param_info &info : parameters())
        rows.push_back({info.name, info.initial, values_text(info), info.summary});
    print(columns(rows, ""));
    return exit_done;
}

} // namespace

Subcommand params_subcommand() {
    return {"params",
            "",
            "the parameters of a search",
            "Lists every parameter with its default and its values. Each is an option of knn, graph and demo; kmeans, "
            "medoid\n"
            "and prepare have those that count there.\n",
            {},
            {},
            0,
            0,
            run_params};
}

} // namespace bmo_command
