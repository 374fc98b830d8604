# Which points may be neighbors of a query: chosen points, and those whose labels fit that of the query.
struct Candidates
    rows::Union{Vector{Int64},Nothing}
    labels::Vector{Int32} # codes, one a point; empty where labels do not count
    codes::Dict{Any,Int32}
    rule::Symbol
end

const label_rules = Dict(:same => Int32(1), :other => Int32(2))

# What a searcher searches among: not what the labels are called.
Base.:(==)(a::Candidates, b::Candidates) = a.rows == b.rows && a.labels == b.labels && a.rule === b.rule

# nothing: all points of ds.
function candidates_of(ds, candidates, labels, label_rule)
    candidates === labels === label_rule === nothing && return nothing
    rule = label_rule isa AbstractString ? Symbol(label_rule) : label_rule
    check_label_rule(rule, labels)
    n = size(ds)[2]
    rows = candidates === nothing ? nothing : rows_of(candidates, n, "candidates")
    codes = Dict{Any,Int32}()
    labels === nothing && return Candidates(rows, Int32[], codes, :none)
    numbers = Int32[get!(codes, label, length(codes)) for label in labels_of(labels, n, "labels", "point")]
    Candidates(rows, numbers, codes, rule)
end

function check_label_rule(label_rule, labels)
    label_rule === nothing || label_rule isa Symbol && haskey(label_rules, label_rule) ||
        refuse("label_rule", "label_rule is ", brief(label_rule), "; expected :same or :other")
    label_rule === nothing && labels !== nothing &&
        refuse("label_rule", "label_rule is nothing; expected :same or :other, for there are labels")
    label_rule !== nothing && labels === nothing &&
        refuse("labels", "labels is nothing; expected a label for each point, for label_rule is ", repr(label_rule))
end

function labels_of(labels, count, name, of)
    labels isa AbstractVector || refuse(name, name, " is ", brief(labels), "; expected a vector with a label for each ", of)
    Base.has_offset_axes(labels) &&
        refuse(name, name, " has the axes ", axes(labels), "; expected a vector that is counted from 1")
    length(labels) == count || refuse(name, name, " has length ", length(labels), "; expected ", count, ", a label for each ", of)
    at = findfirst(is_missing, labels)
    at === nothing || refuse(name, name, "[", at, "] is ", labels[at], "; expected a label")
    labels
end

is_missing(label) = label === nothing || label === missing || label isa AbstractFloat && isnan(label)

# What queries are searched among, and the codes of their labels.
function chosen_for(queries, count, ds, candidates, labels, label_rule, query_labels)
    chosen = candidates_of(ds, candidates, labels, label_rule)
    chosen, query_codes(chosen, query_labels, queries, count)
end

# The codes of the labels of queries. Labels that no point has share one: queries are not compared.
query_codes(candidates, query_labels, queries, count) =
    candidates === nothing || candidates.rule === :none ? no_query_labels(query_labels, "there is no label_rule") :
    queries isa OwnPoints ? no_query_labels(query_labels, "the queries have the labels of their points") :
    codes_of(candidates, query_labels, count)

function no_query_labels(query_labels, why)
    query_labels === nothing || refuse("query_labels", "query_labels are given; expected nothing, for ", why)
    Int32[]
end

function codes_of(candidates, query_labels, count)
    query_labels === nothing &&
        refuse("query_labels", "query_labels is nothing; expected a label for each query, for label_rule is ",
               repr(candidates.rule))
    codes = candidates.codes
    Int32[get(codes, label, length(codes)) for label in labels_of(query_labels, count, "query_labels", "query")]
end

create_query(::Nothing, ds, config, out) =
    @libbmo bmo_query_create(out::Ptr{Ptr{Cvoid}}, ds::Ptr{Cvoid}, config::Ptr{Cvoid}, C_NULL::Ptr{Cvoid})::Int32

create_query(chosen::Candidates, ds, config, out) = GC.@preserve chosen begin
    rows, labels = chosen.rows, chosen.labels
    c = filled(CCandidates, get(label_rules, chosen.rule, 0), rows === nothing ? C_NULL : pointer(rows),
               rows === nothing ? 0 : length(rows), C_NULL, chosen.rule === :none ? C_NULL : pointer(labels))
    @libbmo bmo_query_create_among(out::Ptr{Ptr{Cvoid}}, ds::Ptr{Cvoid}, config::Ptr{Cvoid}, c::Ptr{CCandidates},
                                   C_NULL::Ptr{Cvoid})::Int32
end

# About what the copy of the chosen points takes: libbmo does not tell.
function bytes_of_copy(ds, candidates)
    told = describe(ds)
    share = candidates.rows === nothing ? 1 : length(candidates.rows) / told.n
    round(Int, share * (told.bytes_owned + told.bytes_borrowed))
end
