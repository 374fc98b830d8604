"""The command without memory, and on a file system on which every file has a name."""
import os
import signal
import subprocess
import sys

from arrays import whole_numbers, write_npy
from command import BMO, bmo
from tap import case, equal, main

PRELOADED = {"LD_PRELOAD": os.path.abspath(sys.argv[2])}


def small_file(directory):
    return write_npy(os.path.join(directory, "small.npy"), whole_numbers(40, 8, 9, seed=1))


@case
def memory_that_runs_out_is_a_failure_of_one_line(directory):
    """After N allocations every other one fails, for each N until the command succeeds, in steps that grow."""
    data, out = small_file(directory), os.path.join(directory, "a.csv")
    for words in (("knn", data, "-k", "2", "--out", out), ("medoid", data), ("info", data), ("--version",), ("knn", "-x")):
        granted = 0
        while True:
            environment = {**os.environ, **PRELOADED, "BMO_TEST_ALLOCATIONS": str(granted)}
            done = subprocess.run([BMO, *words], env=environment, capture_output=True, check=False, timeout=60)
            if done.returncode == 0 or done.returncode == 2:
                break
            equal((done.returncode, done.stderr.count(b"\n"), done.stderr[:5]), (1, 1, b"bmo: "), (words, granted))
            equal(sorted(os.listdir(directory)), ["small.npy"])
            granted += 1 + granted // 40
        assert granted > 0, words
        if os.path.exists(out):
            os.remove(out)


@case
def a_file_that_has_a_name_meanwhile(directory):
    data, environment = small_file(directory), {**PRELOADED, "BMO_TEST_NAMED": "1"}
    for words in (("knn", data, "--out", os.path.join(directory, "a.csv")), ("prepare", data, "--out", os.path.join(directory, "a.bmo"))):
        bmo(*words, env=environment)
        assert os.path.getsize(words[-1]) > 0
        os.chmod(words[-1], 0o600)
        bmo(*words, env=environment)
        equal(oct(os.stat(words[-1]).st_mode & 0o7777), oct(0o600))
    equal(sorted(os.listdir(directory)), ["a.bmo", "a.csv", "small.npy"])


@case
def a_run_that_was_killed_is_in_nobodys_way(directory):
    data, out = small_file(directory), os.path.join(directory, "a.csv")
    os.mkfifo(os.path.join(directory, "pipe"))
    for environment in (PRELOADED, {**PRELOADED, "BMO_TEST_NAMED": "1"}):
        before = set(os.listdir(directory))
        # It waits for a reader of the pipe when the other file is open already.
        words = [BMO, "knn", data, "--out", out, "--json", os.path.join(directory, "pipe")]
        with subprocess.Popen(words, env={**os.environ, **environment}) as process:
            while not any(os.path.basename(name).startswith(("bmo-", "#")) for name in open_files(process.pid)):
                assert process.poll() is None
            process.send_signal(signal.SIGKILL)
        left = set(os.listdir(directory)) - before
        equal(len(left), 1 if "BMO_TEST_NAMED" in environment else 0, left)
        bmo("knn", data, "--out", out, env=environment)
        os.remove(out)


def open_files(pid):
    names = []
    for descriptor in os.listdir(f"/proc/{pid}/fd"):
        try:
            names.append(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
        except OSError:  # closed meanwhile
            continue
    return names


main()
