"""libbmo.so, loaded once.

The first of these that there is: the path in the environment variable BMO_LIBRARY; the library inside this package; that of
build/src in the tree around this file; the system's libbmo.so.0.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any

from ._places import places
from ._structs import PROTOTYPES

_OLDEST = 1000  # 0.1.0, whose header the structs follow


def _load() -> ctypes.CDLL:
    told = os.environ.get("BMO_LIBRARY")
    path = told or [*places("libbmo.so", "src/libbmo.so"), "libbmo.so.0"][0]
    try:
        loaded = ctypes.CDLL(path)
    except OSError as failure:
        raise ImportError(f"libbmo could not be loaded: {failure}. Set BMO_LIBRARY to the path of a libbmo.so, or install "
                          "libbmo") from failure
    for name, (result, arguments) in PROTOTYPES.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    version = int(loaded.bmo_version())
    if version < _OLDEST:
        raise ImportError(f"{path} is libbmo {loaded.bmo_version_string().decode()}; expected 0.1.0 or newer")
    return loaded


lib: Any = _load()
__version__: str = lib.bmo_version_string().decode()


def isa() -> str:
    """The instruction set in use: ``"avx512vnni"``, ``"avx512"``, ``"avx2"``, ``"sse4"``, ``"neon"`` or ``"scalar"``.

    It is the best that the processor has. The environment variable ``BMO_ISA`` chooses a lower one.
    """
    return str(lib.bmo_isa().decode())


def threads_available() -> int:
    """How many threads ``threads=0`` means: the processors that this process may use, or its quota if that is less."""
    return int(lib.bmo_threads_available())
