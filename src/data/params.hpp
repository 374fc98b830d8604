// The table of parameters, and reading and writing settings through it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "bmo.h"
#include "data/settings.hpp"

namespace bmo {

struct Integer {
    std::int64_t Settings::*field;
    std::int64_t lower, upper;
};

struct Real {
    double Settings::*field;
    double lower, upper;
};

struct Choice {
    std::int64_t Settings::*field;
    const char *names; // "l2|sqeuclidean|l1|lp"
    std::span<const std::int64_t> values;
    const char *other_name = ""; // of other_value: taken, but never given back
    std::int64_t other_value = 0;
};

// When a parameter counts, beyond the calls that read it at all.
struct Condition {
    bool (*holds)(const Settings &settings, std::uint32_t calls) = nullptr; // null: always
    const char *expected = "";                                              // "metric lp"
};

struct Parameter {
    bmo_param id;
    const char *name, *initial, *summary;
    std::variant<Integer, Real, Choice> type;
    std::uint32_t calls; // BMO_CALL_*
    Condition counts = {};
};

std::span<const Parameter> parameters();

const Parameter &find_parameter(bmo_param id);
const Parameter &find_parameter(std::string_view name);

// Fails with BMO_EINVAL if the parameter does not count in any of these calls, with these settings.
void check_use(const Parameter &parameter, const Settings &settings, std::uint32_t calls);

// The name of a value of a choice.
std::string choice_text(bmo_param id, std::int64_t value);

// Fail with BMO_EINVAL, and change nothing, if the value is out of range or of another type.
void set_integer(Settings &settings, const Parameter &parameter, std::int64_t value);
void set_real(Settings &settings, const Parameter &parameter, double value);
void set_text(Settings &settings, const Parameter &parameter, std::string_view value);

std::int64_t get_integer(const Settings &settings, const Parameter &parameter);
double get_real(const Settings &settings, const Parameter &parameter);
std::string get_text(const Settings &settings, const Parameter &parameter);

} // namespace bmo
