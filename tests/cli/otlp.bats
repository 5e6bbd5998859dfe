#!/usr/bin/env bats
# Profiles of OpenTelemetry, judged by protoc.
load helpers

SOURCE=$ROOT/samples/otlp
JUDGE=$BATS_TEST_DIRNAME/otlp.py

encode() {  # < text
    protoc --encode=ProfilesData -I"$SOURCE" "$SOURCE/profiles.proto"
}

decode() {  # < file
    protoc --decode=ProfilesData -I"$SOURCE" "$SOURCE/profiles.proto"
}

# A file of one profile with these members, samples of the stacks 0 and 1, and this more in the dictionary.
profile() {  # members [dictionary]
    cat <<END
resource_profiles { scope_profiles { profiles { $1 } } }
dictionary {
  mapping_table {} link_table {} attribute_table {} function_table {} function_table { name_strindex: 3 }
  location_table {} location_table { lines { function_index: 1 line: 7 } }
  stack_table {} stack_table { location_indices: 1 }
  string_table: ["", "cpu", "ns", "f"] ${2:-}
}
END
}

CPU='sample_type { type_strindex: 1 unit_strindex: 2 }'

# otlp2ndjson refuses x, a file of that profile, with this message.
refuses() {  # members message [dictionary]
    profile "$1" "${3:-}" | encode >x
    try otlp2ndjson x
    says 1 "otlp2ndjson: x: $2"
}

@test "sums by stack, labels, time and type are those of what protoc prints" {
    need protoc python3
    local name
    encode <"$SOURCE/collector.txt" >collector.otlp
    cp "$SOURCE/profiler.otlp" .
    for name in collector profiler; do
        decode <$name.otlp >text
        python3 "$JUDGE" sums text >theirs
        otlp2ndjson -q $name.otlp >rows
        profvalidate rows
        python3 "$JUDGE" rows rows | same theirs -
        [ -s theirs ]
    done
}

@test "JSON in one line or many, and binary messages, alone or after their lengths, have the same rows" {
    need protoc python3
    local name size
    for name in collector profiler; do
        encode <"$SOURCE/$name.txt" >x.otlp
        otlp2ndjson x.otlp >rows
        for form in json pretty; do
            python3 "$JUDGE" $form "$SOURCE/$name.txt" >x.json
            otlp2ndjson --source-uri=x.otlp x.json | same rows -
        done
        size=$(stat -c %s x.otlp)
        { printf "\\x$(printf %02x $((size >> 24)))\\x$(printf %02x $((size >> 16 & 255)))"
          printf "\\x$(printf %02x $((size >> 8 & 255)))\\x$(printf %02x $((size & 255)))"
          cat x.otlp; } >length.otlp
        otlp2ndjson --source-uri=x.otlp length.otlp | same rows -
        cat length.otlp length.otlp >two.otlp
        cat x.json x.json >two.json
        otlp2ndjson --source-uri=x two.otlp >two
        otlp2ndjson --source-uri=x two.json | same two -
        [ "$(grep -c '"sources"' two)" -eq $((2 * $(grep -c '"sources"' rows))) ]
        [ "$(grep -c '"functions"' two)" -eq "$(grep -c '"functions"' rows)" ]
    done
}

@test "profiles of one scope are one source if only their values differ" {
    need protoc
    local a='sample_type { type_strindex: 1 } samples { stack_index: 1 values: 2 }' b
    for b in 'sample_type { type_strindex: 2 } samples { stack_index: 1 values: 5 } profile_id: "x"|1' \
        'sample_type { type_strindex: 1 } samples { stack_index: 1 values: 5 }|2' \
        'sample_type { type_strindex: 2 } samples { stack_index: 0 values: 5 }|2' \
        'sample_type { type_strindex: 2 } samples { stack_index: 1 values: [5, 6] }|2' \
        'sample_type { type_strindex: 2 } samples { stack_index: 1 values: 5 } samples { values: 1 }|2' \
        'sample_type { type_strindex: 2 } samples { stack_index: 1 values: 5 } duration_nano: 1|2' \
        'sample_type { type_strindex: 2 }|2'; do
        profile "$a } profiles { ${b%|*}" | encode >x
        otlp2ndjson -q x >rows
        profvalidate rows
        [ "$(grep -c '"sources"' rows)" -eq "${b#*|}" ] || fail "$b"
    done
}

