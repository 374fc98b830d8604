"""Which arrays are taken, where they are used in place, and what is refused."""
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import brute
import libbmo

IN_PLACE = ["float16", "float32", "float64", "int8", "uint8", "bool"]
CONVERTED = ["int16", "uint16", "int32", "uint32", "int64", "uint64"]


def fitting(dtype, seed, n, d):
    low, high = {"bool": (0, 1), "b": (-9, 9), "u": (0, 200)}.get(dtype if dtype == "bool" else np.dtype(dtype).kind, (-20, 20))
    return brute.whole(seed, n, d, low, high).astype(dtype)


@st.composite
def arrays(draw, dtypes):
    """An array, and how many whole numbers lie between its elements in memory."""
    dtype = draw(st.sampled_from(dtypes))
    n, d = draw(st.integers(1, 12)), draw(st.integers(1, 70))
    steps = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    values = fitting(dtype, draw(st.integers(0, 1000)), n, d)
    base = np.zeros((n * steps[0], d * steps[1]), dtype, order=draw(st.sampled_from("CF")))
    view = base[:: steps[0], :: steps[1]]
    view[...] = values
    if draw(st.booleans()):
        view.flags.writeable = False
    return view


@settings(max_examples=150)
@given(arrays(IN_PLACE), arrays(IN_PLACE + CONVERTED), st.sampled_from(["l1", "l2", "sqeuclidean"]), st.data())
def test_any_layout_of_any_type(points, queries, metric, data):
    queries = np.resize(queries, (len(queries), points.shape[1]))
    k = data.draw(st.integers(1, len(points)))
    dataset = libbmo.Dataset(points)
    assert dataset.info.bytes_borrowed == points.size * points.itemsize
    found = libbmo.Searcher(dataset, metric=metric).knn(queries, k)
    brute.check(found, brute.nearest(queries, points, k, metric))


@pytest.mark.parametrize("dtype", CONVERTED)
def test_other_types_are_converted_exactly(dtype):
    points = fitting(dtype, 3, 5, 7)
    np.testing.assert_array_equal(libbmo.Dataset(points).rows(range(5)), points.astype(float))


@pytest.mark.parametrize("value", [2**24 + 1, 2**53, -(2**53)])
@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_large_integers_are_kept_to_the_last_digit(dtype, value):
    if value < 0 and dtype == "uint64":
        value = -value
    assert int(libbmo.Dataset(np.array([[value, 0]], dtype)).rows([0])[0, 0]) == value


@pytest.mark.parametrize("value", [2**53 + 1, 2**63 - 1, 2**64 - 1, -(2**53) - 1])
def test_integers_beyond_doubles_are_refused(value):
    points = np.zeros((3, 4), np.uint64 if value > 0 else np.int64)
    points[1, 2] = value
    with pytest.raises(libbmo.InvalidArgument, match="points") as refused:
        libbmo.Dataset(points)
    assert (refused.value.row, refused.value.col) == (1, 2)


@pytest.mark.parametrize("change", [lambda x: x[::-1], lambda x: x[:, ::-1], lambda x: np.broadcast_to(x[:1], x.shape),
                                    lambda x: np.broadcast_to(x[:, :1], x.shape), lambda x: x.astype(">f4"),
                                    lambda x: x.astype(">i2"), lambda x: x.view(np.matrix), lambda x: x.tolist(), lambda x: x.T.copy().T])
def test_unusual_layouts_are_read_as_numpy_reads_them(change):
    changed = change(brute.whole(1, 6, 9).astype("f4"))
    np.testing.assert_array_equal(libbmo.Dataset(changed).rows(range(6)), np.asarray(changed, float))


def test_unaligned_and_uneven_memory():
    record = np.zeros(5, np.dtype([("mark", "u1"), ("x", "f4", 3)]))
    record["x"] = brute.whole(1, 5, 3)
    assert not record["x"].flags.aligned
    np.testing.assert_array_equal(libbmo.Dataset(record["x"]).rows(range(5)), record["x"])


