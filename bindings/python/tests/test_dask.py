"""Shards on Dask's workers, against plain arithmetic; also when workers are killed."""
from __future__ import annotations

import contextlib
import os
import pathlib
import resource
import signal
import threading
import time

import numpy as np
import pytest

import brute
import libbmo
from libbmo import _shards

da = pytest.importorskip("dask.array", reason="dask is not installed: pip install 'dask[array,distributed]'")
distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install 'dask[array,distributed]'")
from libbmo._shared_params import slack  # noqa: E402
from libbmo.dask import ShardedDataset, WorkersDied  # noqa: E402

# Sockets and tasks that Dask itself leaves behind at its end are no matter of this package.
pytestmark = [pytest.mark.filterwarnings(f"ignore::{kind}") for kind in ("ResourceWarning", "DeprecationWarning",
                                                                         "pytest.PytestUnraisableExceptionWarning")]

N, D, K = 420, 300, 6
CHUNKS = (100, 3, 117, 1, 199)  # some have fewer points than k
POINTS = brute.whole(1, N, D).astype("f4")
POINTS[[150, 300, 410]] = POINTS[7]  # ties between shards
QUERIES = np.vstack([POINTS[7], brute.whole(2, 9, D), POINTS[400:402]]).astype("f4")


def cluster(**settings):
    return distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=":0", **settings)


@pytest.fixture(scope="module")
def client():
    """Workers in this process."""
    with cluster(processes=False) as made:
        yield made


def sharded(points=POINTS, chunks=CHUNKS):
    return ShardedDataset.from_array(da.from_array(points, chunks=(chunks, -1)))


def test_no_client():
    with pytest.raises(libbmo.InvalidArgument, match="there is no Dask client"):
        ShardedDataset.from_files([__file__])


@pytest.mark.parametrize("metric", ["l1", "l2", "sqeuclidean"])
@pytest.mark.parametrize("method", ["bandit", "exact"])
@pytest.mark.parametrize("prepared", [False, True])
def test_neighbors(client, metric, method, prepared):
    dataset = sharded().prepare(metric=metric, box="dense") if prepared else sharded()
    found = dataset.knn(QUERIES, K, metric=metric, method=method, delta=1e-9)
    brute.check(found, brute.nearest(QUERIES, POINTS, K, metric))
    assert found.stats.guarantee >= libbmo.Guarantee.PROVEN and found.stats.delta == 1e-9
    assert (found.stats.queries, found.stats.arms, found.stats.neighbors) == (len(QUERIES), N, found.index.size)
    assert found.stats.coord_ops_brute == len(QUERIES) * N * D


@pytest.mark.parametrize("metric", ["cosine", "inner_product"])
def test_angles(client, metric):
    values, queries = POINTS.astype("f8"), QUERIES.astype("f8")
    table = -queries @ values.T  # whole numbers: exact
    if metric == "cosine":
        table = 1 + table / np.linalg.norm(queries, axis=1)[:, None] / np.linalg.norm(values, axis=1)
    found = sharded().knn(QUERIES, K, metric=metric, delta=1e-9)
    np.testing.assert_allclose(found.distance, np.sort(table, axis=1)[:, :K], rtol=1e-12, atol=1e-13)


def test_all_points_are_neighbors(client):
    brute.check(sharded().knn(QUERIES[:2], N, method="bandit"), brute.nearest(QUERIES[:2], POINTS, N))


def test_many_queries_are_cut_into_blocks(client, monkeypatch):
    monkeypatch.setattr("libbmo.dask._QUERY_ROWS", 5)
    largest = brute.distances(QUERIES, POINTS, "l2").max(axis=1)
    found = sharded().knn(QUERIES, K, max_distance=largest, delta_scope="call", delta=1e-8)
    brute.check(found, brute.nearest(QUERIES, POINTS, K))
    assert found.stats.queries == len(QUERIES) and found.stats.arms == N


