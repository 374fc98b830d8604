const chosen_points = [7; 3; 50; 7; 20:-1:9; 50; 33]

# Points, and the boxes that they are prepared for.
subset_kinds(X) = (X => (:dense, :rotated), Matrix(Float32.(X)')' => (:dense, :rotated), sparse(X) => (:sparse,))

same_answers(some, whole) = knngraph(some, 3; method=:exact) == knngraph(whole, 3; method=:exact)

case("a subset is the dataset of its points, in any order") do
    X = clusters(400, 50)
    few = X[:, chosen_points]
    for (points, _) in subset_kinds(X)
        ds, wanted = surely(points; metric=:l1), surely(points[:, chosen_points]; metric=:l1)
        some = subset(ds, chosen_points)
        @test repr(some) == repr(wanted) && BMO.points(some, :) == few
        @test same_answers(some, wanted) && agree(knngraph(some, 3; method=:bandit), brute_graph(few, 3, :l1))
        @test knn_matrix(some, X, 3; method=:exact) == knn_matrix(wanted, X, 3; method=:exact)
        @test size(ds) == (400, 50) && agree(knngraph(ds, 3), brute_graph(X, 3, :l1))
    end
end

case("a subset is prepared as the dataset is") do
    X = clusters(400, 50)
    few = X[:, chosen_points]
    for (points, boxes) in subset_kinds(X), box in boxes
        ds = prepare(surely(points); box=box, seed=4)
        some, wanted = subset(ds, chosen_points), prepare(surely(points[:, chosen_points]); box=box, seed=4)
        @test BMO.info(some).box === box && BMO.info(some).seed == 4 && repr(some) == repr(wanted)
        @test same_answers(some, wanted) && agree(knngraph(some, 3), brute_graph(few, 3, :l2))
    end
    weighted = subset(prepare(surely(X); weights=1:400, box=:dense), 1:20)
    @test same_answers(weighted, surely(X[:, 1:20]; weights=1:400))
    refused(() -> knngraph(weighted, 1; weights=nothing), r"weights")
    custom = subset(prepare(surely(X; metric=(j, a, b) -> abs(a - b))), chosen_points)
    @test agree(knngraph(custom, 3), brute_graph(few, 3, :l1))
end

case("indices of a subset are indices, a mask or all") do
    X = clusters(20, 10)
    ds, mask = Dataset(X), [j in (3, 7) for j in 1:10]
    for chosen in ([3, 7], Int32[3, 7], 3:4:7, (3, 7), mask, BitVector(mask), view(mask, :))
        @test BMO.points(subset(ds, chosen), :) == X[:, [3, 7]]
    end
    @test BMO.points(subset(ds, :), :) == BMO.points(subset(ds, trues(10)), :) == X
    @test BMO.points(subset(subset(ds, 10:-1:1), 1:2), :) == X[:, [10, 9]]
end

case("a subset without points") do
    X = clusters(20, 10)
    for points in (X, sparse(X)), ds in (Dataset(points), prepare(Dataset(points))), chosen in (Int[], 1:0, [], falses(10))
        none = subset(ds, chosen)
        @test size(none) == (20, 0) && BMO.info(none).box == BMO.info(ds).box && BMO.info(none).sparse == issparse(points)
        @test size(subset(none, Bool[])) == (20, 0)
        refused(() -> knn(none, X, 1), "k is 1, but a query has no candidates: the dataset has 0 points")
    end
end

case("a subset needs nothing of the dataset") do
    X = clusters(400, 50)
    for prepared in (false, true)
        lent = copy(X)
        ds = prepared ? prepare(surely(lent); box=:dense) : surely(lent)
        before = BMO.owned[]
        some = subset(ds, chosen_points)
        @test BMO.info(some).bytes_borrowed == 0 && BMO.owned[] - before == BMO.info(some).bytes_owned > 0
        close(ds)
        fill!(lent, 0)
        @test agree(knngraph(some, 3), brute_graph(X[:, chosen_points], 3, :l2))
    end
end

case("what is no subset") do
    ds = Dataset(clusters(4, 10))
    refused(() -> subset(ds, [10, 11]), "points[2] is 11; expected the index of a point, 1 to 10")
    refused(() -> subset(ds, 0:3), "points[1] is 0; expected the index of a point, 1 to 10")
    refused(() -> subset(ds, [1, -1]), "points[2] is -1; expected the index of a point, 1 to 10")
    refused(() -> subset(ds, [1.5]), "points[1] is 1.5; expected the index of a point, 1 to 10")
    refused(() -> subset(ds, Any[3, true]), "points[2] is true; expected the index of a point, 1 to 10")
    refused(() -> subset(ds, trues(9)), "points has 9 values of type Bool; expected 10, one a point")
    refused(() -> subset(ds, Bool[]), "points has 0 values of type Bool; expected 10, one a point")
    for none in (3, "3", :abc, nothing)
        refused(() -> subset(ds, none), "points is $(repr(none)); expected indices of points, 1 to 10, or a Bool for each")
    end
    @test caught(() -> subset(ds, [11])).argument == caught(() -> subset(ds, trues(9))).argument == "points"
    @test caught(() -> subset(zeros(4, 10), [1])) isa MethodError
    refused(() -> subset(ds, 1:3; progress=3), "progress is 3; expected nothing or a function (phase, done, total)")
end

case("progress of a subset, and an exception that stops it") do
    told, ds = [], Dataset(clusters(300, 60))
    subset(ds, chosen_points; progress=(phase, done, total) -> push!(told, (phase, done, total)))
    @test last(told) == (:check, length(chosen_points), length(chosen_points))
    @test caught(() -> subset(ds, 1:60; progress=(_...) -> throw(KeyError(1)))) == KeyError(1)
    @test size(subset(ds, 1:60; progress=(_...) -> close(ds))) == (300, 60) && !isopen(ds)
end
