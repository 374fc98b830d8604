"""Reruns the experiments of the BMO paper, and writes tables and figures. Started by `run`, which has the packages.

usage: run [--quick | --full] [--only NAME ...] [--images POINTS.npy QUERIES.npy] [--cells X.mtx.gz]
           [--bmo COMMAND] [--results DIR] [--work DIR] [--seed 0] [--draw] [--list]

POINTS and QUERIES: uint8, square images of three channels, n x d and q x d, of a width that 8 divides. Cells: counts, a point a
row. --quick, the default, has fewer queries and smaller points. Each experiment writes NAME.json, NAME.csv, NAME.png and
NAME.svg to the results (docs/results) and touches no others, so that what measures time can run again alone on a quiet
machine: --only time-n time-d. --draw makes the figures again from the tables. --work keeps what is computed once (arrays and true
distances; build-paper). One thread throughout.
"""
import argparse
import os
import pathlib
import shlex
import sys
import time

import errors
import figure
import gain
import histograms
import kmeans_gain
import peers
import report
import sampling
import sparse_gain
import timing
from bmo_command import Bmo
from settings import Settings

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXPERIMENTS = (gain.AgainstN, gain.AgainstD, timing.AgainstN, timing.AgainstD, sampling.AdaptiveOrUniform, sparse_gain.Cells,
               kmeans_gain.AgainstD, histograms.Histograms, errors.AgainstDelta)


def parsed():
    names = [experiment.name for experiment in EXPERIMENTS]
    parser = argparse.ArgumentParser(prog="run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    scale = parser.add_mutually_exclusive_group()
    scale.add_argument("--quick", action="store_true")
    scale.add_argument("--full", action="store_true")
    parser.add_argument("--only", nargs="+", default=names, choices=names, metavar="NAME")
    parser.add_argument("--images", type=pathlib.Path, nargs=2, metavar=("POINTS.npy", "QUERIES.npy"))
    parser.add_argument("--cells", type=pathlib.Path)
    parser.add_argument("--bmo", type=pathlib.Path, default=ROOT / "build" / "src" / "cli" / "bmo")
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "docs" / "results")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-paper")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draw", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_args()


def base_names(arguments):
    """The command line without the directories of this machine."""
    return shlex.join(["tests/bench/paper/run"] + [pathlib.Path(word).name for word in arguments])


def about(experiment, settings, before):
    return {"experiment": experiment.name, "command": base_names(sys.argv[1:]), "data": settings.described(),
            "machine": report.machine(), "versions": report.versions(settings.bmo.version), "seeds": experiment.seeds(settings),
            "load_average": {"before": before, "after": os.getloadavg()[0]}, "peers_missing": peers.missing()}


def measure(experiment, settings):
    start, load = time.monotonic(), os.getloadavg()[0]
    rows = []
    for row in experiment.measure(settings):
        rows.append(row)
        print(f"{experiment.name}:", ", ".join(f"{key} {report.cell(value)}" for key, value in row.items()), flush=True)
    report.write_tables(settings.results, about(experiment, settings, load), rows)
    print(f"{experiment.name}: {time.monotonic() - start:.0f} s", flush=True)


def settings_of(args):
    args.work.mkdir(parents=True, exist_ok=True)
    images, queries = args.images or (None, None)
    return Settings(images, queries, args.cells, args.results, args.work, args.full, args.seed, Bmo(args.bmo, args.work))


def measure_chosen(chosen, settings):
    """Yields those that were measured."""
    for experiment in chosen:
        if all(getattr(settings, need) for need in experiment.needs):
            measure(experiment, settings)
            yield experiment
        else:
            print(f"{experiment.name}: left out, it needs the data {' and '.join(experiment.needs)}")


def main():
    args = parsed()
    if args.list:
        return print(*(f"{experiment.name:12} {experiment.__doc__}" for experiment in EXPERIMENTS), sep="\n")
    chosen = [experiment for experiment in EXPERIMENTS if experiment.name in args.only]
    for experiment in chosen if args.draw else measure_chosen(chosen, settings_of(args)):
        told, rows = report.read_table(args.results, experiment.name)
        figure.save(experiment.draw(rows), args.results, told)


if __name__ == "__main__":
    main()
