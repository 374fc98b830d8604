# A dataset, its settings and its candidates, bound and checked once.
struct Searcher
    handle::QueryHandle
    settings::Settings
    candidates::Union{Candidates,Nothing}
end

function Searcher(ds::Dataset, settings, candidates)
    config = config_of(settings)
    handle = holding(ds.handle) do
        QueryHandle((ds.handle.roots, settings.rho), out -> check(create_query(candidates, ds.handle, config, out)))
    end
    candidates === nothing || count_owned!(handle, bytes_of_copy(ds.handle, candidates))
    Searcher(handle, settings, candidates)
end

# Runs use(handle) with the handle of a searcher for one kind of call, which neither close() nor a search with other settings or
# candidates frees meanwhile.
function with_searcher(use, ds::Dataset, call, parameters, stats, progress; queries=nothing, candidates=nothing)
    check_stats(stats)
    check_progress(progress)
    settings = resolve(ds.settings, parameters, call)
    handle = lock(() -> hold!(searcher!(ds, settings, candidates).handle), ds.cache.lock)
    try
        use(handle)
    catch failure
        failure isa BMOError && failure.status in (:BMO_EINTERNAL, :BMO_EOVERFLOW, :BMO_ECALLBACK) &&
            refuse_changed(ds, queries, failure)
        rethrow()
    finally
        drop!(handle)
    end
end

# The memory of Julia that a dataset, or what was prepared of it, uses where it lies.
lent(ds::Dataset) = lent_as(ds.handle.roots)
lent(::Any) = nothing
lent_as(points::DensePoints) = points
lent_as(roots::Tuple) = lent_as(roots[1])
lent_as(::Any) = nothing

# Data that were changed after libbmo had checked them lead it to what cannot be.
function refuse_changed(ds, queries, failure)
    used = [(points, argument) for (points, argument) in ((lent(ds), "ds"), (lent(queries), "points")) if points !== nothing]
    foreach(one -> refuse_spoiled(one...), used)
    failure.status === :BMO_EINTERNAL && !isempty(used) &&
        refuse(used[1][2], "the matrix was changed after the Dataset was made, or libbmo has a bug: ", failure.message,
               advice_on_changes)
end

const advice_on_changes = "; make the Dataset anew, or with copy=true"

function refuse_spoiled(points, argument)
    try
        close!(DatasetHandle(points, out -> check(create(points, out, BMO_BORROW), "X")))
    catch found
        found isa BMOError && found.status in (:BMO_EINVAL, :BMO_ENONFINITE) || rethrow()
        throw(BMOError(found.status, string("the matrix was changed after the Dataset was made: ", found.message, advice_on_changes),
                       argument, found.point, found.coordinate))
    end
end

# The last searcher, or a new one that takes its place: it refers to the data, and is not left to the collector.
function searcher!(ds, settings, candidates)
    last = ds.cache.last
    last isa Searcher && last.settings == settings && last.candidates == candidates && return last
    ds.cache.last = try
        Searcher(ds, settings, candidates)
    catch failure # of points that are copied
        failure isa BMOError && failure.status === :BMO_ENONFINITE && refuse_changed(ds, nothing, failure)
        rethrow()
    end
    last isa Searcher && close!(last.handle)
    ds.cache.last::Searcher
end

# Queries that are points of the searched dataset, all of them or those of `rows`, each no candidate of its own query.
struct OwnPoints
    rows::Union{Vector{Int64},Nothing}
end

search(own::OwnPoints, query, k, out, monitor, stats) = own.rows === nothing ?
    (@libbmo bmo_query_graph(query::Ptr{Cvoid}, k::Int64, out::Ptr{COutput}, monitor::Ptr{CMonitor},
                             stats::Ptr{CStats})::Int32) :
    (@libbmo bmo_query_knn_rows(query::Ptr{Cvoid}, own.rows::Ptr{Int64}, length(own.rows)::Int64, k::Int64,
                                out::Ptr{COutput}, monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32)

search(other::Dataset, query, k, out, monitor, stats) = holding(other.handle) do
    @libbmo bmo_query_knn(query::Ptr{Cvoid}, other.handle::Ptr{Cvoid}, k::Int64, out::Ptr{COutput},
                          monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32
end

radius_search(own::OwnPoints, query, limits, out, monitor, stats) = own.rows === nothing ?
    (@libbmo bmo_query_radius_graph(query::Ptr{Cvoid}, limits::Ptr{CLimits}, out::Ptr{Ptr{Cvoid}}, monitor::Ptr{CMonitor},
                                    stats::Ptr{CStats})::Int32) :
    (@libbmo bmo_query_radius_rows(query::Ptr{Cvoid}, own.rows::Ptr{Int64}, length(own.rows)::Int64, limits::Ptr{CLimits},
                                   out::Ptr{Ptr{Cvoid}}, monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32)

radius_search(other::Dataset, query, limits, out, monitor, stats) = holding(other.handle) do
    @libbmo bmo_query_radius(query::Ptr{Cvoid}, other.handle::Ptr{Cvoid}, limits::Ptr{CLimits}, out::Ptr{Ptr{Cvoid}},
                             monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32
end

points_of(ds::Dataset, what) = isopen(ds) ? ds : refuse(what, what, " is a Dataset that was closed")

# Searches the neighbors of queries, of which there are so many, and writes them to arrays of the same strides, ranks along the
# columns. Their labels are codes.
function search!(idxs, dists, query::QueryHandle, queries, count, k; labels, max_distance=nothing, stats=nothing,
                 row_stats=nothing, done=nothing, progress=nothing)
    rank_stride, query_stride = output_strides(idxs)
    limits = limits_of(max_distance, labels, count, "max_distance")
    told = blank(CStats)
    GC.@preserve idxs dists limits row_stats done begin
        out = filled(COutput, 1, dtypes[eltype(idxs)], dtypes[eltype(dists)], pointer(idxs), pointer(dists),
                     extent(idxs), query_stride, rank_stride, place(done, Bool, count, "done"),
                     place(row_stats, RowStats, count, "row_stats"), address(limits))
        long_call(monitor -> search(queries, query, k, out, monitor, told), progress)
    end
    fill_stats!(stats, told)
    idxs, dists
end

output_strides(x) = size(x, 1) > 1 ? strides(x) : (1, max(1, stride(x, 2)))
extent(x) = isempty(x) ? 0 : 1 + sum((size(x) .- 1) .* strides(x))

# A vector of the caller that gets something of each query.
place(::Nothing, T, count, name) = C_NULL
place(x::Vector{T}, ::Type{T}, count, name) where {T} = pointer(fill!(resize!(x, count), zero(T)))
place(x, T, count, name) = refuse(name, name, " is a ", brief(typeof(x)), "; expected nothing or a Vector{", T, "}")
