#include "progress.hpp"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

#include "interrupt.hpp"
#include "library.hpp"
#include "text.hpp"

namespace bmo_command {

namespace {

const char *phase_text(bmo_phase phase) {
    switch (phase) {
    case BMO_PHASE_READ: return "reading  ";
    case BMO_PHASE_CHECK: return "checking ";
    case BMO_PHASE_PREPARE: return "preparing";
    case BMO_PHASE_SEARCH: return "searching";
    case BMO_PHASE_WRITE: return "writing  ";
    default: return "working  ";
    }
}

std::string bar_text(const bmo_progress &progress) {
    constexpr std::size_t width = 40;
    const double share =
        progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 1;
    const auto full = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width);
    const auto percent = static_cast<int>(share * 100);
    return text(phase_text(progress.phase), " [", std::string(full, '#'), std::string(width - full, '.'), "] ",
                right_aligned(std::to_string(percent), 3), "%");
}

} // namespace

Progress::Progress() : monitor_(sized<bmo_monitor>()) {
    monitor_.cancel = interrupt_token();
    if (!isatty(STDERR_FILENO))
        return;
    monitor_.progress = show;
    monitor_.ctx = this;
}

Progress::~Progress() {
    clear();
}

void Progress::show_reading(std::int64_t done, std::int64_t total) const {
    auto reading = sized<bmo_progress>();
    reading.phase = BMO_PHASE_READ;
    reading.done = done;
    reading.total = total;
    if (monitor_.progress)
        monitor_.progress(monitor_.ctx, &reading);
}

void Progress::clear() {
    if (!shown_.empty())
        std::fprintf(stderr, "\r%*s\r", static_cast<int>(shown_.size()), "");
    shown_.clear();
}

std::int32_t Progress::show(void *self, const bmo_progress *progress) {
    auto &shown = static_cast<Progress *>(self)->shown_;
    const std::string bar = bar_text(*progress);
    if (bar != shown)
        std::fprintf(stderr, "\r%s", bar.c_str());
    shown = bar;
    return 0;
}

} // namespace bmo_command
