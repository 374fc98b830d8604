"""
    medoid(ds; stats=nothing, progress=nothing, parameters...) -> (index, mean_distance)

The point of `ds` whose mean distance to the others is least (ties: the lowest index), and that mean. Wrong with probability
at most `delta`: distances to a few points, the same for all, rule most points out, and what is left is computed in full; under
a metric that is a function, `:inner_product`, or `:lp` with `p` below 1, every distance is computed. Of the parameters
`metric`, `p`, `method`, `delta`, `seed`, `weights`, `box` and `threads` count. For `stats` and `progress` see [`BMO.knn`](@ref).

```jldoctest
julia> medoid(Dataset([1.0 2 3 4 90]))
(3, 22.75)
```
"""
function medoid(ds::Dataset; stats=nothing, progress=nothing, parameters...)
    out, told = blank(CMedoid), blank(CStats)
    with_searcher(ds, parameters, stats, progress) do query
        long_call(progress) do monitor
            @libbmo bmo_query_medoid(query::Ptr{Cvoid}, out::Ptr{CMedoid}, monitor::Ptr{CMonitor}, told::Ptr{CStats})::Int32
        end
    end
    fill_stats!(stats, told)
    Int(out[].index) + 1, out[].mean_distance
end
