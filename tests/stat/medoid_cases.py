#!/usr/bin/env python3
"""Errors of the medoid on points of which several are about as central, seed by seed, against exact sums.

usage: medoid_cases.py [--seeds N] [--delta D ...] [--images FILE [--metric M ...]] [--tap]

Data of whole numbers, so that the sums of distances under l1 and sqeuclidean are integers, and those under l2 and cosine are sums
of roots and quotients of integers (compared within 1e-12). The count of wrong answers is at most binomial(N, delta); a case
fails where there are more than such a count exceeds with probability 1e-5. --images FILE: instead, the first 5,000 points of
a .npy file, as many seeds, and the gain of each.
Needs numpy; the library as tests/stat/searches.py says.
"""
import argparse

import numpy as np

import hard_cases
import searches


def shells(r, n, d):
    """Points at many distances from a center, several of them about as near."""
    size = r.choice([3, 3, 3, 4, 6, 10, 20, 40], n)
    return 100 + r.integers(-1, 2, (n, d)) * size[:, None]


def two_groups(r, n, d):
    """A group of nearly all points and one far away: distances to it say little of those within."""
    x = 20 + r.integers(0, 6, (n, d))
    x[r.choice(n, n // 20, replace=False)] += 150
    return x


def one_coordinate(r, n, d):
    """One coordinate decides, which few pairs see."""
    x = np.repeat(r.integers(0, 3, (n, 1)), d, axis=1)
    x[np.arange(n), r.integers(d, size=n)] = r.integers(0, 256, n)
    x[:, r.integers(d)] = r.choice([0, 120, 128, 136, 255], n)
    return x


CASES = (shells, two_groups, one_coordinate)


def sums(x, metric):
    y = x.astype(np.float64)
    if metric == "l1":
        return np.array([np.abs(y - row).sum() for row in y])
    squares = (y * y).sum(1)
    product = y @ y.T
    if metric == "cosine":
        length = np.sqrt(np.maximum(squares, 1))  # a zero vector: product 0, distance 1
        apart = 1 - product / np.outer(length, length)
        np.fill_diagonal(apart, 0)
        return apart.sum(1)
    square = squares[:, None] + squares - 2 * product
    return (square if metric == "sqeuclidean" else np.sqrt(square)).sum(1)


def case_lines(deltas, seeds):
    for case in CASES:
        for metric, d in (("l1", 40), ("l1", 600), ("l2", 40), ("sqeuclidean", 40), ("cosine", 40)):
            wrong, gains = {delta: 0 for delta in deltas}, []
            for seed in range(seeds):
                x = case(np.random.default_rng(seed), 400, d).astype(np.uint8)
                truth, dataset = sums(x, metric), searches.Dataset(x)
                for delta in deltas:
                    found, _, stats = searches.medoid(dataset, metric=metric, delta=delta, seed=seed, method="bandit")
                    wrong[delta] += truth[found] > truth.min() * (1 + 1e-12)
                    gains.append(stats.gain)
            for delta in deltas:
                allowed = hard_cases.most_errors(seeds, delta)
                yield wrong[delta] <= allowed, (f"{case.__name__} {metric} d={d} delta={delta}: {wrong[delta]} wrong of {seeds} "
                                                f"(allowed {allowed}), gain {min(gains):.1f} to {max(gains):.1f}")


def image_lines(path, metrics, seeds):
    points = np.ascontiguousarray(np.load(path, mmap_mode="r")[:5000])
    dataset = searches.Dataset(points)
    for metric in metrics:
        exact, mean, stats = searches.medoid(dataset, metric=metric, method="exact", threads=2)
        right, gains, times = 0, [], []
        for seed in range(seeds):
            found, _, raced = searches.medoid(dataset, metric=metric, seed=seed, threads=2)
            right += found == exact
            gains.append(raced.gain)
            times.append(raced.seconds)
        yield right == seeds, (f"{metric}: {right} of {seeds} seeds find {exact} (mean distance {mean:.6g}), gain {min(gains):.1f} to "
                               f"{max(gains):.1f}, {stats.seconds / np.median(times):.0f} times the speed of every distance")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--delta", type=float, nargs="+", default=[0.01, 0.3])
    parser.add_argument("--images")
    parser.add_argument("--metric", nargs="+", default=["l1", "l2"])
    parser.add_argument("--tap", action="store_true", help="report as TAP, one test a line")
    args = parser.parse_args()
    if args.images:
        hard_cases.report(image_lines(args.images, args.metric, args.seeds), len(args.metric), args.tap)
    hard_cases.report(case_lines(args.delta, args.seeds), len(CASES) * 5 * len(args.delta), args.tap)


if __name__ == "__main__":
    main()
