"""Gain in coordinate operations: n d over what a method computes, against the number of points and against their coordinates."""
import time

import numpy as np

import figure
import peers
import points as dense
from bmo_command import PAPER
from settings import DELTA, Experiment, K, Settings

BOXES = ("learned", "dense", "rotated")
UNIFORM_STEP = 2  # between the numbers of samples that are tried


def row(method, n, d, stats, index, truth):
    whole, share = dense.judged(index, truth, K)
    return {"method": method, "n": n, "d": d, "gain": stats["gain"], "gain_all": stats["gain_all"], "error": 1 - whole,
            "recall": share, "guarantee": stats["guarantee"], "operations": stats["coord_ops"] / stats["queries"],
            "project_operations": stats["project_ops"] / stats["queries"], "queries": stats["queries"]}


class Case:
    """n images of a width, and the queries that they are asked."""

    def __init__(self, settings, n, side, count):
        self.settings, self.bmo, self.n, self.side, self.count = settings, settings.bmo, n, side, count
        self.points, self.queries = settings.points(n, side), settings.asked(count, side)
        self.truth = settings.truth(n, count, side)
        self.d = np.load(self.points, mmap_mode="r").shape[1]

    def row(self, method, stats, index, **more):
        return row(method, self.n, self.d, stats, index, self.truth) | more

    def paper(self):
        stats, index = self.bmo.knn(self.points, self.queries, K, *PAPER, "--delta", DELTA, "--seed", self.settings.seed)
        return self.row("BMO as in the paper", stats, index)

    def boxed(self, box):
        prepared = self.settings.work / f"prepared_{box}.bmo"
        seconds = self.bmo.prepare(self.points, prepared, "--box", box, "--seed", self.settings.seed)
        stats, index = self.bmo.knn(prepared, self.queries, K, "--method", "bandit", "--delta", DELTA)
        return self.row(f"libbmo, {box} box", stats, index, build_s=seconds)

    def uniform_of(self, samples):
        stats, index = self.bmo.knn(self.points, self.queries, K, "--method", "uniform", "--box", "dense", "--uniform-pulls",
                                    samples, "--seed", self.settings.seed)
        return self.row("uniform sampling", stats, index, effort=samples)

    def uniform(self):
        """The fewest samples of every point, in steps, that find AIM of the neighbours."""
        samples = 256
        while True:
            found = self.uniform_of(min(samples, self.d))
            if found["recall"] >= peers.AIM or samples >= self.d:
                return found
            samples *= UNIFORM_STEP

    def peer(self, kind):
        x, q = (np.load(path).astype(np.float32) for path in (self.points, self.queries))
        start = time.perf_counter()
        built = kind(x, self.settings.seed)
        seconds = time.perf_counter() - start
        effort, whole, share = peers.tuned(built, q, self.truth, K)
        counted = built.count(q, K, effort)
        return {"method": kind.name, "n": self.n, "d": self.d, "gain": self.n / counted, "gain_all": self.n / counted,
                "error": 1 - whole, "recall": share, "guarantee": "none", "operations": counted * self.d, "queries": self.count,
                "build_s": seconds, "effort": effort}

    def libbmo(self):
        yield from map(self.boxed, BOXES)
        yield self.paper()
        yield self.uniform()


def drawn(rows, x, label):
    """Gains of libbmo and the paper on the left, of the others on the right; hollow where the aim was missed."""
    drawing, axes = figure.panels(2, sharey=True)
    ours = [row for row in rows if row["method"].startswith(("libbmo", "BMO", "uniform"))]
    for axis, part, title in zip(axes, (ours, [row for row in rows if row not in ours]), ("sampling", "indexes, tuned to 99%")):
        figure.lines(axis, part, x, "gain_all", lambda row: row["recall"] < peers.AIM)
        axis.set(xscale="log", yscale="log", xlabel=label, title=title)
        figure.plain(axis.xaxis, sorted({row[x] for row in rows}))
        figure.plain(axis.yaxis)
    axes[0].set_ylabel("times fewer operations than a scan")
    figure.legend_below(drawing, axes)
    return drawing


class AgainstN(Experiment):
    """Gain in coordinate operations against the number of points, with errors, beside the peers."""

    name, axis, shapes = "gain-n", ("n", "points"), Settings.by_n

    @classmethod
    def measure(cls, settings):
        cases = [Case(settings, n, side, settings.scale(100, 1000)) for n, side in cls.shapes(settings)]
        for case in cases:
            yield from case.libbmo()
        for kind in peers.present(*peers.ALL):
            yield from (case.peer(kind) for case in cases)

    @classmethod
    def draw(cls, rows):
        return drawn(rows, *cls.axis)


class AgainstD(AgainstN):
    """Gain in coordinate operations against the number of coordinates, with errors, beside the peers."""

    name, axis, shapes = "gain-d", ("d", "coordinates"), Settings.by_d
