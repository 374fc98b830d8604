#!/usr/bin/env python3
"""Gain, guarantee and accuracy of k-NN on a set of byte images, as bytes, float32 and float64.

usage: images.py POINTS.npy QUERIES.npy [-k 5] [--delta 0.01] [--metric l2 l1] [--box dense] [--types u1 f4 f8] [--truth FILE.npz]

POINTS and QUERIES: uint8, n x d and q x d. The true distances are integers: of l2 by a product of matrices in float64, in
which every sum is exact, and of l1 in integers; --truth keeps them in a file from one run to the next (l1 takes minutes).
An answer counts as right when all its k distances are the true ones. Needs numpy; the library as tests/stat/searches.py says.
"""
import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402

ROWS = 2500  # points at a time


def squared_l2(points, queries, k):
    q = queries.astype(np.float64)
    best = np.full((len(q), k), np.inf)
    for at in range(0, len(points), ROWS):
        x = points[at:at + ROWS].astype(np.float64)
        sums = (q * q).sum(1)[:, None] + (x * x).sum(1)[None] - 2 * (q @ x.T)
        best = np.partition(np.hstack([best, sums]), k - 1)[:, :k]
    return np.sort(best)


def l1(points, queries, k):
    best = np.empty((len(queries), k))
    for i, q in enumerate(queries):
        sums = np.concatenate([(np.maximum(part, q) - np.minimum(part, q)).sum(1, dtype=np.int64)
                               for part in np.array_split(points, max(1, len(points) // 500))])
        best[i] = np.sort(np.partition(sums, k - 1)[:k])
    return best


def truth(path, metric, points, queries, k):
    name = f"{metric}_{len(points)}_{len(queries)}_{k}"
    known = dict(np.load(path)) if path and path.exists() else {}
    if name not in known:
        known[name] = {"l2": squared_l2, "l1": l1}[metric](points, queries, k)
        if path:
            np.savez(path, **known)
    return np.sqrt(known[name]) if metric == "l2" else known[name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=pathlib.Path)
    parser.add_argument("queries", type=pathlib.Path)
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--delta", type=float, default=0.01)
    parser.add_argument("--metric", nargs="+", default=["l2", "l1"])
    parser.add_argument("--box", default="dense")
    parser.add_argument("--types", nargs="+", default=["u1", "f4", "f8"])
    parser.add_argument("--truth", type=pathlib.Path)
    args = parser.parse_args()
    points, queries = np.load(args.points), np.load(args.queries)
    print(f"{len(points)} points, {len(queries)} queries, {points.shape[1]} coordinates, k = {args.k}, "
          f"delta = {args.delta}, {searches.isa()}")
    want = {metric: truth(args.truth, metric, points, queries, args.k) for metric in args.metric}
    first = {}
    for kind in args.types:
        dataset = searches.Dataset(points.astype(kind))
        for metric in args.metric:
            prepared = dataset.prepare(metric=metric, box=args.box)
            index, dist, stats = searches.knn(prepared, args.k, queries.astype(kind), metric=metric, box=args.box, delta=args.delta,
                                           method="bandit")
            right = (dist == want[metric]).all(1).mean()
            same = "" if metric not in first else f", same neighbors as {args.types[0]}: {(index == first[metric]).all()}"
            first.setdefault(metric, index)
            print(f"{kind} {metric}: gain {stats.gain:.1f}, {stats.guarantee}, accuracy {right:.2%}{same}, "
                  f"{stats.exact_evals / stats.queries:.1f} exact sums a query", flush=True)


if __name__ == "__main__":
    main()
