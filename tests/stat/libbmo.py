"""The few calls of libbmo.so that measurements and statistical tests need, through ctypes and numpy.

The library: environment variable BMO_LIBRARY, else build/src/libbmo.so of this tree.
"""
import ctypes
import os
import pathlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUARANTEES = ("none", "heuristic", "conditional", "proven", "exact")
DTYPES = {np.dtype(np.float32): 1, np.dtype(np.float64): 2, np.dtype(np.uint8): 3, np.dtype(np.int32): 4, np.dtype(np.int64): 5}

_i32, _i64, _u32, _u64, _f64, _ptr, _text = (ctypes.c_int32, ctypes.c_int64, ctypes.c_uint32, ctypes.c_uint64,
                                             ctypes.c_double, ctypes.c_void_p, ctypes.c_char_p)


class Dense(ctypes.Structure):
    _fields_ = [("struct_size", _u32), ("dtype", _i32), ("data", _ptr), ("n", _i64), ("d", _i64),
                ("point_stride", _i64), ("coord_stride", _i64)]


class Sparse(ctypes.Structure):
    _fields_ = [("struct_size", _u32), ("orientation", _i32), ("index_base", _i32), ("pointer_dtype", _i32),
                ("index_dtype", _i32), ("value_dtype", _i32), ("n", _i64), ("d", _i64), ("nnz", _i64), ("pointers", _ptr),
                ("indices", _ptr), ("values", _ptr)]


class Stats(ctypes.Structure):
    _fields_ = [("struct_size", _u32), ("guarantee", _i32), ("method", _i32), ("box", _i32), ("bandit", _i32),
                ("confidence", _i32), ("sampling", _i32), ("threads", _i32), ("assumption", _text), ("reason", _text),
                ("queries", _u64), ("arms", _u64), ("rounds", _u64), ("pulls", _u64), ("exact_evals", _u64),
                ("coord_ops", _u64), ("coord_ops_exact", _u64), ("coord_ops_brute", _u64), ("projection_ops", _u64),
                ("seed", _i64), ("delta", _f64), ("epsilon", _f64), ("wall_ns", _u64), ("arms_pruned", _u64)]

    @property
    def gain(self):
        return self.coord_ops_brute / self.coord_ops

    @property
    def promise(self):
        return GUARANTEES[self.guarantee]


class Output(ctypes.Structure):
    _fields_ = [("struct_size", _u32), ("index_base", _i32), ("index_dtype", _i32), ("distance_dtype", _i32),
                ("index", _ptr), ("distance", _ptr), ("capacity", _i64), ("query_stride", _i64), ("rank_stride", _i64),
                ("done", _ptr), ("row_stats", _ptr)]


class Kmeans(ctypes.Structure):
    _fields_ = [("struct_size", _u32), ("init", _i32), ("n_init", _i32), ("reserved", _i32), ("k", _i64),
                ("max_iter", _i64), ("tol", _f64), ("centers", _ptr), ("centers_capacity", _i64), ("labels", _ptr),
                ("inertia", _ptr), ("iterations", _ptr)]


class Medoid(ctypes.Structure):
    _fields_ = [("struct_size", _u32), ("reserved", _u32), ("index", _i64), ("mean_distance", _f64)]


_lib = ctypes.CDLL(os.environ.get("BMO_LIBRARY", str(ROOT / "build" / "src" / "libbmo.so")))
_lib.bmo_last_error.restype = _text
_lib.bmo_isa.restype = _text
for _name in ("bmo_dataset_free", "bmo_config_free", "bmo_query_free"):
    getattr(_lib, _name).argtypes = [_ptr]
    getattr(_lib, _name).restype = None


def isa():
    return _lib.bmo_isa().decode()


def _check(status):
    if status:
        raise RuntimeError(_lib.bmo_last_error().decode())


