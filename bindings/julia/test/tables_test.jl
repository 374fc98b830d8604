# A table of a type of its own, as a DataFrame is.
struct Frame
    names::Vector{Symbol}
    columns::Vector
end
Tables.istable(::Type{Frame}) = true
Tables.columns(frame::Frame) = frame
Tables.columnnames(frame::Frame) = frame.names
Tables.getcolumn(frame::Frame, name::Symbol) = frame.columns[findfirst(==(name), frame.names)]

frame_of(X, T=Float64) = Frame([Symbol("x$j") for j in axes(X, 1)], [T.(X[j, :]) for j in axes(X, 1)])
column_table(X) = (; (Symbol("x$j") => X[j, :] for j in axes(X, 1))...)
row_table(X) = [(; (Symbol("x$j") => X[j, i] for j in axes(X, 1))...) for i in axes(X, 2)]

case("rows of a table are points, as data and as queries") do
    X, Q = clusters(4, 40), clusters(4, 5; seed=2)
    wanted, graph = brute(X, Q, 3, :l1), brute_graph(X, 3, :l1)
    for table in (frame_of, column_table, row_table), ds in (surely(table(X); metric=:l1), surely(table(X); metric=:l1, copy=true))
        @test size(ds) == (4, 40) && BMO.points(ds, :) == X
        @test agree(knngraph(ds, 3), graph)
        @test agree(knn_matrix(ds, table(Q), 3), wanted) && knn(ds, table(Q), 3) == knn(ds, Q, 3)
        @test BMO.inrange(ds, table(Q), 20) == BMO.inrange(ds, Q, 20)
        @test agree(knn!(zeros(Int, 3, 5), zeros(3, 5), ds, table(Q), 3), wanted)
    end
    @test agree(knn_matrix(surely(sparse(X); metric=:l1), frame_of(Q), 3), wanted)
    @test size(Dataset((a=Float64[], b=Float64[]))) == (2, 0)
end

case("types of the columns of a table") do
    X = [mod(7i + 3j * j, 29) for j in 1:6, i in 1:20]
    for (T, stored) in (Float64 => Float64, Float32 => Float32, Float16 => Float16, Int8 => Int8, UInt8 => UInt8, Int64 => Float32,
                        BigInt => Float32, Rational{Int} => Float64, Union{Missing,Float32} => Float32, Union{Missing,Int64} => Float32,
                        Real => Float64, Any => Float64)
        ds = Dataset(Frame([Symbol("x$j") for j in 1:6], [Vector{T}(X[j, :]) for j in 1:6]))
        @test BMO.points(ds, :) == X && BMO.info(ds).type === stored
    end
    mixed = Dataset((a=Int8[-1, 2], b=UInt8[200, 3], c=Float32[0.5, 1], d=[2^40, 1], e=[true, false], f=1:2, g=Any[1, 2.5]))
    @test BMO.points(mixed, :) == [-1 2; 200 3; 0.5 1; 2.0^40 1; 1 0; 1 2; 1 2.5]
    columns = (a=[1.0, 2], b=[3.0, 4])
    ds = Dataset(columns)
    columns.a[1] = 9
    @test BMO.points(ds, [1]) == reshape([1.0, 3], :, 1)
end

case("tables that are no points") do
    refused(() -> Dataset((height=[1.0, 2], name=["a", "b"])), "X has \"a\" in the column name, row 1; expected real numbers")
    refused(() -> Dataset((a=[1, 2], b=[3, missing])), "X has missing in the column b, row 2; expected real numbers")
    refused(() -> Dataset((a=[1im, 2], b=[3, 4])), "X has 0 + 1im in the column a, row 1; expected real numbers")
    refused(() -> Dataset((a=[1.5, 2], b=[3, 2^60])), "X has $(2^60) in the column b; expected integers from -2^53 to 2^53")
    refused(() -> Dataset((a=[1, 2], b=[3])), "X has columns with 2 and 1 rows; expected as many in each")
    refused(() -> Dataset(NamedTuple()), "X has no columns; expected one or more, the coordinates")
    refused(() -> Dataset((a=[1, NaN], b=[3, 4])), "X: the value of point 2, coordinate 1 is nan; expected finite values"; status=:BMO_ENONFINITE)
    ds = Dataset((a=[1, 2], b=[3, 4]))
    refused(() -> knn(ds, (a=[1], b=["x"]), 1), "points has \"x\" in the column b, row 1; expected real numbers")
    refused(() -> knn(ds, (a=[1],), 1), "the points have 1 coordinates; expected 2, as many as those of the dataset")
    @test caught(() -> Dataset((height=[1.0, 2], name=["a", "b"]))).argument == "X"
    @test caught(() -> knn(ds, (a=[1], b=["x"]), 1)).argument == "points"
end

case("Tables.jl is found with and without the extension, and need not be there") do
    @test BMO.loaded_tables() === Tables && BMO.told_tables[] === (VERSION < v"1.9" ? nothing : Tables)
    Core.include(Module(), joinpath(@__DIR__, "..", "ext", "BMOTablesExt.jl"))
    @test BMO.told_tables[] === BMO.loaded_tables() === Tables
    script, project = "using BMO; try Dataset((a=[1.0, 2],)) catch failure; print(failure.message) end", dirname(@__DIR__)
    told = read(`$(Base.julia_cmd()) --startup-file=no --project=$project -e $script`, String)
    says(told, r"^X is a NamedTuple.*; expected a matrix with a point in each column, or a table with a point in each row$")
end
