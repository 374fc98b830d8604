"""Points, and what was prepared for searching them."""
from __future__ import annotations

import ctypes
import os
import pathlib
import pickle
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _structs
from ._errors import CallbackError, Error, InternalError, InvalidArgument, NonFinite, Overflow, check, refuse_type
from ._library import lib
from ._params import Config, Params, choice_names, takes_params
from ._points import Points, address, as_points, dtype_of
from ._rows import chosen_rows, row_numbers
from ._watch import Cancel, ProgressLike, watched

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

# What data that were checked do not lead to, or not so often.
CONTRADICTIONS = (InternalError, Overflow, CallbackError)
_KINDS = {1: "dense", 2: "sparse"}


@dataclass(frozen=True)
class DatasetInfo:
    """What a dataset holds.

    Attributes
    ----------
    kind : str
        ``"dense"`` or ``"sparse"``.
    box : str
        The box that it was prepared for; ``""`` if it was not prepared.
    metric : str
        The metric that it was prepared for; ``""`` for any.
    dtype : numpy.dtype
        The type of the values as stored.
    n, d : int
        Points and coordinates.
    nnz : int
        Stored values: n * d of dense points, the values that are not 0 of sparse points.
    seed : int
        The seed of the preparation; 0 if it was not prepared.
    bytes_owned : int
        Memory of the library that the points and their preparation take.
    bytes_borrowed : int
        Memory of yours, or of a mapped file, that the dataset refers to.
    prepare_seconds : float
        Wall time of the preparation.
    """

    kind: str
    box: str
    metric: str
    dtype: np.dtype[Any]
    n: int
    d: int
    nnz: int
    seed: int
    bytes_owned: int
    bytes_borrowed: int
    prepare_seconds: float


