# What libbmo made, freed when nothing refers to it any more, or before by close!(); `roots` is Julia's memory that it
# refers to.
mutable struct Handle{Kind}
    pointer::Ptr{Cvoid}
    roots::Any
    lock::Threads.SpinLock # of the two below
    users::Int             # the calls that run with it, after the last of which what was closed is freed
    closed::Bool
    bytes::Int             # of libbmo, as count_owned!() has them

    function Handle{Kind}(roots, create) where {Kind}
        handle = finalizer(free!, new{Kind}(C_NULL, roots, Threads.SpinLock(), 0, false, 0))
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
const NeighborsHandle = Handle{:Neighbors}

release(handle::DatasetHandle) = @libbmo bmo_dataset_free(handle.pointer::Ptr{Cvoid})::Cvoid
release(handle::QueryHandle) = @libbmo bmo_query_free(handle.pointer::Ptr{Cvoid})::Cvoid
release(handle::ConfigHandle) = @libbmo bmo_config_free(handle.pointer::Ptr{Cvoid})::Cvoid
release(handle::NeighborsHandle) = @libbmo bmo_neighbors_free(handle.pointer::Ptr{Cvoid})::Cvoid

function free!(handle::Handle)
    release(handle)
    handle.pointer, handle.roots = C_NULL, nothing
    Threads.atomic_sub!(owned, handle.bytes)
    handle.bytes = 0
end

# Runs use(), and until it returns close!() does not free what the handle stands for.
function holding(use, handle)
    hold!(handle)
    try
        use()
    finally
        drop!(handle)
    end
end

function hold!(handle::Handle{Kind}) where {Kind}
    lock(handle.lock) do
        handle.users += !handle.closed
        handle.closed
    end && refuse("ds", "the ", Kind, " was closed")
    handle
end

function drop!(handle)
    lock(handle.lock) do
        handle.users -= 1
        handle.closed && handle.users == 0
    end && free!(handle)
end

function close!(handle)
    lock(handle.lock) do
        was_closed, handle.closed = handle.closed, true
        !was_closed && handle.users == 0
    end && free!(handle)
    nothing
end

# A ccall keeps the handle itself alive, as what cconvert() returned.
Base.cconvert(::Type{Ptr{Cvoid}}, handle::Handle) = handle
function Base.unsafe_convert(::Type{Ptr{Cvoid}}, handle::Handle{Kind}) where {Kind}
    handle.pointer != C_NULL && return handle.pointer
    refuse("ds", "the ", Kind, " was finalized, or comes from another process: make it anew")
end
