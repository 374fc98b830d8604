#include "monitor.h"

#include <R_ext/Print.h>
#include <R_ext/Utils.h>

namespace rbmo {
namespace {

int percent_of(const bmo_progress &progress) {
    return progress.total > 0
               ? static_cast<int>(100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total))
               : 100;
}

} // namespace

Monitor::Monitor(bool bar) : bar_(bar) {
    monitor_.struct_size = sizeof monitor_;
    monitor_.progress = &Monitor::report;
    monitor_.ctx = this;
}

Monitor::~Monitor() {
    if (drawn_ >= 0 && !interrupted_)
        REprintf("\n");
}

void Monitor::resume(bmo_status status) const {
    if (status == BMO_ECANCELED && interrupted_)
        throw Rcpp::internal::InterruptedException();
}

void Monitor::check(bmo_status status) const {
    resume(status);
    rbmo::check(status);
}

// R leaves by a jump where it was interrupted: R_ToplevelExec catches it, so that the library's frames are not skipped.
int32_t Monitor::report(void *self, const bmo_progress *progress) {
    auto *monitor = static_cast<Monitor *>(self);
    monitor->progress_ = *progress;
    monitor->interrupted_ = !R_ToplevelExec(&Monitor::look, monitor);
    return monitor->interrupted_;
}

void Monitor::look(void *self) {
    auto *monitor = static_cast<Monitor *>(self);
    if (monitor->bar_)
        monitor->draw();
    R_CheckUserInterrupt();
}

void Monitor::draw() {
    constexpr int width = 50;
    const int percent = percent_of(progress_);
    if (percent == drawn_ && progress_.phase == drawn_phase_)
        return;
    drawn_ = percent;
    drawn_phase_ = progress_.phase;
    const int filled = percent * width / 100;
    REprintf("\r%-7s |%-*.*s| %3d%%", bmo_phase_name(progress_.phase), width, filled,
             "==================================================", percent);
}

} // namespace rbmo
