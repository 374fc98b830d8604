"""The package of bindings/python, as measurements and statistical tests use it. Needs numpy.

The library: environment variable BMO_LIBRARY, else build/src/libbmo.so of this tree.
"""
import ctypes
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "python" / "src"))
import libbmo  # noqa: E402
from libbmo import Dataset, isa  # noqa: E402
from libbmo import _stats, _structs  # noqa: E402
from libbmo._library import lib  # noqa: E402

__all__ = ["Dataset", "isa", "kmeans", "knn", "medoid", "within"]


def knn(dataset, k, queries=None, rows=None, **params):
    """Indices and distances (queries x k) and the stats: of queries, or of the dataset's own rows."""
    searcher = libbmo.Searcher(dataset, **params)
    found = searcher.knn(queries, k) if rows is None else searcher.knn_rows(rows, k)
    return found.index, found.distance, found.stats


class Limits(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32),
                ("max_distance", ctypes.POINTER(ctypes.c_double)), ("max_distance_count", ctypes.c_int64),
                ("max_pairs", ctypes.c_int64)]


class Output(ctypes.Structure):
    _fields_ = [*_structs.Output._fields_, ("limits", ctypes.POINTER(Limits))]


class View(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("reserved", ctypes.c_uint32), ("queries", ctypes.c_int64),
                ("pairs", ctypes.c_int64), ("offset", ctypes.POINTER(ctypes.c_int64)),
                ("index", ctypes.POINTER(ctypes.c_int64)), ("distance", ctypes.POINTER(ctypes.c_double))]


def within(dataset, distance, query, k=None, **params):
    """The points within a distance of one query, k at most or all, and the stats."""
    searcher = libbmo.Searcher(dataset, **params)
    limits = Limits(ctypes.sizeof(Limits), 0, ctypes.pointer(ctypes.c_double(distance)), 1, 0)
    points = _structs.Dense.packed(_structs.F32, query.ctypes.data, 1, len(query), 0, 0)
    stats = _structs.Stats.blank()
    if k is not None:
        index = (ctypes.c_int64 * k)()
        out = Output(ctypes.sizeof(Output), 0, _structs.I64, 0, ctypes.addressof(index), None, k, limits=ctypes.pointer(limits))
        check(lib.bmo_query_knn_dense(searcher._handle, points, k, ctypes.byref(out), None, ctypes.byref(stats)))
        return [row for row in index if row >= 0], _stats.stats_of(stats)
    found = ctypes.c_void_p()
    check(lib.bmo_query_radius_dense(searcher._handle, points, ctypes.byref(limits), ctypes.byref(found), None,
                                     ctypes.byref(stats)))
    view = View(ctypes.sizeof(View))
    check(lib.bmo_neighbors_read(found, ctypes.byref(view)))
    index = view.index[:view.pairs]
    lib.bmo_neighbors_free(found)
    return index, _stats.stats_of(stats)


def check(status):
    if status != 0:
        raise SystemExit(ctypes.cast(lib.bmo_last_error(), ctypes.c_char_p).value)


def kmeans(dataset, start, max_iter=100, **params):
    """Centers, labels, inertia, iterations and the stats of k-means from the centers `start`."""
    found = libbmo.kmeans(dataset, len(start), init=start, max_iter=max_iter, **params)
    return found.centers, found.labels, found.inertia, found.iterations, found.stats


def medoid(dataset, **params):
    """The index, the mean distance and the stats of the medoid."""
    found = libbmo.medoid(dataset, **params)
    return found.index, found.mean_distance, found.stats
