"""Progress on a terminal, interrupts, locales."""
import json
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import time

from arrays import whole_numbers, write_npy
from command import BMO, bmo, refusal
from tap import case, equal, main, skip


def noise_file(directory, n, d):
    """n points of d random bytes: a search without short cuts."""
    path = os.path.join(directory, "noise.npy")
    header = f"{{'descr': '|u1', 'fortran_order': False, 'shape': ({n}, {d})}}".encode()
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + os.urandom(n * d))
    return path


def read_terminal(leader):
    """All that is written to the terminal until its last writer closes it."""
    shown = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            return shown.decode()
        if not part:
            return shown.decode()
        shown += part


@case
def a_bar_on_a_terminal(directory):
    data = noise_file(directory, 300, 600)
    leader, terminal = pty.openpty()
    process = subprocess.Popen([BMO, "graph", data, "-k", "2", "--prepare", "yes"], stdout=subprocess.PIPE, stderr=terminal)
    os.close(terminal)
    shown = read_terminal(leader)
    os.close(leader)
    process.communicate()
    equal(process.returncode, 0)
    for phase in ("checking", "preparing", "searching"):
        assert re.search(phase + r"\s+\[[#.]+\] 100%", shown), shown
    equal(shown.split("\r")[-2:], [" " * len(shown.split("\r")[-2]), ""], "the bar is wiped out")


@case
def no_bar_in_a_pipe(directory):
    data = noise_file(directory, 300, 600)
    equal(bmo("graph", data, "-k", "2").err, "")
    leader, terminal = pty.openpty()  # the standard output alone is a terminal
    completed = subprocess.run([BMO, "graph", data, "-k", "2"], stdout=terminal, stderr=subprocess.PIPE, check=True)
    os.close(terminal)
    os.close(leader)
    equal(completed.stderr, b"")


def interrupted(directory, number, code):
    data, out = noise_file(directory, 30000, 4096), os.path.join(directory, "a.npz")
    process = subprocess.Popen(
        [BMO, "graph", data, "--method", "exact", "--out", out],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # whoever runs the tests may ignore it
    )
    time.sleep(1.5)
    assert process.poll() is None, "the search ended before it could be interrupted"
    process.send_signal(number)
    shown, errors = process.communicate(timeout=60)
    equal((process.returncode, shown, errors), (code, b"", b"bmo: interrupted\n"))
    equal(os.listdir(directory), ["noise.npy"])


@case
def control_c_ends_with_130(directory):
    interrupted(directory, signal.SIGINT, 130)


@case
def a_request_to_terminate_ends_with_143(directory):
    interrupted(directory, signal.SIGTERM, 143)


@case
def a_terminal_that_closes_ends_with_129(directory):
    interrupted(directory, signal.SIGHUP, 129)


@case
def a_file_that_is_cut_while_it_is_mapped(directory):
    data, out = noise_file(directory, 30000, 4096), os.path.join(directory, "a.npz")
    words = (BMO, "graph", data, "--method", "exact", "--out", out)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(1.5)
        assert process.poll() is None, "the search ended before its data were cut"
        os.truncate(data, 4096)
        shown, errors = process.communicate(timeout=60)
    equal((process.returncode, shown, errors[:5], errors.count(b"\n")), (1, b"", b"bmo: ", 1), errors)
    equal(os.listdir(directory), ["noise.npy"])


@case
def signals_that_the_parent_ignores_stay_ignored(directory):
    data = noise_file(directory, 2000, 1000)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        process = subprocess.Popen(
            [BMO, "graph", data, "--method", "exact", "--out", os.path.join(directory, "a.npz")],
            stderr=subprocess.PIPE,
            preexec_fn=lambda number=number: signal.signal(number, signal.SIG_IGN),
        )
        while process.poll() is None:
            process.send_signal(number)
            time.sleep(0.01)
        _, errors = process.communicate()
        equal((process.returncode, errors), (0, b""), number)


def comma_locale(directory):
    """The environment of a locale that writes 1,5."""
    if not shutil.which("localedef"):
        skip("localedef is missing")
    made = subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(directory, "de_DE.UTF-8")], check=False, capture_output=True
    )
    if not os.path.isdir(os.path.join(directory, "de_DE.UTF-8")):
        skip("the sources of locales are missing: " + made.stderr.decode().strip().replace("\n", " "))
    return {"LOCPATH": directory, "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}


@case
def numbers_in_a_locale_with_commas(directory):
    env = comma_locale(directory)
    data = write_npy(os.path.join(directory, "points.npy"), whole_numbers(30, 6, 9, seed=1))
    outs = []
    for environment in ({"LC_ALL": "C"}, env):
        csv, stats = os.path.join(directory, "a.csv"), os.path.join(directory, "a.json")
        bmo("knn", data, "--delta", "0.25", "--out", csv, "--json", stats, env=environment)
        with open(stats, encoding="utf-8") as file:
            equal(json.load(file)["delta"], 0.25)
        with open(csv, encoding="ascii") as file:
            outs.append(file.read())
    equal(outs[0], outs[1])
    refusal("knn", data, "--delta", "0,25", code=2, env=env)


main()
