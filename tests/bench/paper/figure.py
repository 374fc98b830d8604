"""How the figures look: the colors of Okabe and Ito, a marker of its own for each method, legible at 800 pixels."""
import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update({
    "svg.hashsalt": "bmo", "font.size": 11, "axes.titlesize": 11, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False, "lines.linewidth": 1.8, "lines.markersize": 7,
})
from matplotlib import pyplot, ticker  # noqa: E402

BLUE, SKY, GREEN, ORANGE, VERMILION, PURPLE, BLACK = "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#D55E00", "#CC79A7", "#000000"
STYLES = {  # libbmo and the paper's method are solid, everything else is dashed
    "libbmo, projected box": (BLUE, "o", "-"),
    "libbmo, bytes": (BLUE, "o", "-"),
    "libbmo, dense box": (SKY, "s", "-"),
    "libbmo, float32": (SKY, "s", "-"),
    "libbmo, rotated box": (GREEN, "^", "-"),
    "BMO as in the paper": (VERMILION, "D", "-"),
    "uniform sampling": (BLACK, "x", "--"),
    "hnswlib": (ORANGE, "v", "--"),
    "NGT": (PURPLE, "P", "--"),
    "pynndescent": (GREEN, "*", "--"),
    "LSH (falconn)": (BLACK, "d", ":"),
    "scikit-learn, brute": (BLACK, "x", "--"),
    "faiss, flat": (VERMILION, "h", "--"),
    "faiss, Panorama": (GREEN, ">", "--"),
    "faiss, PCA and Panorama": (GREEN, "<", ":"),
}


def style(name):
    color, marker, line = STYLES[name]
    return {"color": color, "marker": marker, "linestyle": line, "label": name}


def panels(count=1, height=4.2, **kwargs):
    """A figure as wide as a README, and its axes."""
    figure, axes = pyplot.subplots(1, count, figsize=(8, height), squeeze=False, layout="constrained", **kwargs)
    return figure, list(axes[0])


def legend_below(figure, axes, columns=None):
    seen = {}
    for axis in axes:
        seen.update(dict(zip(*reversed(axis.get_legend_handles_labels()))))
    columns = columns or (4 if max(map(len, seen)) < 22 else 3)
    figure.legend(seen.values(), seen.keys(), loc="outside lower center", ncols=columns)


def plain(axis, values=None):
    """Figures on a logarithmic axis as people write them: 1,562 rather than 1.6 x 10^3."""
    low, high = axis.get_view_interval()
    steps = ticker.LogLocator(subs=(1, 2, 5) if high < 200 * low else (1,))
    axis.set_major_locator(steps if values is None else ticker.FixedLocator(values))
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:,.10g}"))


def lines(axis, rows, x, y, marked=None):
    """A line for each method of the rows. marked(row): a point to be drawn hollow."""
    for name in dict.fromkeys(row["method"] for row in rows):
        mine = [row for row in rows if row["method"] == name and row.get(y) is not None]
        look = style(name)
        axis.plot([row[x] for row in mine], [row[y] for row in mine], **look)
        hollow = [row for row in mine if marked and marked(row)]
        axis.plot([row[x] for row in hollow], [row[y] for row in hollow], linestyle="", marker=look["marker"],
                  color=look["color"], markerfacecolor="white")


def pair(halves, x, label, y_label, aim):
    """Two panels of logarithmic axes, (title, rows, y) each; hollow where less than aim of the neighbors was found."""
    drawing, axes = panels(2, sharex=True, sharey=True)
    places = sorted({row[x] for _, rows, _ in halves for row in rows})
    for axis, (title, rows, y) in zip(axes, halves):
        lines(axis, rows, x, y, lambda row: row["recall"] < aim)
        axis.set(xscale="log", yscale="log", xlabel=label, title=title)
        plain(axis.xaxis, places)
        plain(axis.yaxis)
    axes[0].set_ylabel(y_label)
    legend_below(drawing, axes)
    return drawing


def save(figure, directory, about):
    """PNG and SVG, of which the latter is the same whenever the numbers are."""
    told = f"{about['command']}; {about['versions']['bmo']}; {about['machine']['processor']}; seeds {about['seeds']}"
    figure.savefig(directory / f"{about['experiment']}.png", dpi=100, metadata={"Description": told, "Software": None})
    figure.savefig(directory / f"{about['experiment']}.svg", metadata={"Description": told, "Date": None, "Creator": None})
    pyplot.close(figure)
