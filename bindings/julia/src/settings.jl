# Parameters as text, weights, and the function of the metric custom.
struct Settings
    params::Dict{Symbol,String}
    weights::Union{Vector{Float64},Nothing}
    rho::Union{Rho,Nothing}
end

const defaults = Settings(Dict{Symbol,String}(), nothing, nothing)

same_function(a::Rho, b::Rho) = a.f === b.f
same_function(a, b) = a === b
Base.:(==)(a::Settings, b::Settings) =
    a.params == b.params && a.weights == b.weights && same_function(a.rho, b.rho)

# What a dataset is made or prepared for.
const calls_on_points = BMO_CALL_KNN | BMO_CALL_RADIUS | BMO_CALL_KMEANS | BMO_CALL_MEDOID | BMO_CALL_PREPARE

# Settings that go on from others, with the keywords that were given, each of which counts in one of the calls.
function resolve(base::Settings, keywords, calls)
    isempty(keywords) && return base
    params, weights, rho = copy(base.params), base.weights, base.rho
    for (name, value) in keywords
        if name === :weights && takes_weights(calls)
            weights = weights_of(value)
        elseif name === :metric
            rho = set_metric!(params, value, haskey(keywords, :p))
            is_weighted(value) && (weights = weights_of_metric(value, haskey(keywords, :weights)))
        else
            haskey(table, name) || refuse_unknown(name, calls)
            params[name] = text_of(value, name)
        end
    end
    settings = Settings(params, weights, rho)
    config_of(settings) # refuses what is out of its range
    check_use(params, keys(keywords), calls)
    settings
end

# Refuses what was given and does not count. What else a dataset has is for all of its calls; the choices in it decide what
# counts.
function check_use(params, given, calls)
    config = new_config()
    for (name, value) in params
        name in given || table[name].type === :choice && counts(table[name], calls) || continue
        set_text(config, name, value)
    end
    check(@libbmo bmo_config_check(config::Ptr{Cvoid}, calls::UInt32)::Int32)
end

takes_weights(calls) = calls != BMO_CALL_ARMS

# The keywords that are no parameters, where the call at hand does not take them.
const takers = Dict{Symbol,String}(
    :mmap => "Dataset(path; mmap=true) takes it, for a file",
    :copy => "Dataset(X; copy=true) takes it, for a matrix",
    :progress => "Dataset(path), prepare(), subset(), save() and the searches take it",
    :stats => "the searches, kmeans(), medoid() and best_arms() take it",
    :subset => "knngraph() and rangegraph() take it",
    :max_distance => "knn(), knn_matrix(), knn!() and knngraph() take it",
    :max_pairs => "BMO.inrange() and rangegraph() take it",
    :row_stats => "knn(), knn_matrix(), knn!() and knngraph() take it",
    :done => "knn!() takes it",
    (name => "knn(), knn_matrix(), knn!(), knngraph(), BMO.inrange() and rangegraph() take it" for name in (:candidates, :labels, :label_rule))...,
    :query_labels => "knn(), knn_matrix(), knn!() and BMO.inrange() take it",
    :transpose => "Dataset(path; transpose=true) takes it, for a file",
    :max_iter => "kmeans() takes maxiter",
    (name => "kmeans() takes it" for name in (:init, :n_init, :maxiter, :tol))...,
    (name => "best_arms() takes it" for name in (:exact_cost, :maximize, :bounds))...,
)

function refuse_unknown(name, calls)
    haskey(takers, name) && refuse(string(name), "there is no parameter ", name, " here: ", takers[name])
    refuse(string(name), "there is no parameter ", name, "; expected one of ", join(known_parameters(calls), ", "))
end

known_parameters(calls) =
    sort!([[name for (name, param) in table if counts(param, calls)]; takes_weights(calls) ? [:weights] : Symbol[]])

weights_of(::Nothing) = nothing
weights_of(weights::AbstractVector{<:Real}) = isempty(weights) ?
    refuse("weights", "weights is empty; expected nothing, or one a coordinate") : Vector{Float64}(weights)
weights_of(weights) = refuse("weights", "weights is a ", brief(typeof(weights)), "; expected a vector of numbers, one a coordinate")

text_of(value::Union{Symbol,AbstractString}, name) = string(value)
text_of(value::Integer, name) = string(value)
text_of(value::Real, name) = isinteger(value) && abs(value) < 2.0^53 ? string(Int64(value)) : string(Float64(value))
text_of(value, name) = refuse(string(name), name, " is ", brief(value), "; expected a number, a symbol or a text")

