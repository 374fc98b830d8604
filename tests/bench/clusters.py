#!/usr/bin/env python3
"""How a query of the projected box grows with the number of points where these are in clusters of equal size.

usage: clusters.py [--sizes 12500 25000 50000 100000 200000] [--of-cluster 500] [-d 1024] [--queries 200] [-k 5]

Clusters lie at random places of a space of 32 dimensions, turned into one of d; points are normal about them. Queries are
further points. Prints for each n the operations of a scan over those that were taken (gain), the thousands of operations and
the milliseconds of a query, of one thread, the median of five runs, what preparing took, and how many answers numpy finds
wrong. The library: as tests/stat/searches.py says.
"""
import argparse
import pathlib
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402

RANK, RUNS, DELTA = 32, 5, 0.01


def draw(random, places, count):
    """Points about the places, drawn evenly."""
    points = random.standard_normal((count, places.shape[1]), np.float32)
    for first in range(0, count, 10000):
        some = points[first:first + 10000]
        some += places[random.integers(len(places), size=len(some))]
    return points


def wrong_answers(points, queries, distance, k):
    """The candidates by products; what counts comes from differences."""
    squares = np.einsum("ij,ij->i", points, points, dtype=np.float64)
    wrong = 0
    for query, found in zip(queries, distance):
        near = np.argpartition(squares - 2 * (points @ query).astype(np.float64), 10 * k)[:10 * k]
        true = np.sqrt(np.sort(((points[near].astype(np.float64) - query) ** 2).sum(1))[:k])
        wrong += not np.allclose(found, true, rtol=1e-12)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[12500, 25000, 50000, 100000, 200000])
    parser.add_argument("--of-cluster", type=int, default=500)
    parser.add_argument("-d", type=int, default=1024)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("-k", type=int, default=5)
    args = parser.parse_args()
    print("| n | gain | thousand operations | ms a query | seconds to prepare | wrong |\n| --- | --- | --- | --- | --- | --- |")
    for n in args.sizes:
        random = np.random.default_rng(1)
        directions = random.standard_normal((RANK, args.d), np.float32)
        places = random.standard_normal((n // args.of_cluster, RANK), np.float32) @ directions
        points, queries = draw(random, places, n), draw(random, places, args.queries)
        start = time.perf_counter()
        data = searches.Dataset(points).prepare(box="projected", metric="l2", seed=1, threads=1)
        prepared, times = time.perf_counter() - start, []
        for _ in range(RUNS):
            start = time.perf_counter()
            _, distance, stats = searches.knn(data, args.k, queries=queries, box="projected", method="bandit", metric="l2",
                                            delta=DELTA, seed=1, threads=1)
            times.append((time.perf_counter() - start) / len(queries) * 1000)
        print(f"| {n} | {stats.coord_ops_brute / stats.coord_ops:.0f} | {stats.coord_ops / len(queries) / 1000:.0f} | "
              f"{statistics.median(times):.2f} | {prepared:.1f} | "
              f"{wrong_answers(points, queries, distance, args.k)} of {len(queries)} |", flush=True)


if __name__ == "__main__":
    main()
