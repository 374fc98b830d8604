"""Estimators in scikit-learn's words: `NearestNeighbors`, `KNeighborsTransformer` and `KMeans`.

They need scikit-learn 1.6 or newer, and serve in pipelines, ``clone``, ``GridSearchCV`` and joblib.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _structs
from ._dataset import Dataset
from ._errors import refuse, refuse_type
from ._kmeans import kmeans
from ._library import threads_available
from ._params import Config, counting
from ._searcher import Searcher
from ._within import RadiusNeighbors

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["KMeans", "KNeighborsTransformer", "NearestNeighbors"]

# scikit-learn's names of metrics, beside the library's own.
_METRICS = {"euclidean": "l2", "manhattan": "l1", "cityblock": "l1", "minkowski": "lp"}
_SEEDS = 1 << 31


def _threads(n_jobs: int | None) -> int:
    """Threads in scikit-learn's way of counting: None is one, -1 is all, -2 is all but one."""
    if n_jobs is None:
        return 1
    if n_jobs == 0:
        refuse("n_jobs", "n_jobs is 0; expected None, or a number other than 0")
    return n_jobs if n_jobs > 0 else max(1, threads_available() + 1 + n_jobs)


def _seed(random_state: Any) -> int:
    return int(check_random_state(random_state).randint(_SEEDS))


def _check_mode(mode: str) -> None:
    if mode not in ("connectivity", "distance"):
        refuse("mode", f"mode is {mode!r}; expected 'connectivity' or 'distance'")


