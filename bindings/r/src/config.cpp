#include "config.h"

#include <string>

namespace rbmo {
namespace {

bmo_param_info parameter_at(int32_t position) {
    bmo_param_info info{};
    info.struct_size = sizeof info;
    check(bmo_param_at(position, &info));
    return info;
}

bmo_param_info find_parameter(bmo_param param) {
    for (int32_t i = 0;; ++i)
        if (const bmo_param_info info = parameter_at(i); info.param == param)
            return info;
}

Config default_config() {
    return make<Config>([](bmo_config **out) { return bmo_config_create(out); });
}

const char *type_name(int32_t type) {
    switch (type) {
    case BMO_PARAM_TYPE_I64: return "integer";
    case BMO_PARAM_TYPE_F64: return "real";
    default: return "choice";
    }
}

} // namespace

Config config_of(const Rcpp::CharacterVector &settings, const Weights &weights) {
    Config config = default_config();
    const Rcpp::CharacterVector names = settings.names();
    for (R_xlen_t i = 0; i < settings.size(); ++i)
        check(bmo_config_set_text(config.get(), CHAR(names[i]), CHAR(settings[i])));
    if (weights.isNotNull()) {
        const Rcpp::NumericVector values(weights);
        check(bmo_config_set_weights(config.get(), values.begin(), values.size()));
    }
    return config;
}

std::string setting_of(const bmo_config &config, const char *name) {
    size_t needed = 0;
    check(bmo_config_get_text(&config, name, nullptr, 0, &needed));
    std::string value(needed, '\0');
    check(bmo_config_get_text(&config, name, value.data(), value.size(), nullptr));
    value.pop_back();
    return value;
}

std::string choice_name(bmo_param param, int64_t value) {
    const Config config = default_config();
    check(bmo_config_set_i64(config.get(), param, value));
    return setting_of(*config, find_parameter(param).name);
}

} // namespace rbmo

// [[Rcpp::export(rng = false)]]
Rcpp::List parameter_table() {
    const int32_t count = bmo_param_count();
    Rcpp::CharacterVector name(count), type(count), initial(count), choices(count), summary(count);
    Rcpp::NumericVector lower(count, NA_REAL), upper(count, NA_REAL);
    for (int32_t i = 0; i < count; ++i) {
        const bmo_param_info info = rbmo::parameter_at(i);
        name[i] = info.name;
        type[i] = rbmo::type_name(info.type);
        initial[i] = info.initial;
        choices[i] = info.choices;
        summary[i] = info.summary;
        if (info.type == BMO_PARAM_TYPE_I64) {
            lower[i] = static_cast<double>(info.lower_i64);
            upper[i] = static_cast<double>(info.upper_i64);
        } else if (info.type == BMO_PARAM_TYPE_F64) {
            lower[i] = info.lower_f64;
            upper[i] = info.upper_f64;
        }
    }
    return Rcpp::List::create(Rcpp::Named("name") = name, Rcpp::Named("type") = type, Rcpp::Named("default") = initial,
                              Rcpp::Named("lower") = lower, Rcpp::Named("upper") = upper,
                              Rcpp::Named("choices") = choices, Rcpp::Named("summary") = summary);
}
