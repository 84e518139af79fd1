# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034 # the rest of lab sets and reads the globals
# Sourced by lab: the kernel's source as a git repository, and the series as commits in it.
#
# $lab/linux-VERSION.git holds the source with the tag base. A work tree and its build directories
# lie side by side in $lab/trees/NAME. A variant is base, or series with how many of their patches:
# bdev:2, bdev:3+blocksize-rwsem:1.

package=linux-source-6.1
series_root=$(readlink -f "$here/..")/layouts/patches/linux-6.1

# lab_git DIR ...: identical content is an identical commit, whoever makes it and when.
lab_git() {
	env -u GIT_DIR -u GIT_WORK_TREE GIT_AUTHOR_NAME=fieldline GIT_AUTHOR_EMAIL=lab@localhost \
		GIT_COMMITTER_NAME=fieldline GIT_COMMITTER_EMAIL=lab@localhost \
		GIT_AUTHOR_DATE='@0 +0000' GIT_COMMITTER_DATE='@0 +0000' nice -n 10 \
		git -c gc.auto=0 -c core.compression=1 -c core.autocrlf=false -C "$@"
}

# series_patches NAME [COUNT]: the paths of its patches.
series_patches() {
	local file=$series_root/$1/series name patches
	if ! [[ $1 =~ ^[a-z0-9][a-z0-9-]*$ ]] || [ ! -f "$file" ]; then
		die "no series '$1' in $series_root (has: $(series_names | xargs))"
	fi
	mapfile -t patches < <(sed -e 's/#.*//' -e 's/[[:space:]].*//' -e '/^$/d' "$file")
	[ ${#patches[@]} -gt 0 ] || die "$file names no patch"
	[ "${2:-0}" -le ${#patches[@]} ] ||
		die "series '$1' has ${#patches[@]} patches, not $2 (see $file)"
	for name in "${patches[@]:0:${2:-${#patches[@]}}}"; do
		[ -f "$series_root/$1/$name" ] || die "$file names '$name', which is not there"
		echo "$series_root/$1/$name"
	done
}

series_names() {
	local file
	for file in "$series_root"/*/series; do
		[ ! -f "$file" ] || basename "$(dirname "$file")"
	done | sort
}

# The series that another one is made on, which its series file names: '# on: bdev:3'.
series_base() { sed -n 's/^# on: *//p' "$series_root/$1/series"; }

# canonical VARIANT: with every count spelt out and what a series stands on in front.
canonical() {
	local parts part name count patches result=''
	[ "$1" != base ] || { echo base; return; }
	IFS=+ read -ra parts <<<"$1"
	for part in "${parts[@]}"; do
		name=${part%%:*} count=''
		case $part in *:*)
			count=${part#*:}
			[[ $count =~ ^[1-9][0-9]{0,2}$ ]] ||
				die "--series $1: '$count' is no count of patches" ;;
		esac
		patches=$(series_patches "$name" "$count")
		count=$(wc -l <<<"$patches")
		[ -n "$result" ] || [ -z "$(series_base "$name")" ] ||
			result=$(canonical "$(series_base "$name")")
		result+=${result:++}$name:$count
	done
	echo "$result"
}

# variant_patches VARIANT: of a canonical one, in the order in which they apply.
variant_patches() {
	local parts part
	[ "$1" != base ] || return 0
	IFS=+ read -ra parts <<<"$1"
	for part in "${parts[@]}"; do
		series_patches "${part%:*}" "${part#*:}"
	done
}

# Sorts variants so that a build changes little of what the last one made: those first that touch
# no header below include/ (it costs a quarter of the kernel), then each series patch by patch.
by_rebuild() {
	local variant wide
	while read -r variant; do
		wide=0
		! variant_patches "$variant" | xargs -r grep -lE '^\+\+\+ [^/]+/include/' |
			grep -q . || wide=1
		echo "$wide $variant"
	done | sort -uV | cut -d' ' -f2
}

source_archive() { dpkg-query -L "$package" 2>/dev/null | grep -m 1 '\.tar\.xz$' || true; }

# What a kernel that is kept already needs: no tools, and no waiting for others.
prepare_lab() {
	[ -f "$(source_archive)" ] || die "needs Debian's $package; run perfscripts/setup --lab"
	version=$(dpkg-query -W -f '${Version}' "$package")
	# An epoch or a backport's ~ must not end up in a file name.
	version=${version//[^0-9a-zA-Z.+-]/_}
	repo=$lab/linux-$version.git
	if ! mkdir -p "$lab/trees" "$lab/kernels" "$lab/logs" 2>/dev/null ||
		! : 2>/dev/null >>"$lab/.lock"; then
		die "cannot write $lab; set FIELDLINE_CACHE to a directory of yours"
	fi
}

# Between the two, the repository and the trees are this run's.
enter_lab() {
	local tool
	for tool in git make gcc flex bison bc ccache xz flock; do
		command -v "$tool" >/dev/null || die "needs $tool; run perfscripts/setup --lab"
	done
	exec 9>>"$lab/.lock"
	flock -n 9 || { say 'waiting for another lab'; flock 9; }
	[ -e "$repo/.complete" ] || create_repository
}

leave_lab() { exec 9>&-; }

# The archive is unpacked where trees/source needs it anyway.
create_repository() {
	local tree=$lab/trees/source/linux empty
	[ ! -e "$lab/trees/source/.complete" ] ||
		die "$lab/trees/source was handed out, and is of another source;" \
			"remove it to have it made anew"
	need_space "$lab" 6000
	rm -rf "$repo" "$tree"
	mkdir -p "${tree%/*}"
	git init -q --bare "$repo"
	empty=$(lab_git "$repo" commit-tree -m empty "$(lab_git "$repo" mktree </dev/null)")
	lab_git "$repo" worktree add -q --detach "$tree" "$empty"
	say "unpacking $package $version"
	nice -n 10 tar -xf "$(source_archive)" -C "$tree" --strip-components=1 ||
		die "cannot unpack $(source_archive)"
	say 'making it a git repository, in a minute or two'
	lab_git "$tree" add -A -f
	lab_git "$tree" commit -q -m "$package $version"
	lab_git "$tree" tag base
	unstamp "$tree"
	touch "$repo/.complete"
}

# An empty .scmversion keeps git's state out of the kernel's release and of what depends on it.
unstamp() { : >"$1/.scmversion"; }

# commit_of VARIANT: made without a work tree, so that a checkout touches only the files that
# differ. git apply knows no fuzz.
commit_of() {
	local commit patch
	commit=$(lab_git "$repo" rev-parse --verify -q 'base^{commit}') ||
		die "no tag base in $repo; remove $repo to have it made anew"
	[ "$1" != base ] || { echo "$commit"; return; }
	export GIT_INDEX_FILE=$lab/.index
	lab_git "$repo" read-tree base
	while read -r patch; do
		lab_git "$repo" apply --cached --whitespace=nowarn "$patch" 2>"$lab/.errors" ||
			die "$1: ${patch#"$series_root"/} does not apply to $package $version:" \
				"$(head -n 1 "$lab/.errors")"
		commit=$(lab_git "$repo" commit-tree -p "$commit" -m "$(basename "$patch")" \
			"$(lab_git "$repo" write-tree)")
	done < <(variant_patches "$1")
	unset GIT_INDEX_FILE
	echo "$commit"
}

# checkout NAME COMMIT: in trees/NAME/linux, which is the lab's own.
checkout() {
	local tree=$lab/trees/$1/linux of
	of=$(git -C "$tree" rev-parse --git-common-dir 2>/dev/null) || of=''
	if [ ! "$of" -ef "$repo" ]; then
		need_space "$lab" 3000
		say "checking the source out into $tree"
		rm -rf "$tree"
		lab_git "$repo" worktree prune
		lab_git "$repo" worktree add -q --detach "$tree" "$2"
		unstamp "$tree"
	else
		lab_git "$tree" checkout -q -f --detach "$2"
	fi
}

# hand_out_source VARIANT: what was handed out belongs to its user.
hand_out_source() {
	local name=source dir key
	[ "$1" = base ] || name=source-${1//:/.}
	dir=$lab/trees/$name
	key=$(basename "$(kernel_dir "$1" plain)")
	if [ ! -e "$dir/.complete" ]; then
		enter_lab
		checkout "$name" "$(commit_of "$1")"
		compile_kernel "$name" plain "$1"
		echo "$key" >"$dir/.complete"
		leave_lab
	fi
	[ "$(<"$dir/.complete")" = "$key" ] ||
		die "$dir was made of another source, series or configuration;" \
			"remove it to have it made anew"
	printf 'SOURCE=%s\nBUILD=%s\n' "$dir/linux" "$dir/build"
}

list() {
	local name file
	for name in $(series_names); do
		printf 'series %s\n' "$name"
		series_patches "$name" | sed 's|.*/|  |'
	done
	for file in "$here"/workloads/*.sh; do
		printf 'workload %-24s %s\n' "$(basename "$file")" "$(sed -n '3s/^# //p' "$file")"
	done
}
