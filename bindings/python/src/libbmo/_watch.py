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

from ._errors import check, refuse_type
from ._library import lib
from ._structs import Monitor, Progress

PHASES = {1: "read", 2: "check", 3: "prepare", 4: "search", 5: "write"}
_UNITS = {1: "B", 2: " rows", 3: " rows", 4: " queries", 5: "B"}
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
            unit = _UNITS[next(number for number, name in PHASES.items() if name == phase)]
            self._bar = self._make(total=total, desc=phase, unit=unit, unit_scale=unit == "B", leave=False)
            self._phase = phase
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class Watch:
    """One call after another, with the same progress and token: ``watch(call)`` is ``call(monitor)``."""

    def __init__(self, progress: ProgressLike = None, cancel: Cancel | None = None) -> None:
        if cancel is not None and not isinstance(cancel, Cancel):
            refuse_type("cancel", f"cancel is {cancel!r}; expected a Cancel or None")
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            refuse_type("progress", f"progress is {progress!r}; expected True, False or a function")
        self._cancel = cancel
        self._bars = _Bars() if progress is True else None
        self._report: Report | None = self._bars if isinstance(progress, bool) else progress
        self._failure: BaseException | None = None

    def __call__(self, call: Callable[[Any], int], points: str | None = "points") -> None:
        """Makes the call with a monitor, and raises what it failed with. `points` is as for `check`."""
        on_main = threading.get_ident() == threading.main_thread().ident
        if not (on_main or self._report or self._cancel):
            check(call(None), points)
            return
        ticks = self._ticks() if on_main or self._report else None
        if ticks:
            next(ticks)
        cancel = self._cancel._handle.value if self._cancel else None
        try:
            status = call(Monitor.packed(INTERVAL_MS, _SEND if ticks else 0, id(ticks), cancel or 0))
        finally:
            if self._bars:
                self._bars.close()
        if self._failure is not None:
            failure, self._failure = self._failure, None
            try:
                raise failure
            finally:
                del failure  # which knows this frame
        check(status, points)

    def _ticks(self) -> Generator[int, Any, None]:
        """Takes what the library reports, and answers whether to stop."""
        stop = 0
        while True:
            try:
                while True:
                    progress = yield stop
                    if self._report and not stop:
                        told = Progress.from_address(progress)
                        self._report(PHASES.get(told.phase, "work"), told.done, told.total)
            except GeneratorExit:
                return
            except BaseException as failure:
                stop = 1
                self._failure = self._failure or failure


def aside(call: Callable[[Cancel], None], cancel: Cancel | None) -> None:
    """Makes a call that calls Python functions, where a signal handler cannot break into these functions.

    ctypes would lose what a handler raises in them. So the main thread waits for the signals while another thread makes the
    call, in the same context.
    """
    stop = cancel or Cancel()
    if threading.get_ident() != threading.main_thread().ident:
        call(stop)
        return
    outcome: list[BaseException | None] = []
    # Not Thread.join(): before Python 3.13, one that a handler breaks into takes the thread for ended.
    running = threading.Lock()
    running.acquire()

    def work() -> None:
        try:
            call(stop)
            outcome.append(None)
        except BaseException as failure:
            outcome.append(failure)
        running.release()

    threading.Thread(target=contextvars.copy_context().run, args=(work,), name="libbmo").start()
    try:
        running.acquire()
    except BaseException:
        stop.request()
        if not outcome:  # the handler may have come when the lock was acquired
            running.acquire()
        if cancel is not None:
            cancel.reset()
        raise
    if outcome[0] is not None:
        try:
            raise outcome[0]
        finally:
            outcome.clear()
