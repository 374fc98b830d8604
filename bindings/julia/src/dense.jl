# Dense points: where they lie, and copies of what libbmo cannot read.

struct DensePoints
    memory::Any # what holds the values
    dtype::Int32
    data::Ptr{Cvoid}
    n::Int
    d::Int
    point_stride::Int
    coord_stride::Int
    copied::Bool # memory is known to nobody else
end

# Base.strides() of an adjoint is newer than Julia 1.5, and that of a vector's adjoint is not there.
layout(x::StridedMatrix) = (x, strides(x))
layout(x::PermutedDimsArray{<:Any,2,<:Any,<:Any,<:StridedMatrix}) = (parent(x), strides(x))
layout(x::Union{Adjoint{<:Native,<:StridedMatrix},Transpose{<:Native,<:StridedMatrix}}) =
    (parent(x), reverse(strides(parent(x))))
layout(x::Union{Adjoint{<:Native,<:StridedVector},Transpose{<:Native,<:StridedVector}}) =
    (parent(x), (1, stride(parent(x), 1)))
layout(::AbstractMatrix) = nothing

function points_of(x::AbstractMatrix{<:Native}, what)
    check_axes(x, what)
    isconcretetype(eltype(x)) || return as_copied(points_of(converted(x, what), what))
    issparse(x) && return points_of(sparse(x), what)
    found = layout(x)
    if found === nothing || !is_readable(size(x), found[2])
        dense_points(Matrix(x), size(x), strides(Matrix{Bool}(undef, size(x))), true)
    else
        dense_points(found[1], size(x), found[2], false)
    end
end

function points_of(x::AbstractMatrix{<:Real}, what)
    check_axes(x, what)
    as_copied(points_of(converted(x, what), what))
end

points_of(x::AbstractMatrix, what) = refuse(what, what, " has elements of type ", brief(eltype(x)), "; expected real numbers")
points_of(x::AbstractVector{<:Real}, what) = points_of(reshape(x, :, 1), what)
points_of(x::AbstractVector{<:AbstractVector}, what) = points_of(columns_of(x, what), what)
points_of(x, what) = is_table(x) ? points_of_table(x, what) :
    refuse(what, what, " is a ", brief(typeof(x)), "; expected a matrix with a point in each column, or a table with a point in each row")

check_axes(x, what) = Base.has_offset_axes(x) &&
    refuse(what, what, " has the axes ", axes(x), "; expected rows and columns that are counted from 1")

is_readable(sizes, steps) = all((sizes .<= 1) .| (steps .>= 1))

function dense_points(memory, (d, n), (coord_stride, point_stride), copied)
    step(length, stride) = length <= 1 ? 0 : stride
    DensePoints(memory, dtypes[eltype(memory)], pointer(memory), n, d, step(n, point_stride), step(d, coord_stride), copied)
end

as_copied(x::DensePoints) =
    DensePoints(x.memory, x.dtype, x.data, x.n, x.d, x.point_stride, x.coord_stride, true)

as_copied(x) = x # libbmo copies sparse points

c_struct(x::DensePoints) = filled(CDense, x.dtype, x.data, x.n, x.d, x.point_stride, x.coord_stride)

create(x::DensePoints, out, flags) = GC.@preserve x begin
    @libbmo bmo_dataset_dense(out::Ptr{Ptr{Cvoid}}, c_struct(x)::Ptr{CDense}, flags::UInt32, C_NULL::Ptr{Cvoid},
                              C_NULL::Ptr{Cvoid})::Int32
end

search(x::DensePoints, query, k, out, monitor, stats) = GC.@preserve x begin
    @libbmo bmo_query_knn_dense(query::Ptr{Cvoid}, c_struct(x)::Ptr{CDense}, k::Int64, out::Ptr{COutput},
                                monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32
end

radius_search(x::DensePoints, query, limits, out, monitor, stats) = GC.@preserve x begin
    @libbmo bmo_query_radius_dense(query::Ptr{Cvoid}, c_struct(x)::Ptr{CDense}, limits::Ptr{CLimits}, out::Ptr{Ptr{Cvoid}},
                                   monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32
end

function columns_of(points, what)
    lengths = unique(length.(points))
    length(lengths) > 1 && refuse(what, what, " has points with ", join(lengths[1:2], " and "), " coordinates; expected as many in each")
    isempty(points) &&
        refuse(what, what, " has no points, so that the number of coordinates is not known; expected one or more, or a matrix")
    reduce(hcat, points)
end

# Values of other types become those that hold them exactly, where there is one.
native(::Type{<:Union{Float16,Int8,Int16,UInt16}}) = Float32
native(::Type{<:Integer}) = Int64
native(::Type{<:Real}) = Float64

function converted(x::AbstractArray{T}, what) where {T}
    check_integers(x, what)
    AbstractArray{native(T)}(x)
end

check_integers(::AbstractArray{<:AbstractFloat}, what, place="") = nothing
function check_integers(x, what, place="")
    at = findfirst(value -> value isa Integer && !(-2^53 <= value <= 2^53), x)
    at === nothing || refuse(what, what, " has ", brief(x[at]), place, "; expected integers from -2^53 to 2^53")
end
