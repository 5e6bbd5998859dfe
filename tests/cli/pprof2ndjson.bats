#!/usr/bin/env bats
# pprof2ndjson by its options and inputs, and what ndjson2pprof makes of several
# pprof files: merged facts, units and where samples come from.
load helpers
load pprof-helpers

# A pprof file of the text form on standard input.
made() {  # file
    cat >"$1.txt"
    make_pprof "$1.txt" >"$1"
}

# One sample of one function, with the value and what else is given.
small() {  # file value [text]
    made "$1" <<END
sample_type { type: 1 unit: 2 }
sample { location_id: 1 value: $2 }
location { id: 1 line { function_id: 1 line: 10 } }
function { id: 1 name: 3 }
string_table: "" string_table: "samples" string_table: "count" string_table: "main"
$(cat)
END
}

# One sample with a value of the type "delay" in a unit.
in_unit() {  # file value unit
    made "$1" <<END
sample_type { type: 1 unit: 2 }
sample { location_id: 1 value: $2 }
location { id: 1 line { function_id: 1 } }
function { id: 1 name: 3 }
string_table: "" string_table: "delay" string_table: "$3" string_table: "main"
END
}

# The values of a sample type in rows, one a line.
values_of() {  # file type
    sed -n 's/^{"table":"sample_values",.*"type":"'"$2"'",.*"value":\([^,}]*\).*/\1/p' "$1"
}

# What follows `sources` of the column in rows.
column_of() {  # file column
    sed -n '/^{"table":"sources"/s/.*"'"$2"'":\("[^"]*"\|[^",}]*\).*/\1/p' "$1"
}

@test "raw or gzip, from a file, a pipe and standard input" {
    gunzip -c "$PPROFS/go-heap.pb.gz" >x.pb
    pprof2ndjson --source-uri=x "$PPROFS/go-heap.pb.gz" >expected
    [ "$(wc -l <expected)" -gt 100 ]
    pprof2ndjson --source-uri=x x.pb | same - expected
    pprof2ndjson --source-uri=x <x.pb | same - expected
    cat x.pb | pprof2ndjson --source-uri=x - | same - expected
    { head -c 1 x.pb; sleep 0.1; tail -c +2 x.pb; } | pprof2ndjson --source-uri=x | same - expected
    gzip -c x.pb | pprof2ndjson --source-uri=x | same - expected
    # gzip members end anywhere
    { head -c 777 x.pb | gzip; tail -c +778 x.pb | gzip; } | pprof2ndjson --source-uri=x | same - expected
}

@test "several files become several profiles that promise each other" {
    pprof2ndjson "$PPROFS"/go-cpu.pb.gz "$PPROFS"/go-heap.pb.gz >rows
    [ "$(grep -c '"table":"meta"' rows)" -eq 2 ]
    [ "$(grep '"table":".end"' rows | tr '\n' ' ')" = '{"table":".end","more":true} {"table":".end"} ' ]
    column_of rows source_uri | diff - <(printf '"%s"\n' "$PPROFS/go-cpu.pb.gz" "$PPROFS/go-heap.pb.gz")
    printf '%s\0' "$PPROFS"/go-cpu.pb.gz "$PPROFS"/go-heap.pb.gz | pprof2ndjson --files-from=- --null | same - rows
    try pprof2ndjson "$PPROFS"/go-cpu.pb.gz /dev/null
    says 1 'pprof2ndjson: /dev/null: expected a pprof file, found an empty file'
}

@test "--source-uri, and null for standard input" {
    cd "$PPROFS"
    [ "$(pprof2ndjson go-cpu.pb.gz | column_of - source_uri)" = '"go-cpu.pb.gz"' ]
    [ "$(pprof2ndjson <go-cpu.pb.gz | column_of - source_uri)" = null ]
    [ "$(pprof2ndjson --source-uri='a b' <go-cpu.pb.gz | column_of - source_uri)" = '"a b"' ]
}

