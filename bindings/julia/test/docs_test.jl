# The examples of the docstrings: what follows `julia> ` is run, and shows what follows it.

docstrings() = [text for multi in values(Docs.meta(BMO)) for doc in values(multi.docs) for text in doc.text if text isa String]

# The example blocks of a docstring, as pairs of code and what it shows. Further lines of code are indented.
function examples(text)
    map(eachmatch(r"```jldoctest\n(.*?)```"s, text)) do block
        map(split(block[1], "julia> "; keepempty=false)) do step
            code = match(r"^.*(\n       .*)*", step).match
            code, strip(step[ncodeunits(code)+1:end])
        end
    end
end

function run_example(steps)
    place = Module()
    Core.eval(place, :(using BMO))
    for (code, wanted) in steps
        value = include_string(place, code)
        shown = value === nothing || endswith(rstrip(split(code, " #")[1]), ';') ? "" : repr("text/plain", value)
        shown == wanted || println("julia> $code\n$shown\nexpected: $wanted")
        @test shown == wanted
    end
end

case("examples of the documentation") do
    blocks = [block for text in docstrings() for block in examples(text)]
    @test length(blocks) >= 9
    foreach(run_example, blocks)
end

case("each exported name has a docstring") do
    for name in names(BMO)
        @test any(occursin(string(name), text) for text in docstrings())
        @test haskey(Docs.meta(BMO), Docs.Binding(BMO, name))
    end
end
