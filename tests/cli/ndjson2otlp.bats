#!/usr/bin/env bats
# What is written for OpenTelemetry, judged by protoc and by what comes back.
load helpers

SOURCE=$ROOT/samples/otlp
JUDGE=$BATS_TEST_DIRNAME/otlp.py

decode() {  # < file
    protoc --decode=ProfilesData -I"$SOURCE" "$SOURCE/profiles.proto"
}

# A file of pprof that the number decides.
generate() {  # number
    python3 "$JUDGE" pprof "$1" | protoc --encode=pprof.Profile -I"$ROOT/src/formats/pprof" profile.proto
}

# What was in this file of pprof comes back from OTLP, in both forms and when written once more.
comes_back() {  # file
    ndjson2otlp -o x.otlp "$1" 2>warnings
    ndjson2otlp -q -o x.json "$1"
    otlp2ndjson -v --source-uri=x x.otlp >rows
    profvalidate --allow-empty rows
    otlp2ndjson --source-uri=x x.json | same rows -
    ndjson2otlp x.otlp | otlp2ndjson --source-uri=x | same rows -
    ndjson2pprof -q --canonical "$1" >one
    ndjson2pprof --canonical x.otlp >two
    cmp one two || fail "$1 differs"
    decode <x.otlp >text 2>protoc.err
    [ ! -s protoc.err ] || fail "$1: $(cat protoc.err)"
}

@test "pprof comes back with nothing lost: samples" {
    need protoc
    local file
    for file in "$ROOT"/samples/pprof/*.pb.gz; do
        [ "${file##*/}" != go-labels.pb.gz ] || continue # has a label that is not UTF-8
        comes_back "$file"
        [ ! -s warnings ] || fail "$file: $(cat warnings)"
    done
}

@test "pprof comes back with nothing lost: generated profiles with a bit of everything" {
    need protoc python3
    local i count=30
    [ -z "${PROFPIPE_LONG-}" ] || count=300
    for i in $(seq $count | few_lines 3); do
        generate $i >in.pb
        comes_back in.pb
        [ ! -s warnings ] || fail "$i: $(cat warnings)"
    done
}

@test "sums by stack, labels, time and type that protoc decodes are those of the rows" {
    need protoc python3
    local file
    for file in "$ROOT"/samples/pprof/go-{cpu,heap,inline}.pb.gz "$SOURCE/collector.json" "$SOURCE/profiler.otlp" \
        "$ROOT/samples/perf/chain.txt"; do
        profcat -q "$file" >rows
        ndjson2otlp -q rows | decode >text
        python3 "$JUDGE" sums text >theirs
        [ -s theirs ]
        python3 "$JUDGE" rows rows | same theirs -
    done
}

@test "labels come back: several of a key, with units, of every kind" {
    local input=$ROOT/tests/cases/ndjson2otlp/labels/input
    ndjson2otlp -q "$input" | otlp2ndjson | grep -o '"\.labels":.*' >labels
    # those of one key stand together, and what no kind of OTLP spells is a string
    grep -o '"\.labels":.*' "$input" |
        sed 's/{"key":"k","str":"a"},\(.*num":-5,"unit":"bytes"}\),\({"key":"k".*"str":""}\)/{"key":"k","str":"a"},\2,\1/
            s/"yes",".otlp_kind":"bool"/"yes"/; s/"xyz",".otlp_kind":"link"/"xyz"/; s/"1e999",".otlp_kind":"double"/"1e999"/
            s/"\*",".otlp_kind":"bytes"/"*"/; s/"str":"1",".otlp_kind":"other"/"str":"1"/
            s/\("str":"{\\"values\\":\[\]}"\),".otlp_kind":"kvlist","unit":"u"/"str":"{}",".otlp_kind":"kvlist","unit":"u"/' |
        same - labels
}

@test "sources stay apart, also where their samples are equal and their types are not" {
    local head='{"table":"meta","key":"version","value":"2.0"}' i
    {
        echo "$head"
        for i in 1 2 3; do
            echo "{\"table\":\"sources\",\"source_id\":$i,\"source_type\":\"x\",\"source_uri\":null,\"source_timestamp\":null}"
        done
        for i in 1 2 3; do
            echo "{\"table\":\"samples\",\"sample_id\":$i,\"source_id\":$i}"
            echo "{\"table\":\"sample_values\",\"sample_id\":$i,\"type\":\"t$((i % 2))\",\"unit\":\"count\",\"value\":$i}"
        done
    } >rows
    profvalidate rows
    ndjson2otlp -q rows | otlp2ndjson >again
    [ "$(grep -c '"sources"' again)" -eq 3 ]
    [ "$(grep -o '"value":[0-9][0-9]*' again | tr '\n' ' ')" = '"value":1 "value":2 "value":3 ' ]
    # one resource for all
    ndjson2otlp -q --format=json rows | grep -o '"scopeProfiles"' | wc -l | grep -qx 1
}

@test "the type that is shown is the one that was shown before" {
    local file
    for file in "$ROOT"/samples/pprof/go-heap.pb.gz "$ROOT"/samples/rprof/plain.out "$ROOT/samples/speedscope"/*.json; do
        [ -e "$file" ] || continue
        profsum -q --max-rows=1 "$file" | sed -n 's/^\([^:]*\):.*in.*/\1/p' | head -n 1 >one
        ndjson2otlp -q "$file" | profsum -q --max-rows=1 | sed -n 's/^\([^:]*\):.*in.*/\1/p' | head -n 1 >two
        same one two
    done
}

@test "many observations of one stack become several samples, and come back one by one" {
    {
        echo '{"table":"meta","key":"version","value":"2.0"}'
        echo '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":7}'
        awk 'BEGIN { for (i = 1; i <= 40000; i++) {
            printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1,\".time\":%d}\n", i, i * 3
            printf "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"n\",\"unit\":\"count\",\"value\":%d}\n", i, i } }'
    } >rows
    ndjson2otlp -q -o x.otlp rows
    otlp2ndjson x.otlp | grep '"samples"\|"sample_values"' | same - <(grep '"samples"\|"sample_values"' rows)
    ndjson2otlp -q --format=json rows | grep -o '"timestampsUnixNano"' | wc -l | grep -qx 3
}

@test "the name of the output says the form, and --format decides" {
    printf 'f;g 2\nf 1\n' >in
    ndjson2otlp -q -o x.json in
    ndjson2otlp -q -o x.otlp.json in
    ndjson2otlp -q --format=json in | same - x.json
    same x.json x.otlp.json
    ndjson2otlp -q --format=binary -o y.json in
    ndjson2otlp -q in | cmp - y.json
    ndjson2otlp -q -o x.otlp in
    cmp x.otlp y.json
    [ "$(wc -l <x.json)" -eq 1 ]
    try ndjson2otlp --format=text in
    says 2 'ndjson2otlp: --format: expected binary or json, found "text"'
}

@test "what is written is refused where it is cut" {
    takes_long
    local size n
    ndjson2otlp -q -o x.otlp "$ROOT/tests/cases/ndjson2otlp/labels/input"
    size=$(wc -c <x.otlp)
    for ((n = 4; n < size; n += 3)); do
        head -c $n x.otlp >cut
        try otlp2ndjson cut
        [ $status -eq 1 ] || fail "cut at $n: status $status"
    done
}