def test_largest_distances(client):
    table = brute.distances(QUERIES, POINTS, "l2")
    largest = np.sort(table, axis=1)[:, 2] + np.arange(len(QUERIES)) % 2
    found = sharded().knn(QUERIES, K, max_distance=largest, method="bandit", delta=1e-9)
    index, distance = brute.nearest(QUERIES, POINTS, K)
    far = distance > largest[:, None]
    np.testing.assert_array_equal(found.index, np.where(far, -1, index))
    np.testing.assert_allclose(found.distance, np.where(far, np.inf, distance), rtol=1e-12)
    assert found.stats.neighbors >= (~far).sum()


def test_no_queries(client):
    found = sharded().knn(QUERIES[:0], K)
    assert found.index.shape == (0, K) and found.stats.queries == 0


def test_sparse_queries_and_weights(client):
    sparse = pytest.importorskip("scipy.sparse")
    brute.check(sharded().knn(sparse.csr_array(QUERIES), K, delta=1e-9), brute.nearest(QUERIES, POINTS, K))
    weights = np.arange(D) % 2
    brute.check(sharded().knn(QUERIES, K, weights=weights, delta=1e-9), brute.nearest(QUERIES[:, 1::2], POINTS[:, 1::2], K))


@pytest.mark.parametrize("points", [POINTS, POINTS.astype("i2"), np.abs(POINTS).astype("u1")], ids=["float32", "int16", "uint8"])
def test_graph(client, monkeypatch, points):
    monkeypatch.setattr("libbmo.dask._GRAPH_ROWS", 110)
    index, distance = sharded(points).graph(K, delta=1e-9)
    assert index.chunks[0] == (100, 3, 110, 7, 1, 110, 89) and index.dtype == np.int64
    expected = brute.nearest(points, points, K, own=np.arange(N))
    np.testing.assert_array_equal(index.compute(), expected[0])
    np.testing.assert_allclose(distance.compute(), expected[1], rtol=1e-12)


def test_files(client, tmp_path):
    expected = brute.nearest(QUERIES, POINTS, K)
    files = [tmp_path / "c.npy", tmp_path / "fortran.npy", tmp_path / "swapped.npy"]
    for path, values in zip(files, (POINTS[:200], np.asfortranarray(POINTS[200:299]), POINTS[299:].astype(">f4"))):
        np.save(path, values)
    whole, cut = ShardedDataset.from_files(files), ShardedDataset.from_files(files, rows=50)
    assert repr(whole).endswith("dense, float32, in 3 shards)") and repr(cut).endswith("in 9 shards)")
    for dataset in (whole, cut, cut.prepare(tmp_path, box="dense", seed=3)):
        brute.check(dataset.knn(QUERIES, K, delta=1e-9), expected)
    saved = sorted(tmp_path.glob("*.bmo"))
    assert len(saved) == 9
    again = ShardedDataset.from_files(saved)
    brute.check(again.knn(QUERIES, K, delta=1e-9, seed=3), expected)
    paths = again.graph(K, folder=tmp_path, delta=1e-9)
    graph = [np.concatenate([np.load(path) for path in of]) for of in paths]
    np.testing.assert_array_equal(graph[0], brute.nearest(POINTS, POINTS, K, own=np.arange(N))[0])
    assert graph[1].dtype == np.float64 and not list(tmp_path.glob(".*"))


