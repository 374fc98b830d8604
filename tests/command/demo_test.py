"""The demo: characters that look alike."""
import functools
import os
import re
import shutil
import subprocess

from command import bmo, refusal
from tap import case, equal, main, skip


@functools.cache
def demo_text():
    return bmo("demo").out


@case
def the_demo_finds_look_alikes(_):
    text, _ = demo_text().split("\n\nAnd by the clock")
    blocks = [block for block in text.split("\n\n") if "U+" in block.splitlines()[0]]
    equal(len(blocks), 12)
    nearest = {}
    for block in blocks:
        code = re.search(r"U\+[0-9A-F]{4,5}", block.splitlines()[0]).group()
        found = re.findall(r"^ +([0-9.]+)  .*?(U\+[0-9A-F]{4,5})  [A-Z]", block, re.MULTILINE)
        equal(len(found), 5, code)
        distances = [float(distance) for distance, _ in found]
        equal(distances, sorted(distances), code)
        nearest[code] = [neighbor for _, neighbor in found]
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
def the_demo_ends_with_a_clock(_):
    text = demo_text()
    end = text[text.index("And by the clock") :]
    # As a brute force over all pairs of pictures in integers found, 14.5 of 4,038 before the next.
    assert "U+261D  WHITE UP POINTING INDEX" in end, end
    for name in ("full scan", "bmo"):
        assert re.search(rf"^ +{name} +[0-9]+\.[0-9]{{3}} s", end, re.MULTILINE), end
    assert re.search(r"^ +gain +[0-9]+\.[0-9] times as fast", end, re.MULTILINE), end
    assert "the same answer" in end, end


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
