# The types of Distances.jl that the tests pass, for where that package is not at hand.
module Distances

export Chebyshev, Cityblock, CosineDist, Euclidean, Minkowski, SqEuclidean
export WeightedCityblock, WeightedEuclidean, WeightedMinkowski, WeightedSqEuclidean

struct Euclidean
    thresh::Float64
end
struct SqEuclidean
    thresh::Float64
end
Euclidean() = Euclidean(0)
SqEuclidean() = SqEuclidean(0)

struct Cityblock end
struct CosineDist end
struct Chebyshev end
struct Minkowski{T<:Real}
    p::T
end

struct WeightedEuclidean{W}
    weights::W
end
struct WeightedSqEuclidean{W}
    weights::W
end
struct WeightedCityblock{W}
    weights::W
end
struct WeightedMinkowski{W,T<:Real}
    weights::W
    p::T
end

end
