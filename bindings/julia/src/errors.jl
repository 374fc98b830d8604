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

    BMOError(status, message, argument, point, coordinate) = new(status, shortened(message, 400), argument, point, coordinate)
end

# At most so many characters: those of the middle are left out.
function shortened(text, most)
    length(text) <= most && return text
    head = most ÷ 2
    first(text, head) * "…" * last(text, most - head - 1)
end

# A value, or a type, as a message shows it.
brief(value) = shortened(repr(value; context=:limit => true), 80)

Base.showerror(io::IO, failure::BMOError) = print(io, "BMOError: ", failure.message, " (", failure.status, ")")

# An argument that does not reach libbmo.
refuse(argument, message...) = throw(BMOError(:BMO_EINVAL, string(message...), argument, nothing, nothing))

# Throws what the last call of this thread said of its failure; `data` is the argument here that libbmo calls data. No task
# switch comes between the two.
check(status::Int32, data="ds") = status == BMO_OK ? nothing : throw(last_error(data))

function last_error(data)
    detail = blank(CError)
    @libbmo bmo_error_detail(detail::Ptr{CError})::Cvoid
    status = Symbol(unsafe_string(@libbmo bmo_status_name(detail[].status::Int32)::Cstring))
    place(position) = position < 0 ? nothing : Int(position) + 1
    argument = argument_in(name_of(unsafe_string(detail[].argument), data))
    BMOError(status, in_words_of_julia(unsafe_string(detail[].marked), data), argument, place(detail[].row), place(detail[].col))
end

# An integer that libbmo takes as a T.
function fitting(::Type{T}, value::Integer, name) where {T}
    typemin(T) <= value <= typemax(T) || refuse(name, name, " is ", value, "; expected an integer from ", typemin(T), " to ", typemax(T))
    T(value)
end

# What words of C are called here, where that is something else.
const names_of_words = Dict(
    "data.n" => "size(data, 2)",
    "data.d" => "size(data, 1)",
    "data.pointers" => "data.colptr",
    "data.indices" => "data.rowval",
    "queries" => "points",
    "queries.n" => "size(points, 2)",
    "queries.d" => "size(points, 1)",
    "queries.pointers" => "points.colptr",
    "queries.indices" => "points.rowval",
    "rows" => "points",
    "nrows" => "length(points)",
    "candidates.rows" => "candidates",
    "query" => "ds",
    "distance" => "ds",
    "mean_distance" => "ds",
    "rho" => "metric",
    "limits.max_distance" => "radius", # knn() has checked its own
    "limits.max_pairs" => "max_pairs",
    "out.k" => "k",
    "out.distance_dtype" => "dists",
    "run.k" => "k",
    "run.n_init" => "n_init",
    "run.tol" => "tol",
    "run.centers" => "init",
    "run.inertia" => "totalcost",
    "arms.n" => "n",
    "arms.pull" => "pull",
    "arms.exact" => "exact",
    "arms.exact_cost" => "exact_cost",
    "arms.lower" => "bounds[1]",
    "arms.upper" => "bounds[2]",
    "BMO_F32" => "Float32",
    "BMO_F64" => "Float64",
    "bmo_dataset_prepare()" => "prepare()",
)

name_of(word, data) = replace(get(names_of_words, word, word), r"^data\b|(?<=\()data\b" => data)

# X of X, X.colptr, size(X, 1) and length(X); bounds of bounds[1].
argument_in(name) = isempty(name) ? "" : String(match(r"^(?:\w+\()?(\w+)", name)[1])

# What bmo_error.marked has: "\1word of C\3", "\2position from 0\3", "\4remark on positions\3".
const mark = r"\x01([^\x03]*)\x03|\x02(-?\d+)\x03|\x04[^\x03]*\x03"

# A message that was cut may end within a mark.
in_words_of_julia(marked, data) = filter(!iscntrl, replace(marked, mark => marked -> without_mark(marked, data)))

function without_mark(marked, data)
    kind, content = first(marked), chop(marked; head=1, tail=1)
    kind == '\x01' ? name_of(content, data) : kind == '\x02' ? string(parse(Int, content) + 1) : ""
end
