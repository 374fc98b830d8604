"""Answers against brute force on whole numbers, in every output format."""
import csv
import json
import os

from arrays import neighbors, read_npz, whole_numbers, write_npy
from command import bmo, refusal
from tap import case, equal, main

N, D, QUERIES, K = 130, 520, 12, 3
POINTS = whole_numbers(N, D, 9, seed=3)
NEW = whole_numbers(QUERIES, D, 9, seed=4)
SURE = ("--delta", "1e-12")


def write_points(directory, descr="<f4"):
    return write_npy(os.path.join(directory, "points.npy"), POINTS, descr)


def write_new(directory, descr="<f4"):
    return write_npy(os.path.join(directory, "new.npy"), NEW, descr)


def expected(metric, own):
    if own:
        return [neighbors(POINTS[i], POINTS, K, metric, own=i) for i in range(QUERIES)]
    return [neighbors(query, POINTS, K, metric) for query in NEW]


def answers(path):
    """The first answers of a .npz as lists of (distance, index)."""
    arrays = read_npz(path)
    equal(sorted(arrays), ["distance.npy", "index.npy"])
    (index_type, index), (distance_type, distance) = arrays["index.npy"], arrays["distance.npy"]
    equal((index_type, distance_type), ("<i8", "<f8"))
    return [list(zip(*row)) for row in zip(distance, index)]


@case
def queries_of_a_file(directory):
    data, new, out = write_points(directory), write_new(directory), os.path.join(directory, "a.npz")
    for metric in ("l2", "sqeuclidean", "l1"):
        right = expected(metric, own=False)
        for method in ("bandit", "exact", "auto"):
            for prepare in ("yes", "no", "auto"):
                words = ("--metric", metric, "--method", method, "--prepare", prepare, *SURE)
                bmo("knn", data, "--queries", new, "-k", K, "--out", out, *words)
                equal(answers(out), right, words)


@case
def neighbors_within_a_largest_distance(directory):
    data, new = write_points(directory), write_new(directory)
    right = expected("l1", own=False)
    farthest = sorted(distance for row in right for distance, _ in row)[len(right)]
    near = [[pair for pair in row if pair[0] <= farthest] for row in right]
    assert 0 < sum(map(len, near)) < QUERIES * K and any(len(row) < K for row in near)
    words = ("knn", data, "--queries", new, "-k", K, "--metric", "l1", *SURE, "--max-distance", farthest)
    out = os.path.join(directory, "a.npz")
    bmo(*words, "--out", out)
    padded = [row + [(float("inf"), -1)] * (K - len(row)) for row in near]
    equal(answers(out), padded)
    lines = [(query, rank, *row[rank]) for query, row in enumerate(near) for rank in range(len(row))]
    out = os.path.join(directory, "a.csv")
    bmo(*words, "--out", out)
    with open(out, newline="") as file:
        found = [(int(r["query"]), int(r["rank"]) - 1, float(r["distance"]), int(r["index"])) for r in csv.DictReader(file)]
    equal(found, lines)
    out = os.path.join(directory, "a.mtx")
    bmo(*words, "--out", out)
    with open(out) as file:
        head, size, *entries = file.read().splitlines()
    equal(size, f"{QUERIES} {N} {len(lines)}")
    equal([tuple(map(float, entry.split())) for entry in entries],
          [(query + 1, index + 1, distance) for query, _, distance, index in lines])
    assert "none" in bmo(*words).out
    for wrong in ("near", "nan", ""):
        assert "expected a number" in refusal(*words[:-1], wrong, code=2)


@case
def the_rotated_box_prepares_by_itself(directory):
    data, new, out = write_points(directory), write_new(directory), os.path.join(directory, "a.npz")
    words = ("--queries", new, "-k", K, "--box", "rotated", "--method", "bandit")
    bmo("knn", data, *words, *SURE, "--out", out)
    equal(answers(out), expected("l2", own=False))
    assert "l2" in refusal("knn", data, *words, "--metric", "l1", code=2)
    assert "expected yes or auto" in refusal("knn", data, *words, "--prepare", "no", code=2)


@case
def every_point_without_itself(directory):
    data, out = write_points(directory), os.path.join(directory, "a.npz")
    right = expected("l2", own=True)
    for words in (("knn", "-k", K), ("graph", "-k", K), ("graph", "-k", K, "--method", "bandit", "--threads", "2", "--seed", "-7")):
        bmo(words[0], data, *words[1:], *SURE, "--out", out)
        found = answers(out)
        equal(len(found), N)
        equal(found[:QUERIES], right, words)


@case
def types_of_values(directory):
    right = expected("l1", own=False)
    for descr in ("<f4", "<f8", "|u1", "<i4", "<i8"):
        out = os.path.join(directory, "a.npz")
        data, new = write_points(directory, descr), write_new(directory, "<f8" if descr == "<f4" else descr)
        bmo("knn", data, "--queries", new, "-k", K, "--metric", "l1", *SURE, "--out", out)
        equal(answers(out), right, descr)


@case
def usual_numbers_of_neighbors(directory):
    data, out = write_points(directory), os.path.join(directory, "a.npz")
    for name, k in (("knn", 5), ("graph", 15)):
        bmo(name, data, "--out", out)
        equal(len(answers(out)[0]), k)


