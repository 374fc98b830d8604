// Ctrl-C and a request to terminate stop the library's running call instead of the process.
#pragma once

#include "bmo.h"

namespace bmo_command {

// From here on the first SIGINT or SIGTERM only asks to stop; a second one ends the process at once.
void catch_interrupts();

// The token that the signals request; for every long call.
bmo_cancel *interrupt_token();

// The signal that came, or 0.
int interrupt_signal();

// Throws a Failure where a signal came.
void stop_if_interrupted();

} // namespace bmo_command
