# What a full scan finds, in whole numbers: the points have coordinates that are multiples of 1/8.

const distances = Dict(
    :l1 => (a, b) -> sum(abs.(a .- b)) / 8,
    :sqeuclidean => (a, b) -> sum(abs2.(a .- b)) / 64,
    :l2 => (a, b) -> sqrt(sum(abs2.(a .- b)) / 64),
    :cosine => (a, b) -> cosine(sum(a .* b), sum(abs2.(a)), sum(abs2.(b))),
)

# Rounded so far that what is equal is so. A zero vector is at right angles to all.
cosine(product, a, b) = a == 0 || b == 0 ? big(1.0) : round(1 - product / sqrt(big(a) * b); digits=50)

eighths(X) = Int.(8 .* Rational.(X))

# The k nearest columns of X to each column of Q: ascending, ties by index; skip[i] is no candidate of query i.
function brute(X, Q, k, metric; skip=zeros(Int, size(Q, 2)))
    whole, queries, distance = eighths(X), eighths(Q), distances[metric]
    idxs, dists = zeros(Int, k, size(Q, 2)), zeros(k, size(Q, 2))
    for i in axes(Q, 2)
        found = [(distance(queries[:, i], whole[:, j]), j) for j in axes(X, 2) if j != skip[i]]
        for (rank, (dist, j)) in enumerate(sort!(found)[1:k])
            idxs[rank, i], dists[rank, i] = j, dist
        end
    end
    idxs, dists
end

brute_graph(X, k, metric) = brute(X, X, k, metric; skip=1:size(X, 2))

# d x n points around a few centers, of multiples of 1/8.
function clusters(d, n; seed=1, values=-40:40, centers=6)
    random = MersenneTwister(seed)
    middle = rand(random, values, d, centers)
    [(middle[j, i % centers + 1] + rand(random, -3:3)) / 8 for j in 1:d, i in 1:n]
end

# Equal indices and distances, but for the rounding of a root or of a sum in another order.
agree((idxs, dists), (wanted_idxs, wanted_dists)) =
    idxs == wanted_idxs && size(dists) == size(wanted_dists) && all(isapprox.(dists, wanted_dists; rtol=1e-14, atol=1e-15))

# The same of vectors of vectors.
agree_all((idxs, dists), wanted) = length(idxs) == length(wanted[1]) && all(agree.(zip(idxs, dists), zip(wanted...)))

# A dataset whose answers are compared with those of a full scan.
surely(X; parameters...) = Dataset(X; delta=1e-9, parameters...)
