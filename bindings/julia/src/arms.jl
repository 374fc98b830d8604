# What libbmo calls for arms of the caller's own.
struct Arms
    pull::Any
    exact::Any
end

pull_arms(ctx::Ptr{Cvoid}, arms::Ptr{Int64}, count::Int64, m::Int64, stream::UInt64, sum::Ptr{Float64}, sumsq::Ptr{Float64})::Int32 =
    guarded() do
        asked = unsafe_wrap(Vector{Int64}, arms, count) .+ 1
        arms_of(ctx).pull(asked, m, stream, unsafe_wrap(Vector{Float64}, sum, count), unsafe_wrap(Vector{Float64}, sumsq, count))
    end

exact_arm(ctx::Ptr{Cvoid}, arm::Int64, mean::Ptr{Float64})::Int32 =
    guarded(() -> unsafe_store!(mean, convert(Float64, arms_of(ctx).exact(arm + 1))))

arms_of(ctx) = unsafe_load(Ptr{Any}(ctx))::Arms

pull_pointer() = @cfunction(pull_arms, Int32,
                            (Ptr{Cvoid}, Ptr{Int64}, Int64, Int64, UInt64, Ptr{Float64}, Ptr{Float64}))
exact_pointer(::Nothing) = C_NULL
exact_pointer(_) = @cfunction(exact_arm, Int32, (Ptr{Cvoid}, Int64, Ptr{Float64}))

"""
    best_arms(pull, exact, n, k; exact_cost=0, maximize=false, bounds=nothing, stats=nothing, progress=nothing,
              parameters...) -> (arms, means, halfwidths)

The `k` of `n` arms with the least mean (`maximize=true`: the largest), best first, each a distribution that can be sampled:
their indices; their means, exact where they were computed, else of the samples; and how far off the true mean may be (0
where it is exact, infinite where nothing bounds it). They are right with probability at least `1 - delta` where the
`guarantee` of the [`Stats`](@ref) is `:proven`.

`pull(arms, m, stream, sum, sumsq)` draws `m` new independent samples of each of `arms`, and sets `sum[i]` to the sum of
those of `arms[i]`, and `sumsq[i]` to that of their squares; both vectors are valid during the call only. `stream` is another
`UInt64` at each call, and the same in the same search: a seed. `exact(arm)` is the mean itself, worth `exact_cost` samples:
an arm is computed rather than sampled further. `exact=nothing`: there is none, and arms are sampled until the best are told
apart, which equal ones never are; give an `epsilon` or `max_pulls`. `bounds=(lower, upper)`: no sample is outside; one may
be infinite. The parameters are those that count for arms ([`BMO.params`](@ref)): `delta`, `epsilon`, `bandit`, `confidence`, `sigma`,
`init_pulls`, `arms_per_round`, `pulls_per_round`, `max_pulls`, `uniform_pulls`, `method` and `seed`.

```jldoctest
julia> using Random

julia> chances = [0.5, 0.3, 0.6, 0.1, 0.8];

julia> function pull(arms, m, stream, sum, sumsq)
           random = MersenneTwister(stream)
           for (i, arm) in enumerate(arms)
               sum[i] = sumsq[i] = count(rand(random) < chances[arm] for _ in 1:m)
           end
       end;

julia> arms, means, halfwidths = best_arms(pull, nothing, 5, 2; bounds=(0, 1), delta=1e-6);

julia> Tuple(arms), all(abs.(means - chances[arms]) .<= halfwidths)
((4, 2), true)
```
"""
function best_arms(pull, exact, n::Integer, k::Integer; exact_cost::Integer=0, maximize::Bool=false, bounds=nothing,
                   stats=nothing, progress=nothing, parameters...)
    check_functions(pull, exact)
    check_stats(stats)
    check_progress(progress)
    n, k, exact_cost = fitting(Int64, n, "n"), fitting(Int64, k, "k"), fitting(UInt64, exact_cost, "exact_cost")
    config = config_of(resolve(defaults, parameters, BMO_CALL_ARMS))
    functions = Ref{Any}(Arms(pull, exact))
    ranks = 1 <= k <= n ? k : 0 # another k is libbmo's to refuse
    arms, means, halfwidths = zeros(Int64, ranks), zeros(ranks), zeros(ranks)
    told = blank(CStats)
    GC.@preserve functions arms means halfwidths begin
        asked = c_arms(functions, n, exact_cost, maximize, bounds)
        out = filled(CBest, 0, k, pointer(arms), pointer(means), pointer(halfwidths))
        long_call(progress) do monitor
            @libbmo bmo_best_arms(asked::Ptr{CArms}, config::Ptr{Cvoid}, out::Ptr{CBest}, monitor::Ptr{CMonitor},
                                  told::Ptr{CStats})::Int32
        end
    end
    fill_stats!(stats, told)
    arms .+ 1, means, halfwidths
end

function check_functions(pull, exact)
    applicable(pull, Int64[], Int64(1), UInt64(0), Float64[], Float64[]) ||
        refuse("pull", "pull is ", brief(pull), "; expected a function (arms, m, stream, sum, sumsq)")
    exact === nothing || applicable(exact, Int64(1)) ||
        refuse("exact", "exact is ", brief(exact), "; expected nothing or a function (arm)")
end

function c_arms(functions, n, exact_cost, maximize, bounds)
    lower, upper = bounds_of(bounds)
    flags = (maximize ? BMO_ARMS_MAXIMIZE : UInt32(0)) | (bounds === nothing ? UInt32(0) : BMO_ARMS_BOUNDED)
    ctx = Base.unsafe_convert(Ptr{Any}, functions)
    filled(CArms, flags, n, ctx, exact_cost, lower, upper, pull_pointer(), exact_pointer(functions[].exact))
end

bounds_of(::Nothing) = (0.0, 0.0)
bounds_of(bounds::Tuple{Real,Real}) = Float64.(bounds)
bounds_of(bounds) = refuse("bounds", "bounds is ", brief(bounds), "; expected (lower, upper)")
