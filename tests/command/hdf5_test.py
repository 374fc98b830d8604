"""HDF5 files, AnnData's and 10x Genomics' among them, are read as h5py and anndata wrote them."""
import os
import warnings

from command import bmo, refusal
from hdf5_files import (BUILT, TYPES, check_names, compressed, few_numbers, h5py, names_written, np, numbers, of_files, same, write_anndata,
                        write_sparse, write_tenx)
from tap import case, equal, main, skip


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
