#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# security.sh: each test that SECURITY.md names exists, and each boundary that it
# draws has one
#
# Prints TAP. Needs no kernel. Called as BUILD/host/security.

set -u
here=$(dirname "$(realpath "$0")")
tests=$(realpath "$here/..")
document=$tests/../SECURITY.md

# shellcheck source=selftests/tap
. "$here/../tap"

# named FILE: the tests that the document FILE names, as FILE:TEST.
named() {
	# shellcheck disable=SC2016	# its quotes, not ours
	grep -oE '`(host/)?[a-z_]+\.c:[A-Za-z0-9_]+`' "$1" | tr -d '`' | sort -u
}

# exists FILE:TEST
exists() {
	grep -qE "^TEST(_F)?(_SIGNAL|_TIMEOUT)?\(([a-z_]+, )?${1#*:}[,)]" \
		"$tests/${1%%:*}"
}

all_exist() {
	local name missing=0
	for name in $(named "$1"); do
		exists "$name" || { echo "no such test: $name"; missing=1; }
	done
	((!missing))
}

# Rows of tables, but for their heads, without a test.
all_guarded() {
	! grep -E '^\| ' "$1" | grep -vE '^\| (Boundary|---)' |
		grep -vE '\.c:[A-Za-z0-9_]+'
}

names_many() {
	(($(named "$1" | wc -l) >= 50))
}

# That this can fail.
finds_a_missing_one() {
	! exists gate.c:no_such_test && ! exists no_such_file.c:to_trace &&
		! exists gate.c:cannot && exists gate.c:cannot_grow
}

echo 'TAP version 13'
check 'a test that does not exist is found out' finds_a_missing_one
check 'SECURITY.md names tests' names_many "$document"
check 'each test that SECURITY.md names exists' all_exist "$document"
check 'each boundary in SECURITY.md has a test' all_guarded "$document"
tap_end
