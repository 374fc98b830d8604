# What a full scan finds within a distance.
function brute_within(X, Q, radius, metric; skip=zeros(Int, size(Q, 2)))
    idxs, dists = brute(X, Q, size(X, 2) - (skip[1] > 0), metric; skip=skip)
    near = [1:count(dists[:, i] .<= (radius isa Real ? radius : radius[i])) for i in axes(Q, 2)]
    [idxs[near[i], i] for i in axes(Q, 2)], [dists[near[i], i] for i in axes(Q, 2)]
end

brute_rangegraph(X, radius, metric) = brute_within(X, X, radius, metric; skip=1:size(X, 2))

# Between the r-th distance and the next: no rounding decides who is within.
function between(X, Q, r, metric)
    dists = brute(X, Q, r + 1, metric)[2]
    (dists[r, :] .+ dists[r+1, :]) ./ 2
end

case("all within a distance") do
    X, Q = clusters(700, 120), clusters(700, 6; seed=2)
    for metric in (:l2, :l1, :cosine), method in (:bandit, :exact)
        ds, radius = surely(X; metric=metric, method=method), between(X, Q, 4, metric)
        for searched in (ds, prepare(ds))
            @test agree_all(BMO.inrange(searched, Q, radius), brute_within(X, Q, radius, metric))
            @test agree_all(BMO.inrange(searched, Dataset(Q), radius[2]), brute_within(X, Q, radius[2], metric))
            @test agree_all(rangegraph(searched, radius[1]), brute_rangegraph(X, radius[1], metric))
        end
    end
end

case("what equals the distance is within") do
    X = rand(MersenneTwister(3), 0:3, 5, 90)
    for radius in (0, 4)
        @test agree_all(BMO.inrange(surely(X; metric=:l1), X[:, 4:7], radius), brute_within(X, X[:, 4:7], radius, :l1))
    end
    @test agree_all(rangegraph(surely(sparse(X); metric=:sqeuclidean), 3), brute_rangegraph(X, 3, :sqeuclidean))
    @test agree_all(BMO.inrange(surely(X; metric=:l1), sparse(X[:, 4:7]), 4), brute_within(X, X[:, 4:7], 4, :l1))
end

case("of a point, of none, all and nothing") do
    X, ds = clusters(20, 30), surely(clusters(20, 30))
    wanted = brute_within(X, X[:, 5:5], 9, :l1)
    idxs, dists = BMO.inrange(ds, X[:, 5], 9; metric=:l1)
    @test idxs isa Vector{Int} && dists isa Vector{Float64} && agree((idxs, dists), first.(wanted))
    @test BMO.inrange(ds, zeros(20, 0), 3) == BMO.inrange(ds, zeros(20, 0), Float64[]) == ([], [])
    @test BMO.inrange(ds, X[:, 1] .+ 1000, 1) == (Int[], Float64[])
    @test sort(BMO.inrange(ds, X[:, 1], Inf)[1]) == 1:30
    @test rangegraph(ds, 9; subset=[3, 3, 1]) == Tuple(x[[3, 3, 1]] for x in rangegraph(ds, 9))
end

case("the graph as a sparse matrix") do
    X = clusters(30, 40)
    X[:, 9] = X[:, 2] # at distance 0
    idxs, dists = brute_rangegraph(X, 8, :l1)
    graph = rangegraph(SparseMatrixCSC, surely(X; metric=:l1), 8)
    @test graph isa SparseMatrixCSC{Float64,Int} && size(graph) == (40, 40) && nnz(graph) == sum(length.(idxs))
    @test all(issorted(graph.rowval[nzrange(graph, j)]) for j in 1:40)
    @test all(graph[idxs[j][r], j] == dists[j][r] for j in 1:40 for r in eachindex(idxs[j]))
    @test 9 in graph.rowval[nzrange(graph, 2)] && graph[9, 2] == 0
end

case("the nearest within a distance") do
    X, Q = clusters(700, 120), clusters(700, 6; seed=2)
    wanted, radius = brute(X, Q, 5, :l2), between(X, Q, 3, :l2)
    radius[1:2] = [0, Inf]
    near = wanted[2] .<= radius'
    ds, stats = surely(X), Ref{Stats}()
    idxs, dists = knn_matrix(ds, Q, 5; max_distance=radius, stats=stats)
    @test idxs == ifelse.(near, wanted[1], -1) && dists[.!near] == fill(Inf, count(.!near))
    @test dists[near] ≈ wanted[2][near] && stats[].neighbors == count(near)
    of_each = [idxs[near[:, i], i] for i in 1:6], [dists[near[:, i], i] for i in 1:6]
    @test knn(ds, Q, 5; max_distance=radius) == of_each
    @test knn(ds, Q[:, 3], 5; max_distance=radius[3]) == (of_each[1][3], of_each[2][3])
    small = zeros(Int32, 5, 6), zeros(Float32, 5, 6)
    knn!(small..., ds, Q, 5; max_distance=radius)
    @test small == (idxs, Float32.(dists))
    all, one = brute_graph(X, 4, :l1), between(X, X[:, 1:1], 4, :l1)[1]
    graph = knngraph(SparseMatrixCSC, ds, 4; metric=:l1, max_distance=one)
    @test nnz(graph) == count(all[2] .<= one)
    @test count(knngraph(ds, 4; metric=:l1, max_distance=one)[1] .== -1) == count(all[2] .> one)
