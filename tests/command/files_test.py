"""Files that cannot be read or written, and what is left behind."""
import gzip
import os
import resource
import shutil
import signal
import struct
import subprocess
import zipfile

from arrays import neighbors, read_npz, whole_numbers, write_npy
from command import BMO, bmo, refusal
from tap import case, equal, main, skip


def small_file(directory, n=40):
    return write_npy(os.path.join(directory, "small.npy"), whole_numbers(n, 8, 9, seed=1))


@case
def what_a_file_holds(directory):
    data = small_file(directory)
    rows = dict(line.split(None, 1) for line in bmo("info", data).out.splitlines())
    equal((rows["points"], rows["coordinates"], rows["values"].split(",")[0]), ("40", "8", "float32"))
    with open(data, "rb") as plain, gzip.open(data + ".gz", "wb") as packed:
        shutil.copyfileobj(plain, packed)
    equal(bmo("info", data + ".gz").out.splitlines()[:3], bmo("info", data).out.splitlines()[:3])


@case
def what_a_sparse_file_holds(directory):
    data = os.path.join(directory, "small.mtx")
    with open(data, "w", encoding="ascii") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n40 8 3\n1 1 0.5\n40 8 2\n2 3 -1\n")
    rows = dict(line.split(None, 1) for line in bmo("info", data).out.splitlines())
    equal((rows["points"], rows["coordinates"], rows["values"].split(",")[0]), ("40", "8", "float32"))
    equal(rows["sparse"], "3 stored values")


@case
def damaged_files_are_bad_data(directory):
    data = small_file(directory)
    with open(data, "rb") as file:
        whole = file.read()
    for content in (b"", whole[:1], whole[: len(whole) // 2], whole[:-1], whole + b"x", b"1,2\n3,4\n", gzip.compress(whole)[:-1]):
        path = os.path.join(directory, "damaged.npy")
        with open(path, "wb") as file:
            file.write(content)
        for words in (("info", path), ("knn", path), ("knn", data, "--queries", path)):
            assert path in refusal(*words, code=1), words


@case
def prepared_points_in_a_file(directory):
    data, queries = (write_npy(os.path.join(directory, name), whole_numbers(n, 700, 9, seed=n)) for name, n in (("x.npy", 300), ("q.npy", 5)))
    answers = [os.path.join(directory, name) for name in ("plain.npz", "prepared.npz")]
    for box in ("dense", "rotated"):
        saved = os.path.join(directory, box + ".bmo")
        line = bmo("prepare", data, "--box", box, "--seed", 12, "--out", saved).out
        assert saved in line and box in line, line
        rows = dict(line.split(None, 1) for line in bmo("info", saved).out.splitlines())
        equal((rows["points"], rows["coordinates"]), ("300", "700"))
        assert box in rows["prepared"] and "seed 12" in rows["prepared"], rows
        bmo("knn", data, "--queries", queries, "--method", "exact", "--out", answers[0])
        bmo("knn", saved, "--queries", queries, "--method", "bandit", "--delta", "1e-9", "--out", answers[1])
        equal(*(read_npz(path)["index.npy"] for path in answers))
    assert "seed" in refusal("knn", saved, "--seed", 1, code=2)
    bmo("kmeans", saved, "-k", 3, "--out", answers[0])  # by the seed of the file
    bmo("kmeans", data, "-k", 3, "--seed", 12, "--out", answers[1])
    equal(*(read_npz(path)["label.npy"] for path in answers))
    assert "--out" in refusal("prepare", data, code=2)
    assert ".bmo" in refusal("prepare", data, "--out", os.path.join(directory, "x"), code=2)
    assert "rotated" in refusal("knn", data, "--box", "rotated", "--prepare", "no", code=2)


@case
def what_is_read_is_not_replaced(directory):
    data, queries = small_file(directory), write_npy(os.path.join(directory, "queries.npz"), whole_numbers(2, 8, 9, seed=2))
    link, saved, table = (os.path.join(directory, name) for name in ("link.bmo", "saved.bmo", "table.csv"))
    os.symlink(data, link)
    bmo("prepare", data, "--out", saved)
    for words in (
        ("prepare", saved, "--out", saved),
        ("prepare", data, "--out", link),
        ("knn", data, "--queries", queries, "--out", queries),
        ("knn", data, "--json", data),
        ("kmeans", data, "--json", link),
    ):
        with open(data, "rb") as file:
            before = file.read()
        assert "would replace" in refusal(*words, code=2), words
        with open(data, "rb") as file:
            equal(file.read(), before)
    for command in ("knn", "graph", "kmeans"):
        out = table.replace(".csv", ".npz") if command == "kmeans" else table
        assert "two names" in refusal(command, data, "-k", 2, "--out", out, "--json", os.path.join(directory, ".", os.path.basename(out)), code=2)
    bmo("knn", data, "-k", 2, "--out", table, "--json", "/dev/null")
    bmo("knn", data, "--json", "/dev/null", "-k", 2)


@case
def answers_without_queries(directory):
    data, none = small_file(directory), write_npy(os.path.join(directory, "none.npy"), [], cols=8)
    out, report = os.path.join(directory, "a.npz"), os.path.join(directory, "a.json")
    bmo("knn", data, "--queries", none, "-k", 3, "--out", out)
    equal({name: rows for name, (_, rows) in read_npz(out).items()}, {"index.npy": [], "distance.npy": []})
    shown = bmo("knn", data, "--queries", none, "-k", 3, "--json", report).out
    assert "over the full scan: -;" in shown, shown


@case
def a_file_that_cannot_be_prepared_is_not_half_there(directory):
    data, saved = small_file(directory, 2000), os.path.join(directory, "small.bmo")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))
    assert saved in refusal("prepare", data, "--out", saved, code=1, preexec_fn=limit)
    full, folder = os.path.join(directory, "full.bmo"), os.path.join(directory, "folder.bmo")
    os.symlink("/dev/full", full)
    os.mkdir(folder)
    for path in (full, folder, os.path.join(directory, "absent", "x.bmo")):
        assert path in refusal("prepare", data, "--out", path, code=1)
    equal(sorted(os.listdir(directory)), ["folder.bmo", "full.bmo", "small.npy"])
    bmo("prepare", data, "--out", saved)
    with open(saved, "rb") as file:
        whole = file.read()
    for content in (whole[:100], whole[:-1], whole[:5000] + b"x" + whole[5001:]):
        with open(saved, "wb") as file:
            file.write(content)
        assert saved in refusal("info", saved, code=1)


