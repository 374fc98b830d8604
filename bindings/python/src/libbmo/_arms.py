"""The bandits alone, over arms of the caller's own."""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_double, c_int64
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _structs
from ._callbacks import EXACT, PULL, Failures, view
from ._errors import refuse, refuse_type
from ._library import lib
from ._params import NOT_IN_THE_TABLE, Config, Params, int64, takes_params
from ._points import address
from ._stats import Stats, stats_of
from ._watch import Cancel, ProgressLike

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

_MAXIMIZE, _BOUNDED = 4, 8


@dataclass(frozen=True)
class BestArms:
    """The best arms, best first by `mean`. The guarantee is of the set, not of the order.

    Attributes
    ----------
    arm : ndarray of int64, shape (k,)
    mean : ndarray of float64, shape (k,)
        Exact if it was computed, otherwise of the samples.
    halfwidth : ndarray of float64, shape (k,)
        The true mean is within this of `mean`. 0: exact; infinite: nothing bounds it.
    stats : Stats
        `coord_ops` counts samples, and the cost of each exact value.
    """

    arm: NDArray[np.int64]
    mean: NDArray[np.float64]
    halfwidth: NDArray[np.float64]
    stats: Stats

    def __repr__(self) -> str:
        return f"BestArms(arm: {self.arm}, mean: {self.mean}, guarantee: {self.stats.guarantee})"


@takes_params(_structs.CALL_ARMS)
def best_arms(pull: Callable[[NDArray[np.int64], int, int], tuple[ArrayLike, ArrayLike]], n: int, k: int, *,
              exact: Callable[[int], float] | None = None, exact_cost: int = 0, lower: float | None = None,
              upper: float | None = None, maximize: bool = False, progress: ProgressLike = None, cancel: Cancel | None = None,
              **params: Unpack[Params]) -> BestArms:
    """The k of n arms whose means are least, or largest.

    Parameters
    ----------
    pull : callable
        ``pull(arms, m, stream)`` takes m new independent samples of each of these arms, and returns their sums and their sums
        of squares, two arrays as long as `arms`. `stream` is another number at every call, and the same for the same
        parameters: use it as a seed.
    n, k : int
        Arms, and how many of the best are wanted.
    exact : callable, optional
        ``exact(arm)`` returns the mean itself. Without it every arm is sampled until the best are told apart; equal arms never
        are.
    exact_cost : int
        Samples that an exact value costs. Needed with `exact`.
    lower, upper : float, optional
        What bounds every sample.
    maximize : bool
        Whether the arms of largest mean are best.
    progress, cancel
        As for `Dataset`.
    **params
        Those that count: `delta`, `epsilon`, `bandit`, `confidence`, `sigma`, `init_pulls`, `pulls_per_round`,
        `arms_per_round`, `max_pulls`, `uniform_pulls`, `method` and `seed`.

    Returns
    -------
    BestArms

    Raises
    ------
    CallbackError
        The functions returned what is not finite, or is outside of the bounds. What they raise comes back as it is.

    Examples
    --------
    >>> import libbmo
    >>> import numpy as np
    >>> coins = np.array([0.5, 0.1, 0.6])
    >>> def throw(arms, m, stream):
    ...     heads = np.random.default_rng(stream).binomial(m, coins[arms]).astype(float)
    ...     return heads, heads
    >>> libbmo.best_arms(throw, 3, 1, lower=0, upper=1).arm
    array([1])
    """
    for name, function in (("pull", pull), ("exact", exact)):
        if not callable(function) and (name == "pull" or function is not None):
            refuse_type(name, f"{name} is {function!r}; expected a function")
    for name in NOT_IN_THE_TABLE:
        if params.get(name) is not None:
            refuse(name, f"{name} is given to best_arms, which has no points; expected none")
    count, best = int64(n, "n"), int64(k, "k")
    failures = Failures()

    def pulled(_: Any, arms: int, asked: int, m: int, stream: int, total: int, squares: int) -> None:
        answer = np.asarray(pull(view(arms, asked, c_int64).copy(), m, stream), np.float64)
        if answer.shape != (2, asked):
            raise ValueError(f"pull returned what has shape {answer.shape}; expected {(2, asked)}: the sums, and those of squares")
        view(total, asked, c_double)[:], view(squares, asked, c_double)[:] = answer

    def computed(_: Any, arm: int, mean: Any) -> None:
        assert exact is not None
        mean[0] = float(exact(arm))

    callbacks = PULL(failures.guard(pulled)), EXACT(failures.guard(computed))
    pointers = [ctypes.cast(callback, ctypes.c_void_p).value or 0 for callback in callbacks]
    flags = (_MAXIMIZE if maximize else 0) | (0 if lower is upper is None else _BOUNDED)
    cost = int64(exact_cost, "exact_cost")
    if cost < 0:
        refuse("exact_cost", f"exact_cost is {cost}; expected 0 or more")
    arms = _structs.Arms.packed(flags, count, 0, cost, float("-inf") if lower is None else float(lower),
                                float("inf") if upper is None else float(upper), pointers[0],
                                pointers[1] if exact is not None else 0)
    room = best if 1 <= best <= count else 0
    arm, mean, halfwidth = np.empty(room, np.int64), np.empty(room), np.empty(room)
    out = _structs.Best.packed(0, best, address(arm), address(mean), address(halfwidth))
    config, stats = Config(params, _structs.CALL_ARMS), _structs.Stats.blank()
    failures.watched(lambda monitor: lib.bmo_best_arms(arms, config.handle, out, monitor, ctypes.byref(stats)), "arms", progress, cancel)
    return BestArms(arm, mean, halfwidth, stats_of(stats))
