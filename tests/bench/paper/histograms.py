"""How coordinate-wise distances are spread, dense and sparse, before and after a random rotation. numpy alone."""
import numpy as np

import figure
from settings import Experiment, K

PAIRS = 500
BINS = np.concatenate([[0], np.geomspace(1e-3, 1e4, 71)])  # in means of a pair


def rotated(x, seed):
    """Random signs, then a Walsh-Hadamard transform of the next power of two."""
    width = 1 << (x.shape[1] - 1).bit_length()
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], x.shape[1])
    y = np.zeros((len(x), width))
    y[:, :x.shape[1]] = x * signs
    half = 1
    while half < width:
        pairs = y.reshape(len(y), -1, 2, half)
        y = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2).reshape(len(y), width)
        half *= 2
    return y / np.sqrt(width)


def spread(apart):
    """Shares of the squares in BINS, and how uneven they are, over all pairs; each pair in units of its own mean."""
    squares = apart * apart
    squares = squares[squares.mean(1) > 0]
    squares /= squares.mean(1, keepdims=True)
    shares = np.histogram(squares, BINS)[0] / squares.size
    largest = -np.sort(-squares, axis=1)
    top = max(1, squares.shape[1] // 100)
    share = largest[:, :top].sum(1) / squares.sum(1)
    return shares, {"zeros": float((squares == 0).mean()), "standard_deviation": float(squares.std(1).mean()),
                    "largest": float(squares.max(1).mean()), "share_of_largest_percent": float(share.mean()),
                    "coordinates": squares.shape[1], "pairs": len(squares)}


def image_pairs(settings):
    """Queries with points at random, and with their nearest ones."""
    random = np.random.default_rng(settings.seed)
    n = settings.sizes()[2]
    points, queries = np.load(settings.points(n)).astype(float), np.load(settings.asked(100)).astype(float)
    near = np.argsort(settings.truth(n, 100), axis=1)[:, :K].ravel()
    asked = np.repeat(np.arange(len(queries)), K)
    return {"images, any pair": queries[asked] - points[random.integers(n, size=len(asked))],
            "images, neighbors": queries[asked] - points[near]}


def cell_pairs(settings):
    import scipy.io

    cells = scipy.io.mmread(settings.cells).tocsr()
    random = np.random.default_rng(settings.seed)
    one, other = random.integers(cells.shape[0], size=(2, PAIRS))
    return {"single cells, any pair": np.asarray((cells[one] - cells[other]).todense(), dtype=float)}


class Histograms(Experiment):
    """Coordinate-wise distances, dense and sparse, before and after rotation."""

    name, needs = "histograms", ("images", "queries", "cells")

    @staticmethod
    def measure(settings):
        for pairs in (image_pairs(settings), cell_pairs(settings)):
            for data, apart in pairs.items():
                for kind, values in (("as they are", apart), ("rotated", rotated(apart, settings.seed))):
                    shares, known = spread(values)
                    yield {"data": data, "kind": kind, **known, "shares": " ".join(f"{share:.4g}" for share in shares)}

    @staticmethod
    def draw(rows):
        names = list(dict.fromkeys(row["data"] for row in rows))
        drawing, axes = figure.panels(len(names), sharey=True)
        looks = {"as they are": (figure.VERMILION, "-"), "rotated": (figure.BLUE, "--")}
        for axis, name in zip(axes, names):
            for row in (row for row in rows if row["data"] == name):
                color, line = looks[row["kind"]]
                shares = np.array([float(share) for share in row["shares"].split()])
                axis.stairs(shares[1:], BINS[1:], color=color, linestyle=line, label=row["kind"], linewidth=1.8)
                axis.plot([BINS[1]], [shares[0]], marker="o" if line == "-" else "s", color=color, clip_on=False)
            axis.set(xscale="log", yscale="log", ylim=(1e-6, 1.5), xlabel="squared difference / its mean", title=name)
            axis.set_xticks((1e-2, 1, 1e2, 1e4), ("0.01", "1", "100", "10,000"))
            axis.set_yticks((1e-6, 1e-4, 1e-2, 1), ("0.0001%", "0.01%", "1%", "100%"))
        axes[0].set_ylabel("share of coordinates")
        axes[0].plot([], [], "ko", label="on the left edge: all below 0.001")
        figure.legend_below(drawing, axes)
        return drawing
