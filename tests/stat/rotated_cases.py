#!/usr/bin/env python3
"""The rotated box: errors on data made to deceive it, and what it saves on data with few differences and on images.

usage: rotated_cases.py [--seeds N] [--delta D ...] [--cases FILE] [--images DIR] [--tap]

Hard cases: those of hard_cases.py and its rule on the number of wrong answers, under sqeuclidean, with a new preparation for
each seed. Few differences: 5,000 points that differ from the query in 40 to 80 of 4,096 coordinates, five of them in 10;
the rotated box has to find these five with at most a tenth of the dense box's operations; once also with 2^22 added to
all of the float32 values. --images DIR: the queries DIR/val_1k_d12288.npy on DIR/train_25k_d12288.npy (Tiny ImageNet as
uint8), for the gain, at least 85, and the errors; k = 5, sqeuclidean, delta = 0.01.
Needs numpy; the library as tests/stat/searches.py says.
"""
import pathlib

import numpy as np

import hard_cases
import searches


def prepared(dataset, **params):
    return dataset.prepare(**params)


def rotated_answer(dataset, q, k, metric, delta, seed):
    data = prepared(dataset, box="rotated", seed=seed, metric=metric)
    index, _, stats = searches.knn(data, k, q[None], metric=metric, delta=delta, seed=seed, method="bandit")
    return index[0], stats.coord_ops / stats.coord_ops_brute


def few_differences(seed, n=5000, d=4096):
    """Points, the query, and the five rows that are nearest."""
    r = np.random.default_rng(seed)
    q = r.integers(0, 50, d).astype(np.float32)
    x = np.repeat(q[None], n, axis=0)
    near = r.choice(n, 5, replace=False)
    for row in range(n):
        count = 10 if row in near else r.integers(40, 81)
        x[row, r.choice(d, count, replace=False)] += r.choice([-1, 1], count)
    return x, q, np.sort(near)


def few_differences_line(seed, offset=0):
    """Whether the target is met, and the figures."""
    x, q, near = few_differences(seed)
    x, q = x + np.float32(offset), q + np.float32(offset)
    dataset, found, operations = searches.Dataset(x), {}, {}
    for box in ("dense", "rotated"):
        params = dict(box=box, seed=seed, metric="l2")
        index, _, stats = searches.knn(prepared(dataset, **params), 5, q[None], delta=0.01, method="bandit", **params)
        found[box], operations[box] = np.sort(index[0]), stats.coord_ops
    good = (found["rotated"] == near).all() and 10 * operations["rotated"] <= operations["dense"]
    return good, (f"few differences, offset {offset:,}, seed {seed}: {operations['rotated']:,} operations, dense box {operations['dense']:,}, "
                  f"scan {x.size:,}")


def true_neighbors(x, queries, k):
    """Sorted squared distances of the k nearest: integers, and products of them below 2^53."""
    want = []
    wide = queries.astype(np.float64)
    dots = np.concatenate([x[at:at + 1000].astype(np.float64) @ wide.T for at in range(0, len(x), 1000)])
    norms = np.concatenate([(x[at:at + 1000].astype(np.float64) ** 2).sum(1) for at in range(0, len(x), 1000)])
    for i, q in enumerate(wide):
        want.append(np.sort(norms + (q * q).sum() - 2 * dots[:, i])[:k])
    return np.array(want)


def image_lines(directory, seeds=3, k=5, delta=0.01):
    x, queries = (np.load(directory / name) for name in ("train_25k_d12288.npy", "val_1k_d12288.npy"))
    count, dataset = len(queries), searches.Dataset(x)
    want, allowed = true_neighbors(x, queries, k), hard_cases.most_errors(count, delta)
    for box in ("dense", "rotated"):
        for seed in range(1, seeds + 1):
            params = dict(box=box, seed=seed, metric="sqeuclidean")
            data = prepared(dataset, threads=2, **params)
            _, distance, stats = searches.knn(data, k, queries, delta=delta, method="bandit", **params)
            wrong = (distance != want).any(1).sum()
            good = wrong <= allowed and stats.gain >= 85
            yield good, (f"{box} box, seed {seed}: gain {stats.gain:.1f}, {wrong} wrong of {count} (allowed {allowed}), {stats.guarantee}, "
                         f"{stats.projection_ops / count:,.0f} projection_ops a query, {stats.exact_evals / count:.1f} distances in full")


def main():
    args = hard_cases.arguments(__doc__, lambda parser: parser.add_argument("--images", type=pathlib.Path))
    chosen = hard_cases.generators(args.cases)

    def lines():
        for seed in range(1, 4):
            yield few_differences_line(seed)
        yield few_differences_line(1, offset=2**22)
        if args.images:
            yield from image_lines(args.images)
        yield from hard_cases.case_lines(chosen, ["sqeuclidean"], args.delta, args.seeds, rotated_answer)

    hard_cases.report(lines(), 4 + len(chosen) * len(args.delta), args.tap)


if __name__ == "__main__":
    main()
