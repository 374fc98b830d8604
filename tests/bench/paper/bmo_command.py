"""The bmo command: a search is a process, its statistics and answers are read from the files that it writes."""
import json
import pathlib
import re
import subprocess
import tempfile

import numpy as np

PAPER = ("--method", "bandit", "--box", "dense", "--bandit", "ucb", "--confidence", "empirical", "--sampling", "with_replacement",
         "--prepare", "no")  # BMO UCB with its own numbers of samples, which are the defaults
RULES = {"libbmo, dense box": ("--method", "bandit", "--box", "dense"), "BMO as in the paper": PAPER}


class Bmo:
    def __init__(self, command, work):
        self.command, self.work = str(command), pathlib.Path(work)
        self.version = self.run("--version").strip()

    def run(self, *arguments):
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"bmo {' '.join(pathlib.Path(str(a)).name for a in arguments)}: {done.stderr.strip()}")
        return done.stdout

    def asked(self, verb, *arguments):
        """Statistics and arrays of a run of a verb that has --json and --out."""
        with tempfile.TemporaryDirectory(dir=self.work) as directory:
            told, found = pathlib.Path(directory) / "stats.json", pathlib.Path(directory) / "out.npz"
            self.run(verb, *arguments, "--json", told, "--out", found)
            with np.load(found) as arrays:
                return json.loads(told.read_text()), dict(arrays)

    def knn(self, data, queries, k, *options):
        stats, arrays = self.asked("knn", data, "--queries", queries, "-k", k, *options)
        return with_gains(stats), arrays["index"]

    def kmeans(self, data, k, *options):
        stats, arrays = self.asked("kmeans", data, "-k", k, *options)
        return with_gains(stats), arrays["center"], arrays["label"]

    def prepare(self, data, out, *options):
        """Seconds of the preparation, as the command says them."""
        said = self.run("prepare", data, "--out", out, *options)
        return float(re.search(r"in ([\d.]+) s", said)[1])


def with_gains(stats):
    """gain: in operations between query and points; gain_all: those on the queries themselves (projection_ops) counted too."""
    every = stats["coord_ops"] + stats["projection_ops"]
    return stats | {"gain": stats["coord_ops_brute"] / stats["coord_ops"], "gain_all": stats["coord_ops_brute"] / every}
