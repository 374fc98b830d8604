"""
    BMO.Param

A row of the table of parameters: `name`, `type` (`:integer`, `:real` or `:choice`), `choices`, `default` (as text),
`summary`, the least and greatest value of a number, `lower` and `upper`, and `calls`, the functions in which it counts: `:knn`
stands for all that find the nearest, `:inrange` for both that find all within a distance.
"""
struct Param
    name::Symbol
    type::Symbol
    choices::Vector{Symbol}
    default::String
    summary::String
    lower::Union{Int64,Float64,Nothing}
    upper::Union{Int64,Float64,Nothing}
    calls::Vector{Symbol}
    id::Int32
end

const calls_of_bits = (:knn => BMO_CALL_KNN, :inrange => BMO_CALL_RADIUS, :kmeans => BMO_CALL_KMEANS, :medoid => BMO_CALL_MEDOID,
                       :best_arms => BMO_CALL_ARMS, :prepare => BMO_CALL_PREPARE)

calls_of(bits) = [call for (call, bit) in calls_of_bits if bits & bit != 0]
counts(param, bits) = !isdisjoint(param.calls, calls_of(bits))

"""
    BMO.params() -> Vector{BMO.Param}

Every parameter, as libbmo tells them: each is a keyword of [`Dataset`](@ref) and [`prepare`](@ref), and of the functions in
which it counts: [`BMO.knn`](@ref), [`BMO.nn`](@ref), [`knn_matrix`](@ref), [`BMO.knn!`](@ref) and [`knngraph`](@ref);
[`BMO.inrange`](@ref) and [`rangegraph`](@ref); [`BMO.kmeans`](@ref); [`medoid`](@ref); [`best_arms`](@ref). A parameter that
does not count is an error. So is `p` without `metric=:lp`, `sigma` without `confidence=:subgaussian`, and `uniform_pulls`
without `method=:uniform`.

```jldoctest
julia> only(filter(param -> param.name === :delta, BMO.params()))
delta = 0.01: probability that an answer is wrong
    real from 1.0e-300 to 0.5
    counts in knn, inrange, medoid, best_arms, prepare
```
"""
params() = [param_at(position) for position in 0:(@libbmo bmo_param_count()::Int32)-1]

function param_at(position)
    info = blank(CParamInfo)
    check(@libbmo bmo_param_at(position::Int32, info::Ptr{CParamInfo})::Int32)
    param_of(info[])
end

function param_of(info)
    type = (:integer, :real, :choice)[info.type]
    choices = type === :choice ? Symbol.(split(unsafe_string(info.choices), '|')) : Symbol[]
    lower, upper = type === :integer ? (info.lower_i64, info.upper_i64) :
                   type === :real ? (info.lower_f64, info.upper_f64) : (nothing, nothing)
    Param(Symbol(unsafe_string(info.name)), type, choices, unsafe_string(info.initial), unsafe_string(info.summary),
          lower, upper, calls_of(info.calls), info.param)
end

function Base.show(io::IO, param::Param)
    print(io, param.name, " = ", param.default, ": ", param.summary, "\n    ")
    param.type === :choice ? join(io, param.choices, ", ") : print(io, param.type, " from ", param.lower, " to ", param.upper)
    print(io, "\n    counts in ", join(param.calls, ", "))
end

# The table by name, and the names of the values of its choices: read once.
const table = Dict{Symbol,Param}()
const choice_names = Dict{Symbol,Dict{Int64,Symbol}}()

function read_table!()
    for param in params()
        table[param.name] = param
        choice_names[param.name] = Dict(integer_of(param.name, string(choice)) => choice for choice in param.choices)
    end
end

choice_name(param, value) = get(choice_names[param], value, Symbol(""))
