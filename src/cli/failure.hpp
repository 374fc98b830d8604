// How a command ends early: the exit code and the one line that it prints.
#pragma once

#include <stdexcept>
#include <string>

namespace bmo_command {

enum ExitCode { exit_done = 0, exit_failed = 1, exit_usage = 2, exit_signalled = 128 };

struct Failure : std::runtime_error {
    Failure(int code, const std::string &message) : std::runtime_error(message), exit_code(code) {}
    int exit_code;
};

[[noreturn]] inline void fail(const std::string &message) {
    throw Failure(exit_failed, message);
}
[[noreturn]] inline void fail_usage(const std::string &message) {
    throw Failure(exit_usage, message);
}

} // namespace bmo_command
