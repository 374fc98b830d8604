"""What a program with types writes: mypy --strict reads it, nothing runs it. Each ignored line must be an error."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import libbmo

points = np.zeros((3, 4), np.float32)
found = libbmo.knn(points, [[1, 2, 3, 4]], k=1, metric="l1", delta=1e-3, threads=0, weights=[1, 1, 1, 1], progress=True)
index, distance = found
assert_type(found.stats.gain, float)
assert_type(libbmo.kmeans(points, 2).labels, NDArray[np.int32])
assert_type(libbmo.medoid(points).index, int)
assert_type(libbmo.Dataset.open("points.npy").prepare(box="dense", seed=None).info.bytes_owned, int)
assert_type(libbmo.Dataset(points).subset(points[:, 0] == 0, progress=True).subset(slice(2)), libbmo.Dataset)
libbmo.Searcher(points, candidates=[0, 2], labels=["a", "b", "a"], label_rule="same").knn(points[:1], 1, query_labels=["a"])
libbmo.Searcher(points, rho=lambda a, b, coordinate: np.abs(a - b)).knn_graph(2, out=(None, np.zeros((3, 2))))
libbmo.best_arms(lambda arms, m, stream: (arms * m, arms * m), 3, 1, lower=0, upper=1, bandit="lucb++")

libbmo.knn(points, points, 1, metrik="l1")  # type: ignore[call-arg]
libbmo.knn(points, points, 1, metric="l3")  # type: ignore[arg-type]
libbmo.knn(points, points, 1, delta="small")  # type: ignore[arg-type]
libbmo.knn_graph(points, 1, cancel=True)  # type: ignore[arg-type]
libbmo.knn_graph(points, 1, labels=[1, 2, 2], label_rule="equal")  # type: ignore[arg-type]
