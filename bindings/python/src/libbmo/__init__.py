"""Exact nearest neighbors in thousands of dimensions.

libbmo finds the k nearest neighbors without computing every distance: it samples coordinates. An answer is right with
probability at least 1 - delta (0.01 unless you set it), whatever the data are; ``stats.guarantee`` tells what was proved.

=================================  =============================================================
`knn`, `knn_graph`                 neighbors of queries, or of all points among each other
`Dataset`, `Searcher`              the same points searched more than once; files; radius
`kmeans`, `medoid`                 clusters by exact distances; the most central point
`best_arms`                        the bandits alone, over arms of your own
`params`                           the table of parameters, each of which is a keyword
`libbmo.sklearn`                   estimators for scikit-learn
`libbmo.dask`                      points in shards, on the workers of a Dask cluster
=================================  =============================================================
"""
from ._arms import BestArms, best_arms
from ._dataset import Dataset, DatasetInfo
from ._errors import (CallbackError, Canceled, Error, FileError, FormatError, InternalError, InvalidArgument, InvalidType,
                      NonFinite, OutOfMemory, Overflow, Unsupported, VersionError)
from ._kmeans import KMeansResult, MedoidResult, kmeans, medoid
from ._library import __version__, isa, threads_available
from ._neighbors import Neighbors
from ._params import Param, params
from ._searcher import Searcher, knn, knn_graph
from ._stats import Guarantee, Stats
from ._watch import Cancel
from ._within import RadiusNeighbors

__all__ = [
    "BestArms", "CallbackError", "Cancel", "Canceled", "Dataset", "DatasetInfo", "Error", "FileError", "FormatError", "Guarantee",
    "InternalError", "InvalidArgument", "InvalidType", "KMeansResult", "MedoidResult", "Neighbors", "NonFinite", "OutOfMemory",
    "Overflow", "Param", "RadiusNeighbors", "Searcher", "Stats", "Unsupported", "VersionError", "__version__", "best_arms", "isa",
    "kmeans", "knn", "knn_graph", "medoid", "params", "threads_available",
]

for _name in __all__:  # where users find them, and how they pickle
    if getattr(globals()[_name], "__module__", "").startswith("libbmo._"):
        globals()[_name].__module__ = "libbmo"
del _name
