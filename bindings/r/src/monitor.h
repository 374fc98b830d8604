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

    // A call that Ctrl-C stopped becomes an R interrupt.
    void resume(bmo_status status) const;

    // The same, and throws the error of the call that gave this status, if it failed.
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
