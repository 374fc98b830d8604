"""libbmo beside scikit-learn, faiss and pynndescent, for `measure --only peers`: time, memory, and the neighbors found.

Each package works in a process of its own, so that its memory is its own. They search by turns. One thread each.
"""
from __future__ import annotations

import multiprocessing
import os
import pathlib
import statistics
import sys
import time

import numpy as np

import libbmo

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "bench" / "paper"))
import points as dense  # noqa: E402
import report  # noqa: E402

K = 5


def scikit_learn(points, count):
    from sklearn.neighbors import NearestNeighbors

    fitted = NearestNeighbors(n_neighbors=K, algorithm="brute", n_jobs=1).fit(points)
    return lambda queries: fitted.kneighbors(queries, return_distance=False)


def faiss_flat(points, count):
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatL2(points.shape[1])
    index.add(points)
    return lambda queries: index.search(queries, K)[1]


def pynndescent(points, count):
    import pynndescent

    index = pynndescent.NNDescent(points, n_jobs=1, random_state=0)
    index.prepare()
    return lambda queries: index.query(queries, K)[0]


def libbmo_as_they_are(points, count):
    searcher = libbmo.Searcher(points)
    return lambda queries: searcher.knn(queries, K).index


def libbmo_for_so_many(points, count):
    searcher = libbmo.Searcher(libbmo.Dataset(points).prepare(expected_queries=count))
    return lambda queries: searcher.knn(queries, K).index


def libbmo_for_any_number(points, count):
    searcher = libbmo.Searcher(libbmo.Dataset(points).prepare())
    return lambda queries: searcher.knn(queries, K).index


WAYS = {"scikit-learn, brute": scikit_learn, "faiss, IndexFlatL2": faiss_flat, "pynndescent": pynndescent,
        "libbmo, not prepared": libbmo_as_they_are, "libbmo, prepared for these": libbmo_for_so_many,
        "libbmo, prepared": libbmo_for_any_number}


def resident(kind):
    """Bytes of memory now (VmRSS), or the most since the last `forget_peak` (VmHWM)."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith(kind)).split()[1])


def forget_peak():
    pathlib.Path("/proc/self/clear_refs").write_text("5")


def work(make, points, queries, end):
    """What a process does: it prepares, then searches whenever it is told to, and last tells its memory."""
    make(points[:2000], 2)(queries[:2])  # imports and compiles
    forget_peak()
    before, start = resident("VmRSS"), time.perf_counter()
    search = make(points, len(queries))
    end.send(time.perf_counter() - start)
    while end.recv():
        start = time.perf_counter()
        index = search(queries)
        end.send((time.perf_counter() - start, np.asarray(index, np.int64)))
    end.send(resident("VmHWM") - before)


def beside_each_other(points, queries, turns):
    """For each way: seconds to prepare, seconds of each turn, neighbors, bytes."""
    context = multiprocessing.get_context("fork")  # the points are shared
    pipes, told = {}, {}
    for name, make in WAYS.items():
        pipes[name], other = context.Pipe()
        context.Process(target=work, args=(make, points, queries, other), daemon=True).start()
        told[name] = [pipes[name].recv(), []]
    for _ in range(turns):
        for name, pipe in pipes.items():
            pipe.send(True)
            seconds, index = pipe.recv()
            told[name][1].append(seconds)
            told[name][2:] = [index]
    for name, pipe in pipes.items():
        pipe.send(False)
        told[name].append(pipe.recv())
    return told


def rows_of(data, points, queries, turns):
    truth = dense.squared_distances(points, queries)
    for name, (prepared, seconds, index, grown) in beside_each_other(points, queries, turns).items():
        each = sorted(1e3 * turn / len(queries) for turn in seconds)
        yield {"data": data, "method": name, "n": points.shape[0], "d": points.shape[1], "k": K, "queries": len(queries),
               "prepare_s": prepared, "ms": statistics.median(each), "least_ms": each[0], "most_ms": each[-1],
               "together_s": prepared + statistics.median(seconds), "recall": dense.judged(index, truth, K)[1],
               "memory_mb": grown / 1e6}


def shown(row):
    return (f"| {row['data']} | {row['method']} | {row['prepare_s']:.2f} | {row['ms']:.3f} | {row['together_s']:.2f} | "
            f"{row['recall']:.4f} | {row['memory_mb']:.0f} |")


def run(data, turns, results):
    """data: points and queries by name, float32. Prints a table, and writes peers.csv and peers.json to the folder `results`."""
    load, rows = os.getloadavg()[0], []
    print("| data | package | to prepare, s | ms a query | together, s | recall | MB beside the points |\n" + "| --- " * 7 + "|")
    for name, (points, queries) in data.items():
        for row in rows_of(name, points, queries, turns):
            rows.append(row)
            print(shown(row), flush=True)
    about = {"experiment": "peers", "command": " ".join(["measure", *(pathlib.Path(word).name for word in sys.argv[1:])]),
             "data": {name: [list(part.shape) for part in parts] for name, parts in data.items()}, "machine": report.machine(),
             "versions": report.versions(f"libbmo {libbmo.__version__}, {libbmo.isa()}"), "seeds": [0],
             "load_average": {"before": load, "after": os.getloadavg()[0]}}
    if results:
        report.write_tables(pathlib.Path(results), about, rows)
