#!/bin/sh
# usage: manual_page.sh HELP2MAN VERSION BMO [COMMAND]
# Prints the manual page of the command, from what --help says. The name of a page must have no blank: whatis reads it. It has no
# month and is in English, so that each build makes the same page.
set -eu
"$1" --locale=C.UTF-8 --no-info --version-string="$2" --name='exact nearest neighbors in thousands of dimensions' "$3${4:+ $4}" |
    sed '/^\.TH/s/ "[A-Z][a-z]* [0-9]*"/ ""/; /^\.SH NAME/{n;s/^bmo \([a-z]*\) /bmo-\1 /;}'
