# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034 # the rest of lab sets and reads the globals
# Sourced by lab: every patch of every series put to the test, as a table. Each build and each boot
# is a call of lab itself, so that one that fails ends only its own row.

find_fieldline() {
	local file
	for file in "${FIELDLINE-}" "$here"/../build/*/analyzer/fieldline \
		"$(command -v fieldline || true)"; do
		[ ! -x "$file" ] || { echo "$file"; return; }
	done
	die "needs fieldline to read the layouts: build it, or name it in \$FIELDLINE"
}

# prefixes VARIANT: its last series patch by patch.
prefixes() {
	local nr
	[ "$1" != base ] || { echo base; return; }
	for ((nr = 1; nr <= ${1##*:}; nr++)); do
		echo "${1%:*}:$nr"
	done
}

# All prefixes of what was asked for; else of all series, and every stack whose layout is stated.
print_tested() {
	local name
	if [ ${#variants[@]} -gt 0 ]; then
		for variant in "${variants[@]}"; do prefixes "$(canonical "$variant")"; done
	else
		echo base
		sed -nE 's/.*"kernel": "([^"]*)".*/\1/p' "$series_root"/*/layout.json
		for name in $(series_names); do prefixes "$(canonical "$name")"; done
	fi | by_rebuild
}

# lab_again WHAT OPTION...: calls lab with the options of this run; its messages end in $messages.
lab_again() {
	local options=("${settings[@]/#/--set=}")
	[ "$flavour" = plain ] || options+=("--$flavour")
	[ -z "$seconds" ] || options+=(--seconds "$seconds")
	[ "$threads" = single ] || options+=(--parallel)
	"$here/lab" "$@" --cpus "$cpus" "${options[@]}" 2>&1 >"$answer" | tee "$messages" >&2
}

# test_workloads VARIANT: sets outcomes to the words for each.
test_workloads() {
	local file key fine status verdicts=(fine '(not run)' - panics hangs fails complains)
	outcomes=''
	for file in $(workloads_for "$1"); do
		# What survived once need not be run again: the kernel and the workload are the same.
		key=$(cat "$file" <(echo "$threads ${settings[*]}") | sha256sum)
		fine=$built/fine-$(basename "$file" .sh)-${key:0:12}
		status=0
		[ -e "$fine" ] || lab_again boot --series "$1" --set VERIFY=1 "$file" || status=$?
		[ "$status" -ne 0 ] || touch "$fine"
		[ "$status" -le "$worst" ] || worst=$status
		outcomes+="$(basename "$file" .sh) ${verdicts[status]}, "
	done
	outcomes=${outcomes%, }
}

# test_layouts VARIANT: sets layout to what the kernel has.
test_layouts() {
	local status=0
	[ "$flavour" = plain ] || { layout=-; return; }
	layout=$("$here/lab.d/check-layout" --fieldline "$fieldline" "$1" "$built/vmlinux") ||
		status=$?
	layout=${layout//$'\n'/, }
	case $status in
	0) ;;
	2) layout='none stated' ;;
	*) layout="**$layout**" worst=1 ;;
	esac
}

# test_variant VARIANT: sets row to its row of the table.
test_variant() {
	local warnings layout outcomes
	say "== $1 ($flavour)"
	if ! lab_again kernel --series "$1"; then
		worst=1 row="| $1 | yes | no | - | - | - |"
		! grep -q 'does not apply' "$messages" || row="| $1 | no | - | - | - | - |"
		return
	fi
	built=$(dirname "$(sed -n 's/^vmlinux=//p' "$answer")")
	warnings=$(grep -c warning "$built/warnings" || true)
	[ "$warnings" -eq 0 ] || worst=1
	test_layouts "$1"
	test_workloads "$1"
	row="| $1 | yes | yes | $warnings | $layout | $outcomes |"
}

test_matrix() {
	local all table messages answer row fieldline=''
	[ "$flavour" != plain ] || fieldline=$(find_fieldline)
	mkdir -p "$lab" 2>/dev/null || die "cannot write $lab; set FIELDLINE_CACHE"
	table=$lab/test-$flavour.md messages=$lab/.messages-$flavour answer=$lab/.answer-$flavour
	mapfile -t all < <(print_tested)
	{
		echo '| kernel | applies | builds | warnings | layout, as stated | workloads |'
		echo '|---|---|---|---|---|---|'
	} | tee "$table"
	for variant in "${all[@]}"; do
		test_variant "$variant"
		echo "$row" | tee -a "$table"
	done
	say "the table is in $table"
	exit "$worst"
}
