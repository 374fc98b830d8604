"""Threads and processes, and memory over many calls."""
from __future__ import annotations

import concurrent.futures
import gc
import multiprocessing
import os
import pathlib
import subprocess
import sys
import threading
import time
import tracemalloc
import warnings

import numpy as np
import pytest

import brute
import libbmo

X = brute.whole(1, 400, 300).astype("f4")
SEARCHER = libbmo.Searcher(X, metric="l1", delta=1e-9)
EXPECTED = brute.nearest(X, X, 3, "l1")


def search(rows):
    found = SEARCHER.knn(X[rows], 3)
    return found.index


def search_with(searcher, rows):
    return searcher.knn(X[rows], 3).index


def test_threads_share_a_searcher():
    parts = np.array_split(np.arange(len(X)), 16)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        np.testing.assert_array_equal(np.vstack(list(pool.map(search, parts))), EXPECTED[0])


def test_other_threads_run_during_a_call():
    points = np.random.default_rng(1).normal(size=(6000, 600)).astype("f4")
    ticks, done = [0], threading.Event()

    def tick():
        while not done.is_set():
            ticks[0] += 1
            time.sleep(0.0001)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks[0]
    libbmo.knn_graph(points, 3, method="exact")
    during = ticks[0] - before
    done.set()
    thread.join()
    assert during > 20  # of thousands: with the GIL held there are none


def test_fork():
    parts = np.array_split(np.arange(len(X)), 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of fork in a process with threads
        with multiprocessing.get_context("fork").Pool(2) as pool:
            np.testing.assert_array_equal(np.vstack(pool.map(search, parts)), EXPECTED[0])
    np.testing.assert_array_equal(search(parts[0]), EXPECTED[0][parts[0]])


def test_spawn():
    parts = np.array_split(np.arange(len(X)), 2)
    prepared = libbmo.Searcher(libbmo.Dataset(X).prepare(box="dense", seed=3), metric="l1", delta=1e-9)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(search_with, [prepared] * 2, parts))
    np.testing.assert_array_equal(np.vstack(found), EXPECTED[0])


def test_joblib():
    joblib = pytest.importorskip("joblib")
    parts = np.array_split(np.arange(len(X)), 2)
    found = joblib.Parallel(2)(joblib.delayed(search_with)(SEARCHER, part) for part in parts)
    np.testing.assert_array_equal(np.vstack(found), EXPECTED[0])


def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def every_kind_of_call():
    point = X[:1, :8]
    searcher = libbmo.Searcher(X[:5, :8])
    searcher.knn(point, 2).stats
    libbmo.kmeans(X[:5, :8], 2)
    try:
        searcher.knn(point, 9)
    except libbmo.InvalidArgument:
        pass


@pytest.fixture
def untraced(monkeypatch):
    """coverage keeps something of every thread that it traces."""
    monkeypatch.setattr(threading, "_trace_hook", None)


def check_growth(call, times, most):
    """Calls once more often than the caches need, then watches Python's memory and the process's."""
    for _ in range(max(100, times // 10)):
        call()
    gc.collect()
    before = resident()
    for _ in range(times):
        call()
    gc.collect()
    assert resident() - before < most
    tracemalloc.start()
    call()
    first = tracemalloc.get_traced_memory()[0]
    for _ in range(200):
        call()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < 20_000


def test_no_leak_over_100_000_searches():
    searcher, query = libbmo.Searcher(X[:5, :8]), X[:1, :8]
    check_growth(lambda: searcher.knn(query, 2), 100_000, 4 << 20)


def test_no_leak_of_other_calls():
    check_growth(every_kind_of_call, 3_000, 4 << 20)


def test_no_leak_of_functions(untraced):
    check_growth(lambda: libbmo.knn(X[:3, :8], X[:1, :8], 1, rho=lambda a, b, coordinate: np.abs(a - b)), 500, 4 << 20)


def run(*words, **environment):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **environment})


def test_command():
    told = run("-m", "libbmo", "--version")
    if "has no bmo command" in told.stderr:
        pytest.skip("the library beside this tree has no command")
    assert told.returncode == 0 and libbmo.__version__ in told.stdout


def test_library_that_cannot_be_loaded(tmp_path):
    said = run("-c", "import libbmo", BMO_LIBRARY=str(tmp_path / "libbmo.so"))
    assert said.returncode == 1 and "ImportError: libbmo could not be loaded" in said.stderr and "BMO_LIBRARY" in said.stderr


def test_nothing_is_printed_at_the_end():
    said = run("-X", "dev", "-W", "error", "-c",
               "import libbmo, numpy as np; a = libbmo.Searcher(np.eye(3)); b = [a]; b.append(b); c = libbmo.Cancel()")
    assert said.returncode == 0 and said.stderr == ""
