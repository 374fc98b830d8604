"""Gain of k-means in coordinate operations, k = 100: whole runs, and one assignment by the paper's rule."""
import numpy as np

import figure
from bmo_command import RULES
from settings import DELTA, Experiment

CLUSTERS = 100


def nearest(points, centers):
    """Labels of the nearest centers by products of matrices in float64."""
    x, c = points.astype(np.float64), centers
    return ((c * c).sum(1)[None] - 2 * (x @ c.T)).argmin(1)


def whole_run(bmo, data, points, seed):
    """Lloyd from k points to the end: gain over all distances in every step, and labels that are those of the nearest centers."""
    stats, centers, labels = bmo.kmeans(data, CLUSTERS, "--init", "random", "--seed", seed)
    return stats, centers, float((nearest(points, centers) != labels).mean())


def assignment(bmo, points, truth, centers, options):
    """One step of Lloyd as k-NN: the points ask for their nearest of the centers."""
    stats, index = bmo.knn(centers, points, 1, *options, "--delta", DELTA)
    return stats, float((index[:, 0] != truth).mean())


def row(method, n, d, stats, error, **more):
    return {"method": method, "n": n, "d": d, "gain": stats["gain"], "gain_all": stats["gain_all"], "wrong_labels": error,
            "guarantee": stats["guarantee"]} | more


class AgainstD(Experiment):
    """Gain of k-means on images, k = 100, against the number of coordinates."""

    name = "kmeans-d"

    @staticmethod
    def measure(settings):
        n = settings.scale(len(settings.all_images) // 8, len(settings.all_images))
        for side in settings.sides():
            data = settings.points(n, side)
            points = np.load(data)
            d = points.shape[1]
            stats, centers, error = whole_run(settings.bmo, data, points, settings.seed)
            yield row("libbmo, projected box", n, d, stats, error, steps=stats["iterations"] + 1)
            path = settings.work / "centers.npy"
            np.save(path, centers)
            truth = nearest(points, centers)
            for method, options in RULES.items():
                stats, error = assignment(settings.bmo, data, truth, path, (*options, "--seed", settings.seed))
                yield row(method, n, d, stats, error, steps=1)

    @staticmethod
    def draw(rows):
        drawing, (axis,) = figure.panels()
        said = {"libbmo, projected box": "libbmo, k-means to its end", "libbmo, dense box": "libbmo's race, one assignment",
                "BMO as in the paper": "BMO as in the paper, one assignment"}
        figure.lines(axis, rows, "d", "gain_all")
        axis.axhline(1, color=figure.BLACK, linewidth=0.8)
        axis.set(xscale="log", yscale="log", xlabel="coordinates", ylabel="times fewer operations",
                 title=f"k-means, {rows[0]['n']:,} images, k = {CLUSTERS}")
        figure.plain(axis.xaxis, sorted({row["d"] for row in rows}))
        figure.plain(axis.yaxis)
        handles, names = axis.get_legend_handles_labels()
        drawing.legend(handles, [said[name] for name in names], loc="outside lower center", ncols=2)
        return drawing
