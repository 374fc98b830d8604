"""
    BMO.Param

A row of the table of parameters: `name`, `type` (`:integer`, `:real` or `:choice`), `choices`, `default` (as text),
`summary`, and the least and greatest value of a number, `lower` and `upper`.
"""
struct Param
    name::Symbol
    type::Symbol
    choices::Vector{Symbol}
    default::String
    summary::String
    lower::Union{Int64,Float64,Nothing}
    upper::Union{Int64,Float64,Nothing}
    id::Int32
end

"""
    BMO.params() -> Vector{BMO.Param}

Every parameter, as libbmo tells them: each is a keyword of [`Dataset`](@ref), [`prepare`](@ref), [`BMO.knn`](@ref),
[`knn_matrix`](@ref), [`BMO.knn!`](@ref), [`knngraph`](@ref), [`BMO.kmeans`](@ref), [`medoid`](@ref)
and [`best_arms`](@ref).

```jldoctest
julia> only(filter(param -> param.name === :delta, BMO.params()))
delta = 0.01: probability that an answer is wrong
    real from 1.0e-300 to 0.5
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
          lower, upper, info.param)
end

function Base.show(io::IO, param::Param)
    print(io, param.name, " = ", param.default, ": ", param.summary, "\n    ")
    param.type === :choice ? join(io, param.choices, ", ") : print(io, param.type, " from ", param.lower, " to ", param.upper)
end

# The table by name, and the names of the values of its choices: read once.
const table = Dict{Symbol,Param}()
const choice_names = Dict{Symbol,Dict{Int64,Symbol}}()

function read_table!()
    for param in params()
        table[param.name] = param
        choice_names[param.name] = Dict(choice_value(param, choice) => choice for choice in param.choices)
    end
end

function choice_value(param, choice)
    config = new_config()
    set_text(config, param.name, string(choice))
    value = Ref{Int64}(0)
    check(@libbmo bmo_config_get_i64(config::Ptr{Cvoid}, param.id::Int32, value::Ptr{Int64})::Int32)
    value[]
end

choice_name(param, value) = get(choice_names[param], value, Symbol(""))
