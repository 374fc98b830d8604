"""The directive `run`: a program of the tutorials, and what it prints, as it was run when the manual was built.

    ```{run} glyphs.py
    ```

A program that fails makes the build fail. If its language is not installed, the page says so in place of the output.
"""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import tempfile

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

TREE = pathlib.Path(__file__).resolve().parents[2]
BUILD = TREE / "build"


def julia() -> str | None:
    built = TREE / "build-julia/julia"
    return shutil.which("julia") or (str(built) if built.exists() else None)


def commands(program: str) -> tuple[str, str | None, str, str]:
    """(name of the language, its program or None, how it is colored, the command of the shell)."""
    return {
        ".c": ("C", shutil.which("cc"), "c", f"cc -O2 {program} $(pkg-config --cflags --libs bmo) -o program && ./program"),
        ".sh": ("bmo", str(BUILD / "src/cli/bmo"), "bash", f"sh -e {program}"),
        ".py": ("Python", "python", "python", f"python {program}"),
        ".R": ("R", shutil.which("Rscript") if (BUILD / "manual/r/bmo").exists() else None, "r", f"Rscript {program}"),
        ".jl": ("Julia", julia(), "julia", f"{julia()} --project={TREE}/bindings/julia {program}"),
        ".go": ("Go", shutil.which("go"), "go", f"go run {program}"),
    }[pathlib.Path(program).suffix]


def environment() -> dict[str, str]:
    """As the manual tells users of a tree that is built and not installed."""
    return os.environ | {
        "PATH": f"{BUILD}/src/cli:{BUILD}/manual/venv/bin:{os.environ['PATH']}",
        "PKG_CONFIG_PATH": f"{BUILD}/meson-uninstalled",
        "LD_LIBRARY_PATH": f"{BUILD}/src",
        "BMO_LIBRARY": f"{BUILD}/src/libbmo.so",
        "PYTHONPATH": f"{TREE}/bindings/python/src",
        "R_LIBS": f"{BUILD}/manual/r",
        "GOFLAGS": "-mod=mod",
        "GOCACHE": f"{BUILD}/manual/go",
    }


def output_of(program: pathlib.Path, command: str) -> str:
    """What a program prints in a folder of its own that has the pictures of `bmo demo` in it."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        for file in program, TREE / "share/demo/glyphs.npy.gz", TREE / "share/demo/glyphs.tsv":
            shutil.copy(file, place)
        (place / "go.mod").write_text(f"module glyphs\n\ngo 1.19\n\nrequire bmo v0.0.0\n\nreplace bmo => {TREE}/bindings/go\n")
        done = subprocess.run(["sh", "-c", command], cwd=place, env=environment(), capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise RuntimeError(f"{program.name} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


class Run(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        path, absolute = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(path)
        program = pathlib.Path(absolute)
        name, found, language, command = commands(program.name)
        code = program.read_text()
        shown = nodes.literal_block(code, code, language=language)
        if not found:
            missing = f"{name} was not installed where this manual was built, so that its output is missing."
            return [shown, nodes.note("", nodes.paragraph("", missing))]
        try:
            printed = output_of(program, command)
        except RuntimeError as failure:
            raise self.error(str(failure)) from failure
        return [shown, nodes.paragraph("", "It prints:"), nodes.literal_block(printed, printed, language="text")]


def setup(app) -> dict[str, bool]:
    app.add_directive("run", Run)
    return {"parallel_read_safe": True}
