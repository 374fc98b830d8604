"""The estimators, against scikit-learn's own."""
from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse

import brute
import libbmo

pytest.importorskip("sklearn")
from sklearn import neighbors  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.cluster import KMeans as SklearnKMeans  # noqa: E402
from sklearn.manifold import Isomap  # noqa: E402
from sklearn.metrics import adjusted_rand_score  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

from libbmo.sklearn import KMeans, KNeighborsTransformer, NearestNeighbors  # noqa: E402

X = brute.whole(1, 200, 60).astype("f8")
Q = brute.whole(2, 20, 60).astype("f8")
SPARSE = scipy.sparse.csr_array(X * (X > 10))


@parametrize_with_checks([NearestNeighbors(), KNeighborsTransformer(), KMeans()])
def test_estimator_checks(estimator, check):
    check(estimator)


DENSE_METRICS = ["euclidean", "sqeuclidean", "manhattan", "cityblock", "cosine", "minkowski"]
SPARSE_METRICS = ["euclidean", "manhattan", "cityblock", "cosine"]  # scikit-learn has no others of sparse points
CASES = [*((metric, X, Q) for metric in DENSE_METRICS), *((metric, SPARSE, SPARSE[:9]) for metric in SPARSE_METRICS),
         *((metric, SPARSE.tocsc(), SPARSE[:9].tocsc()) for metric in SPARSE_METRICS)]


@pytest.mark.parametrize("metric, points, queries", CASES, ids=lambda value: value if isinstance(value, str) else type(value).__name__)
def test_neighbors(metric, points, queries):
    p = 1.5 if metric == "minkowski" else 2
    theirs = neighbors.NearestNeighbors(n_neighbors=4, algorithm="brute", metric=metric, p=p).fit(points)
    ours = NearestNeighbors(n_neighbors=4, metric=metric, p=p, random_state=0).fit(points)
    for asked in (queries, None):
        distances, indices = ours.kneighbors(asked)
        expected, _ = theirs.kneighbors(asked)
        np.testing.assert_allclose(distances, expected, rtol=1e-6, atol=1e-6)  # theirs are of norms minus products
        np.testing.assert_array_equal(ours.kneighbors(asked, return_distance=False), indices)


def test_neighbors_are_those_of_scikit_learn_to_the_index():
    theirs = neighbors.NearestNeighbors(n_neighbors=4, algorithm="brute", metric="l1").fit(X)
    distances, indices = NearestNeighbors(n_neighbors=4, metric="manhattan", delta=1e-9).fit(X).kneighbors(Q)
    expected, numbers = theirs.kneighbors(Q)
    brute.check(libbmo.Neighbors(indices, distances, None), brute.nearest(Q, X, 4, "l1"))
    np.testing.assert_array_equal(distances, expected)
    untied = (np.diff(expected, axis=1) > 0).all(axis=1)
    np.testing.assert_array_equal(indices[untied, :-1], numbers[untied, :-1])


@pytest.mark.parametrize("mode", ["distance", "connectivity"])
def test_graphs(mode):
    ours = NearestNeighbors(n_neighbors=3, metric="l1").fit(X)
    theirs = neighbors.NearestNeighbors(n_neighbors=3, algorithm="brute", metric="l1").fit(X)
    for asked in (Q, None):
        found, expected = ours.kneighbors_graph(asked, mode=mode), theirs.kneighbors_graph(asked, mode=mode)
        np.testing.assert_array_equal(np.sort(found.data), np.sort(expected.data))
        assert found.shape == expected.shape and (np.diff(found.indptr) == 3).all()
    with pytest.raises(ValueError, match="mode is 'graph'"):
        ours.kneighbors_graph(Q, mode="graph")


@pytest.mark.parametrize("mode", ["distance", "connectivity"])
def test_transformer(mode):
    ours = KNeighborsTransformer(mode=mode, n_neighbors=3, metric="l1", random_state=0)
    theirs = neighbors.KNeighborsTransformer(mode=mode, n_neighbors=3, metric="l1", algorithm="brute")
    for found, expected in ((ours.fit_transform(X), theirs.fit_transform(X)), (ours.transform(Q), theirs.transform(Q))):
        assert found.shape == expected.shape and found.nnz == expected.nnz and found.format == "csr"
        rows, expected_rows = (graph.data.reshape(graph.shape[0], -1) for graph in (found, expected))
        np.testing.assert_array_equal(rows, expected_rows)
        assert (np.diff(rows, axis=1) >= 0).all()
    assert len(ours.get_feature_names_out()) == len(X)


def test_transformer_in_a_pipeline():
    ours = make_pipeline(KNeighborsTransformer(n_neighbors=8), Isomap(n_neighbors=6, metric="precomputed"))
    theirs = make_pipeline(neighbors.KNeighborsTransformer(n_neighbors=8), Isomap(n_neighbors=6, metric="precomputed"))
    points = np.random.default_rng(1).normal(size=(60, 3))
    np.testing.assert_allclose(np.abs(ours.fit_transform(points)), np.abs(theirs.fit_transform(points)), rtol=1e-4, atol=1e-4)


def test_a_fitted_estimator_keeps_no_array_of_the_caller():
    points = X.copy()
    ours = NearestNeighbors(n_neighbors=2).fit(points)
    before = ours.kneighbors(Q)[0]
    points[:] = 0
    np.testing.assert_array_equal(ours.kneighbors(Q)[0], before)


