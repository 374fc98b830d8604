# Julia must have two threads or more for these to run at once; run-tests sees to it.

case("four tasks search one dataset at once") do
    X = clusters(600, 120)
    Q = clusters(600, 40; seed=2)
    wanted = Dict(metric => brute(X, Q, 3, metric) for metric in (:l1, :l2))
    for ds in (surely(X), prepare(surely(X)), surely(sparse(X)))
        done = Threads.Atomic{Bool}(false)
        collector = Threads.@spawn while !done[]
            GC.gc(false)
            sleep(0.005)
        end
        tasks = map(1:4) do i
            metric = isodd(i) ? :l1 : :l2
            Threads.@spawn all(agree(knn_matrix(ds, Q, 3; metric=metric), wanted[metric]) for _ in 1:10)
        end
        @test all(fetch.(tasks))
        done[] = true
        wait(collector)
    end
end

case("each task reads its own error") do
    ds = Dataset(zeros(2, 10))
    says(k) = occursin("k is $k;", caught(() -> knn(ds, zeros(2), k)).message)
    tasks = [Threads.@spawn all(says(100i + j) for j in 1:50) for i in 1:8]
    @test all(fetch.(tasks))
end

case("each task gets back the exception of its own function") do
    ds = Dataset(zeros(4, 10))
    mine(i) = caught(() -> knn(ds, zeros(4), 1; metric=(j, a, b) -> throw(KeyError(i)))) == KeyError(i)
    tasks = [Threads.@spawn all(mine(i) for _ in 1:30) for i in 1:4]
    @test all(fetch.(tasks))
end
