# What comes of call(progress) where Ctrl-C is pressed as soon as it reports progress.
function interrupted(call)
    pressed = Ref(false)
    function press(_...)
        pressed[] || ccall(:kill, Cint, (Cint, Cint), getpid(), Base.SIGINT)
        pressed[] = true
    end
    caught(() -> call(press))
end
