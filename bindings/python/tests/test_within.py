"""Largest distances and radius searches, against plain arithmetic."""
from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.sparse

import brute
import libbmo

N, D, K = 300, 400, 6
POINTS = brute.whole(1, N, D).astype("f4")
QUERIES = brute.whole(2, 9, D).astype("f4")


def within(table, largest):
    """For each query the numbers and distances of what is not farther, the nearest first."""
    found = []
    for row, most in zip(table, np.broadcast_to(largest, len(table))):
        order = np.argsort(row, kind="stable")
        order = order[row[order] <= most]
        found.append((order, row[order]))
    return found


def check(found, expected):
    assert len(found) == len(expected) and found.offset[-1] == len(found.index) == len(found.distance)
    for (index, distance), (right, apart) in zip(found, expected):
        np.testing.assert_array_equal(index, right)
        np.testing.assert_allclose(distance, apart, rtol=1e-12, atol=0)


@pytest.mark.parametrize("metric", ["l1", "l2", "sqeuclidean"])
@pytest.mark.parametrize("method", ["auto", "bandit", "exact"])
def test_radius(metric, method):
    table = brute.distances(QUERIES, POINTS, metric)
    ties = np.sort(table, axis=1)[:, 4]  # a distance that equals the largest is within
    searcher = libbmo.Searcher(POINTS, metric=metric, method=method, delta=1e-9)
    for largest in (float(ties[0]), ties, 0.0, float(table.max())):
        found = searcher.radius(QUERIES, largest)
        check(found, within(table, largest))
        assert found.stats.guarantee >= libbmo.Guarantee.PROVEN and found.stats.neighbors == len(found.index)


def test_radius_among_the_points():
    points = POINTS.copy()
    points[7] = points[3]
    table = brute.distances(points, points, "l2")
    largest = float(np.partition(table[table > 0], 40)[40])
    np.fill_diagonal(table, np.inf)
    expected = within(table, largest)
    searcher = libbmo.Searcher(points, delta=1e-9)
    check(searcher.radius_graph(largest), expected)
    check(searcher.radius_rows([7, 3, 7], largest), [expected[7], expected[3], expected[7]])
    assert expected[7][0][0] == 3


def test_queries_of_every_kind_agree():
    table = brute.distances(QUERIES, POINTS, "l2")
    largest = float(np.median(table))
    searcher = libbmo.Searcher(POINTS, delta=1e-9)
    for queries in (QUERIES, QUERIES.tolist(), libbmo.Dataset(QUERIES), scipy.sparse.csr_array(QUERIES)):
        check(searcher.radius(queries, largest), within(table, largest))


def test_neighbors_know_what_they_are():
    found = libbmo.Searcher(POINTS).radius(QUERIES, 1e9)
    assert repr(found).startswith(f"RadiusNeighbors({9 * N} of 9 queries")
    np.testing.assert_array_equal(found[-1][0], found[8][0])
    with pytest.raises(IndexError):
        found[9]
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.offset, found.offset)
    np.testing.assert_array_equal(again.distance, found.distance)
    assert again.stats == found.stats
    none = libbmo.Searcher(POINTS).radius(QUERIES[:0], 1.0)
    assert len(none) == 0 and len(none.index) == 0


def test_k_nearest_within():
    table = brute.distances(QUERIES, POINTS, "l2")
    largest = np.sort(table, axis=1)[:, 2] + np.arange(9) % 2
    searcher = libbmo.Searcher(POINTS, delta=1e-9)
    found = searcher.knn(QUERIES, K, max_distance=largest)
    expected = within(table, largest)
    for row, (index, distance) in enumerate(expected):
        count = min(K, len(index))
        np.testing.assert_array_equal(found.index[row, :count], index[:count])
        assert (found.index[row, count:] == -1).all() and np.isinf(found.distance[row, count:]).all()
    assert found.stats.neighbors == sum(min(K, len(index)) for index, _ in expected) < found.index.size
    out = np.empty((9, K), "i4"), None
    searcher.knn(QUERIES, K, max_distance=largest, out=out)
    np.testing.assert_array_equal(out[0], found.index)
    far = searcher.knn_graph(K, max_distance=0.0)
    assert (far.index == -1).all() and far.stats.neighbors == 0
    np.testing.assert_array_equal(searcher.knn_rows([5], K, max_distance=np.inf).index, searcher.knn_rows([5], K).index)


@pytest.mark.parametrize("wrong", [[1.0, 2.0], np.zeros((9, 1))])
def test_shapes_are_refused(wrong):
    for search in (lambda: libbmo.Searcher(POINTS).radius(QUERIES, wrong),
                   lambda: libbmo.Searcher(POINTS).knn(QUERIES, 2, max_distance=wrong)):
        with pytest.raises(libbmo.InvalidArgument, match=r"max_distance has shape .*; expected a number, or shape \(9,\)"):
            search()


def test_other_arguments_are_refused():
    searcher = libbmo.Searcher(POINTS)
    with pytest.raises(libbmo.InvalidType, match="max_distance is 'far'; expected a number"):
        searcher.radius(QUERIES, "far")
    with pytest.raises(libbmo.InvalidArgument, match="max_distance"):
        searcher.radius(QUERIES, np.nan)
    with pytest.raises(libbmo.Overflow, match="max_pairs"):
        searcher.radius(QUERIES, 1e9, max_pairs=5)
    with pytest.raises(libbmo.InvalidArgument, match="uniform"):
        libbmo.Searcher(POINTS, method="uniform").radius(QUERIES, 1.0)
