"""What a run was asked for, and the data as files that the bmo command reads."""
import dataclasses
import functools
import pathlib

import numpy as np

import points as dense
from bmo_command import Bmo

K = 5
DELTA = 0.01


class Experiment:
    """What main.py knows of one: its name, what it needs, its seeds; measure(settings) yields rows, draw(rows) is a figure."""

    name, needs = "", ("images", "queries")

    @classmethod
    def seeds(cls, settings):
        return [settings.seed]


@dataclasses.dataclass(frozen=True)
class Settings:
    images: pathlib.Path | None
    queries: pathlib.Path | None
    cells: pathlib.Path | None
    results: pathlib.Path
    work: pathlib.Path
    full: bool
    seed: int
    bmo: Bmo

    def scale(self, quick, full):
        return full if self.full else quick

    @functools.cached_property
    def all_images(self):
        return np.load(self.images, mmap_mode="r")

    @functools.cached_property
    def all_queries(self):
        return np.load(self.queries, mmap_mode="r")

    def sizes(self):
        """Five numbers of images, each half of the next."""
        return [len(self.all_images) >> shift for shift in range(4, -1, -1)]

    def sides(self):
        """Widths in pixels: the images' own and its halves, down to an eighth."""
        return [dense.side_of(self.all_images) >> shift for shift in range(3, -1, -1)]

    def indexable(self, n):
        """Whether others' indexes are built of n points: of a quarter at most in a quick run, since it takes most of the time."""
        return self.full or n <= self.sizes()[2]

    def by_n(self):
        """Numbers of points and widths: all sizes of the whole images."""
        return [(n, dense.side_of(self.all_images)) for n in self.sizes()]

    def by_d(self):
        """A number of points at all widths."""
        return [(self.scale(self.sizes()[2], self.sizes()[-1]), side) for side in self.sides()]

    def made(self, name, make):
        """An array that is computed once and kept in the working directory."""
        path = self.work / f"{self.images.stem}_{name}.npy"
        if not path.exists():
            np.save(path, make())
        return path

    def points(self, n, side=None, kind="uint8"):
        """A file of the first n images."""
        side = side or dense.side_of(self.all_images)

        def make():
            return dense.pooled(np.asarray(self.all_images[:n]), side).astype(kind)

        return self.made(f"n{n}_w{side}_{kind}", make)

    def asked(self, count, side=None, kind="uint8", start=0):
        """A file of count queries from start on."""
        side = side or dense.side_of(self.all_images)

        def make():
            return dense.pooled(np.asarray(self.all_queries[start:start + count]), side).astype(kind)

        return self.made(f"{self.queries.stem}_{start}_{count}_w{side}_{kind}", make)

    def truth(self, n, count, side=None):
        """True squared distances of the first count queries to the first n images: those to all are kept."""
        side, every = side or dense.side_of(self.all_images), len(self.all_images)

        def make():
            return dense.squared_distances(np.load(self.points(every, side)), np.load(self.asked(count, side)))

        return np.load(self.made(f"truth_{self.queries.stem}_{count}_n{every}_w{side}", make), mmap_mode="r")[:, :n]

    def described(self):
        """Base names and shapes of the data."""
        known = {}
        if self.images:
            known["images"] = [self.images.name, *self.all_images.shape]
            known["queries"] = [self.queries.name, *self.all_queries.shape]
        if self.cells:
            known["cells"] = [self.cells.name]
        return known
