#!/usr/bin/env python3
"""Errors and operations of k-NN on data made to deceive it, seed by seed, against the exact answer of numpy.

usage: hard_cases.py [--seeds N] [--delta D ...] [--metric M ...] [--cases FILE] [--rule libbmo|importance|within|radius|labels|unsound] [--tap]

An answer is right when its sorted distances are the true ones (ties may be broken in any way). With a sound rule the
number of wrong answers of a case is at most binomial(N, delta); a case fails when it has more than the quantile that such
a count exceeds with probability 1e-5, or when it took more than 1.1 times the operations of the exact scan.
--rule importance draws coordinates in proportion to their spread. --rule within asks for the k nearest within the true k-th
distance. --rule radius asks for all within it: an answer is right when it has one of the true points, another for each seed.
--rule labels divides the points by labels, which are searched one after the other.
--rule unsound runs the paper's practical rule instead
(empirical variance of 32 samples, no union, nothing checked exactly), to show that these cases find it out. --cases FILE: a
Python file with ALL, generators of (X, q, k, ...).
Needs numpy; the library as tests/stat/searches.py says.
"""
import argparse
import importlib.util
import inspect
import math
import pathlib
import sys

import numpy as np

import searches

FALSE_ALARM = 1e-5  # of one case, metric and delta


def most_share(box):
    """The most operations that a race may take, of those of a scan: bmo_dataset_prepare()."""
    return 1.4 if box == "sketch" else 1.1


def most_errors(runs, delta):
    """The least count that binomial(runs, delta) exceeds with probability at most FALSE_ALARM."""
    tail, count = 1.0, -1
    while tail > FALSE_ALARM:
        count += 1
        tail -= math.comb(runs, count) * delta**count * (1 - delta) ** (runs - count)
    return count


