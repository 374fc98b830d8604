#include "cli/hdf5/axis_names.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/failure.hpp"
#include "cli/hdf5/attribute.hpp"
#include "cli/hdf5/sparse_group.hpp"
#include "cli/hdf5/strings.hpp"
#include "cli/text.hpp"

namespace bmo_command {

namespace {

using Strings = std::optional<std::vector<std::string>>;

Strings names_in(const Hdf5File &file, const std::string &object) {
    if (!file.has(object))
        return {};
    const Hdf5Id dataset = file.open(object);
    return H5Iget_type(dataset.get()) == H5I_DATASET ? read_strings(dataset.get()) : std::nullopt;
}

// The index of a data frame of AnnData.
Strings index_of(const Hdf5File &file, const std::string &frame) {
    if (frame.empty() || !file.has(frame))
        return {};
    const auto index = text_attribute(file.open(frame).get(), "_index");
    return index ? names_in(file, text(frame, "/", *index)) : std::nullopt;
}

// Which frames name the rows and the columns of a matrix in AnnData.
std::pair<std::string, std::string> frames_of(std::string_view object) {
    constexpr std::pair<std::string_view, std::pair<const char *, const char *>> places[] = {
        {"X", {"obs", "var"}},     {"layers/", {"obs", "var"}}, {"raw/X", {"obs", "raw/var"}}, {"obsm/", {"obs", ""}},
        {"obsp/", {"obs", "obs"}}, {"varm/", {"var", ""}},      {"varp/", {"var", "var"}}};
    object.remove_prefix(std::min(object.find_first_not_of('/'), object.size()));
    for (const auto &[place, frames] : places)
        if (place.ends_with('/') ? object.starts_with(place) : object == place)
            return frames;
    return {};
}

bool is_tenx(const Hdf5File &file, const std::string &object) {
    return sparse_layout(file.open(object).get()) == SparseLayout::tenx;
}

// Genes have been in either place.
Strings tenx_names(const Hdf5File &file, const std::string &group, bool transpose) {
    if (transpose)
        return names_in(file, group + "/barcodes");
    const Strings names = names_in(file, group + "/features/id");
    return names ? names : names_in(file, group + "/genes");
}

// As names of --names, they are one line without a tab.
void make_plain(std::string &name) {
    std::ranges::replace_if(
        name, [](char letter) { return letter == '\t' || letter == '\n' || letter == '\r'; }, ' ');
}

Strings find_names(const Hdf5File &file, const std::string &object, bool transpose) {
    if (is_tenx(file, object))
        return tenx_names(file, object, transpose);
    const auto [rows, columns] = frames_of(object);
    return index_of(file, transpose ? columns : rows);
}

} // namespace

std::vector<std::string> axis_names(const Hdf5File &file, const std::string &object, bool transpose,
                                    std::int64_t points) {
    Strings names;
    try {
        names = find_names(file, object, transpose);
    } catch (const Failure &) { // they are not asked for
    }
    if (!names || std::cmp_not_equal(names->size(), points))
        return {};
    std::ranges::for_each(*names, make_plain);
    return std::move(*names);
}

} // namespace bmo_command
