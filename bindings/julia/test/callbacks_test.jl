hard() = Dataset(rand(MersenneTwister(7), 1000, 6000); method=:exact)

case("progress of a search, of preparing and of reading") do
    told = []
    ds = surely(clusters(300, 100))
    progress(phase, done, total) = push!(told, (phase, done, total))
    knngraph(ds, 2; progress=progress)
    @test last(told) == (:search, 100, 100)
    prepare(ds; progress=progress)
    @test any(report -> report[1] === :prepare && report[2] == report[3], told)
end

case("an exception stops a call, and comes back from it") do
    ds = surely(clusters(300, 100))
    stop(phase, done, total) = throw(DomainError(done, "enough"))
    for call in (() -> knngraph(ds, 2; progress=stop), () -> prepare(ds; progress=stop))
        @test caught(call) isa DomainError
    end
    @test caught(() -> knn(ds, zeros(300), 1; metric=(j, a, b) -> j > 200 ? throw(KeyError(j)) : 1.0)) isa KeyError
    @test caught(() -> knn(ds, zeros(300), 1; metric=(j, a) -> 1.0)) isa MethodError
    @test caught(() -> knn(ds, zeros(300), 1; metric=(j, a, b) -> "1")) isa MethodError
    negative = caught(() -> knn(ds, zeros(300), 1; metric=(j, a, b) -> j == 7 ? -1 : 1))
    says(negative.message, r"^metric says -1 of coordinate 7 of point \d+; expected a finite number >= 0$")
    @test negative isa BMOError && negative.status === :BMO_ECALLBACK
    @test agree(knngraph(ds, 2), brute_graph(BMO.points(ds, 1:100), 2, :l2))
end

case("a callback may search, and let other tasks run") do
    ds = surely(clusters(300, 100))
    wanted, nested = knngraph(ds, 2), []
    found = knngraph(ds, 2; progress=(_...) -> (yield(); push!(nested, knngraph(ds, 2)); sleep(0.001)))
    @test found == wanted && !isempty(nested) && all(==(wanted), nested)
end

case("Ctrl-C stops a call, and the data stay usable") do
    Base.exit_on_sigint(false)
    ds = hard()
    for call in (press -> knngraph(ds, 5; progress=press), press -> knngraph(ds, 5; threads=2, progress=press),
                 press -> knngraph(ds, 5; metric=(j, a, b) -> abs(a - b), progress=press),
                 press -> while true; prepare(ds; progress=press); end)
        @test interrupted(call) isa InterruptException
    end
    @test size(knngraph(ds, 2; subset=1:3)[1]) == (2, 3)
end
