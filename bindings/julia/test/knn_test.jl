const metrics = (:l2, :l1, :sqeuclidean, :cosine)

function check_all(X, Q, k; parameters...)
    ds = surely(X; parameters...)
    for metric in metrics
        for searched in (ds, prepare(ds))
            @test agree(knn_matrix(searched, Q, k; metric=metric), brute(X, Q, k, metric))
            size(X, 2) > k && @test agree(knngraph(searched, k; metric=metric), brute_graph(X, k, metric))
        end
    end
end

case("random points") do
    X, Q = clusters(700, 150), clusters(700, 9; seed=2)
    check_all(X, Q, 5)
    check_all(X, Q, 5; method=:bandit)
    check_all(X, Q, 5; method="exact", threads=2)
end

case("narrow points") do
    check_all(clusters(3, 60), clusters(3, 4; seed=2), 7)
end

case("duplicates") do
    X = repeat(clusters(530, 12), 1, 5)
    check_all(X, X[:, 1:3], 6; method=:bandit)
end

case("ties") do
    X = rand(MersenneTwister(3), 0:1, 40, 90) / 8
    check_all(X, X[:, 4:7], 5)
    check_all(ones(600, 20), zeros(600, 2), 4; method=:bandit)
end

case("one coordinate") do
    X = reshape(rand(MersenneTwister(4), -800:800, 50) / 8, 1, :)
    check_all(X, X[:, 7:9], 3)
end

case("one point") do
    X = reshape(clusters(20, 1), :, 1)
    check_all(X, clusters(20, 3; seed=5), 1)
    @test knngraph(Dataset(clusters(20, 2)), 1)[1] == [2 1]
end

case("no point, no query") do
    @test size(Dataset(zeros(4, 0))) == (4, 0)
    ds = Dataset(clusters(5, 4))
    @test knn(ds, zeros(5, 0), 2) == ([], [])
    @test size.(knn_matrix(ds, zeros(5, 0), 2)) == ((2, 0), (2, 0))
    @test size.(knngraph(ds, 2; subset=[])) == ((2, 0), (2, 0))
end

case("vectors of a vector, vectors of vectors of a matrix") do
    X, Q = clusters(30, 40), clusters(30, 3; seed=2)
    ds = surely(X)
    wanted_idxs, wanted_dists = brute(X, Q, 4, :l2)
    idxs, dists = knn(ds, Q[:, 2], 4)
    @test idxs isa Vector{Int} && dists isa Vector{Float64}
    @test agree((idxs, dists), (wanted_idxs[:, 2], wanted_dists[:, 2]))
    idxs, dists = knn(ds, Q, 4)
    @test idxs isa Vector{Vector{Int}} && dists isa Vector{Vector{Float64}}
    @test agree((reduce(hcat, idxs), reduce(hcat, dists)), (wanted_idxs, wanted_dists))
    @test knn(ds, [Q[:, i] for i in 1:3], 4) == (idxs, dists)
    @test knn(ds, Dataset(Q), 4) == (idxs, dists)
    @test knn(ds, view(Q, :, 2), 4) == (idxs[2], dists[2])
end

