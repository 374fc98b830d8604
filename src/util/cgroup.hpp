// The processor time that Linux control groups grant a process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bmo {

// The least quota of the process's group and of the groups around it, in processors, rounded up; 0: no quota.
// groups: the text of /proc/self/cgroup; mount: the directory of the groups. Versions 1 and 2.
std::int64_t cgroup_processors(std::string_view groups, const std::string &mount);

// The text of a small file; "" if it cannot be read.
std::string read_file_text(const std::string &path);

} // namespace bmo
