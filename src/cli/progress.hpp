// A bar on a terminal that shows how far a long call is; nothing in a pipe or a file.
#pragma once

#include <cstdint>
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
    // Shows that so many bytes of a file are read, unless nothing is shown.
    void show_reading(std::int64_t done, std::int64_t total) const;
    // Removes the bar from the screen.
    void clear();

private:
    static std::int32_t show(void *self, const bmo_progress *progress);

    bmo_monitor monitor_;
    std::string shown_;
};

} // namespace bmo_command
