"""Largest distances of searches, and all neighbors within one."""
from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _structs
from ._errors import check, refuse, refuse_type
from ._library import lib
from ._points import address
from ._stats import Stats, stats_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def as_distances(max_distance: ArrayLike, queries: int) -> NDArray[np.float64]:
    """One for all queries, or one for each."""
    try:
        distances = np.array(max_distance, np.float64)
    except (TypeError, ValueError):
        refuse_type("max_distance", f"max_distance is {max_distance!r}; expected a number, or one for each query")
    if distances.shape not in ((), (queries,)):
        refuse("max_distance", f"max_distance has shape {distances.shape}; expected a number, or shape {(queries,)}")
    return distances


class Limits:
    """The struct of largest distances and of labels of the queries, with the arrays that it points to."""

    __slots__ = ("_distances", "_labels", "_struct", "at")

    def __init__(self, distances: NDArray[np.float64] | None, max_pairs: int = 0, labels: NDArray[np.int32] | None = None) -> None:
        self._distances, self._labels = distances, labels
        limit = (0, 0) if distances is None else (address(distances), distances.size if distances.ndim else 1)
        label = (0, 0) if labels is None else (address(labels), len(labels))
        self._struct = _structs.Limits.from_buffer_copy(_structs.Limits.packed(0, *limit, max_pairs, *label))
        self.at = ctypes.addressof(self._struct)


class RadiusNeighbors:
    """All points within a distance of each query. Item i has those of query i: their numbers, and their distances.

    Attributes
    ----------
    offset : ndarray of int64, shape (m + 1,)
        The neighbors of query i are those from ``offset[i]`` to ``offset[i + 1] - 1``.
    index : ndarray of int64, shape (pairs,)
        Numbers of points, counted from 0. Of each query the nearest first, ties by least index.
    distance : ndarray of float64, shape (pairs,)
        Their distances, computed in full.
    stats : Stats
        What was proved, and what it cost.
    """

    __slots__ = ("distance", "index", "offset", "stats")

    def __init__(self, offset: NDArray[np.int64], index: NDArray[np.int64], distance: NDArray[np.float64],
                 stats: Stats) -> None:
        self.offset = offset
        self.index = index
        self.distance = distance
        self.stats = stats

    def __len__(self) -> int:
        return len(self.offset) - 1

    def __getitem__(self, query: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        query = range(len(self))[query]
        one = slice(self.offset[query], self.offset[query + 1])
        return self.index[one], self.distance[one]

    def __iter__(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64]]]:
        return (self[query] for query in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        return RadiusNeighbors, (self.offset, self.index, self.distance, self.stats)

    def __repr__(self) -> str:
        return (f"RadiusNeighbors({len(self.index)} of {len(self)} queries, guarantee: {self.stats.guarantee}, "
                f"gain: {self.stats.gain:.3g})")


class Found:
    """Where a radius search puts its neighbors."""

    __slots__ = ("_handle", "_stats", "out", "stats_ref")

    def __init__(self) -> None:
        self._handle = ctypes.c_void_p()
        self._stats = _structs.Stats.blank()
        self.out = ctypes.byref(self._handle)
        self.stats_ref = ctypes.byref(self._stats)

    def __del__(self, free: Any = lib.bmo_neighbors_free) -> None:
        free(self._handle)

    def neighbors(self) -> RadiusNeighbors:
        """The same as arrays of their own."""
        view = _structs.NeighborsView.blank()
        check(lib.bmo_neighbors_read(self._handle, ctypes.byref(view)))
        return RadiusNeighbors(_copied(view.offset, view.queries + 1, np.int64), _copied(view.index, view.pairs, np.int64),
                               _copied(view.distance, view.pairs, np.float64), stats_of(self._stats))


def _copied(at: int | None, count: int, dtype: type[np.generic]) -> Any:
    if not count or not at:
        return np.empty(0, dtype)
    there: Any = (ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(at)
    return np.frombuffer(there, dtype).copy()
