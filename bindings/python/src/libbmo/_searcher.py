"""Searches: a dataset and its parameters, bound and checked once."""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Optional

from . import _structs
from ._candidates import Candidates, candidates_of, coded_labels
from ._dataset import CONTRADICTIONS, Dataset, refuse_changed
from ._errors import NonFinite
from ._library import lib
from ._neighbors import Answer, Neighbors
from ._params import Config, Params, counting, int64, takes_params
from ._points import Points, address, as_points
from ._rows import row_numbers
from ._watch import Cancel, ProgressLike
from ._within import Found, Limits, RadiusNeighbors, as_distances

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from ._candidates import LabelRule
    from ._neighbors import Out

_SEARCHER = _structs.CALL_KNN | _structs.CALL_RADIUS
_FUNCTION = _structs.CALL_KNN | _structs.CALL_PREPARE  # of arrays, which they prepare if that saves time
# The searches of queries: of a dataset, of sparse points, of dense points.
_KNN = lib.bmo_query_knn, lib.bmo_query_knn_sparse, lib.bmo_query_knn_dense
_RADIUS = lib.bmo_query_radius, lib.bmo_query_radius_sparse, lib.bmo_query_radius_dense

Choose = Callable[[int], Optional[Candidates]]  # of so many points those that are candidates


def _all_points(n: int) -> None:
    return None


