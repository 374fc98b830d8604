# What libbmo made, freed when nothing refers to it any more; `roots` is Julia's memory that it refers to.
mutable struct Handle{Kind}
    pointer::Ptr{Cvoid}
    roots::Any

    function Handle{Kind}(roots, create) where {Kind}
        handle = finalizer(free!, new{Kind}(C_NULL, roots))
        out = Ref{Ptr{Cvoid}}(C_NULL)
        try
            create(out)
        finally # Ctrl-C may come between
            handle.pointer = out[]
        end
        handle
    end
end

const DatasetHandle = Handle{:Dataset}
const QueryHandle = Handle{:Query}
const ConfigHandle = Handle{:Config}

release(handle::DatasetHandle) = @libbmo bmo_dataset_free(handle.pointer::Ptr{Cvoid})::Cvoid
release(handle::QueryHandle) = @libbmo bmo_query_free(handle.pointer::Ptr{Cvoid})::Cvoid
release(handle::ConfigHandle) = @libbmo bmo_config_free(handle.pointer::Ptr{Cvoid})::Cvoid

function free!(handle::Handle)
    release(handle)
    handle.pointer = C_NULL
end

# A ccall keeps the handle itself alive, as what cconvert() returned.
Base.cconvert(::Type{Ptr{Cvoid}}, handle::Handle) = handle
function Base.unsafe_convert(::Type{Ptr{Cvoid}}, handle::Handle{Kind}) where {Kind}
    handle.pointer != C_NULL && return handle.pointer
    refuse(lowercase(string(Kind)), "the ", Kind, " was finalized, or comes from another process: make it anew")
end

# What it stands for does not change.
Base.deepcopy_internal(handle::Handle, ::IdDict) = handle
