# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Bash completion of fieldline: asks the program itself, so that it cannot go stale.

_fieldline() {
	local current=${COMP_WORDS[COMP_CWORD]} words

	if [ "$COMP_CWORD" -eq 1 ]; then
		words="$("$1" --help 2>/dev/null | sed -nE 's/^  ([a-z][a-z0-9-]*) .*/\1/p')
			--help --version"
	elif [ "${current#-}" != "$current" ]; then
		words=$("$1" "${COMP_WORDS[1]}" --help 2>/dev/null |
			sed -nE 's/^ +(-., )?(--[a-z0-9-]+)(=?).*/\2\3/p')
	else
		return # readline completes file names
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
	case ${COMPREPLY[*]} in *=) compopt -o nospace 2>/dev/null ;; esac
}

complete -o default -F _fieldline fieldline
