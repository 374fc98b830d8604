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

# C's words for what has another name here, in the order in which they are looked for.
_WORDS = (
    ("the config has no callback: call bmo_config_set_rho() first", "no function was given: set rho"),
    ("call bmo_dataset_prepare() with this config first", "call prepare() with these parameters first"),
    ("bmo_dataset_prepare()", "prepare()"),
    ("prepare it again with this config", "prepare it again with these parameters"),
    ("the config has", "the parameters have"),
    ("(BMO_ARMS_BOUNDED)", "(lower, upper)"),
    ("BMO_I32", "int32"), ("BMO_I64", "int64"), ("BMO_F32", "float32"), ("BMO_F64", "float64"), ("BMO_U8", "uint8"),
    ("BMO_I8", "int8"), ("BMO_I16", "int16"), ("BMO_U16", "uint16"), ("BMO_U32", "uint32"), ("BMO_F16", "float16"),
    ("BMO_BF16", "bfloat16"),
    ("arms.exact is NULL", "exact is None"),
    ("data.pointers", "data.indptr"), ("data.values", "data.data"), ("queries.pointers", "queries.indptr"),
    ("queries.values", "queries.data"), ("queries.d ", "queries.shape[1] "),
)
# Fields of structs in C, and arguments here.
_FIELD = re.compile(r"(?<![\w./'\"])(?:arms|run|out)\.(?=[a-z])")


def translate(text: str, points: str) -> str:
    """A message or the name of an argument, with `points` for what C calls data or queries."""
    for theirs, ours in _WORDS:
        text = text.replace(theirs, ours)
    for head in ("data", "queries"):
        if text == head or text.startswith((head + ".", head + ":", head + "[")):
            text = points + text[len(head):]
            break
    return _FIELD.sub("", text)


def check(status: int, points: str | None = "points") -> None:
    """Raises what the last call of this thread said, if it failed.

    `points` is what C calls data or queries. None leaves the message as it is: it has a path of the user's.
    """
    if status:
        _raise(points)


def _raise(points: str | None) -> NoReturn:
    detail = _structs.Error.blank()
    lib.bmo_error_detail(ctypes.byref(detail))
    message = detail.message.decode()
    argument = detail.argument.decode()
    place = [None if at < 0 else at for at in (detail.row, detail.col)]
    kind = _KINDS.get(lib.bmo_status_name(detail.status).decode(), InternalError)
    if points is not None:
        message, argument = translate(message, points), translate(argument, points)
    raise kind(message, argument, *place)


def refuse(argument: str, message: str, row: int | None = None, col: int | None = None) -> NoReturn:
    """An argument that does not reach C."""
    raise InvalidArgument(message, argument, row, col)


def refuse_type(argument: str, message: str) -> NoReturn:
    """An argument whose type does not reach C."""
    raise InvalidType(message, argument)
