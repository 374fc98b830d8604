"""The package of bindings/python, as measurements and statistical tests use it. Needs numpy.

The library: environment variable BMO_LIBRARY, else build/src/libbmo.so of this tree.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bindings" / "python" / "src"))
import libbmo  # noqa: E402
from libbmo import Dataset, isa  # noqa: E402

__all__ = ["Dataset", "among_others", "isa", "kmeans", "knn", "medoid", "within"]


def knn(dataset, k, queries=None, rows=None, **params):
    """Indices and distances (queries x k) and the stats: of queries, or of the dataset's own rows."""
    searcher = libbmo.Searcher(dataset, **params)
    found = searcher.knn(queries, k) if rows is None else searcher.knn_rows(rows, k)
    return found.index, found.distance, found.stats


def within(dataset, distance, query, k=None, **params):
    """The points within a distance of one query, k at most or all, and the stats."""
    searcher = libbmo.Searcher(dataset, **params)
    if k is None:
        found = searcher.radius(query[None], distance)
        return found.index, found.stats
    found = searcher.knn(query[None], k, max_distance=distance)
    return found.index[found.index >= 0], found.stats


def among_others(dataset, query, k, labels, label, **params):
    """The k nearest points of another label than the query's, and the stats."""
    found = libbmo.Searcher(dataset, labels=labels, label_rule="other", **params).knn(query[None], k, query_labels=[label])
    return found.index[0], found.stats


def kmeans(dataset, start, max_iter=100, **params):
    """Centers, labels, inertia, iterations and the stats of k-means from the centers `start`."""
    found = libbmo.kmeans(dataset, len(start), init=start, max_iter=max_iter, **params)
    return found.centers, found.labels, found.inertia, found.iterations, found.stats


def medoid(dataset, **params):
    """The index, the mean distance and the stats of the medoid."""
    found = libbmo.medoid(dataset, **params)
    return found.index, found.mean_distance, found.stats
