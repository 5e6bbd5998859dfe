#!/usr/bin/env bats
# Samples of simpleperf, judged by protoc.
load helpers

SOURCE=$ROOT/samples/simpleperf
JUDGE=$BATS_TEST_DIRNAME/simpleperf.py

encode() {  # < text
    protoc --encode=Trace -I"$SOURCE" "$SOURCE/simpleperf.proto" | python3 "$JUDGE" frame
}

@test "each sample is as protoc prints it: time, thread, event, count and stack" {
    need protoc python3
    encode <"$SOURCE/app.txt" >x.trace
    cmp x.trace "$SOURCE/app.trace"
    python3 "$JUDGE" unframe <x.trace >message
    protoc --decode=Trace -I"$SOURCE" "$SOURCE/simpleperf.proto" <message | python3 "$JUDGE" sums >theirs
    [ "$(wc -l <theirs)" -eq 4 ]
    simpleperf2ndjson x.trace >rows
    profvalidate rows
    python3 "$JUDGE" rows <rows | same theirs -
    # each switch is there
    [ "$(grep -c context_switch "$SOURCE/app.txt")" -eq "$(grep -c simpleperf_switches rows)" ]
}

@test "a file that is cut anywhere is refused" {
    local size n
    size=$(stat -c %s "$SOURCE/app.trace")
    for n in $(seq 10 $((size - 10)) | few_lines 3 | some_lines 29) $(seq $((size - 9)) $((size - 1))); do
        head -c $n "$SOURCE/app.trace" >x
        try simpleperf2ndjson x
        [ $status -eq 1 ]
        run ! grep -q '"table":".end"' stdout
    done
}

@test "what is held is limited, and a long name costs no more than itself" {
    takes_long
    need protoc python3
    local size
    size=$(stat -c %s "$SOURCE/app.trace")
    try simpleperf2ndjson --max-size=$((size - 1)) "$SOURCE/app.trace"
    [ $status -eq 1 ]
    grep -q "more than $((size - 1)) bytes, decompressed" stderr
    simpleperf2ndjson --max-size=$size "$SOURCE/app.trace" | profvalidate
    # many places in a function and in a file whose names are long
    python3 - >text <<'PY'
print('record { meta_info { event_type: "cpu-cycles" } }')
for i in range(20000):
    print('record { sample { time: %d thread_id: 1 callchain { vaddr_in_file: %d file_id: 0 symbol_id: 0 } } }' % (i, i))
print('record { file { path: "%s" symbol: "%s" } }' % ("p" * 1000000, "f" * 1000000))
PY
    encode <text >x.trace
    timeout 20 simpleperf2ndjson x.trace >rows
    [ "$(grep -c '"locations"' rows)" -eq 20000 ]
    # a name that each sample repeats is growth
    { cat text && echo "record { thread { thread_id: 1 thread_name: \"$(head -c 100000 /dev/zero | tr '\0' t)\" } }"; } >more
    encode <more >x.trace
    try simpleperf2ndjson x.trace
    [ $status -eq 1 ]
    grep -q -- --max-size stderr
}
