"""The library's table of parameters, and the keywords that set them."""
from __future__ import annotations

import ctypes
import functools
import inspect
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Literal, TypedDict, TypeVar, cast

import numpy as np

from . import _structs
from ._callbacks import Rho
from ._errors import InvalidType, check, refuse, refuse_type
from ._library import lib
from ._watch import Cancel, ProgressLike, watched

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_TYPES: dict[int, str] = {1: "integer", 2: "real", 3: "choice"}


@dataclass(frozen=True)
class Param:
    """A parameter of the library's table.

    Attributes
    ----------
    name : str
        The keyword.
    type : str
        ``"integer"``, ``"real"`` or ``"choice"``.
    default : str
        The default, as text.
    choices : tuple of str
        The values of a choice; otherwise empty.
    lower, upper : int, float or None
        The range; None for a choice.
    summary : str
        One line about it.
    """

    name: str
    type: str
    default: str
    choices: tuple[str, ...]
    lower: float | int | None
    upper: float | int | None
    summary: str


@dataclass(frozen=True)
class _Line:
    """A parameter with its number, and the calls that read it."""

    number: int
    calls: int
    param: Param


@functools.lru_cache(maxsize=None)
def _lines() -> dict[str, _Line]:
    lines = {}
    for position in range(lib.bmo_param_count()):
        info = _structs.ParamInfo.blank()
        check(lib.bmo_param_at(position, ctypes.byref(info)))
        kind = _TYPES[info.type]
        choices = tuple(info.choices.decode().split("|")) if kind == "choice" else ()
        bounds = {"integer": (info.lower_i64, info.upper_i64), "real": (info.lower_f64, info.upper_f64)}.get(kind, (None, None))
        param = Param(info.name.decode(), kind, info.initial.decode(), choices, *bounds, info.summary.decode())
        lines[param.name] = _Line(info.param, info.calls, param)
    return lines


def params() -> dict[str, Param]:
    """The library's table of parameters: each is a keyword of the functions that read it.

    One that is given and does not count is refused.

    Returns
    -------
    dict of str to Param

    Examples
    --------
    >>> import libbmo
    >>> libbmo.params()["delta"].default
    '0.01'
    >>> libbmo.params()["delta_scope"].choices
    ('query', 'call')
    """
    return {name: line.param for name, line in _lines().items()}


class Params(TypedDict, total=False):
    """The keywords that set parameters. `params` has their ranges and defaults; None leaves a default as it is."""

    metric: Literal["l2", "sqeuclidean", "l1", "lp", "cosine", "inner_product", "custom"] | None
    p: float | None
    delta: float | None
    delta_scope: Literal["query", "call"] | None
    epsilon: float | None
    seed: int | None
    threads: int | None
    method: Literal["auto", "bandit", "exact", "uniform"] | None
    box: Literal["auto", "dense", "rotated", "projected", "sketch", "sparse", "sparse_union"] | None
    expected_queries: int | None
    bandit: Literal["auto", "race", "ucb", "lucb", "lucb++"] | None
    confidence: Literal["auto", "betting", "bernstein", "beta", "subgaussian", "empirical", "pooled"] | None
    sampling: Literal["auto", "without_replacement", "with_replacement", "importance"] | None
    sigma: float | None
    init_pulls: int | None
    arms_per_round: int | None
    pulls_per_round: int | None
    max_pulls: int | None
    uniform_pulls: int | None
    weights: ArrayLike | None
    rho: Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]], ArrayLike] | None


NOT_IN_THE_TABLE = ("weights", "rho")


def _default(param: Param) -> object:
    return {"integer": int, "real": float, "choice": str}[param.type](param.default)


def counts(name: str, calls: int) -> bool:
    """Whether one of these calls reads a parameter. k-means takes neither weights nor rho, and arms have no coordinates."""
    if name in NOT_IN_THE_TABLE:
        return bool(calls & ~(_structs.CALL_KMEANS | _structs.CALL_ARMS))
    return bool(_lines()[name].calls & calls)


def counting(params: Params, calls: int) -> Params:
    """Those that one of these calls reads, of parameters that were checked for several."""
    return cast(Params, {name: value for name, value in params.items() if counts(name, calls)})