class Dataset:
    """Points to search among. Immutable; any number of threads may use it at once.

    Parameters
    ----------
    points : array_like or sparse matrix, shape (n, d)
        A point a row. An array of float16, float32, float64, int8, uint8 or bool is used in place, whatever its positive strides; so is
        a CSR matrix of float32 or float64 with sorted indices and without stored zeros. Other types are converted, exactly or
        not at all: see the README. Every value must be finite.
    copy : bool
        Whether to copy points that could be used in place. If not, they must not change while the dataset, or what was made
        from it, is in use: else answers are wrong, or `InvalidArgument` says that they were changed. The dataset keeps them
        alive.
    progress : bool or callable
        True shows tqdm's bar. A function is called with the phase, what is done, and the total.
    cancel : Cancel, optional
        What stops the call from another thread.

    Raises
    ------
    InvalidArgument
        A shape, or an integer beyond 2**53.
    InvalidType
        A type that has no real numbers of at most 64 bits.
    NonFinite
        NaN or infinity; ``row`` and ``col`` tell where.

    Notes
    -----
    A dataset pickles, as the bytes of its ``.bmo`` file, preparation included.

    Examples
    --------
    >>> import libbmo
    >>> import numpy as np
    >>> points = np.arange(12, dtype=np.float32).reshape(4, 3)
    >>> dataset = libbmo.Dataset(points)
    >>> dataset
    Dataset(4 points x 3 coordinates, dense, float32)
    >>> dataset.info.bytes_borrowed
    48
    """

    _handle: ctypes.c_void_p
    _lent: Points | None
    _info: DatasetInfo

    def __init__(self, points: Any, *, copy: bool = False, progress: ProgressLike = None, cancel: Cancel | None = None) -> None:
        if isinstance(points, Dataset):
            refuse_type("points", "points is a Dataset; expected points")
        given = as_points(points, "points")
        handle = ctypes.c_void_p()
        watched(lambda monitor: _make(handle, given, _structs.COPY if copy else _structs.BORROW, monitor), progress=progress,
                cancel=cancel)
        self._take(handle, given)

    @classmethod
    def _of(cls, handle: ctypes.c_void_p, lent: Points | None = None) -> Dataset:
        dataset = object.__new__(cls)
        dataset._take(handle, lent)
        return dataset

    def _take(self, handle: ctypes.c_void_p, lent: Points | None) -> None:
        """Owns the handle, and keeps what it may refer to."""
        self._handle = handle
        self._info = self._describe()
        self._lent = lent if self._info.bytes_borrowed else None

    def __del__(self, free: Any = lib.bmo_dataset_free) -> None:
        free(getattr(self, "_handle", None))

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, copy: bool = False, progress: ProgressLike = None,
             cancel: Cancel | None = None) -> Dataset:
        """A dataset from a file.

        Parameters
        ----------
        path : str or path-like
            A ``.npy``, ``.mtx``, ``.csv``, ``.tsv``, ``.fvecs``, ``.bvecs``, ``.ivecs``, ``.fbin``, ``.u8bin`` or ``.i8bin``
            file, also compressed with gzip, a ``.npz`` file (``FILE.npz:ARRAY`` if it has several arrays), or a ``.bmo`` file
            that `save` wrote. Do not open a ``.bmo`` file of somebody whom you do not trust.
        copy : bool
            Whether to read a plain ``.npy`` or a ``.bmo`` file into memory. If not, it is mapped, and must not change meanwhile.
        progress, cancel
            As for the class.

        Returns
        -------
        Dataset

        Raises
        ------
        OSError
            The file cannot be read.
        FormatError, VersionError, Unsupported
            The file is not what its name or header says, or libbmo does not read it.

        Examples
        --------
        >>> import libbmo, numpy as np, pathlib, tempfile
        >>> directory = tempfile.TemporaryDirectory()
        >>> path = pathlib.Path(directory.name) / "points.npy"
        >>> np.save(path, np.eye(3))
        >>> libbmo.Dataset.open(path)
        Dataset(3 points x 3 coordinates, dense, float64)
        >>> directory.cleanup()
        """
        encoded = os.fsencode(path)
        os.stat(encoded)  # raises what Python users expect of a file that is not there
        flags = _structs.COPY if copy else _structs.BORROW
        handle = ctypes.c_void_p()
        watched(lambda monitor: lib.bmo_dataset_open(ctypes.byref(handle), encoded, flags, monitor), progress=progress,
                cancel=cancel)
        return cls._of(handle)

    @takes_params(_structs.CALL_PREPARE)
    def prepare(self, *, progress: ProgressLike = None, cancel: Cancel | None = None, **params: Unpack[Params]) -> Dataset:
        """A new dataset of the same points, prepared for many queries.

        Preparing pays from a few dozen queries on. Searches on it must have the weights that it was prepared with. They
        leave out box and seed, or have the same.

        Parameters
        ----------
        progress, cancel
            As for the class.
        **params
            Those that count: `metric`, `p`, `box`, `seed`, `delta`, `method`, `threads`, `weights` and `rho`. `metric` and `box`
            decide what is prepared. With box ``"auto"`` also `expected_queries`: how many queries will be asked, so that it
            prepares what is expected to take the least time in all, or nothing.

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import libbmo
        >>> import numpy as np
        >>> points = np.random.default_rng(1).normal(size=(100, 300))
        >>> libbmo.Dataset(points).prepare(metric="l1")
        Dataset(100 points x 300 coordinates, dense, float64, prepared for box dense)
        """
        config = Config(params, _structs.CALL_PREPARE)
        handle = ctypes.c_void_p()
        config.watched(lambda monitor: lib.bmo_dataset_prepare(ctypes.byref(handle), self._handle, config.handle, monitor),
                       progress, cancel)
        return self._of(handle, self._lent)

    def subset(self, rows: Any, *, progress: ProgressLike = None, cancel: Cancel | None = None) -> Dataset:
        """A new dataset of some of the points: its point i is point ``rows[i]`` of this one.

        So you delete points, or search some of them. It is prepared as this dataset is, with the same seed and
        weights. The points are copied: it does not need this dataset, or memory that this one borrows.

        Parameters
        ----------
        rows : array_like of int, slice, or array_like of bool with shape (n,)
            Numbers of points, counted from 0, in any order; they may repeat. Or a slice of them, as of an array. Or a mask,
            which is True for the points to keep. Numbers below 0 are refused: in answers, -1 stands for no neighbor.
        progress, cancel
            As for the class.

        Returns
        -------
        Dataset

        Raises
        ------
        InvalidArgument
            There is no point of that number, or the mask has another shape.
        InvalidType
            The rows are neither integers nor a slice or a mask.

        Notes
        -----
        What was prepared for the boxes dense, rotated and projected is copied too, in most cases. For the others it is prepared
        again, on one thread.

        Examples
        --------
        >>> import libbmo
        >>> import numpy as np
        >>> dataset = libbmo.Dataset(np.diag([1, 2, 3]))
        >>> dataset.subset([2, 0]).rows([0])
        array([[0., 0., 3.]])
        >>> keep = np.array([True, False, True])
        >>> dataset.subset(keep)
        Dataset(2 points x 3 coordinates, dense, int64)
        """
        chosen = chosen_rows(rows, self.n, "rows")
        handle = ctypes.c_void_p()
        try:
            watched(lambda monitor: lib.bmo_dataset_subset(ctypes.byref(handle), self._handle, address(chosen), len(chosen),
                                                           monitor), progress=progress, cancel=cancel)
        except NonFinite as failure:
            refuse_changed(failure, self)
            raise
        return self._of(handle)

    def save(self, path: str | os.PathLike[str], *, progress: ProgressLike = None, cancel: Cancel | None = None) -> None:
        """Writes the points and their preparation to a ``.bmo`` file for `open`.

        The file appears under its name when it is complete. Until then an older file of that name stays as it was.

        Parameters
        ----------
        path : str or path-like
        progress, cancel
            As for the class.
        """
        encoded = os.fsencode(path)
        watched(lambda monitor: lib.bmo_dataset_save(self._handle, encoded, monitor), progress=progress, cancel=cancel)

    def rows(self, rows: Any) -> NDArray[np.float64]:
        """The coordinates of the points with these numbers, which may repeat.

        Parameters
        ----------
        rows : array_like of int, shape (m,)

        Returns
        -------
        ndarray of float64, shape (m, d)

        Examples
        --------
        >>> import libbmo
        >>> import numpy as np
        >>> libbmo.Dataset(np.eye(3, dtype=np.uint8)).rows([2, 0])
        array([[0., 0., 1.],
               [1., 0., 0.]])
        """
        chosen = row_numbers(rows)
        out = np.empty((len(chosen), self.d), np.float64)
        check(lib.bmo_dataset_copy_rows(self._handle, address(chosen), len(chosen), address(out)))
        return out

    @property
    def info(self) -> DatasetInfo:
        """What the dataset holds."""
        return self._info

    def _describe(self) -> DatasetInfo:
        told = _structs.DatasetInfo.blank()
        check(lib.bmo_dataset_describe(self._handle, ctypes.byref(told)))
        names = choice_names()
        return DatasetInfo(kind=_KINDS[told.kind], box=names["box"][told.box], metric=names["metric"][told.metric],
                           dtype=dtype_of(told.dtype), n=told.n, d=told.d, nnz=told.nnz, seed=told.seed,
                           bytes_owned=told.bytes_owned, bytes_borrowed=told.bytes_borrowed,
                           prepare_seconds=told.prepare_ns * 1e-9)

    @property
    def n(self) -> int:
        """The number of points."""
        return self._info.n

    @property
    def d(self) -> int:
        """The number of coordinates."""
        return self._info.d

    @property
    def shape(self) -> tuple[int, int]:
        """``(n, d)``."""
        return self._info.n, self._info.d

    def __len__(self) -> int:
        return self._info.n

    def __repr__(self) -> str:
        prepared = f", prepared for box {self._info.box}" if self._info.box else ""
        return f"Dataset({self.n} points x {self.d} coordinates, {self._info.kind}, {self._info.dtype}{prepared})"

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        with tempfile.TemporaryDirectory(prefix="libbmo-") as directory:
            path = pathlib.Path(directory) / "points.bmo"
            self.save(path)
            saved = path.read_bytes()
        return _from_bytes, (pickle.PickleBuffer(saved) if protocol >= 5 else saved,)


