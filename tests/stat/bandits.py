#!/usr/bin/env python3
"""Gain and errors of every bandit with every confidence rule, on images, single cells and data made to deceive.

usage: bandits.py RESULTS [--images POINTS.npy QUERIES.npy [--truth FILE.npz]] [--cells DIR] [--hard [CASES.py]]
                  [--queries 1000] [--seeds 300] [--seconds 60] [--only WORD]
       bandits.py RESULTS --table

The first form measures: RESULTS, a directory, gets a CSV file for each data set and metric, with a line for each bandit,
rule and delta. It may be stopped at any time; run again, it goes on where it was. Each is asked 1,000 queries (of single
cells rows of DIR/X.mtx.gz, as dense points: those that DIR/ref_knn.npz has, then others at random), or 300 seeds of each
case, in parts of 10 queries or seeds with a random order of their own, unless --seconds of processor time are used up before:
the table says how many were asked. --only: files whose name has WORD; two processes may share the work so, but not a file.

The second form prints the table of what RESULTS has. An answer is right when its k = 5 distances are the true ones, which
are computed with numpy, or come from ref_knn.npz. Errors come with their 95% confidence interval (Clopper and
Pearson); of the cases made to deceive the one with most errors counts. `sigma` is given the root mean square of the
standard deviations of the samples of 200 pairs of query and point (of the cases: of all pairs), which is no sub-Gaussian
parameter: it is what a user would try. Needs numpy, scipy for the table; the library as tests/stat/searches.py says.
"""
import argparse
import csv
import gzip
import itertools
import pathlib
import sys
import time

import numpy as np

import hard_cases
import searches
from intervals import interval

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "bench"))
import images as image_bench  # noqa: E402

K = 5
DELTAS = (0.2, 0.05, 0.01)
PROMISES = {"betting": "proven", "bernstein": "proven", "subgaussian": "conditional", "empirical": "heuristic", "pooled": "heuristic"}
METRICS = ("l2", "l1")
QUERIES_A_PART, SEEDS_A_PART = 10, 10
# The paper's rules are drawn for UCB as the paper draws, with replacement. With betting, which has no upper bounds,
# lucb++ is lucb.
COMBINATIONS = [("race", "betting", "without_replacement")] + [
    (bandit, rule, "with_replacement" if bandit == "ucb" and rule in ("empirical", "pooled", "subgaussian") else "without_replacement")
    for bandit in ("ucb", "lucb", "lucb++") for rule in ("betting", "bernstein", "subgaussian", "empirical", "pooled")
    if (bandit, rule) != ("lucb++", "betting")]


# Of bandit, rule and delta: parts asked, what came of them, and processor time.
TOTALS = {"parts": int, "asked": int, "wrong": int, "ops": int, "scan_ops": int, "seconds": float}


