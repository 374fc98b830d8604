// Text on the standard output.
#pragma once

#include <string>

namespace bmo_command {

// Fails if it cannot be written.
void print(const std::string &text);

} // namespace bmo_command
