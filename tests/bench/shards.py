#!/usr/bin/env python3
"""libbmo.dask on a LocalCluster, beside the plain package.

usage: shards.py WHAT ... [--embeddings X.npz] [--images X.npy] [--folder DIR] [--gigabytes 30] [--turns 5] [--json FILE]

equal      100,000 x 1,280 points in 8 shards, on 2 workers: neighbors of 500 queries are those of one machine's exact method
speed      1,000 queries of the same: the plain package on 1 and 2 threads, then 1 and 2 workers, by turns
threshold  the race in 8 shards, of which half start with the k-th distance of the others, and without; on the images, if
           they are given
killed     20 runs with a worker killed at a random moment, against the undisturbed answer; fails if one differs
disk       a file of --gigabytes, nearly all of it a hole, on workers whose memory is 4 GB together
graph      the graph of the images in 5 shards, against the plain one
scale      1, 2, 4 and 8 shards: seconds, operations and bytes, for docs/scale.md and draw_shards.py (--json)

Embeddings: points and queries of an .npz, as float16; without it they are made up. They are repeated with noise. Needs the
packages of bindings/python/tests/requirements.txt; the library as tests/stat/searches.py says. Each figure is the median of the turns.
"""
import argparse
import contextlib
import functools
import json
import os
import pathlib
import random
import signal
import statistics
import sys
import tempfile
import threading
import time

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE / "bindings" / "python" / "src"))
os.environ["PYTHONPATH"] = os.pathsep.join([str(TREE / "bindings" / "python" / "src"), os.environ.get("PYTHONPATH", "")])

import dask  # noqa: E402
import dask.array  # noqa: E402
import distributed  # noqa: E402
import numpy as np  # noqa: E402
import psutil  # noqa: E402

import libbmo  # noqa: E402
from libbmo import _shards  # noqa: E402
from libbmo.dask import ShardedDataset  # noqa: E402

K = 10


def cluster(workers, **settings):
    return distributed.Client(n_workers=workers, threads_per_worker=1, dashboard_address=":0", **{"memory_limit": 0, **settings})


