# How far neighbors may be: a number for all queries, or one for each.
struct Limits
    distances::Vector{Float64}
    c::Base.RefValue{CLimits}
end

limits_of(::Nothing, count, name) = nothing
limits_of(distance::Real, count, name; max_pairs=0) = limits_of([distance], 1, name; max_pairs=max_pairs)

function limits_of(distances::AbstractVector{<:Real}, count, name; max_pairs=0)
    length(distances) == count || refuse(name, name, " has length ", length(distances), "; expected a number, or one for each of ", count, " queries")
    at = findfirst(isnan, distances)
    at === nothing || refuse(name, name, count == 1 ? "" : "[$at]", " is NaN; expected a number")
    values = isempty(distances) ? [Inf] : Vector{Float64}(distances)
    Limits(values, filled(CLimits, 0, pointer(values), length(values), fitting(Int64, max_pairs, "max_pairs")))
end

limits_of(distances, count, name; max_pairs=0) =
    refuse(name, name, " is ", brief(distances), "; expected a number, or one for each of ", count, " queries")

address(::Nothing) = C_NULL
address(limits::Limits) = Base.unsafe_convert(Ptr{CLimits}, limits.c)
