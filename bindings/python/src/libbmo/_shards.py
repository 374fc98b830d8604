"""Parts of a set of points: how one is opened, prepared and searched, and how the answers of several become one.

This is what a worker does. Nothing here asks who calls it, but for the memory that it may use.
"""
from __future__ import annotations

import collections
import contextlib
import dataclasses
import os
import pathlib
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ._dataset import Dataset
from ._errors import Error, FileError, OutOfMemory
from ._params import params as table
from ._searcher import Searcher
from ._stats import Stats

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NPY = b"\x93NUMPY"
_KEPT_SEARCHERS = 4


@dataclass(frozen=True)
class File:
    """A file of points, or some rows of a plain .npy file."""

    path: str
    rows: tuple[int, int] | None = None

    def open(self) -> Dataset:
        if self.rows is None:
            return Dataset.open(self.path)
        return Dataset(np.load(self.path, mmap_mode="r")[slice(*self.rows)])


@dataclass(frozen=True)
class Facts:
    """What all shards must agree on, but for n."""

    n: int
    d: int
    dtype: str
    kind: str
    is_npy: bool


def look(label: Label) -> Facts:
    """What the file of a shard holds. Of a plain .npy the header alone is read."""
    with label.named():
        return _look(label.source)


def _look(path: str) -> Facts:
    with contextlib.suppress(ValueError), open(path, "rb") as file:
        if file.read(len(_NPY)) == _NPY:
            array = np.load(path, mmap_mode="r")
            if array.ndim == 2 and array.shape[1]:
                return Facts(array.shape[0], array.shape[1], str(array.dtype.newbyteorder("=")), "dense", True)
    info = Dataset.open(path).info  # which also says what is wrong with a file
    return Facts(info.n, info.d, str(info.dtype), info.kind, False)


class Part:
    """A dataset, and the searchers that were made of it."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._searchers: dict[Any, Searcher] = {}

    def searcher(self, params: Mapping[str, Any]) -> Searcher:
        try:
            key = frozenset(params.items())
            hash(key)
        except TypeError:  # weights
            return Searcher(self.dataset, **params)
        if key not in self._searchers:
            if len(self._searchers) >= _KEPT_SEARCHERS:
                self._searchers.clear()
            self._searchers[key] = Searcher(self.dataset, **params)
        return self._searchers[key]


class OpenFiles:
    """Mapped files of this process. Those that were used least recently are closed, so that their pages leave its memory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: collections.OrderedDict[File, Part] = collections.OrderedDict()

    def part(self, file: File) -> Part:
        with self._lock:
            part = self._parts.pop(file, None)
            if part is None:
                self._close(os.path.getsize(file.path) if file.rows is None else 0)
        if part is None:
            part = Part(file.open())
        with self._lock:
            self._parts[file] = part
            self._close(0)
        return part

    def _close(self, more: int) -> None:
        """Makes room for so many bytes more."""
        most = memory_limit() // 3
        while self._parts and more + sum(map(_bytes, self._parts.values())) > most:
            self._parts.popitem(last=False)


def _bytes(part: Part) -> int:
    return part.dataset.info.bytes_owned + part.dataset.info.bytes_borrowed


def memory_limit() -> int:
    """That of the Dask worker that runs this, or else the machine's memory."""
    if "distributed" in sys.modules:
        with contextlib.suppress(ValueError):
            limit = sys.modules["distributed"].get_worker().memory_manager.memory_limit
            if limit:
                return int(limit)
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


_open_files = OpenFiles()


@dataclass(frozen=True)
class Label:
    """Which shard it is."""

    number: int
    source: str
    first: int  # the number of its first point
    n: int

    def __str__(self) -> str:
        return f"shard {self.number} ({self.source})"

    @contextlib.contextmanager
    def named(self) -> Iterator[None]:
        """Failures inside name the shard."""
        try:
            yield
        except Error as failure:
            raise type(failure)(f"{self}: {failure}", failure.argument, failure.row, failure.col) from failure
        except OSError as failure:
            raise FileError(f"{self}: {failure}") from failure
        except MemoryError as failure:
            raise OutOfMemory(f"{self}: {failure or 'memory ran out'}") from failure


class Shard:
    """Points in this process's memory, or in a file."""

    def __init__(self, label: Label, points: Part | File) -> None:
        self.label = label
        self._points = points

    def __reduce__(self) -> tuple[Any, ...]:
        points = self._points
        return _shard, (self.label, points if isinstance(points, File) else points.dataset)

    def part(self) -> Part:
        return _open_files.part(self._points) if isinstance(self._points, File) else self._points

    def bytes_held(self) -> int:
        return 0 if isinstance(self._points, File) else _bytes(self._points)


def _shard(label: Label, points: Dataset | File) -> Shard:
    return Shard(label, points if isinstance(points, File) else Part(points))


def hold(points: Any, label: Label) -> Shard:
    """A shard of points in memory."""
    with label.named():
        return Shard(label, Part(Dataset(points)))


def in_file(file: File, label: Label) -> Shard:
    """A shard of points in a file."""
    return Shard(label, file)


def prepare(shard: Shard, folder: str | None, params: Mapping[str, Any]) -> Shard:
    """The shard with its preparation: in memory, or in a file of the folder."""
    label = shard.label
    with label.named():
        prepared = shard.part().dataset.prepare(**params)
        if folder is None:
            return Shard(label, Part(prepared))
        path = pathlib.Path(folder) / f"shard-{label.number:05d}.bmo"
        prepared.save(path)
        return Shard(label, File(str(path)))


