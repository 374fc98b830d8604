#!/usr/bin/env python3
"""Cosine and inner product: what each box takes, on whole numbers.

usage: angular.py POINTS.npy QUERIES.npy [--queries 200] [--threads 1] [--seed 1]

POINTS and QUERIES: uint8, n x d and q x d. k = 5, delta = 0.01, queries only; preparing is reported apart. An answer is right
when its distances are those of numpy, whose products of bytes are exact. Processor time, which other work on the machine
disturbs less. Needs numpy; the library as tests/stat/searches.py says.
"""
import argparse
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402

K = 5


def truth(points, queries, metric):
    """The K least of each query, ascending."""
    least = []
    lengths = np.sqrt(np.array([np.dot(row.astype(np.int64), row.astype(np.int64)) for row in points], float))
    wide = points.astype(np.float64)
    for query in queries.astype(np.float64):
        distance = -(wide @ query)
        if metric == "cosine":
            distance = 1 + distance / (lengths * np.sqrt(query @ query))
        least.append(np.sort(np.partition(distance, K - 1)[:K]))
    return np.array(least)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=pathlib.Path)
    parser.add_argument("queries_file", type=pathlib.Path)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    points, queries = np.load(args.points), np.load(args.queries_file)[:args.queries]
    data = searches.Dataset(points)
    for metric in ("cosine", "inner_product"):
        expected = truth(points, queries, metric)
        for box in ("dense", "rotated", "projected"):
            params = dict(metric=metric, box=box, seed=args.seed, threads=args.threads)
            start = time.perf_counter()
            prepared = data.prepare(**params)
            preparing, start = time.perf_counter() - start, time.process_time()
            _, distance, stats = searches.knn(prepared, K, queries=queries, method="bandit", **params)
            seconds = time.process_time() - start
            right = np.isclose(distance, expected, rtol=1e-9, atol=1e-12).all(1).mean()
            print(f"{metric}, {box} box: prepared in {preparing:.1f} s; {1e3 * seconds / len(queries):.2f} ms a query, "
                  f"{stats.gain:.0f} times fewer operations, "
                  f"{stats.coord_ops_brute / (stats.coord_ops + stats.projection_ops):.0f} with those on queries, "
                  f"{100 * right:.1f}% right, {stats.guarantee}", flush=True)


if __name__ == "__main__":
    main()
