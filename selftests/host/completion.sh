#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# completion.sh: the completion of the command line by bash, asked as bash asks
#
# Prints TAP. Needs no kernel. Called as BUILD/host/completion.

set -u
here=$(dirname "$(realpath "$0")")
build=${BUILD:-$(realpath "$(dirname "$0")/..")}
PATH=$build:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=/dev/null
. "$here/../../dist/posixtrace.bash"

# shellcheck source=selftests/tap
. "$here/../tap"

# complete LINE: what bash would offer behind it, sorted, on one line. The words
# are divided as readline does it.
complete_line() {
	local word
	COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=()
	while read -r word; do
		COMP_WORDS+=("$word")
	done < <(grep -oE '[:=]+|[^:= ]+' <<<"$1")
	[[ $1 != *' ' ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_posixtrace
	printf '%s\n' "${COMPREPLY[@]}" | sort | xargs
}

# offers LINE CHOICE...: these and nothing else.
offers() {
	local line=$1
	shift
	diff <(echo "$*") <(complete_line "$line")
}

# offers_also LINE CHOICE: this one, too.
offers_also() {
	local all
	all=$(complete_line "$1")
	[[ " $all " == *" $2 "* ]] || { echo "$all"; return 1; }
}

registered() {
	[[ $(complete -p posixtrace) == 'complete -F _posixtrace posixtrace' ]]
}

# Every option that the help of COMMAND names, and none else.
all_options() {
	local options
	options=$(posixtrace ${1:+"$1"} --help | grep -oE '^ +(-[a-z], )?--[a-z-]+' |
		  grep -oE -- '--.*' | sort | xargs)
	[[ $options == *--help* ]] || return
	offers "posixtrace ${1:+$1 }--" "$options"
}

# Those of the help of COMMAND stand in its page, and no others there.
manual_has_options() {
	diff <(for command in '' live record print info \
				  list monitor limits; do
			posixtrace ${command:+"$command"} --help |
				grep -oE '^ +(-[a-z], )?--[a-z-]+'
	       done | grep -oE -- '-[a-z]\b|--[a-z-]+' | sort -u) \
	     <(sed -n '/^\.SH SYN/,/^\.SH DESC/p; /^\.SH OPT/,/^\.SH EV/{/^\.B/p}' \
			"$here/../../man/posixtrace.1" | sed 's/\\-/-/g' |
		grep -oE -- '(^|[ "|[])-[a-z]\b|--[a-z-]+' | tr -d ' "|[' | sort -u)
}

manual_has_events() {
	diff <(_posixtrace_events posixtrace | sort) \
	     <(sed -n '/^\.SH EVENTS/,/^\.SH EXIT/p' \
			"$here/../../man/posixtrace.1" |
		sed -n 's/^\.B \([a-z]*\)$/\1/p
			s/^\.IR\? \(linux_[a-z_]*\).*/\1/p' | sort)
}

own_pid() {
	offers_also "posixtrace live -p " $$
}

cd "$work" || exit
touch one.log other.log 'no log'
mkdir folder

echo 'TAP version 13'
check completion_is_registered registered
check commands offers 'posixtrace ' --help --version info limits list live \
	monitor print record
check commands_that_begin_so offers 'posixtrace r' record
check options all_options ''
for command in live record print info list monitor limits; do
	check "options_of_$command" all_options "$command"
done
check options_that_begin_so offers 'posixtrace live --d' --data-size --duration
check options_behind_others offers 'posixtrace record -q -o x --po' --policy
check pids own_pid
check pids_behind_a_long_option offers_also 'posixtrace record --pid ' $$
check policies offers 'posixtrace record --policy ' append loop until-full
check policies_behind_an_equals_sign \
	offers 'posixtrace record --policy=l' loop
check classes offers 'posixtrace live -e s' sched signal syscall system
check classes_and_kernel_events_in_a_list \
	offers 'posixtrace live -e user,linux_ex' user,linux_exec user,linux_exit
check a_list_behind_an_equals_sign offers 'posixtrace live --events=us' user
check nothing_behind_syscall offers 'posixtrace live -e syscall:re' ''
check logs offers 'posixtrace print o' one.log other.log
check logs_behind_options offers 'posixtrace print --since +1 -j one' one.log
check logs_named_by_output offers 'posixtrace live -o ot' other.log
check logs_behind_an_equals_sign offers 'posixtrace live --output=ot' other.log
check no_option_behind_the_last offers 'posixtrace info -- --j' ''
check nothing_where_a_number_goes offers 'posixtrace live -n ' ''
check programs offers_also 'posixtrace live posixtr' posixtrace
check programs_behind_options offers_also 'posixtrace live -f -- posixtr' posixtrace
check options_of_the_program_are_not_ours offers 'posixtrace live sort --data' ''
check files_for_the_program offers 'posixtrace live sort one' one.log
check posixtrace_1_has_the_options manual_has_options
check posixtrace_1_has_the_events manual_has_events
tap_end
