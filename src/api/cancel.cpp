// bmo_cancel, and the monitor that carries it into a call.
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "api/structs.hpp"

namespace bmo {

Watch watch_of(const bmo_monitor *monitor) {
    if (!monitor)
        return {};
    const bmo_monitor ours = read_struct(monitor, "monitor");
    if (ours.interval_ms < 0)
        refuse("monitor.interval_ms", ours.interval_ms, "0 (100 ms) or more");
    return {ours.progress, ours.ctx, ours.interval_ms, ours.cancel ? ours.cancel->flag : nullptr};
}

} // namespace bmo

bmo_status bmo_cancel_create(bmo_cancel **out) {
    return bmo::guard([&] {
        bmo::require(out, "out");
        *out = new bmo_cancel{std::make_shared<bmo::CancelFlag>()};
    });
}

void bmo_cancel_request(bmo_cancel *token) {
    if (token)
        token->flag->request();
}

void bmo_cancel_reset(bmo_cancel *token) {
    if (token)
        token->flag->reset();
}

void bmo_cancel_free(bmo_cancel *token) {
    delete token;
}
