"""Points, smaller versions of them, and true distances by integer arithmetic. Needs numpy alone."""
import numpy as np

ROWS = 2000  # points at a time


def pooled(images, side, channels=3):
    """Square uint8 images, a row each (pixels by channels), averaged to side x side pixels and rounded."""
    full = round((images.shape[1] / channels) ** 0.5)
    if full * full * channels != images.shape[1] or full % side:
        raise ValueError(f"rows of {images.shape[1]} are no square images of {channels} channels that {side} divides")
    if side == full:
        return images
    step = full // side
    blocks = [part.reshape(-1, side, step, side, step, channels).astype(np.uint32).sum((2, 4))
              for part in np.array_split(images, max(1, len(images) // ROWS))]
    area = step * step
    return ((np.concatenate(blocks) + area // 2) // area).astype(np.uint8).reshape(len(images), -1)


def side_of(images, channels=3):
    return round((images.shape[1] / channels) ** 0.5)


def squared_distances(points, queries):
    """All squared l2 distances of bytes, queries x points: products in float64, in which every sum is exact."""
    q = queries.astype(np.float64)
    sums = np.empty((len(q), len(points)))
    for at in range(0, len(points), ROWS):
        x = points[at:at + ROWS].astype(np.float64)
        sums[:, at:at + ROWS] = (q * q).sum(1)[:, None] + (x * x).sum(1)[None] - 2 * (q @ x.T)
    return sums


def judged(index, distances, k):
    """Share of the queries whose k neighbors are all right, and share of neighbors that are right; ties are either's.

    index: queries x k, -1 for none; distances: the true ones, queries x points."""
    limit = np.partition(distances, k - 1, axis=1)[:, k - 1:k]
    found = np.take_along_axis(distances, np.maximum(index, 0), 1)
    hits = ((found <= limit) & (index >= 0) & first_of_its_kind(index)).sum(1)
    return float((hits == k).mean()), float(hits.mean() / k)


def first_of_its_kind(index):
    """Where a row names a point that it has not named before."""
    repeats = (index[:, :, None] == index[:, None, :]) & np.tri(index.shape[1], k=-1, dtype=bool)
    return ~repeats.any(2)
