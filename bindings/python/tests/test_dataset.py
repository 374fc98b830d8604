"""Datasets: memory, files, preparation, pickles."""
from __future__ import annotations

import copy
import gc
import gzip
import pickle
import re
import weakref

import numpy as np
import pytest
import scipy.io
import scipy.sparse

import brute
import libbmo
from libbmo._dataset import refuse_changed

X = brute.whole(1, 60, 50).astype("f4")


def test_borrowed_memory_lives_as_long_as_what_refers_to_it():
    array = X.copy()
    alive = weakref.ref(array)
    dataset = libbmo.Dataset(array)
    del array
    prepared = dataset.prepare(box="dense")
    searcher = libbmo.Searcher(prepared)
    del dataset, prepared
    gc.collect()
    brute.check(searcher.knn(X[:3], 2), brute.nearest(X[:3], X, 2))
    assert alive() is not None and searcher.dataset.info.bytes_borrowed == X.nbytes
    del searcher
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("change", [lambda x: libbmo.Dataset(x, copy=True), lambda x: libbmo.Dataset(x.astype(np.int64)),
                                    lambda x: libbmo.Dataset(x).prepare(box="dense")])
def test_memory_that_is_not_needed_is_let_go_of(change):
    points = np.abs(brute.whole(1, 60, 50)).astype("f4")  # bytes in truth: prepare() copies them as bytes
    dataset = change(points)
    assert dataset.info.bytes_borrowed == 0 and dataset._lent is None


def test_a_dataset_is_no_copy_unless_asked():
    array = X.copy()
    shared, own = libbmo.Dataset(array), libbmo.Dataset(array, copy=True)
    assert shared.info.bytes_borrowed == array.nbytes and shared.info.bytes_owned < array.nbytes
    assert own.info.bytes_borrowed == 0 and own.info.bytes_owned >= array.nbytes
    array[0] = 7
    assert shared.rows([0])[0, 0] == 7 and own.rows([0])[0, 0] == X[0, 0]


def test_a_dataset_is_no_point():
    with pytest.raises(TypeError, match="points is a Dataset"):
        libbmo.Dataset(libbmo.Dataset(X))


def test_info_and_shape():
    dataset = libbmo.Dataset(X)
    info = dataset.info
    assert (info.kind, info.box, info.metric, info.dtype, info.n, info.d, info.nnz) == ("dense", "", "", np.float32, 60, 50, 3000)
    assert dataset.shape == (60, 50) and len(dataset) == dataset.n == 60 and dataset.d == 50
    sparse = libbmo.Dataset(scipy.sparse.csr_array(np.eye(4)))
    assert sparse.info.kind == "sparse" and sparse.info.nnz == 4
    assert repr(sparse) == "Dataset(4 points x 4 coordinates, sparse, float64)"


def test_rows():
    dataset = libbmo.Dataset(X)
    np.testing.assert_array_equal(dataset.rows(np.array([5, 5, 0], np.uint8)), X[[5, 5, 0]])
    assert dataset.rows([]).shape == (0, 50)
    with pytest.raises(libbmo.InvalidArgument, match=r"rows\[1\] is 60 \(counted from 0\); the dataset has 60 points"):
        dataset.rows([0, 60])


SOME = [7, 3, 3, 59, 0, 7, *range(10, 40)]
DENSE_BOXES = (None, "auto", "dense", "rotated", "projected", "sketch")


@pytest.mark.parametrize("layout, box", [
    *((layout, box) for layout in (np.array, np.asfortranarray) for box in DENSE_BOXES),
    *((scipy.sparse.csr_array, box) for box in (None, "sparse", "sparse_union"))])
def test_a_subset_is_a_dataset_of_these_points(layout, box):
    points = layout(X * (X > 5))
    dataset = libbmo.Dataset(points).prepare(box=box, seed=9) if box else libbmo.Dataset(points)
    subset, expected = dataset.subset(SOME), libbmo.Dataset(points[SOME])
    assert (subset.info.kind, subset.info.box, subset.info.seed) == (expected.info.kind, dataset.info.box, dataset.info.seed)
    for method in ("exact", "bandit"):
        one, two = (libbmo.knn(data, points[:5], 3, method=method) for data in (subset, expected))
        np.testing.assert_array_equal(one.index, two.index)
        np.testing.assert_array_equal(one.distance, two.distance)


