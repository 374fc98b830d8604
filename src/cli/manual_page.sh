#!/bin/sh
# usage: manual_page.sh HELP2MAN VERSION BMO [COMMAND]
# Prints the manual page of the command, from what --help says. The name of a page must have no blank: whatis reads it.
set -eu
"$1" --no-info --version-string="$2" --name='exact nearest neighbors in thousands of dimensions' "$3${4:+ $4}" |
    sed '/^\.SH NAME/{n;s/^bmo \([a-z]*\) /bmo-\1 /;}'
