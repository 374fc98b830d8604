"""Points in parts, on the workers of a Dask cluster.

Each part, a *shard*, stays on the worker that holds it, or in its file. A query goes to the shards, and what they find is merged
on the workers. The answer has the promise of a single machine: `delta` is that of the whole query, whatever the number of shards.
"""
from __future__ import annotations

import dataclasses
import functools
import operator
import os
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import dask.array
import distributed
import numpy as np
from dask.delayed import delayed

from . import _cluster, _shards, _shared_params, _structs
from ._cluster import WorkersDied
from ._dataset import Dataset
from ._errors import refuse, refuse_type
from ._neighbors import Neighbors
from ._params import Params, int64, takes_params
from ._shards import Facts, File, Label
from ._within import as_distances

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

__all__ = ["ShardedDataset", "WorkersDied"]

_QUERY_ROWS, _QUERY_BYTES = 512, 4 << 20  # of one task. The answer's last digits may hang on them, so no cluster decides
_GRAPH_ROWS, _GRAPH_BYTES = 4096, 32 << 20
_MERGED_AT_ONCE = 8
_STEP = 2  # one shard of so many is searched first, without a threshold


class ShardedDataset:
    """Points in shards. Make one by `from_array` or `from_files`.

    Every call needs a `distributed.Client`; it takes the current one. If a worker dies, Dask computes anew what it held. The same
    shards, queries, parameters and seed give the same answer, bit for bit, whatever the number of workers.

    Examples
    --------
    >>> import numpy as np, dask.array, distributed
    >>> from libbmo.dask import ShardedDataset
    >>> client = distributed.Client(processes=False, dashboard_address=":0", n_workers=2, threads_per_worker=1)
    >>> points = np.random.default_rng(1).normal(size=(600, 200)).astype("float32")
    >>> sharded = ShardedDataset.from_array(dask.array.from_array(points, chunks=(150, -1)))
    >>> sharded
    ShardedDataset(600 points x 200 coordinates, dense, float32, in 4 shards)
    >>> index, distance = sharded.prepare().knn(points[:3], k=5)
    >>> index[:, 0]
    array([0, 1, 2])
    >>> index, distance = sharded.graph(k=4)
    >>> index
    dask.array<concatenate, shape=(600, 4), dtype=int64, chunksize=(150, 4), chunktype=numpy.ndarray>
    >>> client.close()
    """

    def __init__(self, client: distributed.Client, shards: Sequence[distributed.Future], labels: Sequence[Label],
                 facts: Facts) -> None:
        self._client = client
        self._shards = list(shards)
        self._labels = list(labels)
        self._facts = facts

    @classmethod
    def from_array(cls, array: dask.array.Array) -> ShardedDataset:
        """Shards of a Dask array: each chunk of rows is one.

        Parameters
        ----------
        array : dask.array.Array, shape (n, d)
            With the columns in one chunk. Chunks that are in a worker's memory stay there.
        """
        if not isinstance(array, dask.array.Array):
            refuse_type("array", f"array is {type(array).__name__}; expected a Dask array")
        if array.ndim != 2:
            refuse("array", f"array has shape {array.shape}; expected two dimensions, points x coordinates")
        if any(np.isnan(size) for sizes in array.chunks for size in sizes):
            refuse("array", "array has chunks of unknown size; call array.compute_chunk_sizes() first")
        if len(array.chunks[1]) > 1:
            refuse("array", f"array has columns in {len(array.chunks[1])} chunks; expected one: array.rechunk({{1: -1}})")
        client = _cluster.current_client()
        facts = [Facts(n, array.shape[1], str(array.dtype), "dense", False) for n in array.chunks[0]]
        labels = _labels_of([f"chunk {at}" for at in range(len(facts))], facts)
        places = _cluster.holders(client, [(array.name, at, 0) for at in range(len(facts))], array)
        shards = []
        for label, place in zip(labels, places):
            block = array.blocks[label.number].to_delayed().item()
            chunk = client.compute(block, workers=[place], allow_other_workers=True)
            shards.append(_cluster.submit(client, "bmo-hold", _shards.hold, chunk, label, at=(label.number,), workers=[place]))
        _cluster.wait(shards, labels)
        return cls(client, shards, labels, _whole(facts))

    @classmethod
    def from_files(cls, files: Sequence[str | os.PathLike[str]], *, rows: int | None = None) -> ShardedDataset:
        """Shards of files that all workers can read: each file is one, or several.

        Plain ``.npy`` and ``.bmo`` files are mapped. A worker closes those that it used least recently, so that they may be larger
        than its memory: each shard should be smaller than a third of it.

        Parameters
        ----------
        files : sequence of str or path-like
            Whatever `Dataset.open` takes.
        rows : int, optional
            At most so many points in a shard: a plain ``.npy`` file of more is cut.
        """
        paths = [os.path.abspath(os.fsdecode(file)) for file in files]
        most = None if rows is None else int64(rows, "rows")
        if not paths:
            refuse("files", "files is empty; expected 1 file or more")
        if most is not None and most < 1:
            refuse("rows", f"rows is {most}; expected 1 or more")
        client = _cluster.current_client()
        named = [Label(at, path, 0, 0) for at, path in enumerate(paths)]
        looks = [_cluster.submit(client, "bmo-look", _shards.look, label, at=(label.number,)) for label in named]
        facts, sources, places = [], [], []
        for path, whole in zip(paths, _cluster.results(client, looks, named)):
            for cut in _cuts(whole, most):
                facts.append(whole if cut is None else dataclasses.replace(whole, n=cut[1] - cut[0]))
                sources.append(path if cut is None else f"{path}, rows {cut[0]} to {cut[1] - 1}")
                places.append(File(path, cut))
        labels = _labels_of(sources, facts)
        workers = _cluster.holders(client, [None] * len(labels), [])
        shards = [_cluster.submit(client, "bmo-file", _shards.in_file, place, label, at=(label.number,), workers=[worker])
                  for place, label, worker in zip(places, labels, workers)]
        _cluster.wait(shards, labels)
        return cls(client, shards, labels, _whole(facts))

    @takes_params(_structs.CALL_PREPARE)
    def prepare(self, folder: str | os.PathLike[str] | None = None, **params: Unpack[Params]) -> ShardedDataset:
        """The same points, each shard prepared on the worker that holds it.

        Parameters
        ----------
        folder : str or path-like, optional
            Where to write a ``.bmo`` file for each shard, which is mapped from then on. All workers must be able to read it.
            If it is not given, preparations stay in the workers' memory.
        **params
            As for `Dataset.prepare`.
        """
        _shared_params.check_params(params, _structs.CALL_PREPARE)
        where = None if folder is None else os.path.abspath(os.fsdecode(folder))
        shards = [self._on_shard("bmo-prepare", _shards.prepare, shard, where, params, at=(label.number,), holder=holder)
                  for shard, label, holder in zip(self._shards, self._labels, self._where())]
        _cluster.wait(shards, self._labels)
        return ShardedDataset(self._client, shards, self._labels, self._facts)

    @takes_params(_structs.CALL_KNN)
    def knn(self, queries: Any, k: int, *, max_distance: ArrayLike | None = None, **params: Unpack[Params]) -> Neighbors:
        """The k nearest points of each query.

        Parameters
        ----------
        queries : array_like or sparse matrix, shape (m, d)
        k : int
            1 to n.
        max_distance : float or array_like of float, shape (m,), optional
            No neighbor is farther: one number for all queries, or one for each.
        **params
            As for `Searcher`, but for `bandit` and what goes with it: the race alone divides among shards without a loss.

        Returns
        -------
        Neighbors
            Points are counted from the first of the first shard. ``stats`` adds up what the shards did.
        """
        count = self._count(k, self.n)
        asked = Dataset(queries)  # refuses what no shard could search for
        if asked.d != self.d:
            refuse("queries", f"queries has {asked.d} coordinates; expected {self.d}, those of the points")
        largest = None if max_distance is None else np.broadcast_to(as_distances(max_distance, asked.n), asked.n)
        own = _shared_params.per_query(params, asked.n)
        half = (asked.n + 1) // 2  # so that there are blocks that begin in other shards
        rows = _rows_of_block(asked.info.bytes_borrowed + asked.info.bytes_owned, asked.n, min(half, _QUERY_ROWS), _QUERY_BYTES)
        values = queries.tocsr() if hasattr(queries, "tocsr") else np.asarray(queries)
        holders = self._where()
        blocks = (functools.partial(self._knn_block, number, values[first:first + rows],
                                    None if largest is None else largest[first:first + rows], count, own, holders)
                  for number, first in enumerate(range(0, max(asked.n, 1), rows)))
        found = _shards.joined(_cluster.fetched(self._client, blocks, self._labels))
        assert found.stats is not None  # every shard has a point
        stats = dataclasses.replace(found.stats, delta=_shared_params.delta(params), neighbors=int((found.index >= 0).sum()))
        return Neighbors(found.index, found.distance, stats)

    def _knn_block(self, number: int, queries: Any, largest: Any, k: int, params: dict[str, Any],
                   holders: list[str]) -> distributed.Future:
        """Every second shard first, then the others with the threshold that these found. Blocks take turns in who is first."""
        token, client = uuid.uuid4().hex, self._client
        sent = _cluster.send(client, queries)
        step = min(_STEP, len(self._shards))
        slack = _shared_params.slack(self.d, params)
        numbered = list(zip(self._labels, self._shards, holders))
        first, second = ([one for one in numbered if (one[0].number + number) % step in which] for which in ((0,), range(1, step)))
        found = [self._on_shard("bmo-search", _shards.search, shard, sent, k, largest, params, at=(label.number, number),
                                holder=holder, token=token) for label, shard, holder in first]
        if second:
            merged = self._merged(found, k)
            found = [merged] + [self._on_shard("bmo-search", _shards.search_behind, shard, sent, k, merged, slack, largest, params,
                                               at=(label.number, number), holder=holder, token=token)
                                for label, shard, holder in second]
        return self._merged(found, k)

    @takes_params(_structs.CALL_KNN)
    def graph(self, k: int, *, folder: str | os.PathLike[str] | None = None, **params: Unpack[Params]) -> Any:
        """The k nearest other points of every point.

        Each block of points is searched in its own shard first, then in all others with the threshold that it found there.

        Parameters
        ----------
        k : int
            1 to n - 1.
        folder : str or path-like, optional
            Where to write ``index-00000.npy``, ``distance-00000.npy`` and so on, two files a block. All workers must be able
            to write there.
        **params
            As for `knn`.

        Returns
        -------
        index, distance : dask.array.Array, shape (n, k)
            On the workers. With `folder`: two lists of paths, in the order of the points.
        """
        count = self._count(k, self.n - 1)
        own = _shared_params.per_query(params, self.n)
        where = None if folder is None else os.path.abspath(os.fsdecode(folder))
        size = np.dtype(np.float64).itemsize * self.d
        blocks = [(label.number, (first, min(first + rows, label.n))) for label in self._labels
                  for rows in [_rows_of_block(size * label.n, label.n, _GRAPH_ROWS, _GRAPH_BYTES)]
                  for first in range(0, label.n, rows)]
        tasks = (functools.partial(self._graph_block, number, *block, count, where, own) for number, block in enumerate(blocks))
        futures = _cluster.few_at_once(self._client, tasks, self._labels)
        if where is not None:
            written = _cluster.results(self._client, futures, self._labels)
            return [index for index, _ in written], [distance for _, distance in written]
        lengths = [last - first for _, (first, last) in blocks]
        return tuple(dask.array.concatenate([self._array(future, name, (length, count), dtype)
                                             for future, length in zip(futures, lengths)])
                     for name, dtype in (("index", np.int64), ("distance", np.float64)))

    def _graph_block(self, number: int, owner: int, rows: tuple[int, int], k: int, folder: str | None,
                     params: dict[str, Any]) -> distributed.Future:
        slack, token, holders = _shared_params.slack(self.d, params), uuid.uuid4().hex, self._where()
        shard = self._shards[owner]
        nearest = self._on_shard("bmo-search", _shards.search_rows, shard, rows, k, params, at=(owner, number), holder=holders[owner],
                                 token=token)
        points = self._on_shard("bmo-search", _shards.rows_of, shard, rows, at=(owner, number, "rows"), holder=holders[owner],
                                token=token)
        others = [self._on_shard("bmo-search", _shards.search_behind, other, points, k, nearest, slack, None, params,
                                 at=(label.number, number), holder=holder, token=token)
                  for label, other, holder in zip(self._labels, self._shards, holders) if label.number != owner]
        found = self._merged([nearest, *others], k)
        if folder is None:
            return found
        return _cluster.submit(self._client, "bmo-save", _shards.save, found, folder, number, at=())

    def _array(self, found: distributed.Future, name: str, shape: tuple[int, int], dtype: Any) -> dask.array.Array:
        part = self._client.submit(operator.attrgetter(name), found, key=(f"bmo-{name}-{uuid.uuid4().hex}",))
        return dask.array.from_delayed(delayed(part), shape, dtype)

    def _merged(self, found: list[distributed.Future], k: int) -> distributed.Future:
        """A tree of merges on the workers."""
        while True:
            groups = [found[at:at + _MERGED_AT_ONCE] for at in range(0, len(found), _MERGED_AT_ONCE)]
            found = [_cluster.submit(self._client, "bmo-merge", _shards.merge, group, k, at=()) for group in groups]
            if len(found) == 1:
                return found[0]

    def _on_shard(self, prefix: str, function: Any, *arguments: Any, at: tuple[Any, ...], holder: str,
                  token: str | None = None) -> distributed.Future:
        return _cluster.submit(self._client, prefix, function, *arguments, at=at, workers=[holder], token=token)

    def _where(self) -> list[str]:
        return _cluster.holders(self._client, [shard.key for shard in self._shards], self._shards)

    def _count(self, k: Any, most: int) -> int:
        count = int64(k, "k")
        if not 1 <= count <= most:
            refuse("k", f"k is {count}; expected 1 to {most}, the candidates of all shards")
        return count

    @property
    def n(self) -> int:
        """The number of points."""
        return self._facts.n

    @property
    def d(self) -> int:
        """The number of coordinates."""
        return self._facts.d

    @property
    def shape(self) -> tuple[int, int]:
        """``(n, d)``."""
        return self._facts.n, self._facts.d

    def __len__(self) -> int:
        return self._facts.n

    def __repr__(self) -> str:
        return (f"ShardedDataset({self.n} points x {self.d} coordinates, {self._facts.kind}, {self._facts.dtype}, in "
                f"{len(self._shards)} shards)")


