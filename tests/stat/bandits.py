#!/usr/bin/env python3
"""Gain and errors of every bandit with every confidence rule, on images, single cells and data made to deceive.

usage: bandits.py RESULTS [--images POINTS.npy QUERIES.npy [--truth FILE.npz]] [--cells DIR] [--hard [CASES.py]]
                  [--queries 1000] [--seeds 300] [--seconds 60] [--only WORD]
       bandits.py RESULTS --table

The first form measures: RESULTS, a directory, gets one JSON file for each data set, metric, bandit, rule and delta. It may
be stopped at any time; run again, it goes on where it was. Each is asked 1,000 queries (of single cells the 200 rows that
DIR/ref_knn.npz has, of DIR/X.mtx.gz, as dense points), or 300 seeds of each case, in parts of 10 queries or seeds with a
random order of their own, unless --seconds of processor time are used up before: the table says how many were asked.
--only: files whose name has WORD.

The second form prints the table of what RESULTS has. An answer is right when its k = 5 distances are the true ones, which
are computed with numpy, or come from ref_knn.npz. Errors come with their 95% confidence interval (Clopper and
Pearson); of the cases made to deceive the one with most errors counts. `sigma` is given the root mean square of the
standard deviations of the samples of 200 pairs of query and point (of the cases: of all pairs), which is no sub-Gaussian
parameter: it is what a user would try. Needs numpy, scipy for the table; the library as tests/stat/libbmo.py says.
"""
import argparse
import gzip
import itertools
import json
import pathlib
import sys
import time

import numpy as np

import hard_cases
import libbmo
from intervals import interval

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "bench"))
import images as image_bench  # noqa: E402

K = 5
DELTAS = (0.2, 0.05, 0.01)
PROMISES = {"betting": "proven", "bernstein": "proven", "sigma": "conditional", "empirical": "heuristic", "pooled": "heuristic"}
METRICS = ("l2", "l1")
QUERIES_A_PART, SEEDS_A_PART = 10, 10
# The paper's rules are drawn for UCB as the paper draws, with replacement.
COMBINATIONS = [("race", "betting", "permute")] + [
    (bandit, rule, "replace" if bandit == "ucb" and rule in ("empirical", "pooled", "sigma") else "permute")
    for bandit in ("ucb", "lucb", "lucb++") for rule in ("betting", "bernstein", "sigma", "empirical", "pooled")]


