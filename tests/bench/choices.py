#!/usr/bin/env python3
"""What `auto` takes of time, against every choice that can be made by hand.

usage: choices.py DATA [--queries 10 1000] [--runs 3] [--metric l2] [--only WORD ...]

DATA: a directory with images-D.npy and queries-D.npy (uint8, for each D of them), digits.npy (uint8), cells.npz (of
scipy.sparse); what is not there is left out. To these come uniform points, 1,000 x 32, and normal ones, 10,000 x 4,096. Where
there are no queries apart, the last points are, or of cells the first. k = 5, delta = 0.01, one thread. A line for each
choice: seconds to prepare, for the queries, and both together; then `auto` (the box is left to bmo_dataset_prepare(), which is told how many queries will come, and all else
to the search), what it chose, and its time as a multiple of the best choice's. Medians over the runs, the choices in turn.
Needs numpy and scipy; the library as tests/stat/searches.py says.
"""
import argparse
import pathlib
import statistics
import sys
import time

import numpy as np
import scipy.sparse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402

K = 5
MOST = 1000  # queries
NAMES_OF_METHODS = {"bandit": "race", "exact": "scan", "uniform": "uniform"}
DENSE = {"scan": (None, dict(method="exact")), "race, not prepared": (None, dict(method="bandit")),
         "dense": ("dense", dict(method="bandit")), "rotated": ("rotated", dict(method="bandit")),
         "projected": ("projected", dict(method="bandit"))}
SPARSE = {"scan": (None, dict(method="exact")), "race": (None, dict(method="bandit")),
          "prepared": ("sparse", dict(method="auto"))}


def data_sets(directory):
    for path in sorted(directory.glob("images-*.npy")):
        yield f"{path.stem}", DENSE, np.load(path), np.load(path.with_name(path.name.replace("images", "queries")))[:MOST]
    if (directory / "digits.npy").exists():
        points = np.load(directory / "digits.npy")
        yield "digits", DENSE, points[:-MOST], points[-MOST:]
    if (directory / "cells.npz").exists():
        cells = scipy.sparse.load_npz(directory / "cells.npz")
        yield "cells", SPARSE, cells, None
        yield "cells as dense points", DENSE, cells.toarray(), None
    random = np.random.default_rng(1)
    yield "uniform-32", DENSE, random.random((1000, 32), np.float32), random.random((MOST, 32), np.float32)
    points = random.standard_normal((10000 + MOST, 4096), np.float32)
    yield "normal-4096", DENSE, points[:-MOST], points[-MOST:]


def timed(call):
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def search(points, queries, asked, metric, box, params):
    """(seconds to prepare, seconds of the search, what was chosen)."""
    common = dict(metric=metric, **params)
    data, prepare = points, 0.0
    if box:
        how = dict(metric=metric, box=box, seed=1, **({"expected_queries": asked} if box == "auto" else {}))
        data, prepare = timed(lambda: points.prepare(**how))
    ask = dict(rows=np.arange(asked, dtype=np.int64)) if queries is None else dict(queries=queries[:asked])
    (_, _, stats), seconds = timed(lambda: searches.knn(data, K, **ask, **common))
    return prepare, seconds, stats


def chosen(stats):
    return f"{NAMES_OF_METHODS[stats.method]} {stats.box}"


def measure(points, queries, choices, asked, args):
    """name -> medians of (to prepare, of the search, both), and what auto chose."""
    tried = {name: [] for name in (*choices, "auto")}
    for _ in range(args.runs):
        for name, (box, params) in (*choices.items(), ("auto", ("auto", {}))):
            if (box == "rotated" and args.metric not in ("l2", "sqeuclidean")) or hopeless(name, tried):
                continue
            prepare, seconds, stats = search(points, queries, asked, args.metric, box, params)
            tried[name].append((prepare, seconds, prepare + seconds))
    return {name: tuple(map(statistics.median, zip(*times))) for name, times in tried.items() if times}, chosen(stats)


def hopeless(name, tried):
    """Choices that took three times as long as the best are not tried again."""
    if not tried[name] or name == "auto":
        return False
    return tried[name][0][2] > 3 * min(times[0][2] for times in tried.values() if times)


def report(name, asked, times, choice):
    for way, (prepare, seconds, both) in times.items():
        print(f"{name}, {asked} queries, {way}: {prepare:.4f} s to prepare, {seconds:.4f} s, together {both:.4f} s", flush=True)
    best = min((both, way) for way, (_, _, both) in times.items() if way != "auto")
    print(f"{name}, {asked} queries: auto ({choice}) takes {times['auto'][2] / best[0]:.2f} times as long as the best "
          f"({best[1]})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--queries", type=int, nargs="+", default=[10, 1000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--metric", default="l2")
    parser.add_argument("--only", nargs="+", default=[""])
    args = parser.parse_args()
    for name, choices, points, queries in data_sets(args.data):
        if any(word in name for word in args.only):
            for asked in args.queries:
                report(name, asked, *measure(searches.Dataset(points), queries, choices, asked, args))


if __name__ == "__main__":
    main()
