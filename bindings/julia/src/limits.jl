# Which neighbors count: how far they may be, a number for all queries or one for each, and the labels of the queries.
struct Limits
    distances::Vector{Float64}
    labels::Vector{Int32}
    c::Base.RefValue{CLimits}

    Limits(distances, labels, max_pairs=0) =
        new(distances, labels, filled(CLimits, 0, place_of(distances), length(distances), fitting(Int64, max_pairs, "max_pairs"),
                                      place_of(labels), length(labels)))
end

place_of(x::Vector{T}) where {T} = isempty(x) ? Ptr{T}(C_NULL) : pointer(x)

# Labels of queries are codes, and empty where labels do not count.
limits_of(::Nothing, labels, count, name) = isempty(labels) ? nothing : Limits(Float64[], labels)
limits_of(distances, labels, count, name) = Limits(distances_of(distances, count, name), labels)

distances_of(distance::Real, count, name) = distances_of([distance], 1, name)

function distances_of(distances::AbstractVector{<:Real}, count, name)
    length(distances) == count || refuse(name, name, " has length ", length(distances), "; expected a number, or one for each of ", count, " queries")
    at = findfirst(isnan, distances)
    at === nothing || refuse(name, name, count == 1 ? "" : "[$at]", " is NaN; expected a number")
    isempty(distances) ? [Inf] : Vector{Float64}(distances)
end

distances_of(distances, count, name) =
    refuse(name, name, " is ", brief(distances), "; expected a number, or one for each of ", count, " queries")

address(::Nothing) = C_NULL
address(limits::Limits) = Base.unsafe_convert(Ptr{CLimits}, limits.c)
