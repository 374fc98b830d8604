#include "util/watch.hpp"

#include <algorithm>
#include <ctime>

#include "util/failure.hpp"

namespace bmo {
namespace {

// Polls are many: if the system has a clock that is some milliseconds coarse and several times cheaper, that one, unless
// the interval is as short.
std::chrono::nanoseconds now(std::chrono::milliseconds interval) {
#if defined(CLOCK_MONOTONIC_COARSE)
    constexpr std::chrono::milliseconds kLong{20};
    timespec time{};
    if (interval >= kLong && clock_gettime(CLOCK_MONOTONIC_COARSE, &time) == 0)
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
#endif
    return std::chrono::steady_clock::now().time_since_epoch();
}

} // namespace

Watch::Watch(bmo_progress_fn reporter, void *ctx, std::int32_t interval_ms, std::shared_ptr<const CancelFlag> cancel)
    : report_(reporter), ctx_(ctx), interval_(interval_ms > 0 ? interval_ms : 100), cancel_(std::move(cancel)) {}

void Watch::begin(bmo_phase phase, std::int64_t total) {
    phase_ = phase;
    total_ = total;
    done_.store(0, std::memory_order_relaxed);
    poll();
}

void Watch::poll() {
    if (cancel_ && cancel_->requested())
        fail(BMO_ECANCELED, "", "stopped by bmo_cancel_request()");
    if (!report_)
        return;
    if (stopped_.load(std::memory_order_acquire))
        fail_stopped();
    if (std::this_thread::get_id() == caller_ && now(interval_) >= next_)
        report(std::min(done_.load(std::memory_order_relaxed), total_));
}

void Watch::finish() {
    if (report_)
        report(total_);
}

void Watch::report(std::int64_t done) {
    const bmo_progress progress{sizeof progress, phase_, done, total_};
    callback_result_ = report_(ctx_, &progress);
    next_ = now(interval_) + interval_;
    if (callback_result_ == 0)
        return;
    stopped_.store(true, std::memory_order_release);
    fail_stopped();
}

void Watch::fail_stopped() const {
    throw Failure(BMO_ECANCELED, "", text("stopped by the progress callback, which returned ", callback_result_), -1,
                  -1, callback_result_);
}

} // namespace bmo