@test "--timestamp: seconds, fractions, mtime; and the file's own" {
    need protoc
    small x.pb 1 <<<'time_nanos: 1700000000123456789'
    [ "$(pprof2ndjson x.pb | column_of - source_timestamp)" = 1700000000.123456789 ]
    [ "$(pprof2ndjson --timestamp=5 x.pb | column_of - source_timestamp)" = 5 ]
    [ "$(pprof2ndjson --timestamp=-5.25 x.pb | column_of - source_timestamp)" = -5.25 ]
    touch -d @1600000000 x.pb
    [ "$(pprof2ndjson --timestamp=mtime x.pb | column_of - source_timestamp)" = 1600000000 ]
    # what is asked for comes into the file
    pprof2ndjson --timestamp=5 x.pb | ndjson2pprof -o y.pb.gz
    normal y.pb.gz | grep -qx 'time_nanos: 5000000000'
    pprof2ndjson x.pb | ndjson2pprof -o y.pb.gz
    normal y.pb.gz | grep -qx 'time_nanos: 1700000000123456789'
    small x.pb 1 <<<'time_nanos: -1'
    [ "$(pprof2ndjson x.pb | column_of - source_timestamp)" = -0.000000001 ]
    small x.pb 1 </dev/null
    [ "$(pprof2ndjson x.pb | column_of - source_timestamp)" = null ]
    try pprof2ndjson --timestamp=soon x.pb
    says 2 'pprof2ndjson: --timestamp: expected seconds since 1970 or "mtime", found "soon"'
}

@test "--expand: a sample for each that is counted, and all sums stay" {
    need protoc
    made x.pb <<'END'
sample_type { type: 1 unit: 2 }
sample_type { type: 3 unit: 4 }
sample { location_id: 1 value: 3 value: 7 label { key: 5 num: 1 } }
sample { location_id: 1 value: 3 value: -7 }
sample { location_id: 1 value: 1 value: -9223372036854775808 }
sample { location_id: 1 value: 2 value: -9223372036854775808 }
sample { location_id: 1 value: 4 value: 9223372036854775807 }
sample { location_id: 1 value: 5 value: 3 }
sample { location_id: 1 value: 0 value: 8 }
location { id: 1 line { function_id: 1 line: 10 } line { function_id: 1 line: 11 } }
function { id: 1 name: 6 }
string_table: "" string_table: "samples" string_table: "count" string_table: "cpu" string_table: "nanoseconds"
string_table: "key" string_table: "main"
END
    pprof2ndjson --expand x.pb >rows
    values_of rows samples | paste -sd ' ' | diff - <(echo "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0")
    values_of rows cpu | paste -sd ' ' | diff - <(echo "3 2 2 -3 -2 -2 -9223372036854775808" \
        "-4611686018427387904 -4611686018427387904 2305843009213693952 2305843009213693952" \
        "2305843009213693952 2305843009213693951 1 1 1 0 0 8")
    [ "$(grep -c '"table":"samples"' rows)" -eq 19 ]
    [ "$(grep -c '".labels"' rows)" -eq 3 ]
    [ "$(grep -c '"table":"sample_locations"' rows)" -eq 38 ]
    # what is added up again is the same as without
    made y.pb < <(grep -vE '[0-9]{12}' x.pb.txt)
    pprof2ndjson y.pb | ndjson2pprof -o one.pb.gz
    pprof2ndjson --expand y.pb | ndjson2pprof -o two.pb.gz
    same_content one.pb.gz two.pb.gz
}

@test "--expand: real files keep their sums" {
    need protoc
    for name in go-cpu go-labels cpp-cpu; do
        pprof2ndjson "$PPROFS/$name.pb.gz" >rows
        pprof2ndjson --expand "$PPROFS/$name.pb.gz" >expanded
        sum=$(values_of rows samples | sum)
        [ "$(grep -c '"table":"samples"' expanded)" -eq "$sum" ]
        [ "$(values_of expanded samples | sort -u)" = 1 ]
        ndjson2pprof rows -o one.pb.gz
        ndjson2pprof expanded -o two.pb.gz
        same_content one.pb.gz two.pb.gz
    done
}

@test "--expand: a negative count, and a file that counts no samples" {
    need protoc
    small x.pb -2 </dev/null
    try pprof2ndjson --expand x.pb
    says 1 'pprof2ndjson: x.pb: offset 6: sample[0]: --expand: expected a count from 0, found -2'
    sed 's/"count"/"bytes"/' x.pb.txt | made y.pb
    try pprof2ndjson --expand y.pb
    says 1 'pprof2ndjson: y.pb: offset 0: --expand: no sample type samples/count'
}

