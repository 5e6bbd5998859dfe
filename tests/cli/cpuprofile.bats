#!/usr/bin/env bats
# Files of V8: there and back, what is written of other profiles, and sums against what the files say.
load helpers

# All files of V8 that tests have, and some of each form.
files() {
    mkdir -p made
    python3 "$BATS_TEST_DIRNAME/cpuprofiles.py" made "$1"
    ls made/* "$ROOT"/samples/cpuprofile/*.cpuprofile "$ROOT"/tests/cases/cpuprofile2ndjson/*/input
}

# The same as self_times below, by what a file says alone.
file_times() {  # file of V8
    jq -r '. as $p | (.nodes | map({key: "\(.id)", value: .callFrame.functionName}) | from_entries) as $names
        | [range(0; .samples | length) | {name: $names["\($p.samples[.])"], time: ($p.timeDeltas[. + 1] // 0)}]
        | group_by(.name)[] | [(map(.time) | add) * 1000, .[0].name] | select(.[0] > 0 and .[1] != "(root)" and .[1] != "") | "\(.[0]) \(.[1])"' "$1" | LC_ALL=C sort
}

@test "files come back, value for value" {
    takes_long
    need jq
    need python3
    count=0
    for input in $(files 300); do
        jq . "$input" >/dev/null 2>&1 && cpuprofile2ndjson -q --lossless "$input" >rows 2>/dev/null || continue
        profvalidate rows
        # a node with the members of a frame, but of no old file, is not V8's, nor are ticks without a line
        case $input in */behind/* | */folded/* | */ticks-no-line/*) continue ;; esac
        ndjson2cpuprofile --lossless rows >x.json
        jq -S . "$input" >expected
        jq -S . x.json | diff expected - || fail "$input"
        # by way of the merge, and straight
        profcat rows | ndjson2cpuprofile | same x.json -
        ndjson2cpuprofile --lossless "$input" | same x.json -
        count=$((count + 1))
    done
    [ $count -ge 320 ]
}

# "nanoseconds name" for each function that a table has, but for the root and frames without a function. What
# is no time is written as microseconds.
self_times() {  # options of profsum, file
    profsum --format=ndjson -n 100000 "$@" | jq -r 'select(.self > 0 and .function != "(root)")
        | "\(.self * {nanoseconds: 1, count: 1000, bytes: 1000}[.unit]) \(.function)"' | grep -v ' [[<]' | LC_ALL=C sort
}

@test "what is written has the sums of the rows" {
    need jq
    count=0
    printf '%s\n' "$ROOT"/samples/*/*.gz "$ROOT"/samples/*/*.out "$ROOT"/samples/*/*.folded | few_lines 3 >samples
    while IFS= read -r sample; do
        ndjson2cpuprofile -q -o x.cpuprofile "$sample"
        self_times -q "$sample" >expected
        self_times --type=cpu x.cpuprofile | same expected -
        # all but the one that marks the end; jq refuses halves of surrogate pairs
        hits=$(grep -o '"hitCount":[0-9]*' x.cpuprofile | awk -F : '{ sum += $2 } END { print sum }')
        [ "$hits" -eq "$(sed -n 's/^"samples":\[\(.*\)\],$/\1/p' x.cpuprofile | tr -cd , | wc -c)" ]
        count=$((count + 1))
    done <samples
    [ $count -ge 4 ]
}

@test "a filter leaves ids and reasons, and counts hits and lines anew" {
    need jq
    sample=$ROOT/samples/cpuprofile/words.cpuprofile
    proffilter --focus='^words$' "$sample" | ndjson2cpuprofile >x.cpuprofile
    jq -c '.nodes[] | [.id, .callFrame]' x.cpuprofile >found
    jq -c '.nodes[] | [.id, .callFrame]' "$sample" >all
    [ -s found ]
    run ! grep -vxF -f all found
    [ "$(jq '[.nodes[].hitCount] | add' x.cpuprofile)" -eq "$(jq '.samples | length - 1' x.cpuprofile)" ]
    [ "$(wc -l <found)" -lt "$(wc -l <all)" ]
}

@test "sums are those of the file" {
    need jq
    for input in "$ROOT"/samples/cpuprofile/*.cpuprofile; do
        file_times "$input" >expected
        [ "$(wc -l <expected)" -gt 10 ]
        self_times --type=cpu "$input" | same expected -
    done
}

@test "memory is what is distinct, and times" {
    takes_long
    plain_only 'it needs memory'
    yes 'main;solve;dot product 3
main;read 12' | head -c 30000000 >x
    (ulimit -v 90000; ndjson2cpuprofile --threads=1 -q x >y)
    tail -c 30 y | grep -q ',[0-9]*]}$'
    (ulimit -v 90000; cpuprofile2ndjson y | tail -n 1 | grep -q '"table":".end"')
}
