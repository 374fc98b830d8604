"""The structs of bmo.h, and the functions that the package calls."""
from __future__ import annotations

import ctypes
import functools
import struct
import sys
from collections.abc import Callable
from ctypes import c_char_p, c_double, c_int32, c_int64, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Self

F32, F64, I32, I64 = 1, 2, 4, 5
DTYPES = range(1, 12)  # bmo_dtype
PHASES = READ, CHECK, PREPARE, SEARCH, WRITE = 1, 2, 3, 4, 5
CALL_KNN, CALL_RADIUS, CALL_KMEANS, CALL_MEDOID, CALL_ARMS, CALL_PREPARE = 1, 2, 4, 8, 16, 32
COPY, BORROW = 0, 1
POINTS_COMPRESSED, COORDS_COMPRESSED = 0, 1


_LETTERS: dict[Any, str] = {c_char_p: "P", c_double: "d", c_int32: "i", c_int64: "q", c_uint32: "I", c_uint64: "Q", c_void_p: "P"}


class Struct(ctypes.Structure):
    """A struct whose first field is its size."""

    _packer: ClassVar[struct.Struct]
    _template: ClassVar[bytes]
    #: The struct with these fields, in their order, for a call that only reads it. Several times faster than ctypes.
    packed: ClassVar[Callable[..., bytes]]

    @classmethod
    def blank(cls) -> Self:
        """The struct for a call that fills it."""
        return cls.from_buffer_copy(cls._template)

    def values(self) -> tuple[Any, ...]:
        """The fields behind the first; texts as their addresses."""
        return self._packer.unpack_from(self)[1:]


StructT = TypeVar("StructT", bound=Struct)


def _laid_out(cls: type[StructT]) -> type[StructT]:
    """A class of which ctypes has seen the fields."""
    cls._packer = struct.Struct("@" + "".join(_LETTERS[field[1]] for field in cls._fields_))
    size = ctypes.sizeof(cls)
    cls._template = size.to_bytes(4, sys.byteorder).ljust(size, b"\0")
    cls.packed = staticmethod(functools.partial(cls._packer.pack, size))
    return cls


@_laid_out
class Error(Struct):
    _fields_ = [("struct_size", c_uint32), ("status", c_int32), ("row", c_int64), ("col", c_int64),
                ("callback_result", c_int32), ("reserved", c_int32), ("argument", c_char_p), ("message", c_char_p),
                ("marked", c_char_p)]


@_laid_out
class Progress(Struct):
    _fields_ = [("struct_size", c_uint32), ("phase", c_int32), ("done", c_int64), ("total", c_int64)]


@_laid_out
class Monitor(Struct):
    _fields_ = [("struct_size", c_uint32), ("interval_ms", c_int32), ("progress", c_void_p), ("ctx", c_void_p),
                ("cancel", c_void_p)]


@_laid_out
class Dense(Struct):
    _fields_ = [("struct_size", c_uint32), ("dtype", c_int32), ("data", c_void_p), ("n", c_int64), ("d", c_int64),
                ("point_stride", c_int64), ("coord_stride", c_int64)]


@_laid_out
class Sparse(Struct):
    _fields_ = [("struct_size", c_uint32), ("orientation", c_int32), ("index_base", c_int32), ("pointer_dtype", c_int32),
                ("index_dtype", c_int32), ("value_dtype", c_int32), ("n", c_int64), ("d", c_int64), ("nnz", c_int64),
                ("pointers", c_void_p), ("indices", c_void_p), ("values", c_void_p)]


@_laid_out
class DatasetInfo(Struct):
    _fields_ = [("struct_size", c_uint32), ("kind", c_int32), ("box", c_int32), ("metric", c_int32), ("dtype", c_int32),
                ("reserved", c_int32), ("n", c_int64), ("d", c_int64), ("nnz", c_int64), ("seed", c_int64),
                ("bytes_owned", c_uint64), ("bytes_borrowed", c_uint64), ("prepare_ns", c_uint64)]


