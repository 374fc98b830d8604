"""bmo kmeans against Lloyd's conditions on whole numbers."""
import json
import math
import os

from arrays import read_npz, whole_numbers, write_npy
from command import bmo, refusal
from tap import case, equal, main

N, D, K = 90, 60, 4
POINTS = whole_numbers(N, D, 9, seed=5)


def write_points(directory):
    return write_npy(os.path.join(directory, "points.npy"), POINTS, "|u1")


def square(point, center):
    return sum((a - b) ** 2 for a, b in zip(point, center))


def clusters(path):
    arrays = read_npz(path)
    equal(sorted(arrays), ["center.npy", "label.npy"])
    (center_type, centers), (label_type, labels) = arrays["center.npy"], arrays["label.npy"]
    equal((center_type, label_type), ("<f8", "<i4"))
    return centers, list(labels)


@case
def labels_and_centers_fit(directory):
    data, out = write_points(directory), os.path.join(directory, "c.npz")
    for words in ((), ("--init", "random", "--starts", "3"), ("--method", "exact", "--threads", "2", "--seed", "4")):
        equal(bmo("kmeans", data, "-k", K, "--out", out, *words).out, "")
        centers, labels = clusters(out)
        equal((len(centers), len(labels)), (K, N))
        for point, label in zip(POINTS, labels):
            squares = [square(point, center) for center in centers]
            equal(label, squares.index(min(squares)), words)
        for c, center in enumerate(centers):
            members = [point for point, label in zip(POINTS, labels) if label == c]
            equal(list(center), [sum(column) / len(members) for column in zip(*members)], words)


@case
def what_is_shown(directory):
    data, report = write_points(directory), os.path.join(directory, "r.json")
    shown = bmo("kmeans", data, "-k", 12, "--max-iter", 1, "--json", report).out.splitlines()
    equal(shown[0].split(), ["cluster", "points"])
    equal(len(shown), 13)
    assert "... of 12 clusters" in shown[11], shown
    assert "90 points in 12 clusters" in shown[12] and "1 move of" in shown[12], shown
    with open(report, encoding="utf-8") as file:
        facts = json.load(file)
    equal((facts["guarantee"], facts["arms"], facts["method"], facts["iterations"]), ("exact", 12, "bandit", 1))
    assert "as many as --max-iter allows" in shown[12], shown
    out = os.path.join(directory, "c.npz")
    bmo("kmeans", data, "-k", 12, "--out", out, "--json", report)
    centers, labels = clusters(out)
    with open(report, encoding="utf-8") as file:
        inertia = json.load(file)["inertia"]
    assert math.isclose(inertia, sum(square(point, centers[label]) for point, label in zip(POINTS, labels)), rel_tol=1e-12)
    assert "as many" not in bmo("kmeans", data, "-k", 12).out


@case
def refused(directory):
    data = write_points(directory)
    assert "90 points" in refusal("kmeans", data, "-k", 91, code=2)
    assert "plusplus or random" in refusal("kmeans", data, "--init", "given", code=2)
    assert "expected .npz" in refusal("kmeans", data, "--out", os.path.join(directory, "c.csv"), code=2)
    assert "l2 or sqeuclidean" in refusal("kmeans", data, "--metric", "l1", code=2)


main()