def test_memmap(tmp_path):
    points = np.memmap(tmp_path / "points", np.float32, "w+", shape=(8, 5))
    points[:] = brute.whole(2, 8, 5)
    dataset = libbmo.Dataset(points)
    assert dataset.info.bytes_borrowed == points.nbytes
    np.testing.assert_array_equal(dataset.rows([7]), points[7:8])


class Tensor:
    def __array__(self, dtype=None, copy=None):
        return np.eye(4, dtype="f4")


def test_whatever_has_an_array():
    assert libbmo.Dataset(Tensor()).shape == (4, 4)


def test_frames():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    x = brute.whole(4, 6, 3).astype("f8")
    for frame in (pandas.DataFrame(x), polars.DataFrame(x), pandas.DataFrame({"a": [1, 2], "b": [0.5, 1]})):
        np.testing.assert_array_equal(libbmo.Dataset(frame).rows(range(len(frame))), frame.to_numpy())
    with pytest.raises(libbmo.InvalidType, match="points has dtype object"):
        libbmo.Dataset(pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]}))


SPARSE = ["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]


@pytest.mark.parametrize("layout", SPARSE)
@pytest.mark.parametrize("kind", ["matrix", "array"])
def test_sparse_formats(layout, kind):
    x = brute.whole(5, 40, 30) * (brute.whole(6, 40, 30) > 12)
    made = getattr(scipy.sparse, f"{layout}_{kind}")(x.astype("f8"))
    brute.check(libbmo.knn(made, made[:7] if layout in ("csr", "csc") else made.tocsr()[:7], 3, metric="l1"),
                brute.nearest(x[:7], x, 3, "l1"))


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from(["csr", "csc"]), st.sampled_from(["f4", "f8", "u1", "?", "i2", "i8", "f2"]),
       st.sampled_from(["i4", "i8"]), st.booleans())
def test_sparse_types(seed, layout, values, indices, shuffled):
    x = (brute.whole(seed, 20, 15, 0, 9) % 3 == 0) * brute.whole(seed + 1, 20, 15, 0, 1 if values == "?" else 9)
    made = scipy.sparse.csr_array(x).asformat(layout)
    lines = list(zip(made.indptr[:-1], made.indptr[1:]))
    if shuffled:
        for first, last in lines:
            made.indices[first:last], made.data[first:last] = made.indices[first:last][::-1].copy(), made.data[first:last][::-1].copy()
    made.data = made.data.astype(values)
    made.indices, made.indptr = made.indices.astype(indices), made.indptr.astype(indices)
    brute.check(libbmo.knn(made, made, 4, metric="l1"), brute.nearest(x, x, 4, "l1"))
    brute.check(libbmo.knn(x.astype("f4"), made, 4), brute.nearest(x, x, 4))


def test_sparse_points_are_used_in_place_and_let_go_of_if_they_are_copied():
    made = scipy.sparse.csr_array(brute.whole(1, 50, 40).astype("f4"))
    assert libbmo.Dataset(made).info.bytes_borrowed >= made.data.nbytes + made.indices.nbytes
    turned = libbmo.Dataset(made.tocsc())
    assert turned.info.bytes_borrowed == 0 and turned._lent is None


def test_room_behind_the_entries_of_a_sparse_matrix_is_not_read():
    x = scipy.sparse.csr_array((np.array([1.0, 2.0]), np.array([0, 1]), np.array([0, 1, 2])), shape=(2, 3))
    x.data, x.indices = np.append(x.data, np.nan), np.append(x.indices, 77).astype(x.indices.dtype)
    np.testing.assert_array_equal(libbmo.Dataset(x).rows([0, 1]), [[1, 0, 0], [0, 2, 0]])


def broken(**parts):
    made = scipy.sparse.csr_array(np.eye(3))
    for name, value in parts.items():
        setattr(made, name, np.asarray(value))
    return made


