case("values that are no numbers, by place") do
    for bad in (NaN, Inf, -Inf), T in (Float32, Float64)
        X = zeros(T, 4, 6)
        X[3, 5] = bad
        says = "the value of point 5, coordinate 3 is $(lowercase(string(bad))); expected finite values"
        for points in (X, Matrix(X')', view(X, :, :), sparse(X), sparse(Matrix(X'))')
            refused(() -> Dataset(points), "X: $says"; status=:BMO_ENONFINITE)
            refused(() -> knn(Dataset(zeros(4, 2)), points, 1), "points: $says"; status=:BMO_ENONFINITE)
        end
        failure = caught(() -> Dataset(X))
        @test (failure.argument, failure.point, failure.coordinate) == ("X", 5, 3)
    end
    refused(() -> Dataset([0 2^60]), "X: the value of point 2, coordinate 1 is 1152921504606846976; expected integers from -2^53 to 2^53")
end

case("what is no matrix of numbers") do
    expected = "expected a matrix with a point in each column, or a table with a point in each row"
    refused(() -> Dataset(nothing), "X is a Nothing; $expected")
    refused(() -> Dataset(3), "X is a Int64; $expected")
    refused(() -> Dataset(zeros(2, 2, 2)), r"^X is a Array.*; expected a matrix with a point in each column, or a table with a point in each row$")
    refused(() -> Dataset([1, 2]), "X is a vector; expected a matrix: for a single point reshape(X, :, 1)")
    refused(() -> Dataset(["a" "b"]), "X has elements of type String; expected real numbers")
    refused(() -> Dataset([1im 2]), "X has elements of type Complex{Int64}; expected real numbers")
    refused(() -> Dataset([missing 2.0]), "X has elements of type Union{Missing, Float64}; expected real numbers")
    refused(() -> Dataset(sparse([1im 2])), "X has elements of type Complex{Int64}; expected real numbers")
    refused(() -> Dataset([[1, 2], [3]]), "X has points with 2 and 1 coordinates; expected as many in each")
    refused(() -> Dataset(fill(typemin(Int128), 1, 1)), "X has $(typemin(Int128)); expected integers from -2^53 to 2^53")
    refused(() -> Dataset(Real[0.5 2^60]), "X has 1152921504606846976; expected integers from -2^53 to 2^53")
    nobody_knows = "has no points, so that the number of coordinates is not known; expected one or more, or a matrix"
    refused(() -> Dataset(Vector{Float64}[]), "X $nobody_knows")
    refused(() -> knn(Dataset(zeros(1, 2)), Vector{Float64}[], 1), "points $nobody_knows")
    refused(() -> Dataset([0 big(2)^60]), "X has 1152921504606846976; expected integers from -2^53 to 2^53")
    refused(() -> Dataset(zeros(0, 3)), "size(X, 1) is 0; expected 1 or more")
    refused(() -> knn(Dataset(zeros(2, 2)), "text", 1), "points is a String; $expected")
end

case("sizes that do not fit") do
    ds = Dataset(clusters(4, 10))
    refused(() -> knn(ds, zeros(4), 0), "k is 0; expected 1 to 10, the candidates of a query")
    refused(() -> knn(ds, zeros(4), -3), "k is -3; expected 1 to 10, the candidates of a query")
    refused(() -> knn(ds, zeros(4), 11), "k is 11; expected 1 to 10, the candidates of a query")
    refused(() -> knngraph(Dataset(zeros(3, 0)), 1), "k is 1, but a query has no candidates: the dataset has 0 points")
    refused(() -> knngraph(Dataset(zeros(3, 1)), 1), "k is 1, but a query has no candidates: the dataset has 1 point")
    refused(() -> knngraph(ds, 10), "k is 10; expected 1 to 9, the candidates of a query")
    refused(() -> knngraph(SparseMatrixCSC, ds, 10), "k is 10; expected 1 to 9, the candidates of a query")
    refused(() -> knngraph(ds, big(2)^63), r"^k is 9223372036854775808; expected an integer from -\d+ to 9223372036854775807$")
    refused(() -> knn(ds, zeros(4), big(2)^63), r"^k is 9223372036854775808; expected an integer")
    refused(() -> knn!(zeros(Int, 1, 1), zeros(1, 1), ds, zeros(4, 1), big(2)^63), r"^k is 9223372036854775808; expected an integer")
    refused(() -> knngraph(ds, typemax(Int)), "k is $(typemax(Int)); expected 1 to 9, the candidates of a query")
    refused(() -> knn(ds, zeros(3), 1), "the points have 3 coordinates; expected 4, as many as those of the dataset")
    refused(() -> knn(ds, spzeros(5, 2), 1), "the points have 5 coordinates; expected 4, as many as those of the dataset")
    refused(() -> knn(ds, Dataset(zeros(2, 2)), 1), "the points have 2 coordinates; expected 4, as many as those of the dataset")
    refused(() -> knngraph(ds, 1; subset=[3, 11]), "subset[2] is 11; expected the index of a point, 1 to 10")
    refused(() -> knngraph(ds, 1; subset=0:1), "subset[1] is 0; expected the index of a point, 1 to 10")
    refused(() -> knngraph(ds, 1; subset=[1.5]), "subset[1] is 1.5; expected the index of a point, 1 to 10")
    refused(() -> BMO.points(ds, [10, 12]), "indices[2] is 12; expected the index of a point, 1 to 10")
    refused(() -> knn!(zeros(Int, 2, 3), zeros(2, 3), ds, zeros(4, 4), 2), "idxs has size (2, 3); expected (2, 4), k and the points")
    refused(() -> knn!(zeros(Int, 2, 4), zeros(2, 3), ds, zeros(4, 4), 2), "dists has size (2, 3); expected (2, 4), k and the points")
    refused(() -> knn!(zeros(Int, 3), zeros(3), ds, zeros(4), 2), "idxs has size (3, 1); expected (2, 1), k and the points")
end

case("parameters") do
    X = clusters(4, 10)
    refused(() -> Dataset(X; mertic=:l1), "there is no parameter mertic; expected one of " * join(sort!([[p.name for p in BMO.params()]; :weights]), ", "))
    refused(() -> Dataset(X; metric=:hamming), r"^metric is \"hamming\"; expected one of: l2 sqeuclidean l1")
    refused(() -> Dataset(X; metric=:custom), "metric is custom; expected in its place the function (j, a, b) -> distance")
    refused(() -> Dataset(X; metric=Chebyshev()), r"^metric is Chebyshev\(\); expected a name \(.*l1, l2, lp, sqeuclidean\), an object of Distances\.jl of type Cityblock, CosineDist, Euclidean, Minkowski, SqEuclidean, WeightedCityblock, WeightedEuclidean, WeightedMinkowski, WeightedSqEuclidean, or a function$")
    refused(() -> Dataset(X; metric=Minkowski(3), p=2), "p was given twice: beside, and in the metric Minkowski{Int64}(3)")
    refused(() -> Dataset(X; metric=Minkowski(50)), r"^p is 50; expected a number from 0.01 to 32$")
    refused(() -> Dataset(X; delta=0.75), r"^delta is 0.75; expected a number from 1e-300 to 0.5$")
    refused(() -> Dataset(X; delta=NaN), r"^delta is ")
    refused(() -> knn(Dataset(X), X, 1; threads=-1), r"^threads is -1; expected an integer from 0 to 1024$")
    refused(() -> knn(Dataset(X), X, 1; threads=1.5), r"^threads is 1.5")
    refused(() -> prepare(Dataset(X); seed=nothing), "seed is nothing; expected a number, a symbol or a text")
    refused(() -> Dataset(X; metric="l1\0"), "metric is \"l1\\0\"; expected a text without NUL")
    refused(() -> Dataset(X; weights=[1, 2, -3, 4]), r"^weights\[3\] is -3; expected ")
    refused(() -> Dataset(X; weights=Float64[]), "weights is empty; expected nothing, or one a coordinate")
    refused(() -> Dataset(X; weights="a"), "weights is a String; expected a vector of numbers, one a coordinate")
    refused(() -> knn(Dataset(X; weights=[1, 2]), X, 1), "weights has 2 values; expected 4, one a coordinate")
    refused(() -> knn(prepare(Dataset(X); seed=1), X, 1; seed=2), r"seed is 2")
    refused(() -> knn(Dataset(X), X, 1; box=:rotated), r"^box is rotated, which needs a prepared dataset: call prepare\(\) with this box first$")
end

case("a distance beyond its type") do
    ds = Dataset([1e200 -1e200]; metric=:sqeuclidean)
    refused(() -> knngraph(ds, 1), "the distance of query 1 to point 2 is beyond the range of double; scale the data down"; status=:BMO_EOVERFLOW)
    ds = Dataset([1e100 -1e100])
    narrow() = knn!(zeros(Int, 1, 2), zeros(Float32, 1, 2), ds, [0.0 1.0], 1)
    refused(narrow, "a distance of query 1 is 1e+100, beyond Float32; expected Float64"; status=:BMO_EOVERFLOW)
end

case("indices of points are indices, a mask or all") do
    ds = Dataset(clusters(4, 10))
    mask = [j in (3, 7) for j in 1:10]
    for chosen in (mask, BitVector(mask), [3, 7], (3, 7), 3:4:7, (j for j in (3, 7)))
        @test knngraph(ds, 2; subset=chosen) == knngraph(ds, 2; subset=[3, 7])
        @test BMO.points(ds, chosen) == BMO.points(ds, [3, 7])
    end
    @test knngraph(ds, 2; subset=:) == knngraph(ds, 2) == knngraph(ds, 2; subset=trues(10))
    @test BMO.points(ds, :) == BMO.points(ds, 1:10)
    refused(() -> knngraph(ds, 2; subset=trues(5)), "subset has 5 values of type Bool; expected 10, one a point")
    refused(() -> BMO.points(ds, [true, false]), "indices has 2 values of type Bool; expected 10, one a point")
    refused(() -> knngraph(ds, 2; subset=(true, false)), "subset[1] is true; expected the index of a point, 1 to 10")
    for none in (5, :abc, missing, "3", 1.5)
        refused(() -> knngraph(ds, 2; subset=none),
                "subset is $(repr(none)); expected indices of points, 1 to 10, or a Bool for each")
    end
    @test caught(() -> knngraph(ds, 2; subset=5)).argument == "subset"
end

# 5 coordinates of 2 points, with a wrong position in it.
function spoiled(colptr, rowval)
    x = sparse([1, 3], [1, 2], [1.0, 2.0], 5, 2)
    copy!(x.colptr, colptr), copy!(x.rowval, rowval)
    x
end

case("positions of sparse points, by the names and the counting of Julia") do
    index, start, next = spoiled([1, 2, 3], [1, 9]), spoiled([0, 2, 3], [1, 3]), spoiled([1, 7, 3], [1, 3])
    refused(() -> Dataset(index), "X.rowval[2], of point 2, is 9; expected 1 to 5")
    refused(() -> Dataset(index'), "X.rowval[2], of coordinate 2, is 9; expected 1 to 5")
    refused(() -> knn(Dataset(zeros(5, 1)), index, 1), "points.rowval[2], of point 2, is 9; expected 1 to 5")
    refused(() -> Dataset(start), "X.colptr[1] is 0; expected 1, where the first entry begins")
    refused(() -> Dataset(next), "X.colptr[2] is 7; expected 1 to 3")
    refused(() -> Dataset(spoiled([1, 2, 9], [1, 3])), "X.colptr[3] is 9; expected 1 to 3, the entries and 1")
    refused(() -> Dataset(spoiled([1, 2, 0], [1, 3])), "X.colptr[3] is 0; expected 1 to 3, the entries and 1")
    refused(() -> Dataset(spoiled([1, 2, 3, 3], [1, 3])), "X.colptr has length 4; expected 3, the columns and 1")
    refused(() -> Dataset(spzeros(2^31, 1)), "size(X, 1) is 2147483648; expected at most 2147483647"; status=:BMO_EOVERFLOW)
    for points in (index, start, next)
        @test caught(() -> Dataset(points)).argument == "X"
        @test caught(() -> knn(Dataset(zeros(5, 1)), points, 1)).argument == "points"
    end
    @test (caught(() -> Dataset(index')).point, caught(() -> Dataset(next)).point) == (9, 2)
end

case("errors name the argument that is wrong") do
    X = clusters(4, 10)
    ds, nan = Dataset(X), fill(NaN, 4, 1)
    negative(j, a, b) = -1
    for (argument, call) in (
        "X" => () -> Dataset(zeros(0, 5)), "X" => () -> Dataset(nan), "X" => () -> Dataset(sparse(nan)),
        "points" => () -> knn(ds, nan, 1), "points" => () -> knn(ds, sparse(nan), 1), "points" => () -> knn(ds, zeros(3), 1),
        "dists" => () -> knn!(zeros(Int, 1, 1), zeros(Float32, 1, 1), Dataset(fill(1e100, 1, 2)), zeros(1, 1), 1),
        "ds" => () -> knngraph(Dataset([1e200 -1e200]; metric=:sqeuclidean), 1), "ds" => () -> medoid(Dataset(zeros(3, 0))),
        "init" => () -> kmeans(ds, 1; init=nan), "init" => () -> kmeans(ds, 1; init=[11]), "k" => () -> kmeans(ds, 11),
        "tol" => () -> kmeans(ds, 1; tol=-1), "n_init" => () -> kmeans(ds, 1; init=[1], n_init=2),
        "weights" => () -> knn(ds, X, 1; weights=[1]), "weights" => () -> knn(ds, X, 1; weights=Int[]),
        "metric" => () -> knn(ds, X, 1; metric=negative),
        "path" => () -> Dataset("none.npy"), "bounds" => () -> best_arms(+, nothing, 3, 1; bounds=(1, 0)))
        @test caught(call).argument == argument
    end
end

case("stats and progress are checked before a search") do
    ds = Dataset(clusters(4, 10))
    searches = (options -> knn(ds, zeros(4), 1; options...), options -> knngraph(ds, 1; options...),
                options -> knn!(zeros(Int, 1), zeros(1), ds, zeros(4), 1; options...), options -> kmeans(ds, 2; options...),
                options -> best_arms((_...) -> error("ran"), nothing, 5, 1; options...))
    never(j, a, b) = error("ran")
    for search in searches
        for stats in (3, Ref(3), Stats, "x")
            refused(() -> search((stats=stats,)), "stats is $(repr(stats)); expected nothing or a Ref{Stats}()")
        end
        for progress in (3, "x", phase -> nothing)
            refused(() -> search((progress=progress,)),
                    "progress is $(repr(progress)); expected nothing or a function (phase, done, total)")
        end
    end
    refused(() -> knn(ds, zeros(4), 1; stats=3, metric=never), r"^stats is 3")
    for call in (() -> prepare(ds; progress=3), () -> save("none.bmo", ds; progress=3), () -> Dataset("none.npy"; progress=3))
        refused(call, r"^progress is 3")
    end
    @test !isfile("none.bmo")
    any = Ref{Any}()
    knngraph(ds, 1; stats=any)
    @test any[] isa Stats
end

case("keywords of another call") do
    X = clusters(4, 10)
    refused(() -> Dataset(X; mmap=true), "there is no parameter mmap here: Dataset(path; mmap=true) takes it, for a file")
    refused(() -> Dataset("none.npy"; copy=true), "there is no parameter copy here: Dataset(X; copy=true) takes it, for a matrix")
    refused(() -> Dataset(X; progress=+),
            "there is no parameter progress here: Dataset(path), prepare(), subset(), save() and the searches take it")
    refused(() -> kmeans(Dataset(X), 2; max_iter=3), "there is no parameter max_iter here: kmeans() takes maxiter")
    refused(() -> knn(Dataset(X), X, 1; subset=[1]), "there is no parameter subset here: knngraph() and rangegraph() take it")
end

case("a metric that is a function, in the words of a message") do
    ds = Dataset(clusters(4, 10))
    manhattan(j, a, b) = abs(a - b)
    thin = Dataset(sparse(clusters(4, 10)))
    refused(() -> knngraph(ds, 1; metric=manhattan, weights=ones(4)),
            "metric takes no weights: leave them out, and let it apply its own")
    refused(() -> knngraph(thin, 1; metric=manhattan),
            "metric needs dense points: make a dense dataset, or set another metric")
    @test caught(() -> knngraph(thin, 1; metric=manhattan)).argument == "metric"
end

case("errors are shown with message and status") do
    failure = caught(() -> knngraph(Dataset(zeros(2, 2)), 2))
    @test sprint(showerror, failure) == "BMOError: k is 2; expected 1 to 1, the candidates of a query (BMO_EINVAL)"
end

module OtherDistances
struct Euclidean end
end

case("a type of the same name is not that of Distances.jl") do
    refused(() -> Dataset(zeros(2, 3); metric=OtherDistances.Euclidean()), r"^metric is .*Euclidean\(\); expected a name")
    @test parentmodule(Euclidean) === Distances
end

case("messages stay short, and keep their ends") do
    ds, long = Dataset(zeros(2, 3)), join(fill("x", 10_000))
    deep = foldl((inner, _) -> Pair{inner,inner}, 1:9; init=Int)
    for call in (() -> Dataset(zeros(2, 3); metric=long), () -> Dataset(zeros(2, 3); metric=Dict(1 => long)), () -> Dataset("/none/$long"),
                 () -> Dataset(Dict(long => 1)), () -> knn(ds, zeros(2), 1; stats=rand(1000)), () -> Dataset(Ref{deep}()),
                 () -> knngraph(ds, 1; subset=[big(10)^5000]), () -> Dataset(fill(big(10)^5000, 2, 2)),
                 () -> knn(ds, zeros(2), 1; max_distance=long), () -> Dataset(zeros(2, 3); [Symbol(long) => 1]...))
        failure = caught(call)
        @test failure isa BMOError && length(failure.message) <= 400
    end
    message = caught(() -> knn(ds, zeros(2), 1; max_distance=long)).message
    @test startswith(message, "max_distance is \"xxx") && endswith(message, "xx\"; expected a number, or one for each of 1 queries")
    @test BMO.shortened("äöü"^4, 7) == "äöü…äöü" && BMO.shortened("äöü", 3) == "äöü"
end

# Calls that need a matrix that was changed, and see it.
const calls_on_changed = (
    (ds, X) -> knn(Dataset(X; copy=true), ds, 3; method=:bandit), (ds, X) -> knn(ds, ds, 3), (ds, X) -> knn(ds, X, 3; metric=(j, a, b) -> abs(a - b)),
    (ds, X) -> knngraph(ds, 3), (ds, X) -> knngraph(ds, 3; method=:bandit), (ds, X) -> knngraph(ds, 3; subset=[7, 8]), (ds, X) -> subset(ds, [60, 7]),
    (ds, X) -> knngraph(SparseMatrixCSC, ds, 3; metric=:l1), (ds, X) -> knn!(zeros(Int, 3, 60), zeros(3, 60), ds, ds, 3),
    (ds, X) -> rangegraph(ds, 50; method=:bandit), (ds, X) -> BMO.inrange(ds, ds, 50; method=:bandit),
    (ds, X) -> kmeans(ds, 4), (ds, X) -> kmeans(ds, 4; init=:random), (ds, X) -> kmeans(ds, 4; method=:exact),
    (ds, X) -> medoid(ds), (ds, X) -> medoid(ds; metric=:l1), (ds, X) -> medoid(ds; method=:exact))

case("a matrix that was changed after the Dataset was made") do
    for (at, call) in enumerate(calls_on_changed), prepared in (false, true)
        X = clusters(300, 60)
        kept, ds = copy(X), Dataset(X)
        prepared && (ds = prepare(ds; box=:dense, seed=1))
        X[5, 7] = NaN
        failure = caught(() -> call(ds, kept))
        @test failure isa BMOError
        says(failure.message, r"^the matrix was changed after the Dataset was made: X: the value of point 7, coordinate 5 is nan.*; make the Dataset anew, or with copy=true$")
        @test (failure.status, failure.argument, failure.point, failure.coordinate) == (:BMO_ENONFINITE, at == 1 ? "points" : "ds", 7, 5)
    end
    X = clusters(300, 60)
    ds, wanted = Dataset(X; copy=true), knngraph(Dataset(X), 3)
    X[5, 7] = NaN
    @test knngraph(ds, 3) == wanted
end

case("a failure that the data did not cause stays what it is") do
    ds = Dataset(clusters(300, 60))
    refused(() -> knn(ds, zeros(300), 1; metric=(j, a, b) -> -1), r"^metric says -1 of coordinate \d+ of point \d+; expected a finite number >= 0$";
            status=:BMO_ECALLBACK)
    broken = BMOError(:BMO_EINTERNAL, "it broke", "", nothing, nothing)
    search(used) = BMO.with_searcher(query -> throw(broken), used, BMO.BMO_CALL_KNN, NamedTuple(), nothing, nothing)
    @test caught(() -> search(Dataset(clusters(4, 9); copy=true))) === broken
    refused(() -> search(ds), "the matrix was changed after the Dataset was made, or libbmo has a bug: it broke; make the Dataset anew, or with copy=true")
end

case("marks of a message") do
    said(marked) = BMO.in_words_of_julia(marked, "X")
    @test said("\1data.n\3 is \1BMO_F32\3 of \1data\3, \1other.word\3") == "size(X, 2) is Float32 of X, other.word"
    @test said("\1rows\3, \1nrows\3") == "points, length(points)"
    @test said("point \0029\3, \2-3\3 of 9\4 (counted from 0)\3; ä") == "point 10, -2 of 9; ä"
    @test said("cut in \1data.poin...") == "cut in data.poin..." && said("no mark of data") == "no mark of data"
    @test all(BMO.argument_in(name) == argument for (name, argument) in
              ("" => "", "k" => "k", "X.colptr" => "X", "size(points, 1)" => "points", "length(points)" => "points", "bounds[1]" => "bounds"))
end
