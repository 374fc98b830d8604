# With which parameters others count.
const companions = Dict{Symbol,NamedTuple}(
    :p => (metric=:lp,), :sigma => (confidence=:subgaussian,), :uniform_pulls => (method=:uniform,),
    (name => (bandit=:ucb,) for name in (:init_pulls, :arms_per_round, :pulls_per_round, :max_pulls))...)

beside(name) = get(companions, name, NamedTuple())
accepts(name, value) = Dataset(zeros(1, 1); (name => value,)..., beside(name)...) isa Dataset
refuses(name, value) = caught(() -> accepts(name, value)) isa BMOError

case("each parameter of the table is a keyword, within its range") do
    for param in BMO.params()
        name = param.name
        if param.type === :choice
            @test length(param.choices) > 1 && Symbol(param.default) in param.choices
            @test all(accepts(name, value) for choice in param.choices if choice !== :custom for value in (choice, string(choice)))
            @test refuses(name, :neither) && refuses(name, 0.5)
            continue
        end
        @test accepts(name, param.lower) && accepts(name, param.upper)
        @test accepts(name, parse(param.type === :real ? Float64 : Int, param.default))
        if param.type === :real
            @test refuses(name, prevfloat(param.lower)) && refuses(name, nextfloat(param.upper))
        else
            @test refuses(name, big(param.lower) - 1) && refuses(name, big(param.upper) + 1)
            @test accepts(name, 64.0) && accepts(name, 64 // 1) && refuses(name, 64.5)
        end
    end
end

case("the documentation of a search names parameters of the table") do
    known = [[param.name for param in BMO.params()]; :weights]
    for name in (:metric, :weights, :delta, :seed, :threads)
        @test name in known
        @test occursin("`$name`", string(@doc Dataset))
    end
end

case("parameters of a dataset hold for its searches") do
    X = Float64[0 3; 0 4]
    ds = Dataset(X; metric=:l1, seed=5)
    @test knngraph(ds, 1)[2] == [7 7]
    @test knngraph(ds, 1; metric=:sqeuclidean)[2] == [25 25]
    @test knngraph(ds, 1)[2] == [7 7]
    @test knngraph(Dataset(ds; metric=:l2), 1)[2] == [5 5]
    @test knngraph(prepare(ds), 1)[2] == [7 7]
    @test knngraph(prepare(ds; metric=:l2), 1)[2] == [5 5]
    stats = Ref{Stats}()
    knngraph(ds, 1; stats=stats)
    @test stats[].seed == 5
    @test BMO.info(prepare(ds)).seed == 5
end

case("a parameter is shown with its range") do
    shown = Dict(param.name => string(param) for param in BMO.params())
    @test occursin(r"^delta = 0.01: .*\n    real from 1.0e-300 to 0.5\n    counts in knn, inrange, medoid, best_arms, prepare$", shown[:delta])
    @test occursin(r"^threads = 1: .*\n    integer from 0 to 1024\n    counts in knn, inrange, kmeans, medoid, prepare$", shown[:threads])
    @test occursin(r"^method = auto: .*\n    auto, bandit, exact, uniform\n    counts in knn, inrange, kmeans, medoid, best_arms, prepare$", shown[:method])
end

# What becomes of parameters in one of the calls, or in several.
given(calls, parameters...) = BMO.resolve(BMO.defaults, Dict{Symbol,Any}(parameters...), reduce(|, Dict(BMO.calls_of_bits)[call] for call in calls))

case("a parameter that does not count in a call is refused") do
    for call in first.(BMO.calls_of_bits), param in BMO.params()
        value = param.name === :metric ? "l1" : param.default
        helped = filter(pair -> call in BMO.table[pair[1]].calls, collect(pairs(beside(param.name))))
        if call in param.calls
            @test given([call], param.name => value, helped...) isa BMO.Settings
        else
            refused(() -> given([call], param.name => value), "$(param.name) is $value, which does not count in this call; expected none")
            @test caught(() -> given([call], param.name => value)).argument == string(param.name)
        end
    end
    for name in keys(companions), call in BMO.table[name].calls
        of_auto = call === :best_arms && name in (:init_pulls, :pulls_per_round, :max_pulls) # its bandit lucb++
        of_auto || refused(() -> given([call], name => 2), Regex("^$name is 2, which does not count here; expected none, or "))
    end
    @test given([:kmeans, :medoid], :delta => 0.1, :threads => 2) isa BMO.Settings
    refused(() -> given([:kmeans, :medoid], :epsilon => 1), "epsilon is 1, which does not count in this call; expected none")
end

case("each call refuses what does not count in it") do
    ds, half = Dataset(clusters(6, 9)), (arms, m, stream, sum, sumsq) -> (fill!(sum, m / 2); fill!(sumsq, m / 2))
    point = zeros(6)
    for (name, value, calls) in (
        (:expected_queries, 9, (options -> knn(ds, point, 1; options...), options -> knn_matrix(ds, point, 1; options...),
                                options -> knn!(zeros(Int, 1), zeros(1), ds, point, 1; options...), options -> knngraph(ds, 1; options...),
                                options -> nn(ds, point; options...))),
        (:epsilon, 1, (options -> BMO.inrange(ds, point, 1; options...), options -> rangegraph(ds, 1; options...), options -> medoid(ds; options...))),
        (:p, 3, (options -> kmeans(ds, 2; options...),)),
        (:threads, 2, (options -> best_arms(half, arm -> 0.5, 3, 1; exact_cost=9, options...),)))
        for call in calls
            refused(() -> call((; name => value)), "$name is $value, which does not count in this call; expected none")
        end
    end
    @test length(knn(ds, point, 1; epsilon=1)[1]) == length(best_arms(half, arm -> 0.5, 3, 1; exact_cost=9, epsilon=1)[1]) == 1
    refused(() -> prepare(ds; expected_queries=9, box=:dense), "expected_queries is 9, which does not count here; expected none, or box auto")
    refused(() -> Dataset(zeros(2, 3); p=3), "p is 3, which does not count here; expected none, or metric lp")
    refused(() -> knn(ds, point, 1; mertic=:l1), r"^there is no parameter mertic; expected one of arms_per_round, .*, weights$")
    refused(() -> kmeans(ds, 1; mertic=:l1), "there is no parameter mertic; expected one of method, metric, seed, threads, weights")
end

case("what a dataset has is for all of its calls, and decides what counts") do
    X = clusters(6, 9)
    ds = Dataset(X; metric=:lp, p=3, delta=0.1, delta_scope=:call, epsilon=0.5, bandit=:ucb, confidence=:subgaussian, sigma=1, init_pulls=4)
    @test length(knn(ds, X[:, 1], 2)[1]) == length(knn(ds, X[:, 1], 2; sigma=2, init_pulls=3, p=4)[1]) == 2
    @test knn(ds, X[:, 1], 2; metric=:l1, bandit=:auto, confidence=:auto) == knn(Dataset(X), X[:, 1], 2; metric=:l1, epsilon=0.5, delta=0.1)
    @test length(BMO.inrange(ds, X[:, 1], 0; bandit=:race, confidence=:auto)[1]) == 1
    @test medoid(ds; method=:exact) == medoid(Dataset(X; metric=:lp, p=3); method=:exact)
    @test sum(kmeans(ds, 2; metric=:l2).counts) == 9
    refused(() -> knn(ds, X[:, 1], 2; confidence=:auto, sigma=3), "sigma is 3, which does not count here; expected none, or confidence subgaussian")
end

case("numbers have the names of libbmo") do
    for (T, dtype) in BMO.dtypes
        @test T === Bool || string(BMO.dtype_name(dtype)) == lowercase(string(T))
    end
    @test BMO.stored_type(1) === Float32 && BMO.stored_type(3) === UInt8 && BMO.stored_type(11) === :bfloat16
    @test BMO.phase_name.(1:5) == [:read, :check, :prepare, :search, :write]
    @test BMO.guarantee_name.(0:4) == [:none, :heuristic, :conditional, :proven, :exact]
end
