#include "outputs.hpp"

#include <filesystem>
#include <system_error>

#include "failure.hpp"
#include "input_path.hpp"
#include "interrupt.hpp"
#include "print.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

namespace fs = std::filesystem;

// Devices and pipes take what several write.
bool are_one_file(const std::string &one, const std::string &other) {
    std::error_code failed;
    if (fs::exists(one, failed) && !fs::is_regular_file(one, failed))
        return false;
    const fs::path target = fs::weakly_canonical(one, failed);
    return (!failed && target == fs::weakly_canonical(other, failed) && !failed) || fs::equivalent(one, other, failed);
}

} // namespace

void refuse_to_replace_inputs(const Arguments &arguments, const char *option) {
    std::vector<std::string> inputs = arguments.operands;
    for (const char *name : {"queries", "names"})
        if (arguments.has(name))
            inputs.push_back(arguments.get(name));
    for (const std::string &input : inputs)
        if (arguments.has(option) && input != "-" && are_one_file(arguments.get(option), input_path(input).file))
            fail_usage(text(option_text(option), " ", arguments.get(option), " would replace ", input,
                            ", which is read; choose another name"));
}

Outputs::Outputs(const Arguments &arguments) {
    for (const char *option : {"out", "json"})
        refuse_to_replace_inputs(arguments, option);
    if (arguments.has("out") && arguments.has("json") && are_one_file(arguments.get("out"), arguments.get("json")))
        fail_usage(text("--out and --json are both ", arguments.get("json"), "; choose two names"));
    if (arguments.has("out"))
        out_.emplace(arguments.get("out"));
    if (arguments.has("json"))
        json_.emplace(arguments.get("json"));
}

void Outputs::commit(const std::string &report, const std::string &shown) {
    if (json_)
        json_->write(report);
    for (std::optional<OutputFile> *file : {&out_, &json_})
        if (*file)
            (*file)->finish();
    print(shown);
    stop_if_interrupted();
    if (out_)
        out_->commit();
    if (json_)
        commit_json();
}

void Outputs::commit_json() {
    try {
        json_->commit();
    } catch (const Failure &failure) {
        if (out_)
            fail(text(failure.what(), "; ", out_->path(), " is written"));
        throw;
    }
}

} // namespace bmo_command