@case
def paths_that_are_no_file(directory):
    for path in (directory, os.path.join(directory, "absent"), "/dev/null"):
        assert path in refusal("knn", path, code=1)


@case
def a_name_of_several_lines_stays_one_line_of_error(directory):
    refusal("info", os.path.join(directory, "two\nlines\x1b[31m"), code=1)


@case
def values_that_are_no_numbers_are_named(directory):
    rows = whole_numbers(4, 3, 9, seed=1)
    rows[2][1] = float("nan")
    data = write_npy(os.path.join(directory, "nan.npy"), rows)
    message = refusal("info", data, code=1)
    assert f"{data}: the value of point 2, coordinate 1 (counted from 0)" in message, message
    assert "path is empty" in refusal("info", "", code=1)


@case
def outputs_that_cannot_be_written(directory):
    data = small_file(directory)
    full = os.path.join(directory, "full.csv")
    os.symlink("/dev/full", full)
    for words in (
        ("--out", full),
        ("--json", "/dev/full"),
        ("--out", os.path.join(directory, "absent", "a.csv")),
        ("--json", os.path.join(directory, "absent", "a.json")),
        ("--json", directory),
    ):
        refusal("knn", data, *words, code=1)
    assert os.path.islink(full)
    with open("/dev/full", "wb") as device:
        for words in (("params",), ("--help",), ("knn", data)):
            refusal(*words, code=1, stdout=device)


@case
def a_full_disk_leaves_nothing_behind(directory):
    data = small_file(directory)
    out = os.path.join(directory, "a.csv")
    with open(out, "w", encoding="ascii") as file:
        file.write("older")

    def short_of_room():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # which Python ignores
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    refusal("knn", data, "--out", out, code=1, preexec_fn=short_of_room)
    equal(sorted(os.listdir(directory)), ["a.csv", "small.npy"])
    with open(out, encoding="ascii") as file:
        equal(file.read(), "older")