def test_a_subset_keeps_the_weights():
    weights = np.arange(1, 51)
    subset = libbmo.Dataset(X).prepare(box="dense", weights=weights).subset(SOME)
    with pytest.raises(libbmo.InvalidArgument, match="prepared with other weights"):
        libbmo.Searcher(subset)
    one, two = (libbmo.knn_graph(data, 2, weights=weights) for data in (subset, X[SOME]))
    np.testing.assert_array_equal(one.index, two.index)
    np.testing.assert_array_equal(one.distance, two.distance)


@pytest.mark.parametrize("rows", [
    slice(None), slice(5, 50, 7), slice(None, None, -1), slice(-3, None), slice(70, 80), range(4, 9), [2, 2], [],
    np.array([5, 0], np.uint8), np.arange(60)[::-2], X[:, 0] > 0, (X[:, 0] > 0).tolist(), np.zeros(60, bool)])
def test_what_chooses_a_subset(rows):
    subset = libbmo.Dataset(X).subset(rows)
    np.testing.assert_array_equal(subset.rows(range(len(subset))), X[rows])


@pytest.mark.parametrize("rows, kind, message", [
    ([0, 60], libbmo.InvalidArgument, "rows[1] is 60 (counted from 0); the dataset has 60 points"),
    ([0, -1], libbmo.InvalidArgument, "rows[1] is -1 (counted from 0); the dataset has 60 points"),
    (3, libbmo.InvalidArgument, "rows has shape (); expected one dimension"),
    ([1.0], libbmo.InvalidType, "rows has dtype float64; expected integers"),
    (["1"], libbmo.InvalidType, "rows has dtype <U1; expected integers"),
    (np.ones(59, bool), libbmo.InvalidArgument, "rows is a mask of shape (59,); expected shape (60,), a value for each point"),
    (X > 0, libbmo.InvalidArgument, "rows is a mask of shape (60, 50); expected shape (60,), a value for each point"),
    (slice("a"), libbmo.InvalidType, "rows is slice(None, 'a', None); expected a slice of integers"),
    (slice(0, 9, 0), libbmo.InvalidArgument, "rows is slice(0, 9, 0); expected a step that is not 0")])
def test_what_chooses_no_subset(rows, kind, message):
    with pytest.raises(kind, match=f"^{re.escape(message)}$") as refused:
        libbmo.Dataset(X).subset(rows)
    assert refused.value.argument == "rows"


@pytest.mark.parametrize("dataset", [libbmo.Dataset(X), libbmo.Dataset(X).prepare(box="dense"),
                                     libbmo.Dataset(scipy.sparse.csr_array(X)).prepare()])
def test_an_empty_subset(dataset):
    subset = dataset.subset([])
    assert subset.shape == subset.subset([]).shape == (0, 50) and subset.info.box == dataset.info.box


@pytest.mark.parametrize("layout", [np.array, np.asfortranarray, scipy.sparse.csr_array])
def test_a_subset_outlives_the_whole(layout):
    points = layout(X)
    dataset, alive = libbmo.Dataset(points), weakref.ref(points)
    subset = dataset.subset(SOME)
    assert dataset.info.bytes_borrowed and not subset.info.bytes_borrowed
    del points, dataset
    gc.collect()
    assert alive() is None
    np.testing.assert_array_equal(subset.rows(range(len(SOME))), X[SOME])


def save_npy(path):
    np.save(path, X)


def save_npy_gz(path):
    with gzip.open(path, "wb") as file:
        np.save(file, X)


def save_mtx(path):
    scipy.io.mmwrite(path, scipy.sparse.csr_array(X))


def save_fvecs(path):
    np.hstack([np.full((60, 1), 50, "i4").view("f4"), X]).tofile(path)


def save_bmo(path):
    libbmo.Dataset(X).save(path)


