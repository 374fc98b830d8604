# The last searcher of a dataset, which serves the next search with the same settings.
mutable struct SearcherCache
    lock::ReentrantLock
    last::Any
end

"""
    Dataset(X; copy=false, parameters...)
    Dataset(path; mmap=false, transpose=false, progress=nothing, parameters...)
    Dataset(ds; parameters...)

Points to search, one a column of `X`: a `Matrix`, a view, an adjoint or any other `AbstractMatrix` of real numbers, or a
vector of points. Values of type `Float16`, `Float32`, `Float64`, `Int8` and `UInt8` (and `Bool`) with positive strides are used
where they are, without a copy, and kept alive: do not change them meanwhile, or say `copy=true`. Integers of 16 to 64 bits become
`Float32` where that is exact for each, else `Float64`. A `SparseMatrixCSC`, or the adjoint of one (with points in its rows), becomes
sparse points: libbmo copies its entries once. All values must be finite, integers within ±2^53.

A table of Tables.jl, such as a `DataFrame`, is copied: its rows are points, its columns coordinates, in the order that they
have. Each must be of numbers. Queries may be tables, too.

With a path: the points of a file, `.npy`, `.mtx`, `.csv`, `.tsv`, `.fvecs`, `.bvecs`, `.ivecs`, `.fbin`, `.u8bin` or `.i8bin`,
each also compressed with gzip, `.npz` (`FILE.npz:ARRAY` if it has several arrays), or `.bmo`, as [`BMO.save`](@ref) writes it. A point is a *row* of NumPy's array or of the MatrixMarket; with
`transpose=true` a column, and what was prepared is left out of a `.bmo`.
`mmap=true` maps a plain file into memory instead of reading it; the file must not change meanwhile. No file has the `metric`
and the other parameters, only a `.bmo` the box and the seed of what was prepared: name them again, also the `weights` that it
was prepared with, or the search is by the defaults.

With a dataset: the same points, and what was prepared, with other parameters. `close(ds)` frees a dataset early.

Parameters ([`BMO.params`](@ref)) hold for the searches on the dataset, unless these set them again: `metric`, as a symbol,
as an object of Distances.jl (`Euclidean()`, `SqEuclidean()`, `Cityblock()`, `Minkowski(p)`, `CosineDist()`), or as a function
`(j, a, b) -> distance` of coordinate `j` of a query `a` and a point `b`, whose sum over the coordinates is the distance;
`weights`, one a coordinate; `delta`, the probability that an answer is wrong; `seed`; `threads`; and more. Each must count in
some call on the dataset: `p` needs `metric=:lp`. A search refuses parameters of its own that do not count in it. For `progress`
see [`BMO.knn`](@ref).

```jldoctest
julia> X = UInt8[1 2 9; 1 3 9];

julia> ds = Dataset(X; metric=:l1)
Dataset of 3 points with 2 coordinates, dense UInt8

julia> size(ds)
(2, 3)

julia> ds = Dataset(Float32.(X'); metric=(j, a, b) -> j * abs(a - b));   # points are the rows of X

julia> idxs, dists = BMO.knn(ds, [1, 2, 9], 2);

julia> Tuple(dists)
(0.0, 2.0)

julia> using Tables # or DataFrames

julia> Dataset((height=[1.6, 1.7, 1.8], weight=[50, 65, 80]))
Dataset of 3 points with 2 coordinates, dense Float64
```
"""
struct Dataset
    handle::DatasetHandle
    settings::Settings
    cache::SearcherCache

    Dataset(handle::DatasetHandle, settings::Settings) =
        new(handle, settings, SearcherCache(ReentrantLock(), nothing))
end

function counted(ds::Dataset)
    count_owned!(ds.handle, Int(describe(ds.handle).bytes_owned))
    ds
end

function Dataset(X; copy::Bool=false, parameters...)
    X isa AbstractVector{<:Real} &&
        refuse("X", "X is a vector; expected a matrix: for a single point reshape(X, :, 1)")
    settings = resolve(defaults, parameters, calls_on_points)
    points = points_of(X, "X")
    flags = copy && !was_copied(points) ? BMO_COPY : BMO_BORROW
    handle = DatasetHandle(points, out -> check(create(points, out, flags), "X"))
    handle.roots = flags == BMO_BORROW && borrows(handle) ? points : nothing
    counted(Dataset(handle, settings))
end

function Dataset(ds::Dataset; parameters...)
    settings = resolve(ds.settings, parameters, calls_on_points)
    handle = holding(ds.handle) do
        DatasetHandle(ds.handle.roots, out -> check(
            @libbmo bmo_dataset_ref(out::Ptr{Ptr{Cvoid}}, ds.handle::Ptr{Cvoid})::Int32))
    end
    Dataset(handle, settings)
end

was_copied(points::DensePoints) = points.copied
was_copied(::SparsePoints) = false

