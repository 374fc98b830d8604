# julia --project=bindings/julia bindings/julia/test/runtests.jl [FILE...]
# Runs the tests of these files, or all, and closes with "N passed, N failed".
push!(LOAD_PATH, joinpath(@__DIR__, "packages"))
using BMO
using BMO: kmeans, knn, knn!, nn, save, subset
using Distances
using LinearAlgebra
using Random
using SparseArrays
import Tables
using Test

const counts = Dict(:passed => 0, :failed => 0)

# case(name) do ... end: a set of tests that counts as one.
function case(body, name)
    try
        @testset "$name" begin
            body()
        end
        counts[:passed] += 1
    catch failure
        failure isa Test.TestSetException || rethrow()
        counts[:failed] += 1
    end
end

include("brute.jl")
include("refused.jl")
include("interrupted.jl")
const all_files = ["knn", "radius", "kinds", "tables", "subset", "candidates", "errors", "params", "stats", "memory", "tasks", "callbacks", "arms", "kmeans", "medoid", "files", "library", "docs"]
const files = isempty(ARGS) ? all_files : ARGS
for file in files
    seconds = @elapsed include("$(file)_test.jl")
    println("$file: $(round(seconds; digits=1)) s")
end
println("$(counts[:passed]) passed, $(counts[:failed]) failed")
exit(counts[:failed] == 0 ? 0 : 1)
