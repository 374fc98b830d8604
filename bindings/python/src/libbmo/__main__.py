"""The `bmo` command that the package carries: ``bmo ...``, or ``python -m libbmo ...``."""
from __future__ import annotations

import os
import sys

from ._places import places


def main() -> None:
    """Becomes the command."""
    for program in places("bmo", "src/cli/bmo"):
        os.execv(program, ["bmo", *sys.argv[1:]])
    sys.exit("libbmo: this installation of the package has no bmo command")


if __name__ == "__main__":
    main()
