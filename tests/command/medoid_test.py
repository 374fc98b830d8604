"""bmo medoid against sums of whole numbers."""
import json
import os

from arrays import DISTANCES, whole_numbers, write_npy
from command import bmo, refusal
from tap import case, equal, main

N, D = 90, 30
POINTS = whole_numbers(N, D, 9, seed=11)


def medoid(metric):
    sums = [sum(DISTANCES[metric]([a - b for a, b in zip(point, other)]) for other in POINTS) for point in POINTS]
    return sums.index(min(sums)), min(sums) / (N - 1)


@case
def the_point_and_its_mean_distance(directory):
    data, report = write_npy(os.path.join(directory, "points.npy"), POINTS, "|u1"), os.path.join(directory, "r.json")
    for metric in ("l1", "sqeuclidean", "l2"):
        index, mean = medoid(metric)
        for words in ((), ("--method", "exact"), ("--threads", 2, "--seed", 5, "--delta", "1e-6")):
            shown = bmo("medoid", data, "--metric", metric, "--json", report, *words).out
            assert shown.startswith(f"point {index} of 90: mean distance "), shown
            with open(report, encoding="utf-8") as file:
                facts = json.load(file)
            equal((facts["index"], facts["method"]), (index, "exact" if "exact" in words else "bandit"))
            assert abs(facts["mean_distance"] - mean) <= 1e-12 * mean, facts


@case
def refused(directory):
    data, none = write_npy(os.path.join(directory, "points.npy"), POINTS), write_npy(os.path.join(directory, "none.npy"), [], cols=3)
    assert "no points" in refusal("medoid", none, code=2)
    assert "every distance was computed" in bmo("medoid", data, "--metric", "inner_product").out
    assert "method" in refusal("medoid", data, "--metric", "inner_product", "--method", "bandit", code=2)
    assert "unknown option" in refusal("medoid", data, "-k", 3, code=2)
    assert "would replace" in refusal("medoid", data, "--json", data, code=2)


main()
