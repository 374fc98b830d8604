"""HDF5 files, AnnData's and 10x Genomics' among them, against neighbors that NumPy finds. Needs h5py; of AnnData what is there."""
import os
import warnings

from command import bmo, refusal
from tap import case, equal, main, skip

try:
    import h5py
    import numpy as np
except ImportError:
    h5py = None

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


@case
def a_command_without_hdf5_says_so(directory):
    if BUILT:
        skip("the command is built with HDF5")
    path = os.path.join(directory, "x.h5")
    with open(path, "wb") as file:
        file.write(b"\x89HDF\r\n\x1a\n")
    os.link(path, path + ".other")
    for name in (path, path + ":x", path + ".other"):
        message = refusal("info", name, code=1)
        assert name in message and "built without" in message and "-Dhdf5=enabled" in message, message


@of_files
def every_type_in_either_order(directory):
    rows = numbers()
    for kind in TYPES:
        for order in "<>":
            path = os.path.join(directory, "x.h5")
            with h5py.File(path, "w") as file:
                file["a"] = rows.astype(order + kind)
            same(directory, path, rows)
    with h5py.File(path, "w") as file:
        file["a"] = rows > 50
    same(directory, path, rows > 50)
    rows = dict(line.split(None, 1) for line in bmo("info", path).out.splitlines())
    equal((rows["points"], rows["coordinates"], rows["values"].split(",")[0]), ("30", "7", "int8"))
    equal(rows["memory"], "210 bytes held, 0 bytes mapped from the file")


@of_files
def every_storage(directory):
    rows = numbers(64, 9)
    storages = [
        {},
        {"chunks": (5, 4)},
        {"chunks": (64, 1), "compression": "gzip"},
        {"chunks": (1, 9), "compression": "gzip", "shuffle": True, "fletcher32": True},
        {"chunks": (7, 9), "maxshape": (None, None), "scaleoffset": 0},
        {"chunks": (100, 100), "maxshape": (None, 200), "compression": "gzip"},
    ]
    for number, options in enumerate(storages):
        path = os.path.join(directory, f"{number}.hdf5")
        with h5py.File(path, "w", userblock_size=512 * (number % 2)) as file:
            file.create_dataset("group/points", data=rows, **options)
        same(directory, path, rows)
        same(directory, path + ":/group/points", rows)
        same(directory, path + ":group/points", rows.T, "--transpose")


@of_files
def more_than_one_block(directory):
    rows = numbers(2500, 2000, 200)
    for options in ({}, {"chunks": (700, 300), "compression": "gzip"}):
        path = os.path.join(directory, "x.h5")
        with h5py.File(path, "w") as file:
            file.create_dataset("a", data=rows.astype(">f4"), **options)
            file["q"] = rows[:4].astype("u2") + 1
        same(directory, path + ":a", rows, "--queries", path + ":q", queries=rows[:4] + 1)


@of_files
def sparse_groups(directory):
    rows = few_numbers()
    path = os.path.join(directory, "x.h5")
    for by_rows in (True, False):
        for index in ("i4", "i8", "u4", "u8", ">i4", "i2"):
            for value in ("f4", ">f8", "i4", "u8", "i1"):
                with h5py.File(path, "w") as file:
                    write_sparse(file, "m", rows, by_rows, index, value, chunks=True, compression="gzip")
                same(directory, path, rows)
                same(directory, path + ":m", rows.T, "--transpose")
        with h5py.File(path, "w") as file:
            write_sparse(file, "m", rows, by_rows, attributes=("h5sparse_format", "h5sparse_shape"), suffix="")
        same(directory, path, rows)
    info = dict(line.split(None, 1) for line in bmo("info", path).out.splitlines())
    equal((info["points"], info["coordinates"]), ("40", "25"))
    equal(info["sparse"], f"{np.count_nonzero(rows)} stored values")


@of_files
def entries_in_any_order(directory):
    rows = few_numbers()
    path = os.path.join(directory, "x.h5")
    pointers, indices, data = compressed(rows, True)
    turned = np.concatenate([np.arange(first, last)[::-1] for first, last in zip(pointers, pointers[1:])])
    with h5py.File(path, "w") as file:
        group = write_sparse(file, "m", rows, True)
        group["indices"][:] = indices[turned]
        group["data"][:] = data[turned]
    same(directory, path, rows)


