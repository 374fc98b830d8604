# Sparse points: a SparseMatrixCSC as it is; its adjoint has the points in rows.

struct SparsePoints
    memory::SparseMatrixCSC
    points_in_rows::Bool
end

const Turned = Union{Adjoint{<:Any,<:SparseMatrixCSC},Transpose{<:Any,<:SparseMatrixCSC}}

points_of(x::SparseMatrixCSC, what) = SparsePoints(readable(whole(x, what), what), false)
points_of(x::Turned, what) = SparsePoints(readable(whole(parent(x), what), what), true)
points_of(x::SparseVector, what) =
    points_of(SparseMatrixCSC(length(x), 1, [1, length(x.nzval) + 1], x.nzind, x.nzval), what)

# Views of sparse matrices and of their adjoints, and adjoints of views, stay sparse.
const SparseView = SubArray{<:Any,2,<:SparseMatrixCSC}
const TurnedView = SubArray{<:Any,2,<:Turned}
const ViewTurned = Union{Adjoint{<:Any,<:SparseView},Transpose{<:Any,<:SparseView}}

picked(x) = parent(x)[parentindices(x)...]

points_of(x::SparseView, what) = points_of(picked(x), what)
points_of(x::ViewTurned, what) = points_of(transpose(picked(parent(x))), what)
points_of(x::TurnedView, what) = points_of(transpose(parent(parent(x))[reverse(parentindices(x))...]), what)
points_of(x::SubArray{<:Real,1,<:SparseMatrixCSC,<:Tuple{Any,Int}}, what) = points_of(picked(x), what)

# libbmo cannot know how long the vectors are.
function whole(x, what)
    length(x.colptr) == x.n + 1 ||
        refuse(what, what, ".colptr has length ", length(x.colptr), "; expected ", x.n + 1, ", the columns and 1")
    entries = min(length(x.rowval), length(x.nzval))
    1 <= x.colptr[end] <= entries + 1 ||
        refuse(what, what, ".colptr[", x.n + 1, "] is ", x.colptr[end], "; expected 1 to ", entries + 1, ", the entries and 1")
    x
end

# With values and indices of types that libbmo reads.
function readable(x::SparseMatrixCSC{T,I}, what) where {T<:Real,I<:Integer}
    values = T <: Native && isconcretetype(T) ? x.nzval : converted(x.nzval, what)
    indices = Vector{I === Int32 ? Int32 : Int64}
    I === eltype(indices) && values === x.nzval && return x
    SparseMatrixCSC(x.m, x.n, convert(indices, x.colptr), convert(indices, x.rowval), values)
end

readable(x::SparseMatrixCSC, what) =
    refuse(what, what, " has elements of type ", brief(eltype(x)), "; expected real numbers")

# What the points are: (coordinates, points).
Base.size(x::SparsePoints) = x.points_in_rows ? reverse(size(x.memory)) : size(x.memory)
Base.size(x::DensePoints) = (x.d, x.n)

function c_struct(x::SparsePoints)
    csc, (d, n) = x.memory, size(x)
    index = dtypes[eltype(csc.rowval)]
    filled(CSparse, x.points_in_rows ? BMO_COORDS_COMPRESSED : BMO_POINTS_COMPRESSED, 1, index, index,
           dtypes[eltype(csc.nzval)], n, d, csc.colptr[end] - 1, pointer(csc.colptr), pointer(csc.rowval), pointer(csc.nzval))
end

create(x::SparsePoints, out, flags) = GC.@preserve x begin
    @libbmo bmo_dataset_sparse(out::Ptr{Ptr{Cvoid}}, c_struct(x)::Ptr{CSparse}, flags::UInt32, C_NULL::Ptr{Cvoid},
                               C_NULL::Ptr{Cvoid})::Int32
end

search(x::SparsePoints, query, k, out, monitor, stats) = GC.@preserve x begin
    @libbmo bmo_query_knn_sparse(query::Ptr{Cvoid}, c_struct(x)::Ptr{CSparse}, k::Int64, out::Ptr{COutput},
                                 monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32
end

radius_search(x::SparsePoints, query, limits, out, monitor, stats) = GC.@preserve x begin
    @libbmo bmo_query_radius_sparse(query::Ptr{Cvoid}, c_struct(x)::Ptr{CSparse}, limits::Ptr{CLimits}, out::Ptr{Ptr{Cvoid}},
                                   monitor::Ptr{CMonitor}, stats::Ptr{CStats})::Int32
end
