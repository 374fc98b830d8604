"""Answers by plain arithmetic, for whole numbers: exact, whatever the order of the additions."""
from __future__ import annotations

import numpy as np


def whole(seed, n, d, low=-20, high=20):
    """n points of whole numbers."""
    return np.random.default_rng(seed).integers(low, high, (n, d), endpoint=True)


def distances(queries, points, metric):
    """Between whole numbers. l2 is the root of an exact sum."""
    apart = queries[:, None, :].astype(np.int64) - points[None, :, :].astype(np.int64)
    if metric == "l1":
        return np.abs(apart).sum(axis=2).astype(np.float64)
    squared = (apart * apart).sum(axis=2).astype(np.float64)
    return squared if metric == "sqeuclidean" else np.sqrt(squared)


def nearest(queries, points, k, metric="l2", own=None):
    """Indices and distances of the k nearest, ties by least index. own: the number of each query, which is left out."""
    table = distances(queries, points, metric)
    if own is not None:
        table[np.arange(len(table)), own] = np.inf
    index = np.argsort(table, axis=1, kind="stable")[:, :k]
    return index, np.take_along_axis(table, index, axis=1)


def check(found, expected, rtol=1e-12):
    """A libbmo.Neighbors against indices and distances."""
    np.testing.assert_array_equal(found.index, expected[0])
    np.testing.assert_allclose(found.distance, expected[1], rtol=rtol, atol=0)
