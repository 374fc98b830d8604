#include "arguments.hpp"

#include <algorithm>
#include <limits>

#include "failure.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

// Names are written with dashes or underscores.
std::string plain_name(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class Parser {
public:
    Parser(const Subcommand &subcommand, const std::vector<std::string> &words)
        : subcommand_(subcommand), words_(words) {}

    Arguments parse() {
        bool only_operands = false;
        while (next_ < words_.size()) {
            const std::string &word = words_[next_++];
            if (only_operands || word.size() < 2 || word[0] != '-')
                arguments_.operands.push_back(word);
            else if (word == "--")
                only_operands = true;
            else
                option(word);
        }
        check_operands();
        return arguments_;
    }

private:
    [[noreturn]] void refuse(const std::string &what) const {
        fail_usage(text(what, "; see bmo ", subcommand_.name, " --help"));
    }

    // --name VALUE, --name=VALUE, -k VALUE or -kVALUE; --name if it takes none.
    void option(const std::string &word) {
        const bool is_long = word.starts_with("--");
        const std::size_t end = is_long ? std::min(word.find('='), word.size()) : 2;
        const std::string name = plain_name(word.substr(is_long ? 2 : 1, end - (is_long ? 2 : 1)));
        if (!takes(name, is_long))
            refuse(text("unknown option ", word.substr(0, end)));
        if (is_flag(name))
            set_flag(name, word, end);
        else if (end < word.size())
            arguments_.options[name] = word.substr(is_long ? end + 1 : end);
        else if (next_ < words_.size() && !words_[next_].starts_with("--"))
            arguments_.options[name] = words_[next_++];
        else
            refuse(text("option ", word, " needs a value"));
    }

    bool is_flag(const std::string &name) const {
        return std::any_of(subcommand_.options.begin(), subcommand_.options.end(),
                           [&](const Option &option) { return name == option.name && *option.value == '\0'; });
    }

    void set_flag(const std::string &name, const std::string &word, std::size_t end) {
        if (end < word.size())
            refuse(text("option ", word.substr(0, end), " takes no value, but got '", word.substr(end + 1), "'"));
        arguments_.options[name] = "yes";
    }

    bool takes(const std::string &name, bool is_long) const {
        const auto is_named = [&](const auto &entry) { return name == entry.name; };
        const std::vector<std::string> &names = subcommand_.parameters;
        return std::any_of(subcommand_.options.begin(), subcommand_.options.end(), is_named) ||
               (is_long && std::find(names.begin(), names.end(), name) != names.end());
    }

    void check_operands() const {
        const std::size_t given = arguments_.operands.size();
        if (given < subcommand_.least_operands)
            refuse(text("expected ", subcommand_.operands));
        if (given > subcommand_.most_operands)
            refuse(text("unexpected argument ", arguments_.operands[subcommand_.most_operands]));
    }

    const Subcommand &subcommand_;
    const std::vector<std::string> &words_;
    std::size_t next_ = 0;
    Arguments arguments_;
};

} // namespace

std::string Arguments::get(const char *name, const std::string &otherwise) const {
    const auto found = options.find(name);
    return found == options.end() ? otherwise : found->second;
}

std::int64_t Arguments::count(const char *name, std::int64_t otherwise) const {
    std::int64_t value = otherwise;
    if (has(name) && (!parse_whole(get(name), value) || value < 1))
        fail_usage(text(option_text(name), " is '", get(name), "'; expected a whole number from 1 to ",
                        std::numeric_limits<std::int64_t>::max()));
    return value;
}

Arguments parse_arguments(const Subcommand &subcommand, const std::vector<std::string> &words) {
    return Parser(subcommand, words).parse();
}

namespace {

// Among the library's metrics is one for callbacks, which a command cannot have.
void check_metric(const std::string &metric, const bmo_param_info &info) {
    if (metric == no_metric)
        fail_usage("--metric custom needs a callback, which programs give; expected another metric");
    const std::vector<std::string> known = choices_of(info);
    if (std::find(known.begin(), known.end(), metric) != known.end())
        return;
    std::string names;
    for (const std::string &name : known)
        names += text(" ", name);
    fail_usage(text("metric is \"", metric, "\"; expected one of:", names));
}

} // namespace

Config config_of(const Arguments &arguments, std::uint32_t calls) {
    Config config = make_config();
    for (const bmo_param_info &info : parameters()) {
        if (!arguments.has(info.name))
            continue;
        if (info.param == BMO_PARAM_METRIC)
            check_metric(arguments.get(info.name), info);
        check(bmo_config_set_text(config.get(), info.name, arguments.get(info.name).c_str()), exit_usage);
    }
    check(bmo_config_check(config.get(), calls), exit_usage);
    return config;
}

std::string dashed(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

std::string option_text(const std::string &name) {
    return text(name.size() == 1 ? "-" : "--", dashed(name));
}

} // namespace bmo_command
