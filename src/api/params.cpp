// The table of parameters, as bmo.h shows it.
#include <cstddef>

#include "api/guard.hpp"
#include "api/structs.hpp"
#include "data/params.hpp"

namespace bmo {
namespace {

struct Describe {
    bmo_param_info &info;

    void operator()(const Integer &type) const {
        info.type = BMO_PARAM_TYPE_I64;
        info.lower_i64 = type.lower;
        info.upper_i64 = type.upper;
    }
    void operator()(const Real &type) const {
        info.type = BMO_PARAM_TYPE_F64;
        info.lower_f64 = type.lower;
        info.upper_f64 = type.upper;
    }
    void operator()(const Choice &type) const {
        info.type = BMO_PARAM_TYPE_CHOICE;
        info.choices = type.names;
    }
};

bmo_param_info describe(const Parameter &parameter) {
    bmo_param_info info{};
    info.param = parameter.id;
    info.name = parameter.name;
    info.choices = "";
    info.initial = parameter.initial;
    info.summary = parameter.summary;
    info.calls = parameter.calls;
    std::visit(Describe{info}, parameter.type);
    return info;
}

} // namespace
} // namespace bmo

int32_t bmo_param_count(void) {
    return static_cast<int32_t>(bmo::parameters().size());
}

bmo_status bmo_param_at(int32_t position, bmo_param_info *info) {
    return bmo::guard([&] {
        bmo::check_struct(info, "info");
        const int32_t count = bmo_param_count();
        if (position < 0 || position >= count)
            bmo::refuse("position", position, "0 to ", count - 1);
        bmo::write_struct(info, bmo::describe(bmo::parameters()[static_cast<std::size_t>(position)]));
    });
}
