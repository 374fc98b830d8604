# Lloyd's algorithm in whole numbers and fractions of them.
squared(a, b) = sum(abs2.(a .- b))

function nearest_centers(X, centers)
    labels = [argmin([squared(X[:, i], centers[c]) for c in eachindex(centers)]) for i in axes(X, 2)]
    labels, sum(squared(X[:, i], centers[labels[i]]) for i in axes(X, 2))
end

function lloyd(X, start)
    centers = [Rational{BigInt}.(start[:, c]) for c in axes(start, 2)]
    labels, cost = nearest_centers(X, centers)
    for moves in 1:100
        centers = [sum(X[:, i] for i in axes(X, 2) if labels[i] == c) .// count(==(c), labels) for c in eachindex(centers)]
        before = labels
        labels, cost = nearest_centers(X, centers)
        labels == before && return centers, labels, cost, moves
    end
end

# Points here and there, so that it takes some moves.
grouped = rand(MersenneTwister(8), -40:40, 40, 90) ./ 8
start = grouped[:, [1, 7, 2, 3, 4, 5]]

case("k-means from given centers") do
    exact = Rational{BigInt}.(eighths(grouped)) .// 8
    centers, labels, cost, moves = lloyd(exact, Rational.(start))
    @test moves > 1
    for ds in (Dataset(grouped), Dataset(Float32.(grouped)), Dataset(copy(grouped')'; threads=2), prepare(Dataset(grouped)),
               Dataset(sparse(grouped)))
        stats = Ref{Stats}()
        found = kmeans(ds, 6; init=start, stats=stats)
        @test found.assignments == labels && found.iterations == moves
        @test found.counts == [count(==(c), labels) for c in 1:6]
        @test all(isapprox.(found.centers, Float64.(reduce(hcat, centers)); rtol=1e-13, atol=1e-13))
        @test isapprox(found.totalcost, Float64(cost); rtol=1e-13)
        @test stats[].guarantee === :exact
        @test kmeans(ds, 6; init=[1, 7, 2, 3, 4, 5]).assignments == labels
    end
    @test start == grouped[:, [1, 7, 2, 3, 4, 5]]
end

case("k-means from points of its own choice") do
    ds = Dataset(grouped; seed=3)
    for options in ((), (init=:random,), (n_init=4,), (maxiter=1,), (tol=100,))
        found = kmeans(ds, 6; options...)
        labels, cost = nearest_centers(grouped, [found.centers[:, c] for c in 1:6])
        @test found.assignments == labels && isapprox(found.totalcost, cost; rtol=1e-12)
    end
    @test kmeans(ds, 6).centers == kmeans(Dataset(grouped), 6; seed=3).centers
    @test kmeans(ds, 6; n_init=4).totalcost <= kmeans(ds, 6).totalcost
    @test sprint(show, kmeans(Dataset([1.0 2]), 2)) == "Clusters of 2 points around 2 centers, totalcost 0.0 after 1 iteration"
end

case("a seed of k-means, which prepared points leave free") do
    ds, stats = Dataset(grouped; seed=3), Ref{Stats}()
    wanted = [kmeans(ds, 6; seed=seed).centers for seed in 1:9]
    @test length(unique(wanted)) > 3 && kmeans(ds, 6).centers == wanted[3] == kmeans(ds, 6; seed=nothing).centers
    for prepared in (prepare(ds), prepare(Dataset(grouped); seed=5))
        @test [kmeans(prepared, 6; seed=seed).centers for seed in 1:9] == wanted
        @test kmeans(prepared, 6; seed="7", stats=stats).centers == wanted[7] && stats[].seed == 7
        @test kmeans(prepared, 6).centers == wanted[BMO.info(prepared).seed]
    end
    refused(() -> kmeans(ds, 6; seed=1.5), r"^seed is 1.5; expected an integer from -9223372036854775808 to 9223372036854775807$")
    refused(() -> kmeans(ds, 6; seed=big(2)^63), r"^seed is 9223372036854775808; expected an integer")
    refused(() -> kmeans(ds, 6; seed=[1]), "seed is [1]; expected a number, a symbol or a text")
end

case("k-means that cannot be") do
    ds = Dataset(grouped)
    refused(() -> kmeans(ds, 0), "k is 0; expected 1 to 90, the points of the dataset")
    refused(() -> kmeans(ds, 91), r"k is 91")
    refused(() -> kmeans(ds, 6; init=:best), r"^init is :best; expected :plusplus")
    refused(() -> kmeans(ds, 6; init="best"), r"^init is \"best\"; expected :plusplus")
    refused(() -> kmeans(ds, big(2)^70), "k is $(big(2)^70); expected an integer from $(typemin(Int)) to $(typemax(Int))")
    refused(() -> kmeans(ds, 6; n_init=2^31), r"^n_init is 2147483648; expected an integer from -2147483648 to 2147483647$")
    refused(() -> kmeans(ds, 6; maxiter=big(2)^63), r"^maxiter is 9223372036854775808; expected an integer")
    refused(() -> kmeans(ds, 6; init=start[:, 1:5]), r"^init has size \(40, 5\); expected \(40, 6\)")
    refused(() -> kmeans(ds, 6; init=1:5), r"^init has 5 indices; expected 6")
    refused(() -> kmeans(ds, 2; init=[1, 91]), "init[2] is 91; expected the index of a point, 1 to 90")
    refused(() -> kmeans(ds, 2; init=[true, true]), "init is a vector of Bool; expected the indices of 2 points, or a matrix of centers")
    refused(() -> kmeans(ds, 1; init=[1], n_init=2), "n_init is 2; expected 1 where init gives the centers")
    refused(() -> kmeans(ds, 6; maxiter=0), r"^maxiter is 0")
    refused(() -> kmeans(ds, 6; n_init=0), r"^n_init is 0")
    refused(() -> kmeans(ds, 6; tol=-1), "tol is -1; expected 0 or more")
    refused(() -> kmeans(ds, 1; init=fill(NaN, 40, 1)), "init: the value of point 1, coordinate 1 is nan; expected finite values"; status=:BMO_ENONFINITE)
    refused(() -> kmeans(ds, 6; metric=:l1), r"metric"; status=:BMO_EINVAL)
    stop = ErrorException("stop")
    @test caught(() -> kmeans(ds, 6; progress=(_...) -> throw(stop))) === stop
end
