#include "config.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

constexpr double whole = 9007199254740992.0; // 2^53

// As short as it reads back as the same number, and whole ones without an exponent.
std::string text_of(double number) {
    char text[32];
    if (std::isinf(number))
        return number > 0 ? "Inf" : "-Inf";
    if (number == std::floor(number) && std::abs(number) <= whole) {
        std::snprintf(text, sizeof text, "%.0f", number);
        return text;
    }
    std::snprintf(text, sizeof text, "%.15g", number);
    if (std::strtod(text, nullptr) != number)
        std::snprintf(text, sizeof text, "%.17g", number);
    return text;
}

// NA if it is neither a number nor a text, or a seed that no double surely is.
SEXP text_of_setting(const char *name, SEXP value) {
    if (Rf_xlength(value) != 1 || Rf_isFactor(value))
        return NA_STRING;
    if (TYPEOF(value) == STRSXP)
        return STRING_ELT(value, 0);
    if (!Rf_isNumeric(value))
        return NA_STRING;
    const double number = Rf_asReal(value);
    if (std::isnan(number) || (std::strcmp(name, "seed") == 0 && std::abs(number) > whole))
        return NA_STRING;
    return Rf_mkChar(text_of(number).c_str());
}

std::set<std::string> set_of(const Rcpp::CharacterVector &names) {
    const auto texts = Rcpp::as<std::vector<std::string>>(names);
    return {texts.begin(), texts.end()};
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

const std::string &choice_name(bmo_param param, int64_t value) {
    static std::map<std::pair<bmo_param, int64_t>, std::string> known; // a lone query would feel the search for a name
    std::string &name = known[{param, value}];
    if (name.empty()) {
        const Config config = default_config();
        check(bmo_config_set_i64(config.get(), param, value));
        name = setting_of(*config, find_parameter(param).name);
    }
    return name;
}

} // namespace rbmo

// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector parameter_names() {
    const int32_t count = bmo_param_count();
    Rcpp::CharacterVector names(count);
    for (int32_t i = 0; i < count; ++i)
        names[i] = rbmo::parameter_at(i).name;
    return names;
}

// The value as text; NA if it is neither a number nor a text, or a seed that no double surely is.
// [[Rcpp::export(rng = false)]]
Rcpp::String setting_text(std::string name, SEXP value) {
    return Rcpp::String(rbmo::text_of_setting(name.c_str(), value));
}

// Values of parameters by name as texts by name; NULL if as_settings() has to refuse one. known: names, or NULL for all.
// [[Rcpp::export(rng = false)]]
SEXP setting_texts(Rcpp::List values, Rcpp::Nullable<Rcpp::CharacterVector> known) {
    static const std::set<std::string> all = rbmo::set_of(parameter_names());
    const std::set<std::string> some = known.isNull() ? std::set<std::string>() : rbmo::set_of(known.get());
    const std::set<std::string> &allowed = known.isNull() ? all : some;
    if (values.size() > 0 && Rf_isNull(values.names()))
        return R_NilValue;
    const Rcpp::RObject names = values.names();
    Rcpp::CharacterVector texts(values.size());
    std::set<std::string> seen;
    for (R_xlen_t i = 0; i < values.size(); ++i) {
        const char *name = CHAR(STRING_ELT(names, i));
        texts[i] = rbmo::text_of_setting(name, values[i]);
        if (!allowed.count(name) || !seen.insert(name).second || STRING_ELT(texts, i) == NA_STRING)
            return R_NilValue;
    }
    texts.names() = names;
    return texts;
}

// A seed of R's own generator, so that set.seed() repeats it.
// [[Rcpp::export]]
double draw_seed() {
    return std::floor(unif_rand() * 2147483647.0) + 1;
}

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
