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

# shellcheck source=selftests/tap
. "$here/../tap"

# silent COMMAND...: one that prints something fails.
silent() {
	local out status
	out=$("$@" 2>&1)
	status=$?
	echo "$out"
	[ -z "$out" ] && return "$status"
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
	check "${sample%.c}_builds" silent builds "$sample"
	check "${sample%.c}_is_portable" silent portable "$sample"
done
tap_end