@of_files
def anndata(directory):
    x = few_numbers()
    path = write_anndata(os.path.join(directory, "x.h5ad"), x)
    other = os.path.join(directory, "y.h5")
    os.link(path, other)
    for name, points, pattern in (
        (path, x, "cell{}"),
        (path + ":X", x, "cell{}"),
        (other, x, "cell{}"),
        (path + ":layers/counts", 2 * x, "cell{}"),
        (path + ":/layers/dense", 3 * x, "cell{}"),
        (path + ":raw/X", np.hstack([x, x]), "cell{}"),
        (path + ":obsm/X_pca", x[:, :5], "cell{}"),
        (path + ":varm/PCs", x[:6].T, "gene{}"),
    ):
        same(directory, name, points)
        check_names(directory, (name,), pattern)
    for name, points, pattern in ((path, x.T, "gene{}"), (path + ":raw/X", np.hstack([x, x]).T, "raw{}")):
        same(directory, name, points, "--transpose")
        check_names(directory, (name, "--transpose"), pattern)
    assert names_written(directory, path + ":obsm/X_pca", "--transpose") is None
    given = os.path.join(directory, "names")
    with open(given, "w", encoding="ascii") as file:
        file.writelines(f"given{i}\n" for i in range(len(x)))
    check_names(directory, (path, "--names", given), "given{}")
    assert bmo("medoid", path).out.startswith("point ") and " cell" in bmo("medoid", path).out


@of_files
def anndata_by_its_own_package(directory):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import anndata as package
            import scipy.sparse as sparse
    except ImportError:
        skip("anndata is not installed")
    x = few_numbers()
    for matrix in (sparse.csr_matrix(x.astype("f4")), sparse.csc_matrix(x.astype("f8")), x.astype("f4")):
        for options in ({}, {"compression": "gzip"}):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                cells = package.AnnData(matrix)
                cells.obs_names = [f"cell{i}" for i in range(x.shape[0])]
                cells.var_names = [f"gene{i}" for i in range(x.shape[1])]
                cells.layers["counts"] = sparse.csr_matrix(2 * x)
                cells.obsm["X_pca"] = x[:, :5].astype("f8")
                cells.raw = cells
                path = os.path.join(directory, "x.h5ad")
                cells.write_h5ad(path, **options)
            for part, points in (("", x), (":layers/counts", 2 * x), (":obsm/X_pca", x[:, :5]), (":raw/X", x)):
                same(directory, path + part, points)
                check_names(directory, (path + part,), "cell{}")
            check_names(directory, (path, "--transpose"), "gene{}")


@of_files
def cells_of_10x_genomics(directory):
    cells = few_numbers()
    for older, group in ((False, "matrix"), (True, "GRCh38")):
        path = write_tenx(os.path.join(directory, "cells.h5"), cells, group, older)
        same(directory, path, cells, "--transpose")
        same(directory, f"{path}:{group}", cells.T)
        check_names(directory, (path, "--transpose"), "CELL{}-1")
        check_names(directory, (path,), "ENSG{}")
        equal(bmo("info", path, "--transpose").err, "")
        note = bmo("info", path).err
        with open(path, "rb") as file:
            assert "in the standard input columns are cells" in bmo("info", "-", stdin=file).err
        assert note.startswith("bmo: note: ") and "genes" in note and "--transpose" in note and note.count("\n") == 1, note


@of_files
def names_that_are_not_one_a_point(directory):
    x = few_numbers()
    path = write_anndata(os.path.join(directory, "x.h5ad"), x)

    def change(names, **options):
        with h5py.File(path, "r+") as file:
            del file["obs/_index"]
            if names is not None:
                file["obs"].create_dataset("_index", data=names, **options)

    texts = h5py.string_dtype()
    for names, options in (
        (None, {}),
        (["one"], {"dtype": texts}),
        ([["a"]] * len(x), {"dtype": texts}),
        (np.arange(len(x)), {}),
    ):
        if names is not None:
            change(["x"] * len(x), dtype=texts)
        change(names, **options)
        assert names_written(directory, path) is None, names
        if names is None:
            with h5py.File(path, "r+") as file:
                file["obs"].create_dataset("_index", data=["x"] * len(x), dtype=texts)
    change([f"a\tb\n{i}" for i in range(len(x))], dtype=texts)
    check_names(directory, (path,), "a b {}")
    change(np.array([f"cell{i}".ljust(9) for i in range(len(x))], "S9"))
    assert names_written(directory, path) is not None
    with h5py.File(path, "r+") as file:
        del file["obs"]
        file["obs"] = h5py.ExternalLink("absent.h5", "obs")
    assert names_written(directory, path) is None
    with h5py.File(path, "r+") as file:
        del file["obs"]
        file.create_dataset("obs", data=np.zeros(len(x), [("index", "S4"), ("n", "f4")]))  # of AnnData before 0.7
    assert names_written(directory, path) is None


