"""Arrays of the caller as the library reads them.

The one conversion of the package is `as_points`. Everything that takes points or queries goes through it.
"""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _structs
from ._errors import refuse, refuse_type
from ._library import lib


def dtype_of(number: int) -> np.dtype[Any]:
    """The type of a bmo_dtype."""
    name = lib.bmo_dtype_name(number).decode()
    return np.dtype("V2" if name == "bfloat16" else name)  # NumPy has no bfloat16


# In place. The library converts integers of more than 8 bits itself.
_NATIVE = {dtype_of(number): number for number in _structs.DTYPES if dtype_of(number).kind != "V"}
# Exactly, by a copy.
_CONVERTED = {np.dtype(np.uint64): np.dtype(np.int64)}

_from_buffer: Any = ctypes.c_char.from_buffer


class Points:
    """Points in the caller's memory: a struct of bmo.h, and the arrays that it points into."""

    __slots__ = ("arrays", "d", "is_sparse", "n", "struct")

    def __init__(self, struct: bytes, arrays: tuple[np.ndarray[Any, Any], ...], n: int, d: int, is_sparse: bool) -> None:
        self.struct = struct
        self.arrays = arrays
        self.n = n
        self.d = d
        self.is_sparse = is_sparse


def as_points(x: Any, name: str) -> Points:
    """Points from what the caller passed as the argument `name`.

    Used in place, without a copy:

    - NumPy arrays (``np.memmap`` too) of two dimensions, points x coordinates, of float16, float32, float64, int8, uint8 or
      bool, in C or Fortran order or with any other positive strides, writable or not;
    - SciPy's CSR arrays and matrices with sorted indices and no stored zeros, of float32 or float64.

    Copied, exactly: other integers; byte orders of another machine; strides that are negative, zero or no
    multiple of the item's size; other formats of SciPy (CSC is transposed, others are converted by ``tocsr()``). Integers
    must be within 2**53.

    All else goes through ``numpy.asarray(x)``: frames of pandas and polars, tensors, nested lists, and whatever has
    ``__array__``. Masked arrays, and arrays of objects, complex numbers, times or texts, are refused.
    """
    if type(x) is np.ndarray:
        array = x
    elif hasattr(x, "tocsr"):
        return _sparse_points(x, name)
    else:
        if isinstance(x, np.ma.MaskedArray):
            refuse_type(name, f"{name} is a masked array; fill it first: {name}.filled(value)")
        array = np.asarray(x)
    if array.ndim != 2:
        hint = f" For a single point: {name}.reshape(1, -1)." if array.ndim == 1 else ""
        refuse(name, f"{name} has shape {array.shape}; expected two dimensions, points x coordinates.{hint}")
    array = plain_values(array, name)
    n, d = array.shape
    if d == 0:
        refuse(name, f"{name} has shape {array.shape}; expected 1 coordinate or more")
    strides = element_strides(array)
    if strides is None:
        array, strides = array.copy("C"), (0, 0)
    return Points(_structs.Dense.packed(_NATIVE[array.dtype], address(array), n, d, *strides), (array,), n, d, False)


def element_strides(array: np.ndarray[Any, Any]) -> tuple[int, int] | None:
    """The strides of a matrix as the library counts them, in elements; None if it cannot use the array in place."""
    flags = array.flags
    if flags.c_contiguous and flags.aligned:
        return 0, 0
    size = array.itemsize
    (n, d), (outer, inner) = array.shape, array.strides
    # The stride of an axis without a second element says nothing: 0 has the library take its own.
    outer, inner = outer if n > 1 else 0, inner if d > 1 else 0
    if (outer <= 0 < n - 1) or (inner <= 0 < d - 1) or outer % size or inner % size or not flags.aligned:
        return None
    return outer // size, inner // size


def plain_values(array: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    """The array in a type that the library reads, with the same values."""
    dtype = array.dtype
    if dtype in _NATIVE:  # which a type of another byte order is not
        return array
    if dtype == np.bool_:
        return array.view(np.uint8)
    native = dtype.newbyteorder("=")
    if native not in _NATIVE and native not in _CONVERTED:
        if dtype.kind == "O":
            refuse_type(name, f"{name} has dtype object; expected numbers. Convert it first: {name}.astype(float)")
        refuse_type(name, f"{name} has dtype {dtype}; expected real numbers of at most 64 bits")
    if native == np.uint64 and array.size and array.max() > 1 << 53:
        row, col = np.unravel_index(int(array.argmax()), array.shape)[-2:] if array.ndim == 2 else (None, None)
        refuse(name, f"{name} has the value {array.max()}; expected integers of at most 2**53 (9007199254740992)",
               None if row is None else int(row), None if col is None else int(col))
    return array.astype(_CONVERTED.get(native, native))


def address(array: np.ndarray[Any, Any]) -> int:
    """Where the array's first element is."""
    try:
        return ctypes.addressof(_from_buffer(array))  # in a third of the time
    except (TypeError, ValueError, BufferError):  # read-only, empty, or not in one piece
        return int(array.__array_interface__["data"][0])


def _sparse_points(x: Any, name: str) -> Points:
    if len(x.shape) != 2:
        refuse(name, f"{name} has shape {x.shape}; expected two dimensions, points x coordinates")
    if x.format not in ("csr", "csc"):
        x = x.tocsr()
    n, d = x.shape
    if d == 0:
        refuse(name, f"{name} has shape {x.shape}; expected 1 coordinate or more")
    values = np.ascontiguousarray(plain_values(x.data, name))
    indptr, indices = (np.ascontiguousarray(part) for part in (x.indptr, x.indices))
    for part, label in ((indptr, "indptr"), (indices, "indices")):
        if part.dtype not in (np.int32, np.int64):
            refuse_type(f"{name}.{label}", f"{name}.{label} has dtype {part.dtype}; expected int32 or int64")
    lines = n if x.format == "csr" else d
    if len(indptr) != lines + 1:
        refuse(f"{name}.indptr", f"{name}.indptr has {len(indptr)} elements; expected {lines + 1}")
    nnz = int(indptr[-1])
    if not 0 <= nnz <= min(len(indices), len(values)):
        refuse(f"{name}.indptr", f"{name}.indptr ends with {nnz}; expected 0 to {min(len(indices), len(values))}, the "
                                 "length of indices and data")
    orientation = _structs.POINTS_COMPRESSED if x.format == "csr" else _structs.COORDS_COMPRESSED
    struct = _structs.Sparse.packed(orientation, 0, _NATIVE[indptr.dtype], _NATIVE[indices.dtype], _NATIVE[values.dtype], n, d,
                                    nnz, address(indptr), address(indices), address(values))
    return Points(struct, (indptr, indices, values), n, d, True)