@_laid_out
class ParamInfo(Struct):
    _fields_ = [("struct_size", c_uint32), ("param", c_int32), ("type", c_int32), ("calls", c_uint32), ("name", c_char_p),
                ("choices", c_char_p), ("initial", c_char_p), ("summary", c_char_p), ("lower_f64", c_double),
                ("upper_f64", c_double), ("lower_i64", c_int64), ("upper_i64", c_int64)]


@_laid_out
class Stats(Struct):
    _fields_ = [("struct_size", c_uint32), ("guarantee", c_int32), ("method", c_int32), ("box", c_int32),
                ("bandit", c_int32), ("confidence", c_int32), ("sampling", c_int32), ("threads", c_int32),
                ("assumption", c_char_p), ("reason", c_char_p), ("queries", c_uint64), ("arms", c_uint64),
                ("rounds", c_uint64), ("coord_ops_sampled", c_uint64), ("exact_evals", c_uint64), ("coord_ops", c_uint64),
                ("coord_ops_exact", c_uint64), ("coord_ops_brute", c_uint64), ("projection_ops", c_uint64),
                ("seed", c_int64), ("delta", c_double), ("epsilon", c_double), ("wall_ns", c_uint64),
                ("arms_pruned", c_uint64), ("neighbors", c_uint64)]


@_laid_out
class Output(Struct):
    _fields_ = [("struct_size", c_uint32), ("index_base", c_int32), ("index_dtype", c_int32), ("distance_dtype", c_int32),
                ("index", c_void_p), ("distance", c_void_p), ("capacity", c_int64), ("query_stride", c_int64),
                ("rank_stride", c_int64), ("done", c_void_p), ("row_stats", c_void_p), ("limits", c_void_p)]


@_laid_out
class Limits(Struct):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("max_distance", c_void_p),
                ("max_distance_count", c_int64), ("max_pairs", c_int64), ("query_labels", c_void_p),
                ("query_label_count", c_int64)]


@_laid_out
class Candidates(Struct):
    _fields_ = [("struct_size", c_uint32), ("label_rule", c_int32), ("rows", c_void_p), ("nrows", c_int64), ("mask", c_void_p),
                ("labels", c_void_p)]


@_laid_out
class NeighborsView(Struct):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("queries", c_int64), ("pairs", c_int64),
                ("offset", c_void_p), ("index", c_void_p), ("distance", c_void_p)]


@_laid_out
class Kmeans(Struct):
    _fields_ = [("struct_size", c_uint32), ("init", c_int32), ("n_init", c_int32), ("reserved", c_int32), ("k", c_int64),
                ("max_iter", c_int64), ("tol", c_double), ("centers", c_void_p), ("centers_capacity", c_int64),
                ("labels", c_void_p), ("inertia", c_void_p), ("iterations", c_void_p), ("seed", c_void_p)]


@_laid_out
class Medoid(Struct):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("index", c_int64), ("mean_distance", c_double),
                ("seed", c_void_p)]


@_laid_out
class Arms(Struct):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("n", c_int64), ("ctx", c_void_p), ("exact_cost", c_uint64),
                ("lower", c_double), ("upper", c_double), ("pull", c_void_p), ("exact", c_void_p)]


@_laid_out
class Best(Struct):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("k", c_int64), ("arm", c_void_p), ("mean", c_void_p),
                ("halfwidth", c_void_p)]


_ref, _handle, _text = c_void_p, c_void_p, c_char_p  # a pointer to a struct or an array; a handle; text

