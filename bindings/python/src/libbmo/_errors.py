"""What a failing call raises, in the words of this package."""
from __future__ import annotations

import ctypes
import re
from typing import NoReturn

from . import _structs
from ._library import lib


class Error(Exception):
    """A call of libbmo failed.

    Attributes
    ----------
    status : str
        The name of the failure in bmo.h, such as ``"BMO_EINVAL"``.
    argument : str
        The argument or parameter at fault, such as ``"k"``; ``""`` if none is.
    row, col : int or None
        The point and the coordinate at fault, counted from 0.
    """

    status = "BMO_EINTERNAL"

    def __init__(self, message: str, argument: str = "", row: int | None = None, col: int | None = None) -> None:
        super().__init__(message)
        self.argument = argument
        self.row = row
        self.col = col

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.argument, self.row, self.col)


class InvalidArgument(Error, ValueError):
    """An argument is out of its range."""

    status = "BMO_EINVAL"


class InvalidType(Error, TypeError):
    """An argument has a type that is not taken."""

    status = "BMO_EINVAL"


class OutOfMemory(Error, MemoryError):
    """Memory ran out; nothing was changed."""

    status = "BMO_ENOMEM"


class FileError(Error, OSError):
    """A file could not be read, mapped or written."""

    status = "BMO_EIO"


class FormatError(Error, ValueError):
    """A file is not what its name or header says."""

    status = "BMO_EFORMAT"


class VersionError(Error, ValueError):
    """A file comes from another version of the library."""

    status = "BMO_EVERSION"


class Unsupported(Error, ValueError):
    """What was asked is valid, but libbmo does not support it."""

    status = "BMO_EUNSUPPORTED"


class NonFinite(Error, ValueError):
    """NaN or infinity in the points or queries; ``row`` and ``col`` tell where."""

    status = "BMO_ENONFINITE"


class Overflow(Error, OverflowError):
    """A product of sizes, or a distance, is beyond its type."""

    status = "BMO_EOVERFLOW"


class Canceled(Error):
    """The call was stopped by its `Cancel`."""

    status = "BMO_ECANCELED"


class CallbackError(Error, ValueError):
    """A function of yours returned what it must not return."""

    status = "BMO_ECALLBACK"


class InternalError(Error, RuntimeError):
    """A bug in the library: please report the message."""


_KINDS: dict[str, type[Error]] = {
    kind.status: kind for kind in (InvalidArgument, OutOfMemory, FileError, FormatError, VersionError, Unsupported, NonFinite,
                                   Overflow, Canceled, CallbackError, InternalError)}

# What C's words are called here.
_NAMES = {
    "bmo_config_set_rho()": "rho=...", "bmo_dataset_prepare()": "prepare()", "BMO_F32": "float32", "BMO_F64": "float64",
    "query": "points", "nrows": "len(rows)", "candidates.rows": "candidates",
    "limits.max_distance": "max_distance", "out.limits.max_distance": "max_distance",
    "limits.max_pairs": "max_pairs", "out.limits.max_pairs": "max_pairs", "out.distance_dtype": "out", "out.k": "k",
    "arms.n": "n", "arms.pull": "pull", "arms.exact": "exact", "arms.exact_cost": "exact_cost", "arms.lower": "lower",
    "arms.upper": "upper",
    "run.k": "k", "run.n_init": "n_init", "run.max_iter": "max_iter", "run.tol": "tol", "run.centers": "init",
    "run.inertia": "inertia"}
# Behind the name of points: data.pointers is points.indptr.
_FIELDS = {"n": "shape[0]", "d": "shape[1]", "nnz": "nnz", "pointers": "indptr", "indices": "indices", "values": "data"}

# A word, a position or the remark that positions count from 0, with C's marks around it. Python counts as C does.
_MARKED = re.compile("([\1\2\4])([^\3]*)\3?")


def _name(word: str, points: str) -> str:
    """What a word of C is called here, with `points` for data or queries. What has no name stays as it is."""
    head, dot, field = word.partition(".")
    if head in ("data", "queries") and (not dot or field in _FIELDS):
        return points + dot + _FIELDS.get(field, "")
    return _NAMES.get(word, word)


def translate(marked: str, points: str) -> str:
    """A message of C in the words of this package."""
    return _MARKED.sub(lambda mark: _name(mark[2], points) if mark[1] == "\1" else mark[2], marked)


def check(status: int, points: str = "points") -> None:
    """Raises what the last call of this thread said, if it failed. `points` is what C calls data or queries."""
    if status:
        _raise(points)


def _raise(points: str) -> NoReturn:
    detail = _structs.Error.blank()
    lib.bmo_error_detail(ctypes.byref(detail))
    place = [None if at < 0 else at for at in (detail.row, detail.col)]
    kind = _KINDS.get(lib.bmo_status_name(detail.status).decode(), InternalError)
    raise kind(translate(detail.marked.decode(), points), _name(detail.argument.decode(), points), *place)


def refuse(argument: str, message: str, row: int | None = None, col: int | None = None) -> NoReturn:
    """An argument that does not reach C."""
    raise InvalidArgument(message, argument, row, col)


def refuse_type(argument: str, message: str) -> NoReturn:
    """An argument whose type does not reach C."""
    raise InvalidType(message, argument)
