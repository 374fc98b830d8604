"""Numbers of points, in every form that chooses points."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import refuse, refuse_type

if TYPE_CHECKING:
    from numpy.typing import NDArray


def row_numbers(rows: Any, name: str = "rows") -> NDArray[np.int64]:
    """Numbers of points, as the library reads them."""
    chosen = np.asarray(rows)
    if chosen.ndim != 1:
        refuse(name, f"{name} has shape {chosen.shape}; expected one dimension")
    if chosen.size and chosen.dtype.kind not in "iu":
        refuse_type(name, f"{name} has dtype {chosen.dtype}; expected integers")
    return np.ascontiguousarray(chosen, np.int64)


def chosen_rows(rows: Any, n: int, name: str) -> NDArray[np.int64]:
    """Numbers of points, which may be given as a slice or a mask of all n."""
    if isinstance(rows, slice):
        return _sliced_rows(rows, n, name)
    given = np.asarray(rows)
    if given.dtype != np.bool_:
        return row_numbers(given, name)
    if given.shape != (n,):
        refuse(name, f"{name} is a mask of shape {given.shape}; expected shape {(n,)}, a value for each point")
    return row_numbers(np.flatnonzero(given), name)


def _sliced_rows(rows: slice, n: int, name: str) -> NDArray[np.int64]:
    try:
        return np.arange(*rows.indices(n), dtype=np.int64)
    except TypeError:
        refuse_type(name, f"{name} is {rows!r}; expected a slice of integers")
    except ValueError:
        refuse(name, f"{name} is {rows!r}; expected a step that is not 0")