@test "--max-size: a file of just that size, and one byte more" {
    gunzip -c "$PPROFS/go-cpu.pb.gz" >x.pb
    size=$(wc -c <x.pb)
    for file in x.pb "$PPROFS/go-cpu.pb.gz"; do
        pprof2ndjson --max-size="$size" "$file" >rows
        try pprof2ndjson --max-size=$((size - 1)) "$file"
        says 1 "pprof2ndjson: $file: more than $((size - 1)) bytes, decompressed (--max-size sets the limit)"
        [ "$(wc -l <stdout)" -eq 1 ]
    done
    pprof2ndjson --max-size=$((size / 1024 + 1))K x.pb | same - <(pprof2ndjson x.pb)
    pprof2ndjson --max-size=1M x.pb >rows
    pprof2ndjson --max-size=1G x.pb >rows
}

@test "--max-size: a decompression bomb costs no more than the limit" {
    takes_long
    plain_only "little address space"
    { printf '\12\4\10\1\20\2\22\0' && head -c 300M /dev/zero; } | gzip -1 >bomb
    ulimit -v 60000
    try pprof2ndjson --max-size=10M bomb
    says 1 'pprof2ndjson: bomb: more than 10485760 bytes, decompressed (--max-size sets the limit)'
    try pprof2ndjson --max-size=10M < <(cat bomb bomb)
    says 1 'pprof2ndjson: <stdin>: more than 10485760 bytes, decompressed (--max-size sets the limit)'
}

@test "--max-size: wrong sizes" {
    for size in '' x -1 1T 1k 1.5M 18446744073709551616 99999999999G; do
        try pprof2ndjson --max-size="$size" "$PPROFS/go-cpu.pb.gz"
        says 2 "pprof2ndjson: --max-size: expected a number of bytes, perhaps with K, M or G, found \"$size\""
    done
}

@test "-o: the file is whole or untouched" {
    pprof2ndjson -o rows "$PPROFS/go-cpu.pb.gz"
    pprof2ndjson "$PPROFS/go-cpu.pb.gz" | same - rows
    echo before >rows
    head -c 900 "$PPROFS/go-cpu.pb.gz" >cut.gz
    try pprof2ndjson -o rows cut.gz
    [ "$status" -eq 1 ]
    [ "$(cat rows)" = before ]
    try pprof2ndjson -o rows "$PPROFS/go-cpu.pb.gz" cut.gz
    [ "$status" -eq 1 ]
    [ "$(cat rows)" = before ]
    [ -z "$(files_here | grep -vxE 'rows|cut.gz')" ]
    try pprof2ndjson -o /dev/full "$PPROFS/go-cpu.pb.gz"
    [ "$status" -eq 3 ]
}

@test "--lossless: nothing is lost in real files" {
    for file in $(real_files); do
        pprof2ndjson --lossless "$file" | ndjson2pprof --lossless --no-aggregate >x.pb.gz
        pprof2ndjson --lossless "$file" | ndjson2pprof --lossless >x.pb.gz
    done
}

@test "the advice for the text formats of old works" {
    need go
    printf 'heap profile: 1: 16 [2: 32] @ heap/1\n1: 16 [2: 32] @ 0x401136 0x401200\n' >old
    go_pprof -proto -output=new.pb.gz old
    pprof2ndjson new.pb.gz >rows
    [ "$(values_of rows inuse_space)" = 16 ]
}

@test "every tool knows a pprof file by its content" {
    for file in $(real_files); do
        try rprof2ndjson "$file"
        says 1 "rprof2ndjson: $file: expected an Rprof file, found a pprof file: pprof2ndjson reads it"
        profcat -q "$file" | same - <(pprof2ndjson -q "$file")
    done
    try pprof2ndjson "$SAMPLES/plain.out"
    says 1 "pprof2ndjson: $SAMPLES/plain.out: expected a pprof file, found an Rprof file: rprof2ndjson reads it"
    rprof2ndjson "$SAMPLES/plain.out" >rows
    try pprof2ndjson rows
    says 1 'pprof2ndjson: rows: expected a pprof file, found profile rows'
}

@test "two profiles one behind the other are refused, in gzip members too" {
    need protoc
    small x.pb 1 <<<'time_nanos: 5'
    cat x.pb x.pb >two
    try pprof2ndjson two
    says 1 'pprof2ndjson: two: offset 110: time_nanos comes twice: these are two profiles one after the other, not one'
    gzip -c x.pb >x.gz
    cat x.gz x.gz >two.gz
    try pprof2ndjson two.gz
    says 1 'pprof2ndjson: two.gz: offset 110: time_nanos comes twice: these are two profiles one after the other, not one'
    small x.pb 1 </dev/null
    cat x.pb x.pb >two
    try pprof2ndjson two
    says 1 'pprof2ndjson: two: offset 54: sample_type[1]: "samples" comes twice'
}

