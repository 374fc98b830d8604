// bmo_config: the parameters of a search.
#include <cstring>

#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/params.hpp"

namespace {

void copy_out(const std::string &value, char *buffer, size_t size, size_t *needed) {
    const size_t bytes = value.size() + 1;
    if (needed)
        *needed = bytes;
    if (!buffer && size == 0)
        return;
    bmo::require(buffer, "buffer");
    if (size < bytes)
        bmo::fail(BMO_EINVAL, "size", bmo::text("size is ", size, "; expected ", bytes, " or more"));
    std::memcpy(buffer, value.c_str(), bytes);
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
        bmo::set_integer(config->settings, bmo::find_parameter(param), value);
    });
}

bmo_status bmo_config_set_f64(bmo_config *config, bmo_param param, double value) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        bmo::set_real(config->settings, bmo::find_parameter(param), value);
    });
}

bmo_status bmo_config_set_text(bmo_config *config, const char *name, const char *value) {
    return bmo::guard([&] {
        bmo::require(config, "config");
        bmo::require(name, "name");
        bmo::require(value, "value");
        bmo::set_text(config->settings, bmo::find_parameter(name), value);
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
