"""
    BMO.knn(ds, points, k; candidates=nothing, labels=nothing, label_rule=nothing, query_labels=nothing, max_distance=nothing,
            stats=nothing, row_stats=nothing, progress=nothing, parameters...) -> (idxs, dists)

The `k` nearest points of `ds` to each column of the matrix `points`: vectors of vectors, ascending by distance, ties by
index. For a single point, as a vector, `idxs` is a vector of indices and `dists` one of distances. `points` may be of any
kind that a [`Dataset`](@ref) is made of, or a `Dataset`; a point of `ds` finds itself. See [`knngraph`](@ref) for the
neighbors of the points of `ds` among the others, and [`knn_matrix`](@ref) for many queries.

Parameters set those of `ds` anew for this call. `max_distance`: a number, or a vector of one for each query; no neighbor is
farther, so that vectors may be shorter than `k`. It saves work, too. See [`BMO.inrange`](@ref) for all points within a distance.
`stats`: a `Ref{Stats}()` that gets the [`Stats`](@ref) of the search; `row_stats`: a vector `BMO.RowStats[]` that gets what each
query cost.
`candidates`: only these points are neighbors: indices, each once, or a `Bool` for each point. `labels`, one for each point of
`ds`, with a `label_rule`: neighbors are only the points with the same label as the query (`:same`), or with another one (`:other`).
`query_labels` are those of the queries, also some that no point has. Labels are the same if they are `isequal`; `missing`,
`nothing` and NaN are refused. A query that has fewer than `k` candidates gets shorter vectors. Indices are those of `ds`.
The first call copies the chosen points. The copy serves the next calls on `ds`, until one has other candidates or parameters.
`progress`: a function `(phase, done, total) -> ...` that is called about every 50 ms and at the end of a phase (`:search`,
in queries; `:prepare` and `:check`, in points; `:read` and `:write`, in bytes). Its exceptions, as those of a metric that is a
function, stop the call and come back from it.

```jldoctest
julia> ds = Dataset(Float64[0 3 0 6; 0 4 1 8]);

julia> idxs, dists = BMO.knn(ds, [3 6; 4 9], 1; metric=:sqeuclidean);

julia> idxs[1][1], dists[1][1]
(2, 0.0)

julia> idxs[2][1], dists[2][1]
(4, 1.0)

julia> BMO.knn(ds, [3, 4], 2; labels=["a", "b", "a", "a"], label_rule=:same, query_labels=["a"])
([3, 1], [4.242640687119285, 5.0])
```
"""
function knn(ds::Dataset, points, k::Integer; options...)
    idxs, dists = knn_matrix(ds, points, k; options...)
    found = [1:count(>(0), view(idxs, :, i)) for i in axes(idxs, 2)]
    vectors_of(idxs, found), vectors_of(dists, found)
end

vectors_of(x, found) = [x[found[i], i] for i in axes(x, 2)]

function knn(ds::Dataset, point::AbstractVector{<:Real}, k::Integer; options...)
    idxs, dists = knn_matrix(ds, point, k; options...)
    found = 1:count(>(0), idxs)
    idxs[found], dists[found]
end

"""
    BMO.knn(ds, points, k, sortres, skip; ...) -> (idxs, dists)
    BMO.knn(ds, points, k, skip; ...) -> (idxs, dists)

As NearestNeighbors.jl has it. `skip`: a function of an index, which is left out where it gives `true`; it is asked of each
point of `ds`, and what it leaves out is searched for, too. `sortres`: neighbors ascend in any case.

```jldoctest
julia> ds = Dataset(Float64[0 3 0 6; 0 4 1 8]);

julia> BMO.knn(ds, [0, 0], 2, true, isodd)
([2, 4], [5.0, 10.0])
```
"""
knn(ds::Dataset, points, k::Integer, ::Bool, skip=nothing; options...) = knn(ds, points, k, skip; options...)
knn(ds::Dataset, points, k::Integer, ::Nothing; options...) = knn(ds, points, k; options...)

function knn(ds::Dataset, points, k::Integer, skip::Function; candidates=nothing, options...)
    candidates === nothing || refuse("candidates", "candidates are given beside skip; expected at most one of them")
    skipped = [skip(i)::Bool for i in 1:size(ds)[2]]
    k <= count(!, skipped) || refuse("k", "k is ", k, "; expected at most ", count(!, skipped), ", the points that are not skipped")
    without(skipped, k, knn(ds, points, k + count(skipped); options...)...)
end

