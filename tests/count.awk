# Reads meson's testlog.txt, whose tests speak TAP. Shows on standard error
# what failed (meson itself shows no TAP line) and prints three numbers: the
# test cases that passed, failed and were skipped. Adds each program that a
# skipped one says it needs to the file `missing`, a line each time, and what
# failed to the file `failures`.

# A test ends: what its plan promised and what its status says count too.
function finish() {
    if (name == "") return
    seen = ok + bad + skip
    if (plan > seen) {
        show("ran " seen " of " plan " test cases: " result)
        bad += plan - seen
    } else if (plan < 0 && seen == 0) {
        # No TAP at all: the whole test is one case.
        if (result == "exit status 0") ok++
        else if (result == "exit status 77") skip++
        else { show(result); bad++ }
    } else if (bad == 0 && result != "exit status 0") {
        show(result)
        bad++
    }
    if (bad > 0 && errors != "") print errors > "/dev/stderr"
    passed += ok; failed += bad; skipped += skip
    name = ""
}
# "# skip needs jq go": see tests/needs.
function note_missing(   reason, programs, i) {
    reason = tolower($0)
    if (!sub(/^.*# *skip:? *needs +/, "", reason)) return
    for (i = split(substr($0, length($0) - length(reason) + 1), programs); i > 0; i--)
        print programs[i] >> missing
}
function show(what) {
    print name ": " what > "/dev/stderr"
    print name ": " what >> failures
}

/^=+ [0-9]+\/[0-9]+ =+$/ {
    finish()
    part = "head"; ok = bad = skip = 0; plan = -1; errors = ""
    next
}
/^=+$/ { finish(); part = ""; next }
/^-+ stdout -+$/ { part = "stdout"; explain = 0; next }
/^-+ stderr -+$/ { part = "stderr"; next }

part == "head" && sub(/^test: +/, "")   { name = $0 }
part == "head" && sub(/^result: +/, "") { result = $0 }

part == "stdout" && /^1\.\.[0-9]+/ {
    plan = substr($1, 4) + 0
    if (plan == 0) { skip++; note_missing() }
}
part == "stdout" && /^(not )?ok( |$)/ {
    explain = 0
    # After the name: "# skip why" or "# TODO why".
    if (tolower($0) ~ /# *(skip|todo)/) { skip++; note_missing() }
    else if ($1 == "ok") ok++
    else { bad++; explain = 1; show($0) }
    next
}
part == "stdout" && /^ *#/ && explain { print "    " $0 > "/dev/stderr" }
part == "stderr" && NF { errors = errors "    " $0 "\n" }

END {
    finish()
    print passed + 0, failed + 0, skipped + 0
}
