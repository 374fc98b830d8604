#!/usr/bin/env python3
"""Draws how the operations of BMO UCB grow on arms with normal means, as SVG.

usage: growth.py BUILD/tests/stat/stat_growth OUT.svg

The program prints n, measured operations, those of the theorem, and (n + d) log^2(n d / delta), for n = d.
"""
import math
import pathlib
import subprocess
import sys

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 20, 48
CURVES = (("n d: the exact scan", "#888888", "6 4"), ("(n + d) log²(n d / δ)", "#b8860b", "2 3"),
          ("what the theorem allows", "#1f77b4", "6 2"), ("measured", "#d62728", ""))


def decades(values):
    return range(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))) + 1)


def draw(rows):
    curves = [[(n, n * n) for n, *_ in rows], [(row[0], row[3]) for row in rows], [(row[0], row[2]) for row in rows],
              [(row[0], row[1]) for row in rows]]
    xs, ys = decades([row[0] for row in rows]), decades([y for curve in curves for _, y in curve])

    def place(x, y):
        across = (math.log10(x) - xs[0]) / (xs[-1] - xs[0])
        up = (math.log10(y) - ys[0]) / (ys[-1] - ys[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    def text(x, y, words, more=""):
        return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{words}</text>'

    def power(exponent):
        return f'10<tspan dy="-5" font-size="9">{exponent}</tspan>'

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for exponent in xs:
        x, bottom = place(10.0**exponent, 10.0**ys[0])
        lines.append(f'<path d="M{x:.1f} {TOP}V{bottom:.1f}" stroke="#e4e4e4"/>')
        lines.append(text(x, bottom + 18, power(exponent), ' text-anchor="middle"'))
    for exponent in ys:
        left, y = place(10.0**xs[0], 10.0**exponent)
        lines.append(f'<path d="M{left:.1f} {y:.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>')
        lines.append(text(left - 8, y + 4, power(exponent), ' text-anchor="end"'))
    lines.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "n = d", ' text-anchor="middle"'))
    lines.append(text(0, 0, "operations", f' text-anchor="middle" transform="translate(16 {HEIGHT / 2}) rotate(-90)"'))
    for (name, color, dashes), curve in zip(CURVES, curves):
        points = [place(x, y) for x, y in curve]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        lines.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>')
        lines.append(text(points[-1][0] + 8, points[-1][1] + 4, name, f' fill="{color}"'))
    lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{CURVES[-1][1]}"/>' for x, y in map(lambda p: place(*p), curves[-1])]
    return "\n".join(lines + ["</svg>", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    printed = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout
    rows = [tuple(float(word) for word in line.split()) for line in printed.splitlines()]
    pathlib.Path(sys.argv[2]).write_text(draw(rows), encoding="utf-8")
    print(printed, end="")


if __name__ == "__main__":
    main()
