"""The helpers of the experiments, on numbers that can be checked by hand."""
import csv
import json
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "command"))
import points as dense  # noqa: E402
import report  # noqa: E402
import tap  # noqa: E402
from bmo_command import Bmo, with_gains  # noqa: E402

ABOUT = {"experiment": "made", "command": "run", "machine": {}, "versions": {}, "seeds": [0], "load_average": {}}


@tap.case
def pooling_averages_each_channel_and_rounds_halves_up(_):
    image = np.zeros((1, 4, 4, 3), np.uint8)
    image[0, :2, :2, 0] = [[1, 2], [3, 4]]  # 10 / 4 = 2.5
    image[0, 2:, :2, 1] = 255
    image[0, :2, 2:, 2] = [[0, 0], [0, 1]]  # 0.25
    pooled = dense.pooled(image.reshape(1, -1), 2).reshape(2, 2, 3)
    tap.equal(pooled[:, :, 0].tolist(), [[3, 0], [0, 0]], "first channel")
    tap.equal(pooled[:, :, 1].tolist(), [[0, 0], [255, 0]], "second channel")
    tap.equal(pooled[:, :, 2].tolist(), [[0, 0], [0, 0]], "third channel")


@tap.case
def pooling_to_the_own_width_changes_nothing(_):
    images = np.arange(2 * 48, dtype=np.uint8).reshape(2, 48)
    tap.equal(dense.pooled(images, 4).tolist(), images.tolist())


@tap.case
def pooling_refuses_rows_that_are_no_square_images(_):
    for width, side in ((47, 2), (48, 3)):
        try:
            dense.pooled(np.zeros((1, width), np.uint8), side)
        except ValueError:
            continue
        raise AssertionError(f"rows of {width} were pooled to {side}")


@tap.case
def distances_are_those_of_integers(_):
    random = np.random.default_rng(1)
    points, queries = random.integers(0, 256, (2500, 7), np.uint8), random.integers(0, 256, (3, 7), np.uint8)
    want = [[sum((int(a) - int(b)) ** 2 for a, b in zip(x, q)) for x in points] for q in queries]
    tap.equal(dense.squared_distances(points, queries).tolist(), want)


@tap.case
def an_answer_is_right_when_all_of_it_is(_):
    distances = np.array([[1.0, 2, 3, 4]] * 4)
    index = np.array([[0, 1], [1, 0], [0, 2], [2, 3]])
    tap.equal(dense.judged(index, distances, 2), (0.5, 0.625))


@tap.case
def either_of_two_equal_neighbors_is_right(_):
    tap.equal(dense.judged(np.array([[0, 2]]), np.array([[1.0, 2, 2]]), 2), (1.0, 1.0))


@tap.case
def a_point_counts_once_and_none_is_no_neighbor(_):
    distances = np.array([[1.0, 2, 3]])
    tap.equal(dense.judged(np.array([[0, 0]]), distances, 2), (0.0, 0.5), "named twice")
    tap.equal(dense.judged(np.array([[0, -1]]), distances, 2), (0.0, 0.5), "none")


@tap.case
def gains_count_the_queries_own_operations_apart(_):
    stats = with_gains({"coord_ops": 50, "projection_ops": 150, "coord_ops_brute": 1000})
    tap.equal((stats["gain"], stats["gain_all"]), (20, 5))


@tap.case
def tables_hold_every_key_of_every_row(directory):
    rows = [{"method": "a, b", "ms": 1 / 3}, {"method": "c", "n": 5}]
    report.write_tables(pathlib.Path(directory), ABOUT, rows)
    told, kept = report.read_table(pathlib.Path(directory), "made")
    tap.equal(told, ABOUT)
    tap.equal(kept, [{"method": "a, b", "ms": 0.333333}, {"method": "c", "n": 5}])
    lines = (pathlib.Path(directory) / "made.csv").read_text().splitlines()
    tap.equal(json.loads(lines[4].removeprefix("# seeds: ")), [0])
    table = list(csv.reader(line for line in lines if not line.startswith("#")))
    tap.equal(table, [["method", "ms", "n"], ["a, b", "0.333333", ""], ["c", "", "5"]])


@tap.case
def failures_of_the_command_name_files_without_directories(directory):
    failing = pathlib.Path(directory) / "bmo"
    failing.write_text('#!/bin/sh\n[ "$1" = --version ] && exit 0\necho no such data >&2\nexit 1\n')
    failing.chmod(0o755)
    try:
        Bmo(failing, directory).knn(f"{directory}/points.npy", f"{directory}/queries.npy", 5)
    except RuntimeError as error:
        tap.equal(str(error).startswith("bmo knn points.npy --queries queries.npy -k 5"), True, str(error))
        tap.equal("no such data" in str(error), True, str(error))
        return
    raise AssertionError("a failing command was not noticed")


if __name__ == "__main__":
    tap.main()