@case
def all_outputs_are_written_or_none_is_replaced(directory):
    data = small_file(directory)
    out, report = os.path.join(directory, "a.csv"), os.path.join(directory, "a.json")
    for path in (out, report):
        with open(path, "w", encoding="ascii") as file:
            file.write("older")

    def untouched():
        equal(sorted(os.listdir(directory)), ["a.csv", "a.json", "small.npy"])
        for path in (out, report):
            with open(path, encoding="ascii") as file:
                equal(file.read(), "older")

    refusal("knn", data, "--out", out, "--json", "/dev/full", code=1)
    untouched()
    with open("/dev/full", "wb") as device:
        refusal("knn", data, "--json", report, stdout=device, code=1)
        untouched()
        refusal("medoid", data, "--json", report, stdout=device, code=1)
        untouched()
        saved = os.path.join(directory, "a.bmo")
        assert saved + " is written" in refusal("prepare", data, "--out", saved, stdout=device, code=1)


@case
def a_pipe_that_nobody_reads_leaves_no_file(directory):
    data, out = small_file(directory), os.path.join(directory, "a.csv")
    for words in (("--json", "-", "--out", out), ("--json", out)):
        reader, writer = os.pipe()
        os.close(reader)
        result = bmo("knn", data, *words, stdout=writer, code=-signal.SIGPIPE, restore_signals=True)
        os.close(writer)
        equal((result.err, os.listdir(directory)), ("", ["small.npy"]))


@case
def a_link_to_no_file_is_followed(directory):
    data, link = small_file(directory), os.path.join(directory, "link.csv")
    os.symlink("target.csv", link)
    bmo("knn", data, "--out", link)
    assert os.path.islink(link) and os.path.getsize(os.path.join(directory, "target.csv")) > 0


@case
def a_name_of_any_length_is_written(directory):
    data = small_file(directory)
    for ending in (".csv", ".bmo"):
        out = os.path.join(directory, "x" * (255 - len(ending)) + ending)
        bmo("knn" if ending == ".csv" else "prepare", data, "--out", out)
        assert os.path.getsize(out) > 0


@case
def a_replaced_file_keeps_its_mode(directory):
    data = small_file(directory)
    for name in ("a.csv", "a.bmo"):
        out = os.path.join(directory, name)
        for mode in (0o644, 0o600, 0o640):
            bmo("knn" if name == "a.csv" else "prepare", data, "--out", out)
            os.chmod(out, mode)
            bmo("knn" if name == "a.csv" else "prepare", data, "--out", out)
            equal(oct(os.stat(out).st_mode & 0o7777), oct(mode))


@case
def control_characters_of_names_are_not_shown(directory):
    data = small_file(directory)
    for name in (b"\x1b[31m.bmo", b"\xc2\x9b31m.bmo", b"\xff\x9b.bmo", b"two\nlines.bmo"):
        path = os.path.join(os.fsencode(directory), name)
        shown = bmo("prepare", data, "--out", os.fsdecode(path)).out
        assert "?" in shown and shown.count("\n") == 1 and not any(c in shown for c in "\x1b\x9b"), shown
        os.truncate(path, 100)
        message = refusal("info", os.fsdecode(path), code=1)
        assert "?" in message and not any(c in message for c in "\x1b\x9b"), message


@case
def bad_data_leave_an_older_answer_alone(directory):
    data = small_file(directory)
    out = os.path.join(directory, "a.npz")
    bmo("knn", data, "-k", 2, "--out", out)
    before = read_npz(out)
    refusal("knn", os.path.join(directory, "absent"), "--out", out, code=1)
    equal(read_npz(out), before)
    bmo("knn", data, "-k", 3, "--out", out)
    equal(len(read_npz(out)["index.npy"][1][0]), 3)
    equal(sorted(os.listdir(directory)), ["a.npz", "small.npy"])


