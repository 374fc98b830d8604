"""Gain in coordinate operations: n d over what a method computes, against the number of points and against their coordinates."""
import time

import numpy as np

import figure
import peers
import points as dense
from bmo_command import PAPER
from settings import DELTA, Experiment, K, Settings

BOXES = ("projected", "dense", "rotated")
UNIFORM_STEP = 2  # between the numbers of samples that are tried


def row(method, n, d, stats, index, truth):
    whole, share = dense.judged(index, truth, K)
    return {"method": method, "n": n, "d": d, "gain": stats["gain"], "gain_all": stats["gain_all"], "error": 1 - whole,
            "recall": share, "guarantee": stats["guarantee"], "operations": stats["coord_ops"] / stats["queries"],
            "project_operations": stats["projection_ops"] / stats["queries"], "queries": stats["queries"]}


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
        return self.row(f"libbmo, {box} box", stats, index, build_cpu_s=seconds)

    def uniform_of(self, samples):
        """As many samples of every point; all coordinates of every point are the scan, which is done as such."""
        sampled = ("--method", "uniform", "--box", "dense", "--uniform-pulls", samples)
        options = sampled if samples < self.d else ("--method", "exact")
        stats, index = self.bmo.knn(self.points, self.queries, K, *options, "--seed", self.settings.seed)
        return self.row("uniform sampling", stats, index, effort=samples)

    def uniform(self):
        """The fewest samples of every point, in steps, that find AIM of the neighbors."""
        samples = 256
        while True:
            found = self.uniform_of(min(samples, self.d))
            if found["recall"] >= peers.AIM or samples >= self.d:
                return found
            samples *= UNIFORM_STEP

    def peer(self, kind):
        x, q = (np.load(path).astype(np.float32) for path in (self.points, self.queries))
        start = time.process_time()
        built = kind(x, self.settings.seed)
        seconds = time.process_time() - start
        effort, whole, share = peers.tuned(built, q, self.truth, K)
        counted = built.count(q, K, effort)
        return {"method": kind.name, "n": self.n, "d": self.d, "gain": self.n / counted, "gain_all": self.n / counted,
                "error": 1 - whole, "recall": share, "guarantee": "none", "operations": counted * self.d, "queries": self.count,
                "build_cpu_s": seconds, "effort": effort}

    def libbmo(self):
        yield from map(self.boxed, BOXES)
        yield self.paper()
        yield self.uniform()


def drawn(rows, x, label):
    ours = [row for row in rows if row["method"].startswith(("libbmo", "BMO", "uniform"))]
    halves = (("sampling", ours, "gain_all"), ("indexes, tuned to 99%", [row for row in rows if row not in ours], "gain_all"))
    return figure.pair(halves, x, label, "times fewer operations than a scan", peers.AIM)


class AgainstN(Experiment):
    """Gain in coordinate operations against the number of points, with errors, beside the peers."""

    name, axis, shapes = "gain-n", ("n", "points"), Settings.by_n

    @classmethod
    def measure(cls, settings):
        cases = [Case(settings, n, side, settings.scale(100, 1000)) for n, side in cls.shapes(settings)]
        for case in cases:
            yield from case.libbmo()
        for kind in peers.present(*peers.ALL):
            yield from (case.peer(kind) for case in cases if settings.indexable(case.n))

    @classmethod
    def draw(cls, rows):
        return drawn(rows, *cls.axis)


class AgainstD(AgainstN):
    """Gain in coordinate operations against the number of coordinates, with errors, beside the peers."""

    name, axis, shapes = "gain-d", ("d", "coordinates"), Settings.by_d
