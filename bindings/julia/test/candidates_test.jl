# All points by their distance from each query: searched once, since most cases ask for it.
const all_by_distance = Dict()
by_distance(X, Q, metric) = get!(() -> brute(X, Q, size(X, 2), metric), all_by_distance, (X, Q, metric))

# The k nearest of the points that are allowed to each query, as a row of Bool for each; -1 and Inf where they are fewer.
function brute_among(X, Q, k, metric, allowed)
    near, apart = by_distance(X, Q, metric)
    idxs, dists = fill(-1, k, size(Q, 2)), fill(Inf, k, size(Q, 2))
    for i in axes(Q, 2)
        ranks = filter(rank -> allowed[i, near[rank, i]], axes(near, 1))
        ranks = ranks[1:min(k, length(ranks))]
        idxs[axes(ranks, 1), i], dists[axes(ranks, 1), i] = near[ranks, i], apart[ranks, i]
    end
    idxs, dists
end

# As vectors of what is within a distance.
among_within((idxs, dists), radius) =
    [idxs[dists[:, i] .<= radius, i] for i in axes(idxs, 2)], [dists[dists[:, i] .<= radius, i] for i in axes(idxs, 2)]

const among_points = clusters(120, 70; centers=3)
const among_queries = clusters(120, 5; seed=2, centers=3)
const among_labels = ["oak", "elm", "fir"][[i % 11 == 0 ? 3 : i % 2 + 1 for i in 1:70]]
const among_asked = ["oak", "ash", "fir", "elm", "oak"] # no point is an ash
const among_mask = [i % 3 != 1 for i in 1:70]

allowed_among(labels, mask, rule) =
    [mask[j] && (rule === nothing || (labels[i] == among_labels[j]) == (rule === :same)) for i in eachindex(labels), j in 1:70]

# Without the point itself.
allowed_own(mask, rule) = allowed_among(among_labels, mask, rule) .& [i != j for i in 1:70, j in 1:70]

agree_short((idxs, dists), (wanted_idxs, wanted_dists)) =
    idxs == wanted_idxs && all(isequal.(dists, wanted_dists) .| isapprox.(dists, wanted_dists; rtol=1e-14))

case("the nearest, and all within a distance, among candidates and by labels") do
    X, Q = among_points, among_queries
    for (metric, method) in ((:l2, :bandit), (:l1, :exact)), rule in (nothing, :same, :other), mask in (trues(70), among_mask)
        rule === nothing && all(mask) && continue
        ds = surely(X; metric=metric, method=method)
        asked = brute_among(X, Q, 70, metric, allowed_among(among_asked, mask, rule))
        own = brute_among(X, X, 70, metric, allowed_own(mask, rule))
        chosen = all(mask) ? NamedTuple() : (candidates=mask,)
        labels = rule === nothing ? NamedTuple() : (labels=among_labels, label_rule=rule)
        query = rule === nothing ? NamedTuple() : (query_labels=among_asked,)
        first_of((idxs, dists), k) = (idxs[1:k, :], dists[1:k, :])
        @test agree_short(knn_matrix(ds, Q, 6; chosen..., labels..., query...), first_of(asked, 6))
        @test agree_short(knngraph(ds, 4; chosen..., labels...), first_of(own, 4))
        @test agree_short(knngraph(ds, 4; subset=[1, 11, 11], chosen..., labels...), first_of(own, 4) .|> x -> x[:, [1, 11, 11]])
        radius = sort(filter(isfinite, vec(asked[2])))[40] * (1 + 1e-9)
        @test agree_all(BMO.inrange(ds, Q, radius; chosen..., labels..., query...), among_within(asked, radius))
        @test agree_all(rangegraph(ds, radius; chosen..., labels...), among_within(own, radius))
    end
end

case("candidates of every kind of points, and of queries") do
    X, Q = among_points, among_queries
    wanted = brute_among(X, Q, 4, :l2, allowed_among(among_asked, among_mask, :other))
    keywords = (candidates=among_mask, labels=among_labels, label_rule=:other, query_labels=among_asked)
    for ds in (surely(X), surely(sparse(X)), prepare(surely(X); box=:dense), prepare(surely(X); box=:rotated)), points in (Q, sparse(Q), Dataset(Q))
        @test agree_short(knn_matrix(ds, points, 4; keywords...), wanted)
    end
end

