# The least sum of distances, in whole numbers where they are sums, else in BigFloat.
const sums_of = Dict(:l1 => (a, b) -> sum(abs.(a .- b)), :sqeuclidean => (a, b) -> sum(abs2.(a .- b)),
                     :l2 => (a, b) -> sqrt(big(sum(abs2.(a .- b)))),
                     :cosine => (a, b) -> 1 - big(sum(a .* b)) / sqrt(big(sum(abs2.(a)) * sum(abs2.(b)))))

function central(X, metric)
    sums = [sum(i == j ? big(0) : sums_of[metric](X[:, i], X[:, j]) for j in axes(X, 2)) for i in axes(X, 2)]
    argmin(sums), Float64(minimum(sums) / max(1, size(X, 2) - 1))
end

agrees(found, wanted) = found[1] == wanted[1] && isapprox(found[2], wanted[2]; rtol=1e-12)
integers(d, n, seed) = rand(MersenneTwister(seed), 1:9, d, n) .* rand(MersenneTwister(seed + 1), 1:6, 1, n)

case("the medoid, by every metric and of every kind of points") do
    for (d, n) in ((20, 90), (520, 80)), metric in keys(sums_of)
        X = integers(d, n, d)
        wanted = central(X, metric)
        within = view([zeros(3, n); X; zeros(2, n)], 4:d+3, :)
        for ds in (Dataset(X), Dataset(Float32.(X)), Dataset(within), Dataset(Matrix(X')'), Dataset(sparse(Float64.(X))),
                   prepare(Dataset(X); box=metric === :l1 ? :dense : :auto))
            @test agrees(medoid(ds; metric=metric, delta=1e-9), wanted)
        end
        @test agrees(medoid(Dataset(X); metric=metric, method=:exact), wanted)
        @test medoid(Dataset(X); metric=metric, delta=1e-9, seed=3, threads=2) == medoid(Dataset(X); metric=metric, delta=1e-9, seed=3)
    end
    X = integers(10, 70, 3)
    @test agrees(medoid(Dataset(X); metric=(j, a, b) -> abs(a - b)), central(X, :l1))
    @test agrees(medoid(Dataset(X); metric=:l1, weights=fill(2, 10)), (central(X, :l1)[1], 2 * central(X, :l1)[2]))
end

case("the medoid of twins and of few points") do
    X = integers(30, 80, 7)
    best, _ = central(X, :l1)
    @test medoid(Dataset([X X]); metric=:l1, delta=1e-9)[1] == best
    lower = copy(X)
    lower[:, max(1, best - 1)] = X[:, best]
    for method in (:auto, :exact), points in (lower, sparse(lower))
        @test medoid(Dataset(points); metric=:l1, delta=1e-9, method=method)[1] == central(lower, :l1)[1]
    end
    @test medoid(Dataset(fill(3.0, 4, 5))) == (1, 0.0)
    @test medoid(Dataset([1.0 4])) == (1, 3.0)
    @test medoid(Dataset([7.0 7]')) == (1, 0.0)
end

case("a seed of the medoid, which prepared points leave free") do
    ds, stats = Dataset(randn(MersenneTwister(2), 600, 400); metric=:l1, seed=3), Ref{Stats}()
    took(ds; options...) = (medoid(ds; stats=stats, options...); (stats[].coord_ops, stats[].seed))
    wanted = [took(ds; seed=seed) for seed in 1:5]
    @test length(unique(first.(wanted))) > 2 && last.(wanted) == 1:5 && took(ds) == took(ds; seed=nothing) == wanted[3]
    @test [took(prepare(ds; box=:dense); seed=seed) for seed in 1:5] == wanted
    @test took(prepare(Dataset(ds; seed=5); box=:dense)) == wanted[5] && medoid(ds; seed="-4", stats=stats)[1] > 0 && stats[].seed == -4
    refused(() -> medoid(ds; seed=1.5), r"^seed is 1.5; expected an integer")
end

case("what the medoid took, and what stops it") do
    stats = Ref{Stats}()
    X = randn(MersenneTwister(2), 600, 400) .* range(0.01, 1; length=400)'
    medoid(Dataset(X); metric=:l1, stats=stats)
    @test stats[].guarantee === :proven && stats[].coord_ops < stats[].coord_ops_brute / 4
    stop = ErrorException("stop")
    @test caught(() -> medoid(Dataset(X); progress=(_...) -> throw(stop))) === stop
    refused(() -> medoid(Dataset(zeros(3, 0))), "the dataset has no points, and no medoid")
    refused(() -> medoid(Dataset(X); method=:uniform), r"^method is uniform; expected auto, bandit or exact")
    refused(() -> medoid(Dataset(X); metric=:inner_product, method=:bandit), r"^method is bandit, but of this metric")
    refused(() -> medoid(Dataset(X); stats=3), r"^stats is 3")
    far, farther = Dataset([0 1.7e308 1.7e308]; metric=:l1), Dataset([1e200 -1e200]; metric=:sqeuclidean)
    refused(() -> medoid(far), "the distances of point 1 add up to more than a double holds; scale the data down";
            status=:BMO_EOVERFLOW)
    refused(() -> medoid(farther), "the distance of point 1 to point 2 is beyond the range of double; scale the data down";
            status=:BMO_EOVERFLOW)
    @test caught(() -> medoid(far)).argument == caught(() -> medoid(farther)).argument == "ds"
end
