#include "cmocka.hpp"

#include <filesystem>
#include <fstream>

#include <stdlib.h>

#include "util/cgroup.hpp"

namespace cgroup_test {

// A directory as Linux mounts its control groups, removed at the end.
class Mount {
public:
    Mount() {
        std::string name = (std::filesystem::temp_directory_path() / "cgroup-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw std::bad_alloc();
        root_ = name;
    }
    ~Mount() { std::filesystem::remove_all(root_); }
    Mount(const Mount &) = delete;
    Mount &operator=(const Mount &) = delete;

    void write(const std::string &file, const std::string &content) const {
        const std::filesystem::path path = root_ / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << content << "\n";
    }
    std::int64_t processors(const std::string &groups) const { return bmo::cgroup_processors(groups, root_.string()); }

private:
    std::filesystem::path root_;
};

void no_group_is_no_quota(void **) {
    const Mount mount;
    assert_int_equal(mount.processors(""), 0);
    assert_int_equal(mount.processors("0::/\n"), 0);
    assert_int_equal(mount.processors("0::/a/b\n4:memory:/\nnonsense\n"), 0);
}

void version_2_rounds_up(void **) {
    const Mount mount;
    const struct {
        const char *limits;
        std::int64_t processors;
    } cases[] = {{"max 100000", 0},
                 {"200000 100000", 2},
                 {"150000 100000", 2},
                 {"100001 100000", 2},
                 {"50000 100000", 1},
                 {"1000 100000", 1},
                 {"300000 50000", 6},
                 {"", 0},
                 {"100000", 0},
                 {"100000 0", 0},
                 {"max", 0}};
    for (const auto &[limits, processors] : cases) {
        mount.write("a/cpu.max", limits);
        assert_int_equal(mount.processors("0::/a\n"), processors);
    }
}

void a_quota_holds_for_the_groups_inside(void **) {
    const Mount mount;
    mount.write("a/cpu.max", "300000 100000");
    mount.write("a/b/cpu.max", "max 100000");
    mount.write("a/b/c/cpu.max", "500000 100000");
    assert_int_equal(mount.processors("0::/a/b/c\n"), 3);
    assert_int_equal(mount.processors("0::/a/b\n"), 3);
    mount.write("a/b/c/cpu.max", "200000 100000");
    assert_int_equal(mount.processors("0::/a/b/c\n"), 2);
    assert_int_equal(mount.processors("0::/elsewhere\n"), 0);
}

void the_root_holds_where_the_path_is_that_of_the_host(void **) {
    const Mount mount;
    mount.write("cpu.max", "400000 100000");
    assert_int_equal(mount.processors("0::/host/container\n"), 4);
    assert_int_equal(mount.processors("0::/\n"), 4);
}

void version_1_needs_its_cpu_controller(void **) {
    const Mount mount;
    mount.write("cpu/job/cpu.cfs_quota_us", "250000");
    mount.write("cpu/job/cpu.cfs_period_us", "100000");
    assert_int_equal(mount.processors("5:cpu,cpuacct:/job\n"), 3);
    assert_int_equal(mount.processors("5:cpuacct,cpu:/job\n"), 3);
    assert_int_equal(mount.processors("5:cpuset:/job\n"), 0);
    mount.write("cpu/job/cpu.cfs_quota_us", "-1");
    assert_int_equal(mount.processors("5:cpu:/job\n"), 0);
}

void the_least_of_both_versions_holds(void **) {
    const Mount mount;
    mount.write("cpu/cpu.cfs_quota_us", "300000");
    mount.write("cpu/cpu.cfs_period_us", "100000");
    mount.write("cpu.max", "200000 100000");
    assert_int_equal(mount.processors("5:cpu:/\n0::/\n"), 2);
    mount.write("cpu.max", "900000 100000");
    assert_int_equal(mount.processors("0::/\n5:cpu:/"), 3);
}

// What a mount holds in place of its file opens, and then fails to be read.
void a_file_that_cannot_be_read_is_no_quota(void **) {
    const Mount mount;
    mount.write("cpu.max/inside", "");
    assert_int_equal(mount.processors("0::/\n"), 0);
    assert_true(bmo::read_file_text("/").empty());
    assert_true(bmo::read_file_text("/no such file").empty());
}

int run() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(no_group_is_no_quota),
        cmocka_unit_test(version_2_rounds_up),
        cmocka_unit_test(a_quota_holds_for_the_groups_inside),
        cmocka_unit_test(the_root_holds_where_the_path_is_that_of_the_host),
        cmocka_unit_test(version_1_needs_its_cpu_controller),
        cmocka_unit_test(the_least_of_both_versions_holds),
        cmocka_unit_test(a_file_that_cannot_be_read_is_no_quota),
    };
    return cmocka_run_group_tests_name("cgroup", tests, nullptr, nullptr);
}

} // namespace cgroup_test
