"""The `bmo` command that the package carries: ``bmo ...``, or ``python -m libbmo ...``."""
from __future__ import annotations

import os
import pathlib
import sys


def main() -> None:
    """Becomes the command."""
    here = pathlib.Path(__file__).resolve().parent
    for program in (here / "bmo", *(parent / "build" / "src" / "cli" / "bmo" for parent in here.parents[3:4])):
        if program.exists():
            os.execv(program, ["bmo", *sys.argv[1:]])
    sys.exit("libbmo: this installation of the package has no bmo command")


if __name__ == "__main__":
    main()
