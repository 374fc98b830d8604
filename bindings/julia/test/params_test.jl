accepts(name, value) = Dataset(zeros(1, 1); (name => value,)...) isa Dataset
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
    @test occursin(r"^delta = 0.01: .*\n    real from 1.0e-300 to 0.5$", shown[:delta])
    @test occursin(r"^threads = 1: .*\n    integer from 0 to 1024$", shown[:threads])
    @test occursin(r"^method = auto: .*\n    auto, bandit, exact, uniform$", shown[:method])
end
