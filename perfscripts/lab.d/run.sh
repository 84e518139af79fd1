# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034 # the rest of lab sets and reads the globals
# Sourced by lab: the matrix of kernels, workloads and seeds under fieldline emulate, and its tables.
#
# $lab/runs/KERNEL-RUN-SEED-KEY is a cell: report.json, report.txt, console and counts.gz. KEY stands
# for what went in: the kernel's build-id, the workload as the guest gets it, settings, region, seed
# and QEMU. Which version of the model counted is told by the counts themselves: a fieldline that
# finds them another's refuses to report them again, and the cell is run anew.

# print_runs FILE: what '# run: NAME [SETTING=VALUE]...' of a workload says.
print_runs() { workload_header run "$1" | sed 's/^ *//'; }

# check_run NAME: of --workload; the name of a run, or a workload with runs.
check_run() {
	local file
	for file in "$here"/workloads/*.sh "$1"; do
		[ -f "$file" ] || continue
		[ "$file" = "$1" ] && [ -n "$(print_runs "$file")" ] && return
		! print_runs "$file" | grep -q -e "^$1\( \|$\)" || return 0
	done
	die "no run '$1' (has: $(for file in "$here"/workloads/*.sh; do print_runs "$file"; done |
		cut -d' ' -f1 | xargs))"
}

# What a series is made on comes with it, since that is what it is held against.
print_run_kernels() {
	local variant on
	if [ ${#variants[@]} -eq 0 ]; then
		print_tested
		return
	fi
	{
		echo base
		for variant in "${variants[@]}"; do
			variant=$(canonical "$variant")
			on=${variant##*+}
			on=$(series_base "${on%:*}")
			[ -z "$on" ] || canonical "$on"
			prefixes "$variant"
		done
	} | by_rebuild
}

# is_chosen FILE RUN: by --workload, which names a run, or a file with all of its runs.
is_chosen() {
	local name
	[ ${#workloads[@]} -gt 0 ] || return 0
	for name in "${workloads[@]}"; do
		[ "$name" != "$2" ] && [ "$(readlink -f "$name")" != "$1" ] || return 0
	done
	return 1
}

# print_run_files: the workloads that have runs; those named by a path may lie elsewhere.
print_run_files() {
	local name
	printf '%s\n' "$here"/workloads/*.sh
	for name in "${workloads[@]}"; do
		case $name in */*) readlink -f "$name" ;; esac
	done
}

# is_for KERNEL FILE: whether its '# series:' names the kernel's last one; the unpatched kernel takes
# part where another one does.
is_for() {
	local name kernel of=("${1##*+}")
	[ "$1" != base ] || of=("${kernels[@]##*+}")
	for name in $(workload_header series "$2"); do
		for kernel in "${of[@]}"; do
			[ "${kernel%:*}" != "$name" ] || return 0
		done
	done
	return 1
}

# print_cells: FILE RUN KERNEL SEED [SETTING]... of each, those of one workload together.
print_cells() {
	local file run words kernel seed kernels
	mapfile -t kernels < <(print_run_kernels)
	print_run_files | sort -u | while read -r file; do
		print_runs "$file" | while read -r run words; do
			is_chosen "$file" "$run" || continue
			for kernel in "${kernels[@]}"; do
				is_for "$kernel" "$file" || continue
				for ((seed = 1; seed <= seeds; seed++)); do
					echo "$file $run $kernel $seed $words"
				done
			done
		done
	done
}

# identity VMLINUX: its build-id.
identity() {
	readelf -n "$1" 2>/dev/null | grep -m 1 'Build ID' || sha256sum <"$1"
}

# prepare_cells: reads print_cells into the arrays cell_*, with the directory of each; builds the
# kernels that are not there, and packs each workload once to know what the guest gets.
prepare_cells() {
	local file run kernel seed words list key
	local -A content=() kernel_of=() id_of=()
	options=(--smp "$cpus" --every-access "${settings[@]/#/--set=}")
	list=$(print_cells)
	[ -n "$list" ] || die "no workload has a '# run:' for these kernels; see --help"
	archive=$(mktemp "${TMPDIR:-/tmp}/lab.XXXXXX.cpio")
	trap 'rm -f "$archive"' EXIT
	while read -r file run kernel seed words; do
		if [ -z "${content[$file]-}" ]; then
			"$here/initramfs" "$file" -o "$archive"
			content[$file]=$(sha256sum <"$archive")
		fi
		if [ -z "${kernel_of[$kernel]-}" ]; then
			build_kernel "$kernel" "$flavour" </dev/null
			kernel_of[$kernel]=$built
			id_of[$kernel]=$(identity "$built/vmlinux")
		fi
		key=$({
			echo "${id_of[$kernel]} ${content[$file]} $words $seed ${options[*]}"
			qemu-system-x86_64 --version
		} | sha256sum)
		cell_files+=("$file") cell_runs+=("$run") cell_kernels+=("$kernel")
		cell_seeds+=("$seed") cell_words+=("$words")
		cell_built+=("${kernel_of[$kernel]}")
		cell_dirs+=("$lab/runs/${kernel//:/.}-$run-$seed-${key:0:12}")
	done <<<"$list"
	rm -f "$archive"
}

