# Finding libbmo, and calling it.

const oldest_version = v"0.1.0"
const library = Ref{Ptr{Cvoid}}(C_NULL)
const called = Symbol[] # the functions of libbmo that this package calls

# @libbmo bmo_name(argument::Type, ...)::Type is a call of libbmo.
macro libbmo(call)
    name = call.args[1].args[1]
    name in called || push!(called, name)
    call.args[1].args[1] = Expr(:$, :(Libdl.dlsym(library[], $(QuoteNode(name)))))
    esc(:(@ccall $call))
end

in_tree() = normpath(joinpath(@__DIR__, "..", "..", "..", "build", "src", "libbmo.so"))
made_by_pkg() = normpath(joinpath(@__DIR__, "..", "deps", "build", "src", "libbmo.so")) # by deps/build.jl

function candidates()
    asked = get(ENV, "BMO_LIBRARY", "")
    isempty(asked) || return [asked]
    [filter(isfile, [in_tree()]); "libbmo.so.0"; filter(isfile, [made_by_pkg()])]
end

function load_library()
    reasons = String[]
    for name in candidates()
        try
            return Libdl.dlopen(name)
        catch failure
            push!(reasons, sprint(showerror, failure))
        end
    end
    error("libbmo was not found: ", join(reasons, "; "), ". Install libbmo, or build it by `import Pkg; Pkg.build(\"BMO\")`, ",
          "or set ENV[\"BMO_LIBRARY\"] to the path of libbmo.so before `using BMO`")
end

function check_library(handle)
    missing_names = filter(name -> Libdl.dlsym(handle, name; throw_error=false) === nothing, called)
    if !isempty(missing_names)
        error("libbmo at ", Libdl.dlpath(handle), " is too old: it has no ", join(missing_names, ", "),
              "; expected libbmo ", oldest_version, " or newer")
    end
end

"The version of libbmo that runs."
function version()
    number = @libbmo bmo_version()::Int32
    VersionNumber(number ÷ 1_000_000, number ÷ 1000 % 1000, number % 1000)
end

"The instruction set that libbmo uses: the best that the processor has, or what `ENV[\"BMO_ISA\"]` lowers it to."
instruction_set() = unsafe_string(@libbmo bmo_isa()::Cstring)

"How many threads `threads=0` stands for."
threads_available() = Int(@libbmo bmo_threads_available()::Int32)
