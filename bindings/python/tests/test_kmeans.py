"""k-means and medoid, against plain arithmetic."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import brute
import libbmo

X = np.vstack([brute.whole(seed, 40, 30) + 100 * seed for seed in range(3)]).astype("f8")


def lloyd(points, centers):
    """Moves of the centers until no label changes, in plain arithmetic."""
    labels, moves = None, 0
    while True:
        new = ((points[:, None] - centers[None]) ** 2).sum(axis=2).argmin(axis=1)
        if labels is not None and (new == labels).all():
            return centers, labels, moves
        labels, moves = new, moves + 1
        centers = np.array([points[labels == label].mean(axis=0) for label in range(len(centers))])


@pytest.mark.parametrize("points", [X, scipy.sparse.csr_array(X), np.asfortranarray(X), libbmo.Dataset(X)],
                         ids=["dense", "sparse", "columns", "dataset"])
def test_given_centers(points):
    start = X[[0, 1, 119]]
    found = libbmo.kmeans(points, 3, init=start)
    centers, labels, moves = lloyd(X, start)
    np.testing.assert_array_equal(found.labels, labels)
    np.testing.assert_allclose(found.centers, centers, rtol=1e-13)
    np.testing.assert_allclose(found.inertia, ((X - centers[labels]) ** 2).sum(), rtol=1e-12)
    assert found.labels.dtype == np.int32 and found.iterations in (moves, moves + 1, moves - 1)
    assert found.stats.guarantee is libbmo.Guarantee.EXACT
    np.testing.assert_array_equal(start, X[[0, 1, 119]])  # the caller's centers stay as they are
    assert "3 centers x 30 coordinates, 120 points" in repr(found)


@pytest.mark.parametrize("init", ["plusplus", "random"])
def test_starts(init):
    found = libbmo.kmeans(X, 3, init=init, n_init=5, seed=1, max_iter=50, tol=1e-3)
    assert sorted(np.bincount(found.labels)) == [40, 40, 40]
    assert libbmo.kmeans(X, 3, init=init, n_init=5, seed=1, max_iter=50, tol=1e-3).inertia == found.inertia


WRONG = {
    "k": (dict(k=0), ValueError, "k is 0; expected 1 to 120"),
    "more than points": (dict(k=121), ValueError, "k is 121; expected 1 to 120"),
    "init": (dict(init="best"), ValueError, "init is 'best'; expected 'plusplus', 'random'"),
    "shape of init": (dict(init=X[:2]), ValueError, r"init has shape \(2, 30\); expected \(3, 30\)"),
    "NaN in init": (dict(init=np.full((3, 30), np.nan)), ValueError, "init: the value of point 0, coordinate 0"),
    "masked init": (dict(init=np.ma.masked_less(X[:3], 0)), TypeError, "init is a masked array"),
    "texts in init": (dict(init=np.full((3, 30), "x")), TypeError, "init has dtype <U1"),
    "n_init": (dict(n_init=0), ValueError, "n_init is 0; expected 1 to"),
    "n_init given": (dict(init=X[:3], n_init=2), ValueError, "n_init is 2"),
    "max_iter": (dict(max_iter=-1), ValueError, "max_iter is -1"),
    "type of max_iter": (dict(max_iter=1.5), TypeError, "max_iter is 1.5; expected an integer"),
    "tol": (dict(tol=-1.0), ValueError, "tol is -1"),
    "metric": (dict(metric="l1"), ValueError, "metric"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(name):
    arguments, kind, says = WRONG[name]
    with pytest.raises(kind, match=says):
        libbmo.kmeans(X, **{"k": 3, **arguments})


@pytest.mark.parametrize("metric", ["l1", "l2", "sqeuclidean"])
@pytest.mark.parametrize("method", ["auto", "exact"])
def test_medoid(metric, method):
    points = brute.whole(8, 150, 60)
    table = brute.distances(points, points, metric)
    found = libbmo.medoid(points, metric=metric, method=method, delta=1e-9)
    assert found.index == table.sum(axis=1).argmin()
    np.testing.assert_allclose(found.mean_distance, table.sum(axis=1).min() / 149, rtol=1e-12)
    assert f"index: {found.index}" in repr(found)


def test_seeds_of_prepared_points_are_their_own():
    prepared = libbmo.Dataset(X).prepare(seed=1)
    common = {"init": "random", "max_iter": 1}
    starts = []
    for seed in range(1, 7):
        found = libbmo.kmeans(prepared, 3, seed=seed, **common)
        expected = libbmo.kmeans(X, 3, seed=seed, **common)
        np.testing.assert_array_equal(found.labels, expected.labels)
        assert found.stats.seed == seed == libbmo.medoid(prepared, seed=seed).stats.seed
        assert libbmo.medoid(prepared, seed=seed).stats.coord_ops == libbmo.medoid(X, seed=seed).stats.coord_ops
        starts.append(found.inertia)
    assert len(set(starts)) > 1
    assert libbmo.kmeans(prepared, 3, **common).stats.seed == libbmo.medoid(prepared).stats.seed == 1
    with pytest.raises(libbmo.InvalidType, match=r"seed is \[1\]"):
        libbmo.kmeans(prepared, 3, seed=[1])
    with pytest.raises(libbmo.InvalidArgument, match="seed is"):
        libbmo.medoid(prepared, seed=1 << 63)


def test_medoid_of_nothing():
    with pytest.raises(libbmo.InvalidArgument, match="has no points"):
        libbmo.medoid(np.zeros((0, 3)))
