#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# link.sh: programs in C and C++ are compiled and linked with the library;
# header order; the names that the library exports
#
# Prints TAP. Needs no kernel. Called as BUILD/host/link.

set -u
here=$(dirname "$(realpath "$0")")
build=${BUILD:-$(realpath "$(dirname "$0")/..")}
include=$(realpath "$here/../../include")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

warnings=(-Wall -Wextra -pedantic -Werror)
link=(-L "$build" -lposixtrace "-Wl,-rpath,$build")

# shellcheck source=selftests/tap
. "$here/../tap"

# A program that a user would write, in both languages.
cat > "$work/program.c" <<'EOC'
#include <trace.h>

int main(void)
{
	trace_attr_t attr;
	int policy = 0;

	if (posix_trace_attr_init(&attr) ||
	    posix_trace_attr_getstreamfullpolicy(&attr, &policy))
		return 1;
	return policy == POSIX_TRACE_LOOP ? posix_trace_attr_destroy(&attr) : 1;
}
EOC

# program COMPILER LANGUAGE: compile, link, run.
program() {
	"$1" -x "$2" "${warnings[@]}" -I "$include" "$work/program.c" \
		-x none "${link[@]}" -o "$work/program" && "$work/program"
}

# orders HEADER...: every order of them, a line each.
orders() {
	local first rest
	[ $# = 0 ] && echo && return
	for first; do
		rest=()
		for header; do
			[ "$header" = "$first" ] || rest+=("$header")
		done
		orders "${rest[@]}" | sed "s|^|$first |"
	done
}

# Each order of these headers, and the same once more.
any_order() {
	local order count=0
	while read -r order; do
		# shellcheck disable=SC2086
		printf '#include <%s>\n' $order $order > "$work/order.c"
		echo 'trace_attr_t attr; struct timespec ts; pthread_t thread;' \
			>> "$work/order.c"
		gcc "${warnings[@]}" -I "$include" -fsyntax-only \
			"$work/order.c" || return
		count=$((count + 1))
	done < <(orders trace.h sys/types.h time.h pthread.h)
	[ $count = 24 ]
}

# names FILE: the functions of the library that FILE mentions.
names() {
	grep -oE '\<posix_trace_[a-z_]+ *[(;]' "$1" | tr -d ' (;' | sort -u
}

exported() {
	nm -D --defined-only "$build/libposixtrace.so" | awk '
		$2 == "T" || $2 == "W" { sub(/@.*/, "", $3); print $3 }' | sort -u
}

# All 50 functions of the standard are exported.
standard_names() {
	local declared
	declared=$(names "$include/trace.h" | grep -v '_np$')
	[ "$(wc -l <<< "$declared")" = 50 ] || { echo "$declared"; return 1; }
	diff <(echo "$declared") \
		<(exported | grep '^posix_trace_' | grep -v '_np$')
}

other_names() {
	diff <(echo sysconf) <(exported | grep -vE '^posix_trace_')
}

# Every name resolves, called from a program that has all of them.
all_names() {
	{
		echo '#include <trace.h>'
		echo 'extern void (*volatile all[])(void);'
		echo 'void (*volatile all[])(void) = {'
		exported | grep '^posix_trace_' | sed 's/.*/(void (*)(void))&,/'
		echo '};'
		echo 'int main(void) { return !all[0]; }'
	} > "$work/all.c"
	gcc -I "$include" "$work/all.c" "${link[@]}" -Wl,-z,now -o "$work/all" &&
		"$work/all"
}

echo 'TAP version 13'
check c_program_links_and_runs program gcc c
if command -v g++ > /dev/null; then
	check A011_cxx_program_links_and_runs program g++ c++
else
	skip A011_cxx_program_links_and_runs 'no g++'
fi
check A012_headers_in_any_order_and_twice any_order
check exports_the_functions_of_the_standard standard_names
check exports_nothing_else_but_sysconf_and_np other_names
check all_names_resolve all_names
tap_end
