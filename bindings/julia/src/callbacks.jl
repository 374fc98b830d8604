# Calls of libbmo that take their time: what they report, and how they are stopped. libbmo calls back on the thread that
# made the call; no exception passes through its frames.

phase_name(phase) = Symbol(unsafe_string(@libbmo bmo_phase_name(phase::Int32)::Cstring))

mutable struct Report
    progress::Any # nothing, or a function of the phase, and of how much of it is done
    failure::Any  # what stopped the call
end

function report_progress(ctx::Ptr{Cvoid}, progress::Ptr{CProgress})::Int32
    report = unsafe_pointer_to_objref(ctx)::Report
    try
        Base.reenable_sigint() do
            GC.safepoint()
            tell(report.progress, unsafe_load(progress))
        end
        Int32(0)
    catch failure
        report.failure = failure
        Int32(1)
    end
end

check_progress(::Nothing) = nothing
check_progress(f) = applicable(f, :search, 0, 0) ||
    refuse("progress", "progress is ", brief(f), "; expected nothing or a function (phase, done, total)")

tell(::Nothing, ::CProgress) = nothing
tell(f, now::CProgress) = f(phase_name(now.phase), Int(now.done), Int(now.total))

# Runs call(monitor), which returns a status; `data` as in check(). Ctrl-C waits for the next report, which must not leave by an exception. The
# task stays on its thread, should a callback let others run.
function long_call(call, progress; data="ds")
    check_progress(progress)
    report = Report(progress, nothing)
    monitor = filled(CMonitor, 50, @cfunction(report_progress, Int32, (Ptr{Cvoid}, Ptr{CProgress})),
                     pointer_from_objref(report), C_NULL)
    task = current_task()
    sticky, task.sticky = task.sticky, true
    status = try
        GC.@preserve report Base.disable_sigint(() -> call(monitor))
    finally
        task.sticky = sticky
    end
    for failure in (report.failure, take_failure!())
        failure === nothing || throw(failure)
    end
    check(status, data)
end

# A function of the caller that libbmo calls: its exception stops the call, and is kept for it.
function guarded(f)
    try
        Base.reenable_sigint(f)
        Int32(0)
    catch failure
        task_local_storage(failure_key, failure)
        Int32(1)
    end
end

const failure_key = :BMO_failure_of_callback

function take_failure!()
    failure = get(task_local_storage(), failure_key, nothing)
    failure === nothing || delete!(task_local_storage(), failure_key)
    failure
end

# The coordinate distance of the metric custom.
mutable struct Rho
    f::Any
end

evaluate_rho(ctx::Ptr{Cvoid}, coord::Ptr{Int64}, count::Int64, a::Ptr{Float64}, b::Ptr{Float64}, out::Ptr{Float64})::Int32 =
    guarded(() -> evaluate_all((unsafe_pointer_to_objref(ctx)::Rho).f, coord, count, a, b, out))

function evaluate_all(f, coord, count, a, b, out)
    for i in 1:count
        rho = f(Int(unsafe_load(coord, i)) + 1, unsafe_load(a, i), unsafe_load(b, i))
        unsafe_store!(out, convert(Float64, rho), i)
    end
end

rho_pointer() = @cfunction(evaluate_rho, Int32,
                           (Ptr{Cvoid}, Ptr{Int64}, Int64, Ptr{Float64}, Ptr{Float64}, Ptr{Float64}))