@test "a file that is cut off anywhere is refused, and no rows look whole" {
    for file in "$PPROFS/go-labels.pb.gz" "$PPROFS/cpp-cpu.pb.gz"; do
        size=$(wc -c <"$file")
        for at in 1 2 9 10 11 100 $((size / 2)) $((size - 9)) $((size - 8)) $((size - 1)); do
            head -c $at "$file" >cut.gz
            try pprof2ndjson cut.gz
            [ "$status" -eq 1 ] || fail "$file cut to $at bytes: status $status"
            [ -s stderr ]
            run ! grep '".end"' stdout
        done
        gunzip -c "$file" >x.pb
        size=$(wc -c <x.pb)
        for at in 1 2 3 6 7 99 $((size / 3)) $((size / 2)); do
            head -c $at x.pb >cut
            try pprof2ndjson cut
            [ "$status" -eq 1 ] || fail "$file, raw, cut to $at bytes: status $status"
            run ! grep '".end"' stdout
        done
    done
    head -c 500 "$PPROFS/go-labels.pb.gz" >cut.gz
    try pprof2ndjson cut.gz
    says 1 'pprof2ndjson: cut.gz: offset 500: the gzip data is cut off: expected more bytes, found the end'
}

# --- what ndjson2pprof makes of it ---

@test "--label-source answers which input a sample is from" {
    need go
    cd "$PPROFS"
    pprof2ndjson go-cpu.pb.gz go-inline.pb.gz | ndjson2pprof --label-source=input -o "$T/x.pb.gz"
    cd "$T"
    go_pprof -sample_index=samples -tags x.pb.gz >tags
    grep -q 'input: Total ' tags
    for name in go-cpu go-inline; do
        total=$(pprof2ndjson "$PPROFS/$name.pb.gz" | values_of - samples | sum)
        grep -qE "^ +$total(\.0)? \( *[0-9.]+%\): $name.pb.gz\$" tags || fail "$name: $total" "$(cat tags)"
        go_pprof -sample_index=samples -tagfocus="input=$name.pb.gz" -top x.pb.gz >top
        grep -qE "accounting for $total, " top
    done
    # without the option nothing is labelled
    pprof2ndjson "$PPROFS/go-cpu.pb.gz" | ndjson2pprof -o y.pb.gz
    go_pprof -tags y.pb.gz >tags
    run ! grep input tags
}

@test "--label-source: real labels stay, and a source without a name gets none" {
    need go protoc
    pprof2ndjson "$PPROFS/go-labels.pb.gz" | ndjson2pprof --label-source=input -o x.pb.gz
    go_pprof -tags "$PPROFS/go-labels.pb.gz" | grep -a . | LC_ALL=C sort >one
    go_pprof -tags x.pb.gz | grep -a . | LC_ALL=C sort >two
    [ "$(grep -ac : one)" -ge 7 ]
    grep -avE '^ input: Total|/go-labels.pb.gz$' two | diff -a one -
    pprof2ndjson <"$PPROFS/go-labels.pb.gz" | ndjson2pprof --label-source=input -o x.pb.gz
    pprof2ndjson <"$PPROFS/go-labels.pb.gz" | ndjson2pprof -o y.pb.gz
    same_content x.pb.gz y.pb.gz
}

