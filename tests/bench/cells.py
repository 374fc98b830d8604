#!/usr/bin/env python3
"""What k-NN on sparse counts reads, against the baselines, and how long it takes.

usage: cells.py DIR [-k 5] [--threads 1] [--entries]

DIR: X.mtx.gz (points in rows) and ref_knn.npz: rows `query`, and their nearest others by integer arithmetic, `l1_dist` and
`l2sq_dist`. An answer is right when all its distances are the true ones. Entries read are compared with
  paper     those of the query and of each point
  rows      those of each point (query scattered)
  columns   those of the query's columns (inverted index)
Then every point is asked for its neighbors, by the bandit, by the exact scan and by default, for time: wall, and processor time, which
other work on the machine disturbs less. --entries leaves that out. Needs numpy; the library as tests/stat/searches.py says.
"""
import argparse
import gzip
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402

TARGETS = {"l1": (15, 8, 2), "sqeuclidean": (15, 8, 1.5)}


def read_pattern(path):
    """Rows and columns of the entries, read by other means than the library's."""
    with gzip.open(path, "rt") as file:
        lines = (line for line in file if not line.startswith("%"))
        n, d, _ = (int(word) for word in next(lines).split())
        places = np.loadtxt(lines, dtype=np.int64, usecols=(0, 1)) - 1
    return n, d, places[:, 0], places[:, 1]


def baselines(path, queries):
    n, d, rows, cols = read_pattern(path)
    by_row, by_col = np.bincount(rows, minlength=n), np.bincount(cols, minlength=d)
    order = np.argsort(rows, kind="stable")
    starts = np.searchsorted(rows[order], np.arange(n + 1))
    scattered = sum(len(rows) - by_row[q] for q in queries)
    paper = scattered + sum((n - 1) * by_row[q] for q in queries)
    inverted = sum(by_col[cols[order[starts[q]:starts[q + 1]]]].sum() for q in queries)
    return paper, scattered, inverted


def timed(call):
    wall, cpu = time.perf_counter(), time.process_time()
    result = call()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--entries", action="store_true")
    args = parser.parse_args()
    path, reference = args.directory / "X.mtx.gz", np.load(args.directory / "ref_knn.npz")
    queries, k = reference["query"], args.k
    dataset, seconds, _ = timed(lambda: searches.Dataset.open(path, copy=True))
    prepared, prepare, _ = timed(lambda: dataset.prepare())
    base = baselines(path, queries)
    print(f"read in {seconds:.2f} s, prepared in {prepare:.2f} s, {searches.isa()}, k = {k}, delta = 0.01")
    good = True
    for metric, name in (("l1", "l1_dist"), ("sqeuclidean", "l2sq_dist")):
        _, distance, stats = searches.knn(prepared, k, rows=queries, metric=metric, method="bandit", threads=args.threads)
        right = int((distance == reference[name][:, :k]).all(1).sum())
        gains = [entries / stats.coord_ops for entries in base]
        met = right == len(queries) and all(gain >= target for gain, target in zip(gains, TARGETS[metric]))
        good = good and met and str(stats.guarantee) in ("proven", "exact")
        print(f"{metric}: {right} of {len(queries)} right, {stats.guarantee}; {stats.coord_ops / stats.queries:,.0f} entries a query: "
              f"{gains[0]:.1f}x fewer than paper, {gains[1]:.1f}x than rows, {gains[2]:.2f}x than columns")
        if args.entries:
            continue
        every = np.arange(rows_of(path), dtype=np.int64)
        for method in ("bandit", "exact", "auto"):
            _, wall, cpu = timed(lambda: searches.knn(prepared, k, rows=every, metric=metric, method=method, threads=args.threads))
            print(f"    all {len(every)} rows, {method}: {wall:.2f} s wall, {cpu:.2f} s of processor")
    sys.exit(0 if good else 1)


def rows_of(path):
    with gzip.open(path, "rt") as file:
        return int(next(line for line in file if not line.startswith("%")).split()[0])


if __name__ == "__main__":
    main()
