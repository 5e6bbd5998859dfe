#!/usr/bin/env bats
# Files for the Firefox Profiler: against its own code, profiler-cli of npm, there and back.
load helpers
load pprof-helpers

teardown() {
    ! command -v profiler-cli >/dev/null || HOME=$T profiler-cli stop --all >/dev/null 2>&1 || true
}

# Opens a file in profiler-cli, whose daemon may take longer to start than it waits.
open_in_profiler() {  # file
    export HOME=$T
    profiler-cli stop --all >/dev/null 2>&1 || true
    for _ in 1 2 3 4 5 6 7 8; do
        ! profiler-cli load "$1" >load.log 2>&1 || return 0
        sleep 1
    done
    fail "$(cat load.log)"
}

# What profiler-cli shows of the thread with that index: "self total name" of each function, without a point.
profiler_functions() {  # index
    profiler-cli thread functions --include-idle --limit 0 --thread "t-$1" --json |
        jq -r '.functions[] | select(.totalSamples > 0) | [.selfSamples, .totalSamples, .name] | map(tostring) | join(" ")'
}

# The same of a table of profsum, with times in milliseconds.
our_functions() {  # type, file
    profsum -q -n 100000 --by=function --format=ndjson --type="$1" "$2" | jq -r '
        ({nanoseconds: 1e6, microseconds: 1e3, seconds: 1e-3}[.unit] // 1) as $one | select(.total > 0 and .function != null)
        | [.self / $one, .total / $one, .function] | map(tostring) | join(" ")'
}

# Numbers with six digits and code without a function by no name.
tidy() {
    awk '{ name = $0; sub(/^[^ ]* [^ ]* /, "", name)
        if (name !~ /^(0x|\[|<)/) printf "%.6g %.6g %s\n", $1, $2, name }' | LC_ALL=C sort
}

@test "the Firefox Profiler shows of every type what profsum does" {
    takes_long
    need profiler-cli
    need jq
    count=0
    for sample in "$PPROFS"/go-{cpu,heap,inline,labels}.pb.gz "$SAMPLES"/plain.out \
        "$ROOT"/samples/perf/inlined.txt "$ROOT"/samples/speedscope/words.speedscope.json; do
        ndjson2firefox -q "$sample" >x.json
        open_in_profiler x.json
        jq -r '[.profpipe.sources[].types] as $types | .threads | to_entries[]
            | [.key, $types[.value.profpipe.source - 1][.value.profpipe.type - 1].type, .value.samples.length] | @tsv' x.json >threads
        [ -s threads ]
        # only those types that one thread has
        while read -r index type length; do
            [ "$(cut -f 2 threads | grep -cx "$type")" -eq 1 ] && [ "$length" -gt 0 ] || continue
            profiler_functions "$index" | tidy >found
            our_functions "$type" "$sample" | tidy >expected
            [ "$(wc -l <expected)" -ge 3 ] || fail "$sample: $type: nothing"
            diff expected found || fail "$sample: $type"
            count=$((count + 1))
        done <threads
    done
    [ $count -ge 10 ]
}

@test "the Firefox Profiler opens what is made of every case" {
    takes_long
    need profiler-cli
    need jq
    for input in "$ROOT"/tests/cases/ndjson2firefox/*/stdout; do
        case $input in */meta-wrong/* | */bytes/*) continue ;; esac # jq refuses half a surrogate pair
        cp "$input" x.json
        open_in_profiler x.json
        profiler-cli thread list --json | jq -r '.threads[].name' >found
        jq -r '.threads[].name' x.json | diff <(sort found) <(sort -) || fail "$input"
        [ "$(profiler-cli counter list --json | jq '.counters | length')" -eq "$(jq '.counters | length' x.json)" ]
    done
}

@test "levels are counters to the Firefox Profiler" {
    need profiler-cli
    need jq
    ndjson2firefox -q "$ROOT"/tests/cases/ndjson2firefox/levels/input >x.json
    open_in_profiler x.json
    profiler-cli counter info c-0 --json >info
    jq -e '.name == "heap" and .category == "Memory"' info
}

@test "rows have the functions that the Firefox Profiler shows, in each version" {
    takes_long
    need profiler-cli
    need jq
    for case in all version-48 version-56 version-58 version-60 version-65 version-70; do
        cp "$ROOT/tests/cases/firefox2ndjson/$case/input" x.json
        open_in_profiler x.json
        proffilter -q --label=thread=main x.json >main.ndjson
        our_functions samples main.ndjson | tidy >expected
        [ "$(wc -l <expected)" -ge 3 ]
        profiler_functions 0 | tidy | diff expected - || fail "$case"
        # the other thread has times
        proffilter -q --label=thread=w x.json >w.ndjson
        our_functions time w.ndjson | tidy >expected
        [ -s expected ]
        profiler_functions 1 | tidy | diff expected - || fail "$case, times"
    done
}

@test "every version gives the same rows" {
    firefox2ndjson -q "$ROOT"/tests/cases/firefox2ndjson/all/input | sed 's/"source_uri":"[^"]*"//' >expected
    for version in 48 56 58 60 65 70; do
        firefox2ndjson -q "$ROOT/tests/cases/firefox2ndjson/version-$version/input" | sed 's/"source_uri":"[^"]*"//' | same expected -
    done
    gzip -c "$ROOT"/tests/cases/firefox2ndjson/all/input >x.json.gz
    profcat -q x.json.gz | sed 's/"source_uri":"[^"]*"//' | same expected -
}

# Samples of all kinds, and cases of the writer that lose no bytes.
inputs() {
    ls "$ROOT"/samples/*/*.{gz,out,folded,json,cpuprofile,heapprofile,perf} "$ROOT"/samples/perf/*.txt \
        "$ROOT"/tests/cases/ndjson2firefox/*/input | grep -v '/bytes/\|/meta-wrong/\|-huge/'
}

@test "what is made of every sample comes back byte for byte" {
    takes_long
    count=0
    for input in $(inputs); do
        ndjson2firefox -q "$input" >x.json
        firefox2ndjson --lossless x.json >rows
        profvalidate rows
        ndjson2firefox -q rows | same x.json - || fail "$input"
        # by way of the merge, and straight
        profcat rows | ndjson2firefox -q | same x.json -
        count=$((count + 1))
    done
    [ $count -ge 60 ]
}

@test "sums per function are the same by way of the Firefox Profiler" {
    takes_long
    need go
    for name in go-cpu go-heap go-inline go-labels cpp-cpu; do
        sample=$PPROFS/$name.pb.gz
        ndjson2firefox -q "$sample" | ndjson2pprof -q -o by-json.pb.gz
        for type in $(pprof2ndjson -q "$sample" | grep -o '"table":"sample_values".*' | grep -o '"type":"[^"]*"' | sort -u | cut -d '"' -f 4); do
            go_top "$type" "$sample" minimum -filefunctions >expected
            [ "$(wc -l <expected)" -gt 3 ]
            go_top "$type" by-json.pb.gz minimum -filefunctions | same expected -
            # lines and addresses, too
            go_top "$type" "$sample" minimum -lines >expected
            go_top "$type" by-json.pb.gz minimum -lines | same expected -
            go_top "$type" "$sample" minimum -addresses >expected
            go_top "$type" by-json.pb.gz minimum -addresses | same expected -
        done
    done
}

@test "stacks are the same by way of the Firefox Profiler" {
    for input in "$PPROFS"/{go-{cpu,heap,inline,labels},cpp-cpu}.pb.gz "$ROOT"/samples/speedscope/*.json "$ROOT"/samples/cpuprofile/*.cpuprofile "$ROOT"/samples/folded/*.folded; do
        ndjson2folded -q "$input" >expected
        [ "$(wc -l <expected)" -gt 3 ]
        ndjson2firefox -q "$input" | ndjson2folded -q | same expected - || fail "$input"
    done
    for input in "$SAMPLES"/{plain,lines,memory}.out; do # whose samples stand for a time, which is written
        ndjson2folded -q --type=cpu "$input" >expected
        ndjson2firefox -q "$input" | ndjson2folded -q --type=cpu | same expected - || fail "$input"
    done
    # by way of speedscope, and back
    need jq
    stacks() { # lines are those of frames, which rows merge where functions are the same
        jq -c '[.shared.frames[] | "\(.name) \(.file // "")"] as $f | .profiles[] | [.samples, .weights] | transpose[] | [(.[0] | map($f[.])), .[1]]' | sort
    }
    for input in "$ROOT"/samples/speedscope/*.json; do
        ndjson2speedscope -q --aggregate "$input" | stacks >expected
        [ "$(wc -l <expected)" -gt 3 ]
        ndjson2firefox -q "$input" | ndjson2speedscope -q --aggregate | stacks | same expected - || fail "$input"
    done
}

@test "memory is what is distinct in what is written" {
    takes_long
    plain_only 'it needs memory'
    yes 'main;solve;dot product 3
main;read 12' | head -c 30000000 >x
    (ulimit -v 60000; ndjson2firefox --threads=1 -q x >y)
    tail -c 20 y | grep -q ']}]}}$'
    (ulimit -v 90000; firefox2ndjson --threads=1 y | tail -n 1 | grep -q '"table":".end"')
}
