#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# header.sh: <trace.h> under every feature-test macro of the C library, language
# standard and compiler, alone and with other headers before and after it
#
# Prints TAP. Needs no kernel. CC: the C compiler (default: gcc); clang and C++
# are tried if they are there.

set -u
here=$(dirname "$(realpath "$0")")
include=$(realpath "$here/../../include")
CC=${CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One line: what goes onto the command line. "" is the compiler's default.
features=(
	""
	"-D_POSIX_SOURCE"
	"-D_POSIX_C_SOURCE=1"
	"-D_POSIX_C_SOURCE=2"
	"-D_POSIX_C_SOURCE=199309L"
	"-D_POSIX_C_SOURCE=199506L"
	"-D_POSIX_C_SOURCE=200112L"
	"-D_POSIX_C_SOURCE=200809L"
	"-D_XOPEN_SOURCE"
	"-D_XOPEN_SOURCE -D_XOPEN_SOURCE_EXTENDED"
	"-D_XOPEN_SOURCE=500"
	"-D_XOPEN_SOURCE=600"
	"-D_XOPEN_SOURCE=700"
	"-D_ISOC99_SOURCE"
	"-D_ISOC11_SOURCE"
	"-D_ISOC2X_SOURCE"
	"-D_DEFAULT_SOURCE"
	"-D_BSD_SOURCE -D_DEFAULT_SOURCE"
	"-D_ATFILE_SOURCE"
	"-D_LARGEFILE_SOURCE -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64"
	"-D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64"
	"-D_DYNAMIC_STACK_SIZE_SOURCE"
	"-D_REENTRANT"
	"-D_FORTIFY_SOURCE=2 -O2"
	"-D_GNU_SOURCE"
)

# Headers before, and headers after. All of them are there in every mode.
cat > "$work/all.h" <<'EOF'
#include <limits.h>
#include <sys/types.h>
#include <unistd.h>
#include <time.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
EOF
printf '#include <unistd.h>\n#include <limits.h>\n' > "$work/posix.h"
printf '#include <time.h>\n#include <sys/types.h>\n' > "$work/types.h"
printf '#include <pthread.h>\n#include <sys/time.h>\n' > "$work/thread.h"
printf '#include <linux/time_types.h>\n#include <linux/types.h>\n' \
	> "$work/kernel.h"
orders=(
	""
	"-DFIRST=\"all.h\""
	"-DLAST=\"all.h\""
	"-DFIRST=\"posix.h\""
	"-DLAST=\"posix.h\""
	"-DFIRST=\"types.h\" -DLAST=\"thread.h\""
	"-DFIRST=\"thread.h\" -DLAST=\"types.h\""
	"-DFIRST=\"kernel.h\" -DLAST=\"all.h\""
)

# shellcheck source=selftests/tap
. "$here/../tap"

warnings=(-Wall -Wextra -pedantic -Wshadow -Wundef -Wredundant-decls -Werror)

# combinations COMPILER LANGUAGE STANDARD...: each feature with each standard;
# the orders take turns, so that each meets each feature.
combinations() {
	local compiler=$1 language=$2 i=0 std feature order
	shift 2
	command -v "$compiler" > /dev/null || return 0
	for std; do
		i=$((i + 1))
		for feature in "${features[@]}"; do
			order=${orders[i % ${#orders[@]}]}
			i=$((i + 1))
			# shellcheck disable=SC2086 # lists of options
			check "$compiler -std=$std $feature $order" \
				"$compiler" -x "$language" "-std=$std" \
				"${warnings[@]}" $feature $order -I "$include" \
				-I "$work" -fsyntax-only "$here/header/use.inc"
		done
	done
}

echo "TAP version 13"
combinations "$CC" c c99 gnu11 c2x
[ "$CC" = clang ] || combinations clang c c99
combinations g++ c++ c++98 c++17
combinations clang++ c++ c++17

for feature in "${features[@]}"; do
	# shellcheck disable=SC2086
	case $feature in
	"" | -D_ISOC*)
		check "names of a strict program $feature" \
			"$CC" -std=c99 "${warnings[@]}" $feature -I "$include" \
			-fsyntax-only -x c "$here/header/names.inc" ;;
	esac
done

tap_end
