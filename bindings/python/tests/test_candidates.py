"""Searches among chosen points, and by labels, against plain arithmetic."""
from __future__ import annotations

import functools
import pickle
import re

import numpy as np
import pytest
import scipy.sparse

import brute
import libbmo

N, D, M, K = 200, 120, 8, 5
POINTS = brute.whole(1, N, D).astype("f4")
QUERIES = brute.whole(2, M, D).astype("f4")
NAMES = np.array(["oak", "elm", "fir", "yew"])
LABELS = NAMES[np.minimum(np.random.default_rng(3).integers(0, 60, N) // 25, 3)]
LABELS[[5, 77]] = "yew"  # of few points
ASKED = np.array(["oak", "elm", "fir", "yew", "ash", "oak", "elm", "ash"])  # no point is an ash
MASK = np.random.default_rng(4).random(N) < 0.4
OWN = np.array([77, 0, 3, 77])


def allowed(labels, mask=None, rule=None):
    """Whether each point is a candidate of a query with each of these labels."""
    fits = np.ones((len(labels), N), bool) if rule is None else (labels[:, None] == LABELS) == (rule == "same")
    return fits if mask is None else fits & mask


def nearest(table, k):
    """Indices and distances of the k nearest, ties by least index; -1 and infinity where the distance is infinite."""
    index = np.argsort(table, axis=1, kind="stable")[:, :k]
    distance = np.take_along_axis(table, index, axis=1)
    return np.where(np.isinf(distance), -1, index), distance


def check_within(found, table, largest):
    assert len(found) == len(table)
    for (index, distance), row in zip(found, table):
        order = np.argsort(row, kind="stable")
        order = order[row[order] <= largest]
        np.testing.assert_array_equal(index, order)
        np.testing.assert_allclose(distance, row[order], rtol=1e-12, atol=0)


@functools.lru_cache(maxsize=None)
def distances(metric):
    return brute.distances(QUERIES, POINTS, metric), brute.distances(POINTS, POINTS, metric)


def tables(mask, rule, metric):
    """Distances of the queries, and of the points among each other; infinite to what is no candidate."""
    asked, own = distances(metric)
    asked, own = np.where(allowed(ASKED, mask, rule), asked, np.inf), np.where(allowed(LABELS, mask, rule), own, np.inf)
    np.fill_diagonal(own, np.inf)
    return asked, own


@pytest.mark.parametrize("metric, method", [("l2", "bandit"), ("l1", "exact"), ("sqeuclidean", "auto")])
@pytest.mark.parametrize("rule", [None, "same", "other"])
@pytest.mark.parametrize("mask", [None, MASK])
def test_candidates_and_labels(metric, method, rule, mask):
    asked, own = tables(mask, rule, metric)
    labels, query_labels = (None, None) if rule is None else (LABELS, ASKED)
    searcher = libbmo.Searcher(POINTS, candidates=mask, labels=labels, label_rule=rule, metric=metric, method=method, delta=1e-9)
    brute.check(searcher.knn(QUERIES, K, query_labels=query_labels), nearest(asked, K))
    brute.check(searcher.knn_graph(K), nearest(own, K))
    brute.check(searcher.knn_rows(OWN, K), nearest(own[OWN], K))
    largest = float(np.partition(asked.ravel(), 60)[60])
    check_within(searcher.radius(QUERIES, largest, query_labels=query_labels), asked, largest)
    check_within(searcher.radius_graph(largest), own, largest)
    check_within(searcher.radius_rows(OWN, largest), own[OWN], largest)


def test_the_functions_search_among_candidates():
    asked, own = tables(MASK, "same", "l2")
    chosen = {"candidates": MASK, "labels": LABELS, "label_rule": "same", "delta": 1e-9}
    for points in (POINTS, libbmo.Dataset(POINTS)):
        brute.check(libbmo.knn(points, QUERIES, K, query_labels=ASKED, **chosen), nearest(asked, K))
        brute.check(libbmo.knn_graph(points, K, **chosen), nearest(own, K))


@pytest.mark.parametrize("points", [libbmo.Dataset(POINTS).prepare(box="dense"), libbmo.Dataset(POINTS).prepare(box="rotated"),
                                    scipy.sparse.csr_array(POINTS), POINTS[:, ::-1].T.copy()[::-1].T])
def test_candidates_of_every_kind_of_points(points):
    asked, _ = tables(MASK, "other", "l2")
    searcher = libbmo.Searcher(points, candidates=MASK, labels=LABELS, label_rule="other", delta=1e-9)
    for queries in (QUERIES, scipy.sparse.csr_array(QUERIES), libbmo.Dataset(QUERIES)):
        brute.check(searcher.knn(queries, K, query_labels=ASKED), nearest(asked, K))


@pytest.mark.parametrize("candidates", [np.flatnonzero(MASK), np.flatnonzero(MASK)[::-1].astype("i4"), MASK, MASK.tolist(),
                                        slice(10, 90, 3), range(9, 30)])
def test_what_chooses_candidates(candidates):
    chosen = np.zeros(N, bool)
    chosen[candidates if isinstance(candidates, (slice, np.ndarray)) else list(candidates)] = True
    asked, _ = tables(chosen, None, "l2")
    brute.check(libbmo.Searcher(POINTS, candidates=candidates, delta=1e-9).knn(QUERIES, K), nearest(asked, K))


_CODES = np.searchsorted(np.sort(NAMES), LABELS)


@pytest.mark.parametrize("labels, query_labels", [
    (LABELS.tolist(), tuple(ASKED)), (LABELS.astype("S"), ASKED.astype("S")), (LABELS.astype(object), ASKED),
    (_CODES, [*np.searchsorted(np.sort(NAMES), ASKED[:4]), 9, 2, 0, -3]), (_CODES * 0.5, [1.0, 0, 0.5, 1.5, 7, 1.0, 0, np.inf]),
    ([(name,) for name in LABELS], [(name,) for name in ASKED])])
def test_kinds_of_labels(labels, query_labels):
    if isinstance(labels[0], tuple):
        labels, query_labels = (np.fromiter(values, object) for values in (labels, query_labels))
    asked, _ = tables(None, "same", "l2")
    searcher = libbmo.Searcher(POINTS, labels=labels, label_rule="same", delta=1e-9)
    brute.check(searcher.knn(QUERIES, K, query_labels=query_labels), nearest(asked, K))


def test_labels_are_matched_by_value():
    found = libbmo.knn(np.eye(3), np.eye(3), 1, labels=["1", 1, 2**53 + 1], label_rule="same", query_labels=[1.0, "1", 2**53])
    np.testing.assert_array_equal(found.index[:, 0], [1, 0, -1])


def test_short_rows_go_into_the_arrays_of_the_caller():
    asked, _ = tables(None, "same", "l2")
    out = np.full((M, 9), 7, np.int32), np.full((M, 9), 7, np.float32)
    searcher = libbmo.Searcher(POINTS, labels=LABELS, label_rule="same", delta=1e-9)
    found = searcher.knn(QUERIES, 9, query_labels=ASKED, out=out, row_stats=True, max_distance=1e9)
    index, distance = nearest(asked, 9)
    np.testing.assert_array_equal(out[0], index)
    np.testing.assert_allclose(out[1], distance, rtol=1e-6)
    assert found.stats.neighbors == np.isfinite(distance).sum() and found.row_stats.shape == (M,)


def test_no_queries():
    searcher = libbmo.Searcher(POINTS, labels=LABELS, label_rule="same")
    assert searcher.knn(POINTS[:0], K, query_labels=[]).index.shape == (0, K)
    assert len(searcher.radius(POINTS[:0], 1.0, query_labels=[])) == 0
    assert searcher.knn_rows([], K).index.shape == (0, K)


def test_a_searcher_pickles_with_its_candidates():
    labels = LABELS.copy()
    searcher = libbmo.Searcher(POINTS, candidates=MASK, labels=labels, label_rule="other", seed=5)
    labels[:] = "oak"  # nothing of the caller's is kept
    copy = pickle.loads(pickle.dumps(searcher))
    for one in (searcher, copy):
        brute.check(one.knn(QUERIES, K, query_labels=ASKED), nearest(tables(MASK, "other", "l2")[0], K))


def test_changed_points_are_to_blame():
    points = POINTS.copy()
    dataset = libbmo.Dataset(points)
    points[7, 3] = np.nan
    with pytest.raises(libbmo.InvalidArgument, match="the points were changed while the dataset borrowed them"):
        libbmo.Searcher(dataset, candidates=[1, 7])


def refused(call, kind, argument, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}$") as failure:
        call()
    assert failure.value.argument == argument


@pytest.mark.parametrize("candidates, kind, message", [
    ([0, N], libbmo.InvalidArgument, f"candidates[1] is {N} (counted from 0); the dataset has {N} points"),
    ([0, -1], libbmo.InvalidArgument, f"candidates[1] is -1 (counted from 0); the dataset has {N} points"),
    ([4, 2, 4], libbmo.InvalidArgument, "candidates has row 4 twice; expected each row once"),
    ([], libbmo.InvalidArgument, f"no point is a candidate; expected 1 or more of the dataset's {N}"),
    (np.zeros(N, bool), libbmo.InvalidArgument, f"no point is a candidate; expected 1 or more of the dataset's {N}"),
    (np.ones(9, bool), libbmo.InvalidArgument,
     f"candidates is a mask of shape (9,); expected shape ({N},), a value for each point"),
    ([1.0], libbmo.InvalidType, "candidates has dtype float64; expected integers"),
    (3, libbmo.InvalidArgument, "candidates has shape (); expected one dimension")])
def test_what_chooses_no_candidates(candidates, kind, message):
    refused(lambda: libbmo.Searcher(POINTS, candidates=candidates), kind, "candidates", message)


@pytest.mark.parametrize("labels, kind, message", [
    (LABELS[:-1], libbmo.InvalidArgument, f"labels has shape ({N - 1},); expected ({N},), a label for each point"),
    ("oak", libbmo.InvalidArgument, f"labels has shape (); expected ({N},), a label for each point"),
    (np.where(LABELS == "yew", np.nan, 1.0), libbmo.InvalidArgument, "labels[5] is nan; expected a label"),
    ([*LABELS[:-1], None], libbmo.InvalidArgument, f"labels[{N - 1}] is None; expected a label"),
    ([*LABELS[:-1], {}], libbmo.InvalidType, "labels has a value that cannot be hashed; expected whole or real numbers, texts, or "
                                             "objects that can be hashed"),
    (np.zeros(N, "M8[D]"), libbmo.InvalidType, "labels has dtype datetime64[D]; expected whole or real numbers, texts, or objects "
                                               "that can be hashed"),
    (np.ma.zeros(N), libbmo.InvalidType, "labels is a masked array; expected a label for each point"),
    (None, libbmo.InvalidArgument, "labels is None; expected a label for each point, for label_rule is 'same'")])
def test_what_are_no_labels(labels, kind, message):
    refused(lambda: libbmo.Searcher(POINTS, labels=labels, label_rule="same"), kind, "labels", message)


@pytest.mark.parametrize("rule, message", [
    ("equal", "label_rule is 'equal'; expected 'same' or 'other'"), (1, "label_rule is 1; expected 'same' or 'other'"),
    (None, "label_rule is None; expected 'same' or 'other', for there are labels")])
def test_what_is_no_rule(rule, message):
    refused(lambda: libbmo.Searcher(POINTS, labels=LABELS, label_rule=rule), libbmo.InvalidArgument, "label_rule", message)


def test_labels_of_queries_are_needed_or_not():
    labeled, plain = libbmo.Searcher(POINTS, labels=LABELS, label_rule="same"), libbmo.Searcher(POINTS, candidates=MASK)
    for search in (lambda searcher, given: searcher.knn(QUERIES, K, query_labels=given),
                   lambda searcher, given: searcher.radius(QUERIES, 1.0, query_labels=given)):
        refused(lambda: search(labeled, None), libbmo.InvalidArgument, "query_labels",
                "query_labels is None; expected a label for each query, for label_rule is 'same'")
        refused(lambda: search(labeled, ASKED[1:]), libbmo.InvalidArgument, "query_labels",
                f"query_labels has shape ({M - 1},); expected ({M},), a label for each query")
        for searcher in (plain, libbmo.Searcher(POINTS)):
            refused(lambda: search(searcher, ASKED), libbmo.InvalidArgument, "query_labels",
                    "query_labels are given; expected None, for there is no label_rule")


def test_k_is_at_most_the_number_of_candidates():
    searcher = libbmo.Searcher(POINTS, candidates=[1, 7, 9])
    for search in (lambda: searcher.knn(QUERIES, 4), lambda: searcher.knn_graph(4), lambda: searcher.knn_rows([1], 4)):
        refused(search, libbmo.InvalidArgument, "k", "k is 4; expected 1 to 3, the candidates of a query")