class Cell:
    """What was measured of one data set (or case), metric, combination and delta, part by part."""

    def __init__(self, directory, data, metric, combination, delta):
        self.metric, self.combination, self.delta = metric, combination, delta
        self.path = directory / ("-".join([data, metric, *combination, str(delta)]) + ".json")
        self.parts = json.loads(self.path.read_text()) if self.path.exists() else {}

    def seconds(self):
        return sum(part["seconds"] for part in self.parts.values())

    def params(self, sigma, seed):
        bandit, rule, sampling = self.combination
        given = {"sigma": sigma} if rule == "sigma" else {}
        return dict(method="bandit", box="dense", metric=self.metric, bandit=bandit, confidence=rule, sampling=sampling,
                    delta=self.delta, seed=seed, **given)

    def measure(self, part, asks):
        """asks: (dataset, what to ask of it, true distances, sigma, seed) each."""
        total = dict(asked=0, wrong=0, ops=0, brute=0, seconds=0.0)
        for dataset, what, truth, sigma, seed in asks:
            start = time.process_time()
            _, distance, stats = libbmo.knn(dataset, K, **what, **self.params(sigma, seed))
            total["seconds"] += time.process_time() - start
            total["asked"] += len(distance)
            total["wrong"] += int((~np.isclose(distance, truth, rtol=1e-12, atol=0).all(1)).sum())
            total["ops"] += stats.coord_ops
            total["brute"] += stats.coord_ops_brute
            if stats.promise not in (PROMISES[self.combination[1]], "exact"):
                raise SystemExit(f"{self.path.name}: the answer is {stats.promise}")
        self.parts[str(part)] = total
        kept = self.path.with_suffix(".new")
        kept.write_text(json.dumps(self.parts))
        kept.replace(self.path)


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
        self.data = libbmo.Dataset(self.points)
        self.truth = {metric: image_bench.truth(args.truth, metric, self.points, self.queries, K) for metric in METRICS}
        self.sigma = {metric: sigma_of_pairs(self.queries, self.points, metric) for metric in METRICS}
        self.names, self.parts = ["images"], -(-len(self.queries) // QUERIES_A_PART)

    def part(self, number):
        rows = slice(number * QUERIES_A_PART, (number + 1) * QUERIES_A_PART)
        prepared = self.data.prepare(libbmo.Config(box="dense", seed=number + 1))
        return {("images", metric): [(prepared, {"queries": self.queries[rows]}, self.truth[metric][rows],
                                      self.sigma[metric], number + 1)] for metric in METRICS}


class Cells:
    def __init__(self, args):
        reference = np.load(args.cells / "ref_knn.npz")
        self.rows = reference["query"][:args.queries].astype(np.int64)
        self.truth = {"l1": reference["l1_dist"][:, :K], "l2": np.sqrt(reference["l2sq_dist"][:, :K])}
        with gzip.open(args.cells / "X.mtx.gz", "rt") as file:
            n, d, _ = (int(word) for word in next(line for line in file if not line.startswith("%")).split())
            entries = np.fromstring(file.read(), dtype=np.int64, sep=" ").reshape(-1, 3)
        self.points = np.zeros((n, d), np.float32)
        self.points[entries[:, 0] - 1, entries[:, 1] - 1] = entries[:, 2]
        self.data = libbmo.Dataset(self.points)
        self.sigma = {metric: sigma_of_pairs(self.points, self.points, metric) for metric in METRICS}
        self.names, self.parts = ["cells"], -(-len(self.rows) // QUERIES_A_PART)

    def part(self, number):
        rows = slice(number * QUERIES_A_PART, (number + 1) * QUERIES_A_PART)
        prepared = self.data.prepare(libbmo.Config(box="dense", seed=number + 1))
        return {("cells", metric): [(prepared, {"rows": self.rows[rows]}, self.truth[metric][rows], self.sigma[metric],
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
                prepared = libbmo.Dataset(points).prepare(libbmo.Config(box="dense", seed=seed))
                for metric in METRICS:
                    sigma = float(np.sqrt(samples(query, points, metric).var(1).mean()))
                    asks.setdefault((generator.__name__, metric), []).append(
                        (prepared, {"queries": query[None]}, nearest(query, points, metric), sigma, seed))
        return asks


def measure(source, args):
    """Part by part, so that all cells are as far when it is stopped; the smallest delta first."""
    cells = [Cell(args.results, data, metric, combination, delta) for delta, data, metric, combination in
             itertools.product(sorted(DELTAS), source.names, METRICS, COMBINATIONS)]
    cells = [cell for cell in cells if args.only in cell.path.name]
    for number in range(source.parts):
        open_cells = [cell for cell in cells if str(number) not in cell.parts and cell.seconds() < args.seconds]
        if not open_cells:
            continue
        asks = source.part(number)
        for cell in open_cells:
            name = cell.path.name.split("-")[0]
            cell.measure(number, asks[name, cell.metric])
        print(f"{source.names[0]}: part {number + 1} of {source.parts}, {len(open_cells)} cells, "
              f"{sum(cell.seconds() for cell in cells):.0f} s of processor time in all", flush=True)


def gather(directory):
    """(images | cells | made to deceive, metric, combination) -> delta -> totals of each data set or case."""
    table = {}
    for path in sorted(directory.glob("*.json")):
        data, metric, bandit, rule, sampling, delta = path.stem.split("-", 5)
        parts = json.loads(path.read_text()).values()
        totals = {key: sum(part[key] for part in parts) for key in ("asked", "wrong", "ops", "brute")}
        group = data if data in ("images", "cells") else "made to deceive"
        table.setdefault((group, metric, (bandit, rule, sampling)), {}).setdefault(float(delta), []).append(totals)
    return table


def describe(totals, delta):
    worst = max(totals, key=lambda of: of["wrong"] / of["asked"])
    low, high = interval(worst["wrong"], worst["asked"])
    gain = sum(of["brute"] for of in totals) / sum(of["ops"] for of in totals)
    above = " **above delta**" if low > delta else ""
    return f"{gain:.1f} | {worst['wrong']} of {worst['asked']} ({100 * low:.1f} to {100 * high:.1f}%){above}"


def print_table(directory):
    table = gather(directory)
    heads = " | ".join(f"gain, delta = {delta} | wrong" for delta in DELTAS)
    print(f"| data | metric | bandit | confidence | sampling | guarantee | {heads} |")
    print("| --- " * (6 + 2 * len(DELTAS)) + "|")
    for group, metric in itertools.product(("images", "cells", "made to deceive"), METRICS):
        for combination in COMBINATIONS:
            row = table.get((group, metric, combination), {})
            if not row:
                continue
            figures = " | ".join(describe(row[delta], delta) if delta in row else " | " for delta in DELTAS)
            print(f"| {group} | {metric} | {' | '.join(combination)} | {PROMISES[combination[1]]} | {figures} |")


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
