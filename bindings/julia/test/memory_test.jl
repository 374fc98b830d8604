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

case("a closed dataset is freed, and refused") do
    X = clusters(400, 50)
    ds = Dataset(X; copy=true)
    other, prepared = Dataset(ds; metric=:l1), prepare(ds)
    wanted = knngraph(ds, 2)
    query, before = ds.cache.last.handle, BMO.owned[]
    @test isopen(ds) && BMO.info(ds).bytes_owned > 0
    close(ds)
    close(ds)
    @test !isopen(ds) && repr(ds) == "Dataset, closed" && deepcopy(ds) === ds
    @test ds.handle.pointer == query.pointer == C_NULL && BMO.owned[] < before
    for use in (() -> knn(ds, X[:, 1], 1), () -> knngraph(ds, 1), () -> kmeans(ds, 2), () -> prepare(ds), () -> size(ds),
                () -> subset(ds, [1]), () -> BMO.points(ds, 1:2), () -> Dataset(ds; metric=:l1), () -> save("none.bmo", ds), () -> BMO.info(ds))
        refused(use, "the Dataset was closed")
        @test caught(use).argument == "ds"
    end
    refused(() -> knn(other, ds, 1), "points is a Dataset that was closed")
    @test agree(knngraph(other, 2), brute_graph(X, 2, :l1)) && knngraph(prepared, 2) == wanted
end

case("a dataset lets go of what it borrowed, and of its searchers") do
    X = clusters(40, 50)
    ds = Dataset(X)
    knngraph(ds, 1)
    first = ds.cache.last.handle
    knngraph(ds, 1; metric=:l1)
    @test first.pointer == C_NULL
    @test ds.handle.roots !== nothing
    last = ds.cache.last.handle
    close(ds)
    @test ds.handle.roots === last.roots === nothing
end

case("what runs goes on when its dataset is closed") do
    X = clusters(400, 100)
    wanted = brute_graph(X, 2, :l2)
    for call in ((ds, progress) -> knngraph(ds, 2; progress=progress), (ds, progress) -> knngraph(prepare(ds; progress=progress), 2),
                 (ds, progress) -> knngraph(surely(X), 2; progress=progress))
        ds = surely(X; copy=true)
        @test agree(call(ds, (_...) -> close(ds)), wanted)
        @test !isopen(ds) && ds.handle.pointer == C_NULL
    end
    for _ in 1:20
        ds = surely(X; copy=true)
        tasks = [Threads.@spawn caught(() -> [knngraph(ds, 2; metric=metric, subset=1:9) for _ in 1:50]) for metric in (:l1, :l2, :sqeuclidean)]
        sleep(0.002)
        close(ds)
        @test all(found -> found isa Vector || found isa BMOError && found.message == "the Dataset was closed", fetch.(tasks))
        @test ds.handle.users == 0 && ds.handle.pointer == C_NULL
    end
end

case("datasets that were dropped do not pile up without a call of the collector") do
    @test BMO.most_garbage[] == min(2^30, Int(Sys.total_memory()) ÷ 16)
    most = BMO.most_garbage[]
    GC.gc()
    before, peak = BMO.owned[], 0
    BMO.most_garbage[] = 40_000_000
    try
        ds = Dataset(rand(Float32, 2000, 500))
        for _ in 1:100
            prepare(ds) # 4 MB
            peak = max(peak, BMO.owned[] - before)
        end
    finally
        BMO.most_garbage[] = most
    end
    @test 4_000_000 < peak < 50_000_000
end
