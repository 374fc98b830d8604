#!/usr/bin/env python3
"""Draws docs/scale/shards.svg from what `shards.py scale --json` wrote: work and time against the number of shards.

usage: draw_shards.py MEASURED.json OUT.svg
"""
import json
import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, TOP, BETWEEN = 250, 190, 50, 34, 80
COLORS = {"exact": "#1f77b4", "bandit": "#d62728"}
NAMES = {"exact": "scan (method exact)", "bandit": "race (method bandit)"}


def panel(left, title, shards, series, low, high):
    """A plot of logarithmic axes: parts of SVG."""
    def x(value):
        return left + WIDTH * math.log(value / shards[0]) / math.log(shards[-1] / shards[0])

    def y(value):
        return TOP + HEIGHT * (1 - math.log(value / low) / math.log(high / low))

    yield f'<text x="{left}" y="{TOP - 14}" font-weight="bold">{title}</text>'
    yield f'<rect x="{left}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#999"/>'
    for count in shards:
        yield f'<text x="{x(count):.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{count}</text>'
    tick = low
    while tick <= high * 1.001:
        yield f'<line x1="{left}" x2="{left + WIDTH}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>'
        yield f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>'
        tick *= 2
    for (color, dashes), values in series:
        points = " ".join(f"{x(count):.1f},{y(value):.1f}" for count, value in zip(shards, values))
        yield f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>'
        for place in points.split():
            yield '<circle cx="{}" cy="{}" r="3" fill="{}"/>'.format(*place.split(","), color)


def bounds(series):
    values = [value for _, line in series for value in line]
    return 2.0 ** math.floor(math.log2(min(values))), 2.0 ** math.ceil(math.log2(max(values)))


def drawn(rows):
    shards = [row["shards"] for row in rows]
    queries = rows[0]["queries"]
    work = [((COLORS[method], ""), [row[method]["coord_ops"] / queries / 1e6 for row in rows]) for method in COLORS]
    times = [((COLORS[method], dashes), [1e3 * row[method][what] / queries for row in rows])
             for method in COLORS for what, dashes in (("seconds", ""), ("processor_seconds", "5 4"))]
    second = LEFT + WIDTH + BETWEEN
    width, height = second + WIDTH + 20, TOP + HEIGHT + 76
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
    yield f'<rect width="{width}" height="{height}" fill="white"/>'
    yield from panel(LEFT, "million operations a query", shards, work, *bounds(work))
    yield from panel(second, "milliseconds a query", shards, times, *bounds(times))
    yield f'<text x="{width / 2}" y="{TOP + HEIGHT + 36}" text-anchor="middle">shards (1: one worker; more: two workers)</text>'
    for at, (method, color) in enumerate(COLORS.items()):
        yield f'<text x="{LEFT + 160 * at}" y="{height - 12}" fill="{color}">{NAMES[method]}</text>'
    yield f'<text x="{width - 20}" y="{height - 12}" text-anchor="end">solid: wall time; dashed: processor time</text>'
    yield "</svg>"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text())["rows"]
    pathlib.Path(sys.argv[2]).write_text("\n".join(drawn(rows)) + "\n")


if __name__ == "__main__":
    main()
