#include "cli/hdf5/attribute.hpp"

#include "cli/hdf5/strings.hpp"

namespace bmo_command {

namespace {

struct Attribute {
    Hdf5Id attribute, space, type;

    explicit operator bool() const { return attribute && space && type; }
    hssize_t values() const { return H5Sget_simple_extent_npoints(space.get()); }
};

Attribute open_attribute(hid_t object, const char *name) {
    Hdf5Id attribute(H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID);
    const hid_t id = attribute.get();
    return {std::move(attribute), Hdf5Id(id < 0 ? id : H5Aget_space(id)), Hdf5Id(id < 0 ? id : H5Aget_type(id))};
}

} // namespace

std::optional<std::string> text_attribute(hid_t object, const char *name) {
    const Attribute found = open_attribute(object, name);
    if (!found || found.values() != 1)
        return {};
    const auto texts = read_strings(found.type.get(), found.space.get(), 1, [&](hid_t type, void *to) {
        return H5Aread(found.attribute.get(), type, to) >= 0;
    });
    return texts ? std::optional(texts->front()) : std::nullopt;
}

std::optional<std::array<std::int64_t, 2>> pair_attribute(hid_t object, const char *name) {
    const Attribute found = open_attribute(object, name);
    std::array<std::int64_t, 2> pair = {};
    if (!found || found.values() != 2 || H5Tget_class(found.type.get()) != H5T_INTEGER ||
        H5Aread(found.attribute.get(), H5T_NATIVE_INT64, pair.data()) < 0)
        return {};
    return pair;
}

} // namespace bmo_command
