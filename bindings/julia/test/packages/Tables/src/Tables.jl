# What the tests need of the interface of Tables.jl, for where that package is not at hand.
module Tables

const ColumnTable = NamedTuple{names,T} where {names,T<:NTuple{N,AbstractVector} where N}
const RowTable = AbstractVector{T} where {T<:NamedTuple}

istable(x) = istable(typeof(x))
istable(::Type) = false
istable(::Type{<:ColumnTable}) = true
istable(::Type{<:RowTable}) = true

columns(x::ColumnTable) = x
columns(x::RowTable) = NamedTuple{fieldnames(eltype(x))}(Tuple([row[name] for row in x] for name in fieldnames(eltype(x))))

columnnames(x) = propertynames(x)
getcolumn(x, name::Symbol) = getproperty(x, name)

end
