"""Searches, against plain arithmetic."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import libbmo

N, D = 300, 400
POINTS = brute.whole(1, N, D).astype("f4")
QUERIES = brute.whole(2, 9, D).astype("f4")


@pytest.mark.parametrize("method", ["auto", "bandit", "exact"])
@pytest.mark.parametrize("metric", ["l1", "l2", "sqeuclidean"])
def test_neighbors(metric, method):
    found = libbmo.knn(POINTS, QUERIES, 4, metric=metric, method=method, delta=1e-9)
    brute.check(found, brute.nearest(QUERIES, POINTS, 4, metric))
    assert found.index.dtype == np.int64 and found.distance.dtype == np.float64
    assert found.stats.guarantee >= libbmo.Guarantee.PROVEN
    assert found.stats.queries == 9 and found.stats.arms == N


@pytest.mark.parametrize("metric", ["cosine", "inner_product"])
def test_angles(metric):
    spatial = pytest.importorskip("scipy.spatial.distance")
    table = -(QUERIES.astype(float) @ POINTS.T.astype(float)) if metric == "inner_product" \
        else spatial.cdist(QUERIES.astype(float), POINTS.astype(float), "cosine")
    index, distance = libbmo.knn(POINTS, QUERIES, 4, metric=metric, delta=1e-9)
    np.testing.assert_array_equal(index, np.argsort(table, axis=1, kind="stable")[:, :4])
    np.testing.assert_allclose(distance, np.sort(table, axis=1)[:, :4], rtol=1e-12)


@pytest.mark.parametrize("box", ["dense", "rotated", "projected"])
def test_prepared(box):
    prepared = libbmo.Dataset(POINTS).prepare(box=box, metric="l2", seed=5)
    assert prepared.info.box == box and prepared.info.seed == 5
    brute.check(libbmo.knn(prepared, QUERIES, 4, delta=1e-9), brute.nearest(QUERIES, POINTS, 4))


def test_graph_and_rows():
    own = np.arange(N)
    points = POINTS.copy()
    points[7] = points[3]  # a duplicate is a neighbor, the point itself is not
    expected = brute.nearest(points, points, 3, "l1", own)
    brute.check(libbmo.knn_graph(points, 3, metric="l1", delta=1e-9), expected)
    rows = [7, 3, 7, 250]
    searcher = libbmo.Searcher(points, metric="l1", delta=1e-9)
    brute.check(searcher.knn_rows(rows, 3), (expected[0][rows], expected[1][rows]))
    brute.check(searcher.knn_graph(3), expected)
    assert expected[0][7, 0] == 3


def test_queries_of_every_kind_agree():
    searcher = libbmo.Searcher(POINTS)
    expected = brute.nearest(QUERIES, POINTS, 3)
    for queries in (QUERIES, QUERIES.tolist(), libbmo.Dataset(QUERIES), scipy.sparse.csr_array(QUERIES),
                    scipy.sparse.csc_matrix(QUERIES), np.asfortranarray(QUERIES), QUERIES.astype("i8")):
        brute.check(searcher.knn(queries, 3), expected)


def test_same_answer_for_any_number_of_threads():
    one, two = (libbmo.knn(POINTS, QUERIES, 4, threads=threads, method="bandit") for threads in (1, 2))
    np.testing.assert_array_equal(one.index, two.index)
    np.testing.assert_array_equal(one.distance, two.distance)
    assert one.stats.coord_ops == two.stats.coord_ops and two.stats.threads == 2


def test_weights():
    weights = brute.whole(3, 1, D, 0, 3)[0]
    apart = np.abs(QUERIES[:, None].astype(int) - POINTS[None].astype(int)) @ weights
    found = libbmo.knn(POINTS, QUERIES, 2, metric="l1", weights=weights, delta=1e-9)
    np.testing.assert_array_equal(found.index, np.argsort(apart, axis=1, kind="stable")[:, :2])


@settings(max_examples=60)
@given(st.integers(1, 6), st.integers(1, 5), st.sampled_from(["i4", "i8"]), st.sampled_from(["f4", "f8"]),
       st.tuples(st.integers(1, 3), st.integers(1, 3)), st.sampled_from("CF"), st.sampled_from(["both", "index", "distance"]))
def test_out(m, k, index_type, distance_type, steps, order, which):
    def room(dtype):
        return np.full((m * steps[0], k * steps[1]), 99, dtype, order=order)

    bases = room(index_type), room(distance_type)
    index, distance = (base[:: steps[0], :: steps[1]] for base in bases)
    out = (index if which != "distance" else None, distance if which != "index" else None)
    found = libbmo.Searcher(POINTS[:50]).knn(QUERIES[:m], k, out=out)
    assert found.index is out[0] and found.distance is out[1]
    expected = brute.nearest(QUERIES[:m], POINTS[:50], k)
    if which != "distance":
        np.testing.assert_array_equal(index, expected[0])
    if which != "index":
        np.testing.assert_allclose(distance, expected[1], rtol=1e-6)
    for base, filled in zip(bases, (index, distance)):
        assert np.count_nonzero(base == 99) >= base.size - filled.size  # nothing beside the view was written


def locked(array):
    array.flags.writeable = False
    return array


I, F = np.zeros((9, 2), np.int64), np.zeros((9, 2))
WRONG_OUT = {
    "no tuple": (I, TypeError, "out is ndarray; expected a tuple of two"),
    "three": ((I, F, F), TypeError, "out is tuple; expected a tuple of two"),
    "no array": ((I.tolist(), F), TypeError, "index is list"),
    "type of index": ((F, F), TypeError, "index has dtype float64; expected int64 or int32"),
    "type of distance": ((I, I), TypeError, "distance has dtype int64; expected float64 or float32"),
    "byte order": ((I.astype(">i8"), F), TypeError, "index has dtype >i8"),
    "shape": ((I, F[:8]), ValueError, r"distance has shape \(8, 2\); expected \(9, 2\)"),
    "read-only": ((locked(I.copy()), F), ValueError, "index is read-only"),
    "negative stride": ((I[::-1], F), ValueError, r"index has strides \(-16, 8\)"),
    "two strides": ((I, np.asfortranarray(F)), ValueError, r"index has strides \(2, 1\) and distance \(1, 9\)"),
}


@pytest.mark.parametrize("name", WRONG_OUT)
def test_out_that_does_not_fit(name):
    out, kind, says = WRONG_OUT[name]
    with pytest.raises(kind, match=says):
        libbmo.Searcher(POINTS).knn(QUERIES, 2, out=out)


def test_row_stats():
    found = libbmo.Searcher(POINTS).knn(QUERIES, 2, row_stats=True)
    assert found.row_stats["coord_ops"].sum() == found.stats.coord_ops
    assert libbmo.Searcher(POINTS).knn(QUERIES, 2).row_stats is None


@pytest.mark.parametrize("k", [0, -1, N + 1, 2**62])
def test_k_beyond_the_points(k):
    with pytest.raises(libbmo.InvalidArgument, match=f"k is {k}; expected 1 to {N}") as refused:
        libbmo.knn(POINTS, QUERIES, k)
    assert refused.value.argument == "k"


def test_k_that_is_no_integer():
    for k in (2.0, "2", None):
        with pytest.raises(libbmo.InvalidType, match="k is .*; expected an integer"):
            libbmo.knn(POINTS, QUERIES, k)
    with pytest.raises(libbmo.InvalidArgument, match="64 bits"):
        libbmo.knn(POINTS, QUERIES, 2**64)
    assert libbmo.knn(POINTS, QUERIES, np.int32(2)).index.shape == (9, 2)


def test_width_of_queries():
    with pytest.raises(libbmo.InvalidArgument, match=f"queries.*is {D - 1}; expected {D}"):
        libbmo.knn(POINTS, QUERIES[:, 1:], 2)


@pytest.mark.parametrize("rows, kind", [([N], ValueError), ([-1], ValueError), ([0.5], TypeError), ([[1]], ValueError), (3, ValueError)])
def test_rows_that_are_none(rows, kind):
    with pytest.raises(kind, match="rows"):
        libbmo.Searcher(POINTS).knn_rows(rows, 1)


def test_no_rows():
    assert libbmo.Searcher(POINTS).knn_rows([], 1).index.shape == (0, 1)


def test_what_an_answer_says():
    found = libbmo.Searcher(POINTS).knn(QUERIES, 2)
    assert "2 of each of 9 queries" in repr(found)
    assert "2 of each of 9 queries" in repr(libbmo.Searcher(POINTS).knn(QUERIES, 2, out=(None, np.empty((9, 2)))))
    assert "0 of each of 0 queries" in repr(libbmo.Searcher(POINTS).knn(QUERIES, 2, out=(None, None)))
    text = repr(found.stats)
    assert str(found.stats.guarantee) in text and "9 queries x 300 candidates" in text and "method" in text
    assert repr(libbmo.Searcher(POINTS, metric="l1")) == "Searcher(Dataset(300 points x 400 coordinates, dense, float32), metric='l1')"
    assert libbmo.Searcher(POINTS).dataset.n == N


def test_what_stats_say_of_each_guarantee():
    proven = libbmo.Searcher(POINTS).knn(QUERIES, 1, ).stats
    common = {"metric": "sqeuclidean", "method": "bandit", "bandit": "ucb"}
    heuristic = libbmo.knn(POINTS, QUERIES, 1, confidence="empirical", max_pulls=100, **common).stats
    conditional = libbmo.knn(POINTS, QUERIES, 1, confidence="subgaussian", sigma=800, **common).stats
    raced = libbmo.knn(POINTS, QUERIES, 1, method="bandit", delta=0.25).stats
    none = libbmo.knn(POINTS, QUERIES, 1, method="uniform", uniform_pulls=8).stats
    assert none.guarantee == libbmo.Guarantee.NONE and none.gain > 1
    assert raced.delta == 0.25
    for stats in (proven, heuristic, conditional, raced, none):
        assert f"guarantee: {stats.guarantee}" in repr(stats)
        if stats.guarantee is libbmo.Guarantee.PROVEN:
            assert f"at most {stats.delta:g}" in repr(stats)
        if stats.guarantee is libbmo.Guarantee.CONDITIONAL:
            assert stats.assumption in repr(stats)
    empty = libbmo.Searcher(POINTS).knn(QUERIES[:0], 1).stats
    assert np.isnan(empty.gain) and empty.queries == 0