case("candidates are indices, a mask or all; labels are matched by value") do
    X, Q = among_points, among_queries
    ds, some = surely(X), findall(among_mask)
    wanted = brute_among(X, Q, 4, :l2, allowed_among(among_asked, among_mask, nothing))
    for chosen in (some, reverse(some), Int32.(some), Tuple(some), among_mask, BitVector(among_mask))
        @test agree_short(knn_matrix(ds, Q, 4; candidates=chosen), wanted)
    end
    @test knn_matrix(ds, Q, 4; candidates=:) == knn_matrix(ds, Q, 4)
    wanted = brute_among(X, Q, 4, :l2, allowed_among(among_asked, trues(70), :same))
    numbers = Dict("oak" => 7, "elm" => -1, "fir" => 0, "ash" => 10)
    for (labels, asked) in ((among_labels, among_asked), (Symbol.(among_labels), Symbol.(among_asked)),
                            ([numbers[l] for l in among_labels], [Float64(numbers[l]) for l in among_asked]),
                            (view(among_labels, :), Any[among_asked...]), ([(l, 1) for l in among_labels], [(l, 1) for l in among_asked]))
        @test agree_short(knn_matrix(ds, Q, 4; labels=labels, label_rule=:same, query_labels=asked), wanted)
        @test agree_short(knn_matrix(ds, Q, 4; labels=labels, label_rule="same", query_labels=asked), wanted)
    end
    two = Dataset([0.0 1.0])
    @test knn(two, [0.0], 1; labels=Any["1", 1], label_rule=:same, query_labels=[1]) == ([2], [1.0])
end

case("vectors are short, and columns end with -1, where labels leave few") do
    X, Q = among_points, among_queries
    ds, keywords = surely(X), (labels=among_labels, label_rule=:same, query_labels=among_asked)
    wanted, stats, rows = brute_among(X, Q, 9, :l2, allowed_among(among_asked, trues(70), :same)), Ref{Stats}(), BMO.RowStats[]
    idxs, dists = knn(ds, Q, 9; stats=stats, row_stats=rows, keywords...)
    @test idxs == [filter(>(0), wanted[1][:, i]) for i in 1:5] && length.(dists) == [9, 0, 6, 9, 9]
    @test stats[].neighbors == 33 && length(rows) == 5
    small, done = (zeros(Int32, 9, 5), zeros(Float32, 9, 5)), Bool[]
    knn!(small..., ds, Q, 9; done=done, keywords...)
    @test small[1] == wanted[1] && small[2] ≈ Float32.(wanted[2]) && all(done)
    near = wanted[2][2, 1]
    @test knn(ds, Q, 9; max_distance=near * (1 + 1e-9), keywords...)[1][1] == wanted[1][1:2, 1]
    @test BMO.nn(ds, Q[:, 1]; labels=among_labels, label_rule=:same, query_labels=["oak"])[1] == wanted[1][1, 1]
    @test knn(ds, Q, 2, ==(wanted[1][1, 1]); keywords...)[1][1] == wanted[1][2:3, 1]
    @test nnz(knngraph(SparseMatrixCSC, ds, 9; labels=among_labels, label_rule=:same)) == 64 * 9 + 6 * 5
    refused(() -> BMO.nn(ds, Q; keywords...), "a query has no neighbor; expected one for each, or BMO.knn()")
    @test knn(ds, zeros(120, 0), 2; labels=among_labels, label_rule=:same, query_labels=[]) == ([], [])
    @test BMO.inrange(ds, zeros(120, 0), 2; labels=among_labels, label_rule=:same, query_labels=[]) == ([], [])
end

case("each call has its own candidates, though a dataset keeps its last searcher") do
    X, Q = among_points, among_queries
    ds, mask, labels = surely(X), copy(among_mask), copy(among_labels)
    search(; more...) = knn_matrix(ds, Q, 4; more...)
    all_points, some = search(), search(candidates=mask)
    @test agree_short(all_points, brute(X, Q, 4, :l2)) && some != all_points
    @test search() == all_points && search(candidates=mask) == some
    last = ds.cache.last
    @test search(candidates=findall(mask)) == some && ds.cache.last === last
    @test last.handle.bytes == 120 * count(mask) * sizeof(Float64) # for the collector
    mask .= .!mask # the same vector with other values
    @test agree_short(search(candidates=mask), brute_among(X, Q, 4, :l2, allowed_among(among_asked, mask, nothing)))
    keywords = (label_rule=:same, query_labels=among_asked)
    before = search(; labels=labels, keywords...)
    labels .= "ash"
    @test search(; labels=labels, keywords...)[1][:, 1] == fill(-1, 4) && search(; labels=labels, keywords...)[1][:, 2] == all_points[1][:, 2]
    @test search(; labels=among_labels, keywords...) == before
    renamed = replace(among_labels, "oak" => "elm", "elm" => "oak")
    @test search(; labels=renamed, label_rule=:same, query_labels=replace(among_asked, "oak" => "elm", "elm" => "oak")) == before
    @test kmeans(ds, 2; seed=1).counts == kmeans(surely(X), 2; seed=1).counts
end

