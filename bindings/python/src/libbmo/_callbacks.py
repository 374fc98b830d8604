"""Python functions that the library calls."""
from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from ctypes import POINTER, c_double, c_int32, c_int64, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import CallbackError, refuse_type
from ._watch import Cancel, ProgressLike, aside, watched

if TYPE_CHECKING:
    from numpy.typing import NDArray

RHO = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p)
PULL = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_int64, c_int64, c_uint64, c_void_p, c_void_p)
EXACT = ctypes.CFUNCTYPE(c_int32, c_void_p, c_int64, POINTER(c_double))


def view(at: int, count: int, kind: Any) -> NDArray[Any]:
    """An array of the library's memory, good while the callback runs."""
    return np.frombuffer((kind * count).from_address(at), kind)


class Failures:
    """What functions raised, until the call on the same thread takes it."""

    def __init__(self) -> None:
        self._of: dict[int, BaseException] = {}

    def guard(self, work: Callable[..., None]) -> Callable[..., int]:
        """The function as the library calls it: 0, or 1 if it raised."""

        def guarded(*arguments: Any) -> int:
            try:
                work(*arguments)
                return 0
            except BaseException as failure:
                self._of[threading.get_ident()] = failure
                return 1

        return guarded

    def watched(self, call: Callable[[Any], int], points: str, progress: ProgressLike, cancel: Cancel | None) -> None:
        """Makes a call that calls these functions, and raises what they raised."""

        def make(stop: Cancel) -> None:
            failure = None
            try:
                watched(call, points, progress, stop)
            except CallbackError:
                failure = self._of.pop(threading.get_ident(), None)
                if failure is None:
                    raise
            if failure is not None:
                raise failure

        aside(make, cancel)


class Rho:
    """A coordinate distance: ``function(a, b, coordinate)`` of arrays of the same length."""

    def __init__(self, function: Any) -> None:
        if not callable(function):
            refuse_type("rho", f"rho is {function!r}; expected a function of a, b and the numbers of coordinates")
        self.failures = Failures()

        def called(_: Any, coordinate: int, count: int, a: int, b: int, out: int) -> None:
            # Copies, since the function may keep its arguments.
            arguments = [view(at, count, kind).copy() for at, kind in ((a, c_double), (b, c_double), (coordinate, c_int64))]
            answer = np.asarray(function(*arguments), np.float64)
            if answer.shape != (count,):
                raise ValueError(f"rho returned shape {answer.shape}; expected {(count,)}")
            view(out, count, c_double)[:] = answer

        self.callback = RHO(self.failures.guard(called))
