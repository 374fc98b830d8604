#!/usr/bin/env python3
"""hard_cases.py cut into shards, which are searched one after the other as libbmo.dask and mpi_knn search them.

usage: shard_cases.py [--shards N] [--seeds N] [--delta D ...] [--metric M ...] [--cases FILE] [--tap]

The shards are cut at random places of a random order, so that some have fewer than k points. The second half of them starts with
the k-th distance of the first. Wrong answers are counted and judged as in hard_cases.py. Needs
numpy; the library as tests/stat/searches.py says.
"""
import numpy as np

import hard_cases
import searches  # noqa: F401: finds libbmo
from libbmo import _shards


def cut(n, k, count, seed):
    """The order of the points, and the pieces of it. The first piece has fewer than k."""
    r = np.random.default_rng(seed)
    places = np.sort(r.choice(np.arange(2 * k, n - 1), count - 2, replace=False))
    return r.permutation(n), [0, 1 + seed % (k - 1), *places.tolist(), n]


def sharded_answer(shards):
    def answer(dataset, q, k, metric, delta, seed):
        x = dataset.array
        order, ends = cut(len(x), k, shards, seed)
        params = dict(metric=metric, delta=delta, seed=seed, method="bandit")
        made = [_shards.hold(x[order[first:last]], _shards.Label(number, "", first, last - first))
                for number, (first, last) in enumerate(zip(ends, ends[1:]))]
        half = 1 + seed % (shards - 1)
        r = np.random.default_rng(seed)
        mixed = [made[at] for at in r.permutation(shards)]
        first = _shards.merge([_shards.search(shard, q[None], k, None, params) for shard in mixed[:half]], k)
        others = [_shards.search_behind(shard, q[None], k, first, 2.0**-46, None, params) for shard in mixed[half:]]
        found = _shards.merge([first, *others], k)
        return order[found.index[0]], found.stats.coord_ops / found.stats.coord_ops_brute
    return answer


def main():
    def more(parser):
        parser.add_argument("--metric", nargs="+", default=["sqeuclidean", "l1"])
        parser.add_argument("--shards", type=int, default=4)

    args = hard_cases.arguments(__doc__, more)
    chosen = hard_cases.generators(args.cases)
    lines = hard_cases.case_lines(chosen, args.metric, args.delta, args.seeds, sharded_answer(args.shards))
    hard_cases.report(lines, len(chosen) * len(args.metric) * len(args.delta), args.tap)


if __name__ == "__main__":
    main()