def _keywords(calls: int) -> list[inspect.Parameter]:
    """The parameters that one of these calls reads, as keywords of a signature."""
    table = params()
    return [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_default(table[name]) if name in table else None)
            for name in Params.__annotations__ if counts(name, calls)]


Function = TypeVar("Function", bound=Callable[..., Any])


def takes_params(calls: int) -> Callable[[Function], Function]:
    """Shows each parameter that these calls read in a function's signature, in place of its ``**params``."""

    def shown(function: Function) -> Function:
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        function.__signature__ = signature.replace(parameters=[*own, *_keywords(calls)])  # type: ignore[attr-defined]
        return function

    return shown


def int64(value: object, name: str) -> int:
    """An integer that fits C's int64."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        refuse_type(name, f"{name} is {value!r}; expected an integer")
    if not -(1 << 63) <= number < 1 << 63:
        refuse(name, f"{name} is {number}; expected an integer of 64 bits")
    return number


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        refuse_type(name, f"{name} is {value!r}; expected a number or a text")
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    try:
        return str(operator.index(value))  # type: ignore[arg-type]
    except TypeError:
        raise InvalidType(f"{name} is {value!r}; expected a number or a text", name) from None


class Config:
    """A bmo_config with these parameters. It has to live as long as what was made with it, for the sake of `rho`.

    What counts in none of the calls is refused. Without calls, nothing is.
    """

    def __init__(self, params: Mapping[str, Any], calls: int = 0) -> None:
        handle = ctypes.c_void_p()
        check(lib.bmo_config_create(ctypes.byref(handle)))
        self.handle = handle
        self.rho: Rho | None = None
        for name, value in params.items():
            if value is not None:
                self._set(name, value)
        if self.rho and params.get("metric") not in (None, "custom"):
            refuse("metric", f"metric is {params['metric']!r} beside rho; expected 'custom', or none")
        if calls:
            check(lib.bmo_config_check(handle, calls))

    def watched(self, call: Callable[[Any], int], progress: ProgressLike, cancel: Cancel | None,
                points: str = "points") -> None:
        """Makes a call with this config. `points` is what C calls data or points."""
        if self.rho is None:
            watched(call, points, progress, cancel)
        else:
            self.rho.failures.watched(call, points, progress, cancel)

    def _set(self, name: str, value: Any) -> None:
        if name == "weights":
            self._set_weights(value)
        elif name == "rho":
            self.rho = Rho(value)
            check(lib.bmo_config_set_rho(self.handle, ctypes.cast(self.rho.callback, ctypes.c_void_p), 0, None))
            self._set("metric", "custom")
        elif name not in Params.__annotations__:
            raise TypeError(f"{name!r} is no parameter; expected one of {', '.join(Params.__annotations__)}")
        else:
            text = _text(name, value).encode()
            if b"\0" in text:
                refuse(name, f"{name} is {value!r}; expected a text without NUL")
            check(lib.bmo_config_set_text(self.handle, name.encode(), text))

    def _set_weights(self, weights: Any) -> None:
        values = np.ascontiguousarray(weights, np.float64)
        if values.ndim != 1:
            refuse("weights", f"weights has shape {values.shape}; expected one dimension")
        check(lib.bmo_config_set_weights(self.handle, values.ctypes.data, values.size))

    def __del__(self, free: Any = lib.bmo_config_free) -> None:
        free(getattr(self, "handle", None))


@functools.lru_cache(maxsize=None)
def choice_names() -> dict[str, dict[int, str]]:
    """The name of each value of each choice, as the library tells them. 0, which is auto or no part in the work: ``""``."""
    return {param.name: {**{read_value(param.name, choice).value: choice for choice in param.choices}, 0: ""}
            for param in params().values() if param.type == "choice"}


def read_value(name: str, value: object) -> ctypes.c_int64:
    """An integer or a choice as the library reads it."""
    config, read = Config({name: value}), ctypes.c_int64()
    check(lib.bmo_config_get_i64(config.handle, _lines()[name].number, ctypes.byref(read)))
    return read
