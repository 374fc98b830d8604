# Arms that are lists of numbers from 0 to 1, of which samples are drawn.
function lists(seed, n, length)
    random = MersenneTwister(seed)
    [rand(random) .* rand(random, length) for _ in 1:n]
end

function pulling(lists)
    function (arms, m, stream, sum, sumsq)
        random = MersenneTwister(stream)
        for (i, arm) in enumerate(arms)
            samples = rand(random, lists[arm], m)
            sum[i], sumsq[i] = Base.sum(samples), Base.sum(abs2, samples)
        end
    end
end

average(values) = sum(values) / length(values)

case("the arms of least mean") do
    x = lists(1, 60, 5000)
    means, stats = average.(x), Ref{Stats}()
    arms, found, halfwidths = best_arms(pulling(x), arm -> means[arm], 60, 4; exact_cost=5000, bounds=(0, 1), delta=1e-6, stats=stats)
    @test sort(arms) == sort(sortperm(means)[1:4])
    @test all(abs.(found - means[arms]) .<= halfwidths .+ 1e-12)
    @test stats[].guarantee === :proven && stats[].coord_ops < stats[].coord_ops_brute == 60 * 5000
end

case("the arms of largest mean, computed") do
    x = lists(2, 20, 50)
    means = average.(x)
    arms, found, halfwidths = best_arms(pulling(x), arm -> means[arm], 20, 3; exact_cost=50, maximize=true, method=:exact)
    @test arms == sortperm(means; rev=true)[1:3] && found == means[arms] && halfwidths == zeros(3)
end

case("arms whose means cannot be computed") do
    x = [[0.0, 1, 1, 1], [0.0, 0, 0, 1], [1.0, 1, 1, 1]]
    arms, means, halfwidths = best_arms(pulling(x), nothing, 3, 1; bounds=(0, 1), delta=1e-6)
    @test arms == [2] && halfwidths[1] > 0 && abs(means[1] - 0.25) <= halfwidths[1]
    @test best_arms(pulling(x), nothing, 3, 1; bounds=(0, 1), delta=1e-6) == (arms, means, halfwidths)
end

case("arms that fail") do
    x = lists(3, 5, 20)
    fails(_...) = throw(KeyError(:mine))
    fine(arm) = average(x[arm])
    @test caught(() -> best_arms(fails, fine, 5, 1; exact_cost=20)) == KeyError(:mine)
    @test caught(() -> best_arms(pulling(x), fails, 5, 1; exact_cost=20, method=:exact)) == KeyError(:mine)
    for wrong in (() -> best_arms(pulling(x), arm -> NaN, 5, 1; exact_cost=20, method=:exact),
                  () -> best_arms(pulling(x), fine, 5, 1; exact_cost=20, bounds=(0, 1e-9)))
        @test caught(wrong).status === :BMO_ECALLBACK
    end
    refused(() -> best_arms(pulling(x), fine, 5, 0; exact_cost=20), "k is 0; expected 1 to 5, the arms")
    refused(() -> best_arms(pulling(x), fine, 5, 6; exact_cost=20), "k is 6; expected 1 to 5, the arms")
    refused(() -> best_arms(pulling(x), fine, 5, 1; exact_cost=-1), "exact_cost is -1; expected an integer from 0 to 18446744073709551615")
    refused(() -> best_arms(pulling(x), fine, big(2)^64, 1; exact_cost=20), r"^n is 18446744073709551616; expected an integer from")
    refused(() -> best_arms(pulling(x), fine, 5, 1; exact_cost=20, bounds=(2, 1)), "bounds[1] is 2 and bounds[2] 1; expected bounds[1] < bounds[2], at least one of them finite")
    refused(() -> best_arms(pulling(x), _ -> NaN, 5, 1; exact_cost=20), r"^exact says nan of arm [1-5]; expected a finite number"; status=:BMO_ECALLBACK)
    refused(() -> best_arms(pulling(x), fine, 5, 1; bounds=1), "bounds is 1; expected (lower, upper)")
    refused(() -> best_arms(pulling(x), fine, 5, 1; delta=0), r"^delta is ")
end

case("what best_arms does not take") do
    x = lists(4, 5, 20)
    search(; options...) = best_arms(pulling(x), nothing, 5, 1; bounds=(0, 1), options...)
    for option in ((weights=ones(5),), (mertic=:l1,))
        name = string(only(keys(option)))
        refused(() -> search(; option...), Regex("^there is no parameter $name; expected one of arms_per_round, .*, delta, .*, seed, sigma, uniform_pulls\$"))
    end
    refused(() -> search(metric=:l1), "metric is l1, which does not count in this call; expected none")
    refused(() -> search(threads=2), "threads is 2, which does not count in this call; expected none")
    refused(() -> search(arms_per_round=2, bandit=:lucb), "arms_per_round is 2, which does not count here; expected none, or bandit ucb")
    pulls = (init_pulls=8, pulls_per_round=8, max_pulls=1000, delta=0.1, epsilon=0.01, seed=1)
    for others in ((bandit=:lucb, confidence=:bernstein, method=:bandit), (bandit=:ucb, arms_per_round=2), (confidence=:subgaussian, sigma=1),
                   (method=:uniform, uniform_pulls=10))
        @test length(search(; pulls..., others...)[1]) == 1
    end
    refused(() -> best_arms(3, nothing, 5, 1), "pull is 3; expected a function (arms, m, stream, sum, sumsq)")
    refused(() -> best_arms(arms -> 0, nothing, 5, 1), r"^pull is .*; expected a function \(arms, m, stream, sum, sumsq\)$")
    refused(() -> best_arms(pulling(x), 3, 5, 1), "exact is 3; expected nothing or a function (arm)")
    refused(() -> search(method=:exact), "method is exact, but exact is not given")
    refused(() -> best_arms(pulling(x), nothing, 5, 1; confidence=:bernstein), r"bounded on both sides$")
end

case("Ctrl-C stops arms that are sampled for ever") do
    Base.exit_on_sigint(false)
    equal = [[0.0, 1.0], [0.0, 1.0]]
    @test interrupted(press -> best_arms(pulling(equal), nothing, 2, 1; progress=press)) isa InterruptException
end
