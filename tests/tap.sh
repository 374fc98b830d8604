# TAP from a shell script: check and skip once for each case, finish at the end.
cases=0

# check NAME COMMAND...
check() {
    local name=$1 output
    shift
    cases=$((cases + 1))
    if output=$("$@" 2>&1); then
        echo "ok $cases - $name"
    else
        echo "not ok $cases - $name"
        sed 's/^/# /' <<<"$output"
    fi
}

# skip NAME REASON
skip() {
    cases=$((cases + 1))
    echo "ok $cases - $1 # SKIP $2"
}

finish() {
    echo "1..$cases"
}
