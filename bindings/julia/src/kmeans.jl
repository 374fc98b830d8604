"""
    Clusters

What [`BMO.kmeans`](@ref) found: `centers`, one a column; `assignments`, the center of each point, ties to the lowest; `counts`, the
points of each center; `totalcost`, the sum of the points' squared distances to their centers; `iterations`, how often the
centers moved.
"""
struct Clusters
    centers::Matrix{Float64}
    assignments::Vector{Int}
    counts::Vector{Int}
    totalcost::Float64
    iterations::Int
end

Base.show(io::IO, found::Clusters) =
    print(io, "Clusters of ", length(found.assignments), " points around ", length(found.counts), " centers, totalcost ",
          found.totalcost, " after ", found.iterations, found.iterations == 1 ? " iteration" : " iterations")

const inits = Dict(:plusplus => Int32(0), :random => Int32(1))
const given_init = Int32(2)

"""
    BMO.kmeans(ds, k; init=:plusplus, n_init=1, maxiter=100, tol=0, seed=nothing, stats=nothing, progress=nothing,
               parameters...) -> Clusters

Groups the points of `ds` around `k` centers by Lloyd's algorithm, until no point changes its center, no
center moves farther than `tol`, or the centers moved `maxiter` times. The centers start from points, chosen by k-means++
(`init=:plusplus`) or at random (`:random`), the best of `n_init` starts; or where `init` says, a matrix with a center in each
column, or the indices of `k` points. The assignments are those that computing every distance gives; bounds spare most of
that work. `seed` draws the starts, and need not be that of [`prepare`](@ref); `nothing`: the seed of `ds`. Of the other
parameters `metric` (`:l2` or `:sqeuclidean`), `method` and `threads` count. For `stats` and `progress` see [`BMO.knn`](@ref).

```jldoctest
julia> found = BMO.kmeans(Dataset([1.0 20 2 3 22]), 2; init=[1, 2])
Clusters of 5 points around 2 centers, totalcost 4.0 after 1 iteration

julia> Tuple(found.assignments), Tuple(found.centers), Tuple(found.counts)
((1, 2, 1, 1, 2), (2.0, 21.0), (3, 2))
```
"""
function kmeans(ds::Dataset, k::Integer; init=:plusplus, n_init::Integer=1, maxiter::Integer=100, tol::Real=0, seed=nothing,
                stats=nothing, progress=nothing, parameters...)
    maxiter >= 1 || refuse("maxiter", "maxiter is ", maxiter, "; expected 1 or more")
    n_init >= 1 || refuse("n_init", "n_init is ", n_init, "; expected 1 or more")
    k, n_init, maxiter = fitting(Int64, k, "k"), fitting(Int32, n_init, "n_init"), fitting(Int64, maxiter, "maxiter")
    n = size(ds)[2]
    ranks = 1 <= k <= n ? k : 0 # another k is libbmo's to refuse
    start, centers = start_of(init, ds, ranks)
    start == given_init && n_init > 1 && refuse("n_init", "n_init is ", n_init, "; expected 1 where init gives the centers")
    seed = seed_of(seed)
    labels, inertia, iterations = Vector{Int32}(undef, n), Ref(0.0), Ref(Int64(0))
    told = blank(CStats)
    GC.@preserve centers labels inertia iterations seed begin
        run = filled(CKMeans, start, n_init, 0, k, maxiter, tol, pointer(centers), length(centers), pointer(labels),
                     Base.unsafe_convert(Ptr{Float64}, inertia), Base.unsafe_convert(Ptr{Int64}, iterations),
                     seed_pointer(seed))
        with_searcher(ds, BMO_CALL_KMEANS, parameters, stats, progress) do query
            long_call(progress) do monitor
                @libbmo bmo_query_kmeans(query::Ptr{Cvoid}, run::Ptr{CKMeans}, monitor::Ptr{CMonitor},
                                         told::Ptr{CStats})::Int32
            end
        end
    end
    fill_stats!(stats, told)
    assignments = labels .+ 1
    Clusters(centers, assignments, counts_of(assignments, k), inertia[], iterations[])
end

function counts_of(assignments, k)
    counts = zeros(Int, k)
    foreach(c -> counts[c] += 1, assignments)
    counts
end

function start_of(init, ds, k)
    init isa Symbol && haskey(inits, init) && return inits[init], zeros(size(ds)[1], k)
    refuse("init", "init is ", brief(init), "; expected :plusplus, :random, a matrix of centers, or indices of points")
end

function start_of(init::AbstractMatrix{<:Real}, ds, k)
    wanted = (size(ds)[1], k)
    k == 0 || size(init) == wanted || refuse("init", "init has size ", size(init), "; expected ", wanted, ", a center a column")
    given_init, Matrix{Float64}(init) # a copy: libbmo writes to it
end

start_of(init::AbstractVector{Bool}, ds, k) =
    refuse("init", "init is a vector of Bool; expected the indices of ", k, " points, or a matrix of centers")

function start_of(init::AbstractVector{<:Integer}, ds, k)
    k == 0 || length(init) == k || refuse("init", "init has ", length(init), " indices; expected ", k, ", k")
    given_init, coordinates_of(ds, rows_of(init, size(ds)[2], "init"))
end