def _dense(array):
    strides = [step // array.itemsize for step in array.strides]
    return Dense(ctypes.sizeof(Dense), DTYPES[array.dtype], array.ctypes.data, *array.shape, *strides)


def _sparse(csr):
    """A scipy.sparse CSR matrix, or anything with its shape, indptr, indices and data."""
    return Sparse(ctypes.sizeof(Sparse), 0, 0, DTYPES[csr.indptr.dtype], DTYPES[csr.indices.dtype], DTYPES[csr.data.dtype],
                  *csr.shape, len(csr.data), csr.indptr.ctypes.data, csr.indices.ctypes.data, csr.data.ctypes.data)


class Config:
    def __init__(self, **params):
        self.handle = _ptr()
        _check(_lib.bmo_config_create(ctypes.byref(self.handle)))
        for name, value in params.items():
            _check(_lib.bmo_config_set_text(self.handle, name.encode(), str(value).encode()))

    def __del__(self):
        _lib.bmo_config_free(self.handle)


class Dataset:
    """Borrows the array, or the arrays of a CSR matrix."""

    def __init__(self, array):
        self.array, self.handle = array, _ptr()
        if hasattr(array, "indptr"):
            view, make = _sparse(array), _lib.bmo_dataset_sparse
        else:
            view, make = _dense(array), _lib.bmo_dataset_dense
        _check(make(ctypes.byref(self.handle), ctypes.byref(view), 1, None, None))

    @classmethod
    def open(cls, path):
        opened = object.__new__(cls)
        opened.array, opened.handle = None, _ptr()
        _check(_lib.bmo_dataset_open(ctypes.byref(opened.handle), str(path).encode(), 0, None))
        return opened

    def prepare(self, config):
        prepared = object.__new__(Dataset)
        prepared.array, prepared.handle = self.array, _ptr()
        _check(_lib.bmo_dataset_prepare(ctypes.byref(prepared.handle), self.handle, config.handle, None))
        return prepared

    def __del__(self):
        _lib.bmo_dataset_free(self.handle)


def knn(dataset, k, queries=None, rows=None, **params):
    """Indices and distances (queries x k) and the stats: of queries, or of the dataset's own rows."""
    config, query = Config(**params), _ptr()
    _check(_lib.bmo_query_create(ctypes.byref(query), dataset.handle, config.handle, None))
    try:
        count = len(rows) if rows is not None else queries.shape[0]
        index, dist = np.empty((count, k), np.int64), np.empty((count, k))
        out = Output(struct_size=ctypes.sizeof(Output), index=index.ctypes.data, distance=dist.ctypes.data,
                     capacity=count * k)
        stats = Stats(struct_size=ctypes.sizeof(Stats))
        tail = (_i64(k), ctypes.byref(out), None, ctypes.byref(stats))
        if rows is None:
            sparse = hasattr(queries, "indptr")
            view = _sparse(queries) if sparse else _dense(queries)
            search = _lib.bmo_query_knn_sparse if sparse else _lib.bmo_query_knn_dense
            _check(search(query, ctypes.byref(view), *tail))
        else:
            chosen = np.ascontiguousarray(rows, np.int64)
            _check(_lib.bmo_query_knn_rows(query, chosen.ctypes.data_as(_ptr), _i64(count), *tail))
        return index, dist, stats
    finally:
        _lib.bmo_query_free(query)


def kmeans(dataset, start, n, max_iter=0, **params):
    """Centers, labels, inertia, iterations and the stats of k-means from the centers `start`, on n points."""
    config, query = Config(**params), _ptr()
    centers, labels = np.array(start, np.float64, order="C"), np.empty(n, np.int32)
    inertia, iterations = _f64(), _i64()
    run = Kmeans(struct_size=ctypes.sizeof(Kmeans), init=2, k=len(centers), max_iter=max_iter,
                 centers=centers.ctypes.data, centers_capacity=centers.size, labels=labels.ctypes.data,
                 inertia=ctypes.addressof(inertia), iterations=ctypes.addressof(iterations))
    stats = Stats(struct_size=ctypes.sizeof(Stats))
    _check(_lib.bmo_query_create(ctypes.byref(query), dataset.handle, config.handle, None))
    try:
        _check(_lib.bmo_query_kmeans(query, ctypes.byref(run), None, ctypes.byref(stats)))
        return centers, labels, inertia.value, iterations.value, stats
    finally:
        _lib.bmo_query_free(query)


def medoid(dataset, **params):
    """The index, the mean distance and the stats of the medoid."""
    config, query = Config(**params), _ptr()
    found, stats = Medoid(struct_size=ctypes.sizeof(Medoid)), Stats(struct_size=ctypes.sizeof(Stats))
    _check(_lib.bmo_query_create(ctypes.byref(query), dataset.handle, config.handle, None))
    try:
        _check(_lib.bmo_query_medoid(query, ctypes.byref(found), None, ctypes.byref(stats)))
        return found.index, found.mean_distance, stats
    finally:
        _lib.bmo_query_free(query)
