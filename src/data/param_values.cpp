// Parameters as values: checks, conversions and text.
#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "data/params.hpp"
#include "util/failure.hpp"
#include "util/plain_text.hpp"

namespace bmo {

namespace {

constexpr double two_63 = 9223372036854775808.0;

template <class... Cases>
struct ByType : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
ByType(Cases...) -> ByType<Cases...>;

std::string expected(const Integer &type) {
    return text("an integer from ", type.lower, " to ", type.upper);
}

std::string expected(const Real &type) {
    return text("a number from ", type.lower, " to ", type.upper);
}

std::string expected(const Choice &type) {
    std::string names = type.names;
    std::ranges::replace(names, '|', ' ');
    return text("one of: ", names);
}

template <class Value>
[[noreturn]] void refuse_value(const Parameter &parameter, const Value &value) {
    const std::string wanted = std::visit([](const auto &type) { return expected(type); }, parameter.type);
    refuse(parameter.name, value, wanted);
}

[[noreturn]] void refuse_type(const Parameter &parameter, std::string_view is, std::string_view instead) {
    fail(BMO_EINVAL, parameter.name, text(parameter.name, " is ", is, ": use ", instead));
}

std::string_view choice_name(const Choice &type, std::size_t position) {
    std::string_view rest = type.names;
    for (; position > 0; --position)
        rest.remove_prefix(rest.find('|') + 1);
    return rest.substr(0, rest.find('|'));
}

std::optional<std::int64_t> choice_value(const Choice &type, std::string_view name) {
    for (std::size_t i = 0; i < type.values.size(); ++i)
        if (choice_name(type, i) == name)
            return type.values[i];
    return !name.empty() && name == type.other_name ? std::optional(type.other_value) : std::nullopt;
}

template <class Number>
std::optional<Number> parse(std::string_view digits) {
    Number value{};
    const char *const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

// A number stands as it is: most languages send it as text.
std::string shown(std::string_view value) {
    return parse<double>(value) ? std::string(value) : text("\"", plain(value), "\"");
}

bool allows(const Integer &type, std::int64_t value) {
    return type.lower <= value && value <= type.upper;
}

bool allows(const Real &type, double value) {
    return type.lower <= value && value <= type.upper;
}

bool allows(const Choice &type, std::int64_t value) {
    return std::ranges::find(type.values, value) != type.values.end();
}

void note_set(Settings &settings, const Parameter &parameter) {
    settings.seed_is_set |= parameter.id == BMO_PARAM_SEED;
}

} // namespace

std::string choice_text(bmo_param id, std::int64_t value) {
    const auto &type = std::get<Choice>(find_parameter(id).type);
    const auto found = std::ranges::find(type.values, value);
    return std::string(choice_name(type, static_cast<std::size_t>(found - type.values.begin())));
}

void set_integer(Settings &settings, const Parameter &parameter, std::int64_t value) {
    std::visit(ByType{[&](const Real &) { refuse_type(parameter, "a real number", "bmo_config_set_f64()"); },
                      [&](const auto &type) {
                          if (!allows(type, value))
                              refuse_value(parameter, value);
                          settings.*type.field = value;
                      }},
               parameter.type);
    note_set(settings, parameter);
}

void set_real(Settings &settings, const Parameter &parameter, double value) {
    std::visit(ByType{[&](const Real &type) {
                          if (!allows(type, value))
                              refuse_value(parameter, value);
                          settings.*type.field = value;
                      },
                      [&](const Integer &type) {
                          if (!(value >= -two_63 && value < two_63))
                              refuse_value(parameter, value);
                          const auto whole = static_cast<std::int64_t>(value);
                          if (static_cast<double>(whole) != value || !allows(type, whole))
                              refuse_value(parameter, value);
                          settings.*type.field = whole;
                      },
                      [&](const Choice &) {
                          refuse_type(parameter, "a choice", "bmo_config_set_i64() or bmo_config_set_text()");
                      }},
               parameter.type);
    note_set(settings, parameter);
}

void set_text(Settings &settings, const Parameter &parameter, std::string_view value) {
    const auto set = [&](const auto &type, const auto &parsed) {
        if (!parsed || !allows(type, *parsed))
            refuse_value(parameter, shown(value));
        settings.*type.field = *parsed;
    };
    std::visit(ByType{[&](const Integer &type) { set(type, parse<std::int64_t>(value)); },
                      [&](const Real &type) { set(type, parse<double>(value)); },
                      [&](const Choice &type) { set(type, choice_value(type, value)); }},
               parameter.type);
    note_set(settings, parameter);
}

std::int64_t get_integer(const Settings &settings, const Parameter &parameter) {
    return std::visit(
        ByType{[&](const Real &) -> std::int64_t { refuse_type(parameter, "a real number", "bmo_config_get_f64()"); },
               [&](const auto &type) { return settings.*type.field; }},
        parameter.type);
}

double get_real(const Settings &settings, const Parameter &parameter) {
    return std::visit(ByType{[&](const Real &type) { return settings.*type.field; },
                             [&](const Integer &type) {
                                 const auto value = static_cast<double>(settings.*type.field);
                                 if (value >= two_63 || static_cast<std::int64_t>(value) != settings.*type.field)
                                     fail(BMO_EOVERFLOW, parameter.name,
                                          text(parameter.name, " is ", settings.*type.field,
                                               ", which no double is: use bmo_config_get_i64()"));
                                 return value;
                             },
                             [&](const Choice &) -> double {
                                 refuse_type(parameter, "a choice", "bmo_config_get_i64() or bmo_config_get_text()");
                             }},
                      parameter.type);
}

std::string get_text(const Settings &settings, const Parameter &parameter) {
    return std::visit(ByType{[&](const Choice &type) { return choice_text(parameter.id, settings.*type.field); },
                             [&](const auto &type) { return text(settings.*type.field); }},
                      parameter.type);
}

} // namespace bmo
