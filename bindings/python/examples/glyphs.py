"""Characters that look alike: 5,298 pictures of 64 x 64 pixels, and the nearest pictures of a few.

Cells as of a notebook; as a program it writes glyphs.png beside itself, or to the path given. Needs matplotlib.
"""
# %% The pictures, which the package carries for `bmo demo`.
import gzip
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import libbmo

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = pathlib.Path(libbmo.__file__).parent, HERE.parents[2] / "share" / "demo"
FOLDER = next(folder for folder in FOLDERS if (folder / "glyphs.npy.gz").exists())
with gzip.open(FOLDER / "glyphs.npy.gz") as file:
    pictures = np.load(file)
names = [line.split("\t")[:2] for line in (FOLDER / "glyphs.tsv").read_text().splitlines()]
codes = [int(code[2:], 16) for code, _ in names]

# %% Prepare once, then ask as often as you like. Bytes are searched as they are, without a copy.
dataset = libbmo.Dataset(pictures).prepare(metric="l2", box="dense")
searcher = libbmo.Searcher(dataset, metric="l2", method="bandit")
asked = [codes.index(ord(character)) for character in "Ж☺AO8∑"]
found = searcher.knn_rows(asked, k=7)
print(found.stats)

# %% What was proved: each row below is right with probability at least 99%, whatever the pictures are.
assert found.stats.guarantee >= libbmo.Guarantee.PROVEN

# %% The same by computing every distance, to see how much was saved and that nothing was lost.
exact = libbmo.Searcher(dataset, metric="l2", method="exact").knn_rows(asked, k=7)
print("rows that agree:", int((found.index == exact.index).all(axis=1).sum()), "of", len(asked))

# %% A picture of pictures: the character that was asked for, then its nearest others.
figure, places = plt.subplots(len(asked), 8, figsize=(8, len(asked) + 0.4))
for row, number in zip(places, range(len(asked))):
    shown = [asked[number], *found.index[number]]
    for rank, (place, point) in enumerate(zip(row, shown)):
        place.imshow(pictures[point].reshape(64, 64), cmap="gray_r")
        place.set_xticks([])
        place.set_yticks([])
        place.set_title(f"U+{codes[point]:04X}" if rank == 0 else f"{found.distance[number, rank - 1]:,.0f}", fontsize=7)
        for edge in place.spines.values():
            edge.set_color("tab:blue" if rank == 0 else "lightgray")
figure.suptitle(f"Nearest pictures and their distances, with {found.stats.gain:.0f} times fewer operations than a scan",
                fontsize=9)
figure.tight_layout()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else HERE / "glyphs.png", dpi=70)
