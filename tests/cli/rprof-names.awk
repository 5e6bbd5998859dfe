# Reads Rprof text, each line of which ends in a line feed, in a way of its own:
# not by scanning, but by splitting each sample at what separates two names.
#
# Prints the number of samples, then each distinct name on a line of its own,
# with line feeds in it written as \001. Run it under LC_ALL=C.

function begins_line(s) {
    return s ~ /^(memory|GC|line) profiling: / || s ~ /^sample\.interval=/ || s ~ /^#File [0-9]/ ||
        s ~ /^[0-9]+#[0-9]+( |$)/ || s ~ /^:[0-9]+:[0-9]+:[0-9]+:[0-9]+:/ ||
        (s ~ /^"/ && s !~ /^" ?$/ && s !~ /^" ("|[0-9]+#[0-9]+( |$))/)
}
# A sample ends in a closing quote or a position; a quote behind what separates two
# names is an opening one.
function is_whole(s) {
    sub(/ $/, "", s)
    if (s ~ /^(:[0-9:]+:)?([0-9]+#[0-9]+ )?"$/ || s ~ /" ([0-9]+#[0-9]+ )?"$/) return 0
    return s ~ /"$/ || s ~ /(^|" |:)[0-9]+#[0-9]+$/ || s !~ /"/
}
function sample(s,   n, i, names) {
    samples++
    sub(/^:[0-9]+:[0-9]+:[0-9]+:[0-9]+:/, "", s)
    sub(/ $/, "", s)
    sub(/(^|" )[0-9]+#[0-9]+$/, "\"", s)
    if (s == "" || s == "\"") return
    sub(/^([0-9]+#[0-9]+ )?"/, "", s)
    sub(/"$/, "", s)
    n = split(s, names, /" ([0-9]+#[0-9]+ )?"/)
    for (i = 1; i <= n; i++)
        if (!(names[i] in seen)) { seen[names[i]] = 1; list[++count] = names[i] }
}
function finish() { if (pending != "") sample(pending); pending = "" }

open && !begins_line($0) { pending = pending "\001" $0; open = !is_whole(pending); next }
{ finish(); open = 0 }
/^(memory|GC|line) profiling: |^sample\.interval=|^#File / { next }
{ pending = $0; open = !is_whole(pending) }
END {
    finish()
    print samples + 0
    for (i = 1; i <= count; i++) print list[i]
}
