#!/usr/bin/env bats
# Printed stacks, judged by stacks.py, which counts them as the scripts of FlameGraph do.
load helpers

STACKS=$ROOT/samples/stacks

# Fails unless stacks2ndjson and stacks.py count the same stacks in FILE, COUNT or more of them.
same_stacks() {  # dialect file count
    stacks2ndjson -q "$2" >rows.ndjson
    python3 "$BATS_TEST_DIRNAME/stacks.py" "$1" "$2" rows.ndjson >apart
    [ "$(wc -l <apart)" -eq 1 ] || fail "$2" "$(head apart)"
    [ "$(cat apart)" -ge "$3" ] || fail "$2: $(cat apart) stacks"
}

@test "stacks of what programs print are those of an independent count" {
    need python3
    local cases=$ROOT/tests/cases/stacks2ndjson
    same_stacks bpftrace "$STACKS/bpftrace-text.txt" 2
    same_stacks bpftrace_json "$STACKS/bpftrace-json.txt" 2
    same_stacks jstack "$STACKS/jstack.txt" 5
    same_stacks jstack "$STACKS/jcmd.txt" 5
    same_stacks gdb "$STACKS/gdb.txt" 3
    sed '/^ *bash/d; /^ *77$/d' "$cases/dtrace/input" >dtrace # without other parts of keys
    same_stacks dtrace dtrace 3
    same_stacks sample "$cases/sample/input" 4
}

@test "each dump of a thread is a sample, in order, with its name and state" {
    need jq
    stacks2ndjson -q "$STACKS/jstack.txt" | jq -c 'select(.table == "samples") | [.[".labels"][] | {key, value: (.str // .num)}] | from_entries' >labels
    [ "$(wc -l <labels)" -eq "$(grep -c '^".*prio=' "$STACKS/jstack.txt")" ]
    [ "$(jq -s 'map(.dump) | unique | length' labels)" -eq 3 ]
    jq -s -e 'map(.dump) == (map(.dump) | sort)' labels
    [ "$(jq -s 'map(select(.thread == "a \"quoted\" name" and .state == "BLOCKED (on object monitor)")) | length' labels)" -eq 3 ]
    [ "$(jq -s 'map(select(.is == "daemon")) | length' labels)" -eq "$(grep -c '^".*" #[0-9]* daemon' "$STACKS/jstack.txt")" ]
    # dates of dumps, in seconds after the first
    stacks2ndjson -q "$STACKS/jstack.txt" | jq 'select(.table == "samples") | .[".time"] / 1e9' | uniq >times
    grep '^20..-..-.. ..:..:..$' "$STACKS/jstack.txt" | while read -r date; do date -u -d "$date" +%s; done |
        awk 'NR == 1 { first = $1 } { print $1 - first }' | diff times -
}

@test "locks and lines that belong to no stack are kept" {
    need jq
    grep -c '^	- ' "$STACKS/jcmd.txt" >expected
    stacks2ndjson -q "$STACKS/jcmd.txt" | jq -s '[.[] | .[".stacks_notes"] // [] | .[] | select(test("^[0-9]+ - "))] | length' | diff expected -
    stacks2ndjson -q "$STACKS/jcmd.txt" | jq 'select(.text == "Threads class SMR info:") | .line' >line
    [ "$(sed -n "$(cat line)p" "$STACKS/jcmd.txt")" = 'Threads class SMR info:' ]
}

@test "a report of sample says what is in a mapped file, and how long" {
    need jq
    local report=$ROOT/tests/cases/stacks2ndjson/sample/input
    [ "$(profsum -q --by=mapping --format=tsv "$report" | column mapping | grep -c '^/usr/lib/libm.dylib$')" -eq 1 ]
    # two milliseconds for each of the samples of all threads
    [ "$(profsum -q --format=json --type=wall "$report" | jq '[.rows[].self] | add')" = "$((2 * (9 + 4 + 3) * 1000000))" ]
}

@test "functions of the kernel are inside of those of a program, in whichever order a script has them" {
    local stack='    entry_SYSCALL_64_after_hwframe+1' user='    0x5640b1f44213'
    for keys in "$stack
, 
$user" "$user
, 
$stack"; do
        printf 'Attaching 1 probe...\n@[\n%s\n]: 1\n' "$keys" | stacks2ndjson | profsum -q --format=tsv --by=function | column function self >sums
        grep -P '^entry_SYSCALL_64_after_hwframe\t1$' sums
    done
}

@test "stacks are never taken for rows, folded stacks or pprof" {
    for file in "$STACKS"/*.txt "$ROOT"/tests/cases/stacks2ndjson/*/input; do
        case $file in
            *-strict/* | *-huge/* | *-bad/* | *-twice/* | *sample-level/* | *sample-children/*) continue ;;
        esac
        try profcat -q "$file"
        [ "$status" -eq 0 ] || fail "$file" "$(cat stderr)"
        grep -qE '"source_type":"(stacks|threads)"' stdout || fail "$file"
        try folded2ndjson "$file"
        [ "$status" -eq 1 ]
        grep -q 'found a printed stacks file: stacks2ndjson reads it' stderr || fail "$file" "$(cat stderr)"
    done
}

@test "deep stacks and many kinds of lines take linear time and little memory" {
    takes_long
    { printf 'Attaching 1 probe...\n@[\n'; yes '    f+1' | head -n 999999; printf ']: 1\n'; } >deep
    profsum -q deep >sums
    { printf 'Attaching 1 probe...\n@[\n'; yes '    f+1' | head -n 1000001; printf ']: 1\n'; } >deeper
    try stacks2ndjson deeper
    says 1 'stacks2ndjson: deeper:1000004: expected at most 1000000 frames in a sample, found more'
    awk 'BEGIN { print "Analysis of sampling x (pid 1) every 1 millisecond\nCall graph:\n    3000 Thread_1"
        for (i = 1; i < 3000; i++) { line = line "  "; print "    " line 3000 - i " f  (in a) + 1  [0x" i "]" } }' >tree
    timeout 20 stacks2ndjson -q tree >/dev/null
    { printf 'Full thread dump X:\n'; awk 'BEGIN { for (i = 0; i < 200000; i++) print "\"t" i "\" #1 prio=5 tid=0x1\n\tat f" i "(A.java:1)" }'; } >threads
    timeout 20 stacks2ndjson -q threads >/dev/null
}
