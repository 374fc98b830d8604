"""Keywords against the library's table."""
from __future__ import annotations

import ctypes
import inspect
import math
import sys
import typing

import numpy as np
import pytest

import libbmo
from libbmo import _errors, _params, _structs, _watch
from libbmo._library import lib

TABLE = libbmo.params()
KNN, RADIUS, KMEANS, MEDOID, ARMS, PREPARE = CALLS = [_structs.CALL_KNN, _structs.CALL_RADIUS, _structs.CALL_KMEANS,
                                                      _structs.CALL_MEDOID, _structs.CALL_ARMS, _structs.CALL_PREPARE]
FUNCTIONS = {libbmo.knn: KNN | PREPARE, libbmo.knn_graph: KNN | PREPARE, libbmo.kmeans: KMEANS, libbmo.medoid: MEDOID,
             libbmo.best_arms: ARMS, libbmo.Searcher: KNN | RADIUS, libbmo.Dataset.prepare: PREPARE}


def test_keywords_are_the_table():
    assert set(_params.Params.__annotations__) == {*TABLE, *_params.NOT_IN_THE_TABLE}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_signatures_are_the_table(function):
    shown, calls = inspect.signature(function).parameters, FUNCTIONS[function]
    for name, param in TABLE.items():
        assert (name in shown) == bool(_params._lines()[name].calls & calls)
        if name in shown:
            assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
            assert shown[name].default == _params._default(param)
    for name in _params.NOT_IN_THE_TABLE:
        assert (name in shown) == (calls not in (KMEANS, ARMS))
        assert name not in shown or shown[name].default is None
    assert "params" not in shown


@pytest.mark.skipif(sys.version_info < (3, 10), reason="Python 3.9 cannot read the hints")
def test_types_of_keywords_are_those_of_the_table():
    hints = typing.get_type_hints(_params.Params, localns={"ArrayLike": object})
    for name, param in TABLE.items():
        kinds = typing.get_args(hints[name])
        assert type(None) in kinds
        if param.type == "choice":
            assert {word for kind in kinds for word in typing.get_args(kind)} == set(param.choices)
        else:
            assert {"integer": int, "real": float}[param.type] in kinds


@pytest.mark.parametrize("name", TABLE)
def test_ranges(name):
    param = TABLE[name]
    config = _params.Config
    assert param.summary
    config({name: _params._default(param)})
    if param.type == "choice":
        for choice in param.choices:
            config({name: choice})
        wrong = ["neither", 1.5]
    elif param.type == "real":
        for inside in (param.lower, np.float64(param.upper), np.float32(1) if param.upper > 1 else param.upper):
            config({name: inside})
        wrong = [math.nextafter(param.lower, -math.inf), math.nan, "x"]
    else:
        for inside in (param.lower, np.int64(param.upper)):
            config({name: inside})
        wrong = [param.lower - 1, param.upper + 1, "x"]
    for value in wrong:
        with pytest.raises(libbmo.InvalidArgument, match=name):
            config({name: value})
    for value in (True, [1], 1j):
        with pytest.raises(libbmo.InvalidType, match=f"{name} is .*; expected a number or a text"):
            config({name: value})


def test_none_leaves_a_default():
    assert libbmo.Searcher(np.eye(3), metric=None, seed=None).knn(np.eye(3), 1).stats.seed == 0