@test "--label-source: labels that are replaced leave no strings behind" {
    rprof2ndjson - <<<$'sample.interval=20000\n"f" ' | sed 's/"source_uri":null/"source_uri":"latter"/
        s/^{"table":"samples".*[0-9]/&,".labels":[{"key":"input","str":"former"}]/' >rows
    ndjson2pprof rows | gunzip | grep -aq former
    ndjson2pprof '--label-source=input!' rows | gunzip >replaced
    grep -aq latter replaced
    run ! grep -aq former replaced
}

@test "units: the finer of two stands, in either order" {
    need protoc
    in_unit ns.pb 5 nanoseconds
    in_unit ms.pb 2 milliseconds
    in_unit s.pb 3 s
    in_unit b.pb 5 bytes
    in_unit kb.pb 2 kB
    for options in '' --no-aggregate --canonical; do
        for order in 'ns.pb ms.pb s.pb' 's.pb ms.pb ns.pb' 'ms.pb s.pb ns.pb'; do
            pprof2ndjson $order | ndjson2pprof $options -o x.pb.gz
            [ "$(types_of x.pb.gz)" = delay/nanoseconds ]
            pprof2ndjson x.pb.gz >rows
            [ "$(values_of rows delay | sum)" = 3002000005 ]
            [ "$options" = --no-aggregate ] || [ "$(values_of rows delay | wc -l)" -eq 1 ]
        done
        for order in 'b.pb kb.pb' 'kb.pb b.pb'; do
            pprof2ndjson $order | ndjson2pprof $options -o x.pb.gz
            [ "$(types_of x.pb.gz)" = delay/bytes ]
            [ "$(pprof2ndjson x.pb.gz | values_of - delay | sum)" = 2053 ]
        done
    done
    # one by one: each in its place
    pprof2ndjson s.pb ms.pb ns.pb ms.pb | ndjson2pprof --no-aggregate -o x.pb.gz
    [ "$(pprof2ndjson x.pb.gz | values_of - delay | paste -sd ' ')" = '3000000000 2000000 5 2000000' ]
}

@test "units: two names of one, in either order" {
    need protoc
    in_unit one.pb 5 ns
    in_unit two.pb 6 nanoseconds
    for order in 'one.pb two.pb' 'two.pb one.pb'; do
        for options in '' --no-aggregate --canonical; do
            pprof2ndjson $order | ndjson2pprof $options -o x.pb.gz
            [ "$(types_of x.pb.gz)" = delay/nanoseconds ]
            [ "$(pprof2ndjson x.pb.gz | values_of - delay | sum)" = 11 ]
        done
    done
}

@test "units that do not convert are refused, both named" {
    need protoc
    in_unit ns.pb 5 nanoseconds
    in_unit kb.pb 2 kB
    pprof2ndjson ns.pb kb.pb >rows
    try ndjson2pprof rows
    says 1 'ndjson2pprof: rows:10: type "delay" comes in units that do not convert: "nanoseconds" and "kB"'
    pprof2ndjson kb.pb ns.pb >rows
    try ndjson2pprof --no-aggregate rows
    says 1 'ndjson2pprof: rows:10: type "delay" comes in units that do not convert: "kB" and "nanoseconds"'
}

@test "units: a value that no longer fits is an error" {
    need protoc
    in_unit big.pb 9223372036854775807 seconds
    in_unit ns.pb 5 nanoseconds
    for order in 'big.pb ns.pb' 'ns.pb big.pb'; do
        for options in '' --no-aggregate; do
            pprof2ndjson $order >rows
            try ndjson2pprof $options rows
            [ "$status" -eq 1 ]
            grep -qE 'the sum of "delay"( in function ".*")? does not fit 64 bits$' stderr
        done
    done
}

@test "a merge: the facts about whole files" {
    need protoc
    small a.pb 1 <<'END'
string_table: "one" string_table: "both" string_table: "cpu" string_table: "ns" string_table: "drop" string_table: "http://x"
time_nanos: 2000 duration_nanos: 30 period_type { type: 6 unit: 7 } period: 10
comment: 4 comment: 5 default_sample_type: 1 drop_frames: 8 keep_frames: 4 doc_url: 9
END
    small b.pb 2 <<'END'
string_table: "two" string_table: "both" string_table: "cpu" string_table: "ns" string_table: "other" string_table: "http://x"
time_nanos: 1000 duration_nanos: 12 period_type { type: 6 unit: 7 } period: 20
comment: 5 comment: 4 comment: 4 default_sample_type: 1 drop_frames: 8 keep_frames: 5 doc_url: 9
END
    pprof2ndjson a.pb b.pb >rows
    for options in '' --no-aggregate --canonical; do
        try ndjson2pprof -v $options rows
        says 0 'ndjson2pprof: not in pprof: 2 facts about sources: drop_frames' \
            'ndjson2pprof: not in pprof: 2 facts about sources: keep_frames'
        normal stdout | grep -A 100 '^time_nanos' | LC_ALL=C sort | diff - <(LC_ALL=C sort <<'END'
time_nanos: 1000
duration_nanos: 42
period_type {
type: "cpu"
unit: "ns"
}
period: 20
comment: "one"
comment: "both"
comment: "two"
comment: "two"
default_sample_type: "samples"
doc_url: "http://x"
END
        )
        try ndjson2pprof --lossless $options rows
        [ "$status" -eq 1 ]
    done
    # the order of files changes the order of comments only
    pprof2ndjson b.pb a.pb | ndjson2pprof -q --canonical -o y.pb.gz
    ndjson2pprof -q --canonical rows -o x.pb.gz
    same x.pb.gz y.pb.gz
}

@test "a merge: the default type stands, and what all sources show first" {
    need protoc
    small a.pb 1 <<<'default_sample_type: 1'
    small b.pb 1 </dev/null
    pprof2ndjson a.pb a.pb | ndjson2pprof -o x.pb.gz
    normal x.pb.gz | grep -qx 'default_sample_type: "samples"'
    pprof2ndjson a.pb b.pb >rows
    try ndjson2pprof -v rows
    says 0
    normal stdout | grep -qx 'default_sample_type: "samples"'
}

@test "a merge: periods of different types are left out and counted" {
    need protoc
    small a.pb 1 <<<'string_table: "cpu" string_table: "ns" period_type { type: 4 unit: 5 } period: 10'
    small b.pb 1 <<<'string_table: "wall" string_table: "ns" period_type { type: 4 unit: 5 } period: 10'
    pprof2ndjson a.pb b.pb >rows
    try ndjson2pprof -v rows
    says 0 'ndjson2pprof: not in pprof: 2 facts about sources: .period'
    normal stdout >shown
    run ! grep '^period' shown
}

@test "a merge: go finds the same totals as in its own merge" {
    need go
    for pair in 'go-cpu go-inline' 'go-labels go-cpu'; do
        set -- $pair
        pprof2ndjson "$PPROFS/$1.pb.gz" "$PPROFS/$2.pb.gz" | ndjson2pprof -o x.pb.gz
        for index in samples cpu; do
            go_pprof -top -nodecount=1000000 -nodefraction=0 -sample_index=$index \
                "$PPROFS/$1.pb.gz" "$PPROFS/$2.pb.gz" | grep -vE '^(File|Build ID): ' | LC_ALL=C sort >one
            go_pprof -top -nodecount=1000000 -nodefraction=0 -sample_index=$index x.pb.gz |
                grep -vE '^(File|Build ID): ' | LC_ALL=C sort >two
            diff one two
        done
    done
}

@test "a merge: types that a source lacks are 0" {
    need protoc
    pprof2ndjson "$PPROFS/go-cpu.pb.gz" "$PPROFS/go-heap.pb.gz" | ndjson2pprof -o x.pb.gz 2>stderr
    for name in go-cpu go-heap; do
        for type in $(types_of "$PPROFS/$name.pb.gz" | cut -d/ -f1); do
            pprof2ndjson x.pb.gz | values_of - "$type" | sum >one
            pprof2ndjson "$PPROFS/$name.pb.gz" | values_of - "$type" | sum | diff one -
        done
    done
    [ "$(types_of x.pb.gz | wc -l)" -eq 6 ]
}

@test "a merge of Rprof and pprof: both keep what is theirs" {
    need go protoc
    { rprof2ndjson "$SAMPLES/plain.out"; pprof2ndjson "$PPROFS/go-cpu.pb.gz"; } >rows
    ndjson2pprof -q --label-source=input rows -o x.pb.gz
    # both are counted as samples and as cpu time
    types_of x.pb.gz | diff - <(printf 'samples/count\ncpu/nanoseconds\n')
    r=$(rprof2ndjson "$SAMPLES/plain.out" | values_of - samples | sum)
    go=$(pprof2ndjson "$PPROFS/go-cpu.pb.gz" | values_of - samples | sum)
    [ "$(pprof2ndjson x.pb.gz | values_of - samples | sum)" -eq $((r + go)) ]
    go_pprof -sample_index=samples -tags x.pb.gz >tags
    grep -qE "^ +$r(\.0)? \(.*/plain.out\$" tags
    grep -qE "^ +$go(\.0)? \(.*/go-cpu.pb.gz\$" tags
    # the time of R's samples is derived, that of Go's is its own
    interval=$(sed -n '1s/.*sample.interval=//p' "$SAMPLES/plain.out")
    own=$(pprof2ndjson "$PPROFS/go-cpu.pb.gz" | values_of - cpu | sum)
    [ "$(pprof2ndjson x.pb.gz | values_of - cpu | sum)" -eq $((own + r * interval * 1000)) ]
    # only Go's locations have Go's mapping; R's have one named by their source
    go_pprof -raw x.pb.gz | sed -n '/^Mappings/,$p' >mappings
    grep -q '/go-cpu' mappings
    grep -q '/plain.out' mappings
    # sample by sample, in order
    ndjson2pprof -q --no-aggregate rows -o y.pb.gz
    [ "$(normal y.pb.gz | grep -c '^sample {')" -eq "$(grep -c '"table":"samples"' rows)" ]
}
