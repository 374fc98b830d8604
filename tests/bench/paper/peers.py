"""Other programs for nearest neighbors behind one interface: built, tuned to an accuracy, counted and timed. One thread.

An effort is the parameter of a search that trades accuracy for time. count() says how many distances a query computes between
whole points; what finds the candidates (hashes, projections of trees) is not in it.
"""
import importlib
import tempfile

import numpy as np

import points as dense

AIM = 0.99  # of the neighbors


class Peer:
    module = ""
    efforts = ()

    @classmethod
    def reason(cls):
        """Why it is not here; "" if it is."""
        try:
            importlib.import_module(cls.module)
            return ""
        except ImportError as error:
            return str(error)


class Hnsw(Peer):
    """Its Python module has no counter: the searches are done again on its graph (hnsw_replay.py), which must find the same."""

    name, module, efforts = "hnswlib", "hnswlib", tuple(10 * 2**step for step in range(10))

    def __init__(self, points, seed):
        import hnswlib

        self.index = hnswlib.Index(space="l2", dim=points.shape[1])
        self.index.init_index(max_elements=len(points), M=16, ef_construction=100, random_seed=seed + 1)
        self.index.add_items(points, num_threads=1)
        self.index.set_num_threads(1)

    def search(self, queries, k, effort):
        self.index.set_ef(max(effort, k))
        return self.index.knn_query(queries, k, num_threads=1)[0].astype(np.int64)

    def count(self, queries, k, effort):
        from hnsw_replay import Graph

        counted, found = Graph(self.index).search(queries, k, max(effort, k))
        same = (found == self.search(queries, k, effort)).mean()
        if same < 0.99:
            raise RuntimeError(f"the replay of hnswlib finds {same:.1%} of what hnswlib finds")
        return counted / len(queries)


class Ngt(Peer):
    """Counts its distances itself (get_num_of_distance_computations)."""

    name, module, efforts = "NGT", "ngtpy", (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8)

    def __init__(self, points, seed):
        import ngtpy

        self.directory = tempfile.TemporaryDirectory()
        path = f"{self.directory.name}/index"
        ngtpy.create(path, points.shape[1], distance_type="L2", object_type="Float")
        self.index = ngtpy.Index(path)
        self.index.batch_insert(points, num_threads=1)

    def search(self, queries, k, effort):
        found = np.full((len(queries), k), -1)
        for row, query in zip(found, queries):
            hits = self.index.search(query, size=k, epsilon=effort, with_distance=False)
            row[:len(hits)] = hits
        return found

    def count(self, queries, k, effort):
        before = self.index.get_num_of_distance_computations()
        self.search(queries, k, effort)
        return (self.index.get_num_of_distance_computations() - before) / len(queries)


class Descent(Peer):
    """pynndescent, which builds its graph as kGraph does. Counted by a metric that counts its calls; not timed, since it does."""

    name, module, efforts = "pynndescent", "pynndescent", (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.2)

    def __init__(self, points, seed):
        import pynndescent
        from counted_metric import squared_l2

        self.index = pynndescent.NNDescent(points, metric=squared_l2, random_state=seed, n_jobs=1)
        self.index.prepare()

    def search(self, queries, k, effort):
        return self.index.query(queries, k, epsilon=effort)[0].astype(np.int64)

    def count(self, queries, k, effort):
        from counted_metric import calls

        before = calls()
        self.search(queries, k, effort)
        return (calls() - before) / len(queries)


class Lsh(Peer):
    """Cross-polytope hashes on centered points. Counted are its candidates, each once a query."""

    name, module, efforts = "LSH (falconn)", "falconn", tuple(10 * 2**step for step in range(13))

    def __init__(self, points, seed):
        import falconn

        self.center = points.mean(0)
        self.points = points - self.center  # falconn keeps no copy
        params = falconn.get_default_parameters(*points.shape, falconn.DistanceFunction.EuclideanSquared, True)
        params.num_setup_threads = 1
        params.seed = seed + 1
        self.tables = params.l  # the least number of probes
        self.index = falconn.LSHIndex(params)
        self.index.setup(self.points)
        self.query = self.index.construct_query_object()

    def search(self, queries, k, effort):
        self.query.set_num_probes(max(effort, self.tables))
        found = np.full((len(queries), k), -1)
        for row, query in zip(found, queries - self.center):
            hits = self.query.find_k_nearest_neighbors(query, k)
            row[:len(hits)] = hits
        return found

    def count(self, queries, k, effort):
        self.query.set_num_probes(max(effort, self.tables))
        return float(np.mean([len(self.query.get_unique_candidates(query)) for query in queries - self.center]))


ALL = (Hnsw, Ngt, Descent, Lsh)


def missing():
    return {peer.name: peer.reason() for peer in ALL if peer.reason()}


def present(*kinds):
    return [peer for peer in kinds if not peer.reason()]


def tuned(peer, queries, truth, k):
    """The least effort that finds AIM of the neighbors (else the greatest there is), with accuracies."""
    for effort in peer.efforts:
        whole, share = dense.judged(peer.search(queries, k, effort), truth, k)
        if share >= AIM:
            break
    return effort, whole, share
