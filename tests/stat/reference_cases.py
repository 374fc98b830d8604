#!/usr/bin/env python3
"""The errors of a box on points whose exact neighbors are known.

usage: reference_cases.py DIR ... [--box projected] [--metric l2] [--seeds 20] [--delta 0.01 0.2]

DIR: X.npy, or one X_*.npy (points in rows), and ref_knn.npz: rows `query` and the exact distances to their nearest others,
`l1_dist` and `l2sq_dist`. k = 5; every seed has a preparation of its own. A line for each directory and delta: the wrong
answers with their 95% confidence interval (Clopper and Pearson), and the gain, with the operations on queries. Fails where
the interval is above delta. Needs numpy and scipy; the library as tests/stat/searches.py says.
"""
import argparse
import pathlib
import sys

import numpy as np

import searches
from intervals import interval

K = 5
REFERENCES = {"l1": ("l1_dist", lambda values: values), "l2": ("l2sq_dist", np.sqrt), "sqeuclidean": ("l2sq_dist", lambda values: values)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", type=pathlib.Path, nargs="+")
    parser.add_argument("--box", default="projected")
    parser.add_argument("--metric", default="l2", choices=REFERENCES)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--delta", type=float, nargs="+", default=[0.01, 0.2])
    args = parser.parse_args()
    sound = True
    for directory in args.directories:
        points, reference = np.load(next(directory.glob("X*.npy"))), np.load(directory / "ref_knn.npz")
        name, to_distance = REFERENCES[args.metric]
        truth, rows = to_distance(reference[name][:, :K]), reference["query"].astype(np.int64)
        source = searches.Dataset(points)
        for delta in args.delta:
            wrong = asked = ops = projected = brute = 0
            for seed in range(1, args.seeds + 1):
                common = dict(metric=args.metric, seed=seed)
                prepared = source.prepare(box=args.box, **common)
                _, distance, stats = searches.knn(prepared, K, rows=rows, method="bandit", delta=delta, **common)
                wrong += int((~np.isclose(distance, truth, rtol=1e-12, atol=0).all(1)).sum())
                asked += len(rows)
                ops, projected, brute = ops + stats.coord_ops, projected + stats.projection_ops, brute + stats.coord_ops_brute
            low, high = interval(wrong, asked)
            sound = sound and low <= delta
            print(f"{directory.name}, {len(points):,} x {points.shape[1]:,}, {args.metric}, delta = {delta}: {wrong} of {asked} wrong "
                  f"({100 * low:.2f} to {100 * high:.2f}%), gain {brute / ops:.1f}, {brute / (ops + projected):.1f} with the "
                  f"operations on queries", flush=True)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
