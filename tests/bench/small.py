#!/usr/bin/env python3
"""Time of small searches by default, as a ratio to the exact scan's in the same run.

usage: small.py [POINTS.npy QUERIES.npy] [--runs 31]

Uniform float32 points, each set searched for 1,000 queries of its own kind, or the points of a file, as they are and as
float32; the two methods in turn; prints the medians and their ratio. Needs numpy; the library as tests/stat/searches.py says.
"""
import argparse
import pathlib
import statistics
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402

SHAPES = ((1000, 32), (1000, 192), (200, 2000))


def seconds(dataset, queries, **params):
    start = time.perf_counter()
    searches.knn(dataset, 5, queries, **params)
    return time.perf_counter() - start


def made():
    random = np.random.default_rng(1)
    for n, d in SHAPES:
        yield random.random((n, d), np.float32), random.random((1000, d), np.float32)


def of_files(paths):
    points, queries = map(np.load, paths)
    yield points, queries
    yield points.astype(np.float32), queries.astype(np.float32)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=31)
    args = parser.parse_args()
    for points, queries in of_files(args.files) if args.files else made():
        dataset = searches.Dataset(points)
        pairs = [(seconds(dataset, queries), seconds(dataset, queries, method="exact")) for _ in range(args.runs)]
        default, exact = (statistics.median(times) for times in zip(*pairs))
        print(f"n = {len(points)}, d = {points.shape[1]}, {points.dtype}: {default * 1e3:.1f} ms by default, "
              f"{exact * 1e3:.1f} ms exact, ratio {default / exact:.3f}")


if __name__ == "__main__":
    main()
