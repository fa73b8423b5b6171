# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of the command line of posixtrace. What there is to choose from is
# what the program itself says in its --help.

# What $1 --help says, with the command $2.
_posixtrace_help() {
	"$1" ${2:+"$2"} --help 2>/dev/null
}

_posixtrace_commands() {
	_posixtrace_help "$1" | sed -n 's/^  \([a-z]\+\) .*/\1/p'
}

_posixtrace_options() {
	_posixtrace_help "$1" "${2-}" | grep -oE '^ +(-[a-z], )?--[a-z-]+' |
		grep -oE -- '--[a-z-]+'
}

# Those options that take an argument: their short and their long names.
_posixtrace_with_argument() {
	_posixtrace_help "$1" "$2" |
		sed -n 's/^ \+\(-[a-z]\)\?,\? *\(--[a-z-]\+\) [A-Z].*/\1 \2/p'
}

# Classes of events, and kernel events.
_posixtrace_events() {
	_posixtrace_help "$1" live | sed -n '/^Classes/,/^-e/{
		s/^  \([a-z]\+\) .*/\1/p
		/^ *linux_/ { s/^ *//; s/, /\n/g; p }
	}'
}

# Processes that the user may trace, as far as that can be told.
_posixtrace_pids() {
	local process
	for process in /proc/[0-9]*; do
		# Threads of the kernel have no program.
		if [[ -O $process ]] && readlink "$process/exe" >/dev/null 2>&1; then
			echo "${process#/proc/}"
		fi
	done
}

# _posixtrace_files WORD: names of files that begin so.
_posixtrace_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# _posixtrace_choose WORD CHOICE...: those that begin so.
_posixtrace_choose() {
	local word=$1
	shift
	mapfile -t COMPREPLY < <(compgen -W "$*" -- "$word")
}

# _posixtrace_list PROGRAM WORD: the last element of a list of events.
_posixtrace_list() {
	local before=
	# Behind that come names of system calls only.
	[[ $2 != *syscall:* ]] || return 0
	[[ $2 != *,* ]] || before=${2%,*},
	_posixtrace_choose "${2##*,}" "$(_posixtrace_events "$1")"
	COMPREPLY=("${COMPREPLY[@]/#/$before}")
}

# _posixtrace_argument PROGRAM OPTION WORD
_posixtrace_argument() {
	case $2 in
	-p | --pid) _posixtrace_choose "$3" "$(_posixtrace_pids)" ;;
	-e | --events) _posixtrace_list "$1" "$3" ;;
	-o | --output) _posixtrace_files "$3" ;;
	--policy) _posixtrace_choose "$3" append loop until-full ;;
	esac
}

# _posixtrace_operand COMMAND INDEX WORD: what follows the options.
_posixtrace_operand() {
	case $1 in
	live | record)
		if declare -F _command_offset >/dev/null; then
			_command_offset "$2"
		elif ((COMP_CWORD == $2)); then
			mapfile -t COMPREPLY < <(compgen -c -- "$3")
		else
			_posixtrace_files "$3"
		fi ;;
	print | info)
		_posixtrace_files "$3" ;;
	esac
}

# Bash takes a word with : or = for several. Join them again, into words; cword
# is the index of the last one, where[i] the index of word i in COMP_WORDS.
_posixtrace_join() {
	local i line=${COMP_LINE:0:COMP_POINT} glued
	words=() where=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		glued=$((${#words[@]} > 0))
		while [[ $line == [[:blank:]]* ]]; do
			line=${line#?} glued=0
		done
		line=${line#"${COMP_WORDS[i]}"}
		if ((glued)); then
			words[-1]+=${COMP_WORDS[i]}
		else
			words+=("${COMP_WORDS[i]}") where+=("$i")
		fi
	done
	cword=$((${#words[@]} - 1))
}

_posixtrace_word() {
	local program=${words[0]} command=${words[1]} word=${words[cword]}
	local i arguments
	if ((cword == 1)); then
		_posixtrace_choose "$word" "$(_posixtrace_commands "$program")" \
			"$(_posixtrace_options "$program")"
		return
	fi
	arguments=" $(_posixtrace_with_argument "$program" "$command" | xargs) "
	for ((i = 2; i < cword; i++)); do
		case ${words[i]} in
		--)	i=$((i + 1))
			break ;;
		--*=*)	;;
		-?*)	[[ $arguments == *" ${words[i]} "* ]] || continue
			i=$((i + 1))
			if ((i == cword)); then
				_posixtrace_argument "$program" \
					"${words[i - 1]}" "$word"
				return
			fi ;;
		*)	break ;;
		esac
	done
	if ((i < cword)) || [[ $word != -* || ${words[i - 1]} == -- ]]; then
		_posixtrace_operand "$command" "${where[i]}" "$word"
	elif [[ $word == --*=* ]]; then
		_posixtrace_argument "$program" "${word%%=*}" "${word#*=}"
		COMPREPLY=("${COMPREPLY[@]/#/${word%%=*}=}")
	else
		_posixtrace_choose "$word" \
			"$(_posixtrace_options "$program" "$command")"
	fi
}

_posixtrace() {
	local words where cword before
	COMPREPLY=()
	_posixtrace_join
	_posixtrace_word
	# Bash replaces only what is behind the last : or =.
	before=${words[cword]}
	case ${COMP_WORDS[COMP_CWORD]} in
	: | =)	;;
	*)	before=${before%"${COMP_WORDS[COMP_CWORD]}"} ;;
	esac
	COMPREPLY=("${COMPREPLY[@]#"$before"}")
}

complete -F _posixtrace posixtrace
