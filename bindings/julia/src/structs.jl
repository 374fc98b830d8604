# The structs of bmo.h, field by field.

const BMO_OK = Int32(0)
const BMO_COPY = UInt32(0)
const BMO_BORROW = UInt32(1)
const BMO_TRANSPOSE = UInt32(2)
const BMO_POINTS_COMPRESSED = Int32(0)
const BMO_COORDS_COMPRESSED = Int32(1)
const BMO_ARMS_MAXIMIZE = UInt32(4)
const BMO_ARMS_BOUNDED = UInt32(8)
const BMO_CALL_KNN = UInt32(1)
const BMO_CALL_RADIUS = UInt32(2)
const BMO_CALL_KMEANS = UInt32(4)
const BMO_CALL_MEDOID = UInt32(8)
const BMO_CALL_ARMS = UInt32(16)
const BMO_CALL_PREPARE = UInt32(32)

struct CError
    struct_size::UInt32
    status::Int32
    row::Int64
    col::Int64
    callback_result::Int32
    reserved::Int32
    argument::Cstring
    message::Cstring
    marked::Cstring
end

struct CProgress
    struct_size::UInt32
    phase::Int32
    done::Int64
    total::Int64
end

struct CMonitor
    struct_size::UInt32
    interval_ms::Int32
    progress::Ptr{Cvoid}
    ctx::Ptr{Cvoid}
    cancel::Ptr{Cvoid}
end

struct CDense
    struct_size::UInt32
    dtype::Int32
    data::Ptr{Cvoid}
    n::Int64
    d::Int64
    point_stride::Int64
    coord_stride::Int64
end

struct CSparse
    struct_size::UInt32
    orientation::Int32
    index_base::Int32
    pointer_dtype::Int32
    index_dtype::Int32
    value_dtype::Int32
    n::Int64
    d::Int64
    nnz::Int64
    pointers::Ptr{Cvoid}
    indices::Ptr{Cvoid}
    values::Ptr{Cvoid}
end

struct COwner
    struct_size::UInt32
    reserved::UInt32
    release::Ptr{Cvoid}
    ctx::Ptr{Cvoid}
end

struct CDatasetInfo
    struct_size::UInt32
    kind::Int32
    box::Int32
    metric::Int32
    dtype::Int32
    reserved::Int32
    n::Int64
    d::Int64
    nnz::Int64
    seed::Int64
    bytes_owned::UInt64
    bytes_borrowed::UInt64
    prepare_ns::UInt64
end

struct CParamInfo
    struct_size::UInt32
    param::Int32
    type::Int32
    calls::UInt32
    name::Cstring
    choices::Cstring
    initial::Cstring
    summary::Cstring
    lower_f64::Float64
    upper_f64::Float64
    lower_i64::Int64
    upper_i64::Int64
end

struct COutput
    struct_size::UInt32
    index_base::Int32
    index_dtype::Int32
    distance_dtype::Int32
    index::Ptr{Cvoid}
    distance::Ptr{Cvoid}
    capacity::Int64
    query_stride::Int64
    rank_stride::Int64
    done::Ptr{Bool}
    row_stats::Ptr{Cvoid}
    limits::Ptr{Cvoid}
end

struct CLimits
    struct_size::UInt32
    reserved::UInt32
    max_distance::Ptr{Float64}
    max_distance_count::Int64
    max_pairs::Int64
    query_labels::Ptr{Int32}
    query_label_count::Int64
end

struct CCandidates
    struct_size::UInt32
    label_rule::Int32
    rows::Ptr{Int64}
    nrows::Int64
    mask::Ptr{UInt8}
    labels::Ptr{Int32}
end

struct CNeighborsView
    struct_size::UInt32
    reserved::UInt32
    queries::Int64
    pairs::Int64
    offset::Ptr{Int64}
    index::Ptr{Int64}
    distance::Ptr{Float64}
end

struct CStats
    struct_size::UInt32
    guarantee::Int32
    method::Int32
    box::Int32
    bandit::Int32
    confidence::Int32
    sampling::Int32
    threads::Int32
    assumption::Cstring
    reason::Cstring
    queries::UInt64
    arms::UInt64
    rounds::UInt64
    coord_ops_sampled::UInt64
    exact_evals::UInt64
    coord_ops::UInt64
    coord_ops_exact::UInt64
    coord_ops_brute::UInt64
    projection_ops::UInt64
    seed::Int64
    delta::Float64
    epsilon::Float64
    wall_ns::UInt64
    arms_pruned::UInt64
    neighbors::UInt64
end

struct CKMeans
    struct_size::UInt32
    init::Int32
    n_init::Int32
    reserved::Int32
    k::Int64
    max_iter::Int64
    tol::Float64
    centers::Ptr{Float64}
    centers_capacity::Int64
    labels::Ptr{Int32}
    inertia::Ptr{Float64}
    iterations::Ptr{Int64}
    seed::Ptr{Int64}
end

struct CMedoid
    struct_size::UInt32
    reserved::UInt32
    index::Int64
    mean_distance::Float64
    seed::Ptr{Int64}
end

struct CArms
    struct_size::UInt32
    flags::UInt32
    n::Int64
    ctx::Ptr{Cvoid}
    exact_cost::UInt64
    lower::Float64
    upper::Float64
    pull::Ptr{Cvoid}
    exact::Ptr{Cvoid}
end

struct CBest
    struct_size::UInt32
    reserved::UInt32
    k::Int64
    arm::Ptr{Int64}
    mean::Ptr{Float64}
    halfwidth::Ptr{Float64}
end

# A struct with its size as the first field, and zeros behind it.
function blank(::Type{T}) where {T}
    bytes = zeros(UInt8, sizeof(T))
    bytes[1:4] = reinterpret(UInt8, [UInt32(sizeof(T))])
    Ref(reinterpret(T, bytes)[1])
end

filled(::Type{T}, values...) where {T} = Ref(T(sizeof(T), values...))

const dtypes = Dict{Type,Int32}(Float32 => 1, Float64 => 2, UInt8 => 3, Bool => 3, Int32 => 4, Int64 => 5, Int8 => 6, Int16 => 7,
                                UInt16 => 8, UInt32 => 9, Float16 => 10)

dtype_name(dtype) = Symbol(unsafe_string(@libbmo bmo_dtype_name(dtype::Int32)::Cstring))

# The type of values as stored; the name of one that Julia does not have.
function stored_type(dtype)
    types = [T for (T, known) in dtypes if known == dtype && T !== Bool]
    isempty(types) ? dtype_name(dtype) : only(types)
end

# The types of values that libbmo reads where they are; a Bool is a byte.
const Native = Union{Float16,Float32,Float64,Bool,Int8,UInt8,Int16,UInt16,Int32,UInt32,Int64}
