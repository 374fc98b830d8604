# Completions of the bmo command for bash. They come from what `bmo --help` and `bmo COMMAND --help` say.
_bmo() {
    local command=${COMP_WORDS[1]:-} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$("${COMP_WORDS[0]}" --help 2>/dev/null | sed -n 's/^  bmo \([a-z]*\).*/\1/p')
        mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$word")
        return
    fi
    # A line of the help is "  --option VALUE|VALUE   [default]   meaning".
    if [[ $before == --* ]]; then
        words=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | sed -n "s/^  $before \([a-z0-9_+|]*|[a-z0-9_+|]*\) .*/\1/p" | tr '|' ' ')
    elif [[ $word == -* ]]; then
        words=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | sed -n 's/^  \(--*[a-z-]*\) .*/\1/p')
    fi
    [ -z "$words" ] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o bashdefault -o default -F _bmo bmo