case("into arrays") do
    X, Q = clusters(30, 40), clusters(30, 6; seed=2)
    ds, wanted = surely(X), brute(X, Q, 4, :l2)
    for (Index, Dist) in ((Int64, Float64), (Int32, Float64), (Int64, Float32), (Int32, Float32))
        idxs, dists = zeros(Index, 4, 6), zeros(Dist, 4, 6)
        @test knn!(idxs, dists, ds, Q, 4) === (idxs, dists)
        @test idxs == wanted[1] && dists == Dist.(wanted[2])
    end
    idxs, dists = zeros(Int, 9, 13), zeros(9, 13)
    within(x) = view(x, 2:2:8, 1:2:11)
    knn!(within(idxs), within(dists), ds, Q, 4)
    @test agree((within(idxs), within(dists)), wanted)
    @test count(!=(0), idxs) == 24 && count(!=(0), dists) == 24
    turned = zeros(Int, 6, 4)
    dists = zeros(4, 6)
    knn!(turned', dists, ds, Q, 4)
    @test agree((turned', dists), wanted)
    idxs, dists = zeros(Int, 4), zeros(4)
    @test knn!(idxs, dists, ds, Q[:, 3], 4) === (idxs, dists)
    @test agree((idxs, dists), (wanted[1][:, 3], wanted[2][:, 3]))
    @test knn!(zeros(Int, 1, 6), zeros(1, 6), ds, Q, 1)[1] == wanted[1][1:1, :]
end

case("graph of a subset, and as a sparse matrix") do
    X = clusters(30, 40)
    X[:, 9] = X[:, 2] # at distance 0
    ds = surely(X)
    idxs, dists = brute_graph(X, 3, :l2)
    subset = [2, 40, 2, 1]
    @test agree(knngraph(ds, 3; subset=subset), (idxs[:, subset], dists[:, subset]))
    graph = knngraph(SparseMatrixCSC, ds, 3)
    @test graph isa SparseMatrixCSC{Float64,Int} && size(graph) == (40, 40) && nnz(graph) == 3 * 40
    @test all(issorted(graph.rowval[nzrange(graph, j)]) for j in 1:40)
    @test all(isapprox(graph[idxs[r, j], j], dists[r, j]; rtol=1e-14) for r in 1:3, j in 1:40)
    @test 9 in graph.rowval[nzrange(graph, 2)] && graph[9, 2] == 0
    @test Matrix(knngraph(SparseMatrixCSC, ds, 3; subset=subset)) == Matrix(graph)[:, subset]
end

case("metrics by name, by object, by function") do
    X, Q = clusters(40, 30), clusters(40, 3; seed=2)
    ds = surely(X)
    for (object, metric) in ((Euclidean(), :l2), (SqEuclidean(), :sqeuclidean), (Cityblock(), :l1), (CosineDist(), :cosine))
        @test agree(knn_matrix(ds, Q, 3; metric=object), brute(X, Q, 3, metric))
        @test agree(knn_matrix(surely(X; metric=string(metric)), Q, 3), brute(X, Q, 3, metric))
    end
    cubes = [sum(abs.(Q[:, i] - X[:, j]) .^ 3) for j in 1:30, i in 1:3]
    nearest = reduce(hcat, [sortperm(cubes[:, i])[1:3] for i in 1:3])
    for found in (knn_matrix(ds, Q, 3; metric=Minkowski(3)), knn_matrix(ds, Q, 3; metric=:lp, p=3))
        @test found[1] == nearest && found[2] ≈ [cbrt(cubes[nearest[r, i], i]) for r in 1:3, i in 1:3]
    end
    @test agree(knn_matrix(ds, Q, 3; metric=(j, a, b) -> abs(a - b)), brute(X, Q, 3, :l1))
    weighted = Diagonal(1:40) * X, Diagonal(1:40) * Q
    @test agree(knn_matrix(ds, Q, 3; metric=:l1, weights=1:40), brute(weighted..., 3, :l1))
    @test agree(knn_matrix(ds, Q, 3; metric=(j, a, b) -> j * abs(a - b)), brute(weighted..., 3, :l1))
    again = knn_matrix(surely(X; metric=:l1, weights=1:40), Q, 3; weights=nothing)
    @test agree(again, brute(X, Q, 3, :l1))
end

case("the forms of NearestNeighbors.jl") do
    X, points = clusters(60, 40), clusters(60, 3; seed=2)
    ds = surely(X)
    idxs, dists = brute(X, points, 40, :l2)
    skip(i) = i % 3 == 0
    wanted = [[i for i in column if !skip(i)][1:4] for column in eachcol(idxs)]
    for found in (knn(ds, points, 4, true, skip), knn(ds, points, 4, skip))
        @test found[1] == wanted
        @test found[2] ≈ [dists[[findfirst(==(i), idxs[:, q]) for i in wanted[q]], q] for q in 1:3]
    end
    @test knn(ds, points[:, 2], 4, skip)[1] == wanted[2]
    @test knn(ds, points, 4, false) == knn(ds, points, 4)
    @test length.(knn(ds, points, 4, skip; max_distance=0)[1]) == [0, 0, 0]
    @test nn(ds, points)[1] == idxs[1, :] && nn(ds, points)[2] ≈ dists[1, :]
    @test nn(ds, points[:, 1], ==(idxs[1, 1]))[1] == idxs[2, 1]
    @test nn(ds, points[:, 1]) isa Tuple{Int,Float64}
    refused(() -> knn(ds, points, 28, skip), "k is 28; expected at most 27, the points that are not skipped")
end

# What others export, too, would be ambiguous when both are loaded.
case("no exported name is one of NearestNeighbors.jl, Clustering.jl or Distances.jl") do
    theirs = [:knn, :knn!, :nn, :inrange, :inrange!, :inrangecount, :kmeans, :kmeans!, :kmedoids, :save, :load, :evaluate, :pairwise,
              :colwise, :Euclidean, :Cityblock]
    @test isempty(intersect(names(BMO), theirs))
end

case("metrics of Distances.jl that have weights") do
    X, points = clusters(60, 40), clusters(60, 3; seed=2)
    weights = [isodd(j) ? 1 : 4 for j in 1:60]
    for (metric, factors, name) in ((WeightedCityblock(weights), weights, :l1), (WeightedEuclidean(weights), sqrt.(weights), :l2),
                                    (WeightedSqEuclidean(weights), sqrt.(weights), :sqeuclidean), (WeightedMinkowski(weights, 1), weights, :l1))
        @test agree(knn_matrix(surely(X; metric=metric), points, 5), brute(X .* factors, points .* factors, 5, name))
        @test agree(knn_matrix(surely(X), points, 5; metric=metric), brute(X .* factors, points .* factors, 5, name))
    end
    refused(() -> Dataset(X; metric=WeightedCityblock([1, 2]), weights=[1, 2]), r"^weights were given twice: beside, and in the metric ")
    refused(() -> knn(Dataset(X), points, 1; metric=WeightedCityblock([1, 2])), r"^weights has 2 values; expected 60, one a coordinate")
end
