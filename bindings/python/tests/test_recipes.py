"""The sections of recipes.md, each a program of its own, and the example."""
from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parents[1]
TEXT = (HERE / "recipes.md").read_text()
SECTIONS = {part.splitlines()[0]: "\n".join(re.findall(r"```python\n(.*?)```", part, re.DOTALL))
            for part in TEXT.split("\n## ")[1:]}


@pytest.mark.long
@pytest.mark.parametrize("name", SECTIONS)
def test_recipe(name):
    told = subprocess.run([sys.executable, "-c", SECTIONS[name]], capture_output=True, text=True, timeout=600)
    missing = re.search(r"ModuleNotFoundError: No module named '(\w+)'", told.stderr)
    if missing and missing[1] != "libbmo":
        pytest.skip(f"{missing[1]} is not installed")
    assert told.returncode == 0, told.stderr


@pytest.mark.long
def test_example(tmp_path):
    pytest.importorskip("matplotlib")
    told = subprocess.run([sys.executable, HERE / "examples" / "glyphs.py", tmp_path / "glyphs.png"], capture_output=True,
                          text=True, timeout=600)
    assert told.returncode == 0, told.stderr
    assert "rows that agree: 6 of 6" in told.stdout and (tmp_path / "glyphs.png").stat().st_size > 10_000


def test_every_section_has_a_program():
    assert len(SECTIONS) >= 7 and all(SECTIONS.values())