class Searcher:
    """A dataset bound to parameters that are checked once. Immutable; any number of threads may search with it at once.

    Parameters
    ----------
    points : Dataset, or what `Dataset` takes
        The points to search among.
    candidates : array_like of int, slice, or array_like of bool with shape (n,), optional
        Only these points are neighbors: their numbers, each once, a slice of them, or a mask. Neighbors have their numbers among
        all points. None: all points are candidates. The chosen points are copied, with what was prepared for them.
    labels : array_like, shape (n,), optional
        A label for each point: integers, texts, or whatever can be hashed. Labels are the same if they are equal. A missing one
        (None, NaN) is refused.
    label_rule : {"same", "other"}, optional
        With `labels`: the candidates of a query are only the points with its label, or those with another one. The candidates of
        a query may be fewer than k; its row then ends with index -1 and distance infinity.
    progress, cancel
        As for `Dataset`.
    **params
        The parameters of the library's table, but for `expected_queries`: see `params`. One that does not count is refused,
        such as `p` without metric ``"lp"``. Those that most need:

        - metric: ``"l2"`` (default), ``"sqeuclidean"``, ``"l1"``, ``"lp"`` with `p`, ``"cosine"``, ``"inner_product"``;
        - delta: the probability that an answer is wrong, 0.01 unless you set it;
        - seed: the random order in which coordinates are read. The same seed gives the same answer;
        - threads: 1 unless you set it; 0 for `threads_available`. It changes the time, never the answer;
        - method: ``"exact"`` computes every distance, or rules it out by a bound that cannot fail.

        And two that are not in the table: `weights`, a number for each coordinate; and `rho`, a coordinate distance of your
        own. ``rho(a, b, coordinate)`` takes three arrays of the same length, of the query, of a point, and of the numbers of
        coordinates. It returns as many finite numbers, not negative; the distance is their sum over all coordinates.

    Raises
    ------
    InvalidArgument
        A parameter is out of its range, or the parameters do not combine; the message says what to change.

    Examples
    --------
    >>> import libbmo
    >>> import numpy as np
    >>> points = np.random.default_rng(1).normal(size=(100, 300))
    >>> searcher = libbmo.Searcher(points, metric="l1")
    >>> index, distance = searcher.knn(points[:2] + 0.01, k=3)
    >>> index.shape, index[:, 0]
    ((2, 3), array([0, 1]))
    """

    @takes_params(_SEARCHER)
    def __init__(self, points: Any, *, candidates: Any = None, labels: Any = None, label_rule: LabelRule | None = None,
                 progress: ProgressLike = None, cancel: Cancel | None = None, **params: Unpack[Params]) -> None:
        self._bind(points, params, _SEARCHER, progress, cancel, lambda n: candidates_of(candidates, labels, label_rule, n))

    @classmethod
    def _of(cls, points: Any, params: Params, calls: int, progress: ProgressLike, cancel: Cancel | None,
            choose: Choose = _all_points) -> Searcher:
        """A searcher for these calls."""
        searcher = object.__new__(cls)
        searcher._bind(points, params, calls, progress, cancel, choose)
        return searcher

    def _bind(self, points: Any, params: Params, calls: int, progress: ProgressLike, cancel: Cancel | None,
              choose: Choose) -> None:
        self._params = {name: value for name, value in params.items() if value is not None}
        self._config = Config(self._params, calls)
        self._dataset = points if isinstance(points, Dataset) else Dataset(points, progress=progress, cancel=cancel)
        self._candidates = choose(self._dataset.n)
        handle = ctypes.c_void_p()
        try:
            self._watched(lambda monitor: self._create(handle, monitor), progress, cancel)
        except NonFinite as failure:  # of points that are copied
            refuse_changed(failure, self._dataset)
            raise
        self._handle = handle

    def _create(self, handle: ctypes.c_void_p, monitor: Any) -> int:
        bound = ctypes.byref(handle), self._dataset._handle, self._config.handle
        if self._candidates is None:
            return int(lib.bmo_query_create(*bound, monitor))
        return int(lib.bmo_query_create_among(*bound, self._candidates.struct, monitor))

    def _watched(self, call: Callable[[Any], int], progress: ProgressLike, cancel: Cancel | None, queries: Any = None) -> None:
        """Makes a call, with queries or among the points. Points that were changed meanwhile are to blame for what cannot be."""
        try:
            self._config.watched(call, progress, cancel, "points" if queries is None else "queries")
        except CONTRADICTIONS as failure:
            refuse_changed(failure, self._dataset, *([queries] if isinstance(queries, Dataset) else []))
            raise

    @staticmethod
    def _limits(max_distance: ArrayLike, m: int, max_pairs: int, labels: NDArray[np.int32] | None = None) -> Limits:
        """Those of a radius search for m queries."""
        return Limits(as_distances(max_distance, m), int64(max_pairs, "max_pairs"), labels)

    def __del__(self, free: Any = lib.bmo_query_free) -> None:
        free(getattr(self, "_handle", None))

    def __reduce__(self) -> tuple[Any, ...]:
        return _searcher, (self._dataset, self._params, self._candidates)

    @property
    def dataset(self) -> Dataset:
        """The points that are searched."""
        return self._dataset

    def __repr__(self) -> str:
        params = "".join(f", {name}={value!r}" for name, value in self._params.items())
        return f"Searcher({self._dataset!r}{params})"

    def knn(self, queries: Any, k: int, *, max_distance: ArrayLike | None = None, query_labels: Any = None, out: Out = None,
            row_stats: bool = False, progress: ProgressLike = None, cancel: Cancel | None = None) -> Neighbors:
        """The k nearest points of each query.

        Parameters
        ----------
        queries : array_like, sparse matrix or Dataset, shape (m, d)
            Read during the call only. Dense and sparse queries go with dense and sparse points alike.
        k : int
            1 to n, or to the number of `candidates`.
        max_distance : float or array_like of float, shape (m,), optional
            No neighbor is farther: one number for all queries, or one for each. It saves work, too.
        query_labels : array_like, shape (m,), optional
            With `labels` of the points, and only then: a label for each query. One that no point has is another one than theirs.
        out : tuple of two arrays or None, optional
            Where to write ``(index, distance)``, each of shape (m, k) with any positive strides. The types are int64 or int32,
            and float64 or float32. None in place of one leaves it out.
        row_stats : bool
            Whether to tell what each query cost.
        progress, cancel
            As for `Dataset`.

        Returns
        -------
        Neighbors

        Raises
        ------
        InvalidArgument
            k, the width of the queries, or a shape.
        NonFinite
            NaN or infinity in the queries; ``row`` and ``col`` tell where.
        Overflow
            A distance is beyond its type.
        KeyboardInterrupt, Canceled
            The search was stopped. Rows of `out` that were finished are complete, the others are untouched.
        """
        given = queries if isinstance(queries, (Dataset, Points)) else as_points(queries, "queries")
        search, asked = _asked(given, _KNN)
        count = int64(k, "k")
        labels = coded_labels(self._candidates, query_labels, given.n)
        answer = Answer(given.n, count, self._dataset.n, max_distance, out, row_stats, labels)
        self._watched(lambda monitor: search(self._handle, asked, count, answer.out, monitor, answer.stats_ref), progress, cancel,
                      given)
        return answer.neighbors()

    def knn_rows(self, rows: Any, k: int, *, max_distance: ArrayLike | None = None, out: Out = None, row_stats: bool = False,
                 progress: ProgressLike = None, cancel: Cancel | None = None) -> Neighbors:
        """The k nearest other points of the points with these numbers, which may repeat.

        A point is no neighbor of itself, but a duplicate of it is.

        Parameters
        ----------
        rows : array_like of int, shape (m,)
            Numbers of points, counted from 0. They need not be candidates, and have their own labels.
        k : int
            1 to n - 1, or to the number of `candidates`.
        max_distance, out, row_stats, progress, cancel
            As for `knn`.

        Returns
        -------
        Neighbors
        """
        chosen = row_numbers(rows)
        count = int64(k, "k")
        answer = Answer(len(chosen), count, self._dataset.n - 1, max_distance, out, row_stats)
        self._watched(lambda monitor: lib.bmo_query_knn_rows(self._handle, address(chosen), len(chosen), count, answer.out,
                                                             monitor, answer.stats_ref), progress, cancel)
        return answer.neighbors()

    def knn_graph(self, k: int, *, max_distance: ArrayLike | None = None, out: Out = None, row_stats: bool = False,
                  progress: ProgressLike = None, cancel: Cancel | None = None) -> Neighbors:
        """The k nearest other points of every point: the k-nearest-neighbor graph.

        A point is no neighbor of itself, but a duplicate of it is.

        Parameters
        ----------
        k : int
            1 to n - 1, or to the number of `candidates`.
        max_distance, out, row_stats, progress, cancel
            As for `knn`, with m = n.

        Returns
        -------
        Neighbors
        """
        count = int64(k, "k")
        answer = Answer(self._dataset.n, count, self._dataset.n - 1, max_distance, out, row_stats)
        self._watched(lambda monitor: lib.bmo_query_graph(self._handle, count, answer.out, monitor, answer.stats_ref), progress,
                      cancel)
        return answer.neighbors()

    def radius(self, queries: Any, max_distance: ArrayLike, *, query_labels: Any = None, max_pairs: int = 0,
               progress: ProgressLike = None, cancel: Cancel | None = None) -> RadiusNeighbors:
        """All points within a distance of each query.

        Every neighbor that is returned is within the distance, for certain. Each true one is missing with probability at most
        delta; with ``delta_scope="call"``, any in the whole call.

        Parameters
        ----------
        queries : array_like, sparse matrix or Dataset, shape (m, d)
            As for `knn`.
        max_distance : float or array_like of float, shape (m,)
            One for all queries, or one for each. A distance that equals it is within.
        query_labels : array_like, shape (m,), optional
            As for `knn`.
        max_pairs : int
            At most so many neighbors of all queries together; 0 for any number.
        progress, cancel
            As for `Dataset`.

        Returns
        -------
        RadiusNeighbors

        Raises
        ------
        Overflow
            There are more than `max_pairs` neighbors.

        Examples
        --------
        >>> import libbmo
        >>> import numpy as np
        >>> points = np.arange(1000, dtype=np.float32)[:, None] * np.ones(256, np.float32)
        >>> index, distance = libbmo.Searcher(points).radius(points[500:501], 16)[0]
        >>> index, distance
        (array([500, 499, 501]), array([ 0., 16., 16.]))
        """
        given = queries if isinstance(queries, (Dataset, Points)) else as_points(queries, "queries")
        search, asked = _asked(given, _RADIUS)
        labels = coded_labels(self._candidates, query_labels, given.n)
        limits, found = self._limits(max_distance, given.n, max_pairs, labels), Found()
        self._watched(lambda monitor: search(self._handle, asked, limits.at, found.out, monitor, found.stats_ref), progress,
                      cancel, given)
        return found.neighbors()

    def radius_rows(self, rows: Any, max_distance: ArrayLike, *, max_pairs: int = 0, progress: ProgressLike = None,
                    cancel: Cancel | None = None) -> RadiusNeighbors:
        """All other points within a distance of the points with these numbers, which may repeat.

        Parameters
        ----------
        rows : array_like of int, shape (m,)
            Numbers of points, counted from 0.
        max_distance, max_pairs, progress, cancel
            As for `radius`.

        Returns
        -------
        RadiusNeighbors
        """
        chosen = row_numbers(rows)
        limits, found = self._limits(max_distance, len(chosen), max_pairs), Found()
        self._watched(lambda monitor: lib.bmo_query_radius_rows(self._handle, address(chosen), len(chosen), limits.at, found.out,
                                                                monitor, found.stats_ref), progress, cancel)
        return found.neighbors()

    def radius_graph(self, max_distance: ArrayLike, *, max_pairs: int = 0, progress: ProgressLike = None,
                     cancel: Cancel | None = None) -> RadiusNeighbors:
        """All other points within a distance of every point.

        Parameters
        ----------
        max_distance, max_pairs, progress, cancel
            As for `radius`, with m = n.

        Returns
        -------
        RadiusNeighbors
        """
        limits, found = self._limits(max_distance, self._dataset.n, max_pairs), Found()
        self._watched(lambda monitor: lib.bmo_query_radius_graph(self._handle, limits.at, found.out, monitor, found.stats_ref),
                      progress, cancel)
        return found.neighbors()


