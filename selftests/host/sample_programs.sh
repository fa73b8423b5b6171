#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# sample_programs.sh: each of ../samples builds with nothing but the library,
# without a warning, and has nothing in it that another system would not know
#
# Prints TAP. Needs no kernel. Called as BUILD/host/sample_programs.

set -u
here=$(dirname "$(realpath "$0")")
samples=$(realpath "$here/../samples")
build=${BUILD:-$(realpath "$(dirname "$0")/..")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# As if the library were installed.
CPATH=$(realpath "$here/../../include")
export CPATH LIBRARY_PATH=$build

n=0 failed=0
# check NAME COMMAND...: one test point; a command that prints something fails.
check() {
	local name=$1 out
	shift
	n=$((n + 1))
	if out=$("$@" 2>&1) && [ -z "$out" ]; then
		echo "ok $n $name"
	else
		failed=$((failed + 1))
		echo "# ${out//$'\n'/$'\n'# }" | head -20
		echo "not ok $n $name"
	fi
}

# The command is the one that the documentation gives.
builds() {
	cp "$samples/$1" "$work/prog.c"
	cd "$work" && cc -Wall -Wextra -pedantic -std=c99 prog.c -lposixtrace
}

# No header of our own, no name of Linux alone, nothing that hopes for the best.
portable() {
	! grep -nE '#include "|_np\>|_NP\>|_GNU_SOURCE|<(linux|sys/syscall)|sleep' \
		"$samples/$1"
}

echo 'TAP version 13'
for path in "$samples"/*.c; do
	sample=$(basename "$path")
	check "${sample%.c}_builds" builds "$sample"
	check "${sample%.c}_is_portable" portable "$sample"
done
echo "1..$n"
echo "# Totals: pass:$((n - failed)) fail:$failed xfail:0 xpass:0 skip:0 error:0"
[ "$failed" = 0 ]
