# Completions of the bmo command for fish. They come from what `bmo --help` and `bmo COMMAND --help` say.
function __bmo_command
    set -l words (commandline -opc)
    test (count $words) -ge 2; and echo $words[2]
end
function __bmo_values
    set -l words (commandline -opc)
    bmo (__bmo_command) --help 2>/dev/null | string match -rg "^  $words[-1] ([a-z0-9_+|]*\|[a-z0-9_+|]*) " | string split '|'
end
complete -c bmo -n 'not __bmo_command' -f -a "(bmo --help 2>/dev/null | string match -rg '^  bmo ([a-z]+)')"
complete -c bmo -n __bmo_command -a '(__bmo_values)'
complete -c bmo -n __bmo_command -a "(bmo (__bmo_command) --help 2>/dev/null | string match -rg '^  (--?[a-z-]+) ')"