class _Neighbors(BaseEstimator):  # type: ignore[misc, unused-ignore]
    """What the estimators of neighbors share."""

    n_samples_fit_: int
    searcher_: Searcher

    def __init__(self, n_neighbors: int, metric: str, p: float, delta: float, prepare: bool, n_jobs: int | None,
                 random_state: Any, params: dict[str, Any] | None) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.p = p
        self.delta = delta
        self.prepare = prepare
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.params = params

    def fit(self, X: Any, y: Any = None) -> Any:
        """Keeps the points, and prepares them for many queries unless `prepare` is False.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_samples, n_features)
        y : ignored

        Returns
        -------
        self
        """
        X = validate_data(self, X, accept_sparse=("csr", "csc"))
        metric = _METRICS.get(self.metric, self.metric)
        params: Any = {"metric": metric, "delta": self.delta, "threads": _threads(self.n_jobs),
                       "seed": _seed(self.random_state), **(self.params or {})}
        if metric == "lp":
            params["p"] = self.p
        searches = _structs.CALL_KNN | _structs.CALL_RADIUS
        Config(params, searches | (_structs.CALL_PREPARE if self.prepare else 0))
        # A copy: the estimator outlives this call, and the caller may write into X.
        dataset = Dataset(X, copy=True)
        if self.prepare:
            dataset = dataset.prepare(**counting(params, _structs.CALL_PREPARE))
        self.searcher_ = Searcher(dataset, **counting(params, searches))
        self.n_samples_fit_ = dataset.n
        return self

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """The nearest points of each query.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_queries, n_features), optional
            None: the points of `fit` themselves. A point is then no neighbor of itself.
        n_neighbors : int, optional
            None: as in the constructor.
        return_distance : bool

        Returns
        -------
        distances : ndarray of float64, shape (n_queries, n_neighbors)
            Only with `return_distance`.
        indices : ndarray of int64, shape (n_queries, n_neighbors)
        """
        check_is_fitted(self)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        if X is None:
            index, distance = self.searcher_.knn_graph(k)
        else:
            index, distance = self.searcher_.knn(validate_data(self, X, accept_sparse=("csr", "csc"), reset=False), k)
        return (distance, index) if return_distance else index

    def kneighbors_graph(self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity") -> csr_matrix:
        """The nearest points of each query as a sparse matrix, whose rows ascend by distance.

        Parameters
        ----------
        X, n_neighbors
            As for `kneighbors`.
        mode : {"connectivity", "distance"}
            Whether the values are 1, or the distances.

        Returns
        -------
        scipy.sparse.csr_matrix of float64, shape (n_queries, n_samples)
        """
        _check_mode(mode)
        distance, index = self.kneighbors(X, n_neighbors)
        m, k = index.shape
        values = distance.ravel() if mode == "distance" else np.ones(m * k)
        return csr_matrix((values, index.ravel(), np.arange(0, m * k + 1, k)), shape=(m, self.n_samples_fit_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class NearestNeighbors(_Neighbors):
    """Exact nearest neighbors, as ``sklearn.neighbors.NearestNeighbors``.

    Parameters
    ----------
    n_neighbors : int
        Neighbors of each query.
    radius : float
        The largest distance of `radius_neighbors`.
    metric : str
        ``"euclidean"``, ``"sqeuclidean"``, ``"manhattan"``, ``"cityblock"``, ``"cosine"``, ``"minkowski"`` with `p`, or any of
        the library's own names.
    p : float
        The exponent of ``"minkowski"``.
    delta : float
        The probability that the answer to a query is wrong.
    prepare : bool
        Whether `fit` prepares the points for many queries. It pays from a few dozen queries on.
    n_jobs : int, optional
        Threads; -1 for all.
    random_state : int, RandomState or None
        Where the random order of coordinates comes from.
    params : dict, optional
        Further parameters of the library's table: see `libbmo.params`. One that counts in neither the preparation nor the
        searches is refused.

    Attributes
    ----------
    searcher_ : libbmo.Searcher
        What searches. Its answers have the statistics.
    n_samples_fit_ : int
        The number of points.
    n_features_in_ : int
        The number of coordinates.

    Examples
    --------
    >>> import numpy as np
    >>> from libbmo.sklearn import NearestNeighbors
    >>> points = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 0.0]])
    >>> distances, indices = NearestNeighbors(n_neighbors=2).fit(points).kneighbors([[0.9, 0.0]])
    >>> indices
    array([[1, 0]])
    """

    def __init__(self, n_neighbors: int = 5, radius: float = 1.0, *, metric: str = "euclidean", p: float = 2, delta: float = 0.01,
                 prepare: bool = True, n_jobs: int | None = None, random_state: Any = None,
                 params: dict[str, Any] | None = None) -> None:
        super().__init__(n_neighbors, metric, p, delta, prepare, n_jobs, random_state, params)
        self.radius = radius

    def radius_neighbors(self, X: Any = None, radius: float | None = None, return_distance: bool = True) -> Any:
        """All points within a distance of each query, the nearest first.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_queries, n_features), optional
            None: the points of `fit` themselves. A point is then no neighbor of itself.
        radius : float, optional
            None: as in the constructor. A distance that equals it is within.
        return_distance : bool

        Returns
        -------
        distances : ndarray of shape (n_queries,)
            Only with `return_distance`. Each element is an array of float64.
        indices : ndarray of shape (n_queries,)
            Each element is an array of int64.
        """
        found = self._within(X, radius)
        distances, indices = np.empty(len(found), object), np.empty(len(found), object)
        for query, (index, distance) in enumerate(found):
            distances[query], indices[query] = distance, index
        return (distances, indices) if return_distance else indices

    def radius_neighbors_graph(self, X: Any = None, radius: float | None = None, mode: str = "connectivity") -> csr_matrix:
        """All points within a distance of each query as a sparse matrix, whose rows ascend by distance.

        Parameters
        ----------
        X, radius
            As for `radius_neighbors`.
        mode : {"connectivity", "distance"}
            Whether the values are 1, or the distances.

        Returns
        -------
        scipy.sparse.csr_matrix of float64, shape (n_queries, n_samples)
        """
        _check_mode(mode)
        found = self._within(X, radius)
        values = found.distance if mode == "distance" else np.ones(len(found.index))
        return csr_matrix((values, found.index, found.offset), shape=(len(found), self.n_samples_fit_))

    def _within(self, X: Any, radius: float | None) -> RadiusNeighbors:
        check_is_fitted(self)
        largest = self.radius if radius is None else radius
        if X is None:
            return self.searcher_.radius_graph(largest)
        return self.searcher_.radius(validate_data(self, X, accept_sparse=("csr", "csc"), reset=False), largest)


class KNeighborsTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Neighbors):  # type: ignore[misc, unused-ignore]
    """The graph of exact nearest neighbors, as ``sklearn.neighbors.KNeighborsTransformer``.

    Its output goes to whatever takes ``metric="precomputed"``, and to ``scanpy.pp.neighbors(transformer=...)``.

    Parameters
    ----------
    mode : {"distance", "connectivity"}
        Whether the values are the distances, or 1. With ``"distance"`` each row has n_neighbors + 1 entries, since a training
        point is among its own neighbors, as with scikit-learn.
    n_neighbors, metric, p, delta, prepare, n_jobs, random_state, params
        As for `NearestNeighbors`.

    Attributes
    ----------
    searcher_, n_samples_fit_, n_features_in_
        As for `NearestNeighbors`.

    Examples
    --------
    >>> import numpy as np
    >>> from libbmo.sklearn import KNeighborsTransformer
    >>> points = np.array([[0.0], [1.0], [5.0]])
    >>> KNeighborsTransformer(n_neighbors=1).fit_transform(points).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 4., 0.]])
    """

    def __init__(self, *, mode: str = "distance", n_neighbors: int = 5, metric: str = "euclidean", p: float = 2,
                 delta: float = 0.01, prepare: bool = True, n_jobs: int | None = None, random_state: Any = None,
                 params: dict[str, Any] | None = None) -> None:
        super().__init__(n_neighbors, metric, p, delta, prepare, n_jobs, random_state, params)
        self.mode = mode

    @property
    def _n_features_out(self) -> int:
        return self.n_samples_fit_

    def transform(self, X: Any) -> csr_matrix:
        """The graph from the points of X to those of `fit`.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_queries, n_features)

        Returns
        -------
        scipy.sparse.csr_matrix of float64, shape (n_queries, n_samples)
            Rows ascend by distance.
        """
        check_is_fitted(self)
        return self.kneighbors_graph(X, self.n_neighbors + (self.mode == "distance"), self.mode)

    def fit_transform(self, X: Any, y: Any = None) -> csr_matrix:
        """``fit(X).transform(X)``."""
        return self.fit(X).transform(X)


class KMeans(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):  # type: ignore[misc, unused-ignore]
    """k-means with exact labels, as ``sklearn.cluster.KMeans``.

    Parameters
    ----------
    n_clusters : int
    init : {"k-means++", "random"} or array-like, shape (n_clusters, n_features)
        How centers start.
    n_init : int or "auto"
        Starts; the one of least inertia is kept. ``"auto"`` is 10 for ``"random"``, otherwise 1.
    max_iter : int
        At most this many moves of the centers.
    tol : float
        Ends also once no center moved farther than this. 0: once no label changes.
    n_jobs : int, optional
        Threads; -1 for all.
    random_state : int, RandomState or None
        Where the starts come from.

    Attributes
    ----------
    cluster_centers_ : ndarray of float64, shape (n_clusters, n_features)
    labels_ : ndarray of int32, shape (n_samples,)
    inertia_ : float
        Sum of the squared distances of the points to their centers.
    n_iter_ : int
        Moves of the centers.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from libbmo.sklearn import KMeans
    >>> points = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> KMeans(2, init=[[0.0], [10.0]]).fit(points).predict([[8.0]])
    array([1], dtype=int32)
    """

    cluster_centers_: NDArray[np.float64]
    labels_: NDArray[np.int32]
    inertia_: float
    n_iter_: int

    def __init__(self, n_clusters: int = 8, *, init: Any = "k-means++", n_init: int | str = "auto", max_iter: int = 300,
                 tol: float = 0.0, n_jobs: int | None = None, random_state: Any = None) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, **unsupported: Any) -> KMeans:
        """Finds the clusters.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_samples, n_features)
        y : ignored
        **unsupported
            Nothing: the points have no weights, so that `sample_weight` is refused.

        Returns
        -------
        self
        """
        for name in unsupported:
            refuse_type(name, f"{name} is given to KMeans.fit, but points have no weights in libbmo's k-means")
        X = validate_data(self, X, accept_sparse=("csr", "csc"))
        given = not isinstance(self.init, str)
        usual = 10 if not given and self.init == "random" else 1
        starts: Any = usual if self.n_init == "auto" else self.n_init
        found = kmeans(X, self.n_clusters, init="plusplus" if not given and self.init == "k-means++" else self.init,
                       n_init=starts, max_iter=self.max_iter, tol=self.tol, threads=_threads(self.n_jobs),
                       seed=_seed(self.random_state))
        self.cluster_centers_, self.labels_ = found.centers, found.labels
        self.inertia_, self.n_iter_ = found.inertia, max(1, found.iterations)
        return self

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _nearest(self, X: Any, k: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse=("csr", "csc"), reset=False)
        searcher = Searcher(self.cluster_centers_, method="exact", threads=_threads(self.n_jobs))
        index, distance = searcher.knn(X, k)
        return index, distance

    def predict(self, X: Any) -> NDArray[np.int32]:
        """The nearest center of each point, ties to the lowest.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_queries, n_features)

        Returns
        -------
        ndarray of int32, shape (n_queries,)
        """
        return self._nearest(X, 1)[0][:, 0].astype(np.int32)

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The distance of each point to each center.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_queries, n_features)

        Returns
        -------
        ndarray of float64, shape (n_queries, n_clusters)
        """
        check_is_fitted(self)
        index, distance = self._nearest(X, len(self.cluster_centers_))
        distances = np.empty_like(distance)
        np.put_along_axis(distances, index, distance, axis=1)
        return distances

    def score(self, X: Any, y: Any = None) -> float:
        """Minus the sum of the squared distances of the points to their nearest centers.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_queries, n_features)
        y : ignored

        Returns
        -------
        float
        """
        return -float(np.square(self._nearest(X, 1)[1]).sum())

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