case("what are no candidates, labels or rules") do
    ds, X = Dataset(clusters(4, 10)), clusters(4, 3)
    refused(() -> knngraph(ds, 1; candidates=[10, 11]), "candidates[2] is 11; expected the index of a point, 1 to 10")
    refused(() -> knngraph(ds, 1; candidates=0:3), "candidates[1] is 0; expected the index of a point, 1 to 10")
    refused(() -> knngraph(ds, 1; candidates=trues(9)), "candidates has 9 values of type Bool; expected 10, one a point")
    refused(() -> knngraph(ds, 1; candidates="3"), "candidates is \"3\"; expected indices of points, 1 to 10, or a Bool for each")
    refused(() -> knngraph(ds, 1; candidates=[5, 2, 5]), r"^candidates has .*5 twice; expected each .* once$")
    for none in (Int[], falses(10))
        refused(() -> knngraph(ds, 1; candidates=none), "no point is a candidate; expected 1 or more of the dataset's 10")
    end
    refused(() -> knn(ds, X, 4; candidates=[1, 7, 9]), "k is 4; expected 1 to 3, the candidates of a query")
    labeled(labels, rule=:same) = knngraph(ds, 1; labels=labels, label_rule=rule)
    refused(() -> labeled(1:9), "labels has length 9; expected 10, a label for each point")
    refused(() -> labeled("oak"), "labels is \"oak\"; expected a vector with a label for each point")
    refused(() -> labeled(zeros(10, 1)), r"^labels is .*; expected a vector with a label for each point$")
    refused(() -> labeled([1:9; missing]), "labels[10] is missing; expected a label")
    refused(() -> labeled([NaN; 1:9]), "labels[1] is NaN; expected a label")
    refused(() -> labeled(Any[1:9; nothing]), "labels[10] is nothing; expected a label")
    refused(() -> labeled(nothing), "labels is nothing; expected a label for each point, for label_rule is :same")
    refused(() -> labeled(1:10, nothing), "label_rule is nothing; expected :same or :other, for there are labels")
    for rule in (:equal, 1)
        refused(() -> labeled(1:10, rule), "label_rule is $(repr(rule)); expected :same or :other")
    end
    @test caught(() -> knngraph(ds, 1; candidates=[5, 5])).argument == "candidates"
    @test caught(() -> labeled(1:9)).argument == "labels" && caught(() -> labeled(1:10, :equal)).argument == "label_rule"
    refused(() -> knn(ds, X, 1, isodd; candidates=1:3), "candidates are given beside skip; expected at most one of them")
    refused(() -> kmeans(ds, 2; candidates=1:3),
            "there is no parameter candidates here: knn(), knn_matrix(), knn!(), knngraph(), BMO.inrange() and rangegraph() take it")
    refused(() -> medoid(ds; query_labels=1:3), "there is no parameter query_labels here: knn(), knn_matrix(), knn!() and BMO.inrange() take it")
end

case("labels of queries are needed, or they are not") do
    ds, X, labels = Dataset(clusters(4, 10)), clusters(4, 3), [1:5; 1:5]
    for call in ((; more...) -> knn(ds, X, 1; more...), (; more...) -> BMO.inrange(ds, X, 1; more...),
                 (; more...) -> knn!(zeros(Int, 1, 3), zeros(1, 3), ds, X, 1; more...))
        refused(() -> call(; labels=labels, label_rule=:other), "query_labels is nothing; expected a label for each query, for label_rule is :other")
        refused(() -> call(; labels=labels, label_rule=:other, query_labels=1:2), "query_labels has length 2; expected 3, a label for each query")
        refused(() -> call(; labels=labels, label_rule=:other, query_labels=[1, 2, missing]), "query_labels[3] is missing; expected a label")
        refused(() -> call(; query_labels=1:3), "query_labels are given; expected nothing, for there is no label_rule")
        refused(() -> call(; candidates=1:3, query_labels=1:3), "query_labels are given; expected nothing, for there is no label_rule")
    end
    for call in ((; more...) -> knngraph(ds, 1; more...), (; more...) -> rangegraph(ds, 1; more...))
        refused(() -> call(; labels=labels, label_rule=:same, query_labels=1:10),
                "query_labels are given; expected nothing, for the queries have the labels of their points")
    end
end

case("candidates of a matrix that was changed") do
    X = clusters(30, 20)
    ds = Dataset(X)
    X[5, 7] = NaN
    failure = caught(() -> knngraph(ds, 1; candidates=[3, 7]))
    says(failure.message, r"^the matrix was changed after the Dataset was made: X: the value of point 7, coordinate 5 is nan")
    @test (failure.status, failure.argument, failure.point, failure.coordinate) == (:BMO_ENONFINITE, "ds", 7, 5)
end
