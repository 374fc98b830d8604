"""Where what is compiled lies."""
from __future__ import annotations

import pathlib


def places(name: str, built: str) -> list[str]:
    """Where a file of this name is: inside the package, then in the build of the tree around it."""
    here = pathlib.Path(__file__).resolve().parent
    candidates = [here / name, *(tree / "build" / built for tree in list(here.parents)[3:4])]
    return [str(place) for place in candidates if place.exists()]
