"""
    BMO.inrange(ds, points, radius; max_pairs=0, candidates=nothing, labels=nothing, label_rule=nothing, query_labels=nothing,
                stats=nothing, progress=nothing, parameters...) -> (idxs, dists)

All points of `ds` within `radius` of each column of the matrix `points`: vectors of vectors, ascending by distance, ties by
index. For a single point, as a vector, `idxs` is a vector of indices and `dists` one of distances. `radius` is a number, or a
vector of one for each query; a distance that equals it is within. `max_pairs`: more neighbors of all queries together are an
error; 0: any number. All else is as for [`BMO.knn`](@ref).

Every neighbor is within the distance, for certain. Each true one is missing with probability at most `delta`; with
`delta_scope=:call`, any of the call is. The name is not exported: NearestNeighbors.jl has it, too.

```jldoctest
julia> ds = Dataset(Float64[0 3 0 6; 0 4 1 8]);

julia> idxs, dists = BMO.inrange(ds, [0, 0], 5);

julia> Tuple(idxs), Tuple(dists)
((1, 3, 2), (0.0, 1.0, 5.0))
```
"""
function inrange(ds::Dataset, points, radius; options...)
    queries = queries_of(points, ds)
    within(ds, queries, size(queries)[2], radius; options...)
end

function inrange(ds::Dataset, point::AbstractVector{<:Real}, radius; options...)
    idxs, dists = inrange(ds, reshape(point, :, 1), radius; options...)
    idxs[1], dists[1]
end

"""
    rangegraph(ds, radius; subset=nothing, max_pairs=0, candidates=nothing, labels=nothing, label_rule=nothing, stats=nothing,
               progress=nothing, parameters...) -> (idxs, dists)
    rangegraph(SparseMatrixCSC, ds, radius; ...) -> SparseMatrixCSC{Float64,Int}

All other points within `radius` of each point of `ds`, or of those of `subset`, as [`knngraph`](@ref) has them: two vectors of
vectors, as of [`BMO.inrange`](@ref), or a sparse matrix of distances.

```jldoctest
julia> ds = Dataset(Float64[0 3 0 6; 0 4 1 8]);

julia> idxs, dists = rangegraph(ds, 4.5);

julia> Tuple(idxs)
([3], [3], [1, 2], Int64[])

julia> using SparseArrays

julia> nnz(rangegraph(SparseMatrixCSC, ds, 5))
8
```
"""
function rangegraph(ds::Dataset, radius; subset=nothing, options...)
    own, count = own_points(ds, subset)
    within(ds, own, count, radius; options...)
end

rangegraph(::Type{SparseMatrixCSC}, ds::Dataset, radius; options...) = sparse_graph(rangegraph(ds, radius; options...)..., size(ds)[2])

function within(ds, queries, count, radius; max_pairs=0, candidates=nothing, labels=nothing, label_rule=nothing, query_labels=nothing,
                stats=nothing, progress=nothing, parameters...)
    chosen, codes = chosen_for(queries, count, ds, candidates, labels, label_rule, query_labels)
    limits, told = Limits(distances_of(radius, count, "radius"), codes, max_pairs), blank(CStats)
    found = with_searcher(ds, BMO_CALL_RADIUS, parameters, stats, progress; queries=queries, candidates=chosen) do query
        GC.@preserve limits NeighborsHandle(nothing, out -> long_call(progress) do monitor
            radius_search(queries, query, limits.c, out, monitor, told)
        end)
    end
    fill_stats!(stats, told)
    neighbors = holding(() -> vectors_of_neighbors(found), found)
    close!(found)
    neighbors
end

function vectors_of_neighbors(found)
    view = blank(CNeighborsView)
    check(@libbmo bmo_neighbors_read(found::Ptr{Cvoid}, view::Ptr{CNeighborsView})::Int32)
    places = [unsafe_load(view[].offset, i)+1:unsafe_load(view[].offset, i + 1) for i in 1:view[].queries]
    [Int[unsafe_load(view[].index, at) + 1 for at in of] for of in places],
    [Float64[unsafe_load(view[].distance, at) for at in of] for of in places]
end
