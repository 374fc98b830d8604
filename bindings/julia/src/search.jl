# A dataset and its settings, bound and checked once.
struct Searcher
    handle::QueryHandle
    settings::Settings
end

function Searcher(ds::Dataset, settings)
    config = config_of(settings)
    handle = QueryHandle((ds.handle.roots, settings.rho), out -> check(
        @libbmo bmo_query_create(out::Ptr{Ptr{Cvoid}}, ds.handle::Ptr{Cvoid}, config::Ptr{Cvoid})::Int32))
    Searcher(handle, settings)
end

function searcher(ds::Dataset, parameters)
    settings = resolve(ds.settings, parameters)
    lock(ds.cache.lock) do
        last = ds.cache.last
        last isa Searcher && last.settings == settings && return last
        ds.cache.last = Searcher(ds, settings)
    end::Searcher
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

search(other::Dataset, query, k, out, monitor, stats) =
    @libbmo bmo_query_knn(query::Ptr{Cvoid}, other.handle::Ptr{Cvoid}, k::Int64, out::Ptr{COutput},
                          monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32

points_of(ds::Dataset, what) = ds

# Searches the neighbours of queries and writes them to arrays of the same strides, ranks along the columns.
function search!(idxs, dists, found::Searcher, queries, k; stats=nothing, progress=nothing)
    rank_stride, query_stride = output_strides(idxs)
    told = blank(CStats)
    GC.@preserve idxs dists begin
        out = filled(COutput, 1, dtypes[eltype(idxs)], dtypes[eltype(dists)], pointer(idxs), pointer(dists),
                     extent(idxs), query_stride, rank_stride, C_NULL, C_NULL)
        long_call(monitor -> search(queries, found.handle, k, out, monitor, told), progress)
    end
    stats === nothing || (stats[] = Stats(told[]))
    idxs, dists
end

output_strides(x) = size(x, 1) > 1 ? strides(x) : (1, max(1, stride(x, 2)))
extent(x) = isempty(x) ? 0 : 1 + sum((size(x) .- 1) .* strides(x))