@case
def a_link_stays_a_link(directory):
    data = small_file(directory)
    link, target = os.path.join(directory, "link.csv"), os.path.join(directory, "target.csv")
    with open(target, "w", encoding="ascii"):
        pass
    os.symlink(target, link)
    bmo("knn", data, "--out", link)
    assert os.path.islink(link) and os.path.getsize(target) > 0


@case
def the_standard_output_as_a_file(directory):
    data, log = small_file(directory), os.path.join(directory, "log")
    with open(log, "wb") as file:
        bmo("knn", data, "--json", "/dev/stdout", "--out", os.path.join(directory, "a.csv"), stdout=file)
    with open(log, encoding="utf-8") as file:
        assert file.read().startswith("{\n"), "the log has no object"
    for name in ("/dev/stdout", "-"):
        assert bmo("knn", data, "--json", name, "--out", os.path.join(directory, "a.csv")).out.startswith("{\n")


@case
def rights_of_new_files(directory):
    data, out = small_file(directory), os.path.join(directory, "a.csv")
    previous = os.umask(0o027)
    try:
        bmo("knn", data, "--out", out)
    finally:
        os.umask(previous)
    equal(oct(os.stat(out).st_mode & 0o777), oct(0o640))


def text_file(directory, name, content):
    path = os.path.join(directory, name)
    with (gzip.open if name.endswith(".gz") else open)(path, "wb") as file:
        file.write(content.encode())
    return path


def as_text(rows, comma=","):
    return "".join(comma.join(map(str, row)) + "\n" for row in rows)


def coordinates(rows, entries="integer"):
    found = [(i + 1, j + 1, value) for i, row in enumerate(rows) for j, value in enumerate(row) if value != 0]
    return f"%%MatrixMarket matrix coordinate {entries} general\n{len(rows)} {len(rows[0])} {len(found)}\n" + as_text(found, " ")


