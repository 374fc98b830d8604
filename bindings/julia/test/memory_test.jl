churn() = (GC.gc(); [rand(1000) for _ in 1:200]; nothing)

# Datasets, prepared ones and adjoints of matrices that nothing else refers to.
lone(X, ::Val{:dense}) = surely(copy(X))
lone(X, ::Val{:adjoint}) = surely(copy(X')')
lone(X, ::Val{:prepared}) = prepare(surely(copy(X)); seed=2)
lone(X, ::Val{:searched}) = (ds = surely(copy(X)); knn(ds, X[:, 1], 1); ds)
lone(X, ::Val{:sparse}) = surely(sparse(X))
lone(X, ::Val{:function}) = surely(copy(X); metric=let offset = Ref(0.0); (j, a, b) -> abs(a - b) + offset[] end)

case("memory is kept alive as long as a dataset is") do
    X = clusters(400, 50)
    wanted = brute_graph(X, 3, :l1)
    for how in (:dense, :adjoint, :prepared, :searched, :sparse)
        ds = lone(X, Val(how))
        churn()
        @test agree(knngraph(ds, 3; metric=:l1), wanted)
    end
    ds = lone(X, Val(:function))
    churn()
    @test agree(knngraph(ds, 3), wanted)
end

case("the collector runs during searches") do
    X = clusters(400, 100)
    ds, wanted = surely(X), brute_graph(X, 3, :l1)
    for _ in 1:5
        @test agree(knngraph(ds, 3; metric=:l1, method=:exact, progress=(_...) -> GC.gc()), wanted)
        GC.gc()
    end
    calls = Ref(0)
    garbage(j, a, b) = (calls[] += 1; calls[] % 20_000 == 0 && GC.gc(false); abs(a - b))
    @test agree(knn_matrix(ds, X[:, 1:4], 3; metric=garbage), brute(X, X[:, 1:4], 3, :l1))
    @test calls[] >= 400
end

case("what is dropped is freed") do
    resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4096
    prepared() = knngraph(prepare(Dataset(rand(Float32, 2000, 500)); seed=1), 2; method=:exact)
    drop(times) = for _ in 1:times; prepared(); GC.gc(); end
    drop(3)
    before = resident()
    drop(20) # 4 MB of data, and what is prepared, each
    @test resident() - before < 40e6
end

case("what was finalized, or comes from another process, is refused") do
    ds = Dataset(zeros(2, 3))
    finalize(ds.handle)
    finalize(ds.handle)
    for use in (() -> knn(ds, zeros(2), 1), () -> prepare(ds), () -> size(ds))
        @test occursin("the Dataset was finalized, or comes from another process", caught(use).message)
    end
end

case("a copy is the same dataset") do
    ds = Dataset(clusters(20, 30))
    other = deepcopy(ds)
    @test other.handle === ds.handle
    @test knngraph(other, 2) == knngraph(ds, 2)
end

case("data that were copied may change") do
    X = clusters(30, 20)
    ds, wanted = surely(X; copy=true), brute_graph(X, 2, :l2)
    fill!(X, 0)
    @test agree(knngraph(ds, 2), wanted)
end