@of_files
def which_matrix(directory):
    path = os.path.join(directory, "x.h5")
    rows = numbers()
    with h5py.File(path, "w") as file:
        file["line"], file["one"], file["cube"] = rows[0], 3, rows.reshape(5, 6, 7)
        file["words"] = [[b"a", b"b"]]
    assert "has no matrix" in refusal("info", path, code=1)
    with h5py.File(path, "r+") as file:
        file["deep/er/points"] = rows
        file["soft"], file["deep/hard"] = h5py.SoftLink("/deep/er/points"), file["deep/er/points"]
        file["outside"] = h5py.ExternalLink("absent.h5", "points")
        file["deep/ring"] = file["deep"]
    same(directory, path, rows)
    same(directory, path + ":soft", rows)
    same(directory, path + ":deep/ring/ring/er/points", rows)
    with h5py.File(path, "r+") as file:
        write_sparse(file, "sparse", few_numbers(), True)
    message = refusal("info", path, code=1)
    assert "deep/" in message and "sparse" in message and f"name one: {path}:deep/" in message, message
    with h5py.File(path, "r+") as file:
        for i in range(20):
            file[f"more/{i:02}"] = rows
    message = refusal("info", path, code=1)
    equal(message.split("matrices: ")[1].split(";")[0].count(", "), 10, message)
    assert ", ...;" in message, message
    anndata = write_anndata(os.path.join(directory, "x.h5ad"), few_numbers())
    with h5py.File(anndata, "r+") as file:
        del file["X"]
    message = refusal("info", anndata, code=1)
    assert "has no X" in message and "layers/counts" in message and "obsm/X_pca" in message, message


