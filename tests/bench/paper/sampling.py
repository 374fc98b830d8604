"""Adaptive against uniform sampling: how many neighbors are found at how many operations."""
import figure
import gain
import points as dense
from bmo_command import RULES
from settings import DELTA, Experiment, K

TIMES = (1, 2, 5, 10, 20, 40, 80)


def adaptive(case, method):
    stats, index = case.bmo.knn(case.points, case.queries, K, *RULES[method], "--delta", DELTA, "--seed", case.settings.seed)
    return case.row(method, stats, index)


class AdaptiveOrUniform(Experiment):
    """Neighbors found by uniform sampling at 1 to 80 times the operations of adaptive sampling."""

    name = "uniform"

    @staticmethod
    def measure(settings):
        case = gain.Case(settings, len(settings.all_images), dense.side_of(settings.all_images), settings.scale(100, 1000))
        ours, theirs = (adaptive(case, method) for method in RULES)
        for row in (ours, theirs):
            yield row | {"times": row["operations"] / ours["operations"]}
        for times in TIMES:
            row = case.uniform_of(min(case.d, round(times * ours["operations"] / case.n)))
            yield row | {"times": row["operations"] / ours["operations"]}

    @staticmethod
    def draw(rows):
        drawing, axes = figure.panels(2, sharex=True)
        for axis, y, title in zip(axes, ("recall", "right"), ("neighbors found", "queries with all 5 right")):
            figure.lines(axis, [row | {"right": 1 - row["error"]} for row in rows], "times", y)
            axis.set(xscale="log", xlabel="operations, libbmo's dense box = 1", title=title, ylim=(0, 1.05))
            figure.plain(axis.xaxis, (1, 2, 5, 10, 20, 40, 80))
            axis.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
        figure.legend_below(drawing, axes)
        return drawing
