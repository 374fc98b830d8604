"""The parameters of a search in shards: what divides among them without a loss, and what each test gets of delta."""
from __future__ import annotations

from typing import Any

from . import _structs
from ._errors import refuse
from ._params import Config, params as table

_PROVEN_BY_SHARDS = {  # the rest spends delta on points that are no neighbors, which are in every shard
    "method": ("auto", "bandit", "exact"), "box": ("auto", "dense", "rotated", "projected", "sketch", "sparse"), "bandit": ("auto", "race"),
    "sampling": ("auto", "without_replacement", "importance"), "confidence": ("auto", "betting", "beta")}


def check_params(params: Any, calls: int) -> None:
    Config(params, calls)
    for name, allowed in _PROVEN_BY_SHARDS.items():
        if params.get(name) not in (None, *allowed):
            refuse(name, f"{name} is {params[name]!r}; expected {', '.join(allowed)}, which shards divide without a loss")


def delta(params: Any) -> float:
    given = params.get("delta")
    return float(table()["delta"].default if given is None else given)


def per_query(params: Any, queries: int) -> dict[str, Any]:
    """The parameters for a call of any of the queries: each has its share of delta already."""
    check_params(params, _structs.CALL_KNN)
    own = {name: value for name, value in params.items() if value is not None}
    shared = own.pop("delta_scope", None) == "call"
    own["delta"] = delta(params)
    if shared and queries:
        least = table()["delta"].lower
        assert least is not None
        own["delta"] = max(own["delta"] / queries, least)  # below 1e-37 no test drops a point
    return own


def slack(d: int, params: dict[str, Any]) -> float:
    """By how much of a distance two shards can differ in it: what bmo.h says of last digits, twice."""
    p = float(params.get("p", 2)) if params.get("metric") == "lp" else 2.0
    return 2.0**-46 if p in (1, 2) else max(2.0**-46, (64 + d / 8) * 2.0**-52 / min(p, 1))
