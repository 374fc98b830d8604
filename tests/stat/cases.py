"""Made data on which k-NN by sampling is wrong unless its statistics are sound.

Each generator takes a seed and returns (points float32 n x d, query float32 d, k). The traps are of a few kinds: distance
that sits in few coordinates, samples that all look alike, ties across rank k, and gaps too small to sample apart.
"""
import numpy as np


def _made(points, query, k=5):
    return np.ascontiguousarray(points, np.float32), np.ascontiguousarray(query, np.float32), k


def one_huge_coordinate(seed, n=600, d=2048):
    """The true neighbors are constant rows; five rows look nearer but for a single enormous coordinate."""
    r = np.random.default_rng(seed)
    x = np.repeat(30.0 + np.arange(n)[:, None] % 120, d, axis=1)
    chosen = r.choice(n, 10, replace=False)
    x[chosen[:5]] = (15 + np.arange(5))[:, None]
    x[chosen[5:]] = (1 + np.arange(5))[:, None]
    x[chosen[5:], r.integers(d, size=5)] = 2e6
    return _made(x, np.zeros(d))


def categories(seed, n=800, d=4000):
    """One-hot rows: nearly every sample is 0; five rows share the query's category."""
    r = np.random.default_rng(seed)
    category = r.integers(1, d, size=n)
    category[r.choice(n, 5, replace=False)] = 0
    x = np.zeros((n, d))
    x[np.arange(n), category] = 1
    return _made(x, np.eye(1, d)[0])


def columns_of_other_units(seed, n=500, d=2000):
    """Six columns are in units a million times finer; the nearest rows agree with the query everywhere else."""
    r = np.random.default_rng(seed)
    x, q = np.round(r.random((n, d)) * 32) / 32, np.round(r.random(d) * 32) / 32
    odd = r.choice(d, 6, replace=False)
    x[:, odd], q[odd] = r.integers(0, 60000, (n, 6)), 30000
    for row in r.choice(n, 3, replace=False):
        x[row] = q
        x[row, odd] = r.choice([0, 60000])
        x[row, r.integers(d)] += .5
    return _made(x, q)


def heavy_tails(seed, n=600, d=3000):
    """Four rows are tiny but in half a percent of their coordinates, where they are huge."""
    r = np.random.default_rng(seed)
    x = r.integers(8, 20, (n, d)).astype(float)
    for t, row in enumerate(r.choice(n, 4, replace=False)):
        spikes = r.random(d) < .005
        x[row] = 1 + t
        x[row, spikes] = np.minimum(3e4 / np.sqrt(r.random(spikes.sum())), 1e6).round()
    return _made(x, np.zeros(d))


def tie_across_k(seed, n=300, d=1500):
    """Three clear neighbors, then a dozen rows at one distance, of which any two are right."""
    r = np.random.default_rng(seed)
    x = r.integers(2, 8, (n, d)).astype(float)
    rows = r.choice(n, 15, replace=False)
    for row in rows[:12]:
        x[row] = r.permutation(np.arange(d) < 50)
    for row, ones in zip(rows[12:], (2, 6, 11)):
        x[row] = np.arange(d) < ones
    return _made(x, np.zeros(d))


def simplex(seed, n=700):
    """All points at one distance from the query and from each other."""
    x = np.eye(n)[np.random.default_rng(seed).permutation(n)]
    return _made(x[1:], x[0])


def near_ties(seed, n=200, d=4000):
    """Signed permutations of one row of integers; five rows have one entry smaller by 1."""
    r = np.random.default_rng(seed)
    base = r.integers(1, 30, d).astype(float)
    x = np.stack([r.permutation(base) * r.choice([-1, 1], d) for _ in range(n)])
    for t, row in enumerate(r.choice(n, 5, replace=False)):
        j = np.flatnonzero(np.abs(x[row]) == 8 + t)[0]
        x[row, j] -= np.sign(x[row, j])
    return _made(x, np.zeros(d))


ALL = (one_huge_coordinate, categories, columns_of_other_units, heavy_tails, tie_across_k, simplex, near_ties)