@of_files
def what_is_no_matrix(directory):
    path, rows = os.path.join(directory, "x.h5"), numbers(5, 4).astype("f4")
    kept = np.zeros((5, 4), "f4")
    kept[2, 1] = np.nan
    large = np.zeros((5, 4), "u8")
    large[3, 2] = 2**64 - 1
    far = np.zeros((5, 4), "i8")
    far[1, 3] = 2**53 + 1
    with h5py.File(os.path.join(directory, "other.h5"), "w") as file:
        file["a"] = rows
    with open(os.path.join(directory, "raw"), "wb") as file:
        file.write(rows.tobytes())
    with h5py.File(path, "w") as file:
        for name, values in (
            ("scalar", 1.0),
            ("line", rows[0]),
            ("cube", rows.reshape(5, 2, 2)),
            ("words", [[b"a", b"b"]]),
            ("pairs", rows.astype("c8")),
            ("enumeration", h5py.Empty("f4")),
            ("nan", kept),
            ("inf", np.where(np.isnan(kept), np.inf, 0)),
            ("large", large),
            ("far", far),
            ("narrow", np.zeros((5, 0))),
            ("long", rows.astype("g")),
        ):
            file[name] = values
        file.create_dataset("texts", data=[["a"]], dtype=h5py.string_dtype())
        file.create_dataset("enum", data=rows.astype("i1"), dtype=h5py.enum_dtype({"A": 0, "B": 1}, "i1"))
        file.create_dataset("lists", (5, 4), dtype=h5py.vlen_dtype("f4"))
        file["type"] = np.dtype("f4")
        file.create_group("group")
        file["dangling"] = h5py.SoftLink("/nowhere")
        file["outside"] = h5py.ExternalLink("other.h5", "a")
        file["through"] = h5py.SoftLink("/outside")
        file.create_dataset("raw", (5, 4), "f4", external=[(os.path.join(directory, "raw"), 0, 80)])
        layout = h5py.VirtualLayout((5, 4), "f4")
        layout[:] = h5py.VirtualSource(os.path.join(directory, "other.h5"), "a", (5, 4))
        file.create_virtual_dataset("virtual", layout)
    for name, expected in (
        ("scalar", "has 0 dimensions; expected 2"),
        ("line", "has 1 dimension; expected 2"),
        ("cube", "has 3 dimensions; expected 2"),
        ("words", "has text; expected floats"),
        ("texts", "has text; expected floats"),
        ("pairs", "has compound values; expected floats"),
        ("enum", "has an enumeration; expected floats"),
        ("lists", "has lists of any length; expected floats"),
        ("long", "has floats of 128 bits"),
        ("enumeration", "is empty"),
        ("narrow", "has no columns"),
        ("nan", "the value of point 2, coordinate 1 (counted from 0) is nan"),
        ("inf", "the value of point 2, coordinate 1 (counted from 0) is inf"),
        ("large", f"the value of row 3, column 2 (counted from 0) is {2**64 - 1}; expected integers from -2^53 to 2^53"),
        ("far", f"the value of point 1, coordinate 3 (counted from 0) is {2**53 + 1}; expected integers from -2^53 to 2^53"),
        ("type", "is no dataset"),
        ("group", "is a group"),
        ("", "has several matrices"),
        ("/", "is a group"),
        ("absent", "there is no such"),
        ("group/absent/x", "there is no such"),
        ("line/x", "there is no such"),
        ("dangling", "cannot be opened"),
        ("outside", "is a link to the file other.h5"),
        ("outside/x", "is a link to the file other.h5"),
        ("through", "is a link to the file other.h5"),
        ("raw", "has its values in other files"),
        ("virtual", "has its values in other files"),
    ):
        message = refusal("info", f"{path}:{name}", code=1)
        assert message.startswith(f"bmo: {path}") and expected in message, message
    with h5py.File(path, "w") as file:
        file["none"] = np.zeros((0, 4), "f4")
        file.create_dataset("other/blank", (10**9, 10**9), "f4", chunks=(10, 10))
        file.create_dataset("other/vast", (10**9, 10**9), "f4", chunks=(10, 10))[0, 0] = 1
    equal(bmo("info", path + ":none").out.splitlines()[:2], ["points       0", "coordinates  4"])
    assert "has no rows" in refusal("info", path + ":none", "--transpose", code=1)
    assert "no value was ever written" in refusal("info", path + ":other/blank", code=1)
    assert "more than there is memory for" in refusal("info", path + ":other/vast", code=1)


@of_files
def filters_that_hdf5_lacks(directory):
    path = os.path.join(directory, "x.h5")
    with h5py.File(path, "w") as file:
        file.create_dataset("a", data=numbers(), chunks=(5, 7), compression="gzip", compression_opts=1)
    with open(path, "rb") as file:
        whole = file.read()
    equal(whole.count(b"deflate\0"), 1)
    at = whole.index(b"deflate\0") - 8  # the filter's number, the length of its name, flags, number of values
    equal(whole[at : at + 2], b"\x01\x00")
    with open(path, "wb") as file:
        file.write(whole[:at] + (32001).to_bytes(2, "little") + whole[at + 2 :])
    message = refusal("info", path, code=1)
    assert 'the filter "deflate" (32001), which this HDF5 lacks' in message, message