@pytest.mark.parametrize("name, save", [("x.npy", save_npy), ("x.npy.gz", save_npy_gz), ("x.mtx", save_mtx), ("x.fvecs", save_fvecs),
                                        ("ä ö.bmo", save_bmo)])
@pytest.mark.parametrize("copied", [False, True])
def test_open(tmp_path, name, save, copied):
    path = tmp_path / name
    save(path)
    for spelled in (path, str(path)):
        np.testing.assert_array_equal(libbmo.Dataset.open(spelled, copy=copied).rows(range(60)), X)


def test_open_maps_files_unless_a_copy_is_asked_for(tmp_path):
    np.save(tmp_path / "x.npy", X)
    assert libbmo.Dataset.open(tmp_path / "x.npy").info.bytes_borrowed >= X.nbytes
    assert libbmo.Dataset.open(tmp_path / "x.npy", copy=True).info.bytes_borrowed == 0


def test_files_that_cannot_be_opened(tmp_path):
    with pytest.raises(FileNotFoundError):
        libbmo.Dataset.open(tmp_path / "points of data.npy")
    path = tmp_path / "data.values of run.k, points.d.npy"  # in words that the messages of C have
    path.write_text("no numbers")
    with pytest.raises(libbmo.Error, match=re.escape(path.name)) as refused:
        libbmo.Dataset.open(path)
    assert isinstance(refused.value, ValueError)
    with pytest.raises(OSError, match="points of data"):
        libbmo.Dataset(X).save(tmp_path / "points of data" / "x.bmo")
    np.save(tmp_path / "nan.npy", np.array([[1, np.nan]]))
    with pytest.raises(libbmo.NonFinite) as nan:
        libbmo.Dataset.open(tmp_path / "nan.npy")
    assert (nan.value.row, nan.value.col) == (0, 1)


@pytest.mark.parametrize("box", ["dense", "rotated", "projected"])
def test_save_keeps_the_preparation(tmp_path, box):
    prepared = libbmo.Dataset(X).prepare(box=box, seed=9)
    prepared.save(tmp_path / "x.bmo")
    opened = libbmo.Dataset.open(tmp_path / "x.bmo")
    assert (opened.info.box, opened.info.seed) == (box, 9) == (prepared.info.box, prepared.info.seed)
    one, two = (libbmo.knn(data, X[:5], 3) for data in (prepared, opened))
    np.testing.assert_array_equal(one.index, two.index)
    np.testing.assert_array_equal(one.distance, two.distance)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("made", [lambda: libbmo.Dataset(X), lambda: libbmo.Dataset(X).prepare(box="rotated"),
                                  lambda: libbmo.Dataset(scipy.sparse.csr_array(X * (X > 12)))])
def test_pickle(protocol, made):
    dataset = made()
    again = pickle.loads(pickle.dumps(dataset, protocol))
    assert again.info.kind == dataset.info.kind and again.info.box == dataset.info.box
    np.testing.assert_array_equal(again.rows(range(60)), dataset.rows(range(60)))


def test_pickle_out_of_band():
    buffers = []
    frame = pickle.dumps(libbmo.Dataset(X), 5, buffer_callback=buffers.append)
    assert len(frame) < X.nbytes <= sum(len(buffer.raw()) for buffer in buffers)
    np.testing.assert_array_equal(pickle.loads(frame, buffers=buffers).rows([3]), X[3:4])


def test_searchers_and_answers_pickle():
    searcher = libbmo.Searcher(X, metric="l1", seed=4)
    found = searcher.knn(X[:3], 2)
    for again in (pickle.loads(pickle.dumps(searcher)), copy.deepcopy(searcher)):
        np.testing.assert_array_equal(again.knn(X[:3], 2).index, found.index)
        assert repr(again) == repr(searcher)
    kept = pickle.loads(pickle.dumps(found))
    assert kept.stats == found.stats and (kept.index == found.index).all()
    with pytest.raises(libbmo.InvalidArgument) as refused:
        searcher.knn(X[:3], 0)
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is libbmo.InvalidArgument and again.argument == "k" and str(again) == str(refused.value)