def _make(handle: ctypes.c_void_p, points: Points, flags: int, monitor: Any) -> int:
    make = lib.bmo_dataset_sparse if points.is_sparse else lib.bmo_dataset_dense
    return int(make(ctypes.byref(handle), points.struct, flags, None, monitor))


def refuse_changed(failure: Error, *datasets: Dataset) -> None:
    """Fails with another error if points were changed while one of the datasets borrowed them: that is no bug of the library."""
    lent = [dataset._lent for dataset in datasets if dataset._lent is not None]
    says, advice = "the points were changed while the dataset borrowed them", "; make the Dataset again, or with copy=True"
    for points in lent:
        handle = ctypes.c_void_p()
        try:
            check(_make(handle, points, _structs.BORROW, None))
        except (InvalidArgument, NonFinite) as found:
            raise InvalidArgument(f"{says}: {found}{advice}", "points", found.row, found.col) from None
        lib.bmo_dataset_free(handle)
    if lent and isinstance(failure, InternalError):
        raise InvalidArgument(f"{says}, or libbmo has a bug: {failure}{advice}", "points", failure.row, failure.col) from None


def _from_bytes(saved: Any) -> Dataset:
    with tempfile.TemporaryDirectory(prefix="libbmo-") as directory:
        path = pathlib.Path(directory) / "points.bmo"
        path.write_bytes(saved)
        return Dataset.open(path, copy=True)
