using BMO

pictures = Dataset("glyphs.npy.gz")
codes = [first(split(line, '\t')) for line in eachline("glyphs.tsv")]

# A dataset that is prepared serves any number of calls.
ds = prepare(Dataset(pictures; metric=:l1))
asked = indexin(["U+0051", "U+0416", "U+0038"], codes)  # Q, a Russian letter, 8
stats = Ref{Stats}()
idxs, dists = knngraph(ds, 4; subset=asked, stats=stats)
for (i, row) in enumerate(asked)
    println(codes[row], " looks like ", join(codes[idxs[:, i]], " "))
end

# What was proved, and what it cost.
println(stats[].guarantee, ", with ", round(Int, stats[].gain),
        " times fewer operations than a scan")

# The most typical character: the least mean distance to all others.
point, mean = medoid(ds)
println("typical: ", codes[point])
