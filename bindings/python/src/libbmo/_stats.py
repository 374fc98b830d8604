"""What a call did, and what was proved of its answer."""
from __future__ import annotations

import ctypes
import enum
import functools
from dataclasses import dataclass

from . import _structs
from ._params import choice_names


class Guarantee(enum.IntEnum):
    """What was proved of an answer; larger is stronger."""

    NONE = 0
    #: Usually right; delta is not a bound.
    HEURISTIC = 1
    #: Proven if ``stats.assumption`` holds.
    CONDITIONAL = 2
    #: Right with probability at least 1 - delta, whatever the data.
    PROVEN = 3
    #: Every distance was computed, or ruled out by a bound that cannot fail.
    EXACT = 4

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, repr=False)
class Stats:
    """What a call did.

    Attributes
    ----------
    guarantee : Guarantee
        What was proved of the answer.
    method, box, bandit, confidence, sampling : str
        What was used; ``""`` if it had no part.
    threads : int
        Threads of the call.
    assumption : str
        What a conditional guarantee rests on; otherwise ``""``.
    reason : str
        Why ``"auto"`` chose so; ``""`` if nothing was left to it.
    queries, arms : int
        Queries of the call, and candidates of one query.
    rounds : int
        Rounds of the bandit, over all queries.
    coord_ops_sampled : int
        Coordinate operations spent on sampling.
    exact_evals : int
        Distances computed in full.
    coord_ops : int
        All evaluations of a coordinate distance.
    coord_ops_exact : int
        Those of the distances computed in full.
    coord_ops_brute : int
        Those of the full scan.
    projection_ops : int
        Operations on the queries alone, beyond `coord_ops`.
    arms_pruned : int
        Candidates that certain bounds ruled out before a sample was read.
    neighbors : int
        Neighbors found: queries times k, or fewer if a largest distance leaves fewer.
    seed : int
        The seed of the random order.
    delta, epsilon : float
        The parameters of these names.
    seconds : float
        Wall time of the call inside the library.
    """

    guarantee: Guarantee
    method: str
    box: str
    bandit: str
    confidence: str
    sampling: str
    threads: int
    assumption: str
    reason: str
    queries: int
    arms: int
    rounds: int
    coord_ops_sampled: int
    exact_evals: int
    coord_ops: int
    coord_ops_exact: int
    coord_ops_brute: int
    projection_ops: int
    arms_pruned: int
    neighbors: int
    seed: int
    delta: float
    epsilon: float
    seconds: float

    @property
    def gain(self) -> float:
        """How many times fewer coordinate operations than the full scan; NaN if there were none."""
        return self.coord_ops_brute / self.coord_ops if self.coord_ops else float("nan")

    def __repr__(self) -> str:
        lines = [f"Stats(guarantee: {self.guarantee}{self._promise()}",
                 f"gain: {self.gain:.3g} ({self.coord_ops:,} coordinate operations; the full scan takes "
                 f"{self.coord_ops_brute:,})",
                 f"work: {self.queries:,} queries x {self.arms:,} candidates in {self.seconds:.3g} s, threads: {self.threads}"]
        used = {name: getattr(self, name) for name in ("method", "box", "bandit", "confidence", "sampling")}
        lines.append("used: " + ", ".join(f"{name} {value}" for name, value in used.items() if value))
        if self.reason:
            lines.append("reason: " + self.reason)
        return "\n      ".join(lines) + ")"

    def _promise(self) -> str:
        if self.guarantee is Guarantee.PROVEN:
            return f", wrong with probability at most {self.delta:g}"
        if self.guarantee is Guarantee.CONDITIONAL:
            return f", wrong with probability at most {self.delta:g} if {self.assumption}"
        return ""


_GUARANTEES = tuple(Guarantee)
_CHOICES = ("method", "box", "bandit", "confidence", "sampling")


@functools.lru_cache(maxsize=None)
def _static_text(at: int) -> str:
    return ctypes.string_at(at).decode()


def stats_of(told: _structs.Stats) -> Stats:
    """The same, of a struct that the library filled."""
    (guarantee, *used, threads, assumption, reason, queries, arms, rounds, coord_ops_sampled, exact_evals, coord_ops, coord_ops_exact,
     coord_ops_brute, projection_ops, seed, delta, epsilon, wall_ns, arms_pruned, neighbors) = told.values()
    names = choice_names()
    method, box, bandit, confidence, sampling = (names[choice][value] for choice, value in zip(_CHOICES, used))
    return Stats(
        guarantee=_GUARANTEES[guarantee], method=method, box=box, bandit=bandit, confidence=confidence, sampling=sampling,
        threads=threads, assumption=_static_text(assumption), reason=_static_text(reason), queries=queries, arms=arms,
        rounds=rounds, coord_ops_sampled=coord_ops_sampled, exact_evals=exact_evals, coord_ops=coord_ops, coord_ops_exact=coord_ops_exact,
        coord_ops_brute=coord_ops_brute, projection_ops=projection_ops, arms_pruned=arms_pruned, neighbors=neighbors, seed=seed, delta=delta,
        epsilon=epsilon, seconds=wall_ns * 1e-9)