class Measured:
    """What was measured of one data set (or case) and metric: (bandit, rule, sampling, delta) -> totals."""

    def __init__(self, path):
        self.path, self.metric, self.totals = path, path.stem.split("-")[1], {}
        if path.exists():
            with path.open(newline="") as file:
                for row in csv.DictReader(file):
                    key = row["bandit"], row["confidence"], row["sampling"], float(row["delta"])
                    self.totals[key] = {name: kind(row[name]) for name, kind in TOTALS.items()}

    def of(self, key):
        return self.totals.get(key, {name: kind() for name, kind in TOTALS.items()})

    def keep(self, key, totals):
        self.totals[key] = totals
        kept = self.path.with_suffix(".new")
        with kept.open("w", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(["bandit", "confidence", "sampling", "delta", *TOTALS])
            for key, totals in sorted(self.totals.items()):
                rows.writerow([*key, *(round(totals[name], 3) for name in TOTALS)])
        kept.replace(self.path)

    def measure(self, key, asks):
        """asks: (dataset, what to ask of it, true distances, sigma, seed) each, of the next part."""
        bandit, rule, sampling, delta = key
        totals = dict(self.of(key))
        for dataset, what, truth, sigma, seed in asks:
            given = {"sigma": sigma} if rule == "subgaussian" else {}
            start = time.process_time()
            _, distance, stats = searches.knn(dataset, K, method="bandit", box="dense", metric=self.metric, bandit=bandit,
                                            confidence=rule, sampling=sampling, delta=delta, seed=seed, **given, **what)
            totals["seconds"] += time.process_time() - start
            totals["asked"] += len(distance)
            totals["wrong"] += int((~np.isclose(distance, truth, rtol=1e-12, atol=0).all(1)).sum())
            totals["ops"] += stats.coord_ops
            totals["scan_ops"] += stats.coord_ops_brute
            if str(stats.guarantee) not in (PROMISES[rule], "exact"):
                raise SystemExit(f"{self.path.name}: the answer of {key} is {stats.guarantee}")
        totals["parts"] += 1
        self.keep(key, totals)


def samples(query, points, metric):
    apart = points.astype(np.float64) - query.astype(np.float64)
    return np.abs(apart) if metric == "l1" else apart * apart


def sigma_of_pairs(queries, points, metric, pairs=200):
    random = np.random.default_rng(1)
    variances = [samples(queries[random.integers(len(queries))], points[random.integers(len(points))], metric).var()
                 for _ in range(pairs)]
    return float(np.sqrt(np.mean(variances)))


def nearest(query, points, metric):
    least = np.sort(np.partition(samples(query, points, metric).sum(1), K - 1)[:K])
    return least if metric == "l1" else np.sqrt(least)


class Images:
    def __init__(self, args):
        self.points, self.queries = np.load(args.images[0]), np.load(args.images[1])[:args.queries]
        self.data = searches.Dataset(self.points)
        self.truth = {metric: image_bench.truth(args.truth, metric, self.points, self.queries, K) for metric in METRICS}
        self.sigma = {metric: sigma_of_pairs(self.queries, self.points, metric) for metric in METRICS}
        self.names, self.parts = ["images"], -(-len(self.queries) // QUERIES_A_PART)

    def part(self, number):
        rows = slice(number * QUERIES_A_PART, (number + 1) * QUERIES_A_PART)
        prepared = self.data.prepare(box="dense", seed=number + 1)
        return {f"images-{metric}": [(prepared, {"queries": self.queries[rows]}, self.truth[metric][rows],
                                      self.sigma[metric], number + 1)] for metric in METRICS}


class Cells:
    def __init__(self, args):
        with gzip.open(args.cells / "X.mtx.gz", "rt") as file:
            n, d, _ = (int(word) for word in next(line for line in file if not line.startswith("%")).split())
            entries = np.fromstring(file.read(), dtype=np.int64, sep=" ").reshape(-1, 3)
        self.points = np.zeros((n, d), np.float32)
        self.points[entries[:, 0] - 1, entries[:, 1] - 1] = entries[:, 2]
        reference = np.load(args.cells / "ref_knn.npz")
        known = reference["query"].astype(np.int64)
        others = np.random.default_rng(1).permutation(np.setdiff1d(np.arange(n), known))
        self.rows = np.concatenate([known, others])[:args.queries]
        self.reference = {"l1": reference["l1_dist"][:, :K], "l2": np.sqrt(reference["l2sq_dist"][:, :K])}
        self.data = searches.Dataset(self.points)
        self.sigma = {metric: sigma_of_pairs(self.points, self.points, metric) for metric in METRICS}
        self.names, self.parts = ["cells"], -(-len(self.rows) // QUERIES_A_PART)

    def truth(self, metric, rows):
        known = self.reference[metric][rows]
        others = self.rows[rows][len(known):]
        found = [nearest(self.points[row], np.delete(self.points, row, 0), metric) for row in others]
        return np.concatenate([known, np.reshape(found, (-1, K))])

    def part(self, number):
        rows = slice(number * QUERIES_A_PART, (number + 1) * QUERIES_A_PART)
        prepared = self.data.prepare(box="dense", seed=number + 1)
        return {f"cells-{metric}": [(prepared, {"rows": self.rows[rows]}, self.truth(metric, rows), self.sigma[metric],
                                     number + 1)] for metric in METRICS}


class Hard:
    """Each seed is another data set, with another random order."""

    def __init__(self, args):
        self.generators = hard_cases.generators(args.hard)
        self.seeds = args.seeds
        self.names, self.parts = [made.__name__ for made in self.generators], -(-args.seeds // SEEDS_A_PART)

    def part(self, number):
        asks = {}
        for generator in self.generators:
            for seed in range(number * SEEDS_A_PART + 1, min((number + 1) * SEEDS_A_PART, self.seeds) + 1):
                points, query, _ = hard_cases.make(generator, seed)
                prepared = searches.Dataset(points).prepare(box="dense", seed=seed)
                for metric in METRICS:
                    sigma = float(np.sqrt(samples(query, points, metric).var(1).mean()))
                    asks.setdefault(f"{generator.__name__}-{metric}", []).append(
                        (prepared, {"queries": query[None]}, nearest(query, points, metric), sigma, seed))
        return asks


def measure(source, args):
    """Part by part, so that all are as far when it is stopped; the smallest delta first."""
    names = [f"{data}-{metric}" for data, metric in itertools.product(source.names, METRICS)]
    files = {name: Measured(args.results / f"{name}.csv") for name in names if args.only in name}
    keys = [(*combination, delta) for delta in sorted(DELTAS) for combination in COMBINATIONS]
    for number in range(source.parts):
        left = [(name, key) for key in keys for name, file in files.items()
                if file.of(key)["parts"] == number and file.of(key)["seconds"] < args.seconds]
        if not left:
            continue
        asks = source.part(number)
        for name, key in left:
            files[name].measure(key, asks[name])
        seconds = sum(totals["seconds"] for file in files.values() for totals in file.totals.values())
        print(f"{source.names[0]}: part {number + 1} of {source.parts}, {len(left)} of {len(files) * len(keys)} figures, "
              f"{seconds:.0f} s of processor time in all", flush=True)


def gather(directory):
    """(images | cells | made to deceive, metric, bandit, rule, sampling, delta) -> totals of each data set or case."""
    table = {}
    for path in sorted(directory.glob("*-*.csv")):
        data, metric = path.stem.split("-")
        group = data if data in ("images", "cells") else "made to deceive"
        for key, totals in Measured(path).totals.items():
            table.setdefault((group, metric, *key), []).append(totals)
    return table


def describe(totals, delta):
    worst = max(totals, key=lambda of: of["wrong"] / of["asked"])
    low, high = interval(worst["wrong"], worst["asked"])
    gain = sum(of["scan_ops"] for of in totals) / sum(of["ops"] for of in totals)
    above = " **above delta**" if low > delta else ""
    return f"{gain:.1f} | {worst['wrong']} of {worst['asked']} ({100 * low:.1f} to {100 * high:.1f}%){above}"


def print_table(directory):
    table = gather(directory)
    heads = " | ".join(f"gain, delta = {delta} | wrong" for delta in DELTAS)
    print(f"| data | metric | bandit | confidence | sampling | guarantee | {heads} |")
    print("| --- " * (6 + 2 * len(DELTAS)) + "|")
    for row in itertools.product(("images", "cells", "made to deceive"), METRICS, COMBINATIONS):
        group, metric, combination = row
        found = {delta: table.get((group, metric, *combination, delta)) for delta in DELTAS}
        if any(found.values()):
            figures = " | ".join(describe(found[delta], delta) if found[delta] else " | " for delta in DELTAS)
            bandit, rule, sampling = combination
            bandits = "lucb, lucb++" if (bandit, rule) == ("lucb", "betting") else bandit
            print(f"| {group} | {metric} | {bandits} | {rule} | {sampling} | {PROMISES[rule]} | {figures} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--images", type=pathlib.Path, nargs=2)
    parser.add_argument("--truth", type=pathlib.Path)
    parser.add_argument("--cells", type=pathlib.Path)
    parser.add_argument("--hard", type=pathlib.Path, nargs="?", const=HERE / "cases.py")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", default="")
    parser.add_argument("--table", action="store_true")
    args = parser.parse_args()
    if args.table:
        return print_table(args.results)
    args.results.mkdir(parents=True, exist_ok=True)
    for asked, source in ((args.images, Images), (args.cells, Cells), (args.hard, Hard)):
        if asked:
            measure(source(args), args)


if __name__ == "__main__":
    main()
