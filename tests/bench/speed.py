#!/usr/bin/env python3
"""Times of searches against those of baselines, in turn in one run.

usage: speed.py POINTS.npy QUERIES.npy [--runs 3] [--only NAME ...] [--sizes 5000 10000 25000] [--halves] [--json FILE]

POINTS and QUERIES: uint8, n x d and q x d, d a multiple of 64; also searched as float32, with --halves moved by 0.5: whole
numbers up to 255 are copied as bytes when they are prepared, halves are not, and distances are the same. k = 5, delta = 0.01,
queries only
(what was prepared is reported apart). A line for each comparison: the medians of both over the runs, the least and most
ratio of a run, and whether the answers are those of integer arithmetic. Baselines: OpenBLAS sgemm in batches (the best of
three sizes) with selection of the k least (graph-f32: of every point's others, once, with what ours takes to prepare); a
plain loop of AVX-512 VNNI products (vnni_scan.c, compiled by cc); and the library's own exact scan. One thread, but for the comparison of two threads with one. Needs numpy with OpenBLAS; the library
as tests/stat/searches.py says.
"""
import argparse
import ctypes
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"
# Told which kernel: of processors that are newer than itself OpenBLAS knows nothing, and takes its oldest.
_flags = pathlib.Path("/proc/cpuinfo").read_text().split()
os.environ["OPENBLAS_CORETYPE"] = "SkylakeX" if "avx512f" in _flags else "Haswell" if "avx2" in _flags else "Prescott"
import numpy as np  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "stat"))
import searches  # noqa: E402

K = 5
LONE = 20  # queries asked one at a time


def squared_norms(x):
    return np.concatenate([np.einsum("ij,ij->i", part, part, dtype=np.int64) for part in np.array_split(x, 64)])


def openblas_kernel():
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        library.openblas_get_corename.restype = ctypes.c_char_p
        return library.openblas_get_corename().decode()
    except OSError:
        return "unknown"


class Vnni:
    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        built = pathlib.Path(self.directory.name) / "vnni_scan.so"
        subprocess.run(["cc", "-O3", "-shared", "-fPIC", "-o", built, HERE / "vnni_scan.c"], check=True)
        self.scan = ctypes.CDLL(str(built)).vnni_scan

    def __call__(self, points, queries, point_terms):
        signed, query_terms = queries ^ 128, squared_norms(queries)
        best = np.full((len(queries), K), np.iinfo(np.int64).max)
        arrays = [a.ctypes.data_as(ctypes.c_void_p) for a in (points, signed, point_terms, query_terms)]
        self.scan(*arrays, *map(ctypes.c_int64, (len(points), len(queries), points.shape[1], K)),
                  best.ctypes.data_as(ctypes.c_void_p))
        return np.sqrt(best)


class Sgemm:
    """Distances by |x|^2 - 2 q x and a partition; those of the k found are formed again by differences."""

    def __init__(self, points, queries):
        self.points, self.norms = points, np.einsum("ij,ij->i", points, points)
        sample = queries[:200]
        times = {batch: min(self.seconds(sample, batch) for _ in range(2)) for batch in (50, 100, 200)}
        self.batch = min(times, key=times.get)

    def seconds(self, queries, batch):
        start = time.perf_counter()
        self.search(queries, batch)
        return time.perf_counter() - start

    def search(self, queries, batch, own=False):
        found = np.empty((len(queries), K), np.int64)
        for at in range(0, len(queries), batch):
            sums = queries[at:at + batch] @ self.points.T
            sums *= -2
            sums += self.norms
            if own:
                np.fill_diagonal(sums[:, at:], np.inf)
            found[at:at + batch] = np.argpartition(sums, K - 1, axis=1)[:, :K]
        return found

    def __call__(self, queries, own=False):
        found = self.search(queries, self.batch, own)
        return np.sqrt(np.sort([((self.points[rows] - q).astype(np.float64) ** 2).sum(1) for rows, q in zip(found, queries)]))


class Library:
    def __init__(self, dataset, **params):
        self.dataset, self.params, self.gain = dataset, params, 0

    def __call__(self, queries):
        _, distance, stats = searches.knn(self.dataset, K, queries, delta=0.01, **self.params)
        self.gain = stats.coord_ops_brute / (stats.coord_ops + stats.projection_ops)
        return distance


def graph(dataset, **params):
    """The nearest others of every row of a dataset."""
    return searches.knn(dataset, K, rows=np.arange(dataset.n), **params)[1]


def one_at_a_time(search):
    return lambda queries: np.vstack([search(q[None]) for q in queries[:LONE]])


def timed(run, queries):
    start = time.perf_counter()
    distance = run(queries)
    return time.perf_counter() - start, distance


