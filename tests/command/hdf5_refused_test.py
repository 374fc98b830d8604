"""What of HDF5 files is no matrix, or damaged, and how the command says so."""
import os

from command import bmo, refusal
from hdf5_files import few_numbers, h5py, np, numbers, of_files, same, write_anndata, write_sparse, write_tenx
from tap import equal, main


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


main()
