"""Progress on a terminal, interrupts, locales, and the demo."""
import functools
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
    process = subprocess.Popen([BMO, "graph", data, "-k", "2"], stdout=subprocess.PIPE, stderr=terminal)
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
    data, out = noise_file(directory, 9000, 4096), os.path.join(directory, "a.npz")
    process = subprocess.Popen(
        [BMO, "graph", data, "--method", "exact", "--out", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(1.5)
    assert process.poll() is None, "the search ended before it could be interrupted"
    start = time.monotonic()
    process.send_signal(number)
    shown, errors = process.communicate(timeout=60)
    assert time.monotonic() - start < 5, "it took too long to stop"
    equal((process.returncode, shown, errors), (code, b"", b"bmo: interrupted\n"))
    equal(os.listdir(directory), ["noise.npy"])


@case
def control_c_ends_with_130(directory):
    interrupted(directory, signal.SIGINT, 130)


@case
def a_request_to_terminate_ends_with_143(directory):
    interrupted(directory, signal.SIGTERM, 143)


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


@functools.cache
def demo_text():
    return bmo("demo").out


@case
def the_demo_finds_look_alikes(_):
    text = demo_text()
    blocks = [block for block in text.split("\n\n") if "U+" in block.splitlines()[0]]
    equal(len(blocks), 12)
    nearest = {}
    for block in blocks:
        code = re.search(r"U\+[0-9A-F]{4,5}", block.splitlines()[0]).group()
        found = re.findall(r"^ +([0-9.]+)  .*?(U\+[0-9A-F]{4,5})  [A-Z]", block, re.MULTILINE)
        equal(len(found), 5, code)
        distances = [float(distance) for distance, _ in found]
        equal(distances, sorted(distances), code)
        nearest[code] = [neighbour for _, neighbour in found]
    # By eye: zhe with a descender, a winking face, an A with a dot, a filled heart among hearts and diamonds, equals.
    for code, alike in (("U+0436", "U+0497"), ("U+263A", "U+1F609"), ("U+0041", "U+0226"), ("U+2665", "U+2764"), ("U+2260", "U+003D")):
        assert alike in nearest[code], (code, nearest[code])


@case
def the_demo_measures_its_gain(_):
    text = demo_text()
    gain = float(re.search(r"gain +([0-9.]+) times fewer", text).group(1))
    assert gain >= 5, gain
    same = re.search(r"Distances: the same in ([0-9,]+) of ([0-9,]+) searches", text)
    wrong = int(same.group(2).replace(",", "")) - int(same.group(1).replace(",", ""))
    assert wrong <= 12, wrong  # of 277 searches, each wrong with probability at most 0.01
    assert "Guarantee: proven" in text, text


@case
def the_demo_takes_characters_and_parameters(directory):
    text = bmo("demo", "Ж&", "-k", "2", "--metric", "l1").out
    equal(len(re.findall(r"^ +[0-9.]+  ", text, re.MULTILINE)), 4)
    assert "metric l1" in text and "LATIN CAPITAL LETTER" not in text.split("Ж")[0]
    assert "drawn exactly like U+0042" in bmo("demo", "\u0392", "-k", "1").out  # a Greek Beta
    assert "U+4E2D" in refusal("demo", "中", code=1)
    assert directory in refusal("demo", "--data", directory, code=1)


@case
def the_demo_without_unicode(directory):
    env = {"LC_ALL": "C", "LANG": "C"}
    assert "█" in bmo("demo", "H", env=env).out
    if not shutil.which("localedef"):
        skip("localedef is missing")
    subprocess.run(["localedef", "-i", "POSIX", "-f", "ISO-8859-1", os.path.join(directory, "plain")], check=False, capture_output=True)
    if not os.path.isdir(os.path.join(directory, "plain")):
        skip("the sources of locales are missing")
    bmo("demo", "H", env={"LOCPATH": directory, "LC_ALL": "plain"}).out.encode("ascii")


main()
