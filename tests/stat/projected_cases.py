#!/usr/bin/env python3
"""The projected box: errors on data made to deceive it.

usage: projected_cases.py [--seeds N] [--delta D ...] [--cases FILE] [--tap]

The cases of hard_cases.py and its rule on the number of wrong answers, under sqeuclidean, with new directions, a new order and a
new preparation for each seed. Needs numpy; the library as tests/stat/searches.py says.
"""

import hard_cases
import searches


def projected_answer(dataset, q, k, metric, delta, seed):
    params = dict(box="projected", seed=seed, metric=metric)
    data = dataset.prepare(**params)
    index, _, stats = searches.knn(data, k, q[None], delta=delta, method="bandit", **params)
    return index[0], stats.coord_ops / stats.coord_ops_brute


def main():
    args = hard_cases.arguments(__doc__)
    chosen = hard_cases.generators(args.cases)
    lines = hard_cases.case_lines(chosen, ["sqeuclidean"], args.delta, args.seeds, projected_answer)
    hard_cases.report(lines, len(chosen) * len(args.delta), args.tap)


if __name__ == "__main__":
    main()
