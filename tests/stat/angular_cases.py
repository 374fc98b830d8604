#!/usr/bin/env python3
"""Cosine and inner product: errors on data made to deceive sampling, by every box of dense points.

usage: angular_cases.py [--seeds N] [--delta D ...] [--cases FILE] [--tap]

The cases of hard_cases.py and its rule on the number of wrong answers, with a new order and a new preparation for each
seed. True distances come from numpy's long double; where they differ by less than its rounding, either answer is right.
Needs numpy; the library as tests/stat/searches.py says.
"""

import numpy as np

import hard_cases
import searches


def true_distances(x, q, metric):
    x, q = x.astype(np.longdouble), q.astype(np.longdouble)
    products = x @ q
    if metric == "inner_product":
        return -products
    lengths = np.sqrt((x * x).sum(1) * (q @ q))
    return 1 - np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)


def rounding(x, q, metric):
    """A bound of what the sums above lose."""
    largest = 1 if metric == "cosine" else np.abs(x.astype(float)).sum(1).max() * np.abs(q.astype(float)).max()
    return 4 * x.shape[1] * float(np.finfo(np.longdouble).eps) * largest


BOXES = ("dense", "rotated", "projected", "sketch")


def run_case(generator, metric, deltas, seeds):
    """(box, delta) -> wrong answers and the largest share of operations."""
    tally = {(box, delta): [0, 0.0] for box in BOXES for delta in deltas}
    for seed in range(1, seeds + 1):
        x, q, k = hard_cases.make(generator, seed)
        truth, allowed = true_distances(x, q, metric), rounding(x, q, metric)
        want, dataset = np.sort(truth)[:k], searches.Dataset(x)
        for box in BOXES:
            params = dict(metric=metric, box=box, seed=seed)
            data = dataset.prepare(**params)
            for delta in deltas:
                index, _, stats = searches.knn(data, k, q[None], delta=delta, method="bandit", **params)
                entry = tally[box, delta]
                entry[0] += (np.abs(np.sort(truth[index[0]]) - want) > allowed).any()
                entry[1] = max(entry[1], stats.coord_ops / stats.coord_ops_brute)
    return tally


def lines(chosen, deltas, seeds):
    for generator in chosen:
        for metric in ("cosine", "inner_product"):
            for (box, delta), (wrong, share) in run_case(generator, metric, deltas, seeds).items():
                allowed = hard_cases.most_errors(seeds, delta)
                yield wrong <= allowed and share <= hard_cases.most_share(box), (
                    f"{generator.__name__} {metric} {box} delta={delta}: {wrong} wrong of {seeds} "
                    f"(allowed {allowed}), at most {share:.3f} of a scan")


def main():
    args = hard_cases.arguments(__doc__)
    chosen = hard_cases.generators(args.cases)
    hard_cases.report(lines(chosen, args.delta, args.seeds), 2 * len(BOXES) * len(chosen) * len(args.delta), args.tap)


if __name__ == "__main__":
    main()
