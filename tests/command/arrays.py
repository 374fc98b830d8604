"""NumPy's files without NumPy, and exact neighbors by brute force."""
import array
import ast
import math
import struct
import zipfile

CODES = {"<f4": "f", "<f8": "d", "|u1": "B", "<i4": "i", "<i8": "q"}


def write_npy(path, rows, descr="<f4", cols=None):
    """cols: where there are no rows to tell it."""
    shape = (len(rows), len(rows[0]) if rows else cols)
    header = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    values = array.array(CODES[descr], [value for row in rows for value in row])
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values.tobytes())
    return path


def read_npy(content):
    (length,) = struct.unpack("<H", content[8:10])
    header = ast.literal_eval(content[10 : 10 + length].decode())
    values = array.array(CODES[header["descr"]], content[10 + length :])
    rows, *cols = header["shape"]
    if header["fortran_order"] or len(values) != math.prod(header["shape"]) or (10 + length) % 64 != 0:
        raise AssertionError(f"unexpected header {header}")
    if not cols:
        return header["descr"], list(values)
    return header["descr"], [list(values[i * cols[0] : (i + 1) * cols[0]]) for i in range(rows)]


def read_npz(path):
    with zipfile.ZipFile(path) as archive:
        if archive.testzip() is not None:
            raise AssertionError("a checksum of the archive is wrong")
        return {name: read_npy(archive.read(name)) for name in archive.namelist()}


DISTANCES = {
    "l2": lambda differences: math.sqrt(sum(x * x for x in differences)),
    "sqeuclidean": lambda differences: float(sum(x * x for x in differences)),
    "l1": lambda differences: float(sum(map(abs, differences))),
}


def neighbors(query, points, k, metric, own=None):
    """The k nearest as (distance, index), ties by index; `own` is no candidate. Exact for integers."""
    distance = DISTANCES[metric]
    found = [(distance([a - b for a, b in zip(query, point)]), i) for i, point in enumerate(points) if i != own]
    return sorted(found)[:k]


def whole_numbers(n, d, most, seed):
    """n rows of d numbers from 0 to most, the same at every run."""
    rows, state = [], seed
    for _ in range(n):
        row = []
        for _ in range(d):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            row.append((state >> 33) % (most + 1))
        rows.append(row)
    return rows
