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
    argument = reworded(unsafe_string(detail[].argument), arguments)
    BMOError(status, in_words_of_julia(unsafe_string(detail[].message), data), argument == "data" ? data : argument,
             place(detail[].row), place(detail[].col))
end

# An integer that libbmo takes as a T.
function fitting(::Type{T}, value::Integer, name) where {T}
    typemin(T) <= value <= typemax(T) || refuse(name, name, " is ", value, "; expected an integer from ", typemin(T), " to ", typemax(T))
    T(value)
end

# What the arguments of libbmo, and the members of its structs, are here.
const arguments = (
    r"^data\..*" => "data",
    r"^queries(\..*)?$" => "points",
    r"^run\.centers$" => "init",
    r"^arms\.lower$" => "bounds",
    r"^out\.distance_dtype$" => "dists",
    r"^(query|distance|mean_distance|run\.inertia)$" => "ds",
    r"^rho$" => "metric",
    r"^d$" => "weights",
    r"^(run|out|arms|limits)\." => "",
)

# Messages of libbmo that name arguments, functions and types of C. Most begin so: others have the path of a file in front.
const messages = (
    r"^queries(?=[:.])" => "points",
    r"^data\.n is (\d+)" => s"data has \1 columns",
    r"^data\.d is (\d+)" => s"data has \1 rows",
    r"(?<=^data has 0 rows; expected )1 or more$" => "one or more, the coordinates",
    r"^(data|points)\.pointers\[(\d+)\] is (-?\d+); expected 1, the index base$" => s"\1.colptr[\2] is \3; expected 1",
    r"^(data|points)\.pointers\[" => s"\1.colptr[",
    r"^(data|points)\.indices\[" => s"\1.rowval[",
    r"^run\.centers: the value of point" => "init: the value of center",
    r"expected 0 or 1 with given centers$" => "expected 1 where init gives the centers",
    r"^the inertia is" => "the totalcost is",
    r"^arms\.lower is (\S+) and arms\.upper (\S+);" => s"bounds is (\1, \2);",
    r"^(method is exact, but )arms\.exact is NULL$" => s"\1exact is nothing",
    r"^the callback rho says" => "the metric says",
    r"^the callback (pull|exact) says" => s"\1 says",
    r"^the metric custom\b" => "a metric that is a function",
    r"(?<=^a metric that is a function takes no weights: clear them, and let the )callback" => "function",
    r" \(BMO_ARMS_BOUNDED\)" => " (bounds)",
    r"beyond BMO_F32; expected BMO_F64$" => "beyond Float32; expected dists of Float64",
    r"beyond the range of double\b" => "beyond the range of Float64",
    r"(?<=add up to more than )a double holds\b" => "a Float64 holds",
    r"^d is 0; expected the number of weights.*" => "weights is empty; expected nothing, or one a coordinate",
    r"^the config has (\d+) weights\b" => s"\1 weights were given",
    r"^the dataset was prepared with other weights: prepare it again with this config, or set those$" =>
        "the dataset was prepared with other weights, which no file has: set those, or prepare it again with these parameters",
    r"\blimits\.max_distance\b" => "radius", # knn() has checked its own
    r"\blimits\.max_pairs\b" => "max_pairs",
    "bmo_dataset_prepare()" => "prepare()",
    r"\bwith this config\b" => "with these parameters",
    r"\b(?:run|out|arms)\.(?=(?:k|n|tol|n_init|exact_cost)\b)" => "",
)

reworded(text, table) = foldl(replace, table; init=text)

# The messages that count from 0, and what they count.
const counting_from_0 = r" \(counted from 0\)|^(a|the) distances? of (query|point) |^(data|queries)\.(indices|pointers)\[|^weights\["
const counted_from_0 = r"(?<=\bpoint |\bcoordinate |\barm |\bquery |\bvector |\bindices\[|\bpointers\[|^weights\[)\d+"

function in_words_of_julia(message, data)
    if occursin(counting_from_0, message)
        message = replace(message, " (counted from 0)" => "")
        message = replace(message, counted_from_0 => position -> string(parse(Int, position) + 1))
    end
    replace(reworded(message, messages), r"^data(?=[:. ])" => data)
end