def test_pickle_and_clone():
    ours = NearestNeighbors(n_neighbors=2, metric="l1", params={"threads": 2}).fit(X)
    again = pickle.loads(pickle.dumps(ours))
    np.testing.assert_array_equal(again.kneighbors(Q)[1], ours.kneighbors(Q)[1])
    assert clone(ours).get_params() == ours.get_params() and ours.searcher_.knn(Q, 1).stats.threads == 2


@pytest.mark.parametrize("estimator", [NearestNeighbors, KNeighborsTransformer])
def test_params_go_where_they_count(estimator):
    further = {"epsilon": 0.0, "delta_scope": "call", "expected_queries": 1000, "confidence": "betting"}
    ours = estimator(n_neighbors=2, metric="l1", params=further).fit(X)
    brute.check(libbmo.Neighbors(*ours.kneighbors(Q)[::-1], None), brute.nearest(Q, X, 2, "l1"))
    assert "expected_queries" not in repr(ours.searcher_) and "delta_scope='call'" in repr(ours.searcher_)
    with pytest.raises(libbmo.InvalidArgument, match="expected_queries is 1000, which does not count in this call"):
        estimator(prepare=False, params={"expected_queries": 1000}).fit(X)
    for prepare in (False, True):
        with pytest.raises(libbmo.InvalidArgument, match="sigma is 1, which does not count here"):
            estimator(prepare=prepare, params={"sigma": 1}).fit(X)


@pytest.mark.parametrize("n_jobs, threads", [(None, 1), (1, 1), (3, 3), (-1, libbmo.threads_available()), (-1000, 1)])
def test_n_jobs(n_jobs, threads):
    ours = NearestNeighbors(n_jobs=n_jobs, prepare=False).fit(X)
    assert ours.searcher_.knn(Q, 1).stats.threads == threads


def test_n_jobs_of_0():
    with pytest.raises(ValueError, match="n_jobs is 0"):
        NearestNeighbors(n_jobs=0).fit(X)


BLOBS = np.vstack([brute.whole(seed, 50, 20) + 90 * seed for seed in range(4)]).astype("f8")


@pytest.mark.parametrize("points", [BLOBS, scipy.sparse.csr_array(BLOBS)], ids=["dense", "sparse"])
def test_kmeans(points):
    start = BLOBS[[0, 50, 100, 150]]
    ours = KMeans(4, init=start).fit(points)
    theirs = SklearnKMeans(4, init=start, n_init=1, tol=0, algorithm="lloyd").fit(BLOBS)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, rtol=1e-12)
    np.testing.assert_allclose(ours.inertia_, theirs.inertia_, rtol=1e-9)
    np.testing.assert_array_equal(ours.predict(points), ours.labels_)
    np.testing.assert_array_equal(ours.fit_predict(points), ours.labels_)
    np.testing.assert_allclose(ours.transform(points), theirs.transform(BLOBS), rtol=1e-9)
    np.testing.assert_allclose(ours.score(points), theirs.score(BLOBS), rtol=1e-9)
    assert len(ours.get_feature_names_out()) == 4


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_starts_of_kmeans(init):
    found = KMeans(4, init=init, random_state=3).fit(BLOBS)
    assert adjusted_rand_score(found.labels_, np.repeat(range(4), 50)) > 0.5
    again = KMeans(4, init=init, random_state=3).fit(BLOBS)
    np.testing.assert_array_equal(found.labels_, again.labels_)


def test_weights_of_kmeans_are_refused():
    with pytest.raises(TypeError, match="sample_weight is given to KMeans.fit, but points have no weights"):
        KMeans(2).fit(X, sample_weight=np.ones(len(X)))


def test_kmeans_in_a_search_of_parameters():
    search = GridSearchCV(make_pipeline(StandardScaler(), KMeans(random_state=0)), {"kmeans__n_clusters": [2, 4]}, cv=2)
    assert search.fit(BLOBS).best_params_ == {"kmeans__n_clusters": 4}


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "cosine"])
@pytest.mark.parametrize("points", [X, SPARSE], ids=["dense", "sparse"])
def test_radius_neighbors(points, metric):
    # scikit-learn's own distances round otherwise: no distance is near the radius.
    table = np.sort(neighbors.NearestNeighbors(n_neighbors=6, metric=metric, algorithm="brute").fit(points).kneighbors()[0].ravel())
    at = 100 + np.argmax(np.diff(table[100:300]))
    radius = (table[at] + table[at + 1]) / 2
    mine = NearestNeighbors(radius=radius, metric=metric, delta=1e-9).fit(points)
    theirs = neighbors.NearestNeighbors(radius=radius, metric=metric, algorithm="brute").fit(points)
    for queries in (None, points[:7]):
        distances, indices = mine.radius_neighbors(queries)
        expected, right = theirs.radius_neighbors(queries, sort_results=True)
        for found, which, apart, other in zip(distances, indices, expected, right):
            assert set(which) == set(other)
            np.testing.assert_allclose(found, apart, rtol=1e-6, atol=1e-6)
        np.testing.assert_array_equal(mine.radius_neighbors(queries, return_distance=False)[0], indices[0])
        for mode in ("connectivity", "distance"):
            apart = mine.radius_neighbors_graph(queries, mode=mode) - theirs.radius_neighbors_graph(queries, mode=mode)
            assert abs(apart).max() < 1e-6