def test_sparse_files(client, tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    points = np.where(POINTS > 15, POINTS, 0)
    for at, part in enumerate(np.array_split(points, 3)):
        sparse.save_npz(tmp_path / f"{at}.npz", sparse.csr_array(part))
    dataset = ShardedDataset.from_files(sorted(tmp_path.glob("*.npz")))
    expected = brute.nearest(points, points, K, "l1", own=np.arange(N))
    np.testing.assert_array_equal(dataset.graph(K, metric="l1", delta=1e-9)[0].compute(), expected[0])


def test_files_that_were_used_least_recently_are_closed(client, tmp_path, monkeypatch):
    np.save(tmp_path / "all.npy", POINTS)
    opened = _shards.OpenFiles()
    monkeypatch.setattr(_shards, "_open_files", opened)
    monkeypatch.setattr(_shards, "memory_limit", lambda: 3 * 2 * POINTS[:100].nbytes)
    dataset = ShardedDataset.from_files([tmp_path / "all.npy"], rows=100)
    brute.check(dataset.knn(QUERIES, K, delta=1e-9), brute.nearest(QUERIES, POINTS, K))
    assert 1 <= len(opened._parts) <= 2


def test_memory_limit_without_a_worker():
    assert _shards.memory_limit() > 1 << 20


def test_levels_of_small_shards():
    """Each test has level delta / k, also where the library divides by fewer points."""
    for delta, k, wanted in ((0.01, 6, 1), (0.3, 7, 3), (0.01, 5, 5), (1e-300, 5, 2)):
        given = _shards._levels({"delta": delta}, k, wanted)["delta"]
        assert given / wanted <= delta / k or given == 1e-300
        assert given >= delta * wanted / k * (1 - 1e-12)


def test_the_threshold_is_never_below_the_kth_distance():
    kth = np.array([[0.0], [1.0], [-3.0], [1e-310]])
    found = _shards.Found(np.zeros((4, 1), np.int64), kth, None)
    wide = slack(1 << 20, {"metric": "lp", "p": 0.5})
    assert wide > 2**-34 and slack(9, {}) == 2**-46
    assert (_shards.kth_distance(found, 1, wide) > kth[:, 0]).all()
    assert _shards.kth_distance(found, 2, wide) is None
    np.testing.assert_array_equal(_shards.kth_distance(found, 1, wide, np.full(4, -5.0)), np.full(4, -5.0))


def test_merge_puts_ties_in_the_order_of_their_numbers():
    def found(*pairs):
        return _shards.Found(np.array([[at for at, _ in pairs]]), np.array([[far for _, far in pairs]]), None)

    merged = _shards.merge([found((9, 1.0), (4, 2.0), (-1, np.inf)), found((3, 1.0), (2, 2.0)), found((1, 2.0))], 5)
    np.testing.assert_array_equal(merged.index, [[3, 9, 1, 2, 4]])
    assert merged.stats is None


def test_shards_stay_where_they_are(client):
    dataset = sharded().prepare(box="dense")
    before = client.who_has(dataset._shards)
    dataset.knn(np.repeat(QUERIES, 100, axis=0), K)
    dataset.graph(2)
    assert client.who_has(dataset._shards) == before and {len(workers) for workers in before.values()} == {1}
    assert len({workers[0] for workers in before.values()}) == 2


def test_what_workers_already_hold_stays_there(client):
    array = client.persist(da.from_array(POINTS, chunks=((200, 220), -1)))
    distributed.wait(array)
    where = client.who_has(distributed.futures_of(array))
    dataset = ShardedDataset.from_array(array)
    assert [client.who_has(dataset._shards)[shard.key] for shard in dataset._shards] == [where[(array.name, at, 0)] for at in (0, 1)]
    assert (len(dataset), dataset.shape) == (N, (N, D))


@pytest.mark.parametrize("words, says", [
    ({"k": 0}, "k is 0; expected 1 to 420"), ({"k": 421}, "k is 421"), ({"queries": QUERIES[:, 1:]}, "299 coordinates; expected"),
    ({"max_distance": [1.0]}, "max_distance has shape"), ({"delta": 2}, 'delta is 2'), ({"method": "uniform"}, "method is"),
    ({"bandit": "ucb"}, "bandit is 'ucb'"), ({"sampling": "with_replacement"}, "sampling is"), ({"box": "sparse_union"}, "box is"),
    ({"confidence": "empirical"}, "confidence is")])
def test_wrong_arguments(client, words, says):
    asked = {"queries": QUERIES, "k": 2, **words}
    with pytest.raises(libbmo.InvalidArgument, match=says):
        sharded().knn(asked.pop("queries"), asked.pop("k"), **asked)


@pytest.mark.parametrize("call, says", [
    (lambda data: data.knn(QUERIES, 2, p=3), "p is 3, which does not count here"), (lambda data: data.graph(2, sigma=1.0), "sigma is 1"),
    (lambda data: data.knn(QUERIES, 2, expected_queries=9), "expected_queries is 9, which does not count in this call"),
    (lambda data: data.prepare(epsilon=0.5), "epsilon is 0.5, which does not count in this call"),
    (lambda data: data.prepare(expected_queries=9, box="dense"), "expected none, or box auto")])
def test_parameters_that_do_not_count(client, call, says):
    with pytest.raises(libbmo.InvalidArgument, match=says):
        call(sharded())


def test_wrong_queries(client):
    queries = QUERIES.copy()
    queries[4, 5] = np.nan
    with pytest.raises(libbmo.NonFinite) as caught:
        sharded().knn(queries, 2)
    assert (caught.value.row, caught.value.col) == (4, 5)


@pytest.mark.parametrize("array, says", [
    (POINTS, "array is ndarray; expected a Dask array"), (da.zeros(4), "array has shape"),
    (da.zeros((4, 4), chunks=(2, 2)), "rechunk"),
    (da.from_array(POINTS, chunks=(90, -1))[da.from_array(POINTS[:, 0] > 0, chunks=90)], "compute_chunk_sizes")])
def test_wrong_arrays(client, array, says):
    with pytest.raises((libbmo.InvalidArgument, libbmo.InvalidType), match=says):
        ShardedDataset.from_array(array)


def test_an_empty_chunk(client):
    halves = da.from_array(POINTS, chunks=(210, -1))
    with pytest.raises(libbmo.InvalidArgument, match=r"shard 1 \(chunk 1\) has no points; expected 1 or more"):
        ShardedDataset.from_array(halves[da.arange(N, chunks=210) < 200].compute_chunk_sizes())


def test_shards_that_do_not_fit(client, tmp_path):
    def save(name, values):
        np.save(tmp_path / name, values)
        return tmp_path / name

    good, text = save("good.npy", POINTS), tmp_path / "text.npy"
    text.write_text("no points")
    empty = save("empty.npy", POINTS[:0])
    wrong = [(tmp_path / "none.npy", libbmo.FileError, "No such file"), (text, libbmo.FormatError, "text.npy"),
             (empty, libbmo.InvalidArgument, "has no points"),
             (save("narrow.npy", POINTS[:, :9]), ValueError, "coordinates 9; expected 300"),
             (save("wide.npy", POINTS.astype("f8")), ValueError, "type float64; expected float32"),
             (save("objects.npy", np.array([[None]])), libbmo.Error, "objects.npy")]
    for path, kind, says in wrong:
        with pytest.raises(kind, match=rf"shard 1 \(.*{path.name}\).*") as caught:
            ShardedDataset.from_files([good, path])
        assert says in str(caught.value)
    for files, rows, says in (([], None, "files is empty"), ([good], 0, "rows is 0")):
        with pytest.raises(libbmo.InvalidArgument, match=says):
            ShardedDataset.from_files(files, rows=rows)


def test_values_that_do_not_fit(client, tmp_path):
    points = POINTS.copy()
    points[200, 3] = np.inf
    np.save(tmp_path / "points.npy", points)
    for make in (lambda: sharded(points), lambda: ShardedDataset.from_files([tmp_path / "points.npy"], rows=110).knn(QUERIES, 1)):
        with pytest.raises(libbmo.NonFinite, match=r"shard [12] \(") as caught:
            make()
        assert caught.value.col == 3


# Workers that are processes: they can be killed.


@pytest.fixture(scope="module")
def killable():
    import dask
    # A LocalCluster gives up a worker that is away 15 seconds after an earlier absence.
    settings = {"distributed.scheduler.allowed-failures": 2, "distributed.deploy.lost-worker-timeout": "1 hour"}
    with dask.config.set(settings):
        made = cluster(processes=True, memory_limit=0)
        yield made
        with contextlib.suppress(KeyError):  # it may trip over a worker that it has missed the start of
            made.close()


def kill(workers):
    for process in workers:
        os.kill(process, signal.SIGKILL)


class Killing:
    """Kills workers a while after the start of what is done inside. Waits then until there are two again."""

    def __init__(self, client, seconds, count=1):
        self.client, self.killed = client, sorted(client.run(os.getpid).values())[:count]
        self.timer = threading.Timer(seconds, kill, [self.killed])

    def __enter__(self):
        self.timer.start()

    def __exit__(self, *failure):
        self.timer.join()
        while set(self.client.run(os.getpid, on_error="ignore").values()) & set(self.killed):
            time.sleep(0.05)
        self.client.wait_for_workers(2, timeout=60)


@pytest.fixture(scope="module")
def large():
    """Points whose search takes longer than it takes to kill a worker, and queries."""
    rng = np.random.default_rng(5)
    points = (rng.normal(size=(30, 600))[rng.integers(30, size=3000)] * 3 + rng.normal(size=(3000, 600))).astype("f4")
    return points, points[:700] + np.float32(0.5)


def same(found, expected):
    for one, other in zip(found, expected):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@pytest.mark.long
def test_killed_workers_change_no_bit(client, killable, large):
    points, queries = large
    with client.as_current():
        quiet = ShardedDataset.from_array(da.from_array(points, chunks=(600, -1)))
        expected = quiet.knn(queries, 4, method="bandit"), quiet.prepare(box="dense").knn(queries, 4, method="bandit")
        graph = [part.compute() for part in quiet.graph(2)]
    nearest = np.sort(np.linalg.norm(points - queries[0], axis=1))[:4]
    np.testing.assert_allclose(expected[0].distance[0], nearest, rtol=1e-5)
    with killable.as_current():
        dataset = ShardedDataset.from_array(da.from_array(points, chunks=(600, -1)))
        with Killing(killable, 0.1):
            found = dataset.knn(queries, 4, method="bandit")
        same(found, expected[0])
        with Killing(killable, 0.02):
            prepared = dataset.prepare(box="dense")
        same(prepared.knn(queries, 4, method="bandit"), expected[1])
        with Killing(killable, 0.4):
            found = dataset.graph(2)
        same(found, graph)
        with Killing(killable, 0.3, count=2):  # none is left for a moment
            again = dataset.knn(queries, 4, method="bandit")
        same(again, expected[0])
        same(found, graph)  # what the workers held is computed anew


def out_of_memory(client, dataset):
    """Searches when workers have room for little more than they have."""
    def confine(more):
        used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + more if more else resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    client.run(confine, 8 << 20)
    try:
        dataset.prepare(box="dense")
    finally:
        client.run(confine, 0)


@pytest.mark.long
def test_memory_that_runs_out(killable):
    with killable.as_current():
        dataset = ShardedDataset.from_array(da.ones((120000, 900), chunks=(60000, -1), dtype="f4"))
        with pytest.raises(libbmo.OutOfMemory, match=r"shard [01] \(chunk [01]\): "):
            out_of_memory(killable, dataset)


def deadly(block):
    os._exit(3)


@pytest.mark.long
def test_a_shard_that_kills_its_workers(killable):
    with killable.as_current():
        array = da.from_array(POINTS, chunks=(210, -1)).map_blocks(deadly, meta=np.empty((0, 0), "f4"))
        with pytest.raises(WorkersDied, match=r"shard [01] \(chunk [01]\): 3 workers died of it"):
            ShardedDataset.from_array(array)