def generators(path):
    spec = importlib.util.spec_from_file_location("cases", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.ALL


def make(generator, seed):
    seeded = "seed" in inspect.signature(generator).parameters
    made = generator(seed=seed) if seeded else generator()
    return made[0], made[1], made[2]


def true_distances(x, q, metric):
    difference = x.astype(np.float64) - q.astype(np.float64)
    return np.abs(difference).sum(1) if metric == "l1" else (difference * difference).sum(1)


def libbmo_answer(dataset, q, k, metric, delta, seed):
    """Rows found in prepared data, and operations as a share of the exact scan. Every tenth seed asks the data as they are, too."""
    params = dict(metric=metric, delta=delta, seed=seed, method="bandit")
    if not hasattr(dataset, "prepared"):
        dataset.prepared = dataset.prepare(box="dense", seed=seed)
    index, _, stats = searches.knn(dataset.prepared, k, q[None], **params)
    if seed % 10 == 0:
        as_they_are = searches.knn(dataset, k, q[None], **params)
        if (index != as_they_are[0]).any() or stats.coord_ops != as_they_are[2].coord_ops:
            raise SystemExit(f"prepared data answer {index}, the same data as they are {as_they_are[0]}")
    return index[0], stats.coord_ops / stats.coord_ops_brute


def importance_answer(dataset, q, k, metric, delta, seed):
    index, _, stats = searches.knn(dataset, k, q[None], metric=metric, delta=delta, seed=seed, method="bandit",
                                 sampling="importance")
    return index[0], stats.coord_ops / stats.coord_ops_brute


def within_answer(dataset, q, k, metric, delta, seed):
    distance = np.sort(true_distances(dataset.array, q, metric))[k - 1]
    index, stats = searches.within(dataset, distance, q, k, metric=metric, delta=delta, seed=seed, method="bandit")
    return index, stats.coord_ops / stats.coord_ops_brute


def radius_answer(dataset, q, k, metric, delta, seed):
    truth = true_distances(dataset.array, q, metric)
    distance = np.sort(truth)[k - 1]
    index, stats = searches.within(dataset, distance, q, metric=metric, delta=delta, seed=seed, method="bandit")
    if len(index) > 0 and truth[index].max() > distance:
        raise SystemExit(f"a point at {truth[index].max()} is said to be within {distance}")
    true_points = np.flatnonzero(truth <= distance)
    has_it = true_points[seed % len(true_points)] in index
    return np.argsort(truth, kind="stable")[:k] if has_it else [], stats.coord_ops / stats.coord_ops_brute


def labels_answer(dataset, q, k, metric, delta, seed):
    """Points of four labels, and a few of others, are searched part by part for a query whose label no point has."""
    r = np.random.default_rng(seed)
    labels = r.choice(4, len(dataset.array), p=[0.4, 0.3, 0.2, 0.1])
    labels[r.choice(len(labels), len(labels) // 20, replace=False)] = 5 + seed % 7
    index, stats = searches.among_others(dataset, q, k, labels, -1, metric=metric, delta=delta, seed=seed, method="bandit")
    return index, stats.coord_ops / stats.coord_ops_brute


def unsound_answer(dataset, q, k, metric, delta, seed):
    """Successive elimination by bounds mean +- sqrt(2 v ln(1 / delta) / t), v the variance of the first 32 samples."""
    x = dataset.array
    r, (n, d) = np.random.default_rng(seed), x.shape
    order = r.permutation(d)
    alive, read, total = np.arange(n), 0, np.zeros(n)
    while read < d and len(alive) > k:
        batch = order[read:read + 32]
        z = np.abs(x[np.ix_(alive, batch)].astype(np.float64) - q[batch])
        z = z if metric == "l1" else z * z
        if read == 0:
            variance = z.var(1, ddof=1)
        read += len(batch)
        total = total + z.sum(1)
        width = np.sqrt(2 * variance * math.log(1 / delta) / read)
        keep = total / read - width <= np.partition(total / read + width, k - 1)[k - 1]
        alive, total, variance = alive[keep], total[keep], variance[keep]
    return alive[np.argsort(total, kind="stable")[:k]], read / d


RULES = {"libbmo": libbmo_answer, "importance": importance_answer, "within": within_answer, "radius": radius_answer,
         "labels": labels_answer,
         "unsound": unsound_answer}


def run_case(generator, metrics, deltas, seeds, answer):
    """(metric, delta) -> wrong answers and the largest share of operations. answer: as libbmo_answer."""
    tally = {(metric, delta): [0, 0.0] for metric in metrics for delta in deltas}
    for seed in range(1, seeds + 1):
        x, q, k = make(generator, seed)
        dataset = searches.Dataset(x)
        dataset.array = x
        for metric in metrics:
            truth = true_distances(x, q, metric)
            want = np.sort(truth)[:k]
            for delta in deltas:
                found, share = answer(dataset, q, k, metric, delta, seed)
                entry = tally[metric, delta]
                entry[0] += not np.array_equal(np.sort(truth[list(found)]), want)
                entry[1] = max(entry[1], share)
    return tally


def case_lines(chosen, metrics, deltas, seeds, answer, most=1.1):
    """Whether each case, metric and delta is good, and the figures as a line."""
    for generator in chosen:
        for (metric, delta), (wrong, share) in run_case(generator, metrics, deltas, seeds, answer).items():
            allowed = most_errors(seeds, delta)
            yield wrong <= allowed and share <= most, (f"{generator.__name__} {metric} delta={delta}: {wrong} wrong of {seeds} "
                                                      f"(allowed {allowed}), at most {share:.3f} of a scan")


def report(lines, count, tap):
    """Prints (good, line) pairs, so many, and exits: with 1 where one is not good."""
    if tap:
        print(f"1..{count}")
    failed = 0
    for number, (good, line) in enumerate(lines, 1):
        failed += not good
        mark = "ok" if good else "not ok"
        print(f"{mark} {number} - {line}" if tap else f"{mark:6} {line}", flush=True)
    sys.exit(1 if failed else 0)


def arguments(description, more=lambda parser: None):
    """The arguments that all programs of such cases take, and what `more` adds to the parser."""
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--delta", type=float, nargs="+", default=[0.01, 0.2])
    parser.add_argument("--cases", default=here / "cases.py")
    parser.add_argument("--tap", action="store_true", help="report as TAP, one test a line")
    more(parser)
    return parser.parse_args()


def main():
    def more(parser):
        parser.add_argument("--metric", nargs="+", default=["sqeuclidean", "l1"])
        parser.add_argument("--rule", choices=RULES, default="libbmo")

    args = arguments(__doc__, more)

    chosen = generators(args.cases)
    lines = case_lines(chosen, args.metric, args.delta, args.seeds, RULES[args.rule])
    report(lines, len(chosen) * len(args.metric) * len(args.delta), args.tap)


if __name__ == "__main__":
    main()
