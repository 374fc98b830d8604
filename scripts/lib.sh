# What the scripts share. Source it after `set -euo pipefail`; it goes to the top of the tree.
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# log_of NAME: where step keeps what its command prints.
log_of() {
    echo "build/logs/${1//[^A-Za-z0-9._-]/-}.log"
}

# step NAME COMMAND...: one line with what is done, how it ended and the seconds it took. What the command prints goes to
# a log, the end of which is shown where it fails.
step() {
    local name=$1 log start=$SECONDS status=0
    log=$(log_of "$name")
    shift
    mkdir -p build/logs
    printf '%-40s' "$name"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -eq 0 ]; then
        printf ' %4d s\n' $((SECONDS - start))
    else
        printf ' %4d s, FAILED; %s ends:\n' $((SECONDS - start)) "$log"
        tail -n 40 "$log" | sed 's/^/    /'
    fi
    return "$status"
}

# configure DIRECTORY [MESON SETUP ARGUMENT...]: once; with $flags for the compilers. All of debug information would take a third
# of the time to compile: there is none but for what abidiff compares.
configure() {
    local directory=$1
    shift
    [ -e "$directory/build.ninja" ] || meson setup "$directory" -Dabi_types=true -D{c,cpp}_args="${flags:-}" -Djoined=true "$@"
}
