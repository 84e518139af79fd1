# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034 # the rest of lab sets and reads the globals
# Sourced by lab: configures and compiles a kernel, and keeps what is worth keeping.
#
# $lab/kernels/VARIANT-KEY holds vmlinux, bzImage, config, warnings and about; KEY stands for the
# content: source, patches, configuration and compiler. All else can be thrown away.

# print_config FLAVOUR: the fragments, as KCONFIG_ALLCONFIG wants them: what the second one names
# is not taken from the first.
print_config() {
	if [ "$1" = plain ]; then
		cat "$here/lab.d/kernel.config"
	else
		grep -vwFf <(grep -oE 'CONFIG_[A-Z0-9_]+' "$here/lab.d/$1.config") \
			"$here/lab.d/kernel.config"
		cat "$here/lab.d/$1.config"
	fi
}

# kernel_dir VARIANT FLAVOUR
kernel_dir() {
	local key
	key=$({
		echo "$version"
		gcc --version | head -n 1
		print_config "$2"
		variant_patches "$1" | xargs -r cat
	} | sha256sum)
	echo "$lab/kernels/${1//:/.}-$2-${key:0:12}"
}

# configure NAME FLAVOUR BUILD: only if the fragments changed, since it dates every file.
configure() {
	local build=$3 missing
	mkdir -p "$build"
	print_config "$2" >"$build/all.config.new"
	if [ ! -f "$build/.config" ] || ! cmp -s "$build/all.config.new" "$build/all.config"; then
		kernel_make "$1" "$build" KCONFIG_ALLCONFIG="$build/all.config.new" allnoconfig \
			>"$build/log" 2>&1 || die "cannot configure: $(tail -n 1 "$build/log")" \
			"(all of it: $build/log)"
		mv "$build/all.config.new" "$build/all.config"
	fi
	missing=$(grep -E '^(CONFIG_|# CONFIG_.* is not set)' "$build/all.config" |
		grep -vxF -f "$build/.config" || true)
	[ -z "$missing" ] || die "the kernel refuses ${missing%%$'\n'*} of perfscripts/lab.d/*.config"
}

# kernel_make NAME BUILD ARGUMENT...: plain gcc by name, so that whoever runs make in the build
# directory later, with ccache or without, finds all of it up to date.
kernel_make() {
	local tree=$lab/trees/$1/linux build=$2
	shift 2
	env -u MAKEFLAGS -u KBUILD_OUTPUT -u KCFLAGS PATH="/usr/lib/ccache:$PATH" \
		CCACHE_DIR="$lab/ccache" CCACHE_MAXSIZE=4G \
		CCACHE_BASEDIR="$lab/trees" CCACHE_NOHASHDIR=1 \
		KBUILD_BUILD_TIMESTAMP='1970-01-01' KBUILD_BUILD_VERSION=1 \
		KBUILD_BUILD_USER=fieldline KBUILD_BUILD_HOST=lab \
		nice -n 10 make -C "$tree" O="$build" -j"$(nproc)" "$@"
}

# Shows how far a build is: from make's lines, on standard input.
show_progress() {
	awk -v what="$1" -v name="${0##*/}" -v start="$(date +%s)" '
		/^  (CC|AS) / && ++nr % 100 == 0 {
			"date +%s" | getline now; close("date +%s")
			printf "%s: %s: %d files compiled in %d s\n", name, what, nr, now - start
			fflush()
		}
		/^  LD +vmlinux$/ { printf "%s: %s: linking\n", name, what; fflush() }' >&2
}

# compile_kernel NAME FLAVOUR VARIANT: in trees/NAME, its build directory. Leaves log, warnings and
# seconds of processor time in it.
compile_kernel() {
	local build=$lab/trees/$1/build what=$3 status=0 TIMEFORMAT='%U %S'
	[ "$2" = plain ] || { build+=-$2; what+=" ($2)"; }
	need_space "$lab" 1500
	configure "$1" "$2" "$build"
	say "building $what in $build"
	{ time {
		kernel_make "$1" "$build" vmlinux bzImage 2>"$build/warnings" |
			tee "$build/log" | show_progress "$what"
	} 2>&3; } 3>&2 2>"$build/seconds" || status=$?
	if [ "$status" -ne 0 ]; then
		die "$what does not build:" \
			"$(grep -m 1 -E 'error|No space' "$build/warnings" ||
				tail -n 1 "$build/warnings") (all of it: $build/warnings)"
	fi
}

# build_kernel VARIANT FLAVOUR: sets built to the directory with the kernel.
build_kernel() {
	local build=$lab/trees/work/build part commit
	built=$(kernel_dir "$1" "$2")
	[ ! -e "$built/about" ] || return 0
	enter_lab
	# Whoever was waited for may have built it.
	[ ! -e "$built/about" ] || { leave_lab; return 0; }
	[ "$2" = plain ] || build+=-$2
	commit=$(commit_of "$1")
	checkout work "$commit"
	compile_kernel work "$2" "$1"
	part=$lab/kernels/.part
	rm -rf "$part" "$built"
	mkdir "$part"
	cp "$build/vmlinux" "$build/warnings" "$part/"
	cp "$build/arch/x86/boot/bzImage" "$part/"
	cp "$build/.config" "$part/config"
	cat >"$part/about" <<-END
		variant=$1
		flavour=$2
		source=$package $version
		compiler=$(gcc --version | head -n 1)
		compiled=$(grep -cE '^  (CC|AS) ' "$build/log" || true)
		cpu_seconds=$(awk '{ print int($1 + $2 + 0.5) }' "$build/seconds")
	END
	mv -T "$part" "$built"
	leave_lab
	say "built $1: $(sed -n 's/^cpu_seconds=//p' "$built/about") s of processor time"
}

build_and_print() {
	build_kernel "$1" "$flavour"
	printf 'vmlinux=%s\nbzImage=%s\nconfig=%s\n' "$built/vmlinux" "$built/bzImage" "$built/config"
}