def called(function, **params):
    arguments = {"points": np.eye(2), "queries": np.eye(2), "k": 1, "pull": print, "n": 2, "self": libbmo.Dataset(np.eye(2))}
    needed = [one.name for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    return function(**{name: arguments[name] for name in needed}, **params)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_unknown_keywords(function):
    with pytest.raises(TypeError, match="'metrik' is no parameter; expected one of metric, "):
        called(function, metrik="l1")


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_parameters_that_no_call_reads_are_refused(function, name):
    if _params._lines()[name].calls & FUNCTIONS[function]:
        return
    with pytest.raises(libbmo.InvalidArgument, match=f"{name} is .*, which does not count in this call; expected none") as refused:
        called(function, **{name: _params._default(TABLE[name])})
    assert refused.value.argument == name


P = r"p is 3, which does not count here; expected none, or metric lp"
ADAPTIVE = r"which does not count here; expected none, or bandit ucb, lucb or lucb\+\+"


@pytest.mark.parametrize("function, params, says", [
    (libbmo.knn, {"p": 3}, P), (libbmo.knn_graph, {"p": 3}, P), (libbmo.Searcher, {"p": 3}, P), (libbmo.medoid, {"p": 3}, P),
    (libbmo.Dataset.prepare, {"p": 3}, P), (libbmo.knn, {"init_pulls": 9}, ADAPTIVE), (libbmo.knn, {"pulls_per_round": 9}, ADAPTIVE),
    (libbmo.Searcher, {"max_pulls": 9}, ADAPTIVE), (libbmo.knn, {"arms_per_round": 9, "bandit": "lucb"}, "or bandit ucb"),
    (libbmo.knn, {"uniform_pulls": 9}, "or method uniform"), (libbmo.best_arms, {"sigma": 1}, "or confidence subgaussian"),
    (libbmo.knn, {"expected_queries": 9, "box": "rotated"}, "expected none, or box auto"),
    (libbmo.Dataset.prepare, {"expected_queries": 9, "box": "dense"}, "expected none, or box auto"),
    (libbmo.best_arms, {"weights": [1.0]}, "weights is given to best_arms"), (libbmo.best_arms, {"rho": print}, "rho is given to best_arms")])
def test_parameters_that_do_not_count_are_refused(function, params, says):
    with pytest.raises(libbmo.InvalidArgument, match=says) as refused:
        called(function, **params)
    assert refused.value.argument == next(iter(params))


def test_the_number_of_queries_counts_where_arrays_are_prepared():
    points = np.eye(3)
    assert libbmo.knn(points, points, 1, expected_queries=5, epsilon=0.0, threads=2).stats.threads == 2
    assert libbmo.knn_graph(points, 1, expected_queries=5, box="auto", delta_scope="call").index.shape == (3, 1)
    with pytest.raises(libbmo.InvalidArgument, match="expected_queries is 5, which does not count in this call"):
        libbmo.knn(libbmo.Dataset(points), points, 1, expected_queries=5)
    assert libbmo.knn(points, points[:0], 1, expected_queries=5).index.shape == (0, 1)


def test_texts_with_nul():
    with pytest.raises(libbmo.InvalidArgument, match="expected a text without NUL"):
        libbmo.knn(np.eye(2), np.eye(2), 1, metric="l1\0")


@pytest.mark.parametrize("weights, says", [([1, 2], "weights"), ([[1, 2, 3]], "one dimension"), ([1, -1, 1], "weights"),
                                           ([0, 0, 0], "weights"), ([1, np.nan, 1], "weights")])
def test_weights_that_do_not_fit(weights, says):
    with pytest.raises(libbmo.InvalidArgument, match=says):
        libbmo.knn(np.eye(3), np.eye(3), 1, weights=weights)


def test_params_that_do_not_combine():
    with pytest.raises(libbmo.InvalidArgument, match="metric is custom, but there is no rho: set one by rho=..."):
        libbmo.Searcher(np.eye(3), metric="custom")
    with pytest.raises(libbmo.InvalidArgument, match="metric is 'l1' beside rho"):
        libbmo.Searcher(np.eye(3), metric="l1", rho=print)


def test_structs_are_laid_out_as_c_lays_them_out():
    for struct in _structs.Struct.__subclasses__():
        size = ctypes.sizeof(struct)
        assert struct._packer.size <= size < struct._packer.size + 8
        values = range(1, len(struct._fields_))
        made = struct.from_buffer_copy(struct.packed(*values).ljust(size, b"\0"))
        told = [getattr(made, name) for name, kind in struct._fields_[1:] if kind is not _structs.c_char_p]
        assert told == [value for value, (_, kind) in zip(values, struct._fields_[1:]) if kind is not _structs.c_char_p]


def test_every_function_is_in_the_library():
    for name, (result, arguments) in _structs.PROTOTYPES.items():
        assert getattr(lib, name).argtypes == arguments and getattr(lib, name).restype == result


MESSAGES = {
    "no marks in it": "no marks in it", "": "",
    "\1run.k\3 is 0; expected 1 to 9": "k is 0; expected 1 to 9", "\1nrows\3 is 2147483647": "len(rows) is 2147483647",
    "\1data\3: the value of point \0020\3, coordinate \00217\3\4 (counted from 0)\3 is nan":
        "X: the value of point 0, coordinate 17 (counted from 0) is nan",
    "\1queries.pointers\3[\0021\3] is 7": "X.indptr[1] is 7",
    "\1data.values\3 and \1data.d\3": "X.data and X.shape[1]",
    "\1data.of_tomorrow\3 and \1unheard.of\3": "data.of_tomorrow and unheard.of",
    "of data.n, run.k and queries": "of data.n, run.k and queries",
    "cut in \1run.k": "cut in k", "cut at \2": "cut at "}


@pytest.mark.parametrize("marked", MESSAGES)
def test_words_of_c_are_named(marked):
    assert _errors.translate(marked, "X") == MESSAGES[marked]


def test_names_are_those_of_the_library():
    for guarantee in libbmo.Guarantee:
        assert lib.bmo_guarantee_name(guarantee).decode() == str(guarantee) == guarantee.name.lower()
    assert lib.bmo_guarantee_name(len(libbmo.Guarantee)) == lib.bmo_guarantee_name(-1) == b"unknown guarantee"
    assert list(_watch.PHASES.values()) == ["read", "check", "prepare", "search", "write"]
    assert lib.bmo_phase_name(len(_watch.PHASES) + 1) == b"unknown phase"
    assert lib.bmo_dtype_name(_structs.DTYPES.stop) == b"unknown type"
    assert [lib.bmo_dtype_name(dtype) for dtype in (_structs.F32, _structs.F64, _structs.I32, _structs.I64)] == [
        b"float32", b"float64", b"int32", b"int64"]


def test_library():
    assert libbmo.__version__.count(".") == 2
    assert libbmo.isa() in ("avx512vnni", "avx512", "avx2", "sse4", "neon", "scalar")
    assert libbmo.threads_available() >= 1
