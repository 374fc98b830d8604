"""The build backend of `pip install ./bindings/python`: meson-python's, at the top of the tree, where the library is."""
import os
import pathlib

_top = pathlib.Path(__file__).resolve().parents[2]
if not (_top / "include" / "bmo.h").exists():
    raise RuntimeError(f"{_top} is not a tree of libbmo; install the Python package from a clone of libbmo, or from an sdist")
os.chdir(_top)  # each hook runs in a process of its own, and with paths that are absolute

from mesonpy import (build_editable, build_sdist, build_wheel, get_requires_for_build_editable,  # noqa: E402
                     get_requires_for_build_sdist, get_requires_for_build_wheel)

__all__ = ["build_editable", "build_sdist", "build_wheel", "get_requires_for_build_editable", "get_requires_for_build_sdist",
           "get_requires_for_build_wheel"]
