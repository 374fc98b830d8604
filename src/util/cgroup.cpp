#include "util/cgroup.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace bmo {

namespace {

// Cuts off and returns what stands before the first separator.
std::string_view take_until(std::string_view &rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

// 0 if the text is no positive number ("max", "-1", "").
std::int64_t positive_number(std::string_view digits) {
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return std::max<std::int64_t>(value, 0);
}

std::int64_t processors(std::int64_t quota_us, std::int64_t period_us) {
    return quota_us > 0 && period_us > 0 ? (quota_us - 1) / period_us + 1 : 0;
}

std::int64_t processors_v2(const std::string &directory) {
    const std::string limits = read_file_text(directory + "/cpu.max");
    std::string_view rest = limits;
    const std::int64_t quota = positive_number(take_until(rest, ' '));
    return processors(quota, positive_number(rest));
}

std::int64_t processors_v1(const std::string &directory) {
    return processors(positive_number(read_file_text(directory + "/cpu.cfs_quota_us")),
                      positive_number(read_file_text(directory + "/cpu.cfs_period_us")));
}

std::int64_t least(std::int64_t a, std::int64_t b) {
    return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

// A quota holds for all groups inside. In a container the group's own path may not exist: its root does.
template <class Quota>
std::int64_t least_upwards(const std::string &mount, std::string_view path, const Quota &quota) {
    std::int64_t result = 0;
    for (;;) {
        result = least(result, quota(mount + std::string(path)));
        if (path.empty())
            return result;
        path = path.substr(0, path.rfind('/'));
    }
}

bool has_controller(std::string_view controllers, std::string_view wanted) {
    while (!controllers.empty())
        if (take_until(controllers, ',') == wanted)
            return true;
    return false;
}

} // namespace

std::int64_t cgroup_processors(std::string_view groups, const std::string &mount) {
    std::int64_t result = 0;
    while (!groups.empty()) {
        std::string_view path = take_until(groups, '\n'); // hierarchy:controllers:path
        take_until(path, ':');
        const std::string_view controllers = take_until(path, ':');
        if (!path.starts_with('/'))
            continue;
        if (controllers.empty())
            result = least(result, least_upwards(mount, path, processors_v2));
        else if (has_controller(controllers, "cpu"))
            result = least(result, least_upwards(mount + "/cpu", path, processors_v1));
    }
    return result;
}

std::string read_file_text(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf(); // what cannot be read ends it: an iterator would throw
    return content.str();
}

} // namespace bmo
