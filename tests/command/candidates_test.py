"""Neighbors among some of the points: chosen ones, or those whose label fits."""
import os

from arrays import neighbors, read_npz, whole_numbers, write_npy
from command import bmo, refusal
from tap import case, equal, main

N, D, QUERIES, K = 90, 300, 7, 4
POINTS = whole_numbers(N, D, 9, seed=5)
NEW = whole_numbers(QUERIES, D, 9, seed=6)
CHOSEN = [(i * 7 + 3) % N for i in range(40)]
LABELS = [("a", "b b", "c", "d")[i % 5 % 4] for i in range(N)]
NEW_LABELS = ["c", "a", "b b", "nowhere", "d", "a", "c"]
SURE = ("--delta", "1e-12")


def lines(directory, name, values):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.writelines(f"{value}\n" for value in values)
    return path


def files(directory):
    return (write_npy(os.path.join(directory, "points.npy"), POINTS, "<f4"),
            write_npy(os.path.join(directory, "new.npy"), NEW, "<f4"))


def found(words, directory):
    """Each query's neighbors that are there, as (distance, index)."""
    out = os.path.join(directory, "a.npz")
    bmo(*words, "-k", K, *SURE, "--out", out)
    arrays = read_npz(out)
    return [[(distance, index) for distance, index in zip(*row) if index >= 0]
            for row in zip(arrays["distance.npy"][1], arrays["index.npy"][1])]


def expected(query, among, own=None):
    """The nearest of some points, with their numbers."""
    among = sorted(i for i in among if i != own)
    ranked = neighbors(query, [POINTS[i] for i in among], min(K, len(among)), "l2")
    return [(distance, among[at]) for distance, at in ranked]


@case
def chosen_points(directory):
    data, new = files(directory)
    chosen = lines(directory, "chosen", CHOSEN)
    equal(found(("knn", data, "--queries", new, "--candidates", chosen), directory),
          [expected(query, CHOSEN) for query in NEW])
    equal(found(("graph", data, "--candidates", chosen), directory),
          [expected(POINTS[i], CHOSEN, own=i) for i in range(N)])


@case
def labels_of_points(directory):
    data, new = files(directory)
    labels, of_queries = lines(directory, "labels", LABELS), lines(directory, "of_queries", NEW_LABELS)
    for rule in ("same", "other"):
        def fit(label):
            return [i for i in range(N) if (LABELS[i] == label) == (rule == "same")]
        words = ("--labels", labels, "--label-rule", rule)
        equal(found(("graph", data, *words), directory),
              [expected(POINTS[i], fit(LABELS[i]), own=i) for i in range(N)], rule)
        equal(found(("knn", data, "--queries", new, *words, "--query-labels", of_queries), directory),
              [expected(query, fit(label)) for query, label in zip(NEW, NEW_LABELS)], rule)


@case
def what_is_wrong_is_refused(directory):
    data, new = files(directory)
    labels, few = lines(directory, "labels", LABELS), lines(directory, "few", LABELS[:3])
    chosen, far = lines(directory, "chosen", CHOSEN), lines(directory, "far", [3, N])
    twice, none = lines(directory, "twice", [3, 4, 3]), lines(directory, "none", [])
    for words, status, reason in [
            (("--labels", labels), 2, "--label-rule"),
            (("--label-rule", "same"), 2, "--labels"),
            (("--labels", labels, "--label-rule", "like"), 2, "'like'; expected same or other"),
            (("--labels", few, "--label-rule", "same"), 1, "3 labels, but there are 90 points"),
            (("--candidates", far), 1, "line 2 is '90'; expected the number of a point of DATA, 0 to 89"),
            (("--candidates", labels), 1, "line 1 is 'a'"),
            (("--candidates", none), 1, "is empty"),
            (("--candidates", twice, "-k", 1), 2, "twice"),
            (("--candidates", chosen, "-k", len(CHOSEN) + 1), 2, "a query has 40 candidates")]:
        assert reason in refusal("graph", data, *words, code=status), (words, reason)
    for words, reason in [
            (("--queries", new, "--labels", labels, "--label-rule", "same"), "not --query-labels"),
            (("--query-labels", labels), "expected it with --labels and --queries alone")]:
        assert reason in refusal("knn", data, *words, code=2), (words, reason)


if __name__ == "__main__":
    main()
