"""Long calls that are stopped, and what they report."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import brute
import libbmo

X = np.random.default_rng(1).normal(size=(8000, 600)).astype("f4")
SLOW = {
    "graph": lambda **how: libbmo.knn_graph(X, 5, method="exact", **how),
    "prepare": lambda **how: [libbmo.Dataset(X).prepare(box="projected", **how) for _ in range(50)],
    "subset": lambda **how: [libbmo.Dataset(X).subset(slice(None), **how) for _ in range(50)],
    "kmeans": lambda **how: libbmo.kmeans(X, 300, **how),
    "medoid": lambda **how: [libbmo.medoid(X, method="exact", **how) for _ in range(50)],
    "rho": lambda **how: libbmo.knn_graph(X, 5, rho=lambda a, b, coordinate: np.abs(a - b), **how),
    "arms": lambda **how: libbmo.best_arms(equal, 2, 1, lower=0, upper=1, **how),
}


def equal(arms, m, stream):
    """Arms that no samples tell apart."""
    return np.full(len(arms), m / 2), np.full(len(arms), m / 2)


class Alarm(Exception):
    pass


def stop_soon(stop):
    threading.Timer(0.05, stop).start()


@pytest.mark.parametrize("name", SLOW)
def test_control_c(name):
    for _ in range(2):  # what was interrupted once is no worse for it
        stop_soon(lambda: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            SLOW[name]()
    brute.check(libbmo.knn(X[:20].round(), X[:3].round(), 2), brute.nearest(X[:3].round(), X[:20].round(), 2))


@pytest.mark.parametrize("begins", [True, False])
def test_control_c_while_the_thread_starts(begins, monkeypatch):
    start = threading.Thread.start

    def interrupted(thread):
        if begins:
            start(thread)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", interrupted)
        with pytest.raises(KeyboardInterrupt):
            SLOW["rho"]()
    for thread in threading.enumerate():
        if thread.name == "libbmo":
            thread.join(10)
            assert not thread.is_alive()


@pytest.mark.parametrize("name", SLOW)
def test_signal_handlers_run_and_may_raise(name):
    def handler(number, frame):
        raise Alarm(number)

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        stop_soon(lambda: os.kill(os.getpid(), signal.SIGUSR1))
        with pytest.raises(Alarm):
            SLOW[name]()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_signal_handlers_that_do_not_raise_let_calls_go_on():
    seen = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
    try:
        stop_soon(lambda: os.kill(os.getpid(), signal.SIGUSR1))
        libbmo.knn_graph(X, 5, method="exact")
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [signal.SIGUSR1]


def test_signal_handlers_may_search_and_be_stopped():
    few, expected = X[:20].round(), brute.nearest(X[:3].round(), X[:20].round(), 2)

    def handler(number, frame):
        brute.check(libbmo.knn(few, few[:3], 2), expected)
        raise Alarm(number)

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        for _ in range(2):
            stop_soon(lambda: os.kill(os.getpid(), signal.SIGUSR1))
            with pytest.raises(Alarm):
                libbmo.knn_graph(X, 5, method="exact")
    finally:
        signal.signal(signal.SIGUSR1, before)
    brute.check(libbmo.knn(few, few[:3], 2), expected)


@pytest.mark.parametrize("name", SLOW)
@pytest.mark.parametrize("on_main", [True, False])
def test_cancel(name, on_main):
    token = libbmo.Cancel()
    stop_soon(token.request)
    outcome = []

    def work():
        try:
            SLOW[name](cancel=token)
        except BaseException as failure:
            outcome.append(failure)

    if on_main:
        work()
    else:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert [type(failure) for failure in outcome] == [libbmo.Canceled]
    token.reset()
    assert libbmo.knn_graph(X[:50], 1, cancel=token).index.shape == (50, 1)


def test_control_c_with_a_token_of_ones_own():
    token = libbmo.Cancel()
    stop_soon(lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        SLOW["rho"](cancel=token)
    assert libbmo.knn_graph(X[:50], 1, cancel=token).index.shape == (50, 1)


def test_rows_that_were_finished_are_kept():
    index = np.full((len(X), 5), -1)
    stop_soon(lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        libbmo.Searcher(X, method="exact").knn_graph(5, out=(index, None))
    done = (index >= 0).all(axis=1)
    assert ((index == -1).all(axis=1) | done).all()


def test_a_process_that_is_interrupted_says_so():
    program = """
        import numpy as np, libbmo, sys
        print("ready", flush=True)
        libbmo.kmeans(np.random.default_rng(1).normal(size=(20000, 500)), 500)
    """
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == -signal.SIGINT and said.rstrip().endswith("KeyboardInterrupt") and "ignored" not in said


def test_progress_function():
    seen = []
    libbmo.knn_graph(X[:2000], 3, method="exact", progress=lambda *told: seen.append(told))
    assert {phase for phase, _, _ in seen} <= {"read", "check", "prepare", "search", "write"}
    assert seen[-1] == ("search", 2000, 2000)
    assert all(0 <= done <= total for _, done, total in seen)


def test_progress_of_every_kind_of_call(tmp_path):
    phases = {}
    for name, call in {
        "check": lambda how: libbmo.Dataset(X, **how), "prepare": lambda how: libbmo.Dataset(X).prepare(**how),
        "search": lambda how: libbmo.medoid(X[:500], **how), "write": lambda how: libbmo.Dataset(X).save(tmp_path / "x.bmo", **how),
        "read": lambda how: libbmo.Dataset.open(tmp_path / "x.bmo", copy=True, **how),
    }.items():
        call({"progress": lambda phase, done, total, name=name: phases.setdefault(name, set()).add(phase)})
    assert all(name in seen for name, seen in phases.items()) and len(phases) == 5


def test_progress_of_a_subset_that_is_prepared_again():
    prepared, seen = libbmo.Dataset(X[:2000]).prepare(box="projected", metric="inner_product"), []
    prepared.subset(range(1000), progress=lambda *told: seen.append(told))
    assert {phase for phase, _, _ in seen} == {"check", "prepare"} and seen[-1] == ("prepare", 1000, 1000)


def test_progress_bar(capsys):
    pytest.importorskip("tqdm")
    libbmo.knn_graph(X[:2000], 3, method="exact", progress=True)
    libbmo.knn_graph(X[:200], 3, progress=False)
    assert "search:" in capsys.readouterr().err


def test_progress_bar_without_tqdm(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="progress=True needs tqdm"):
        libbmo.knn_graph(X[:10], 3, progress=True)


@pytest.mark.parametrize("how", [{"progress": 1}, {"progress": "yes"}, {"cancel": 1}])
def test_what_is_no_progress_and_no_token(how):
    with pytest.raises(TypeError, match=f"{next(iter(how))} is .*; expected"):
        libbmo.knn_graph(X[:10], 3, **how)