def compare(name, ours, baseline, queries, truth, runs):
    """ours and baseline: functions of the queries that return distances."""
    pairs, right = [], []
    for _ in range(runs):
        (a, found), (b, base) = timed(ours, queries), timed(baseline, queries)
        pairs.append((a, b))
        want = truth[:len(found)]
        right.append((np.abs(found - want) <= 1e-9 * want).all(1).mean())
        if base is not None:
            right.append((np.abs(base - want) <= 1e-5 * want).all(1).mean())
    mine, theirs = (statistics.median(times) for times in zip(*pairs))
    count = len(found)
    ratios = sorted(b / a for a, b in pairs)
    row = dict(name=name, points=None, ours_ms=mine * 1e3 / count, baseline_ms=theirs * 1e3 / count, ratio=theirs / mine,
               least=ratios[0], most=ratios[-1], right=min(right), queries=count)
    if isinstance(ours, Library):
        row["gain"] = ours.gain
    return row


def comparisons(points, queries, offset, only, runs):
    """Yields rows; prepares what they need as they need it."""
    wide, wide_queries = (values.astype(np.float32) + np.float32(offset) for values in (points, queries))
    as_bytes, as_floats = searches.Dataset(points), searches.Dataset(wide)
    exact = {("u8", m): Library(as_bytes, metric=m, method="exact") for m in ("l2", "l1")}
    exact |= {("f32", m): Library(as_floats, metric=m, method="exact") for m in ("l2", "l1")}
    truth = {m: exact["u8", m](queries) for m in ("l2", "l1")}  # integers; checked against the other engines below
    prepared = {}

    def bandit(kind, metric, box, **params):
        key = kind, box
        if key not in prepared:
            start = time.perf_counter()
            source = as_bytes if kind == "u8" else as_floats
            prepared[key] = source.prepare(box=box, metric="l2")
            print(f"    prepared {kind} for box {box} in {time.perf_counter() - start:.2f} s", flush=True)
        return Library(prepared[key], metric=metric, method="bandit", box=box, **params)

    def wanted(name):
        return not only or name in only

    def row(name, ours, baseline, asked, metric="l2"):
        return compare(name, ours, baseline, asked, truth[metric], runs)

    if wanted("exact-u8"):
        vnni = Vnni()
        terms = squared_norms(points) - 256 * points.sum(1, dtype=np.int64)
        yield row("exact-u8", exact["u8", "l2"], lambda q: vnni(points, q, terms), queries)
    sgemm = None
    if any(map(wanted, ("exact-f32", "dense-f32-l2", "projected-f32", "graph-f32"))):
        sgemm = Sgemm(wide, wide_queries)
        print(f"    OpenBLAS kernel {openblas_kernel()}, batches of {sgemm.batch}", flush=True)
    if wanted("exact-f32"):
        yield row("exact-f32", exact["f32", "l2"], sgemm, wide_queries)
    if wanted("dense-f32-l2"):
        yield row("dense-f32-l2", bandit("f32", "l2", "dense"), sgemm, wide_queries)
    if wanted("dense-f32-l1"):
        yield row("dense-f32-l1", bandit("f32", "l1", "dense"), exact["f32", "l1"], wide_queries, "l1")
    if wanted("projected-f32"):
        yield row("projected-f32", bandit("f32", "l2", "projected"), sgemm, wide_queries)
    if wanted("projected-u8"):
        yield row("projected-u8", bandit("u8", "l2", "projected"), exact["u8", "l2"], queries)
    if wanted("graph-f32"):
        truth["graph"] = graph(as_bytes, metric="l2", method="exact")
        yield compare("graph-f32", lambda q: graph(as_floats.prepare(metric="l2"), metric="l2", delta=0.01),
                      lambda q: sgemm(q, own=True), wide, truth["graph"], 1)
    lone = one_at_a_time(exact["f32", "l2"])
    if wanted("lone-prepared"):
        yield row("lone-prepared", one_at_a_time(bandit("f32", "l2", "dense")), lone, wide_queries)
    if wanted("lone-unprepared"):
        yield row("lone-unprepared", one_at_a_time(Library(as_floats, metric="l2", method="bandit")), lone, wide_queries)
    if wanted("two-threads"):
        yield row("two-threads", bandit("f32", "l2", "dense", threads=2), bandit("f32", "l2", "dense"), wide_queries)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=pathlib.Path)
    parser.add_argument("queries", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--sizes", type=int, nargs="+", default=[])
    parser.add_argument("--halves", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    args = parser.parse_args()
    points, queries = np.load(args.points), np.load(args.queries)
    print(f"{searches.isa()}, {points.shape[1]} coordinates, {len(queries)} queries, {args.runs} runs")
    rows = []
    for n in args.sizes or [len(points)]:
        print(f"{n} points", flush=True)
        for row in comparisons(np.ascontiguousarray(points[:n]), queries, args.halves / 2, args.only, args.runs):
            rows.append(row | dict(points=n))
            gain = f", {row['gain']:.0f}x fewer operations" if "gain" in row else ""
            print(f"{row['name']:16} {row['ours_ms']:8.3f} ms, baseline {row['baseline_ms']:8.3f} ms: {row['ratio']:6.2f}x "
                  f"({row['least']:.2f} to {row['most']:.2f}), right {row['right']:.2%}{gain}", flush=True)
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
