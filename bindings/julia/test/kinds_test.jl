# Every kind of matrix, and of value, gives what its values say.

const kinds_values = [mod(7i + 3j * j, 29) + (i % 5 == 0 ? 64 : 0) for j in 1:300, i in 1:60]

function same_values(@nospecialize(X), values=kinds_values; sparse=false, borrowed=nothing, type=nothing)
    ds = surely(X; metric=:l1)
    about = BMO.info(ds)
    @test (about.n, about.d, about.sparse) == (size(values, 2), size(values, 1), sparse)
    borrowed === nothing || @test (about.bytes_borrowed > 0) == borrowed
    type === nothing || @test about.type == type
    @test BMO.points(ds, axes(values, 2)) == values
    k = min(3, size(values, 2) - 1)
    @test agree(knngraph(ds, k; method=:bandit), brute_graph(values, k, :l1))
    @test agree(knn_matrix(ds, X, 2; metric=:cosine), brute(values, values, 2, :cosine))
    @test agree(knn_matrix(surely(values), X, 2), brute(values, values, 2, :l2))
end

case("types of values") do
    for T in (Float16, Float32, Float64, UInt8)
        same_values(T.(kinds_values); borrowed=true, type=T)
        same_values(Dataset(T.(kinds_values); copy=true); type=T)
    end
    same_values(kinds_values; borrowed=false, type=Float32)
    for T in (Int16, UInt16, Int32, UInt32)
        same_values(T.(kinds_values); borrowed=false, type=Float32)
    end
    same_values(Int8.(kinds_values .- 50), kinds_values .- 50; borrowed=true, type=Int8)
    same_values(kinds_values .> 20, kinds_values .> 20) # a BitMatrix
    same_values(Matrix(kinds_values .> 20), kinds_values .> 20; borrowed=true, type=UInt8)
    for T in (Int128, BigInt, Rational{Int}, BigFloat)
        small = kinds_values .÷ 8
        same_values(T.(small), small)
    end
end

