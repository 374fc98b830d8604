"""Errors against delta, by the paper's rule and by libbmo's: which promises are kept."""
import pathlib
import sys

import numpy as np

import figure
import points as dense
from bmo_command import RULES
from settings import Experiment, K

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "stat"))
import cases  # noqa: E402
from intervals import interval  # noqa: E402

DELTAS = (0.2, 0.1, 0.05, 0.02, 0.01, 0.001, 0.0001)
GUARANTEES = ("none", "heuristic", "conditional", "proven", "exact")
PARTS = 10  # random orders that the queries of the images are asked with
MADE = (cases.one_huge_coordinate, cases.heavy_tails, cases.near_ties)


def row(data, method, delta, wrong, asked, gain, guarantee):
    low, high = interval(wrong, asked)
    return {"data": data, "method": method, "delta": delta, "wrong": wrong, "asked": asked, "low": low, "high": high,
            "gain": gain, "guarantee": guarantee, "kept": "yes" if high <= delta else "no" if low > delta else "not refuted"}


class Tally:
    """Wrong answers and operations of several runs."""

    def __init__(self):
        self.wrong = self.asked = self.operations = self.brute = 0
        self.guarantees = set()

    def add(self, stats, index, truth):
        whole, _ = dense.judged(index, truth, K)
        self.wrong += round((1 - whole) * len(index))
        self.asked += len(index)
        self.operations += stats["coord_ops"]
        self.brute += stats["coord_ops_brute"]
        self.guarantees.add(stats["guarantee"])

    def row(self, data, method, delta):
        weakest = min(self.guarantees, key=GUARANTEES.index)
        return row(data, method, delta, self.wrong, self.asked, self.brute / self.operations, weakest)


def of_images(settings):
    """Queries of images of 16 x 16 pixels, a tenth of them with a random order each."""
    side, n, count = settings.sides()[1], settings.scale(len(settings.all_images) // 2, len(settings.all_images)), 1000
    data, truth, part = settings.points(n, side), settings.truth(n, count, side), count // PARTS
    for delta in DELTAS:
        for method, options in RULES.items():
            tally = Tally()
            for number in range(PARTS):
                start = number * part
                asked, seed = settings.asked(part, side, start=start), settings.seed + number + 1
                stats, index = settings.bmo.knn(data, asked, K, *options, "--delta", delta, "--seed", seed)
                tally.add(stats, index, truth[start:start + part])
            yield tally.row("images", method, delta)


def of_made(settings, make, seeds):
    """Data made to deceive, new for each seed, asked one query each."""
    tallies = {}
    path, asked = settings.work / "made.npy", settings.work / "made_query.npy"
    for seed in range(settings.seed + 1, settings.seed + seeds + 1):
        points, query, _ = make(seed)
        np.save(path, points)
        np.save(asked, query[None])
        truth = ((points.astype(float) - query) ** 2).sum(1)[None]
        for delta in DELTAS:
            for method, options in RULES.items():
                stats, index = settings.bmo.knn(path, asked, K, *options, "--delta", delta, "--seed", seed)
                tallies.setdefault((delta, method), Tally()).add(stats, index, truth)
    for (delta, method), tally in tallies.items():
        yield tally.row(make.__name__.replace("_", " "), method, delta)


class AgainstDelta(Experiment):
    """Errors against delta, 0.2 to 0.0001, by the paper's rule and by libbmo's."""

    name = "errors"

    @classmethod
    def seeds(cls, settings):
        return [settings.seed + 1, settings.seed + settings.scale(200, 1000)]

    @staticmethod
    def measure(settings):
        yield from of_images(settings)
        for make in MADE:
            yield from of_made(settings, make, settings.scale(200, 1000))

    @staticmethod
    def draw(rows):
        names = list(dict.fromkeys(row["data"] for row in rows))
        drawing, axes = figure.panels(len(names), sharey=True)
        for axis, name in zip(axes, names):
            axis.plot(DELTAS, DELTAS, color=figure.BLACK, linewidth=1, linestyle=":", label="allowed: error = delta")
            for method in RULES:
                mine = [row for row in rows if row["data"] == name and row["method"] == method]
                shares = [max(row["wrong"] / row["asked"], 5e-5) for row in mine]
                axis.plot([row["delta"] for row in mine], shares, clip_on=False, **figure.style(method))
            axis.set(xscale="log", yscale="log", xlabel="delta", title=name, ylim=(5e-5, 1))
            axis.set_xticks((1e-4, 1e-2), ("0.0001", "0.01"))
            axis.set_yticks((5e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1), ("none", "0.01%", "0.1%", "1%", "10%", "100%"))
        axes[0].set_ylabel("share of wrong answers")
        figure.legend_below(drawing, axes)
        return drawing
