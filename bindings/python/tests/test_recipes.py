"""The sections of recipes.md, each a program of its own, and the example."""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parents[1]
TEXT = (HERE / "recipes.md").read_text()
SECTIONS = {part.splitlines()[0]: "\n".join(re.findall(r"```python\n(.*?)```", part, re.DOTALL))
            for part in TEXT.split("\n## ")[1:]}
HEAVY = re.compile(r"^import (umap|scanpy|openTSNE|leidenalg)\b", re.MULTILINE)


def run(*arguments):
    # Threads of OpenMP that wait for processors which other tests have would take minutes.
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=600,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long if HEAVY.search(program) else ())
                                  for name, program in SECTIONS.items()])
def test_recipe(name):
    told = run("-c", SECTIONS[name])
    missing = re.search(r"ModuleNotFoundError: No module named '(\w+)'", told.stderr)
    if missing and missing[1] != "libbmo":
        pytest.skip(f"{missing[1]} is not installed")
    assert told.returncode == 0, told.stderr


@pytest.mark.long
def test_example(tmp_path):
    pytest.importorskip("matplotlib")
    told = run(HERE / "examples" / "glyphs.py", tmp_path / "glyphs.png")
    assert told.returncode == 0, told.stderr
    assert "rows that agree: 6 of 6" in told.stdout and (tmp_path / "glyphs.png").stat().st_size > 10_000


def test_every_section_has_a_program():
    assert len(SECTIONS) >= 8 and all(SECTIONS.values())
    assert {HEAVY.search(program)[1] for program in SECTIONS.values() if HEAVY.search(program)} == {
        "umap", "scanpy", "openTSNE", "leidenalg"}
