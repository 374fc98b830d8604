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

# Settings that go on from others, with the keywords that were given.
function resolve(base::Settings, keywords)
    isempty(keywords) && return base
    params, weights, rho = copy(base.params), base.weights, base.rho
    for (name, value) in keywords
        if name === :weights
            weights = weights_of(value)
        elseif name === :metric
            rho = set_metric!(params, value, haskey(keywords, :p))
            is_weighted(value) && (weights = weights_of_metric(value, haskey(keywords, :weights)))
        else
            haskey(table, name) || refuse_unknown(name)
            params[name] = text_of(value, name)
        end
    end
    settings = Settings(params, weights, rho)
    config_of(settings) # refuses what is out of its range
    settings
end

# The keywords that are no parameters, where the call at hand does not take them.
const takers = Dict{Symbol,String}(
    :mmap => "Dataset(path; mmap=true) takes it, for a file",
    :copy => "Dataset(X; copy=true) takes it, for a matrix",
    :progress => "Dataset(path), prepare(), save() and the searches take it",
    :stats => "the searches, kmeans(), medoid() and best_arms() take it",
    :subset => "knngraph() and rangegraph() take it",
    :max_distance => "knn(), knn_matrix(), knn!() and knngraph() take it",
    :max_pairs => "BMO.inrange() and rangegraph() take it",
    :row_stats => "knn(), knn_matrix(), knn!() and knngraph() take it",
    :done => "knn!() takes it",
    :transpose => "Dataset(path; transpose=true) takes it, for a file",
    :max_iter => "kmeans() takes maxiter",
    (name => "kmeans() takes it" for name in (:init, :n_init, :maxiter, :tol))...,
    (name => "best_arms() takes it" for name in (:exact_cost, :maximize, :bounds))...,
)

function refuse_unknown(name)
    haskey(takers, name) && refuse(string(name), "there is no parameter ", name, " here: ", takers[name])
    refuse(string(name), "there is no parameter ", name, "; expected one of ", known_parameters())
end

known_parameters() = join(sort!([collect(keys(table)); :weights]), ", ")

weights_of(::Nothing) = nothing
weights_of(weights::AbstractVector{<:Real}) = Vector{Float64}(weights)
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

# Whatever is made with the config has the Rho among its roots.
set_rho(config, ::Nothing) = nothing
function set_rho(config, rho::Rho)
    owner = filled(COwner, 0, C_NULL, pointer_from_objref(rho))
    check(@libbmo bmo_config_set_rho(config::Ptr{Cvoid}, rho_pointer()::Ptr{Cvoid}, 0::UInt32, owner::Ptr{COwner})::Int32)
end