case("types of values that are not concrete") do
    pairs = Dict(Union{Float32,Float64} => (Float32, Float64), Union{Int32,Int64} => (Int32, Int64), Real => (Int64, Float64),
                 Union{UInt8,Float64} => (UInt8, Float64), Integer => (UInt8, Int64), AbstractFloat => (Float32, Float64))
    csc = sparse(kinds_values')
    for (T, pair) in pairs
        mixed(values) = T[isodd(i) ? pair[1](x) : pair[2](x) for (i, x) in enumerate(values)]
        same_values(reshape(mixed(kinds_values), 300, 60), kinds_values)
        same_values(reshape(mixed(kinds_values'), 60, 300)', kinds_values)
        same_values(SparseMatrixCSC(60, 300, csc.colptr, csc.rowval, mixed(csc.nzval))', kinds_values; sparse=true)
    end
    same_values(Symmetric(sparse(Float16[1 2; 2 5])), [1 2; 2 5]; sparse=true)
end

case("views, adjoints and other arrays") do
    X = Float64.(kinds_values)
    large = zeros(310, 130)
    large[6:305, 5:2:123] = X
    same_values(view(large, 6:305, 5:2:123); borrowed=true)
    spread = zeros(600, 60)
    spread[2:2:600, :] = X
    same_values(view(spread, 2:2:600, :); borrowed=true)
    same_values(Matrix(X')'; borrowed=true)
    same_values(transpose(Matrix(X')); borrowed=true)
    same_values(view(Matrix(X'), :, :)'; borrowed=true)
    same_values(PermutedDimsArray(Matrix(X'), (2, 1)); borrowed=true)
    same_values(reshape(vec(X), 300, 60); borrowed=true)
    same_values(reinterpret(Float64, reinterpret(UInt64, X)))
    same_values(view(X[end:-1:1, end:-1:1], 300:-1:1, 60:-1:1))
    same_values(view(X, collect(1:300), :))
    same_values([X[:, i] for i in 1:60])
    same_values(Symmetric(X[1:60, 1:60]), Matrix(Symmetric(X[1:60, 1:60])))
    same_values(UpperTriangular(X[1:60, 1:60]), triu(X[1:60, 1:60]))
    row = Float64[5 3 9 1 1 2]
    same_values(row, row)
    same_values(vec(row)', row; borrowed=true)
    same_values(view(vec(row), 1:2:5)', row[:, 1:2:5]; borrowed=true)
end

# A matrix that has no more than it must.
struct Bare{T} <: AbstractMatrix{T}
    values::Matrix{T}
    first::Tuple{Int,Int}
end
Bare(values) = Bare(values, (1, 1))
Base.size(x::Bare) = size(x.values)
Base.axes(x::Bare) = x.first == (1, 1) ? axes(x.values) : map((n, i) -> Base.IdentityUnitRange(i:i+n-1), size(x.values), x.first)
Base.getindex(x::Bare, i::Int, j::Int) = x.values[i - x.first[1] + 1, j - x.first[2] + 1]

case("matrices of every kind, as data and as queries") do
    X = Float64.(kinds_values[1:9, 1:8])
    square, bits, thin = X[1:8, :], X .> 20, sparse(X .* (X .> 20))
    for (points, is_sparse) in (
        reshape(1:24, 4, 6) => false, reshape(1:24, 6, 4)' => false, reshape(0.5:0.5:12, 4, 6) => false, view(reshape(1:24, 6, 4), 1:2:6, :) => false,
        (1:5)' => false, transpose([4.0, 2, 9]) => false, view(X, 2, 1:2:7)' => false, BitVector([1, 0, 1])' => false,
        PermutedDimsArray(X, (1, 2)) => false, PermutedDimsArray(view(X, 1:2:9, :), (2, 1)) => false, PermutedDimsArray(PermutedDimsArray(X, (2, 1)), (2, 1)) => false,
        PermutedDimsArray(X, (2, 1))' => false, view(PermutedDimsArray(X, (2, 1)), 2:5, :) => false, PermutedDimsArray(thin, (2, 1)) => false,
        view(view(X, 2:7, :), :, [1, 3]) => false, reshape(view(X, 1:2:7, :), 8, 4) => false, view(X, X[:, 1] .> 10, :) => false,
        reinterpret(Float32, UInt32.(X)) => false,
        Diagonal(1.0:6) => false, Diagonal([1, 2, 3])' => false, view(Diagonal([1.0, 2, 3]), :, 2:3) => false, Diagonal(Float32[2, 1]) => false,
        Bidiagonal(1.0:4, 1.0:3, :U) => false, Tridiagonal([1.0, 2], [3.0, 4, 5], [6.0, 7]) => false, SymTridiagonal([1.0, 2, 3], [4.0, 5]) => false,
        Symmetric(Int.(square)) => false, Symmetric(UInt8.(square))' => false, Hermitian(square) => false, UnitLowerTriangular(Float32.(square)) => false,
        UpperTriangular(square)' => false, Symmetric(thin[1:8, :]) => true, LowerTriangular(thin[1:8, :]) => true,
        bits => false, bits' => false, view(bits, 2:5, :) => false, PermutedDimsArray(bits, (2, 1)) => false,
        view(thin, [2, 5, 1], [6, 1]) => true, view(thin .> 0, :, 2:4) => true, view(thin', [3, 1], :) => true, transpose(view(thin, 2:5, :)) => true,
        reshape(thin, 8, 9) => false, Bare(X) => false, Bare(X)' => false, Bare(Int.(X)) => false)
        values, ds = [points[i, j] for i in axes(points, 1), j in axes(points, 2)], Dataset(points)
        @test BMO.points(ds, :) == values && BMO.info(ds).sparse == is_sparse
        @test knn(ds, points, 1; metric=:l1) == knn(Dataset(values), values, 1; metric=:l1)
    end
    for points in (Bare(X, (0, -3)), Bare(Int.(X), (0, -3)), Bare(X, (0, -3))')
        refused(() -> Dataset(points), r"^X has the axes .*; expected rows and columns that are counted from 1$")
        refused(() -> knn(Dataset(X), points, 1), r"^points has the axes")
    end
end

case("sparse") do
    values = [x > 24 ? x : 0 for x in kinds_values]
    values[:, 7] .= 0
    X = sparse(values)
    for T in (Float64, Float32, UInt8, Int8, UInt16, Int16, UInt32, Int64, Int32, Float16, BigInt)
        same_values(T.(X), values; sparse=true)
    end
    same_values(X .> 24, values .> 24; sparse=true)
    same_values(SparseMatrixCSC{Float64,Int32}(X), values; sparse=true, borrowed=false)
    same_values(SparseMatrixCSC{Float64,UInt16}(X), values; sparse=true)
    same_values(sparse(values')', values; sparse=true)
    same_values(transpose(sparse(Float32.(values'))), values; sparse=true)
    same_values(surely(X), values; sparse=true)
    @test knn(surely(X), X[:, 3], 1)[1] == [3]
    @test knn(surely(Float64.(values)), X[:, 3], 1) == ([3], [0.0])
    empty = Dataset(spzeros(5, 3))
    @test knngraph(empty, 2) == ([2 1 1; 3 3 2], zeros(2, 3))
end

case("views of sparse matrices stay sparse") do
    X = sparse([x > 24 ? x : 0 for x in kinds_values])
    turned = sparse(X')
    for (points, values) in ((view(X, :, 11:40), X[:, 11:40]), (view(X, 1:200, 60:-1:1), X[1:200, 60:-1:1]),
                             (view(X, :, [5, 3, 9]), X[:, [5, 3, 9]]), (view(turned', :, 2:30), X[:, 2:30]),
                             (view(turned, 2:30, :)', X[:, 2:30]), (transpose(view(Float32.(turned), 2:30, 1:9)), X[1:9, 2:30]))
        same_values(points, Matrix(values); sparse=true)
    end
    same_values(Dataset(view(X, :, :)), Matrix(X); sparse=true)
    @test BMO.points_of(view(X, :, 7), "points") isa BMO.SparsePoints
    @test knn(surely(X), view(X, :, 7), 2) == knn(surely(X), X[:, 7], 2)
end

case("what cannot be read where it lies is copied") do
    X = clusters(30, 20)
    for points in (view(X, 30:-1:1, :), view(X, [1:30;], :), view(X', 20:-1:1, :)')
        wanted = brute_graph(copy(points), 2, :l2)
        ds = surely(points)
        saved = copy(X)
        fill!(X, 0)
        @test agree(knngraph(ds, 2), wanted)
        X .= saved
    end
end

case("strided queries are read where they lie") do
    X = clusters(50, 40)
    large = zeros(60, 40)
    large[1:50, :] = X
    @test knn_matrix(surely(X), view(large, 1:50, 2:3:40), 3) == knn_matrix(surely(X), X[:, 2:3:40], 3)
    @test knn_matrix(surely(X), Matrix(X')', 3) == knn_matrix(surely(X), X, 3)
end
