// R's interrupts and the progress bar of a long call.
#pragma once

#include "library.h"

namespace rbmo {

class Monitor {
public:
    explicit Monitor(bool bar);
    ~Monitor();
    Monitor(const Monitor &) = delete;
    Monitor &operator=(const Monitor &) = delete;

    const bmo_monitor *get() const { return &monitor_; }

    // Like rbmo::check, but a call that Ctrl-C stopped becomes an R interrupt.
    void check(bmo_status status) const;

private:
    static int32_t report(void *self, const bmo_progress *progress);
    static void look(void *self);
    void draw();

    bmo_monitor monitor_{};
    bmo_progress progress_{};
    bool bar_;
    int drawn_ = -1; // percent that the bar shows; -1: there is none
    bmo_phase drawn_phase_ = 0;
    bool interrupted_ = false;
};

} // namespace rbmo
