#!/usr/bin/env python3
"""Importance sampling beside plain sampling: the race on images and on single cells as dense points, which are not prepared.

usage: importance.py [--images POINTS.npy QUERIES.npy] [--cells DIR] [--queries 300]

A line of a table for each metric, sampling and delta: gain, wrong answers with their 95% confidence interval, milliseconds of
processor time a query, one thread, k = 5. POINTS, QUERIES and DIR as tests/stat/bandits.py has them. Needs numpy and scipy;
the library as tests/stat/searches.py says.
"""
import argparse
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import bandits  # noqa: E402
import searches  # noqa: E402
from intervals import interval  # noqa: E402


def report(name, metric, dataset, what, truth):
    for sampling in ("without_replacement", "importance"):
        for delta in bandits.DELTAS:
            start = time.process_time()
            _, distance, stats = searches.knn(dataset, bandits.K, metric=metric, method="bandit", box="dense",
                                            sampling=sampling, delta=delta, **what)
            took = (time.process_time() - start) * 1e3 / len(distance)
            wrong = int((~np.isclose(distance, truth, rtol=1e-12, atol=0).all(1)).sum())
            low, high = interval(wrong, len(distance))
            print(f"| {name} | {metric} | {sampling} | {delta} | {stats.coord_ops_brute / stats.coord_ops:.1f} | "
                  f"{wrong} of {len(distance)} ({100 * low:.1f} to {100 * high:.1f}%) | {took:.1f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=pathlib.Path, nargs=2)
    parser.add_argument("--cells", type=pathlib.Path)
    parser.add_argument("--queries", type=int, default=300)
    args = parser.parse_args()
    args.truth = None
    print("| data | metric | sampling | delta | gain | wrong | ms a query |")
    print("| --- " * 7 + "|")
    if args.images:
        images = bandits.Images(args)
        for metric in bandits.METRICS:
            report("images", metric, images.data, {"queries": images.queries}, images.truth[metric])
    if args.cells:
        cells = bandits.Cells(args)
        for metric in bandits.METRICS:
            report("cells", metric, cells.data, {"rows": cells.rows}, cells.truth(metric, slice(0, len(cells.rows))))


if __name__ == "__main__":
    main()
