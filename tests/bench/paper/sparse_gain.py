"""Gain on single cells: the sparse box of the paper and the overlap box, k-NN and k-means."""
import numpy as np

import figure
import kmeans_gain
import points as dense
from settings import DELTA, Experiment, K

METRICS = ("l1", "sqeuclidean")
RULES = {"paper's box, paper's rule": ("--box", "sparse_union", "--bandit", "ucb", "--confidence", "empirical"),
         "paper's box, proven rule": ("--box", "sparse_union", "--bandit", "ucb", "--confidence", "betting"),
         "overlap box": ("--box", "sparse")}


def split(settings, count):
    """count of the cells as queries, the others as points: matrices, and files of them."""
    import scipy.io

    cells = scipy.io.mmread(settings.cells).tocsr()
    order = np.random.default_rng(settings.seed).permutation(cells.shape[0])
    parts = {"queries": cells[np.sort(order[:count])], "points": cells[np.sort(order[count:])]}
    paths = {}
    for name, part in parts.items():
        paths[name] = settings.work / f"cells_{name}_{count}_{settings.seed}.mtx"
        scipy.io.mmwrite(paths[name], part)
    return parts["points"], parts["queries"], paths["points"], paths["queries"]


def distances(points, queries, metric):
    """Of whole numbers, by integer arithmetic."""
    x = points.toarray().astype(np.int32)
    apart = (x - q for q in queries.toarray().astype(np.int32))
    return np.array([(np.abs(a) if metric == "l1" else a.astype(np.int64) ** 2).sum(1) for a in apart], dtype=float)


def scans(points, queries):
    """Entries a query that scans read: the paper's n_0 + n_i a pair; those of the points; those of the query's columns."""
    by_point, by_query = np.diff(points.indptr), np.diff(queries.indptr)
    by_column = np.bincount(points.indices, minlength=points.shape[1])
    n = points.shape[0]
    return {"pairs": by_point.sum() + n * by_query.mean(), "rows": float(by_point.sum()),
            "columns": float(np.mean([by_column[row.indices].sum() for row in queries]))}


def knn_row(settings, task, method, data, asked, k, metric, options, entries, truth):
    stats, index = settings.bmo.knn(data, asked, k, "--metric", metric, "--method", "bandit", "--delta", DELTA, "--seed",
                                    settings.seed, *options)
    read = stats["coord_ops"] / stats["queries"]
    whole, share = dense.judged(index, truth, k)
    return {"task": task, "method": method, "read": read, "error": 1 - whole, "recall": share, "guarantee": stats["guarantee"],
            "queries": stats["queries"], "gain": entries["pairs"] / read, "over_rows": entries["rows"] / read,
            "over_columns": entries["columns"] / read}


def nearest_rows(settings, count):
    points, queries, data, asked = split(settings, count)
    entries = scans(points, queries)
    for metric in METRICS:
        truth = distances(points, queries, metric)
        for method, options in RULES.items():
            yield knn_row(settings, f"k-NN, {metric}", method, data, asked, K, metric, options, entries, truth)


def first_assignment(settings):
    """The first step of k-means: the cells ask for the nearest of k of them, which are sparse as later centers are not."""
    others, centers, asked, data = split(settings, kmeans_gain.CLUSTERS)
    entries, truth = scans(centers, others), distances(centers, others, "sqeuclidean")
    for method, options in RULES.items():
        yield knn_row(settings, "k-means, step 1", method, data, asked, 1, "sqeuclidean", options, entries, truth)


def kmeans_row(settings):
    import scipy.io

    cells = scipy.io.mmread(settings.cells).tocsr()
    stats, _, error = kmeans_gain.whole_run(settings.bmo, settings.cells, cells.toarray(), settings.seed)
    spent = stats["coord_ops"] + stats["projection_ops"]
    lloyd = stats["coord_ops_brute"] / cells.shape[1] * cells.nnz / cells.shape[0]
    return {"task": "k-means, all steps", "method": "bounds", "read": spent / stats["queries"], "error": error,
            "guarantee": stats["guarantee"], "queries": stats["queries"], "gain": stats["gain_all"],
            "over_rows": lloyd / spent, "gain_without_projections": stats["gain"]}


class Cells(Experiment):
    """Gain on single cells, by the paper's box and the overlap box, k-NN and k-means."""

    name, needs = "sparse", ("cells",)

    @staticmethod
    def measure(settings):
        yield from nearest_rows(settings, settings.scale(100, 500))
        yield from first_assignment(settings)
        yield kmeans_row(settings)

    @staticmethod
    def draw(rows):
        drawing, (axis,) = figure.panels(height=4.8)
        looks = (("gain", "every pair's entries (the paper's count)", figure.BLUE, "o"),
                 ("over_rows", "the points' entries", figure.ORANGE, "s"),
                 ("over_columns", "the query's columns", figure.GREEN, "^"))
        for key, label, color, marker in looks:
            told = [(row[key], place) for place, row in enumerate(rows) if row.get(key)]
            axis.plot(*zip(*told), marker, color=color, label=label)
        axis.axvline(1, color=figure.BLACK, linewidth=1)
        axis.set_yticks(range(len(rows)), [f"{row['task']}: {row['method']}" for row in rows], fontsize=10)
        axis.invert_yaxis()
        axis.set(xscale="log", xlabel="times fewer entries read than by a scan of ... (left of 1: more)")
        figure.plain(axis.xaxis, (0.1, 0.2, 0.5, 1, 2, 5, 10, 20))
        figure.legend_below(drawing, [axis], 3)
        return drawing