def _labels_of(sources: Sequence[str], facts: Sequence[Facts]) -> list[Label]:
    """Numbers the points of all shards, which must agree."""
    labels: list[Label] = []
    first = 0
    for number, (source, one) in enumerate(zip(sources, facts)):
        label = Label(number, source, first, one.n)
        if not one.n:
            refuse("points", f"{label} has no points; expected 1 or more")
        for what, here, there in (("coordinates", one.d, facts[0].d), ("values of type", one.dtype, facts[0].dtype),
                                  ("points of kind", one.kind, facts[0].kind)):
            if here != there:
                refuse("points", f"{label} has {what} {here}; expected {there}, as {labels[0]} has")
        labels.append(label)
        first += one.n
    if first >= 1 << 63:
        refuse("points", f"the shards have {first} points; expected fewer than 2**63")
    return labels


def _whole(facts: Sequence[Facts]) -> Facts:
    return dataclasses.replace(facts[0], n=sum(one.n for one in facts))


def _cuts(facts: Facts, most: int | None) -> list[tuple[int, int] | None]:
    """The rows of each shard of a file; None for all."""
    if most is None or not facts.is_npy or facts.n <= most:
        return [None]
    return [(first, min(first + most, facts.n)) for first in range(0, facts.n, most)]


def _rows_of_block(size: int, n: int, rows: int, bytes_: int) -> int:
    """How many of n rows of `size` bytes in all make a block."""
    return max(1, min(rows, bytes_ * n // max(size, 1)))
