#include "interrupt.hpp"

#include <csignal>

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

} // namespace

void catch_interrupts() {
    check(bmo_cancel_create(&token));
    struct sigaction action = {};
    action.sa_handler = request_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
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