@case
def the_same_points_in_files_of_many_kinds(directory):
    rows = whole_numbers(30, 7, 99, seed=4)
    columns = [list(column) for column in zip(*rows)]
    flat = [value for row in rows for value in row]
    plain = write_npy(os.path.join(directory, "x.npy"), rows)
    files = {
        "x.csv": (as_text(rows), ()),
        "named.csv": (as_text([["", *"abcdefg"]] + [[f"p{i}", *row] for i, row in enumerate(rows)]), ()),
        "x.tsv.gz": (as_text([list("abcdefg"), *rows], "\t"), ()),
        "turned.csv": (as_text(columns), ("--transpose",)),
        "turned.mtx": (coordinates(columns), ("--transpose",)),
        "x.mtx": (coordinates(rows, "unsigned-integer"), ()),
    }
    answers = [os.path.join(directory, name) for name in ("a.npz", "b.npz")]
    bmo("graph", plain, "-k", 3, "--method", "exact", "--out", answers[0])
    expected = read_npz(answers[0])

    def same(path, *options):
        bmo("graph", path, "-k", 3, "--method", "exact", "--out", answers[1], *options)
        equal(read_npz(answers[1]), expected)

    for name, (content, options) in files.items():
        same(text_file(directory, name, content), *options)
    for name, values in (("x.fbin", struct.pack(f"<{len(flat)}f", *flat)), ("x.u8bin", bytes(flat)), ("x.i8bin", bytes(flat))):
        path = os.path.join(directory, name)
        with open(path, "wb") as file:
            file.write(struct.pack("<2I", 30, 7) + values)
        same(path)
    with zipfile.ZipFile(os.path.join(directory, "x.npz"), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(plain, "points.npy")
        archive.write(answers[0], "other")
    assert "name one" in refusal("graph", os.path.join(directory, "x.npz"), code=1)
    same(os.path.join(directory, "x.npz:points"))
    assert "would replace" in refusal("graph", os.path.join(directory, "x.npz:points"), "--out", os.path.join(directory, "x.npz"), code=2)


@case
def columns_that_have_names_are_told_of(directory):
    rows = whole_numbers(5, 3, 9, seed=7)
    data = text_file(directory, "matrix.mtx.gz", coordinates(rows))
    equal(bmo("info", data).err, "")
    text_file(directory, "barcodes.tsv", "a\nb\nc\n")
    note = bmo("info", data).err
    assert note.startswith("bmo: note: ") and "barcodes.tsv" in note and "--transpose" in note and note.count("\n") == 1, note
    turned = bmo("info", data, "--transpose")
    equal(turned.err, "")
    equal(turned.out.splitlines()[:2], ["points       3", "coordinates  5"])
    saved = os.path.join(directory, "saved.bmo")
    bmo("prepare", data, "--transpose", "--out", saved)
    equal(bmo("info", saved, "--transpose").out.splitlines()[:2], turned.out.splitlines()[:2])
    text_file(directory, "barcodes.tsv", "a\nb\nc\nd\n")  # names of something else
    equal(bmo("info", data).err, "")
    assert "takes no value" in refusal("info", data, "--transpose=yes", code=2)


@case
def the_standard_input_is_data(directory):
    data = small_file(directory)
    expected = bmo("knn", data, "-k", 2, "--method", "exact").out.splitlines()[:-1]
    with open(data, "rb") as file:
        content = file.read()
    archive = os.path.join(directory, "a.npz")
    with zipfile.ZipFile(archive, "w") as file:
        file.write(data, "x.npy")
    with open(archive, "rb") as file:
        packed = file.read()
    for given in (content, gzip.compress(content), packed):
        equal(bmo("knn", "-", "-k", 2, "--method", "exact", input=given).out.splitlines()[:-1], expected)
        equal(bmo("info", "-", input=given).out.splitlines()[:3], bmo("info", data).out.splitlines()[:3])
    with open(data, "rb") as file:
        equal(bmo("info", "-", stdin=file).out.splitlines()[:3], bmo("info", data).out.splitlines()[:3])
    bmo("knn", data, "--queries", "-", "-k", 2, "--json", "-", input=content)
    for given in (b"", content[:-1], b"1,2\n"):
        message = refusal("info", "-", code=1, input=given)
        assert "the standard input: " in message and "/dev/fd" not in message, message
    assert "both the standard input" in refusal("knn", "-", "--queries", "-", code=2, input=content)
    assert "cannot be kept" in refusal("info", "-", code=1, input=content, env={"TMPDIR": os.path.join(directory, "absent")})
    equal(sorted(os.listdir(directory)), ["a.npz", "small.npy"])


@case
def points_have_names(directory):
    rows = whole_numbers(4, 8, 9, seed=1)
    data = write_npy(os.path.join(directory, "small.npy"), rows)
    names = text_file(directory, "names.tsv.gz", 'p\tmore\nq, r\t\ns "t"\r\nu')
    for ending, comma, quoted in ((".csv", ",", ["p", '"q, r"', '"s ""t"""', "u"]), (".tsv", "\t", ["p", "q, r", 's "t"', "u"])):
        out = os.path.join(directory, "a" + ending)
        bmo("graph", data, "-k", 3, "--names", names, "--out", out)
        with open(out, encoding="utf-8") as file:
            head, *lines = file.read().splitlines()
        equal(head, comma.join(("query", "rank", "index", "distance", "name")))
        equal(len(lines), 12)
        for line in lines:
            fields = line.split(comma, 4)
            equal(fields[4], quoted[int(fields[2])])
    shown = bmo("graph", data, "-k", 1, "--names", names).out
    nearest = neighbors(rows[0], rows, 1, "l2", own=0)[0][1]
    assert f"{nearest} {['p', 'q, r', 's ' + chr(34) + 't' + chr(34), 'u'][nearest]}: " in shown.splitlines()[1], shown
    assert bmo("medoid", data, "--names", names).out.split(" of ")[0].split(" ", 2)[2] in ("p", "q, r", 's "t"', "u")
    few = text_file(directory, "few", "p\nq\n")
    assert "2 names, but DATA has 4 points" in refusal("knn", data, "--names", few, code=1)
    assert "absent" in refusal("knn", data, "--names", os.path.join(directory, "absent"), code=1)


@case
def a_closed_pipe_ends_quietly(directory):
    if os.name != "posix":
        skip("no pipes")
    data = small_file(directory)
    process = subprocess.Popen([BMO, "knn", data], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    equal((process.wait() in (0, -signal.SIGPIPE), errors), (True, b""))


main()