function Dataset(path::AbstractString; mmap::Bool=false, transpose::Bool=false, progress=nothing, parameters...)
    settings = resolve(defaults, parameters, calls_on_points)
    check_path(path)
    flags = (mmap ? BMO_BORROW : BMO_COPY) | (transpose ? BMO_TRANSPOSE : UInt32(0))
    handle = DatasetHandle(nothing, out -> long_call(progress; data="path") do monitor
        @libbmo bmo_dataset_open(out::Ptr{Ptr{Cvoid}}, path::Cstring, flags::UInt32, monitor::Ptr{CMonitor})::Int32
    end)
    counted(Dataset(handle, settings))
end

"""
    prepare(ds; progress=nothing, parameters...) -> Dataset

A dataset of the same points that answers the same, several times sooner: it copies a part of the data into an order that
suits the search. It pays from a few dozen queries on. The parameters `box`, `seed` and `weights` of its searches must stay
those of the preparation, as they do where they are not given; the `seed` of [`BMO.kmeans`](@ref) and [`medoid`](@ref) is free.
`box=:rotated` is for points whose distances sit in few coordinates. `ds` stays as it is. The copy is memory of libbmo, which
`close` of the new dataset frees at once.

```jldoctest
julia> ds = prepare(Dataset(Float32[i * j % 7 / 2 for j in 1:1000, i in 1:100]); seed=1)
Dataset of 100 points with 1000 coordinates, dense Float32, prepared for the box dense with seed 1
```
"""
function prepare(ds::Dataset; progress=nothing, parameters...)
    settings = resolve(ds.settings, parameters, calls_on_points)
    config = config_of(settings)
    handle = holding(ds.handle) do
        DatasetHandle((ds.handle.roots, settings.rho), out -> long_call(progress) do monitor
            @libbmo bmo_dataset_prepare(out::Ptr{Ptr{Cvoid}}, ds.handle::Ptr{Cvoid}, config::Ptr{Cvoid},
                                        monitor::Ptr{CMonitor})::Int32
        end)
    end
    counted(Dataset(handle, settings))
end

"""
    BMO.subset(ds, points; progress=nothing) -> Dataset

Some points of `ds`, as a new dataset: its point `i` is point `points[i]` of `ds`. So you delete points, or search some of
them. `points` are indices, counted from 1, in any order; they may repeat. Or they are a `Bool` for each point of `ds`, and
those that are `true` count. The new dataset has the parameters of `ds`, and is prepared as `ds` is. It copies its points: it needs neither `ds` nor the matrix that `ds` uses.

```jldoctest
julia> ds = Dataset(UInt8[1 2 9; 1 3 9]);

julia> some = BMO.subset(ds, [3, 1])
Dataset of 2 points with 2 coordinates, dense UInt8

julia> Tuple(BMO.points(some, [1]))
(9.0, 9.0)

julia> size(BMO.subset(ds, 1:3 .!= 2))   # without point 2
(2, 2)
```
"""
function subset(ds::Dataset, points; progress=nothing)
    rows = rows_of(points, size(ds)[2], "points")
    handle = try
        holding(() -> chosen(ds.handle, rows, progress), ds.handle)
    catch failure
        failure isa BMOError && failure.status === :BMO_ENONFINITE && refuse_changed(ds, nothing, failure)
        rethrow()
    end
    counted(Dataset(handle, ds.settings))
end

# It has no roots: nothing of it is borrowed.
chosen(handle, rows, progress) = DatasetHandle(nothing, out -> long_call(progress) do monitor
    @libbmo bmo_dataset_subset(out::Ptr{Ptr{Cvoid}}, handle::Ptr{Cvoid}, rows::Ptr{Int64}, length(rows)::Int64,
                               monitor::Ptr{CMonitor})::Int32
end)

"""
    close(ds::Dataset)

Frees `ds`, its points as far as libbmo has copies of them, and what was prepared, as soon as the calls return that still run
with it; a later call is a [`BMOError`](@ref). What other datasets have stays: `Dataset(ds; ...)` of the same points,
`prepare(ds)`, and subsets. To close `ds` again does nothing, and `isopen(ds)` tells whether it was closed.

The collector frees a dataset that nothing refers to, too, but later: it runs at the latest where the datasets that were made
since it ran last hold a gigabyte in libbmo, or a sixteenth of the memory if that is less.

```jldoctest
julia> ds = Dataset([1 2; 3 4]);

julia> close(ds)

julia> ds
Dataset, closed
```
"""
function Base.close(ds::Dataset)
    lock(ds.cache.lock) do
        close!(ds.handle)
        last, ds.cache.last = ds.cache.last, nothing
        last === nothing || close!(last.handle)
    end
    nothing
end

Base.isopen(ds::Dataset) = !ds.handle.closed

# What it stands for does not change.
Base.deepcopy_internal(ds::Dataset, ::IdDict) = ds

check_path(path) = '\0' in path && refuse("path", "path is ", brief(path), "; expected a text without NUL")

