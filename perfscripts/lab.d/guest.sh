# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034 # the rest of lab sets and reads the globals
# Sourced by lab: boots a kernel with a workload under QEMU and judges by what it says.

panicked=3 hung=4 failed=5 complained=6

# find_workload NAME: a path, or the name of one of ours with or without .sh.
find_workload() {
	local path
	for path in "$1" "$here/workloads/$1" "$here/workloads/$1.sh"; do
		[ ! -f "$path" ] || { echo "$path"; return; }
	done
	die "no workload '$1'; 'lab list' shows them"
}

# workloads_for VARIANT: those whose '# series:' names one of its series, or what comes before a
# hyphen in one (bdev for bdev-pad); for base, all.
workloads_for() {
	local file name
	[ -z "$workload" ] || { echo "$workload"; return; }
	for file in "$here"/workloads/*.sh; do
		for name in $(workload_header series "$file"); do
			case +$1 in +base | *"+$name"[:-]*) echo "$file"; break ;; esac
		done
	done
}

workload_header() { "$here/initramfs" --header "$@"; }

# A guest counts time by the host's time stamp counter; it can't find out how fast that is while
# the host is busy, and falls back to a clock that serializes its processors.
host_khz() { awk '/^cpu MHz/ { printf "%d", $4 * 1000; exit }' /proc/cpuinfo; }

# A kernel that oopses panics, and one that panics ends QEMU. RCU's own watch sees a busy host, and
# a kernel with mitigations complains of the processor.
command_line() {
	echo "console=ttyS0 loglevel=5 panic=-1 oops=panic tsc=reliable tsc_early_khz=$(host_khz)" \
		"no_timer_check hpet=disable nokaslr mitigations=off rcupdate.rcu_cpu_stall_suppress=1" \
		"$(workload_header boot "$1" | xargs) ${settings[*]}"
}

# Each processor is a socket of its own: QEMU's table names no second core. Nehalem, since an
# AMD processor without a constant counter makes the kernel take the slow clock; and without the
# hypervisor bit, since a guest's spinlocks are others than a machine's. By default the processors
# take turns, and one that spins yields: eight that spin at once on two real ones, for a lock whose
# holder waits behind them, were seen to do ten I/Os a second.
run_qemu() {
	local image=$1 archive=$2 file=$3 console=$4 limit=$5 memory
	memory=$(workload_header memory "$file" | xargs)
	timeout --foreground -k 5 "$limit" nice -n 10 qemu-system-x86_64 -M pc \
		-accel "tcg,thread=$threads" -cpu Nehalem,-hypervisor -smp "$cpus,sockets=$cpus" \
		-m "${memory:-512}" -nodefaults -no-user-config -display none -no-reboot \
		-serial "file:$console" -kernel "$image" -initrd "$archive" \
		-append "$(command_line "$file")" </dev/null >&2
}

# The first thing that a healthy kernel does not say.
complaint() {
	grep -aEm 1 -e 'BUG:|WARNING:|Oops|general protection|INFO: task' \
		-e 'EXT2-fs error|REISERFS error|jfs_error|I/O error' "$1" || true
}

# verdict CONSOLE STATUS: of a run that ended with QEMU's or timeout's STATUS. Says what is wrong.
verdict() {
	local text code
	if text=$(grep -am 1 'Kernel panic' "$1"); then
		say "the guest panicked: $(complaint "$1") ${text#*Kernel panic - }"
		return "$panicked"
	fi
	text=$(complaint "$1")
	[ -z "$text" ] || { say "the kernel complains: $text"; return "$complained"; }
	code=$(sed -nE 's/^fieldline: workload exit ([0-9]+).*/\1/p' "$1" | tail -n 1)
	if [ "$2" -eq 124 ] || [ "$2" -eq 137 ]; then
		say "the guest hangs: ${code:+its workload is done, but }not off within the time limit"
		return "$hung"
	elif [ "$2" -ne 0 ]; then
		die "QEMU failed with status $2"
	elif [ -z "$code" ]; then
		say 'the guest went off before its workload ended'
		return "$failed"
	elif [ "$code" -ne 0 ]; then
		say "the workload failed with status $code"
		return "$failed"
	fi
}

# run_guest IMAGE WORKLOAD CONSOLE [INITRAMFS OPTION...]: sets outcome to 0 or one of the above.
run_guest() {
	local image=$1 file=$2 console=$3 limit status=0 start=$SECONDS
	shift 3
	command -v qemu-system-x86_64 >/dev/null ||
		die 'needs qemu-system-x86_64; run perfscripts/setup --lab'
	[ -r "$image" ] || die "cannot read the kernel '$image'"
	limit=${seconds:-$(workload_header seconds "$file" | xargs)}
	archive=$(mktemp "${TMPDIR:-/tmp}/lab.XXXXXX.cpio")
	trap 'rm -f "$archive"' EXIT
	"$here/initramfs" "$@" "$file" -o "$archive"
	: >"$console" || die "cannot write '$console'"
	run_qemu "$image" "$archive" "$file" "$console" "${limit:-120}" || status=$?
	rm -f "$archive"
	outcome=0
	verdict "$console" "$status" || outcome=$?
	if [ "$outcome" -eq 0 ]; then
		say "$(basename "$file"): fine, in $((SECONDS - start)) s"
	else
		tail -n 15 "$console" | tr -d '\r' >&2
		say "$(basename "$file"): failed; its console: $console"
	fi
}

boot_one() {
	local options=()
	outcome=0
	if [ -z "$image" ]; then
		prepare_lab
		build_kernel "$(print_variants)" "$flavour"
		image=$built/bzImage
		: "${log:=$lab/logs/$(basename "$built")-$(basename "$workload" .sh)}"
	else
		: "${log:=$lab/logs/$(basename "$workload" .sh)}"
		mkdir -p "$lab/logs" || die "cannot write $lab; set FIELDLINE_CACHE"
	fi
	[ -z "$modules" ] || options=(--modules "$modules")
	run_guest "$image" "$workload" "$log" "${options[@]}"
	# What the workload said of itself, for who wants to read it.
	sed -n 's/^fieldline: //p' "$log" | tr -d '\r'
	exit "$outcome"
}

# smoke VARIANT: each workload that it is for. The worst outcome is kept in worst.
smoke() {
	local file files
	settings+=(VERIFY=1)
	build_kernel "$1" "$flavour"
	mapfile -t files < <(workloads_for "$1")
	[ ${#files[@]} -gt 0 ] || die "no workload says '# series:' with a series of $1"
	for file in "${files[@]}"; do
		say "$1 ($flavour): $(basename "$file")"
		run_guest "$built/bzImage" "$file" \
			"$lab/logs/$(basename "$built")-$(basename "$file" .sh)"
		[ "$outcome" -le "$worst" ] || worst=$outcome
	done
}
