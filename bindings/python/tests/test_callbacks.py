"""Functions of the caller: distances and arms."""
from __future__ import annotations

import threading

import numpy as np
import pytest

import brute
import libbmo

X = brute.whole(1, 80, 120).astype("f4")


def absolute(a, b, coordinate):
    assert len(a) == len(b) == len(coordinate) and coordinate.dtype == np.int64
    return np.abs(a - b)


@pytest.mark.parametrize("method", ["auto", "exact", "bandit"])
def test_rho(method):
    brute.check(libbmo.knn(X, X[:5], 3, rho=absolute, method=method, delta=1e-9), brute.nearest(X[:5], X, 3, "l1"))
    brute.check(libbmo.Searcher(libbmo.Dataset(X).prepare(rho=absolute), rho=absolute, delta=1e-9).knn(X[:5], 3),
                brute.nearest(X[:5], X, 3, "l1"))


def test_rho_outlives_what_it_was_passed_to():
    searcher = libbmo.Searcher(X, rho=lambda a, b, coordinate: np.abs(a - b))
    for _ in range(3):
        brute.check(searcher.knn(X[:2], 2), brute.nearest(X[:2], X, 2, "l1"))


def test_rho_knows_the_coordinate():
    weights = brute.whole(2, 1, 120, 1, 4)[0].astype(float)
    one = libbmo.knn(X, X[:4], 3, rho=lambda a, b, coordinate: weights[coordinate] * np.abs(a - b), method="exact")
    two = libbmo.knn(X, X[:4], 3, metric="l1", weights=weights, method="exact")
    np.testing.assert_array_equal(one.index, two.index)


class Broken(Exception):
    pass


def fail(*_):
    raise Broken("in a function")


@pytest.mark.parametrize("on_main", [True, False])
def test_what_functions_raise_comes_back(on_main):
    calls = [lambda: libbmo.knn(X, X[:1], 1, rho=fail), lambda: libbmo.best_arms(fail, 3, 1, lower=0, upper=1),
             lambda: libbmo.best_arms(zeros, 3, 1, exact=fail, exact_cost=5, method="exact"),
             lambda: libbmo.knn_graph(X, 1, method="exact", progress=fail)]
    raised = []

    def work():
        for call in calls:
            try:
                call()
            except Broken as failure:
                raised.append(failure)

    if on_main:
        work()
    else:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert len(raised) == len(calls)
    assert all(failure.__traceback__ is not None for failure in raised)


@pytest.mark.parametrize("answer, kind, says", [
    (lambda a: a[:-1], ValueError, "rho returned shape"), (lambda a: None, ValueError, "rho returned shape"), (lambda a: -1 - abs(a), ValueError, "rho"),
    (lambda a: a * np.nan, ValueError, "rho"), (lambda a: 1.0, ValueError, "rho returned shape")])
def test_what_rho_must_not_return(answer, kind, says):
    with pytest.raises((kind, libbmo.CallbackError), match=says):
        libbmo.knn(X, X[:1], 1, rho=lambda a, b, coordinate: answer(a))


def test_rho_that_is_no_function():
    with pytest.raises(TypeError, match="rho is 3; expected a function"):
        libbmo.knn(X, X, 1, rho=3)


def zeros(arms, m, stream):
    return np.zeros(len(arms)), np.zeros(len(arms))


MEANS = np.array([0.5, 0.1, 0.9, 0.2, 0.6])


def coins(arms, m, stream):
    heads = np.random.default_rng(stream).binomial(m, MEANS[arms]).astype(float)
    return heads, heads


@pytest.mark.parametrize("maximize, best", [(False, [1, 3]), (True, [2, 4])])
def test_best_arms(maximize, best):
    found = libbmo.best_arms(coins, 5, 2, lower=0, upper=1, maximize=maximize, delta=1e-6)
    assert sorted(found.arm) == best and found.stats.guarantee is libbmo.Guarantee.PROVEN
    assert (np.abs(found.mean - MEANS[found.arm]) <= found.halfwidth).all()
    assert f"arm: {found.arm}" in repr(found)
    exact = libbmo.best_arms(coins, 5, 2, exact=lambda arm: MEANS[arm], exact_cost=100, lower=0, upper=1, maximize=maximize,
                             method="exact")
    np.testing.assert_array_equal(exact.mean, MEANS[exact.arm])
    assert not exact.halfwidth.any() and exact.stats.guarantee is libbmo.Guarantee.EXACT


def test_one_bound():
    assert libbmo.best_arms(coins, 5, 1, lower=0, exact=lambda arm: MEANS[arm], exact_cost=1000).arm[0] == 1


WRONG_ARMS = {
    "pull": (dict(pull=3), TypeError, "pull is 3; expected a function"),
    "no pull": (dict(pull=None), TypeError, "pull is None"),
    "exact": (dict(exact=3), TypeError, "exact is 3; expected a function"),
    "cost": (dict(exact=abs), ValueError, "exact_cost is 0"),
    "negative cost": (dict(exact_cost=-1), ValueError, "exact_cost is -1"),
    "n": (dict(n=0), ValueError, "n is 0; expected 1 to"),
    "k": (dict(k=6), ValueError, "k is 6; expected 1 to 5"),
    "bounds": (dict(lower=1, upper=0), ValueError, "lower is 1 and upper 0; expected lower < upper"),
    "method": (dict(method="exact"), ValueError, "method is exact, but exact is not given"),
    "confidence": (dict(confidence="bernstein"), ValueError, "bounded on both sides"),
    "shape": (dict(pull=lambda arms, m, stream: (0.0, 0.0)), ValueError, r"pull returned what has shape \(2,\)"),
    "one": (dict(pull=lambda arms, m, stream: 0.0), ValueError, r"pull returned what has shape \(\)"),
    "out of bounds": (dict(pull=lambda arms, m, stream: (np.full(len(arms), 9.0 * m), np.full(len(arms), 81.0 * m)), lower=0, upper=1),
                      libbmo.CallbackError, "pull"),
}


@pytest.mark.parametrize("name", WRONG_ARMS)
def test_arms_that_are_refused(name):
    changed, kind, says = WRONG_ARMS[name]
    with pytest.raises(kind, match=says):
        libbmo.best_arms(**{"pull": coins, "n": 5, "k": 1, **changed})