"""
    BMO.save(path, ds; progress=nothing)

Writes the points of `ds`, and what was prepared, to a `.bmo` file, which `Dataset(path)` reads, and `Dataset(path; mmap=true)`
maps. Of the parameters of `ds` it has the box and the seed that the points were prepared with; name others again, such as the
`metric` and `weights`. The file appears under its name when it is complete; one that was there is replaced, or stays where
`save` fails.

```jldoctest
julia> path = joinpath(mktempdir(), "points.bmo");

julia> BMO.save(path, prepare(Dataset(Float32[i * j % 7 / 2 for j in 1:1000, i in 1:100]); seed=1))

julia> Dataset(path; mmap=true)
Dataset of 100 points with 1000 coordinates, dense Float32, prepared for the box dense with seed 1
```
"""
function save(path::AbstractString, ds::Dataset; progress=nothing)
    check_path(path)
    holding(ds.handle) do
        long_call(progress) do monitor
            @libbmo bmo_dataset_save(ds.handle::Ptr{Cvoid}, path::Cstring, monitor::Ptr{CMonitor})::Int32
        end
    end
    nothing
end

function describe(handle::DatasetHandle)
    info = blank(CDatasetInfo)
    holding(() -> check(@libbmo bmo_dataset_describe(handle::Ptr{Cvoid}, info::Ptr{CDatasetInfo})::Int32), handle)
    info[]
end

borrows(handle) = describe(handle).bytes_borrowed > 0

"""
    BMO.info(ds::Dataset) -> NamedTuple

What a dataset is: `sparse`, `type` of the values as stored, `n` points, `d` coordinates, `values` stored; the `box`, the
`metric` and the `seed` that it was prepared for (`nothing` where it was not, or for any); `bytes_owned` by libbmo and
`bytes_borrowed` from Julia or a file; `prepare_seconds`.

```jldoctest
julia> BMO.info(Dataset(zeros(Float32, 10, 3))).bytes_borrowed
120
```
"""
function info(ds::Dataset)
    told = describe(ds.handle)
    prepared = told.box != 0
    (sparse=told.kind == 2, type=stored_type(told.dtype), n=Int(told.n), d=Int(told.d), values=Int(told.nnz),
     box=prepared ? choice_name(:box, told.box) : nothing, seed=prepared ? Int(told.seed) : nothing,
     metric=told.metric == 0 ? nothing : choice_name(:metric, told.metric), bytes_owned=Int(told.bytes_owned),
     bytes_borrowed=Int(told.bytes_borrowed), prepare_seconds=told.prepare_ns / 1e9)
end

"`(coordinates, points)`, as of the matrix."
function Base.size(ds::Dataset)
    told = describe(ds.handle)
    (Int(told.d), Int(told.n))
end

function Base.show(io::IO, ds::Dataset)
    isopen(ds) || return print(io, "Dataset, closed")
    about = info(ds)
    print(io, "Dataset of ", about.n, about.n == 1 ? " point" : " points", " with ", about.d,
          about.d == 1 ? " coordinate, " : " coordinates, ", about.sparse ? "sparse " : "dense ", about.type)
    about.sparse && print(io, ", ", about.values, " values that are not 0")
    about.box === nothing || print(io, ", prepared for the box ", about.box, " with seed ", about.seed)
end

"""
    BMO.points(ds::Dataset, indices) -> Matrix{Float64}

The points of these indices, one a column; `:` stands for all, and of a `Bool` for each point those that are `true` count.
"""
points(ds::Dataset, indices) = coordinates_of(ds, rows_of(indices, size(ds)[2], "indices"))

function coordinates_of(ds, rows)
    coordinates = Matrix{Float64}(undef, size(ds)[1], length(rows))
    holding(ds.handle) do
        check(@libbmo bmo_dataset_copy_rows(ds.handle::Ptr{Cvoid}, rows::Ptr{Int64}, length(rows)::Int64,
                                            coordinates::Ptr{Float64})::Int32)
    end
    coordinates
end

# Indices of points as libbmo counts them.
function rows_of(indices, n, what)
    applicable(iterate, indices) && !(indices isa Union{Number,AbstractChar,AbstractString}) ||
        refuse(what, what, " is ", brief(indices), "; expected indices of points, 1 to ", n, ", or a Bool for each")
    for (position, index) in enumerate(indices)
        index isa Integer && !(index isa Bool) && 1 <= index <= n ||
            refuse(what, what, "[", position, "] is ", brief(index), "; expected the index of a point, 1 to ", n)
    end
    Int64[index - 1 for index in indices]
end

rows_of(::Colon, n, what) = collect(Int64, 0:n-1)

function rows_of(mask::AbstractVector{Bool}, n, what)
    length(mask) == n || refuse(what, what, " has ", length(mask), " values of type Bool; expected ", n, ", one a point")
    rows_of(findall(mask), n, what)
end
