# Builds libbmo for Julia's platforms with BinaryBuilder: julia --project build_tarballs.jl --verbose. The headers of Highway and
# Eigen are those of the wraps in subprojects/, which say where they come from.
using BinaryBuilder

name = "libbmo"
version = v"0.1.0"
tree = normpath(joinpath(@__DIR__, "..", ".."))

function wrapped(name)
    wrap = read(joinpath(tree, "subprojects", "$name.wrap"), String)
    value(key) = match(Regex("^$key = (.*)\$", "m"), wrap)[1]
    FileSource(value("source_url"), value("source_hash"); filename=value("source_filename"))
end

sources = [DirectorySource(tree; target="libbmo"), wrapped("highway"), wrapped("eigen")]
script = raw"""
mkdir -p libbmo/subprojects/packagecache
mv *.orig.tar.* libbmo/subprojects/packagecache/
cd libbmo
meson setup build --cross-file=${MESON_TARGET_TOOLCHAIN} --buildtype=release -Dtests=false -Dcommand=false -Dwerror=false
ninja -C build -j${nproc} install
install_license LICENSE
"""
platforms = expand_cxxstring_abis([Platform(arch, "linux"; libc=libc) for arch in ("x86_64", "aarch64") for libc in ("glibc", "musl")])
products = [LibraryProduct("libbmo", :libbmo)]
dependencies = [Dependency("Zlib_jll"), Dependency("CompilerSupportLibraries_jll")]

build_tarballs(ARGS, name, version, sources, script, platforms, products, dependencies; julia_compat="1.6", preferred_gcc_version=v"12")
