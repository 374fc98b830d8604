library(bmo)

pictures <- bmo_load("glyphs.npy.gz")
dim(pictures)
codes <- read.delim("glyphs.tsv", header = FALSE, quote = "")[[1]]

# A dataset that is prepared serves any number of calls.
prepared <- bmo_prepare(pictures, metric = "l1")
asked <- match(c("U+0051", "U+0416", "U+0038"), codes)  # Q, a Russian letter, 8
neighbors <- bmo_knn(prepared, k = 4, metric = "l1", subset = asked)
matrix(codes[neighbors$index], 3, dimnames = list(codes[asked]))

# What was proved.
neighbors$stats$guarantee

# The most typical character: of least mean distance to all others.
codes[bmo_medoid(prepared, metric = "l1")$index]
