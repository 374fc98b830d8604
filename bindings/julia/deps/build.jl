# Pkg runs this when the package is added or developed. Where the package would find no libbmo, it builds that of the tree around it.
import Libdl

const tree = normpath(joinpath(@__DIR__, "..", "..", ".."))
const build = joinpath(@__DIR__, "build")

function found()
    isempty(get(ENV, "BMO_LIBRARY", "")) || return true
    isfile(joinpath(tree, "build", "src", "libbmo.so")) || Libdl.dlopen("libbmo.so.0"; throw_error=false) !== nothing
end

if !found()
    isfile(joinpath(tree, "include", "bmo.h")) ||
        error("There is no libbmo, and no tree of it around this package: install libbmo, or develop the package from a clone")
    for tool in ("meson", "ninja")
        Sys.which(tool) === nothing && error("libbmo is built with $tool, which is not installed; in a clone, scripts/bootstrap installs it")
    end
    if !isfile(joinpath(build, "build.ninja"))
        run(`meson setup $build $tree -Dtests=false -Dcommand=false -Dwerror=false -Djoined=true`)
    end
    run(`ninja -C $build`)
end
