"""Milliseconds a query by the clock, one thread: queries alone, and with what is prepared or built first."""
import statistics
import tempfile
import time

import numpy as np

import figure
import peers
import points as dense
from settings import DELTA, Experiment, K, Settings

RUNS = 3
PCA_LIMIT = 1000  # coordinates; a PCA of more takes longer than all the searches here


class Flat(peers.Peer):
    name, module, efforts = "faiss, flat", "faiss", (0,)

    def __init__(self, points, seed):
        import faiss

        faiss.omp_set_num_threads(1)
        self.index = self.made(faiss, points)
        self.index.add(points)

    def made(self, faiss, points):
        return faiss.IndexFlatL2(points.shape[1])

    def search(self, queries, k, effort):
        return self.index.search(queries, k)[1]


class Panorama(Flat):
    """Exact: distances level by level, left off by bounds on the rest."""

    name = "faiss, Panorama"

    def made(self, faiss, points):
        return faiss.IndexFlatL2Panorama(points.shape[1], 8)


class PcaPanorama(Flat):
    """The same behind a PCA, which puts what differs first."""

    name = "faiss, PCA and Panorama"

    def made(self, faiss, points):
        d = points.shape[1]
        index = faiss.IndexPreTransform(faiss.PCAMatrix(d, d), faiss.IndexFlatL2Panorama(d, 8))
        index.train(points)
        return index


class Brute(peers.Peer):
    name, module, efforts = "scikit-learn, brute", "sklearn", (0,)

    def __init__(self, points, seed):
        from sklearn.neighbors import NearestNeighbors

        self.index = NearestNeighbors(algorithm="brute", n_jobs=1).fit(points)

    def search(self, queries, k, effort):
        return self.index.kneighbors(queries, k, return_distance=False)


SCANS, INDEXES = (Brute, Flat, Panorama, PcaPanorama), (peers.Hnsw, peers.Ngt, peers.Lsh)


class Case:
    def __init__(self, settings, n, side, count):
        self.settings, self.n, self.side, self.count = settings, n, side, count
        self.truth = settings.truth(n, count, side)
        self.d = 3 * side * side

    def row(self, method, index, seconds, build, **more):
        whole, share = dense.judged(index, self.truth, K)
        each = sorted(1e3 * run / self.count for run in seconds)
        ms = statistics.median(each)
        return {"method": method, "n": self.n, "d": self.d, "ms": ms, "least_ms": each[0], "most_ms": each[-1], "build_s": build,
                "with_build_ms": ms + 1e3 * build / self.count, "error": 1 - whole, "recall": share, "queries": self.count} | more

    def libbmo(self, kind, method):
        """As the command prepares and searches by default: the box and the method are its choice."""
        points, queries = self.settings.points(self.n, self.side, kind), self.settings.asked(self.count, self.side, kind)
        with tempfile.TemporaryDirectory(dir=self.settings.work) as directory:
            prepared = f"{directory}/points.bmo"
            build = self.settings.bmo.prepare(points, prepared, "--seed", self.settings.seed)
            asked = [self.settings.bmo.knn(prepared, queries, K, "--delta", DELTA) for _ in range(RUNS)]
        stats, index = asked[0]
        return self.row(method, index, [stats["query_ms"] / 1e3 for stats, _ in asked], build, chosen=stats["method"],
                        box=stats["box"], guarantee=stats["guarantee"])

    def peer(self, kind):
        x, q = (np.load(path) for path in (self.settings.points(self.n, self.side, "float32"),
                                           self.settings.asked(self.count, self.side, "float32")))
        start = time.perf_counter()
        built = kind(x, self.settings.seed)
        build = time.perf_counter() - start
        effort, _, _ = peers.tuned(built, q, self.truth, K)
        seconds = []
        for _ in range(RUNS):
            start = time.perf_counter()
            index = built.search(q, K, effort)
            seconds.append(time.perf_counter() - start)
        return self.row(kind.name, index, seconds, build, effort=effort)

    def rows(self):
        yield self.libbmo("uint8", "libbmo, bytes")
        yield self.libbmo("float32", "libbmo, float32")
        for kind in peers.present(*SCANS, *(INDEXES if self.settings.indexable(self.n) else ())):
            if kind is not PcaPanorama or self.d <= min(self.n, PCA_LIMIT):
                yield self.peer(kind)


def drawn(rows, x, label):
    halves = (("queries alone", rows, "ms"), (f"with preparation, {rows[0]['queries']} queries", rows, "with_build_ms"))
    return figure.pair(halves, x, label, "ms a query, one thread", peers.AIM)


class AgainstN(Experiment):
    """Time against the number of points, one thread, beside exact scans and indexes."""

    name, axis, shapes = "time-n", ("n", "points"), Settings.by_n

    @classmethod
    def measure(cls, settings):
        for n, side in cls.shapes(settings):
            yield from Case(settings, n, side, settings.scale(200, 1000)).rows()

    @classmethod
    def draw(cls, rows):
        return drawn(rows, *cls.axis)


class AgainstD(AgainstN):
    """Time against the number of coordinates, one thread, beside exact scans and indexes."""

    name, axis, shapes = "time-d", ("d", "coordinates"), Settings.by_d
