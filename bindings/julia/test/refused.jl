# What calls throw.
caught(call) = try call() catch failure; failure end

function refused(call, message; status=:BMO_EINVAL)
    failure = caught(call)
    @test failure isa BMOError
    failure isa BMOError || return
    @test failure.status === status
    says(failure.message, message)
end

says(text, expected::Regex) = @test occursin(expected, text)
says(text, expected) = @test text == expected