# emulate_cell CELL DIR OPTION...: into DIR; says why not, and ends with 1.
emulate_cell() {
	local nr=$1 dir=$2 words
	shift 2
	read -ra words <<<"${cell_words[nr]}"
	nice -n 10 "$fieldline" emulate --vmlinux "${cell_built[nr]}/vmlinux" "${options[@]}" \
		"${words[@]/#/--set=}" --seed "${cell_seeds[nr]}" ${seconds:+--seconds "$seconds"} \
		-o "$dir" "$@" "${cell_files[nr]}" >"$dir/said" 2>&1 </dev/null && rm "$dir/said"
}

# is_told CELL: whether it was run, and reported by this fieldline. An older one's counts are
# reported again, which takes a second; a fieldline that counts otherwise refuses them.
is_told() {
	local dir=${cell_dirs[$1]} part status=0
	[ -e "$dir/report.json" ] || return 1
	[ "$fieldline" -nt "$dir/report.json" ] || return 0
	part=$(mktemp -d "$lab/runs/.part-XXXXXX")
	gunzip -c "$dir/counts.gz" >"$part/counts" && emulate_cell "$1" "$part" --again &&
		mv "$part"/report.* "$dir/" || status=1
	rm -rf "$part"
	return "$status"
}

# run_cell CELL: leaves its directory if that worked, else one with .failed behind its name.
run_cell() {
	local nr=$1 dir=${cell_dirs[$1]} part start=$SECONDS
	local what="$((nr + 1)) of ${#cell_dirs[@]}: ${cell_kernels[nr]} ${cell_runs[nr]}"
	what+=", seed ${cell_seeds[nr]}"
	if is_told "$nr"; then
		say "$what: there already"
		return 0
	fi
	part=$(mktemp -d "$lab/runs/.part-XXXXXX")
	rm -rf "$dir.failed"
	if ! emulate_cell "$nr" "$part" --kernel "${cell_built[nr]}/bzImage"; then
		mv -T "$part" "$dir.failed"
		say "$what: failed: $(tail -n 1 "$dir.failed/said") (see $dir.failed)"
		return 1
	fi
	gzip -1 "$part/counts"
	rm -rf "$dir"
	mv -T "$part" "$dir"
	say "$what: done in $((SECONDS - start)) s"
}

prepare_runs() {
	fieldline=$(find_fieldline)
	prepare_lab
	command -v qemu-system-x86_64 >/dev/null ||
		die 'needs qemu-system-x86_64; run perfscripts/setup --lab'
	mkdir -p "$lab/runs"
	prepare_cells
}

# Each job is a group of processes. Bash's own kill: that of procps 4.0.2 takes a group for PID -1.
stop_cells() {
	local group
	for group in $(jobs -p); do
		builtin kill -TERM -- "-$group" 2>/dev/null || true
	done
}

# What is stopped takes along what it started; what outlives it all the same keeps the lock.
run_cells() {
	local nr nr_running=0 nr_failed=0
	prepare_runs
	exec 8>>"$lab/runs/.lock"
	flock -n 8 || { say 'waiting for another lab run'; flock 8; }
	rm -rf "$lab"/runs/.part-*
	set -m
	trap stop_cells EXIT
	trap 'exit 130' INT TERM
	for ((nr = 0; nr < ${#cell_dirs[@]}; nr++)); do
		if [ "$nr_running" -ge "$jobs" ]; then
			wait -n || nr_failed=$((nr_failed + 1))
			nr_running=$((nr_running - 1))
		fi
		run_cell "$nr" &
		nr_running=$((nr_running + 1))
	done
	for ((; nr_running > 0; nr_running--)); do
		wait -n || nr_failed=$((nr_failed + 1))
	done
	say "$((${#cell_dirs[@]} - nr_failed)) of ${#cell_dirs[@]} fine; 'lab report' shows them"
	[ "$nr_failed" -eq 0 ] || exit "$failed"
}

report_cells() {
	local nr dir
	prepare_runs
	for ((nr = 0; nr < ${#cell_dirs[@]}; nr++)); do
		dir=${cell_dirs[nr]}
		if ! is_told "$nr"; then
			say "not run: ${cell_kernels[nr]} ${cell_runs[nr]}, seed ${cell_seeds[nr]}"
			dir=none
		fi
		printf '%s\t' "${cell_runs[nr]}" "${cell_kernels[nr]}" "${cell_seeds[nr]}" \
			"${cell_built[nr]}/vmlinux"
		printf '%s\n' "$dir"
	done | "$here/lab.d/report" --fieldline "$fieldline" --format "$format" \
		"${variants[@]/#/--series=}"
}