def _asked(given: Dataset | Points, searches: tuple[Any, Any, Any]) -> tuple[Any, Any]:
    """Which of the searches takes these queries, and as what."""
    if isinstance(given, Dataset):
        return searches[0], given._handle
    return searches[1 if given.is_sparse else 2], given.struct


def _searcher_for(points: Any, queries: int, progress: ProgressLike, cancel: Cancel | None, params: Params,
                  choose: Choose) -> Searcher:
    """A searcher of a dataset as it is, or of points with what so many queries pay for, as bmo_knn() does."""
    if isinstance(points, Dataset):
        return Searcher._of(points, params, _structs.CALL_KNN, progress, cancel, choose)
    Config(params, _FUNCTION)
    dataset = Dataset(points, progress=progress, cancel=cancel)
    box = params.get("box") or "auto"
    if box != "dense" and queries:
        sized = counting(params, _structs.CALL_PREPARE)
        if box == "auto":
            sized["expected_queries"] = params.get("expected_queries") or queries
        dataset = dataset.prepare(progress=progress, cancel=cancel, **sized)
    return Searcher._of(dataset, counting(params, _structs.CALL_KNN), _structs.CALL_KNN, progress, cancel, choose)


def _searcher(dataset: Dataset, params: Params, candidates: Candidates | None) -> Searcher:
    return Searcher._of(dataset, params, _SEARCHER, None, None, lambda n: candidates)