# The first k neighbors that are not skipped.
function without(skipped, k, idxs::AbstractVector{<:Integer}, dists)
    kept = [at for at in eachindex(idxs) if !skipped[idxs[at]]]
    places = kept[1:min(k, length(kept))]
    idxs[places], dists[places]
end

function without(skipped, k, idxs, dists)
    each = [without(skipped, k, idxs[i], dists[i]) for i in eachindex(idxs)]
    first.(each), last.(each)
end

"""
    BMO.nn(ds, points, skip=nothing; ...) -> (idxs, dists)

The nearest point of `ds` to each column of `points`: vectors of indices and of distances; for a single point, as a vector, an
index and a distance. All else is as in [`BMO.knn`](@ref).

```jldoctest
julia> ds = Dataset(Float64[0 3 0 6; 0 4 1 8]);

julia> BMO.nn(ds, [3, 5])
(2, 1.0)
```
"""
function nn(ds::Dataset, points, skip=nothing; options...)
    idxs, dists = knn(ds, points, 1, skip; options...)
    lone.(idxs), lone.(dists)
end

nn(ds::Dataset, point::AbstractVector{<:Real}, skip=nothing; options...) = lone.(knn(ds, point, 1, skip; options...))

lone(found) = isempty(found) ? refuse("points", "a query has no neighbor; expected one for each, or BMO.knn()") : only(found)

"""
    knn_matrix(ds, points, k; candidates=nothing, labels=nothing, label_rule=nothing, query_labels=nothing, max_distance=nothing,
               stats=nothing, row_stats=nothing, progress=nothing, parameters...) -> (idxs, dists)

The same as [`BMO.knn`](@ref), as two matrices with a query in each column: `k` indices, and `k` distances. Where `max_distance`
or labels leave fewer neighbors, the column ends with index -1 and distance `Inf`.

```jldoctest
julia> ds = Dataset(Float64[0 3 0 6; 0 4 1 8]);

julia> idxs, dists = knn_matrix(ds, [3 6; 4 9], 2; metric=:l1);

julia> size(idxs), Tuple(dists[:, 1])
((2, 2), (0.0, 6.0))
```
"""
function knn_matrix(ds::Dataset, points, k::Integer; options...)
    queries = queries_of(points, ds)
    search_matrix(ds, queries, k, size(ds)[2], size(queries)[2]; options...)
end

function queries_of(points, ds)
    queries = points_of(points, "points")
    given, expected = size(queries)[1], size(ds)[1]
    given == expected || refuse("points", "the points have ", given, " coordinates; expected ", expected, ", as many as those of the dataset")
    queries
end

# A k beyond the candidates is libbmo's to refuse, and needs no memory where it is beyond `most`.
function search_matrix(ds, queries, k, most, count; candidates=nothing, labels=nothing, label_rule=nothing, query_labels=nothing,
                       stats=nothing, progress=nothing, max_distance=nothing, row_stats=nothing, parameters...)
    k = fitting(Int64, k, "k")
    most >= 0 || refuse("k", "k is ", k, ", but a query has no candidates: the dataset has 0 points")
    columns = 1 <= k <= most ? count : 0
    ranks = clamp(k, 0, most)
    idxs, dists = Matrix{Int}(undef, ranks, columns), Matrix{Float64}(undef, ranks, columns)
    chosen, codes = chosen_for(queries, count, ds, candidates, labels, label_rule, query_labels)
    with_searcher(ds, BMO_CALL_KNN, parameters, stats, progress; queries=queries, candidates=chosen) do query
        search!(idxs, dists, query, queries, count, k; labels=codes, max_distance=max_distance, stats=stats, row_stats=row_stats,
                progress=progress)
    end
end

