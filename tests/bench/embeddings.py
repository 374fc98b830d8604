#!/usr/bin/env python3
"""Exact nearest neighbors of embeddings: the sketch box and the scan beside OpenBLAS with selection, and faiss if it is there.

usage: embeddings.py EMBEDDINGS.npz [--truth KNN.npz] [--turns N] [--k K]

EMBEDDINGS has the arrays points and queries; KNN has l2_index, cosine_index and inner_product_index. One thread, float32.
Milliseconds of wall time a query, medians of so many turns (7) in which all programs take turns; the ratio of medians to
OpenBLAS and its range over the turns. OpenBLAS: numpy's product of all queries and points, norms where they are needed, and
argpartition. Needs numpy; the library as tests/stat/searches.py says. Set OPENBLAS_CORETYPE if OpenBLAS mistakes the processor.
"""
import argparse
import os
import pathlib
import sys
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "stat"))
import searches  # noqa: E402

METRICS = ("l2", "cosine", "inner_product")


def normalized(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def by_blas(points, queries, k, metric):
    if metric == "cosine":
        points, queries = normalized(points), normalized(queries)
    squares = (points * points).sum(1) if metric == "l2" else None

    def search():
        products = queries @ points.T
        scores = squares - 2 * products if metric == "l2" else -products
        return np.argpartition(scores, k - 1, axis=1)[:, :k]

    return search


def by_faiss(points, queries, k, metric):
    import faiss

    faiss.omp_set_num_threads(1)
    if metric == "cosine":
        points, queries = normalized(points), normalized(queries)
    index = (faiss.IndexFlatL2 if metric == "l2" else faiss.IndexFlatIP)(points.shape[1])
    index.add(points)
    return lambda: index.search(queries, k)[1]


def by_libbmo(points, queries, k, metric, box):
    params = dict(metric=metric) if box is None else dict(metric=metric, box=box)
    method = "exact" if box is None else "bandit"
    dataset = searches.Dataset(points)
    start = time.perf_counter()
    if box is not None:
        dataset = dataset.prepare(**params)
    search = lambda: searches.knn(dataset, k, queries, method=method, **params)
    search.prepared = time.perf_counter() - start
    return search


def programs(points, queries, k, metric):
    made = {"OpenBLAS": by_blas(points, queries, k, metric)}
    try:
        made["faiss flat"] = by_faiss(points, queries, k, metric)
    except ImportError:
        pass
    made["scan"] = by_libbmo(points, queries, k, metric, None)
    made["sketch box"] = by_libbmo(points, queries, k, metric, "sketch")
    return made


def timed(made, turns):
    times = {name: [] for name in made}
    for turn in range(turns + 1):
        for name, search in made.items():
            start = time.perf_counter()
            search()
            if turn > 0:
                times[name].append(time.perf_counter() - start)
    return {name: np.array(of_turns) for name, of_turns in times.items()}


def report(metric, made, times, queries, truth):
    for name, of_turns in times.items():
        ratios = times["OpenBLAS"] / of_turns
        line = (f"| {metric} | {name} | {np.median(of_turns) / queries * 1e3:.3f} | "
                f"{np.median(times['OpenBLAS']) / np.median(of_turns):.2f} ({ratios.min():.2f} to {ratios.max():.2f}) |")
        if name in ("scan", "sketch box"):
            index, _, stats = made[name]()
            right = "" if truth is None else f"{(np.sort(index) == np.sort(truth[:, :index.shape[1]])).all(1).sum()} of {queries}"
            line += (f" {stats.guarantee} | {right} | {stats.coord_ops_brute / stats.coord_ops:.1f} | "
                     f"{stats.exact_evals / queries:.0f} | {made[name].prepared:.2f} s |")
        else:
            line += " | | | | |"
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("embeddings")
    parser.add_argument("--truth")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--k", type=int, default=10)
    args = parser.parse_args()
    with np.load(args.embeddings) as arrays:
        points, queries = (np.ascontiguousarray(arrays[name], np.float32) for name in ("points", "queries"))
    truth = np.load(args.truth) if args.truth else None
    print(f"{len(points):,} x {points.shape[1]:,}, {len(queries):,} queries, k = {args.k}, {searches.isa()}")
    print("| metric | program | ms a query | times as fast as OpenBLAS | guarantee | right | gain | computed | prepared in |")
    print("| --- " * 9 + "|")
    for metric in METRICS:
        made = programs(points, queries, args.k, metric)
        report(metric, made, timed(made, args.turns), len(queries), truth[f"{metric}_index"] if truth else None)


if __name__ == "__main__":
    main()
