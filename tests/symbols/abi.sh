# The binary interface of a built library, as text to compare.

# exported_symbols LIBRARY: name@@NODE, one a line.
exported_symbols() {
    nm --dynamic --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort
}

# dump_abi LIBRARY INCLUDE-DIRECTORY: the public types and functions, without anything of the machine that built them.
dump_abi() {
    abidw --exported-interfaces-only --headers-dir "$2" --drop-private-types --no-show-locs --no-comp-dir-path \
        --no-corpus-path --type-id-style hash "$1" | sed "s|path='[^']*/src/|path='src/|"
}

# has_types LIBRARY: debug information without them would compare as equal.
has_types() {
    readelf --debug-dump=info "$1" | grep DW_TAG_formal_parameter >/dev/null
}
