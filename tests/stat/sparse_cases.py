#!/usr/bin/env python3
"""The overlap box: errors on sparse points, among them data made to deceive it, against the exact answer of numpy.

usage: sparse_cases.py [--seeds N] [--delta D ...] [--cases FILE] [--tap]

The cases of hard_cases.py as sparse points, and three made for overlaps, under l1 and sqeuclidean with a new preparation and
order for each seed; hard_cases.py's rule on the number of wrong answers and on operations, which here are entries read,
as a share of those of the query and of every point. Needs numpy; the library as tests/stat/searches.py says.
"""

import numpy as np

import hard_cases
import searches


class Rows:
    """The entries of an array that are not 0, as searches.Dataset takes a CSR matrix of scipy.sparse."""

    format = "csr"

    def __init__(self, array):
        rows, self.indices = (part.astype(np.int32) for part in np.nonzero(array))
        self.shape, self.data = array.shape, np.ascontiguousarray(array[rows, self.indices], np.float32)
        self.indptr = np.searchsorted(rows, np.arange(len(array) + 1)).astype(np.int64)

    def tocsr(self):
        return self


def _made(x, q):
    return np.ascontiguousarray(x, np.float32), np.ascontiguousarray(q, np.float32), 5


def overlap_in_few(seed=1, n=600, d=4000):
    """The query has 100 coordinates of 30 and 1,500 of 1. Decoys share all of the many, the five nearest only the few."""
    r = np.random.default_rng(seed)
    place = r.permutation(d)
    few, many = place[:100], place[100:1600]
    q = np.zeros(d)
    q[few], q[many] = 30, 1
    x = np.zeros((n, d))
    for i in range(n):
        x[i, r.choice(place[1600:], 300, replace=False)] = 1
        x[i, many] = 1
        x[i, r.choice(few, 30, replace=False)] = 30
    for i in r.choice(n, 5, replace=False):
        x[i] = 0
        x[i, few[:60]] = 30
        x[i, place[1600:1600 + r.integers(100)]] = 1
    return _made(x, q)


def overlap_by_chance(seed=1, n=2000, d=6000):
    """Every point shares about half of the query's 400 ones; the five nearest share 12 more than any other."""
    r = np.random.default_rng(seed)
    q = np.zeros(d)
    q[:400] = 1
    x = np.zeros((n, d))
    for i in range(n):
        x[i, r.choice(400, 200 - r.integers(40), replace=False)] = 1
        x[i, 400 + r.choice(d - 400, 100, replace=False)] = 1
    for i in r.choice(n, 5, replace=False):
        x[i, :400] = 0
        x[i, r.choice(400, 212, replace=False)] = 1
    return _made(x, q)


def counts_of_both_signs(seed=1, n=1000, d=5000):
    """Heavy-tailed values of both signs, and neighbors that are the query with a tenth of its entries changed."""
    r = np.random.default_rng(seed)
    heavy = np.minimum(np.floor((1 - r.random((n + 1, d))) ** (-1 / 1.2)), 1000)
    points = heavy * (r.random((n + 1, d)) < 0.1) * r.choice([-1, 1], (n + 1, d))
    q, x = points[0], points[1:].copy()
    for i in r.choice(n, 8, replace=False):
        x[i] = np.where(r.random(d) < 0.1, x[i], q)
    return _made(x, q)


OWN = [overlap_in_few, overlap_by_chance, counts_of_both_signs]


def sparse_answer(dataset, q, k, metric, delta, seed):
    """Every tenth seed asks data that are not prepared, and a dense query, too."""
    if not hasattr(dataset, "sparse"):
        dataset.sparse = searches.Dataset(Rows(dataset.array))
        dataset.prepared = dataset.sparse.prepare(seed=seed)
    params = dict(metric=metric, delta=delta, seed=seed, method="bandit")
    index, _, stats = searches.knn(dataset.prepared, k, Rows(q[None]), **params)
    if seed % 10 == 0:
        other = searches.knn(dataset.sparse, k, q[None], **params)
        if (index != other[0]).any() or stats.coord_ops != other[2].coord_ops:
            raise SystemExit(f"prepared data answer {index}, the same data as they are {other[0]}")
    return index[0], stats.coord_ops / max(1, stats.coord_ops_brute)


def main():
    args = hard_cases.arguments(__doc__)
    chosen = OWN + list(hard_cases.generators(args.cases))
    lines = hard_cases.case_lines(chosen, ["sqeuclidean", "l1"], args.delta, args.seeds, sparse_answer)
    hard_cases.report(lines, len(chosen) * 2 * len(args.delta), args.tap)


if __name__ == "__main__":
    main()
