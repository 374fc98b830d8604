// The bmo command: chooses the subcommand and turns failures into a line and an exit code.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "failure.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "print.hpp"
#include "subcommands.hpp"
#include "text.hpp"
#include "util/plain_text.hpp"

namespace bmo_command {

namespace {

std::vector<Subcommand> subcommands() {
    return {knn_subcommand(),     graph_subcommand(), kmeans_subcommand(), medoid_subcommand(),
            prepare_subcommand(), info_subcommand(),  params_subcommand(), demo_subcommand()};
}

int show(const std::string &lines) {
    print(lines);
    return exit_done;
}

bool asks_for_help(const std::string &word) {
    return word == "--help" || word == "-h";
}

int run_command(std::vector<std::string> words) {
    const std::vector<Subcommand> known = subcommands();
    if (words.empty())
        fail_usage("expected a command; see bmo --help");
    if (words[0] == "help") { // bmo help X is bmo X --help
        if (words.size() > 2)
            fail_usage(text("unexpected argument ", words[2], "; expected bmo help, or bmo help COMMAND"));
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    if (asks_for_help(words[0]))
        return show(overview_text(known));
    if (words[0] == "--version")
        return show(text("bmo ", BMO_VERSION_MAJOR, ".", BMO_VERSION_MINOR, ".", BMO_VERSION_PATCH, " (libbmo ",
                         bmo_version_string(), ", ", bmo_isa(), ")\n"));
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Subcommand &s) { return words[0] == s.name; });
    if (found == known.end())
        fail_usage(text("unknown command ", words[0], "; see bmo --help"));
    words.erase(words.begin());
    const auto end_of_options = std::find(words.begin(), words.end(), "--");
    if (std::any_of(words.begin(), end_of_options, asks_for_help))
        return show(help_text(*found));
    const Arguments arguments = parse_arguments(*found, words);
    catch_interrupts();
    return found->run(arguments);
}

// File names may hold anything: the message stays one line. Allocates nothing.
int report(std::string_view message, int exit_code) noexcept {
    char line[8192];
    bmo::copy_plain(line, sizeof line, message);
    std::fprintf(stderr, "bmo: %s\n", line);
    return exit_code;
}

// As a command ends that never heard of the signal, but for the temporary files.
int end_by_broken_pipe() noexcept {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    return exit_signalled + SIGPIPE;
}

int run_guarded(char **first, char **last) noexcept {
    try {
        return run_command({first, last});
    } catch (const Failure &failure) {
        if (interrupt_signal() == SIGPIPE)
            return end_by_broken_pipe();
        if (interrupt_signal() != 0)
            return report("interrupted", exit_signalled + interrupt_signal());
        return report(failure.what(), failure.exit_code);
    } catch (const std::bad_alloc &) {
        return report("out of memory; ask for fewer queries or neighbors, or use a machine with more", exit_failed);
    } catch (const std::exception &error) {
        return report(error.what(), exit_failed);
    }
}

} // namespace

} // namespace bmo_command

int main(int count, char **words) {
    return bmo_command::run_guarded(words + std::min(count, 1), words + count);
}