# What is wrong, and what the message says of the argument @.
REFUSED = {
    "one dimension": (np.zeros(3), libbmo.InvalidArgument, r"@ has shape \(3,\); expected two.*reshape\(1, -1\)"),
    "three dimensions": (np.zeros((1, 2, 3)), libbmo.InvalidArgument, r"@ has shape \(1, 2, 3\)"),
    "no dimension": (np.float64(3), libbmo.InvalidArgument, r"@ has shape \(\)"),
    "no coordinate": (np.zeros((3, 0)), libbmo.InvalidArgument, r"@ has shape \(3, 0\); expected 1 coordinate"),
    "objects": (np.array([[1, None]]), libbmo.InvalidType, r"@ has dtype object.*@\.astype\(float\)"),
    "complex": (np.ones((2, 2), complex), libbmo.InvalidType, "@ has dtype complex128; expected real numbers"),
    "dates": (np.zeros((2, 2), "M8[s]"), libbmo.InvalidType, "@ has dtype datetime64"),
    "texts": (np.array([["a"]]), libbmo.InvalidType, "@ has dtype <U1"),
    "long doubles": (np.ones((2, 2), np.longdouble), libbmo.InvalidType, "@ has dtype float128; expected real numbers of at most"),
    "masks": (np.ma.masked_equal(np.eye(2), 0), libbmo.InvalidType, r"@ is a masked array.*@\.filled"),
    "NaN": (np.array([[1, 2], [3, np.nan]]), libbmo.NonFinite, "@: the value of point 1, coordinate 1"),
    "infinity": (np.array([[1, -np.inf]], "f4"), libbmo.NonFinite, "@: the value of point 0, coordinate 1"),
    "sparse NaN": (scipy.sparse.csr_array([[0, np.nan]]), libbmo.NonFinite, r"@: the value of point 0, coordinate 1"),
    "sparse complex": (scipy.sparse.csr_array([[0, 1j]]), libbmo.InvalidType, "@ has dtype complex128"),
    "sparse width": (scipy.sparse.csr_array((3, 0)), libbmo.InvalidArgument, r"@ has shape \(3, 0\)"),
    "sparse line": (scipy.sparse.coo_array(np.ones(3)), libbmo.InvalidArgument, r"@ has shape \(3,\)"),
    "indices": (broken(indices=[0, 1, 5]), libbmo.InvalidArgument, r"@\.indices\[2\], of point 2, is 5"),
    "indptr": (broken(indptr=[0, 2, 1, 3]), libbmo.InvalidArgument, r"@\.indptr\[2\] is 1"),
    "end of indptr": (broken(indptr=[0, 1, 2, 9]), libbmo.InvalidArgument, r"@\.indptr ends with 9; expected 0 to 3"),
    "length of indptr": (broken(indptr=[0, 3]), libbmo.InvalidArgument, r"@\.indptr has 2 elements; expected 4"),
    "type of indices": (broken(indices=[0.0, 1.0, 2.0]), libbmo.InvalidType, r"@\.indices has dtype float64"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_argument_and_place(name):
    x, kind, says = REFUSED[name]
    with pytest.raises(kind, match=says.replace("@", "points")):
        libbmo.Dataset(x)
    with pytest.raises(kind, match=says.replace("@", "queries")):
        libbmo.Searcher(np.eye(x.shape[-1] if x.ndim == 2 and x.shape[1] else 3)).knn(x, 1)
    assert issubclass(kind, (TypeError, ValueError))


def test_no_points():
    dataset = libbmo.Dataset(np.zeros((0, 3)))
    assert len(dataset) == 0
    with pytest.raises(libbmo.InvalidArgument, match="k"):
        libbmo.Searcher(dataset).knn(np.zeros((1, 3)), 1)
    assert libbmo.knn(np.eye(3), np.zeros((0, 3)), 2).index.shape == (0, 2)
