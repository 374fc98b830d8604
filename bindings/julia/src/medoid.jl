"""
    medoid(ds; seed=nothing, stats=nothing, progress=nothing, parameters...) -> (index, mean_distance)

The point of `ds` whose mean distance to the others is least (ties: the lowest index), and that mean. Wrong with probability
at most `delta`: distances to a few points, the same for all, rule most points out, and what is left is computed in full; under
a metric that is a function, `:inner_product`, or `:lp` with `p` below 1, every distance is computed. `seed` draws the few points,
and need not be that of [`prepare`](@ref); `nothing`: the seed of `ds`. Of the other parameters `metric`, `p`, `method`, `delta`,
`weights`, `box` and `threads` count. For `stats` and `progress` see [`BMO.knn`](@ref).

```jldoctest
julia> medoid(Dataset([1.0 2 3 4 90]))
(3, 22.75)
```
"""
function medoid(ds::Dataset; seed=nothing, stats=nothing, progress=nothing, parameters...)
    seed, told = seed_of(seed), blank(CStats)
    out = filled(CMedoid, 0, 0, 0, seed_pointer(seed))
    GC.@preserve seed with_searcher(ds, BMO_CALL_MEDOID, parameters, stats, progress) do query
        long_call(progress) do monitor
            @libbmo bmo_query_medoid(query::Ptr{Cvoid}, out::Ptr{CMedoid}, monitor::Ptr{CMonitor}, told::Ptr{CStats})::Int32
        end
    end
    fill_stats!(stats, told)
    Int(out[].index) + 1, out[].mean_distance
end
