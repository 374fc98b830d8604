// bmo_config: the parameters of a search.
#include <cstring>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/owner.hpp"
#include "boxes/dense/weights.hpp"
#include "data/params.hpp"

namespace {

void copy_out(const std::string &value, char *buffer, size_t size, size_t *needed) {
    const size_t bytes = value.size() + 1;
    if (needed)
        *needed = bytes;
    if (!buffer && size == 0)
        return;
    bmo::require(buffer, "buffer");
    if (size < bytes)
        bmo::refuse("size", size, bytes, " or more");
    std::memcpy(buffer, value.c_str(), bytes);
}

std::shared_ptr<const std::vector<double>> checked_weights(const double *weights, std::int64_t d) {
    if (d < 0 || (d == 0) != (weights == nullptr))
        bmo::refuse("d", d, "the number of weights, or NULL and 0 for none");
    if (d == 0)
        return nullptr;
    bmo::check_weights({weights, static_cast<std::size_t>(d)});
    return std::make_shared<const std::vector<double>>(weights, weights + d);
}

std::uint32_t bit_of(const bmo::Parameter &parameter) {
    return std::uint32_t{1} << (&parameter - bmo::parameters().data());
}

} // namespace

bmo_status bmo_config_create(bmo_config **out) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        *out = new bmo_config{};
    });
}

bmo_status bmo_config_copy(bmo_config **out, const bmo_config *config) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        bmo::require(config, "config");
        *out = new bmo_config(*config);
    });
}

void bmo_config_free(bmo_config *config) {
    delete config;
}

bmo_status bmo_config_set_i64(bmo_config *config, bmo_param param, int64_t value) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        const bmo::Parameter &parameter = bmo::find_parameter(param);
        bmo::set_integer(config->settings, parameter, value);
        config->set |= bit_of(parameter);
    });
}

bmo_status bmo_config_set_f64(bmo_config *config, bmo_param param, double value) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        const bmo::Parameter &parameter = bmo::find_parameter(param);
        bmo::set_real(config->settings, parameter, value);
        config->set |= bit_of(parameter);
    });
}

bmo_status bmo_config_set_text(bmo_config *config, const char *name, const char *value) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        bmo::require(name, "name");
        bmo::require(value, "value");
        const bmo::Parameter &parameter = bmo::find_parameter(name);
        bmo::set_text(config->settings, parameter, value);
        config->set |= bit_of(parameter);
    });
}

bmo_status bmo_config_get_i64(const bmo_config *config, bmo_param param, int64_t *value) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        bmo::require(value, "value");
        *value = bmo::get_integer(config->settings, bmo::find_parameter(param));
    });
}

bmo_status bmo_config_get_f64(const bmo_config *config, bmo_param param, double *value) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        bmo::require(value, "value");
        *value = bmo::get_real(config->settings, bmo::find_parameter(param));
    });
}

bmo_status bmo_config_get_text(const bmo_config *config, const char *name, char *buffer, size_t size, size_t *needed) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        bmo::require(name, "name");
        copy_out(bmo::get_text(config->settings, bmo::find_parameter(name)), buffer, size, needed);
    });
}

bmo_status bmo_config_check(const bmo_config *config, uint32_t calls) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        constexpr std::uint32_t all = 2 * BMO_CALL_PREPARE - 1;
        if (calls == 0 || calls > all)
            bmo::refuse("calls", calls, "one or more of BMO_CALL_*: 1 to ", all);
        for (const bmo::Parameter &parameter : bmo::parameters())
            if (config->set & bit_of(parameter))
                bmo::check_use(parameter, config->settings, calls);
    });
}

bmo_status bmo_config_set_weights(bmo_config *config, const double *weights, int64_t d) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        config->settings.weights = checked_weights(weights, d);
    });
}

bmo_status bmo_config_set_rho(bmo_config *config, bmo_rho_fn rho, uint32_t flags, const bmo_owner *owner) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        if (flags != 0 && flags != BMO_CALLBACK_ANY_THREAD)
            bmo::refuse("flags", flags, "0 or BMO_CALLBACK_ANY_THREAD");
        if (!rho && owner)
            bmo::fail(BMO_EINVAL, "owner", "owner is set, but rho is NULL: expected NULL to clear");
        const auto release = std::make_shared<bmo::Release>(owner);
        std::shared_ptr<const bmo::CustomRho> custom;
        if (rho)
            custom = std::make_shared<const bmo::CustomRho>(
                bmo::CustomRho{rho, release->ctx(), flags == BMO_CALLBACK_ANY_THREAD, release});
        config->settings.rho.swap(custom);
        release->arm();
    });
}
