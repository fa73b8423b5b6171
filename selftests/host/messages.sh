#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# messages.sh: for everything that the tool can say there is a test that expects
# it; and what its exit status means is told by the manual
#
# Prints TAP: one test point for each message, with the tests. Needs no kernel,
# nor the tool. Called as BUILD/host/messages.

set -u
here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/../..")

# shellcheck source=selftests/tap
. "$here/../tap"

# Those that run the tool.
mapfile -t tests < <(cd "$top/selftests" &&
		     grep -lE '"(tool_test|tool_run|terminal_test)\.h"' \
			./*.c host/*.c)

literals() {
	awk -v what=literals -f "$here/messages.awk" "$@"
}

# expected MESSAGE: which tests look for it.
expected() {
	local name found=
	for name in "${tests[@]}"; do
		if grep -qF -- "$1" <<<"${literal[$name]}"; then
			found+=" ${name#./}"
		fi
	done
	[[ $found ]] && seen=${found# }
}

# Each number of enum tool_exit, and none else.
manual_has_status() {
	diff <(sed -n '/^enum tool_exit/,/^}/s/.*= \([0-9]*\),.*/\1/p' \
			"$top/tools/tool.h") \
	     <(sed -n '/^\.SH EXIT/,/^\.SH FILES/s/^\.B \([0-9]*\)$/\1/p' \
			"$top/man/posixtrace.1")
}

# What a command can end with, as far as all of them can.
help_has_status() {
	local file
	for file in "$top"/tools/{info,limitslist,list,liveopt,monitor,printopt,recordopt}.c; do
		grep -q '"Exit status: 0.*; 1 after an error' "$file" ||
			{ echo "$file"; return 1; }
	done
}

echo 'TAP version 13'
declare -A literal
for name in "${tests[@]}"; do
	literal[$name]=$(cd "$top/selftests" && literals "$name")
done
while IFS=$'\t' read -r name message part; do
	if expected "$part"; then
		result ok "$name: $message ($seen)"
	else
		result bad "$name: $message"
	fi
done < <(awk -v what=messages -f "$here/messages.awk" "$top"/tools/*.c | sort -u)
check there_are_messages test "$tap_n" -gt 100
check manual_has_each_exit_status manual_has_status
check help_has_the_exit_status help_has_status
tap_end
