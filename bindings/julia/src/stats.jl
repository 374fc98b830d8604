"""
    Stats

What a search did. Pass a `Ref{Stats}()` as the keyword `stats` of a search, which fills it.

- `guarantee`: what was proved of the answer. `:exact`: every distance was computed, or ruled out by a bound that cannot
  fail; `:proven`: right with probability at least `1 - delta`, whatever the data; `:conditional`: the same if `assumption`
  holds; `:heuristic`: usually right; `:none`.
- `gain`: how many times fewer coordinate operations than a full scan takes, `coord_ops_brute / coord_ops`.
- `method`, `box`, `bandit`, `confidence`, `sampling`, `threads`: as resolved from `:auto`; `reason`: why.
- `queries`; `arms`, the candidates of one query; `rounds`; `coord_ops_sampled`, the operations spent on sampling; `exact_evals`, the
  distances computed in full, and `coord_ops_exact`, the operations for them; `projection_ops`, operations on the queries;
  `arms_pruned`, candidates that bounds which cannot fail put out of question before a sample was read; `neighbors`, how many were found.
- `seed`, `delta`, `epsilon`, `seconds`.

```jldoctest
julia> ds = Dataset(Float32[(i * j) % 101 for j in 1:3000, i in 1:100]);

julia> stats = Ref{Stats}();

julia> knngraph(ds, 1; method=:bandit, stats=stats);

julia> stats[].guarantee, stats[].queries, stats[].gain > 5
(:proven, 100, true)
```
"""
struct Stats
    guarantee::Symbol
    assumption::String
    reason::String
    gain::Float64
    method::Symbol
    box::Symbol
    bandit::Symbol
    confidence::Symbol
    sampling::Symbol
    threads::Int
    queries::Int
    arms::Int
    rounds::Int
    coord_ops_sampled::Int
    exact_evals::Int
    coord_ops::Int
    coord_ops_exact::Int
    coord_ops_brute::Int
    projection_ops::Int
    arms_pruned::Int
    neighbors::Int
    seed::Int
    delta::Float64
    epsilon::Float64
    seconds::Float64
end

guarantee_name(guarantee) = Symbol(unsafe_string(@libbmo bmo_guarantee_name(guarantee::Int32)::Cstring))

Stats(told::CStats) =
    Stats(guarantee_name(told.guarantee), unsafe_string(told.assumption), unsafe_string(told.reason),
          told.coord_ops == 0 ? 1.0 : told.coord_ops_brute / told.coord_ops,
          choice_name(:method, told.method), choice_name(:box, told.box), choice_name(:bandit, told.bandit),
          choice_name(:confidence, told.confidence), choice_name(:sampling, told.sampling), told.threads, told.queries,
          told.arms, told.rounds, told.coord_ops_sampled, told.exact_evals, told.coord_ops, told.coord_ops_exact, told.coord_ops_brute,
          told.projection_ops, told.arms_pruned, told.neighbors, told.seed, told.delta, told.epsilon, told.wall_ns / 1e9)

"""
    BMO.RowStats

What one query cost: `coord_ops`, the evaluations of a coordinate distance; `rounds` of the bandit; and `exact_evals`, the
distances that were computed in full. Pass a vector `BMO.RowStats[]` as the keyword `row_stats` of a search, which fills it.
"""
struct RowStats # laid out as in bmo.h
    coord_ops::UInt64
    rounds::UInt32
    exact_evals::UInt32
end

Base.zero(::Type{RowStats}) = RowStats(0, 0, 0)

fill_stats!(::Nothing, told) = nothing
fill_stats!(stats, told) = stats[] = Stats(told[])

# Before a search rather than after it.
check_stats(::Nothing) = nothing
check_stats(stats) = stats isa Ref && !(stats isa Ptr) && Stats <: eltype(stats) ||
    refuse("stats", "stats is ", brief(stats), "; expected nothing or a Ref{Stats}()")

function promise(stats::Stats)
    stats.guarantee === :proven && return "proven: right with probability $(1 - stats.delta) or more"
    stats.guarantee === :conditional && return "right with probability $(1 - stats.delta) or more if $(stats.assumption)"
    stats.guarantee === :exact ? "exact" : stats.guarantee === :heuristic ? "heuristic: usually right" : "none"
end

Base.show(io::IO, stats::Stats) =
    print(io, "Stats(", stats.queries, stats.queries == 1 ? " query" : " queries", " among ", stats.arms, " points, ",
          stats.guarantee, ", gain ", round(stats.gain; sigdigits=3), ")")

function Base.show(io::IO, ::MIME"text/plain", stats::Stats)
    show(io, stats)
    for (name, value) in ("guarantee" => promise(stats),
                          "operations" => "$(stats.coord_ops) of the $(stats.coord_ops_brute) of a full scan",
                          "method" => isempty(stats.reason) ? stats.method : stats.reason,
                          "settings" => "box $(stats.box), bandit $(stats.bandit), confidence $(stats.confidence), sampling $(stats.sampling)",
                          "seed" => stats.seed,
                          "time" => "$(round(stats.seconds; sigdigits=3)) s, threads: $(stats.threads)")
        print(io, "\n  ", rpad(name, 12), value)
    end
end
