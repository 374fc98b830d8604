#include "interrupt.hpp"

#include <csignal>
#include <string_view>
#include <unistd.h>

#include "failure.hpp"
#include "library.hpp"

namespace bmo_command {

namespace {

bmo_cancel *token = nullptr; // lives as long as the process: a signal may come at any time
volatile std::sig_atomic_t received = 0;

void request_stop(int number) {
    received = number;
    bmo_cancel_request(token);
}

void end_for_lost_data(int, siginfo_t *info, void *) {
    if (info->si_code != BUS_ADRERR)
        return; // and end by the signal, which comes again
    constexpr std::string_view message = "bmo: a file became shorter, or could not be read, while it was in use; "
                                         "run again on a copy that nothing changes\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
    _exit(exit_failed);
}

// A signal that is ignored stays so: nohup and scripts that start the command in the background want that.
void handle(int number, struct sigaction action) {
    struct sigaction before = {};
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN)
        return;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
}

} // namespace

void catch_interrupts() {
    check(bmo_cancel_create(&token));
    struct sigaction stop = {}, lost = {};
    stop.sa_handler = request_stop;
    handle(SIGPIPE, stop);
    stop.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
        handle(number, stop);
    lost.sa_sigaction = end_for_lost_data;
    lost.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESETHAND);
    handle(SIGBUS, lost);
    std::signal(SIGXFSZ, SIG_IGN); // a write past the limit fails then, as on a full disk, and is cleaned up after
}

bmo_cancel *interrupt_token() {
    return token;
}

int interrupt_signal() {
    return received;
}

void stop_if_interrupted() {
    if (received != 0)
        fail("interrupted");
}

} // namespace bmo_command
