# SPDX-License-Identifier: GPL-2.0-only
#
# Counts what "programs" has printed: prints "passed failed skipped". The tests
# inside the programs count. A program that ended badly or did not run all the
# tests of its plan is one failure more, unless a test of it has failed. Of a VM
# that had to be booted again (see is_stale_breakpoint in run) the last boot counts.
# A program for which there was no time is one test skipped.

/^KTAP version/	{
	plan = planned = ran = bad = programs = expected = 0
	passed = failed = skipped = 0
}
/^  1\.\.[0-9]+/	{ plan = substr($1, 4) + 0; planned = 1 }
/^  ok /		{ ran++; if (/# SKIP/) skipped++; else passed++ }
/^  not ok /		{ ran++; failed++; bad = 1 }

/^ok .* # SKIP no time/	{ skipped++; programs++; next }
/^(not )?ok /		{
	if (!bad && (/^not ok/ || !planned || ran != plan))
		failed++
	plan = planned = ran = bad = 0
	programs++
}
/^1\.\.[0-9]+/		{ expected += substr($1, 4) }

END			{
	if (programs < expected)	# the VM ended early
		failed += expected - programs
	print passed + 0, failed + 0, skipped + 0
}
