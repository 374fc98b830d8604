"""Long calls: Ctrl-C, progress, and stopping them from another thread.

Python runs signal handlers between two of its own instructions, on its main thread, which a long call keeps in C. So the
library calls back every few milliseconds. An exception that a handler raises must not get lost there: ctypes prints what a
callback raises, and goes on. Python checks for signals as the first thing of a function, before any ``try`` of it. But a
generator is resumed within the ``try`` that it was suspended in. So the callback is the method ``send`` of generators itself,
called with the generator of this call as its context.
"""
from __future__ import annotations

import contextvars
import ctypes
import threading
import types
from collections.abc import Callable, Generator
from typing import Any, Union

from . import _structs
from ._errors import check, refuse_type
from ._library import lib
from ._structs import Monitor, Progress

PHASES: dict[int, str] = {number: lib.bmo_phase_name(number).decode() for number in _structs.PHASES}
_UNITS = {PHASES[_structs.READ]: "B", PHASES[_structs.CHECK]: " rows", PHASES[_structs.PREPARE]: " rows",
          PHASES[_structs.SEARCH]: " queries", PHASES[_structs.WRITE]: "B"}
INTERVAL_MS = 20

Report = Callable[[str, int, int], object]
ProgressLike = Union[bool, Report, None]

_send = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.py_object, ctypes.c_void_p)(types.GeneratorType.send)
_SEND = ctypes.cast(_send, ctypes.c_void_p).value


class Cancel:
    """Stops running calls from another thread: pass it as ``cancel`` and call `request`.

    Each call that has it raises `Canceled` within about 50 ms. Ctrl-C needs none: it stops a call of the main thread.

    Examples
    --------
    >>> import libbmo
    >>> import numpy as np
    >>> stop = libbmo.Cancel()
    >>> stop.request()
    >>> try:
    ...     libbmo.knn_graph(np.eye(3), 1, cancel=stop)
    ... except libbmo.Canceled:
    ...     print("stopped")
    stopped
    """

    def __init__(self) -> None:
        handle = ctypes.c_void_p()
        check(lib.bmo_cancel_create(ctypes.byref(handle)))
        self._handle = handle

    def request(self) -> None:
        """Stops every call that has this token, now and until `reset`. Any thread and any signal handler may do it."""
        lib.bmo_cancel_request(self._handle)

    def reset(self) -> None:
        """Makes the token usable again."""
        lib.bmo_cancel_reset(self._handle)

    def __del__(self, free: Any = lib.bmo_cancel_free) -> None:
        free(getattr(self, "_handle", None))


class _Bars:
    """tqdm's bars, one for each phase."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
        except ImportError as failure:
            raise ImportError("progress=True needs tqdm; install it, or pass a function of phase, done and total") from failure
        self._make = tqdm
        self._bar: Any = None
        self._phase = ""

    def __call__(self, phase: str, done: int, total: int) -> None:
        if phase != self._phase:
            self.close()
            unit = _UNITS.get(phase, "")
            self._bar = self._make(total=total, desc=phase, unit=unit, unit_scale=unit == "B", leave=False)
            self._phase = phase
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class Watch:
    """Calls of one thread, one at a time, with the same progress and token."""

    def __init__(self, progress: ProgressLike = None, cancel: Cancel | None = None) -> None:
        if cancel is not None and not isinstance(cancel, Cancel):
            refuse_type("cancel", f"cancel is {cancel!r}; expected a Cancel or None")
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            refuse_type("progress", f"progress is {progress!r}; expected True, False or a function")
        self._cancel = cancel  # keeps the token
        self._bars = _Bars() if progress is True else None
        report = self._bars if isinstance(progress, bool) else progress
        self._failures: list[BaseException] = []
        self._ticks = _ticks(report, self._failures) if report or _on_main() else None
        if self._ticks:
            next(self._ticks)
        token = cancel._handle.value if cancel else None
        self._monitor = (Monitor.packed(INTERVAL_MS, _SEND if self._ticks else 0, id(self._ticks), token or 0)
                         if self._ticks or token else None)

    def __call__(self, call: Callable[[Any], int], points: str = "points") -> None:
        """``call(monitor)``; raises what it failed with. `points` is as for `check`."""
        try:
            status = call(self._monitor)
        finally:
            if self._bars:
                self._bars.close()
        if self._failures:
            failure = self._failures[0]
            self._failures.clear()
            try:
                raise failure
            finally:
                del failure  # which knows this frame
        check(status, points)


def _ticks(report: Report | None, failures: list[BaseException]) -> Generator[int, Any, None]:
    """Takes what the library reports, and answers whether to stop: after a failure."""
    while True:
        try:
            while True:
                progress = yield 1 if failures else 0
                if report and not failures:
                    told = Progress.from_address(progress)
                    report(PHASES.get(told.phase, "work"), told.done, told.total)
        except GeneratorExit:
            return
        except BaseException as failure:
            failures.append(failure)


def _on_main() -> bool:
    return threading.get_ident() == threading.main_thread().ident


_idle: list[Watch] = []  # of the main thread, without progress and token: a lone query would feel that one is made


def watched(call: Callable[[Any], int], points: str = "points", progress: ProgressLike = None,
            cancel: Cancel | None = None) -> None:
    """Makes a call with a monitor, and raises what it failed with. `points` is as for `check`."""
    if progress is not None or cancel is not None or not _on_main():
        Watch(progress, cancel)(call, points)
        return
    try:
        watch = _idle.pop()
    except IndexError:  # the first call, or a signal handler's within another call
        watch = Watch()
    watch(call, points)
    _idle.append(watch)


def aside(call: Callable[[Cancel], None], cancel: Cancel | None) -> None:
    """Makes a call that calls Python functions, where a signal handler cannot break into these functions.

    ctypes would lose what a handler raises in them. So the main thread waits for the signals while another thread makes the
    call, in the same context.
    """
    stop = cancel or Cancel()
    if threading.get_ident() != threading.main_thread().ident:
        call(stop)
        return
    begun: list[bool] = []
    abandoned: list[bool] = []
    outcome: list[BaseException | None] = []
    # Not Thread.join(): before Python 3.13, one that a handler breaks into takes the thread for ended.
    running = threading.Lock()
    running.acquire()

    def work() -> None:
        begun.append(True)
        try:
            if not abandoned:
                call(stop)
            outcome.append(None)
        except BaseException as failure:
            outcome.append(failure)
        running.release()

    try:
        threading.Thread(target=contextvars.copy_context().run, args=(work,), name="libbmo").start()
        running.acquire()
    except BaseException:
        stop.request()
        abandoned.append(True)
        if begun and not outcome:  # the handler may have come before the thread began, or when the lock was acquired
            running.acquire()
        if cancel is not None:
            cancel.reset()
        raise
    if outcome[0] is not None:
        try:
            raise outcome[0]
        finally:
            outcome.clear()
