"""k-means and medoid."""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _structs
from ._errors import refuse, refuse_type
from ._library import lib
from ._params import Params, int64, read_value, takes_params
from ._points import address, plain_values
from ._searcher import Searcher
from ._stats import Stats, stats_of
from ._watch import Cancel, ProgressLike

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

_INITS = {"plusplus": 0, "random": 1}
_GIVEN = 2


@dataclass(frozen=True)
class KMeansResult:
    """Clusters.

    Attributes
    ----------
    centers : ndarray of float64, shape (k, d)
    labels : ndarray of int32, shape (n,)
        The nearest of the centers to each point, ties to the lowest.
    inertia : float
        Sum of the squared distances of the points to their centers.
    iterations : int
        Moves of the centers, in the start that was kept.
    stats : Stats
    """

    centers: NDArray[np.float64]
    labels: NDArray[np.int32]
    inertia: float
    iterations: int
    stats: Stats

    def __repr__(self) -> str:
        k, d = self.centers.shape
        return (f"KMeansResult({k} centers x {d} coordinates, {len(self.labels)} points, inertia: {self.inertia:.6g}, "
                f"iterations: {self.iterations})")


@dataclass(frozen=True)
class MedoidResult:
    """The most central point.

    Attributes
    ----------
    index : int
        Its number.
    mean_distance : float
        Its mean distance to the other points; 0 of a single point.
    stats : Stats
    """

    index: int
    mean_distance: float
    stats: Stats

    def __repr__(self) -> str:
        return f"MedoidResult(index: {self.index}, mean_distance: {self.mean_distance:.6g}, guarantee: {self.stats.guarantee})"


@takes_params(_structs.CALL_KMEANS)
def kmeans(points: Any, k: int, *, init: Literal["plusplus", "random"] | Any = "plusplus", n_init: int = 1, max_iter: int = 100,
           tol: float = 0.0, progress: ProgressLike = None, cancel: Cancel | None = None,
           **params: Unpack[Params]) -> KMeansResult:
    """k-means by Lloyd's algorithm. Labels are exact: bounds rule out most centers for certain.

    Parameters
    ----------
    points : array_like, sparse matrix or Dataset, shape (n, d)
    k : int
        1 to n.
    init : {"plusplus", "random"} or array_like, shape (k, d)
        How centers start: k-means++, different points, or the centers given.
    n_init : int
        Starts; the one of least inertia is kept. 1 with centers given.
    max_iter : int
        At most this many moves of the centers, 1 or more.
    tol : float
        Ends also once no center moved farther than this. 0: once no label changes.
    progress, cancel
        As for `Dataset`.
    **params
        Those that count: `metric` (``"l2"`` or ``"sqeuclidean"``, which are the same here), `method`, `seed` and `threads`. The
        seed draws the starts. Unset, it is that of the preparation; another one is taken, too.

    Returns
    -------
    KMeansResult

    Examples
    --------
    >>> import libbmo
    >>> import numpy as np
    >>> points = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> found = libbmo.kmeans(points, 2, init=[[0.0], [10.0]])
    >>> found.centers.T, found.labels, found.inertia
    (array([[ 0.5, 10.5]]), array([0, 0, 1, 1], dtype=int32), 1.0)
    """
    searcher, seed = _searcher_and_seed(points, params, _structs.CALL_KMEANS, progress, cancel)
    n, d = searcher.dataset.shape
    count = int64(k, "k")
    starts, moves = _positive(n_init, "n_init", 1 << 31), _positive(max_iter, "max_iter", 1 << 63)
    if isinstance(init, str):
        if init not in _INITS:
            refuse("init", f"init is {init!r}; expected 'plusplus', 'random' or an array of centers")
        how = _INITS[init]
        centers = np.empty((count if 1 <= count <= n else 0, d), np.float64)
    else:
        how = _GIVEN
        centers = _centers(init, (count, d))
    labels, inertia, iterations = np.empty(n, np.int32), ctypes.c_double(), ctypes.c_int64()
    run = _structs.Kmeans.packed(how, starts, 0, count, moves, float(tol), address(centers), centers.size, address(labels),
                                 ctypes.addressof(inertia), ctypes.addressof(iterations), _place(seed))
    stats = _structs.Stats.blank()
    searcher._watched(lambda monitor: lib.bmo_query_kmeans(searcher._handle, run, monitor, ctypes.byref(stats)), progress, cancel)
    return KMeansResult(centers, labels, inertia.value, iterations.value, stats_of(stats))


def _positive(value: Any, name: str, end: int) -> int:
    number = int64(value, name)
    if not 1 <= number < end:
        refuse(name, f"{name} is {number}; expected 1 to {end - 1}")
    return number


def _centers(init: Any, shape: tuple[int, int]) -> NDArray[np.float64]:
    """A copy of the centers given, for the library to move."""
    given = np.asarray(init)
    if isinstance(init, np.ma.MaskedArray):
        refuse_type("init", "init is a masked array; fill it first: init.filled(value)")
    if given.shape != shape:
        refuse("init", f"init has shape {given.shape}; expected {shape}")
    return np.array(plain_values(given, "init"), np.float64, order="C")


def _searcher_and_seed(points: Any, params: Params, calls: int, progress: ProgressLike,
                       cancel: Cancel | None) -> tuple[Searcher, ctypes.c_int64 | None]:
    """A searcher without the seed, which prepared points would refuse if it is not their own, and the seed."""
    others = params.copy()
    seed = others.pop("seed", None)
    return Searcher._of(points, others, calls, progress, cancel), None if seed is None else read_value("seed", seed)


def _place(seed: ctypes.c_int64 | None) -> int:
    return 0 if seed is None else ctypes.addressof(seed)


@takes_params(_structs.CALL_MEDOID)
def medoid(points: Any, *, progress: ProgressLike = None, cancel: Cancel | None = None,
           **params: Unpack[Params]) -> MedoidResult:
    """The point whose mean distance to the others is least, ties to the lowest number.

    It is wrong with probability at most delta.

    Parameters
    ----------
    points : array_like, sparse matrix or Dataset, shape (n, d)
    progress, cancel
        As for `Dataset`.
    **params
        Those that count: `metric`, `p`, `method`, `delta`, `seed`, `weights`, `rho`, `box` and `threads`. The seed draws the
        points that others are compared with. Unset, it is that of the preparation; another one is taken, too.

    Returns
    -------
    MedoidResult

    Examples
    --------
    >>> import libbmo
    >>> import numpy as np
    >>> libbmo.medoid(np.array([[0.0], [1.0], [5.0]]))
    MedoidResult(index: 1, mean_distance: 2.5, guarantee: exact)
    """
    searcher, seed = _searcher_and_seed(points, params, _structs.CALL_MEDOID, progress, cancel)
    found, stats = _structs.Medoid.blank(), _structs.Stats.blank()
    found.seed = _place(seed)
    searcher._watched(lambda monitor: lib.bmo_query_medoid(searcher._handle, ctypes.byref(found), monitor, ctypes.byref(stats)),
                      progress, cancel)
    return MedoidResult(found.index, found.mean_distance, stats_of(stats))


__all__ = ["KMeansResult", "MedoidResult", "kmeans", "medoid"]
