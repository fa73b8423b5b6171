# SPDX-License-Identifier: GPL-2.0-only
#
# messages.awk: what the tool can say, and whether a test expects it. Called by
# messages.sh with -v what=..., see there
#
# A message is a string in the arguments of diag(), diag_hint() or
# opt_bad_value(). What is looked for is its longest part without a conversion.

# The literals at the beginning of text, joined, without the outer quotes; rest
# becomes what follows.
function literal(text,	joined, c) {
	joined = ""
	while (match(text, /^[ \t\n]*"/)) {
		text = substr(text, RLENGTH + 1)
		while ((c = substr(text, 1, 1)) != "\"") {
			if (c == "\\") {
				c = substr(text, 1, 2)
			}
			joined = joined c
			text = substr(text, length(c) + 1)
		}
		text = substr(text, 2)
	}
	rest = text
	return joined
}

# The part of message to look for.
function longest(message,	parts, n, i, best) {
	n = split(message, parts, /%[-0-9.*]*(ll|z)?[a-z]/)
	best = ""
	for (i = 1; i <= n; i++)
		if (length(parts[i]) > length(best))
			best = parts[i]
	return best
}

# Those of one call, up to the parenthesis that closes it.
function call(text, name,	depth, c, message) {
	depth = 1
	while (depth) {
		c = substr(text, 1, 1)
		if (c == "\"") {
			message = literal(text)
			text = rest
			if (longest(message) ~ /[a-z][a-z][a-z]/)
				print name "\t" message "\t" longest(message)
			continue
		}
		depth += (c == "(") - (c == ")")
		text = substr(text, 2)
	}
	return text
}

function calls(text, name) {
	gsub(/\/\*([^*]|\*[^\/])*\*\//, "", text)
	while (match(text, /[^a-z_](diag|diag_hint|opt_bad_value)\(/))
		text = call(substr(text, RSTART + RLENGTH), name)
}

# Every literal of a test, but those that it expects not to see.
function literals(text,	at) {
	gsub(/\/\*([^*]|\*[^\/])*\*\//, "", text)
	gsub(/'"'/, "", text)
	gsub(/EXPECT_NO_TEXT\([^;]*;/, "", text)
	while ((at = index(text, "\""))) {
		print literal(substr(text, at))
		text = rest
	}
}

function file_ends() {
	if (what == "messages")
		calls(text, name)
	else
		literals(text)
}

FNR == 1 {
	if (name)
		file_ends()
	text = ""
	name = FILENAME
	sub(/.*\//, "", name)
}

/^#/ { next }

{ text = text $0 "\n" }

END { file_ends() }