@takes_params(_FUNCTION)
def knn(points: Any, queries: Any, k: int, *, candidates: Any = None, labels: Any = None, label_rule: LabelRule | None = None,
        query_labels: Any = None, out: Out = None, row_stats: bool = False, progress: ProgressLike = None,
        cancel: Cancel | None = None, **params: Unpack[Params]) -> Neighbors:
    """The k nearest points of each query.

    Parameters
    ----------
    points : array_like, sparse matrix or Dataset, shape (n, d)
        The points to search among. For more than one call on the same points, make a `Searcher`.
    queries : array_like, sparse matrix or Dataset, shape (m, d)
        The points to find neighbors of.
    k : int
        1 to n, or to the number of `candidates`.
    candidates, labels, label_rule
        As for `Searcher`.
    query_labels, out, row_stats, progress, cancel
        As for `Searcher.knn`.
    **params
        The parameters of the library's table, such as `metric`, `delta`, `seed` and `threads`: see `Searcher`. For arrays, which
        are prepared if that saves time, also `expected_queries`.

    Returns
    -------
    Neighbors
        Right for each query with probability at least 1 - delta, whatever the data, if ``stats.guarantee`` is PROVEN.

    Examples
    --------
    >>> import libbmo
    >>> import numpy as np
    >>> points = np.arange(1000, dtype=np.float32)[:, None] * np.ones(256, np.float32)
    >>> index, distance = libbmo.knn(points, points[500:501], k=3)
    >>> index
    array([[500, 499, 501]])
    >>> distance
    array([[ 0., 16., 16.]])
    """
    given = queries if isinstance(queries, Dataset) else as_points(queries, "queries")
    searcher = _searcher_for(points, given.n, progress, cancel, params,
                             lambda n: candidates_of(candidates, labels, label_rule, n))
    return searcher.knn(given, k, query_labels=query_labels, out=out, row_stats=row_stats, progress=progress, cancel=cancel)


@takes_params(_FUNCTION)
def knn_graph(points: Any, k: int, *, candidates: Any = None, labels: Any = None, label_rule: LabelRule | None = None,
              out: Out = None, row_stats: bool = False, progress: ProgressLike = None, cancel: Cancel | None = None,
              **params: Unpack[Params]) -> Neighbors:
    """The k nearest other points of every point: the k-nearest-neighbor graph.

    A point is no neighbor of itself, but a duplicate of it is.

    Parameters
    ----------
    points : array_like, sparse matrix or Dataset, shape (n, d)
    k : int
        1 to n - 1, or to the number of `candidates`.
    candidates, labels, label_rule
        As for `Searcher`.
    out, row_stats, progress, cancel
        As for `Searcher.knn`, with m = n.
    **params
        The parameters of the library's table, such as `metric`, `delta`, `seed` and `threads`: see `Searcher`. For arrays, which
        are prepared if that saves time, also `expected_queries`.

    Returns
    -------
    Neighbors

    Examples
    --------
    >>> import libbmo
    >>> import numpy as np
    >>> points = np.array([[0.0], [1.0], [3.0], [3.0]])
    >>> libbmo.knn_graph(points, k=1).index.T
    array([[1, 0, 3, 2]])
    >>> libbmo.knn_graph(points, k=1, labels=["a", "b", "b", "a"], label_rule="other").index.T
    array([[1, 0, 3, 2]])
    """
    given = points if isinstance(points, Dataset) else as_points(points, "points")
    searcher = _searcher_for(points, given.n, progress, cancel, params,
                             lambda n: candidates_of(candidates, labels, label_rule, n))
    return searcher.knn_graph(k, out=out, row_stats=row_stats, progress=progress, cancel=cancel)
