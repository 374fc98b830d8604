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

bool is_parameter(const char *name) {
    static const auto known = [] {
        std::set<std::string> names;
        for (int32_t i = 0; i < bmo_param_count(); ++i)
            names.insert(parameter_at(i).name);
        return names;
    }();
    return known.count(name) > 0;
}

// The functions of R that parameters are for, without their bmo_.
constexpr struct {
    const char *name;
    uint32_t bit;
} calls[] = {{"knn", BMO_CALL_KNN},       {"radius", BMO_CALL_RADIUS},  {"kmeans", BMO_CALL_KMEANS},
             {"medoid", BMO_CALL_MEDOID}, {"best_arms", BMO_CALL_ARMS}, {"prepare", BMO_CALL_PREPARE}};

// A result of R's that is given again for arguments that are identical: a lone query would feel making it anew.
class Memo {
public:
    // NULL: it was made of others.
    SEXP find(SEXP first, SEXP second) const {
        const bool same = kept_ && R_compute_identical(VECTOR_ELT(kept_, 0), first, 16) &&
                          R_compute_identical(VECTOR_ELT(kept_, 1), second, 16);
        return same ? VECTOR_ELT(kept_, 2) : nullptr;
    }

    void keep(SEXP first, SEXP second, SEXP result) {
        for (SEXP part : {first, second, result})
            MARK_NOT_MUTABLE(part);
        const Rcpp::List made = Rcpp::List::create(first, second, result);
        R_PreserveObject(made);
        if (kept_)
            R_ReleaseObject(kept_);
        kept_ = made;
    }

private:
    SEXP kept_ = nullptr;
};

uint32_t bits_of(const Rcpp::CharacterVector &names) {
    uint32_t bits = 0;
    for (const char *name : names)
        for (const auto &call : calls)
            if (std::strcmp(call.name, name) == 0)
                bits |= call.bit;
    return bits;
}

std::string names_of(uint32_t bits) {
    std::string names;
    for (const auto &call : calls)
        if (bits & call.bit)
            names += (names.empty() ? "" : "|") + std::string(call.name);
    return names;
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

int64_t seed_from(const std::string &text) {
    const Config config = default_config();
    check(bmo_config_set_text(config.get(), "seed", text.c_str()));
    int64_t seed = 0;
    check(bmo_config_get_i64(config.get(), BMO_PARAM_SEED, &seed));
    return seed;
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

// The parameters that one of the calls reads, such as "knn".
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector parameter_names(Rcpp::CharacterVector calls) {
    const uint32_t bits = rbmo::bits_of(calls);
    std::vector<std::string> names;
    for (int32_t i = 0; i < bmo_param_count(); ++i)
        if (const bmo_param_info info = rbmo::parameter_at(i); info.calls & bits)
            names.emplace_back(info.name);
    return Rcpp::wrap(names);
}

// The value as text; NA if it is neither a number nor a text, or a seed that no double surely is.
// [[Rcpp::export(rng = false)]]
Rcpp::String setting_text(std::string name, SEXP value) {
    return Rcpp::String(rbmo::text_of_setting(name.c_str(), value));
}

// Values of parameters by name as texts by name; NULL if as_settings() has to refuse one. Throws what the library says of one
// that counts in none of the calls.
// [[Rcpp::export(rng = false)]]
SEXP setting_texts(Rcpp::List values, Rcpp::CharacterVector calls) {
    static rbmo::Memo last;
    if (SEXP texts = last.find(values, calls))
        return texts;
    const Rcpp::RObject names = values.names();
    if (values.size() > 0 && Rf_isNull(names))
        return R_NilValue;
    Rcpp::CharacterVector texts(values.size());
    for (R_xlen_t i = 0; i < values.size(); ++i) {
        SEXP name = STRING_ELT(names, i);
        texts[i] = rbmo::text_of_setting(CHAR(name), values[i]);
        bool twice = false;
        for (R_xlen_t j = 0; j < i; ++j)
            twice = twice || STRING_ELT(names, j) == name; // R has one object for equal texts
        if (twice || !rbmo::is_parameter(CHAR(name)) || STRING_ELT(texts, i) == NA_STRING)
            return R_NilValue;
    }
    texts.names() = names;
    rbmo::check(bmo_config_check(rbmo::config_of(texts, R_NilValue).get(), rbmo::bits_of(calls)));
    last.keep(values, calls, texts);
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
    Rcpp::CharacterVector name(count), type(count), initial(count), choices(count), calls(count), summary(count);
    Rcpp::NumericVector lower(count, NA_REAL), upper(count, NA_REAL);
    for (int32_t i = 0; i < count; ++i) {
        const bmo_param_info info = rbmo::parameter_at(i);
        name[i] = info.name;
        type[i] = rbmo::type_name(info.type);
        initial[i] = info.initial;
        choices[i] = info.choices;
        calls[i] = rbmo::names_of(info.calls);
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
                              Rcpp::Named("choices") = choices, Rcpp::Named("calls") = calls,
                              Rcpp::Named("summary") = summary);
}
