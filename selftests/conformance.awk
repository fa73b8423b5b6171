# SPDX-License-Identifier: GPL-2.0-only
#
# The table of "conformance". First input: its lines on tests and results;
# second: assertions.txt.

# Badness of a result. What no kernel has run was not tested.
function rank(r)
{
	return r == "FAIL" ? 3 : r == "?" ? 2 : r == "skip" ? 1 : 0
}

# Each number at the front of a test's name.
function numbers(name, list,	n)
{
	n = 0
	while (match(name, /^A[0-9][0-9][0-9]_/)) {
		list[++n] = "A-" substr(name, 2, 3)
		name = substr(name, 6)
	}
	return n
}

# The result of all tests of an assertion on one kernel.
function outcome(a, kernel,	i, name, r, worst)
{
	worst = "ok"
	for (i = 1; i <= tests[a]; i++) {
		name = test[a, i]
		r = (kernel, name) in result ? result[kernel, name] : "?"
		if (on_host[name] != (kernel == "host"))
			continue
		if (rank(r) > rank(worst))
			worst = r
	}
	return worst
}

FNR == 1 { input++ }

input == 1 && $1 == "test" {
	on_host[$3] = $2 ~ /^host\//
	n = numbers($3, list)
	for (i = 1; i <= n; i++)
		test[list[i], ++tests[list[i]]] = $3
	next
}

input == 1 && $1 == "result" {
	if (!($2 in known)) {
		known[$2] = 1
		if ($2 != "host")
			kernel[++kernels] = $2
	}
	if (!(($2, $4) in result) || rank($3) > rank(result[$2, $4]))
		result[$2, $4] = $3
	next
}

input == 2 && FNR == 1 {
	width = kernels > 1 ? 5 * kernels : 9
	for (i = 1; i <= kernels; i++)
		head = head sprintf("%-5s", kernel[i])
	printf "%-6s %-7s%-*s %-60s %s\n", "number", "origin", width, head,
	       "test", "assertion"
}

input == 2 && /^A-/ {
	split($0, field, "\t")
	a = field[1]
	standard = field[2] == "[S]"
	total++
	row = ""
	bad = 0
	if (!tests[a]) {
		row = "MISSING"
		name = "-"
		bad = 1
		missing++
		list_missing = list_missing " " a field[2]
	} else {
		hosted = on_host[test[a, 1]]
		worst = "ok"
		for (i = 1; i <= kernels; i++) {
			r = outcome(a, hosted ? "host" : kernel[i])
			row = row sprintf("%-5s", r)
			if (rank(r) > rank(worst))
				worst = r
		}
		bad = worst != "ok"
		if (bad)
			red++
		else
			passed++
		name = test[a, 1] (tests[a] > 1 ? " (and " tests[a] - 1 " more)" : "")
	}
	if (bad && standard)
		failures++
	if (bad || !short)
		printf "%-6s %-7s%-*s %-60s %s\n", a, field[2], width, row,
		       name, field[3]
}

END {
	if (!kernels) {
		print "no result of a kernel"
		exit 1
	}
	printf "\n%d assertions: %d passed, %d not passed, %d missing\n",
	       total, passed, red, missing
	if (missing)
		print "missing:" list_missing
	printf "[S] missing or not passed: %d\n", failures
	exit failures > 0
}
