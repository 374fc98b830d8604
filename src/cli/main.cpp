// The bmo command: chooses the subcommand and turns failures into a line and an exit code.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "failure.hpp"
#include "help.hpp"
#include "interrupt.hpp"
#include "subcommands.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

std::vector<Subcommand> subcommands() {
    return {knn_subcommand(),     graph_subcommand(), kmeans_subcommand(), medoid_subcommand(),
            prepare_subcommand(), info_subcommand(),  params_subcommand(), demo_subcommand()};
}

int print(const std::string &lines) {
    std::fputs(lines.c_str(), stdout);
    return exit_done;
}

bool asks_for_help(const std::string &word) {
    return word == "--help" || word == "-h";
}

int run(std::vector<std::string> words) {
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
        return print(overview_text(known));
    if (words[0] == "--version")
        return print(text("bmo ", BMO_VERSION_MAJOR, ".", BMO_VERSION_MINOR, ".", BMO_VERSION_PATCH, " (libbmo ",
                          bmo_version_string(), ", ", bmo_isa(), ")\n"));
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const Subcommand &s) { return words[0] == s.name; });
    if (found == known.end())
        fail_usage(text("unknown command ", words[0], "; see bmo --help"));
    words.erase(words.begin());
    const auto end_of_options = std::find(words.begin(), words.end(), "--");
    if (std::any_of(words.begin(), end_of_options, asks_for_help))
        return print(help_text(*found));
    const Arguments arguments = parse_arguments(*found, words);
    catch_interrupts();
    return found->run(arguments);
}

// File names may hold anything: the message stays one line.
int report(std::string message, int exit_code) {
    std::replace_if(
        message.begin(), message.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    std::fprintf(stderr, "bmo: %s\n", message.c_str());
    return exit_code;
}

int run_guarded(const std::vector<std::string> &words) {
    try {
        const int code = run(words);
        if (std::fflush(stdout) != 0 || std::ferror(stdout))
            fail("the standard output cannot be written; is the disk full?");
        return code;
    } catch (const Failure &failure) {
        if (interrupt_signal() != 0)
            return report("interrupted", exit_signalled + interrupt_signal());
        return report(failure.what(), failure.exit_code);
    } catch (const std::bad_alloc &) {
        return report("out of memory; ask for fewer queries or neighbours, or use a machine with more", exit_failed);
    } catch (const std::exception &error) {
        return report(error.what(), exit_failed);
    }
}

} // namespace

} // namespace bmo_command

int main(int count, char **words) {
    return bmo_command::run_guarded(std::vector<std::string>(words + std::min(count, 1), words + count));
}
