#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# install.sh: what "make install" installs can be used as it lies there, and
# "make uninstall" leaves nothing of it
#
# Prints TAP. Needs no kernel. Called as BUILD/host/install.

set -u
here=$(dirname "$(realpath "$0")")
top=$(realpath "$here/../..")
build=${BUILD:-$(realpath "$(dirname "$0")/..")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MAKELEVEL

export DESTDIR=$work/root PREFIX=/usr
"$top/selftests/vm/need" pkg-config

# shellcheck source=selftests/tap
. "$here/../tap"

# What is installed here, and nothing else: make needs what the system has.
pkg_config() {
	PKG_CONFIG_SYSROOT_DIR=$DESTDIR \
	PKG_CONFIG_LIBDIR=$DESTDIR/usr/lib/pkgconfig pkg-config "$@"
}

run_make() {
	make -C "$top" BUILD="$build" "$@"
}

cat >"$work/program.c" <<'EOC'
#include <linux/posixtrace_log.h>
#include <stdio.h>
#include <trace.h>

int main(void)
{
	char version[TRACE_NAME_MAX];
	trace_attr_t attr;

	if (posix_trace_attr_init(&attr) ||
	    posix_trace_attr_getgenversion(&attr, version))
		return 1;
	return puts(version) == EOF;
}
EOC

# builds OUTPUT OPTION...: as a user would, with nothing but pkg-config.
builds() {
	local out=$1
	shift
	# shellcheck disable=SC2046	# a list of options
	(cd "$work" && cc -Wall -Wextra -pedantic -Werror -o "$out" program.c \
		"$@" $(pkg_config --cflags --libs "${@/#-static/--static}" posixtrace))
}

dynamic_program() {
	builds dynamic || return
	readelf -d "$work/dynamic" | grep -q 'NEEDED.*\[libposixtrace.so.0\]' &&
		LD_LIBRARY_PATH=$DESTDIR/usr/lib "$work/dynamic"
}

static_program() {
	builds static -static && "$work/static" &&
		! readelf -d "$work/static" | grep NEEDED
}

# The one in the folder that its page is looked for from.
man_page() {
	command -v man >/dev/null || "$top/selftests/vm/need" man-db
	man -M "$DESTDIR/usr/share/man" "$1" | grep -q 'posix_trace_stop'
}

tool() {
	local tool=$DESTDIR/usr/bin/posixtrace
	! readelf -d "$tool" | grep -E 'R(UN)?PATH' &&
		LD_LIBRARY_PATH=$DESTDIR/usr/lib "$tool" --version
}

# What names a version, names the same one.
one_version() {
	local version
	version=$(pkg_config --modversion posixtrace)
	diff <(printf '%s\n' "$version" "$version" "$version" \
			"posixtrace ${version%.*} (library: posixtrace ${version%.*})") \
	     <(sed -n 's/^PACKAGE_VERSION="\(.*\)"$/\1/p' "$top/dkms.conf"
	       sed -n 's/^MODULE_VERSION("\(.*\)");$/\1/p' "$top/kmod/main.c"
	       echo "$DESTDIR"/usr/lib/libposixtrace.so.*.* | sed 's/.*so\.//'
	       LD_LIBRARY_PATH=$build "$build/posixtrace" --version) &&
		! grep '^\.TH' "$top"/man/*.[1-8] |
			grep -v "\"posixtrace ${version%.*}\""
}

# Files of others in the same folders stay.
uninstalls() {
	local before after
	touch "$DESTDIR/usr/lib/libother.so" "$DESTDIR/usr/bin/other"
	run_make uninstall || return
	before=$(printf '%s\n' usr/bin/other usr/lib/libother.so)
	after=$(cd "$DESTDIR" && find usr ! -type d -o -name '*posixtrace*' | sort)
	diff <(echo "$before") <(echo "$after")
}

# DKMS finds there all that Kbuild needs.
sources() {
	run_make install-dkms || return
	local to=$DESTDIR/usr/src/posixtrace-0.1.0
	[ -e "$to/dkms.conf" ] && diff -r "$top/kmod" "$to/kmod" &&
		diff "$top/Kbuild" "$to/Kbuild" && ls "$to/include/linux/posixtrace.h"
}

uninstalls_sources() {
	run_make uninstall-dkms && ! [ -e "$DESTDIR/usr/src/posixtrace-0.1.0" ]
}

echo 'TAP version 13'
check installs run_make install
check installs_what_is_there_already run_make install
check a_program_links_dynamically dynamic_program
check a_program_links_statically static_program
check the_tool_runs_without_a_path_of_its_own tool
check a_function_finds_its_page man_page posix_trace_stop
check one_version_everywhere one_version
check uninstalls_and_leaves_nothing uninstalls
check installs_the_sources_of_the_module sources
check uninstalls_the_sources uninstalls_sources
tap_end
