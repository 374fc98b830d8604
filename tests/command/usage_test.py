"""Help, versions, parameters, and what is refused as bad usage."""
import os

from arrays import whole_numbers, write_npy
from command import bmo, refusal
from tap import case, equal, main


def small_file(directory):
    return write_npy(os.path.join(directory, "small.npy"), whole_numbers(6, 4, 9, seed=1))


def parameter_rows():
    return [line.split()[:3] for line in bmo("params").out.splitlines()[1:]]


@case
def versions(_):
    words = bmo("--version").out.split()
    equal(words[0], "bmo")
    equal(words[2:4], ["(libbmo", words[1] + ","])


@case
def help_of_the_command_and_of_each_subcommand(_):
    overview = bmo("--help").out
    for name in ("knn", "graph", "kmeans", "medoid", "prepare", "info", "params", "demo"):
        assert f"bmo {name}" in overview, name
        text = bmo(name, "--help").out
        assert text.startswith(f"usage: bmo {name}"), text
        equal(bmo(name, "-h").out, text)
        equal(bmo("help", name).out, text)
    equal(bmo("help").out, overview)
    for option in ("--queries FILE", "-k N", "--out FILE", "--json FILE", "--prepare yes|no|auto"):
        assert option in bmo("knn", "--help").out, option


@case
def every_parameter_is_an_option(directory):
    data = small_file(directory)
    rows = parameter_rows()
    assert len(rows) >= 12, rows
    help_text = bmo("knn", "--help").out
    counts_with = {"p": ("--metric", "lp"), "sigma": ("--confidence", "subgaussian"), "init_pulls": ("--bandit", "lucb"),
                   "arms_per_round": ("--bandit", "ucb"), "pulls_per_round": ("--bandit", "lucb"), "max_pulls": ("--bandit", "lucb"),
                   "uniform_pulls": ("--method", "uniform")}
    for name, initial, _ in rows:
        value, words = "1" if name == "sigma" else initial, counts_with.get(name, ())
        dashed = "--" + name.replace("_", "-")
        assert dashed + " " in help_text, dashed
        for option in (dashed, "--" + name):
            bmo("knn", data, "-k", 2, option, value, *words)
            bmo("knn", data, "-k", 2, f"{option}={value}", *words)
        message = refusal("knn", data, dashed, "nonsense", code=2)
        assert name in message and "nonsense" in message, message


@case
def every_choice_is_taken_by_its_name(directory):
    data = small_file(directory)
    config = {name: values.split("|") for name, _, values in parameter_rows() if "|" in values}
    assert "l1" in config["metric"] and "custom" not in config["metric"]
    for metric in config["metric"]:
        bmo("knn", data, "-k", 2, "--metric", metric)
    for unknown in ("L2", "l2|l1", ""):
        message = refusal("knn", data, "-k", 2, f"--metric={unknown}", code=2)
        assert f'"{unknown}"' in message and " l2 sqeuclidean l1 " in message and "custom" not in message, message
    assert "needs a callback" in refusal("knn", data, "-k", 2, "--metric", "custom", code=2)


@case
def values_out_of_range_are_bad_usage(directory):
    data = small_file(directory)
    for words in (
        ("--delta", "0"),
        ("--delta", "0.6"),
        ("--delta", "nan"),
        ("--delta", "0,1"),
        ("--epsilon", "-1"),
        ("--threads", "-1"),
        ("--threads", "1.5"),
        ("--seed", "99999999999999999999"),
        ("--metric", "L2"),
        ("-k", "0"),
        ("-k", "-3"),
        ("-k", "2.5"),
        ("-k", "5x"),
        ("-k", "6"),
        ("-k", "99999999999999999999"),
        ("-k", "9223372036854775807"),
        ("--prepare", "maybe"),
        ("--out", "answers.txt"),
        ("--out", "answers"),
    ):
        refusal("knn", data, *words, code=2)
    refusal("knn", data, "--queries", data, "-k", "7", code=2)
    bmo("knn", data, "--queries", data, "-k", "6")
    assert "expected none, or method uniform" in refusal("knn", data, "-k", "2", "--uniform-pulls", "9", code=2)
    bmo("knn", data, "-k", "2", "--uniform-pulls", "9", "--method", "uniform")
    assert "to 9223372036854775807" in refusal("knn", data, "-k", "99999999999999999999", code=2)


@case
def misplaced_words_are_bad_usage(directory):
    data = small_file(directory)
    for words in (
        (),
        ("frobnicate",),
        ("knn",),
        ("knn", data, data),
        ("knn", data, "--nonsense", "1"),
        ("knn", data, "--metric"),
        ("knn", data, "--metric", "--delta", "0.1"),
        ("knn", data, "-q", "1"),
        ("knn", data, "-p", "2"),
        ("graph", data, "--queries", data),
        ("info",),
        ("info", data, "--metric", "l1"),
        ("params", "more"),
        ("demo", "a", "b"),
        ("demo", ""),
        ("help", "knn", "graph"),
        ("kmeans", data, "--delta", "0.1"),
        ("prepare", data, "--out", "x.bmo", "--delta", "0.1"),
        ("demo", b"\xff\xfe".decode(errors="surrogateescape")),
    ):
        refusal(*words, code=2)


@case
def options_in_every_form(directory):
    data = small_file(directory)
    expected = bmo("knn", data, "-k", "3").out.splitlines()[:7]
    for words in ((data, "-k3"), ("-k", "3", data), (data, "--k=3"), ("--k", "3", "--", data), (data, "-k", "1", "-k", "3")):
        equal(bmo("knn", *words).out.splitlines()[:7], expected, words)
    os.rename(data, os.path.join(directory, "-k.npy"))
    for words in (("-k", "3"), ("-k", "3", "--seed", "-5")):
        equal(bmo("knn", *words, "--", "-k.npy", cwd=directory).out.splitlines()[:7], expected, words)


main()