@test "an observation is a sample: of each time, and of each value without a time" {
    need protoc
    profile "$CPU time_unix_nano: 100 samples { stack_index: 1 timestamps_unix_nano: [90, 103] }
             samples { values: [4, 5] timestamps_unix_nano: [101, 102] } samples { values: [6, 7] }" |
        encode | otlp2ndjson >rows
    profvalidate rows
    [ "$(grep -o '"\.time":[-0-9]*' rows | tr '\n' ' ')" = '".time":-10 ".time":3 ".time":1 ".time":2 ' ]
    [ "$(grep -o '"value":[0-9][0-9]*' rows | tr '\n' ' ')" = \
        '"value":1 "value":1 "value":4 "value":5 "value":6 "value":7 ' ]
    # without a time of the profile the earliest one of a sample is its zero
    profile "$CPU samples { timestamps_unix_nano: [1500000000, 1400000000] }" | encode | otlp2ndjson >rows
    grep -q '"source_timestamp":1.400000000,.*".otlp":{"zero":1400000000}' rows
    [ "$(grep -o '"\.time":[-0-9]*' rows | tr '\n' ' ')" = '".time":100000000 ".time":0 ' ]
}

@test "what refers to nothing is named with its path" {
    need protoc python3
    refuses "$CPU samples { values: 1 } samples { stack_index: 9 values: 1 }" \
        'offset 19: profile 1, sample 2: stack_index: expected an index below 2, found 9'
    refuses "$CPU samples { values: 1 attribute_indices: -1 }" \
        'offset 14: profile 1, sample 1: attribute_indices: expected an index below 1, found -1'
    refuses "$CPU samples { values: 1 link_index: 1 }" \
        'offset 14: profile 1, sample 1: link_index: expected an index below 1, found 1'
    refuses 'sample_type { type_strindex: 5 }' \
        'offset 6: profile 1: type_strindex: expected an index below 4, found 5'
    refuses "$CPU attribute_indices: 1" \
        'offset 6: profile 1: attribute_indices: expected an index below 1, found 1'
    refuses "$CPU samples { values: 1 stack_index: 2 }" \
        'offset 65: stack_table[2]: location_indices: expected an index below 2, found 3' \
        'stack_table { location_indices: 3 }'
    refuses "$CPU" 'offset 28: location_table[2]: mapping_index: expected an index below 1, found 1' \
        'location_table { mapping_index: 1 }'
    refuses "$CPU" 'offset 28: location_table[2]: function_index: expected an index below 2, found 2' \
        'location_table { lines { function_index: 2 } }'
    refuses "$CPU" 'offset 34: function_table[2]: name_strindex: expected an index below 4, found 4' \
        'function_table { name_strindex: 4 }'
    refuses "$CPU samples { values: 1 attribute_indices: 1 }" \
        'offset 59: attribute_table[1]: key_strindex: expected an index below 4, found 8' \
        'attribute_table { key_strindex: 8 }'
    # in JSON by its line
    profile "$CPU samples { values: 1 } samples { stack_index: 9 values: 1 }" >text
    python3 "$JUDGE" pretty text >x
    try otlp2ndjson x
    says 1 "otlp2ndjson: x:$(grep -n '"stackIndex": 9' x | cut -d: -f1 | awk '{ print $1 - 1 }'): profile 1, sample 2: stack_index: expected an index below 2, found 9"
    # and a request by its own line
    python3 "$JUDGE" json "$SOURCE/collector.txt" >good
    { cat good; python3 "$JUDGE" json text; } >x
    try otlp2ndjson x
    says 1 'otlp2ndjson: x:2: profile 3, sample 2: stack_index: expected an index below 2, found 9'
}

@test "samples that say nothing, unequal lists, and times that no clock has are refused" {
    need protoc
    refuses "$CPU samples { stack_index: 1 }" \
        'offset 14: profile 1, sample 1: expected values or timestamps_unix_nano, found neither'
    refuses "$CPU samples { values: [1, 2] timestamps_unix_nano: 1 }" \
        'offset 14: profile 1, sample 1: values: expected 1, one for each of timestamps_unix_nano, found 2'
    refuses "$CPU time_unix_nano: 9223372036854775808" \
        'offset 6: profile 1: time_unix_nano: expected nanoseconds below 2^63, found 9223372036854775808'
    refuses "$CPU samples { timestamps_unix_nano: 9223372036854775808 }" \
        'offset 14: profile 1, sample 1: timestamps_unix_nano: expected nanoseconds below 2^63, found 9223372036854775808'
    profile "$CPU" | sed 's/\["", /["a", /' | encode >x
    try otlp2ndjson x
    says 1 'otlp2ndjson: x: offset 36: string_table[0]: expected an empty string'
    # two files one after the other would mix up their tables
    cat "$SOURCE/profiler.otlp" "$SOURCE/profiler.otlp" >x
    try otlp2ndjson x
    says 1 'otlp2ndjson: x: offset 500: the dictionary comes twice: these are two files one after the other, not one'
}

