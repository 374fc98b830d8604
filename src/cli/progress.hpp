// A bar on a terminal that shows how far a long call is; nothing in a pipe or a file.
#pragma once

#include <string>

#include "bmo.h"

namespace bmo_command {

class Progress {
public:
    Progress();
    ~Progress();
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    // For the library's long calls: shows the bar and stops at interrupts.
    const bmo_monitor &monitor() const { return monitor_; }
    // Removes the bar from the screen.
    void clear();

private:
    static std::int32_t show(void *self, const bmo_progress *progress);

    bmo_monitor monitor_;
    std::string shown_;
};

} // namespace bmo_command
