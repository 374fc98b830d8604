#pragma once

#include "library.h"

namespace rbmo {

using Weights = Rcpp::Nullable<Rcpp::NumericVector>;

// From named texts, and weights of the coordinates or NULL.
Config config_of(const Rcpp::CharacterVector &settings, const Weights &weights);

// The name of a choice's value: "race" for BMO_PARAM_BANDIT, BMO_BANDIT_RACE.
const std::string &choice_name(bmo_param param, int64_t value);

// The name of a setting's value, as text.
std::string setting_of(const bmo_config &config, const char *name);

// The number that the text of a seed stands for.
int64_t seed_from(const std::string &text);

} // namespace rbmo