# Distances.jl need not be there: its metrics are known by its identity, and by the names of its types.
const distances_package = Base.PkgId(Base.UUID("b4f34e82-e78d-54a5-968a-f98e89d6e8f7"), "Distances")

name_of_object(metric) = Base.PkgId(Base.moduleroot(parentmodule(typeof(metric)))) == distances_package ?
    get(metrics_of_objects, nameof(typeof(metric)), nothing) : nothing

const metrics_of_objects = Dict{Symbol,String}(:Euclidean => "l2", :SqEuclidean => "sqeuclidean", :Cityblock => "l1",
                                               :Minkowski => "lp", :CosineDist => "cosine", :WeightedEuclidean => "l2",
                                               :WeightedSqEuclidean => "sqeuclidean", :WeightedCityblock => "l1",
                                               :WeightedMinkowski => "lp")

# Of Distances.jl: they have their weights.
is_weighted(metric) = name_of_object(metric) !== nothing && startswith(string(nameof(typeof(metric))), "Weighted")

function weights_of_metric(metric, weights_given)
    weights_given && refuse("weights", "weights were given twice: beside, and in the metric ", brief(metric))
    weights_of(metric.weights)
end

function set_metric!(params, metric::Union{Symbol,AbstractString}, ::Bool)
    string(metric) == "custom" && refuse("metric", "metric is custom; expected in its place the function (j, a, b) -> distance")
    params[:metric] = string(metric)
    nothing
end

function set_metric!(params, metric::Function, ::Bool)
    params[:metric] = "custom"
    Rho(metric)
end

function set_metric!(params, metric, p_given::Bool)
    name = name_of_object(metric)
    name === nothing && refuse("metric", "metric is ", brief(metric), "; expected a name (", known_metrics(), "), an object of Distances.jl of type ",
                               join(sort!(collect(keys(metrics_of_objects))), ", "), ", or a function")
    params[:metric] = name
    if name == "lp"
        p_given && refuse("p", "p was given twice: beside, and in the metric ", brief(metric))
        params[:p] = text_of(metric.p, :p)
    end
    nothing
end

known_metrics() = join(filter(!=(:custom), sort!(collect(values(choice_names[:metric])))), ", ")

new_config() = ConfigHandle(nothing, out -> check(@libbmo bmo_config_create(out::Ptr{Ptr{Cvoid}})::Int32))

function config_of(settings::Settings)
    config = new_config()
    for (name, value) in settings.params
        set_text(config, name, value)
    end
    set_weights(config, settings.weights)
    set_rho(config, settings.rho)
    config
end

function set_text(config, name, value)
    known = string(name)
    for text in (known, value)
        '\0' in text && refuse(known, known, " is ", brief(value), "; expected a text without NUL")
    end
    check(@libbmo bmo_config_set_text(config::Ptr{Cvoid}, known::Cstring, value::Cstring)::Int32)
end

set_weights(config, ::Nothing) = nothing
set_weights(config, weights) =
    check(@libbmo bmo_config_set_weights(config::Ptr{Cvoid}, weights::Ptr{Float64}, length(weights)::Int64)::Int32)

# A seed that is no parameter of the query: prepared points leave it free.
seed_of(::Nothing) = nothing
seed_of(seed) = Ref(integer_of(:seed, text_of(seed, :seed)))
seed_pointer(::Nothing) = Ptr{Int64}(C_NULL)
seed_pointer(seed) = Base.unsafe_convert(Ptr{Int64}, seed)

# What libbmo reads a text as: an integer, or the number of a choice.
function integer_of(name, text)
    config, value = new_config(), Ref{Int64}(0)
    set_text(config, name, text)
    check(@libbmo bmo_config_get_i64(config::Ptr{Cvoid}, table[name].id::Int32, value::Ptr{Int64})::Int32)
    value[]
end

# Whatever is made with the config has the Rho among its roots.
set_rho(config, ::Nothing) = nothing
function set_rho(config, rho::Rho)
    owner = filled(COwner, 0, C_NULL, pointer_from_objref(rho))
    check(@libbmo bmo_config_set_rho(config::Ptr{Cvoid}, rho_pointer()::Ptr{Cvoid}, 0::UInt32, owner::Ptr{COwner})::Int32)
end