@of_files
def damaged_sparse_groups(directory):
    rows = few_numbers(6, 5)
    path = os.path.join(directory, "x.h5")

    def refuse(expected, change, **options):
        with h5py.File(path, "w") as file:
            change(write_sparse(file, "m", rows, True, index="i8", **options))
        message = refusal("info", path + ":m", code=1)
        assert message.startswith(f"bmo: {path}:m") and expected in message, (expected, message)

    def put(name, at, value):
        def change(group):
            group[name][at] = value

        return change

    def replace(name, value):
        def change(group):
            del group[name]
            if value is not None:
                group[name] = value

        return change

    def shape(value):
        def change(group):
            del group.attrs["shape"]
            if value is not None:
                group.attrs["shape"] = value

        return change

    entries = np.count_nonzero(rows)
    refuse("m: indices[0], of point ", put("indices", 0, 5))
    refuse("is -1; expected 0 to 4", put("indices", 0, -1))
    refuse(f"is {2**62}; expected 0 to 4", put("indices", 0, 2**62))
    refuse("m: indptr[0] is 1", put("indptr", 0, 1))
    refuse(f"m: indptr[3] is {2**40}", put("indptr", 3, 2**40))
    refuse("m: indptr[4] is -7", put("indptr", 4, -7))
    refuse("m: indptr[6] is ", put("indptr", 6, entries - 1))
    refuse("is nan; expected finite", put("data", 0, np.nan))
    refuse("m/indptr: has 2 elements; expected 7", replace("indptr", np.array([0, 0])))
    refuse(f"m/indices: has 1 element, but {path}:m/data has {entries}", replace("indices", np.array([0])))
    refuse("m/indices: has floats of 64 bits; expected integers", replace("indices", np.zeros(entries)))
    refuse("m/data: there is no such", replace("data", None))
    refuse("m/data: has 2 dimensions; expected 1", replace("data", np.zeros((entries, 1))))
    refuse("m/data: has text", replace("data", np.array([b"a"] * entries)))
    refuse("has no attribute shape", shape(None))
    refuse("has no attribute shape", shape([6, 5, 1]))
    refuse("has no attribute shape", shape("6 x 5"))
    refuse("has a shape of -6 x 5", shape([-6, 5]))
    refuse(f"has a shape of 6 x {2**31}", shape([6, 2**31]))
    refuse("has no columns", shape([6, 0]))
    refuse("m/indptr: has 7 elements; expected 2147483648", shape([2**31 - 1, 5]))
    tenx = write_tenx(os.path.join(directory, "tenx.h5"), rows)
    for value in (np.array([5, 6, 1]), np.array([5.0, 6.0]), np.array([[5, 6]])):
        with h5py.File(tenx, "r+") as file:
            del file["matrix/shape"]
            file["matrix/shape"] = value
        assert "matrix/shape: " in refusal("info", tenx + ":matrix", code=1)


@of_files
def damaged_files(directory):
    path = os.path.join(directory, "x.h5")
    with h5py.File(path, "w") as file:
        file.create_dataset("a", data=numbers(), chunks=(5, 7), compression="gzip", fletcher32=True)
    with open(path, "rb") as file:
        whole = file.read()
    for content in (b"", b"1,2\n", whole[:8], whole[:100], whole[: len(whole) // 2], whole[:-1]):
        with open(path, "wb") as file:
            file.write(content)
        assert f"{path}: cannot be opened as HDF5: " in refusal("info", path, code=1)
    with h5py.File(path, "w") as file:
        stored = file.create_dataset("a", data=numbers(), chunks=(30, 7), compression="gzip", fletcher32=True).id.get_chunk_info(0)
    with open(path, "r+b") as file:
        file.seek(stored.byte_offset + 20)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 255]))
    assert f"{path}:a: cannot be read: " in refusal("info", path, code=1)
    for name in (os.path.join(directory, "absent.h5"), os.path.join(directory, "absent.h5:x")):
        assert "cannot be opened: No such file" in refusal("info", name, code=1)
    folder = os.path.join(directory, "folder.h5")
    os.mkdir(folder)
    assert "expected a regular file" in refusal("info", folder, code=1)
    same_name = os.path.join(folder, "x.npy.h5:a")
    with h5py.File(os.path.join(folder, "x.npy.h5"), "w") as file:
        file["a"] = numbers()
    same(directory, same_name, numbers())


@of_files
def other_ways_to_a_file(directory):
    rows = numbers()
    path = os.path.join(directory, "X.H5")
    with h5py.File(path, "w") as file:
        file["a"] = rows
    other = os.path.join(directory, "points.loom")
    os.link(path, other)
    same(directory, other, rows)
    same(directory, path + ":a", rows)
    with open(path, "rb") as file:
        content = file.read()
    out = bmo("info", "-", input=content).out.splitlines()[:3]
    equal(out, bmo("info", path).out.splitlines()[:3])
    with open(path, "rb") as file:
        equal(bmo("info", "-", stdin=file).out.splitlines()[:3], out)
    message = refusal("info", "-", code=1, input=content[:100])
    assert "the standard input" in message and "/dev/fd" not in message, message
    for name in (path, path + ":a"):
        assert "would replace" in refusal("knn", name, "--json", path, code=2)
    saved = os.path.join(directory, "saved.bmo")
    bmo("prepare", path, "--out", saved)
    same(directory, saved, rows)


main()
