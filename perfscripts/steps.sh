# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced by the scripts that a person runs: what they say on the way, always on stderr.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }

# Where what is downloaded or built for later runs is kept; always a full path.
cache_dir() {
	local dir=${FIELDLINE_CACHE:-${XDG_CACHE_HOME:-${HOME:?}/.cache}/fieldline}
	case $dir in /*) echo "$dir" ;; *) echo "$PWD/$dir" ;; esac
}

# need_space DIR MB
need_space() {
	local have
	have=$(($(df -Pk "$1" | awk 'NR == 2 { print $4 }') / 1024))
	[ "$have" -ge "$2" ] || die "needs $2 MB free in $1, has $have MB;" \
		"free some, or set FIELDLINE_CACHE"
}

# step TITLE COMMAND...: names the step before it runs and tells its time after.
step() {
	local title=$1 start=$SECONDS
	shift
	say "== $title"
	"$@" || die "failed after $((SECONDS - start)) s: $title"
	say "== done in $((SECONDS - start)) s: $title"
}

# build PRESET [TARGET]: of the project in the current directory, into build/PRESET.
build() { cmake --preset "$1" >&2 && cmake --build --preset "$1" --target "${2-all}" >&2; }
