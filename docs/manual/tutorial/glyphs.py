import gzip

import libbmo
import numpy as np

# 5,298 pictures of 64 x 64 bytes, which are used in place.
pictures = np.load(gzip.open("glyphs.npy.gz"))
codes = [line.split("\t")[0] for line in open("glyphs.tsv")]   # "U+0021" ...
names = [chr(int(code[2:], 16)) for code in codes]

# A dataset and its parameters, bound once, serve any number of calls.
dataset = libbmo.Dataset(pictures).prepare(metric="l1")
searcher = libbmo.Searcher(dataset, metric="l1")

rows = [names.index(letter) for letter in "QЖ8"]
index, distance = found = searcher.knn_rows(rows, k=4)
for row, nearest in zip(rows, index):
    print(names[row], "looks like", *(names[point] for point in nearest))

# What was proved, and what it cost.
stats = found.stats
print(f"{stats.guarantee}, with {stats.gain:.0f} times fewer operations than a scan")

# The most typical character: the least mean distance to all others.
medoid = libbmo.medoid(dataset, metric="l1")
print("typical:", codes[medoid.index])
