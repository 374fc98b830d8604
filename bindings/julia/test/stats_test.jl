function search_stats(ds, k; options...)
    stats = Ref{Stats}()
    found = knngraph(ds, k; stats=stats, options...)
    stats[], found
end

case("what a search tells") do
    ds = Dataset(clusters(3000, 80; values=-800:800))
    stats, _ = search_stats(ds, 2; method=:exact, delta=0.2, seed=9)
    @test (stats.guarantee, stats.method, stats.queries, stats.arms) == (:exact, :exact, 80, 79)
    @test stats.coord_ops == stats.coord_ops_brute == 80 * 79 * 3000 && stats.gain == 1
    @test (stats.seed, stats.delta, stats.epsilon, stats.threads) == (9, 0.2, 0.0, 1)
    @test 0 < stats.seconds < 60
    stats, _ = search_stats(ds, 2; method=:bandit)
    @test (stats.guarantee, stats.method, stats.box, stats.bandit, stats.confidence) == (:proven, :bandit, :dense, :race, :betting)
    @test stats.coord_ops == stats.coord_ops_sampled + stats.coord_ops_exact < stats.coord_ops_brute
    @test stats.gain == stats.coord_ops_brute / stats.coord_ops > 2
    @test search_stats(ds, 2; method=:uniform)[1].guarantee === :none
end

case("the same seed gives the same answer, whatever the threads") do
    ds = Dataset(clusters(3000, 80; values=-800:800))
    one, found = search_stats(ds, 4; seed=3, method=:bandit)
    two, again = search_stats(ds, 4; seed=3, method=:bandit, threads=2)
    @test found == again && one.coord_ops == two.coord_ops && two.threads == 2
    @test one.seed == 3
end

case("how things are shown") do
    stats, _ = search_stats(Dataset(Float32[0 3 9; 0 4 9]), 1; method=:exact)
    @test repr(stats) == "Stats(3 queries among 2 points, exact, gain 1.0)"
    shown = repr("text/plain", stats)
    @test occursin("\n  guarantee   exact\n  operations  12 of the 12 of a full scan\n", shown)
    @test repr(Dataset(zeros(Float32, 1, 1))) == "Dataset of 1 point with 1 coordinate, dense Float32"
    @test repr(Dataset(sparse([0 2.5; 1 0]))) == "Dataset of 2 points with 2 coordinates, sparse Float64, 2 values that are not 0"
end

case("the library") do
    @test BMO.version() >= v"0.1.0"
    @test BMO.instruction_set() in ("avx512vnni", "avx512", "avx2", "sse4", "neon", "scalar")
    @test BMO.threads_available() >= 1
end

case("no method is ambiguous") do
    @test isempty(detect_ambiguities(BMO))
end
