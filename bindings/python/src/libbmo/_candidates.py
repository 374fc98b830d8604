"""Which points may be neighbors of a query: chosen points, and those whose labels fit that of the query."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _structs
from ._errors import refuse, refuse_type
from ._points import address
from ._rows import chosen_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    LabelRule = Literal["same", "other"]

_RULES = {"same": 1, "other": 2}
_EXPECTED = "expected whole or real numbers, texts, or objects that can be hashed"


class Candidates:
    """The chosen points, and the labels with their rule, as the library reads them."""

    __slots__ = ("_codes", "_labels", "_rows", "rule")

    def __init__(self, candidates: Any, labels: Any, label_rule: LabelRule | None, n: int) -> None:
        _check_rule(label_rule, labels)
        self.rule = label_rule
        self._rows = None if candidates is None else chosen_rows(candidates, n, "candidates")
        self._codes: dict[Any, int] = {}  # of each label
        self._labels = None if labels is None else self._coded_points(labels, n)

    def _coded_points(self, labels: Any, n: int) -> NDArray[np.int32]:
        values = _values(labels, "labels", n, "point")
        return np.array([self._codes.setdefault(value, len(self._codes)) for value in values], np.int32)

    @property
    def struct(self) -> bytes:
        """It points to arrays of this object."""
        rows, labels = (0 if array is None else address(array) for array in (self._rows, self._labels))
        return _structs.Candidates.packed(_RULES[self.rule] if self.rule else 0, rows, 0 if self._rows is None else len(self._rows),
                                          0, labels)

    def coded(self, query_labels: Any, m: int) -> NDArray[np.int32]:
        """The codes of the labels of m queries. All labels that no point has share one: queries are not compared."""
        if query_labels is None:
            refuse("query_labels", f"query_labels is None; expected a label for each query, for label_rule is {self.rule!r}")
        unknown = len(self._codes)
        return np.array([self._codes.get(value, unknown) for value in _values(query_labels, "query_labels", m, "query")], np.int32)


def candidates_of(candidates: Any, labels: Any, label_rule: LabelRule | None, n: int) -> Candidates | None:
    """None if all of the n points are candidates."""
    if candidates is None and labels is None and label_rule is None:
        return None
    return Candidates(candidates, labels, label_rule, n)


def coded_labels(candidates: Candidates | None, query_labels: Any, m: int) -> NDArray[np.int32] | None:
    """Labels of m queries as the library reads them; None where labels do not count."""
    if candidates is not None and candidates.rule is not None:
        return candidates.coded(query_labels, m)
    if query_labels is not None:
        refuse("query_labels", "query_labels are given; expected None, for there is no label_rule")
    return None


def _check_rule(label_rule: Any, labels: Any) -> None:
    if label_rule is not None and not (isinstance(label_rule, str) and label_rule in _RULES):
        refuse("label_rule", f"label_rule is {label_rule!r}; expected 'same' or 'other'")
    if label_rule is None and labels is not None:
        refuse("label_rule", "label_rule is None; expected 'same' or 'other', for there are labels")
    if label_rule is not None and labels is None:
        refuse("labels", f"labels is None; expected a label for each point, for label_rule is {label_rule!r}")


def _values(labels: Any, name: str, count: int, of: str) -> list[Any]:
    """Labels as objects of Python, which are equal if their values are."""
    if isinstance(labels, np.ma.MaskedArray):
        refuse_type(name, f"{name} is a masked array; expected a label for each {of}")
    # Without a type of its own, NumPy would make texts of numbers beside texts.
    array = np.asarray(labels) if hasattr(labels, "__array__") else np.array(labels, object)
    if array.shape != (count,):
        refuse(name, f"{name} has shape {array.shape}; expected {(count,)}, a label for each {of}")
    if array.dtype.kind not in "biufSUO":
        refuse_type(name, f"{name} has dtype {array.dtype}; {_EXPECTED}")
    values: list[Any] = array.tolist()
    _check_values(values, name)
    return values


def _check_values(values: list[Any], name: str) -> None:
    try:
        missing = {value for value in set(values) if _is_missing(value)}
    except TypeError:
        refuse_type(name, f"{name} has a value that cannot be hashed; {_EXPECTED}")
    if missing:
        at = next(i for i, value in enumerate(values) if value in missing)
        refuse(name, f"{name}[{at}] is {values[at]!r}; expected a label", row=at)


def _is_missing(value: Any) -> bool:
    """Whether it stands for no value: None, NaN, pandas.NA."""
    try:
        return value is None or not value == value
    except TypeError:  # pandas.NA tells no truth
        return True
