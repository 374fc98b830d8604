#include "library.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "failure.hpp"
#include "text.hpp"

namespace bmo_command {

void check(bmo_status status, int exit_code) {
    if (status != BMO_OK)
        throw Failure(exit_code, bmo_last_error());
}

void check(bmo_status status) {
    check(status, exit_failed);
}

std::vector<bmo_param_info> parameters() {
    std::vector<bmo_param_info> table(static_cast<std::size_t>(bmo_param_count()), sized<bmo_param_info>());
    for (std::size_t i = 0; i < table.size(); ++i)
        check(bmo_param_at(static_cast<std::int32_t>(i), &table[i]));
    return table;
}

std::vector<std::string> parameter_names() {
    std::vector<std::string> names;
    for (const bmo_param_info &info : parameters())
        names.emplace_back(info.name);
    return names;
}

std::vector<std::string> choices_of(const bmo_param_info &info) {
    std::vector<std::string> names;
    std::string_view rest = info.choices;
    while (!rest.empty()) {
        const std::string_view name = rest.substr(0, rest.find('|'));
        rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        if (info.param != BMO_PARAM_METRIC || name != no_metric)
            names.emplace_back(name);
    }
    return names;
}

Config make_config() {
    bmo_config *config = nullptr;
    check(bmo_config_create(&config));
    return Config(config);
}

Config copy_of(const Config &config) {
    bmo_config *copy = nullptr;
    check(bmo_config_copy(&copy, config.get()));
    return Config(copy);
}

std::string parameter_text(const Config &config, const char *name) {
    std::size_t size = 0;
    check(bmo_config_get_text(config.get(), name, nullptr, 0, &size));
    std::string value(size, '\0');
    check(bmo_config_get_text(config.get(), name, value.data(), value.size(), &size));
    value.pop_back();
    return value;
}

std::string choice_text(bmo_param param, std::int64_t value) {
    const Config config = make_config();
    check(bmo_config_set_i64(config.get(), param, value));
    for (const bmo_param_info &info : parameters())
        if (info.param == param)
            return parameter_text(config, info.name);
    fail(text("the library has no parameter of number ", param));
}

Dataset open_dataset(const std::string &path, const bmo_monitor &monitor, bool transpose) {
    bmo_dataset *dataset = nullptr;
    const std::uint32_t flags = transpose ? BMO_BORROW | BMO_TRANSPOSE : BMO_BORROW;
    check(bmo_dataset_open(&dataset, path.c_str(), flags, &monitor));
    return Dataset(dataset);
}

bmo_dataset_info describe(const bmo_dataset *dataset) {
    auto info = sized<bmo_dataset_info>();
    check(bmo_dataset_describe(dataset, &info));
    return info;
}

} // namespace bmo_command