@test "what is not known is counted, and an empty message is no profile" {
    need protoc
    printf '{"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"samples":[{"values":["1"],"weight":2}],"x":{"y":[]}}]}]}],"dictionary":{"stringTable":[""]}}' >x
    try otlp2ndjson x
    [ $status -eq 0 ]
    grep -q '^otlp2ndjson: not in the output: 2 unknown fields (weight, x)$' stderr
    printf '{"resourceProfiles":[]}' >x
    try otlp2ndjson x
    says 1 'otlp2ndjson: x: expected a profile, found none'
    profcat --allow-empty x | profvalidate --allow-empty
}

@test "an original payload of 4 MiB is kept, and a larger one is counted as lost" {
    need protoc
    payload() {  # bytes
        profile "$CPU samples { values: 1 } original_payload: \"$(head -c "$1" /dev/zero | tr "\0" q)\"" | encode
    }
    payload 4194304 >x
    try otlp2ndjson x
    [ $status -eq 0 ]
    [ ! -s stderr ]
    ndjson2otlp -q stdout | decode | tr -cd q | wc -c | same - <(echo 4194304)
    payload 4194305 >x
    otlp2ndjson x 2>stderr >stdout
    same stderr - <<<'otlp2ndjson: not in the output: 1 original payload'
    run ! grep -q payload stdout
}

@test "a file that is cut anywhere is refused, except between two requests of JSON" {
    takes_long
    local n size name step=1 first
    first=$(head -n 1 "$SOURCE/collector.json" | wc -c)
    for name in profiler.otlp collector.json; do
        size=$(stat -c %s "$SOURCE/$name")
        for ((n = 4; n < size; n += step)); do
            [ $name = profiler.otlp ] || [ $n -lt $((first - 1)) ] || [ $n -gt "$first" ] || continue
            head -c $n "$SOURCE/$name" >x
            try otlp2ndjson x
            [ $status -eq 1 ] && [ -s stderr ] || [ $n -eq $((size - 1)) ] || fail "$name cut at $n"
        done
        step=$((step * 7)) # JSON is long
    done
}

@test "readers tell OTLP from pprof, and say which tool reads it" {
    need protoc
    cp "$SOURCE/profiler.otlp" x
    try pprof2ndjson x
    says 1 'pprof2ndjson: x: expected a pprof file, found an OTLP file: otlp2ndjson reads it'
    cp "$ROOT/samples/pprof/go-cpu.pb.gz" x
    try otlp2ndjson x
    says 1 'otlp2ndjson: x: expected an OTLP file, found a pprof file: pprof2ndjson reads it'
    for file in "$ROOT"/samples/pprof/*.pb.gz; do
        try otlp2ndjson "$file"
        [ $status -eq 1 ]
        grep -q 'found a pprof file' stderr
    done
    # the dictionary first
    profile "$CPU samples { values: 1 }" >text
    sed -n '/^dictionary/,$p' text | encode >x
    sed -n '1p' text | encode >>x
    profcat -q x | grep -q '"source_type":"otlp"'
    try pprof2ndjson x
    says 1 'pprof2ndjson: x: expected a pprof file, found an OTLP file: otlp2ndjson reads it'
}

@test "ndjson2pprof has the comments, the duration, the period and the default type again" {
    need protoc
    encode <"$SOURCE/collector.txt" | otlp2ndjson | ndjson2pprof -o x.pb.gz
    pprof2ndjson x.pb.gz >rows
    grep -q '".period":{"type":"cpu","unit":"nanoseconds","value":10000000}' rows
    for fact in '"duration_nanos":60000000000' '"default_sample_type":"cpu"' '"comment":\["night run"\]' \
        '"build_id":"89abcdef"' '"has_functions":true' '".inlined_into":1'; do
        grep -q -- "$fact" rows || fail "$fact"
    done
}

@test "--max-size limits a file, and each message that JSON becomes" {
    need protoc python3
    local size
    encode <"$SOURCE/collector.txt" >x
    size=$(stat -c %s x)
    try otlp2ndjson --max-size=$((size - 1)) x
    says 1 "otlp2ndjson: x: more than $((size - 1)) bytes, decompressed (--max-size sets the limit)"
    otlp2ndjson --max-size=$size x | profvalidate
    # each message of JSON is much smaller than all of them
    python3 "$JUDGE" json "$SOURCE/collector.txt" >line
    for _ in {1..50}; do cat line; done >x
    otlp2ndjson --max-size=8K x | profvalidate
    try otlp2ndjson --max-size=500 x
    says 1 'otlp2ndjson: x:1: more than 500 bytes in one message (--max-size sets the limit)'
}
