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
from libbmo import _params, _structs
from libbmo._library import lib

TABLE = libbmo.params()
FUNCTIONS = [libbmo.knn, libbmo.knn_graph, libbmo.kmeans, libbmo.medoid, libbmo.best_arms, libbmo.Searcher, libbmo.Dataset.prepare]


def test_keywords_are_the_table():
    assert set(_params.Params.__annotations__) == {*TABLE, *_params.NOT_IN_THE_TABLE}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_signatures_are_the_table(function):
    shown = inspect.signature(function).parameters
    for name, param in TABLE.items():
        assert shown[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[name].default == _params._default(param)
    assert shown["weights"].default is None and "params" not in shown


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


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__qualname__)
def test_unknown_keywords(function):
    arguments = {"points": np.eye(2), "queries": np.eye(2), "k": 1, "pull": print, "n": 2, "self": libbmo.Dataset(np.eye(2))}
    needed = [one.name for one in inspect.signature(function).parameters.values() if one.default is one.empty]
    with pytest.raises(TypeError, match="'metrik' is no parameter; expected one of metric, "):
        function(**{name: arguments[name] for name in needed}, metrik="l1")


def test_texts_with_nul():
    with pytest.raises(libbmo.InvalidArgument, match="expected a text without NUL"):
        libbmo.knn(np.eye(2), np.eye(2), 1, metric="l1\0")


@pytest.mark.parametrize("weights, says", [([1, 2], "weights"), ([[1, 2, 3]], "one dimension"), ([1, -1, 1], "weights"),
                                           ([0, 0, 0], "weights"), ([1, np.nan, 1], "weights")])
def test_weights_that_do_not_fit(weights, says):
    with pytest.raises(libbmo.InvalidArgument, match=says):
        libbmo.knn(np.eye(3), np.eye(3), 1, weights=weights)


def test_params_that_do_not_combine():
    with pytest.raises(libbmo.InvalidArgument, match="no function was given: set rho"):
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


def test_library():
    assert libbmo.__version__.count(".") == 2
    assert libbmo.isa() in ("avx512vnni", "avx512", "avx2", "sse4", "neon", "scalar")
    assert libbmo.threads_available() >= 1
