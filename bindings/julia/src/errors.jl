"""
    BMOError

What a call that failed throws. `status` is the kind of failure (`:BMO_EINVAL`: an argument is out of its range;
`:BMO_ENONFINITE`: NaN or infinity in the data or the queries; `:BMO_EIO`, `:BMO_EFORMAT`, `:BMO_EUNSUPPORTED`: a file
that cannot be read; others as in bmo.h), `message` says what is wrong and what was expected, `argument` names the
argument at fault, `point` and `coordinate` its place, counted from 1 (`nothing`: none).

```jldoctest
julia> X = [1.0 2.0; 3.0 NaN];

julia> try Dataset(X) catch failure; failure.status, failure.point, failure.coordinate end
(:BMO_ENONFINITE, 2, 2)
```
"""
struct BMOError <: Exception
    status::Symbol
    message::String
    argument::String
    point::Union{Int,Nothing}
    coordinate::Union{Int,Nothing}
end

Base.showerror(io::IO, failure::BMOError) = print(io, "BMOError: ", failure.message, " (", failure.status, ")")

# An argument that does not reach libbmo.
refuse(argument, message...) = throw(BMOError(:BMO_EINVAL, string(message...), argument, nothing, nothing))

# Throws what the last call of this thread said of its failure. No task switch comes between the two.
check(status::Int32) = status == BMO_OK ? nothing : throw(last_error())

function last_error()
    detail = blank(CError)
    @libbmo bmo_error_detail(detail::Ptr{CError})::Cvoid
    status = Symbol(unsafe_string(@libbmo bmo_status_name(detail[].status::Int32)::Cstring))
    place(position) = position < 0 ? nothing : Int(position) + 1
    BMOError(status, in_words_of_julia(unsafe_string(detail[].message)), replace(unsafe_string(detail[].argument), members => ""),
             place(detail[].row), place(detail[].col))
end

# An integer that libbmo takes as a T.
function fitting(::Type{T}, value::Integer, name) where {T}
    typemin(T) <= value <= typemax(T) || refuse(name, name, " is ", value, "; expected an integer from ", typemin(T), " to ", typemax(T))
    T(value)
end

from_one(position) = string(parse(Int, position) + 1)

# Members of the structs of C that are keywords or arguments here.
const members = r"\b(?:run|out|arms)\.(?=(?:k|n|tol|max_iter|n_init|inertia|lower|upper|exact_cost|pull|exact)\b)"

# Messages of libbmo count from 0, and name arguments and functions of C.
function in_words_of_julia(message)
    if occursin(" (counted from 0)", message)
        message = replace(message, " (counted from 0)" => "")
        message = replace(message, r"(?<=\bpoint |\bcoordinate |\barm )\d+" => from_one)
    end
    message = replace(message, r"(?<=^weights\[)\d+" => from_one)
    for (words, ours) in (r"^data(?=[:.])" => "X", members => "", r"^max_iter\b" => "maxiter",
                          "bmo_dataset_prepare()" => "prepare()")
        message = replace(message, words => ours)
    end
    message
end