def embeddings(args):
    """100,000 points and 1,000 queries."""
    r = np.random.default_rng(1)
    if args.embeddings:
        with np.load(args.embeddings) as file:
            some, asked = file["points"].astype(np.float32), file["queries"].astype(np.float32)
    else:
        centers = r.normal(size=(200, 1280)) * r.gamma(0.5, size=1280)
        some = np.abs(centers[r.integers(200, size=20_000)] + 0.5 * r.normal(size=(20_000, 1280))).astype(np.float32)
        asked = some[r.choice(20_000, 500, replace=False)] + 0.1 * r.normal(size=(500, 1280)).astype(np.float32)

    def noisy(points, times):
        made = np.tile(points, (times, 1))
        for first in range(len(points), len(made), 1000):
            made[first:first + 1000] += 0.2 * some.std() * r.normal(size=made[first:first + 1000].shape).astype(np.float32)
        return made

    return noisy(some, 100_000 // len(some)), noisy(asked, 1000 // len(asked))


def held(points, shards, folder):
    """A Dask array whose chunks the workers read for themselves."""
    pathlib.Path(folder).mkdir(exist_ok=True)
    chunks = []
    for number, part in enumerate(np.array_split(points, shards)):
        path = pathlib.Path(folder) / f"part-{shards}-{number}.npy"
        if not path.exists():
            np.save(path, part)
        chunks.append(dask.array.from_delayed(dask.delayed(np.load)(str(path)), part.shape, part.dtype))
    return dask.array.concatenate(chunks)


def timed(call):
    start = time.perf_counter()
    result = call()
    return time.perf_counter() - start, result


def load():
    return "load " + " ".join(f"{one:.1f}" for one in os.getloadavg())


def equal(args, folder):
    points, queries = embeddings(args)
    expected = libbmo.Searcher(points, method="exact").knn(queries[:500], K)
    with cluster(2):
        sharded = ShardedDataset.from_array(held(points, 8, folder))
        for name, dataset, params in (("exact", sharded, {"method": "exact"}), ("as it is", sharded, {}),
                                      ("prepared", sharded.prepare(), {})):
            found = dataset.knn(queries[:500], K, **params)
            wrong = int((found.index != expected.index).any(axis=1).sum())
            far = float(np.abs(found.distance - expected.distance).max() / expected.distance.max())
            print(f"equal, {name}: {wrong} of 500 queries differ; distances by {far:.1e} at most; {found.stats.guarantee}")


def speed(args, folder):
    points, queries = embeddings(args)
    prepared = libbmo.Dataset(points).prepare()
    plain, both = libbmo.Searcher(prepared), libbmo.Searcher(prepared, threads=2)
    parts = [_shards.hold(part, _shards.Label(at, "", 0, len(part))) for at, part in enumerate(np.array_split(points, 8))]
    parts = [_shards.prepare(part, None, {}) for part in parts]
    clients = {"1 worker": cluster(1), "2 workers": cluster(2)}
    calls = {"plain": lambda: plain.knn(queries, K), "plain, 2 threads": lambda: both.knn(queries, K),
             "the same shards, without Dask": lambda: without_dask(parts, queries)}
    for name, client in clients.items():
        with client.as_current():
            calls[name] = functools.partial(ShardedDataset.from_array(held(points, 8, folder)).prepare().knn, queries, K)
    taken = {name: [] for name in calls}
    for _ in range(args.turns):
        for name, call in calls.items():
            before = processor_seconds(clients.get(name))
            taken[name].append((timed(call)[0], processor_seconds(clients.get(name)) - before))
    wall, processor = ({name: statistics.median(one[at] for one in times) for name, times in taken.items()} for at in (0, 1))
    print("speed:", "; ".join(f"{name} {wall[name]:.2f} s, {processor[name]:.2f} s of processors" for name in calls), f"({load()})")
    print(f"speed: 2 workers are {wall['1 worker'] / wall['2 workers']:.2f} times as fast as 1, 2 threads of the plain package "
          f"{wall['plain'] / wall['plain, 2 threads']:.2f} times as 1; 1 worker takes "
          f"{wall['1 worker'] / wall['plain']:.2f} of the plain package, {processor['1 worker'] / processor['plain']:.2f} in "
          f"processor time; {wall['1 worker'] / wall['the same shards, without Dask']:.2f} of the same shards without Dask")
    before = clients["2 workers"].run(time.process_time)
    calls["2 workers"]()
    busy = [after - before[worker] for worker, after in clients["2 workers"].run(time.process_time).items()]
    print(f"speed: the two workers took {' and '.join(f'{one:.2f}' for one in busy)} s of processors, the one "
          f"{workers_alone(clients['1 worker'], calls['1 worker']):.2f} s")
    for client in clients.values():
        client.close()


def workers_alone(client, call):
    before = sum(client.run(time.process_time).values())
    call()
    return sum(client.run(time.process_time).values()) - before


def without_dask(parts, queries, threshold=True, **params):
    """What libbmo.dask does, in one process."""
    params, blocks, rows = {"delta": 0.01, **params}, [], min(512, (len(queries) + 1) // 2)
    for number, first in enumerate(range(0, len(queries), rows)):
        block = queries[first:first + rows]
        ahead = [_shards.search(part, block, K, None, params) for part in parts if (part.label.number + number) % 2 == 0]
        merged = _shards.merge(ahead, K)
        rest = [_shards.search_behind(part, block, K, merged, 2.0**-46, None, params) if threshold
                else _shards.search(part, block, K, None, params) for part in parts if (part.label.number + number) % 2]
        blocks.append(_shards.merge([merged, *rest], K))
    return _shards.joined(blocks)


def threshold(args, folder):
    points, queries = embeddings(args)
    if args.images:
        points = np.load(args.images)
        points, queries = points[:-100], points[-100:]
    queries = queries[:100]
    whole = libbmo.Dataset(points)
    made = [_shards.hold(part, _shards.Label(at, "", 0, len(part))) for at, part in enumerate(np.array_split(points, 8))]
    for name, box in (("as it is", None), ("dense", "dense"), ("projected", "projected")):
        parts = made if box is None else [_shards.prepare(part, None, {"box": box}) for part in made]
        one = libbmo.Searcher(whole if box is None else whole.prepare(box=box), method="bandit").knn(queries, K).stats
        told = [f"as one: {one.coord_ops / len(queries) / 1e6:.2f} M operations, {one.seconds:.2f} s"]
        for label, travels in (("8 shards", False), ("8 shards, threshold", True)):
            seconds, found = timed(lambda: without_dask(parts, queries, travels, method="bandit"))
            told.append(f"{label}: {found.stats.coord_ops / len(queries) / 1e6:.2f} M, {seconds:.2f} s")
        print(f"threshold, {name}, a query: " + "; ".join(told), f"({load()})", flush=True)


def killed(args, folder):
    points, queries = embeddings(args)
    points, queries, right = points[:20_000], queries[:200], 0
    settings = {"distributed.deploy.lost-worker-timeout": "1 hour"}  # a LocalCluster may close a worker that is killed twice
    chance = random.Random(1)
    # At its end a LocalCluster may trip over a worker that it has missed the start of; then the runs are counted already.
    with dask.config.set(settings), contextlib.suppress(KeyError), cluster(2) as client:
        sharded = ShardedDataset.from_array(held(points, 5, folder))
        expected = sharded.prepare().knn(queries, K, method="bandit")
        few = ShardedDataset.from_array(held(points[:4000], 5, folder + "/few"))
        graph = [part.compute() for part in few.graph(3)]
        for turn in range(20):
            process = chance.choice(sorted(client.run(os.getpid).values()))
            timer = threading.Timer(chance.uniform(0, 1.5), os.kill, [process, signal.SIGKILL])
            timer.start()
            if turn % 4 == 3:
                found, wanted = [part.compute() for part in few.graph(3)], graph
            else:
                found, wanted = sharded.prepare().knn(queries, K, method="bandit"), expected
            timer.join()
            right += all(np.array_equal(one, other) for one, other in zip(found, wanted))
            while process in client.run(os.getpid, on_error="ignore").values():
                time.sleep(0.05)
            client.wait_for_workers(2, timeout=120)
    print(f"killed: {right} of 20 answers are right, bit for bit")
    if right < 20:
        sys.exit(1)


def disk(args, folder):
    d, path = 1280, pathlib.Path(folder) / "large.npy"
    n = int(args.gigabytes * 1e9 / 4 / d)
    points = np.lib.format.open_memmap(path, "w+", np.float32, (n, d))
    r = np.random.default_rng(1)
    queries = r.normal(size=(5, d)).astype(np.float32)
    rows = r.choice(n, (5, K), replace=False)
    for query, places in zip(queries, rows):  # all others are 0, which is farther
        for rank, place in enumerate(places):
            points[place] = query + np.float32(0.01 * (rank + 1)) * r.normal(size=d).astype(np.float32)
    points.flush()
    nearest = np.array([[place for _, place in sorted((np.linalg.norm(points[place].astype(np.float64) - query), place)
                                                      for place in places)] for query, places in zip(queries, rows)])
    del points
    with cluster(2, memory_limit=2_000_000_000) as client:
        most, over = [0], threading.Event()
        processes = [psutil.Process(one) for one in client.run(os.getpid).values()]

        def watch():
            while not over.wait(0.05):
                most[0] = max(most[0], sum(process.memory_info().rss for process in processes))

        watcher = threading.Thread(target=watch)
        watcher.start()
        sharded = ShardedDataset.from_files([path], rows=-(-n // round(args.gigabytes / 0.5)))
        seconds, found = timed(lambda: sharded.knn(queries, K))
        over.set()
        watcher.join()
        alive = sorted(client.run(os.getpid).values()) == sorted(process.pid for process in processes)
    print(f"disk: {path.stat().st_size / 1e9:.1f} GB in {len(sharded._shards)} shards: {seconds:.0f} s for 5 queries; workers "
          f"had {most[0] / 1e9:.2f} GB resident at most; right: {np.array_equal(found.index, nearest)}; no worker died: {alive} "
          f"({load()})")
    path.unlink()


def graph(args, folder):
    if not args.images:
        sys.exit("graph needs --images X.npy")
    images = np.load(args.images, mmap_mode="r")
    certain = 1e-9  # that no row is wrong, here or there
    seconds, one = timed(lambda: libbmo.knn_graph(np.asarray(images), 5, threads=2, delta=certain))
    with cluster(2):
        sharded = ShardedDataset.from_array(held(images, 5, folder)).prepare()
        took, (index, distance) = timed(lambda: [part.compute() for part in sharded.graph(5, delta=certain)])
    print(f"graph of {images.shape}: {(index != one.index).any(axis=1).sum()} rows differ, distances by "
          f"{np.abs(distance - one.distance).max():.1e} at most; plain {seconds:.0f} s, 5 shards {took:.0f} s ({load()})")


def processor_seconds(client):
    """Of this process, which has the scheduler, and of the workers."""
    return time.process_time() + (sum(client.run(time.process_time).values()) if client else 0)


def scale(args, folder):
    points, queries = embeddings(args)
    queries, rows = queries[:200], []
    for shards in (1, 2, 4, 8):
        with cluster(min(shards, 2)) as client:
            sharded = ShardedDataset.from_array(held(points, shards, folder))
            before = processor_seconds(client)
            _, prepared = timed(lambda: sharded.prepare(box="projected"))
            row = {"shards": shards, "workers": min(shards, 2), "queries": len(queries), "n": len(points), "d": points.shape[1],
                   "k": K, "prepare_processor_seconds": processor_seconds(client) - before,
                   "bytes_held": sum(client.run(bytes_held, prefix="bmo-prepare").values())}
            for method in ("exact", "bandit"):
                prepared.knn(queries[:5], K, method=method)
                before = processor_seconds(client)
                took = [timed(lambda: prepared.knn(queries, K, method=method)) for _ in range(args.turns)]
                row[method] = {"seconds": statistics.median(one for one, _ in took), "coord_ops": took[0][1].stats.coord_ops,
                               "processor_seconds": (processor_seconds(client) - before) / args.turns}
            few = ShardedDataset.from_array(held(points[:80], shards, folder + "/few"))
            row["empty_call_seconds"] = statistics.median(timed(lambda: few.knn(queries[:1], 1))[0] for _ in range(50))
            rows.append(row)
            print("scale:", row, f"({load()})", flush=True)
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps({"load": os.getloadavg(), "rows": rows}, indent=1) + "\n")


def bytes_held(prefix, dask_worker):
    return sum(value.bytes_held() for key, value in dask_worker.data.items() if key[0].startswith(prefix))


def main():
    every = (equal, speed, threshold, killed, disk, graph, scale)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+", choices=[one.__name__ for one in every])
    parser.add_argument("--embeddings")
    parser.add_argument("--images")
    parser.add_argument("--folder")
    parser.add_argument("--gigabytes", type=float, default=30)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--json")
    args = parser.parse_args()
    for one in every:
        if one.__name__ in args.what:
            with tempfile.TemporaryDirectory(dir=args.folder) as folder:
                one(args, folder)


if __name__ == "__main__":
    main()