@case
def delimited_text(directory):
    data, new = write_points(directory), write_new(directory)
    right = [
        (query, rank, index, distance)
        for query, row in enumerate(expected("l2", own=False))
        for rank, (distance, index) in enumerate(row, 1)
    ]
    for ending, delimiter in ((".csv", ","), (".tsv", "\t")):
        out = os.path.join(directory, "a" + ending)
        bmo("knn", data, "--queries", new, "-k", K, *SURE, "--out", out)
        with open(out, newline="", encoding="ascii") as file:
            header, *rows = csv.reader(file, delimiter=delimiter)
        equal(header, ["query", "rank", "index", "distance"])
        equal([(int(q), int(r), int(i), float(x)) for q, r, i, x in rows], right, ending)


@case
def a_graph_as_a_sparse_matrix(directory):
    data, new, out = write_points(directory), write_new(directory), os.path.join(directory, "a.mtx")
    for words, own in ((("graph", data), True), (("knn", data, "--queries", new), False)):
        bmo(*words, "-k", K, *SURE, "--out", out)
        with open(out, encoding="ascii") as file:
            banner, sizes, *lines = file.read().splitlines()
        equal(banner, "%%MatrixMarket matrix coordinate real general")
        rows = N if own else QUERIES
        equal(sizes.split(), [str(rows), str(N), str(rows * K)])
        entries = [(int(row), int(col), float(value)) for row, col, value in (line.split() for line in lines)]
        right = [(i + 1, index + 1, distance) for i, row in enumerate(expected("l2", own)) for distance, index in row]
        equal((len(entries), entries[: len(right)]), (rows * K, right))
        equal(bmo("info", out).out.splitlines()[0].split(), ["points", str(rows)])


@case
def a_table_without_out(directory):
    data, new = write_points(directory), write_new(directory)
    result = bmo("knn", data, "--queries", new, "-k", K, *SURE)
    equal(result.err, "")
    lines = result.out.splitlines()
    first = expected("l2", own=False)[0]
    equal(lines[1].split(), ["0", *[word for distance, index in first for word in (f"{index}:", f"{distance:.6g}")]])
    assert "12 queries" in result.out and "guarantee: " in result.out, result.out


STATS = {
    str: ("version", "isa", "guarantee", "method", "box", "bandit", "confidence", "sampling", "assumption", "reason"),
    int: (
        "threads queries arms rounds coord_ops_sampled exact_evals coord_ops coord_ops_exact coord_ops_brute projection_ops arms_pruned neighbors seed wall_ns"
    ).split(),
    (int, float): ("delta", "epsilon", "gain", "read_ms", "prepare_ms", "query_ms"),
}


@case
def statistics_as_json(directory):
    data, new, out = write_points(directory), write_new(directory), os.path.join(directory, "a.json")
    words = ("--seed", "9223372036854775807", "--threads", "2", "--epsilon", "0.25", "--method", "bandit")
    bmo("knn", data, "--queries", new, "-k", K, "--json", out, "--prepare", "yes", *words)
    with open(out, encoding="utf-8") as file:
        stats = json.load(file)
    equal(sorted(stats), sorted(name for names in STATS.values() for name in names))
    for kind, names in STATS.items():
        for name in names:
            assert isinstance(stats[name], kind), (name, stats[name])
    equal((stats["queries"], stats["arms"], stats["seed"], stats["threads"]), (QUERIES, N, 2**63 - 1, 2))
    equal((stats["delta"], stats["epsilon"], stats["method"]), (0.01, 0.25, "bandit"))
    assert stats["guarantee"] in ("proven", "exact"), stats["guarantee"]  # exact: every distance was computed
    equal(stats["coord_ops_brute"], QUERIES * N * D)
    equal(stats["coord_ops"], stats["coord_ops_sampled"] + stats["coord_ops_exact"])
    equal(stats["gain"], stats["coord_ops_brute"] / stats["coord_ops"])
    assert stats["prepare_ms"] > 0 and stats["query_ms"] > 0 and stats["read_ms"] > 0, stats


@case
def statistics_without_queries(directory):
    data, out = write_points(directory), os.path.join(directory, "a.json")
    empty = write_npy(os.path.join(directory, "empty.npy"), [], cols=D)
    bmo("knn", data, "--queries", empty, "-k", K, "--json", out, "--out", os.path.join(directory, "a.csv"))
    with open(out, encoding="utf-8") as file:
        stats = json.load(file)
    equal((stats["queries"], stats["gain"]), (0, None))
    with open(os.path.join(directory, "a.csv"), encoding="ascii") as file:
        equal(file.read(), "query,rank,index,distance\n")


@case
def the_same_answer_again(directory):
    data = write_points(directory)
    outs = []
    for i, words in enumerate(((), (), ("--threads", "2"), ("--prepare", "no"))):
        out = os.path.join(directory, f"{i}.npz")
        bmo("graph", data, "-k", K, "--out", out, *words)
        with open(out, "rb") as file:
            outs.append(file.read())
    equal(len(set(outs)), 1)


@case
def queries_of_another_width_are_bad_data(directory):
    data = write_points(directory)
    narrow = write_npy(os.path.join(directory, "narrow.npy"), whole_numbers(2, D - 1, 9, seed=1))
    message = refusal("knn", data, "--queries", narrow, code=1)
    assert str(D) in message and str(D - 1) in message, message


main()
