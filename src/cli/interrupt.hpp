// Signals that ask the command to end: it stops the library's running call and leaves no temporary file.
#pragma once

#include "bmo.h"

namespace bmo_command {

// From here on the first SIGINT, SIGTERM or SIGHUP only asks to stop; a second one ends the process at once. What the
// parent ignores stays ignored. A write to a pipe that nobody reads fails, and so does one past the limit of file sizes.
// A mapped file that becomes shorter ends the process with a message.
void catch_interrupts();

// The token that the signals request; for every long call.
bmo_cancel *interrupt_token();

// The signal that came, or 0.
int interrupt_signal();

// Throws a Failure if a signal came.
void stop_if_interrupted();

} // namespace bmo_command
