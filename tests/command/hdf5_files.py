"""Writes HDF5 files, AnnData's and 10x Genomics' among them, and asks the command about them. Needs h5py, unless its cases are skipped."""
import os

from command import bmo
from tap import case, skip

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = np = None

BUILT = os.environ["HDF5"] == "yes"
TYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def of_files(function):
    """A case that needs HDF5 in the command, and h5py."""

    def run(directory):
        if not BUILT:
            skip("the command is built without HDF5")
        if h5py is None:
            skip("h5py and NumPy are not installed")
        function(directory)

    run.__name__ = function.__name__
    return case(run)


def numbers(n=30, d=7, most=99, seed=1):
    return np.random.default_rng(seed).integers(0, most + 1, (n, d))


def few_numbers(n=40, d=25, seed=2):
    rows = numbers(n, d, 9, seed)
    rows[np.random.default_rng(seed).random((n, d)) < 0.8] = 0
    return rows


def expected_neighbors(points, k, queries=None):
    """By squared distances of whole numbers, which are exact; ties by index."""
    asked = points if queries is None else queries
    squares = ((asked[:, None, :].astype("i8") - points[None, :, :].astype("i8")) ** 2).sum(axis=2).astype("f8")
    if queries is None:
        np.fill_diagonal(squares, np.inf)
    index = np.argsort(squares, axis=1, kind="stable")[:, :k]
    return index, np.sqrt(np.take_along_axis(squares, index, axis=1))


def same(directory, path, points, *options, queries=None):
    """The command finds in this file what NumPy finds among these points."""
    out = os.path.join(directory, "answers.npz")
    bmo("knn", path, "-k", 3, "--method", "exact", "--out", out, *options)
    index, distance = expected_neighbors(np.asarray(points), 3, queries)
    found = np.load(out)
    assert (found["index"] == index).all(), (path, options)
    assert (found["distance"] == distance).all(), (path, options)


def compressed(rows, by_rows):
    """indptr, indices and data of CSR or CSC."""
    lines = np.asarray(rows) if by_rows else np.asarray(rows).T
    places = [np.flatnonzero(line) for line in lines]
    pointers = np.concatenate([[0], np.cumsum([len(place) for place in places])])
    return pointers, np.concatenate(places), np.concatenate([line[place] for line, place in zip(lines, places)])


def write_sparse(file, name, rows, by_rows, index="i4", value="f4", attributes=("encoding-type", "shape"), suffix="_matrix", **options):
    """As AnnData writes it."""
    group = file.create_group(name)
    for part, array in zip(("indptr", "indices", "data"), compressed(rows, by_rows)):
        group.create_dataset(part, data=array.astype(value if part == "data" else index), **options)
    group.attrs[attributes[0]] = ("csr" if by_rows else "csc") + suffix
    group.attrs[attributes[1]] = np.asarray(rows).shape
    return group


def write_frame(file, name, names, index="_index"):
    group = file.create_group(name)
    group.attrs["encoding-type"] = "dataframe"
    group.attrs["_index"] = index
    group.create_dataset(index, data=list(names), dtype=h5py.string_dtype())


def write_anndata(path, x, **options):
    with h5py.File(path, "w") as file:
        file.attrs["encoding-type"] = "anndata"
        write_sparse(file, "X", x, True, **options)
        write_frame(file, "obs", [f"cell{i}" for i in range(x.shape[0])])
        write_frame(file, "var", [f"gene{i}" for i in range(x.shape[1])], index="symbol")
        write_sparse(file, "layers/counts", 2 * x, False)
        file["layers/dense"] = 3 * x.astype("f4")
        file["obsm/X_pca"] = x[:, :5].astype("f8")
        file["varm/PCs"] = x[:6].T.astype("f8")
        write_sparse(file, "raw/X", np.hstack([x, x]), True, value="i8")
        write_frame(file, "raw/var", [f"raw{i}" for i in range(2 * x.shape[1])])
    return path


def write_tenx(path, cells, group="matrix", older=False):
    """As Cell Ranger writes it: genes by cells, by columns."""
    with h5py.File(path, "w") as file:
        pointers, indices, data = compressed(cells.T, False)
        parts = {"data": data.astype("i4"), "indices": indices.astype("i8"), "indptr": pointers.astype("i8"), "shape": np.array(cells.T.shape, "i4")}
        parts["barcodes"] = np.array([f"CELL{i}-1" for i in range(cells.shape[0])], "S18")
        parts["genes" if older else "features/id"] = np.array([f"ENSG{i}" for i in range(cells.shape[1])], "S15")
        for name, array in parts.items():
            file.create_dataset(f"{group}/{name}", data=array, chunks=(min(8, len(array)),), compression="gzip")
    return path


def names_written(directory, *words):
    """The names in the answers, by index."""
    out = os.path.join(directory, "names.tsv")
    bmo("knn", *words, "-k", 2, "--method", "exact", "--out", out)
    with open(out, encoding="utf-8") as file:
        head, *lines = [line.rstrip("\n").split("\t") for line in file]
    return {int(line[2]): line[4] for line in lines} if len(head) == 5 else None


def check_names(directory, words, pattern):
    found = names_written(directory, *words)
    assert found and all(name == pattern.format(index) for index, name in found.items()), (words, found)