# The functions that the package calls: what they return, and what they take.
PROTOTYPES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "bmo_error_detail": (None, (_ref,)),
    "bmo_status_name": (_text, (c_int32,)),
    "bmo_dtype_name": (_text, (c_int32,)),
    "bmo_phase_name": (_text, (c_int32,)),
    "bmo_guarantee_name": (_text, (c_int32,)),
    "bmo_version": (c_int32, ()),
    "bmo_version_string": (_text, ()),
    "bmo_isa": (_text, ()),
    "bmo_threads_available": (c_int32, ()),
    "bmo_cancel_create": (c_int32, (_ref,)),
    "bmo_cancel_request": (None, (_handle,)),
    "bmo_cancel_reset": (None, (_handle,)),
    "bmo_cancel_free": (None, (_handle,)),
    "bmo_dataset_dense": (c_int32, (_ref, _ref, c_uint32, _ref, _ref)),
    "bmo_dataset_sparse": (c_int32, (_ref, _ref, c_uint32, _ref, _ref)),
    "bmo_dataset_open": (c_int32, (_ref, _text, c_uint32, _ref)),
    "bmo_dataset_free": (None, (_handle,)),
    "bmo_dataset_describe": (c_int32, (_handle, _ref)),
    "bmo_dataset_copy_rows": (c_int32, (_handle, _ref, c_int64, _ref)),
    "bmo_dataset_prepare": (c_int32, (_ref, _handle, _handle, _ref)),
    "bmo_dataset_subset": (c_int32, (_ref, _handle, _ref, c_int64, _ref)),
    "bmo_dataset_save": (c_int32, (_handle, _text, _ref)),
    "bmo_config_create": (c_int32, (_ref,)),
    "bmo_config_free": (None, (_handle,)),
    "bmo_config_set_text": (c_int32, (_handle, _text, _text)),
    "bmo_config_set_weights": (c_int32, (_handle, _ref, c_int64)),
    "bmo_config_set_rho": (c_int32, (_handle, c_void_p, c_uint32, _ref)),
    "bmo_config_get_i64": (c_int32, (_handle, c_int32, _ref)),
    "bmo_config_check": (c_int32, (_handle, c_uint32)),
    "bmo_param_count": (c_int32, ()),
    "bmo_param_at": (c_int32, (c_int32, _ref)),
    "bmo_query_create": (c_int32, (_ref, _handle, _handle, _ref)),
    "bmo_query_create_among": (c_int32, (_ref, _handle, _handle, _ref, _ref)),
    "bmo_query_free": (None, (_handle,)),
    "bmo_query_knn": (c_int32, (_handle, _handle, c_int64, _ref, _ref, _ref)),
    "bmo_query_knn_dense": (c_int32, (_handle, _ref, c_int64, _ref, _ref, _ref)),
    "bmo_query_knn_sparse": (c_int32, (_handle, _ref, c_int64, _ref, _ref, _ref)),
    "bmo_query_knn_rows": (c_int32, (_handle, _ref, c_int64, c_int64, _ref, _ref, _ref)),
    "bmo_query_graph": (c_int32, (_handle, c_int64, _ref, _ref, _ref)),
    "bmo_query_radius": (c_int32, (_handle, _handle, _ref, _ref, _ref, _ref)),
    "bmo_query_radius_dense": (c_int32, (_handle, _ref, _ref, _ref, _ref, _ref)),
    "bmo_query_radius_sparse": (c_int32, (_handle, _ref, _ref, _ref, _ref, _ref)),
    "bmo_query_radius_rows": (c_int32, (_handle, _ref, c_int64, _ref, _ref, _ref, _ref)),
    "bmo_query_radius_graph": (c_int32, (_handle, _ref, _ref, _ref, _ref)),
    "bmo_neighbors_read": (c_int32, (_handle, _ref)),
    "bmo_neighbors_free": (None, (_handle,)),
    "bmo_query_kmeans": (c_int32, (_handle, _ref, _ref, _ref)),
    "bmo_query_medoid": (c_int32, (_handle, _ref, _ref, _ref)),
    "bmo_best_arms": (c_int32, (_ref, _handle, _ref, _ref, _ref)),
}
