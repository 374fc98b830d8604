#!/usr/bin/env python3
"""The boxes of leading directions, projected and sketch: errors on data made to deceive them.

usage: prepared_cases.py [--box NAME ...] [--seeds N] [--delta D ...] [--cases FILE] [--tap]

The cases of hard_cases.py and its rule on the number of wrong answers, under sqeuclidean, with new directions, a new order and a
new preparation for each seed. Needs numpy; the library as tests/stat/searches.py says.
"""

import hard_cases
import searches

BOXES = ("projected", "sketch")


def answer_by(box):
    def answer(dataset, q, k, metric, delta, seed):
        params = dict(box=box, seed=seed, metric=metric)
        if not hasattr(dataset, "prepared"):
            dataset.prepared = dataset.prepare(**params)
        index, _, stats = searches.knn(dataset.prepared, k, q[None], delta=delta, method="bandit", **params)
        return index[0], stats.coord_ops / stats.coord_ops_brute

    return answer


def lines(args, chosen):
    for box in args.box:
        most = hard_cases.most_share(box)
        for good, line in hard_cases.case_lines(chosen, ["sqeuclidean"], args.delta, args.seeds, answer_by(box), most):
            yield good, f"{box}: {line}"


def main():
    args = hard_cases.arguments(__doc__, lambda parser: parser.add_argument("--box", nargs="+", choices=BOXES, default=BOXES))
    chosen = hard_cases.generators(args.cases)
    hard_cases.report(lines(args, chosen), len(args.box) * len(chosen) * len(args.delta), args.tap)


if __name__ == "__main__":
    main()
