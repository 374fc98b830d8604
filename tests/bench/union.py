#!/usr/bin/env python3
"""The sparse box of the BMO paper on sparse counts: what it reads, and whether it is right.

usage: union.py DIR [-k 5] [--queries 20] [--confidence empirical ...]

DIR as of cells.py. The bandit is ucb, delta 0.01. An answer is right when all its distances are the true ones; the gain is
over n_0 + n_i entries a pair. Needs numpy; the library as tests/stat/searches.py says.
"""
import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("--confidence", nargs="+", default=["empirical", "betting"])
    args = parser.parse_args()
    reference = np.load(args.directory / "ref_knn.npz")
    rows = reference["query"][:args.queries]
    box = {"box": "sparse_union"}
    prepared = searches.Dataset.open(args.directory / "X.mtx.gz", copy=True).prepare(**box)
    for confidence in args.confidence:
        for metric, name in (("l1", "l1_dist"), ("sqeuclidean", "l2sq_dist")):
            _, distance, stats = searches.knn(prepared, args.k, rows=rows, metric=metric, bandit="ucb", confidence=confidence, **box)
            right = int((distance == reference[name][:len(rows), :args.k]).all(1).sum())
            print(f"{confidence} {metric}: {right} of {len(rows)} right, {stats.guarantee}; "
                  f"{stats.coord_ops / stats.queries:,.0f} entries a query, gain {stats.coord_ops_brute / stats.coord_ops:.2f}", flush=True)


if __name__ == "__main__":
    main()