"""
    BMO.knn!(idxs, dists, ds, points, k; done=nothing, candidates=nothing, labels=nothing, label_rule=nothing, query_labels=nothing,
             max_distance=nothing, stats=nothing, row_stats=nothing, progress=nothing, parameters...) -> (idxs, dists)

The same as [`knn_matrix`](@ref), into `k` x queries arrays of yours: `idxs` of `Int32` or `Int64`, `dists` of `Float32` or
`Float64`. For a single point, as a vector, they are vectors of length `k`. `done`: a vector `Bool[]` that gets, for each query,
whether its neighbors are there. If the call fails or is stopped, the columns of the others stay as they were.

```jldoctest
julia> idxs, dists = zeros(Int32, 1, 2), zeros(Float32, 1, 2);

julia> BMO.knn!(idxs, dists, Dataset(Float64[0 3 0 6; 0 4 1 8]), [3 6; 4 9], 1);

julia> Tuple(idxs), Tuple(dists)
((2, 4), (0.0f0, 1.0f0))
```
"""
function knn!(idxs::AbstractMatrix{<:Union{Int32,Int64}}, dists::AbstractMatrix{<:Union{Float32,Float64}}, ds::Dataset,
              points, k::Integer; done=nothing, candidates=nothing, labels=nothing, label_rule=nothing, query_labels=nothing,
              max_distance=nothing, stats=nothing, row_stats=nothing, progress=nothing, parameters...)
    queries, k = queries_of(points, ds), fitting(Int64, k, "k")
    check_shape("idxs", idxs, k, size(queries)[2])
    check_shape("dists", dists, k, size(queries)[2])
    strided = idxs isa StridedMatrix && dists isa StridedMatrix
    in_place = strided && strides(idxs) == strides(dists) && all(strides(idxs) .> 0)
    places = in_place ? (idxs, dists) : (Matrix(idxs), Matrix(dists))
    chosen, codes = chosen_for(queries, size(queries)[2], ds, candidates, labels, label_rule, query_labels)
    try
        with_searcher(ds, BMO_CALL_KNN, parameters, stats, progress; queries=queries, candidates=chosen) do query
            search!(places..., query, queries, size(queries)[2], k; labels=codes, max_distance=max_distance, stats=stats,
                    row_stats=row_stats, done=done, progress=progress)
        end
    finally
        in_place || (copyto!(idxs, places[1]); copyto!(dists, places[2]))
    end
    idxs, dists
end

function knn!(idxs::AbstractVector, dists::AbstractVector, ds::Dataset, point::AbstractVector{<:Real}, k::Integer; options...)
    knn!(reshape(idxs, :, 1), reshape(dists, :, 1), ds, point, k; options...)
    idxs, dists
end

function check_shape(name, x, k, count)
    size(x) == (k, count) || refuse(name, name, " has size ", size(x), "; expected ", (k, count), ", k and the points")
end

"""
    knngraph(ds, k; subset=nothing, candidates=nothing, labels=nothing, label_rule=nothing, max_distance=nothing, stats=nothing,
             row_stats=nothing, progress=nothing, parameters...) -> (idxs, dists)
    knngraph(SparseMatrixCSC, ds, k; ...) -> SparseMatrixCSC{Float64,Int}

The `k` nearest other points of each point of `ds`, or of those of `subset` (indices, or a `Bool` for each point), as two
`k` x points matrices. A point is left out of its own neighbors; a duplicate of it is not. As a `SparseMatrixCSC`, entry
`(i, j)` is the distance of the `j`-th of them to its neighbor `i`; distances of 0 are stored entries, too. All else is as in
[`knn_matrix`](@ref); each point has its own label.

```jldoctest
julia> ds = Dataset(Float64[0 3 0 6; 0 4 1 8]);

julia> idxs, dists = knngraph(ds, 1);

julia> Tuple(idxs)
(3, 3, 1, 2)

julia> using SparseArrays

julia> graph = knngraph(SparseMatrixCSC, ds, 2; subset=[3]);

julia> size(graph), graph[1, 1], graph[4, 1]
((4, 1), 1.0, 0.0)
```
"""
function knngraph(ds::Dataset, k::Integer; subset=nothing, options...)
    own, count = own_points(ds, subset)
    search_matrix(ds, own, k, size(ds)[2] - 1, count; options...)
end

# The points of a dataset that are searched for, and how many they are.
function own_points(ds, subset)
    n = size(ds)[2]
    rows = subset === nothing || subset === (:) ? nothing : rows_of(subset, n, "subset")
    OwnPoints(rows), rows === nothing ? n : length(rows)
end

function knngraph(::Type{SparseMatrixCSC}, ds::Dataset, k::Integer; options...)
    idxs, dists = knngraph(ds, k; options...)
    found = [1:count(>(0), view(idxs, :, i)) for i in axes(idxs, 2)]
    sparse_graph(vectors_of(idxs, found), vectors_of(dists, found), size(ds)[2])
end

# A column of each vector of neighbors, of n points.
function sparse_graph(idxs, dists, n)
    order = sortperm.(idxs)
    starts = cumsum([1; length.(idxs)])
    SparseMatrixCSC(n, length(idxs), starts, [idxs[j][at] for j in eachindex(idxs) for at in order[j]],
                    [dists[j][at] for j in eachindex(dists) for at in order[j]])
end
