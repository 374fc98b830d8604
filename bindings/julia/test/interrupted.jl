# As Ctrl-C does, some time after the call began.
interrupt_soon() = run(`sh -c "sleep 0.3; kill -INT $(getpid())"`; wait=false)

function interrupted(call)
    interrupt_soon()
    failure = nothing
    seconds = @elapsed failure = caught(call)
    failure, seconds
end
