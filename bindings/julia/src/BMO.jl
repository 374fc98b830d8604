"""
Exact nearest neighbors of points in thousands of dimensions, without computing every distance: libbmo for Julia.

Columns are points. Make a [`Dataset`](@ref) of a matrix or a file, and ask with [`BMO.knn`](@ref), [`knn_matrix`](@ref),
[`BMO.knn!`](@ref), [`BMO.nn`](@ref) or [`knngraph`](@ref), or for all within a distance with [`BMO.inrange`](@ref) or
[`rangegraph`](@ref); [`prepare`](@ref) makes many queries faster, [`BMO.subset`](@ref) takes some of the points, and
[`BMO.save`](@ref) keeps points and what was prepared in a file. Names that other packages export, too, are not exported.
[`BMO.kmeans`](@ref) groups points, [`medoid`](@ref) is the most central one, and [`best_arms`](@ref) is for arms that are
no points. An answer is right with probability at least `1 - delta`; [`Stats`](@ref) names what was proved of it.
[`BMO.params`](@ref) lists every parameter: each is a keyword of these functions.

```jldoctest
julia> X = Float64[0 3 0 6; 0 4 1 8];   # four points with two coordinates

julia> ds = Dataset(X)
Dataset of 4 points with 2 coordinates, dense Float64

julia> idxs, dists = BMO.knn(ds, [0, 0], 2);

julia> Tuple(idxs), Tuple(dists)
((1, 3), (0.0, 1.0))
```

A call on a `Dataset` may run on any number of tasks and threads at once. Ctrl-C stops a long call; the data stay usable.
`close` frees a `Dataset` at once, and the collector one that nothing refers to.
What goes wrong is a [`BMOError`](@ref).
"""
module BMO

using LinearAlgebra: Adjoint, Transpose
using SparseArrays: AbstractSparseMatrix, SparseMatrixCSC, SparseVector, issparse, sparse
import Libdl

# NearestNeighbors.jl exports knn, knn!, nn and inrange, Clustering.jl kmeans, DataFrames.jl subset, and others save: these stay
# BMO.knn and so on.
export BMOError, Clusters, Dataset, Stats, best_arms, knn_matrix, knngraph, medoid, prepare, rangegraph

include("library.jl")
include("structs.jl")
include("errors.jl")
include("memory.jl")
include("handle.jl")
include("callbacks.jl")
include("params.jl")
include("settings.jl")
include("dense.jl")
include("tables.jl")
include("sparse.jl")
include("dataset.jl")
include("stats.jl")
include("candidates.jl")
include("limits.jl")
include("search.jl")
include("knn.jl")
include("radius.jl")
include("kmeans.jl")
include("medoid.jl")
include("arms.jl")

function __init__()
    handle = load_library()
    check_library(handle)
    library[] = handle
    read_table!()
    set_most_garbage!()
end

end
