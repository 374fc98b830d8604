# Memory of libbmo, which Julia's collector does not see: without a count of it, datasets that were dropped pile up.

const owned = Threads.Atomic{Int}(0)   # bytes of libbmo that the datasets have
const settled = Threads.Atomic{Int}(0) # those of them that the last collection left
const most_garbage = Ref(0)            # how much more there may be until the next

# A collection takes less time than libbmo took to make a gigabyte; a small machine has not so much to spare.
set_most_garbage!() = most_garbage[] = min(2^30, Int(Sys.total_memory()) ÷ 16)

function count_owned!(handle, bytes)
    handle.bytes = bytes
    before = Threads.atomic_add!(owned, bytes)
    Threads.atomic_min!(settled, before)
    before + bytes - settled[] > most_garbage[] && collect_garbage()
end

# What was dropped soon after it was made needs only the quick collection.
function collect_garbage()
    GC.gc(false)
    owned[] - settled[] > most_garbage[] ÷ 2 && GC.gc()
    settled[] = owned[]
end
