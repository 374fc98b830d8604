"""The k nearest points of queries: where a search writes them, and what it tells."""
from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, Tuple

import numpy as np

from . import _structs
from ._errors import refuse, refuse_type
from ._points import address, element_strides
from ._stats import Stats, stats_of
from ._within import Limits, as_distances

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = np.ndarray[Any, Any]
    Out = Optional[Tuple[Optional[Array], Optional[Array]]]

# The types of index and distance.
_TYPES: tuple[dict[np.dtype[Any], int], ...] = (
    {np.dtype(np.int64): _structs.I64, np.dtype(np.int32): _structs.I32},
    {np.dtype(np.float64): _structs.F64, np.dtype(np.float32): _structs.F32})
ROW_STATS = np.dtype([("coord_ops", np.uint64), ("rounds", np.uint32), ("exact_evals", np.uint32)])


class Neighbors:
    """The nearest points of each query. ``index, distance = neighbors`` takes it apart.

    Attributes
    ----------
    index : ndarray of int64, shape (m, k)
        Numbers of points, counted from 0. Nearest first, ties by least index. -1 behind the last neighbor, where `max_distance`
        or labels leave fewer than k.
    distance : ndarray of float64, shape (m, k)
        Their distances, computed in full; then infinity.
    stats : Stats
        What was proved, and what it cost.
    row_stats : ndarray or None
        With ``row_stats=True``: the fields coord_ops, rounds and exact_evals of each query, shape (m,).
    """

    __slots__ = ("_told", "distance", "index", "row_stats")

    def __init__(self, index: Array, distance: Array, told: _structs.Stats | Stats, row_stats: Array | None = None) -> None:
        self.index = index
        self.distance = distance
        self.row_stats = row_stats
        self._told = told

    @property
    def stats(self) -> Stats:
        """What was proved, and what it cost."""
        if not isinstance(self._told, Stats):  # made when it is asked for: a lone query would feel it
            self._told = stats_of(self._told)
        return self._told

    def __reduce__(self) -> tuple[Any, ...]:
        return Neighbors, (self.index, self.distance, self.stats, self.row_stats)

    def __iter__(self) -> Iterator[Array]:
        return iter((self.index, self.distance))

    def __repr__(self) -> str:
        shown = self.distance if self.index is None else self.index
        m, k = (0, 0) if shown is None else shown.shape
        return f"Neighbors({k} of each of {m} queries, guarantee: {self.stats.guarantee}, gain: {self.stats.gain:.3g})"


class Answer:
    """Where a search writes, and what it tells."""

    __slots__ = ("_arrays", "_limits", "_row_stats", "_stats", "out", "stats_ref")

    def __init__(self, m: int, k: int, candidates: int, max_distance: ArrayLike | None, out: Out, row_stats: bool,
                 labels: NDArray[np.int32] | None = None) -> None:
        distances = None if max_distance is None else as_distances(max_distance, m)
        self._limits = None if distances is None and labels is None else Limits(distances, labels=labels)
        limits = 0 if self._limits is None else self._limits.at
        self._row_stats = np.zeros(m, ROW_STATS) if row_stats else None
        told = 0 if self._row_stats is None else address(self._row_stats)
        if out is not None:
            outer, inner = _check_out(out, (m, k))
            self._arrays: Any = out
            self.out = _structs.Output.packed(
                0, *(0 if array is None else kinds[array.dtype] for array, kinds in zip(out, _TYPES)),
                *(0 if array is None else address(array) for array in out), (m - 1) * outer + (k - 1) * inner + 1 if m and k else 0,
                outer, inner, 0, told, limits)
        else:
            width = k if 1 <= k <= candidates else 0  # otherwise the library says what is wrong with k
            index, distance = np.empty((m, width), np.int64), np.empty((m, width), np.float64)
            self._arrays = index, distance
            self.out = _structs.Output.packed(0, 0, 0, address(index), address(distance), m * width, 0, 0, 0, told, limits)
        self._stats = _structs.Stats.blank()
        self.stats_ref = ctypes.byref(self._stats)

    def neighbors(self) -> Neighbors:
        index, distance = self._arrays
        return Neighbors(index, distance, self._stats, self._row_stats)


def _check_out(out: Any, shape: tuple[int, int]) -> tuple[int, int]:
    """The strides of the arrays of `out`, in elements."""
    if not isinstance(out, tuple) or len(out) != 2:
        refuse_type("out", f"out is {type(out).__name__}; expected a tuple of two: index and distance")
    strides = [_check_array(name, array, kinds, shape) for name, array, kinds in zip(("index", "distance"), out, _TYPES)
               if array is not None]
    if len(strides) == 2 and strides[0] != strides[1]:
        refuse("out", f"out: index has strides {strides[0]} and distance {strides[1]}, in elements; expected the same")
    return strides[0] if strides else (shape[1], 1)


def _check_array(name: str, array: Any, kinds: dict[np.dtype[Any], int], shape: tuple[int, int]) -> tuple[int, int]:
    if not isinstance(array, np.ndarray):
        refuse_type("out", f"out: {name} is {type(array).__name__}; expected a NumPy array or None")
    if array.dtype not in kinds:
        refuse_type("out", f"out: {name} has dtype {array.dtype}; expected {' or '.join(map(str, kinds))}")
    if array.shape != shape:
        refuse("out", f"out: {name} has shape {array.shape}; expected {shape}")
    if not array.flags.writeable:
        refuse("out", f"out: {name} is read-only; expected an array to write to")
    strides = element_strides(array)
    if strides is None:
        refuse("out", f"out: {name} has strides {array.strides}; expected positive multiples of {array.itemsize}")
    outer, inner = strides
    inner = inner or 1
    return outer or shape[1] * inner, inner