CHANGED = (r"^the points were changed while the dataset borrowed them: points: the value of point 7, coordinate 5 \(counted from "
           r"0\) is nan; expected finite values; make the Dataset again, or with copy=True$")


OF_ALL_POINTS = {
    "knn": lambda data: libbmo.Searcher(data, method="bandit").knn(X[:3], 60), "rows": lambda data: libbmo.Searcher(data).knn_rows([7], 2),
    "graph": lambda data: libbmo.knn_graph(data, 2, method="bandit"), "kmeans": lambda data: libbmo.kmeans(data, 3),
    "medoid": libbmo.medoid, "queries": lambda data: libbmo.knn(libbmo.Dataset(X), data, 2)}
OF_DENSE_POINTS = {"radius": lambda data: libbmo.Searcher(data, method="bandit").radius_graph(1e9),
                   "rho": lambda data: libbmo.knn_graph(data, 2, rho=lambda a, b, coordinate: abs(a - b))}


@pytest.mark.parametrize("layout, search", [
    *((layout, search) for layout in (np.array, np.asfortranarray, scipy.sparse.csr_array) for search in OF_ALL_POINTS.values()),
    *((layout, search) for layout in (np.array, np.asfortranarray) for search in OF_DENSE_POINTS.values())])
def test_points_that_were_changed_while_they_were_lent(layout, search):
    points = layout(np.where(X == 0, 0.5, X).astype("f4"))
    dataset, kept = libbmo.Dataset(points), libbmo.Dataset(points, copy=True)
    values = points.data.reshape(X.shape) if layout is scipy.sparse.csr_array else points
    values[7, 5] = np.nan
    with pytest.raises(libbmo.InvalidArgument, match=CHANGED) as refused:
        search(dataset)
    assert (refused.value.argument, refused.value.row, refused.value.col) == ("points", 7, 5)
    search(kept)


def test_points_that_were_changed_before_they_were_prepared():
    points = X + np.float32(0.5)
    prepared = libbmo.Dataset(points).prepare(box="dense")
    assert prepared.info.bytes_borrowed
    points[7, 5] = np.nan
    with pytest.raises(libbmo.InvalidArgument, match=CHANGED):
        libbmo.knn_graph(prepared, 2)


def test_points_that_were_changed_before_they_were_chosen():
    points = X.copy()
    dataset = libbmo.Dataset(points)
    points[7, 5] = np.nan
    with pytest.raises(libbmo.InvalidArgument, match=CHANGED):
        dataset.subset([1, 7])
    np.testing.assert_array_equal(dataset.subset([1, 2]).rows([0, 1]), X[[1, 2]])


def test_points_that_are_not_to_blame():
    far = libbmo.Searcher(np.array([[1e200], [-1e200]]), metric="sqeuclidean")
    with pytest.raises(libbmo.Overflow, match="beyond the range of double"):
        far.knn_graph(1)
    with pytest.raises(libbmo.CallbackError, match="rho says nan of coordinate 0 of point 0"):
        libbmo.knn(far.dataset, [[1.0]], 1, rho=lambda a, b, coordinate: a * np.nan)
    bug = libbmo.InternalError("query 3 has 1 neighbors", "k", 3)
    with pytest.raises(libbmo.InvalidArgument, match="or libbmo has a bug: query 3 has 1 neighbors; make the Dataset again"):
        refuse_changed(bug, far.dataset)
    refuse_changed(bug, libbmo.Dataset(X, copy=True))


def test_prepare_with_expected_queries_may_prepare_nothing():
    assert libbmo.Dataset(X).prepare(expected_queries=1).info.box == ""


def test_a_searcher_that_does_not_fit_the_preparation():
    prepared = libbmo.Dataset(X).prepare(box="rotated", metric="l2", seed=1)
    with pytest.raises(libbmo.InvalidArgument, match="seed"):
        libbmo.Searcher(prepared, seed=2)
    with pytest.raises(libbmo.InvalidArgument, match=r"call prepare\(\) with this box first"):
        libbmo.Searcher(X, box="rotated")
