# What `using BMO` says in a process of its own.
function using_bmo(library)
    script = "using BMO; print(BMO.version())"
    project = dirname(@__DIR__)
    command = `$(Base.julia_cmd()) --startup-file=no --project=$project -e $script`
    errors = IOBuffer()
    told = withenv("BMO_LIBRARY" => library) do
        read(pipeline(ignorestatus(command); stderr=errors), String)
    end
    told, String(take!(errors))
end

case("the library is looked for in three places") do
    withenv("BMO_LIBRARY" => "/some/libbmo.so") do
        @test BMO.candidates() == ["/some/libbmo.so"]
    end
    for none in (nothing, "")
        withenv("BMO_LIBRARY" => none) do
            @test BMO.candidates() == filter(isfile, [BMO.in_tree()]) ∪ ["libbmo.so.0"]
        end
    end
    @test endswith(BMO.in_tree(), joinpath("build", "src", "libbmo.so"))
end

case("a missing library") do
    told, errors = using_bmo("/none/libbmo.so")
    @test told == ""
    @test occursin("libbmo was not found: could not load library \"/none/libbmo.so\"", errors)
    @test occursin("build it by `import Pkg; Pkg.build(\"BMO\")`, or set ENV[\"BMO_LIBRARY\"]", errors)
end

case("a library that is too old") do
    mktempdir() do directory
        source, old = joinpath(directory, "old.c"), joinpath(directory, "libbmo.so")
        write(source, "int bmo_version(void) { return 0; }\n")
        run(`cc -shared -fPIC -o $old $source`)
        told, errors = using_bmo(old)
        @test told == ""
        @test occursin(r"libbmo at .*libbmo.so is too old: it has no bmo_.*; expected libbmo 0.1.0 or newer", errors)
    end
end
