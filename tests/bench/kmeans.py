#!/usr/bin/env python3
"""k-means on a set of byte images, or of sparse points: operations, labels, inertia and time against exact Lloyd from the same start.

usage: kmeans.py POINTS.npy|POINTS.mtx[.gz] [-k 100] [--rows 5000] [--max-iter 100] [--start 1] [--threads 1] [--projected]

POINTS: uint8, n x d, of which the first --rows are used. The start: k different rows, chosen by --start. Exact Lloyd is the
library's own (method exact: batched scans). That the labels of the outcome are those of the nearest centers is checked
here too, by a product of matrices in float64. --projected prepares the data for the projected box first, outside of the time.
Operations are given without the moves' and points' projections, and with them. Of sparse points beside those of exact
Lloyd over all coordinates, as the centers have them, those over the points' entries alone, for who has the centers' norms.
Needs numpy, and scipy for .mtx; the library as tests/stat/searches.py says.
"""
import argparse
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402

ROWS = 1000  # points at a time


def nearest(points, centers):
    """Labels of the nearest centers, and the squared distances."""
    squares = (centers * centers).sum(1)
    labels, sums = [], []
    for at in range(0, len(points), ROWS):
        x = points[at:at + ROWS].astype(np.float64)
        apart = squares[None] - 2 * (x @ centers.T)
        labels.append(apart.argmin(1))
        sums.append(apart.min(1) + (x * x).sum(1))
    return np.concatenate(labels), np.concatenate(sums)


def read(path, rows):
    """The first points, dense, and a dataset of them."""
    if path.endswith(".npy"):
        points = np.ascontiguousarray(np.load(path, mmap_mode="r")[:rows])
        return points, searches.Dataset(points)
    import scipy.io

    entries = scipy.io.mmread(path).tocsr()[:rows].astype(np.float32)
    return entries.toarray(), searches.Dataset(entries)


def timed(*args, **params):
    wall, cpu = time.perf_counter(), time.process_time()
    outcome = searches.kmeans(*args, **params)
    return outcome, time.perf_counter() - wall, time.process_time() - cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points")
    parser.add_argument("-k", type=int, default=100)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--max-iter", type=int, default=100)
    parser.add_argument("--start", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--projected", action="store_true")
    args = parser.parse_args()
    points, dataset = read(args.points, args.rows)
    n, d = points.shape
    start = points[np.random.default_rng(args.start).choice(n, args.k, replace=False)]
    if args.projected:
        dataset = dataset.prepare(box="projected", threads=args.threads)
    common = dict(max_iter=args.max_iter, threads=args.threads)
    (centers, labels, inertia, moves, stats), wall, cpu = timed(dataset, start, **common)
    steps = moves + 1
    brute = n * args.k * d
    ops = (stats.coord_ops - n * d) / steps  # the inertia is no part of a step
    print(f"n = {n}, d = {d}, k = {args.k}: {steps} assignment steps, guarantee {stats.guarantee}")
    print(f"operations a step: exact Lloyd {brute:.3g}, here {ops:.3g}: {brute / ops:.1f} times fewer; with projections "
          f"{brute / (ops + stats.projection_ops / steps):.1f}; distances computed a point and step "
          f"{(stats.exact_evals - n) / steps / n:.2f}")
    if not args.points.endswith(".npy"):
        entries = np.count_nonzero(points) * args.k
        print(f"over the entries alone exact Lloyd takes {entries:.3g}: {entries / ops:.1f} times as many as here; with projections "
              f"{entries / (ops + stats.projection_ops / steps):.1f}")
    own, sums = nearest(points, centers)
    print(f"labels of the nearest center (numpy): {100 * (own == labels).mean():.3f} %; inertia off by "
          f"{abs(sums.sum() - inertia) / inertia:.1e}", flush=True)
    (_, true_labels, true_inertia, true_moves, _), exact_wall, exact_cpu = timed(dataset, start, method="exact", **common)
    print(f"exact Lloyd: {true_moves + 1} steps; labels that agree {100 * (true_labels == labels).mean():.3f} %, inertia off "
          f"by {abs(true_inertia - inertia) / true_inertia:.1e}")
    print(f"time: {wall:.2f} s (processor {cpu:.2f}), exact Lloyd {exact_wall:.2f} s (processor {exact_cpu:.2f}): "
          f"{exact_wall / wall:.1f} times, of processor time {exact_cpu / cpu:.1f}")


if __name__ == "__main__":
    main()