end

case("distances that make no sense are refused") do
    ds, Q = Dataset(clusters(20, 30)), clusters(20, 3; seed=2)
    for (call, name) in ((radius -> BMO.inrange(ds, Q, radius), "radius"), (radius -> knn(ds, Q, 2; max_distance=radius), "max_distance"))
        refused(() -> call([1, 2]), "$name has length 2; expected a number, or one for each of 3 queries")
        refused(() -> call([1, NaN, 2]), "$(name)[2] is NaN; expected a number")
        refused(() -> call(NaN), "$name is NaN; expected a number")
        refused(() -> call("1"), "$name is \"1\"; expected a number, or one for each of 3 queries")
        @test caught(() -> call("1")).argument == name
    end
    refused(() -> rangegraph(ds, Inf; max_pairs=-1), "max_pairs is -1; expected 0 or more")
    refused(() -> rangegraph(ds, Inf; max_pairs=100),
            "more than 100 pairs are within radius; expected no more than max_pairs: raise it, or make the distance smaller";
            status=:BMO_EOVERFLOW)
    @test caught(() -> rangegraph(ds, Inf; max_pairs=100)).argument == "max_pairs"
    @test sum(length.(rangegraph(ds, Inf; max_pairs=870)[1])) == 870
    refused(() -> prepare(ds; max_distance=3), "there is no parameter max_distance here: knn(), knn_matrix(), knn!() and knngraph() take it")
end

case("neighbors survive the collector, and are freed") do
    X = clusters(40, 60)
    wanted = brute_rangegraph(X, 12, :l1)
    for _ in 1:5
        found = rangegraph(surely(X; metric=:l1), 12; progress=(_...) -> GC.gc())
        GC.gc()
        @test agree_all(found, wanted)
    end
    resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4096
    ds = surely(rand(Float32, 3, 2000))
    search() = (rangegraph(ds, Inf); GC.gc())
    search()
    before = resident()
    for _ in 1:8; search(); end
    @test resident() - before < 200e6 # each search has 4 million pairs of 32 bytes
end

case("what each query cost, and whether it is done") do
    X, Q = clusters(3000, 80; values=-800:800), clusters(3000, 5; values=-800:800, seed=2)
    ds, stats, rows = surely(X; method=:bandit), Ref{Stats}(), BMO.RowStats[]
    knn(ds, Q, 2; stats=stats, row_stats=rows)
    @test length(rows) == 5 && sum(row.coord_ops for row in rows) == stats[].coord_ops
    @test sum(row.rounds for row in rows) == stats[].rounds && sum(row.exact_evals for row in rows) == stats[].exact_evals
    knngraph(ds, 2; subset=[4, 1], row_stats=rows, stats=stats)
    @test length(rows) == 2 && sum(row.coord_ops for row in rows) == stats[].coord_ops
    done = Bool[]
    wanted = knn_matrix(ds, Q, 2)
    @test knn!(zeros(Int, 2, 5), zeros(2, 5), ds, Q, 2; done=done) == wanted && done == trues(5)
    Q[7, 4] = 1e300 # its distances are beyond Float32
    for turned in (false, true)
        idxs, dists = turned ? (zeros(Int, 5, 2)', zeros(Float32, 5, 2)') : (zeros(Int, 2, 5), zeros(Float32, 2, 5))
        failure = caught(() -> knn!(idxs, dists, ds, Q, 2; done=done, method=:exact))
        @test failure isa BMOError && failure.status === :BMO_EOVERFLOW
        @test length(done) == 5 && !done[4]
        @test idxs[:, done] == wanted[1][:, done] && iszero(idxs[:, .!done])
    end
    refused(() -> knn(ds, Q[:, 1], 2; row_stats=3), "row_stats is a Int64; expected nothing or a Vector{BMO.RowStats}")
    refused(() -> knn!(zeros(Int, 2), zeros(2), ds, Q[:, 1], 2; done=[1]), r"^done is a .*Int64.*; expected nothing or a Vector\{Bool\}$")
end