@dataclass(frozen=True)
class Found:
    """Neighbors of some queries by their numbers among all points, and what they cost."""

    index: NDArray[np.int64]
    distance: NDArray[np.float64]
    stats: Stats | None


def _levels(params: Mapping[str, Any], k: int, wanted: int) -> dict[str, Any]:
    """The parameters with which each test of a shard that has fewer points than k has level delta / k.

    Below the least delta no point is dropped by a test, so that the least will do.
    """
    if wanted == k:
        return dict(params)
    delta, least = float(params["delta"]), table()["delta"].lower
    assert least is not None
    return {**params, "delta": max(float(np.nextafter(delta * wanted / k, 0)), least)}


def search(shard: Shard, queries: Any, k: int, within: NDArray[np.float64] | None, params: Mapping[str, Any]) -> Found:
    """The k nearest points of the shard, or all of them if they are fewer."""
    with shard.label.named():
        part = shard.part()
        wanted = min(k, part.dataset.n)
        found = part.searcher(_levels(params, k, wanted)).knn(queries, wanted, max_distance=within)
    return _numbered(found.index, found.distance, found.stats, shard.label.first)


def search_rows(shard: Shard, rows: tuple[int, int], k: int, params: Mapping[str, Any]) -> Found:
    """The same of points of the shard itself, each of which is no neighbor of its own."""
    with shard.label.named():
        part = shard.part()
        wanted = min(k, part.dataset.n - 1)
        if not wanted:
            return Found(np.empty((1, 0), np.int64), np.empty((1, 0)), None)
        found = part.searcher(_levels(params, k, wanted)).knn_rows(np.arange(*rows), wanted)
    return _numbered(found.index, found.distance, found.stats, shard.label.first)


def _numbered(index: NDArray[np.int64], distance: NDArray[np.float64], stats: Stats, first: int) -> Found:
    return Found(np.where(index < 0, -1, index + first), distance, stats)


def rows_of(shard: Shard, rows: tuple[int, int]) -> NDArray[Any]:
    """Points of the shard, to be queries of others."""
    with shard.label.named():
        dataset = shard.part().dataset
        values = dataset.rows(np.arange(*rows))
        return values if dataset.info.dtype.kind == "V" else values.astype(dataset.info.dtype)


def merge(parts: Sequence[Found], k: int) -> Found:
    """The k nearest of what several shards found: ascending by distance, ties by index."""
    index = np.concatenate([part.index for part in parts], axis=1)
    distance = np.concatenate([part.distance for part in parts], axis=1)
    order = np.lexsort((index, distance))[:, :k]
    return Found(np.take_along_axis(index, order, 1), np.take_along_axis(distance, order, 1),
                 _added([part.stats for part in parts if part.stats is not None]))


_SUMS = ("arms", "rounds", "coord_ops_sampled", "exact_evals", "coord_ops", "coord_ops_exact", "coord_ops_brute", "projection_ops",
         "arms_pruned", "seconds")
_WORDS = ("method", "box", "bandit", "confidence", "sampling", "assumption", "reason")


def _added(stats: Sequence[Stats]) -> Stats | None:
    """Of the same queries in several shards: the sums of what was done, and the least guarantee."""
    if not stats:
        return None
    words: dict[str, Any] = {name: getattr(stats[0], name) for name in _WORDS}
    words = {name: word if all(getattr(one, name) == word for one in stats) else "" for name, word in words.items()}
    sums: dict[str, Any] = {name: sum(getattr(one, name) for one in stats) for name in _SUMS}
    return dataclasses.replace(stats[0], guarantee=min(one.guarantee for one in stats), **words, **sums)


def joined(blocks: Sequence[Found]) -> Found:
    """Several blocks of queries, one after the other."""
    stats = [block.stats for block in blocks if block.stats is not None]
    whole = _added(stats)
    if whole is not None:
        whole = dataclasses.replace(whole, queries=sum(one.queries for one in stats), arms=stats[0].arms)
    return Found(np.concatenate([block.index for block in blocks]), np.concatenate([block.distance for block in blocks]), whole)


def kth_distance(found: Found, k: int, slack: float, largest: NDArray[np.float64] | None = None) -> NDArray[np.float64] | None:
    """The largest distance that is of interest beside these neighbors, for each query; None if any is.

    Other shards compute a distance with other last digits: what equals the k-th must not fall for them.
    """
    if found.index.shape[1] < k:
        return largest
    kth: NDArray[np.float64] = found.distance[:, k - 1]
    kth = kth + slack * np.abs(kth) + np.finfo(np.float64).tiny
    return kth if largest is None else np.minimum(kth, largest)


def search_behind(shard: Shard, queries: Any, k: int, found: Found, slack: float, largest: NDArray[np.float64] | None,
                  params: Mapping[str, Any]) -> Found:
    """search(), for what is nearer than the k-th neighbor that others found."""
    return search(shard, queries, k, kth_distance(found, k, slack, largest), params)


def save(found: Found, folder: str, number: int) -> tuple[str, str]:
    """Writes neighbors to two .npy files, which appear when they are complete."""
    return _save(found.index, folder, f"index-{number:05d}.npy"), _save(found.distance, folder, f"distance-{number:05d}.npy")


def _save(array: NDArray[Any], folder: str, name: str) -> str:
    path = pathlib.Path(folder) / name
    part = path.with_name(f".{name}.{os.getpid()}.{threading.get_ident()}.part")
    with open(part, "wb") as file:
        np.save(file, array)
    part.replace(path)
    return str(path)
