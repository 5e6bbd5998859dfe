#!/usr/bin/env bats
# What ndjson2pprof makes of many profiles: sums, types, and what is shown first.
load helpers
load pprof-helpers

# rows SOURCE [TYPE UNIT VALUE …]: a profile with one sample of f for each value. SOURCE is the rest
# of the row of its source.
rows() {
    local source=$1 id=0
    shift
    printf '{"table":"meta","key":"version","value":"2.0"}\n'
    printf '{"table":"sources","source_id":1,"source_type":"x","source_uri":"u","source_timestamp":null%s}\n' "$source"
    printf '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}\n'
    printf '{"table":"locations","location_id":1,"function_id":1,"line":1}\n'
    while [ $# -gt 0 ]; do
        id=$((id + 1))
        printf '{"table":"samples","sample_id":%d,"source_id":1}\n' $id
        printf '{"table":"sample_values","sample_id":%d,"type":"%s","unit":"%s","value":%s}\n' $id "$1" "$2" "$3"
        printf '{"table":"sample_locations","sample_id":%d,"depth":1,"location_id":1}\n' $id
        shift 3
    done
}

# The first lines of a file, by protoc: types and samples.
types_and_samples() {  # file
    "$BATS_TEST_DIRNAME/show-pprof" "$1" | grep -E '^(type|sample) '
}

@test "sums are exact in whatever order their values come" {
    need protoc
    most=9223372036854775807
    for order in "$most -5 1" "$most 1 -5" "-5 $most 1" "-5 1 $most" "1 $most -5" "1 -5 $most" \
        "$most $most $most -$most -$most -4" "-$most -$most -$most $most $most $((most - 4)) $most" ; do
        for options in '' --canonical; do
            args=()
            for value in $order; do args+=(t count $value); done
            rows '' "${args[@]}" | ndjson2pprof -q $options >x.pb.gz
            types_and_samples x.pb.gz | grep -qx "sample $((most - 4)): .*"
        done
    done
    rows '' t count $most t count 1 >over
    try ndjson2pprof over
    says 1 'ndjson2pprof: the sum of "t" in function "f" does not fit 64 bits'
    rows '' t count -$most t count -2 >under
    try ndjson2pprof --canonical under
    says 1 'ndjson2pprof: the sum of "t" in function "f" does not fit 64 bits'
}

@test "sums of what is derived and converted are exact" {
    need protoc
    source=',".value_types":[{"type":"samples","unit":"count"}],".period":{"type":"cpu","unit":"ms","value":1000}'
    large=8000000000000000000
    for order in "$large -$large 7" "7 $large -$large" "-$large 7 $large"; do
        args=()
        for value in $order; do args+=(samples count $value); done
        rows "$source" "${args[@]}" | ndjson2pprof -q >x.pb.gz
        types_and_samples x.pb.gz | grep -qx 'sample 7 7000: .*'
    done
    # hours that no 64 bits hold as nanoseconds, until others take them back
    rows '' t hours 4000000 t ns 5 t hours -4000001 | ndjson2pprof -q >x.pb.gz
    types_and_samples x.pb.gz | grep -qx 'sample -3599999999995: .*'
    rows '' t hours 4000000 t ns 5 >over
    try ndjson2pprof over
    says 1 'ndjson2pprof: the sum of "t" in function "f" does not fit 64 bits'
    # one by one each has to fit
    try ndjson2pprof --no-aggregate over
    says 1 'ndjson2pprof: the sum of "t" in function "f" does not fit 64 bits'
}

@test "a finer unit that comes later scales what came before, and nothing else" {
    need protoc
    big=9000000000000000000
    { rows '' t ms $big t ms -$big t ms 3; rows '' t ns 5; } >a
    for options in '' --canonical --types=t/ns; do
        ndjson2pprof -q $options a >x.pb.gz
        types_and_samples x.pb.gz | grep -qx 'sample 3000005: .*'
        types_and_samples x.pb.gz | grep -qx 'type "t" "ns"'
    done
    { rows '' t ms 1 t ms 2; rows '' t ns 5; rows '' t us 7; } | ndjson2pprof -q --no-aggregate >x.pb.gz
    [ "$(types_and_samples x.pb.gz | sed 's/:.*//')" = "$(printf '%s\n' 'type "t" "ns"' 'sample 1000000' 'sample 2000000' 'sample 5' 'sample 7000')" ]
}

@test "a type and a stack of its own for each sample: memory for what there is" {
    takes_long
    plain_only 'it needs more address space'
    awk 'BEGIN {
        print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
        print "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"x\",\"source_uri\":\"u\",\"source_timestamp\":null}"
        for (i = 1; i <= 3000; i++) {
            printf "{\"table\":\"functions\",\"function_id\":%d,\"name\":\"f%d\",\"system_name\":\"f%d\",\"filename\":\"\",\"start_line\":0}\n", i, i, i
            printf "{\"table\":\"locations\",\"location_id\":%d,\"function_id\":%d,\"line\":1}\n", i, i
            printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1}\n", i
            printf "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"t%d\",\"unit\":\"count\",\"value\":%d}\n", i, i, i
            printf "{\"table\":\"sample_locations\",\"sample_id\":%d,\"depth\":1,\"location_id\":%d}\n", i, i
        }
    }' >a
    for options in '' --canonical --no-aggregate; do
        bash -c 'ulimit -v 60000; exec ndjson2pprof -q '"$options"' -o x.pb.gz a'
    done
    # each value in its place
    pprof2ndjson x.pb.gz | grep '"table":"sample_values"' | grep -v '"value":0}' >values
    [ "$(wc -l <values)" -eq 3000 ]
    [ "$(grep -cE '"type":"t([0-9]+)","unit":"count","value":\1}' values)" -eq 3000 ]
}

@test "many types in many units: as fast as few" {
    awk 'BEGIN {
        n = split("ns us ms s minutes hours", units, " ")
        print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
        for (i = n; i >= 1; i--) {
            printf "{\"table\":\"sources\",\"source_id\":%d,\"source_type\":\"x\",\"source_uri\":\"u\",\"source_timestamp\":null}\n", i
            printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":%d}\n", n + 1 - i, i
            for (t = 1; t <= 64000; t++)
                printf "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"t%d\",\"unit\":\"%s\",\"value\":1}\n", n + 1 - i, t, units[i]
        }
    }' >a
    seconds=30
    [ -z "${PROFPIPE_SANITIZED-}" ] || seconds=100 # threads are watched, beside other tests
    timeout $seconds ndjson2pprof -q -o x.pb.gz a
    [ "$(pprof2ndjson x.pb.gz | grep -c '"unit":"ns","value":3661001001001}')" -eq 64000 ]
}

@test "durations that no 64 bits hold are left out, and counted" {
    need protoc
    day=1700000000000000000
    for i in 1 2 3 4 5 6; do rows ',".pprof":{"duration_nanos":'$day'}' t count 1 | sed "s/\"u\"/\"file$i\"/"; done >a
    rows '' t count 1 >>a
    try ndjson2pprof -v a
    [ "$status" -eq 0 ]
    grep -qx "ndjson2pprof: not in pprof: 6 facts about sources: duration_nanos" stderr
    "$BATS_TEST_DIRNAME/show-pprof" stdout >shown
    grep -qx 'sample 7: "f".*' shown
    run ! grep '^duration' shown
    try ndjson2pprof --lossless -q a
    [ "$status" -eq 1 ]
    # what fits at the end stands
    { cat a; rows ',".pprof":{"duration_nanos":-'$day'}' t count 1; } | ndjson2pprof -q >x.pb.gz
    "$BATS_TEST_DIRNAME/show-pprof" x.pb.gz | grep -qx "duration $((5 * day))"
    # and what is gained from counts is no other
    source=',".value_types":[{"type":"samples","unit":"count"}],".period":{"type":"cpu","unit":"hours","value":1}'
    rows "$source" samples count 2000000 samples count 1000000 >a
    try ndjson2pprof -v --types=samples/count a
    grep -qx "ndjson2pprof: not in pprof: 1 fact about a source: duration_nanos" stderr
}

# --- what is shown first ---

# shows FILE: the type that pprof shows.
shows() {
    go_pprof -top "$1" | sed -n 's/^Type: //p'
}

# listing DEFAULT TYPE …: rows of a pprof file with these types.
listing() {
    local default=$1 list= type args=()
    shift
    for type; do
        list+="${list:+,}{\"type\":\"$type\",\"unit\":\"count\"}"
        args+=("$type" count 1)
    done
    rows ",\".value_types\":[$list],\".pprof\":{${default:+\"default_sample_type\":\"$default\"}}" "${args[@]}"
}

@test "what all inputs show first is shown first" {
    need go
    for default in '' m; do
        listing "$default" z m >a       # m is last
        listing "$default" b m >b
        listing "$default" z m >c
        cat a b c >all
        for options in '' --canonical --no-aggregate --types=m/count,z/count '--canonical --types=m/count,z/count'; do
            ndjson2pprof -q $options all >x.pb.gz
            [ "$(shows x.pb.gz)" = m ] || fail "$options: $(shows x.pb.gz)"
        done
    done
    # one that is not the last, where it is named
    listing b a b c | ndjson2pprof --canonical -q >x.pb.gz
    [ "$(shows x.pb.gz)" = b ]
    # types that have been dropped show nothing
    ndjson2pprof -q --types=z/count,b/count all >x.pb.gz
    [ "$(shows x.pb.gz)" = b ]
    rprof2ndjson -q "$SAMPLES/plain.out" >r
    for options in '' --canonical --types=cpu/nanoseconds,samples/count; do
        ndjson2pprof -q $options r >x.pb.gz
        [ "$(shows x.pb.gz)" = cpu ]
    done
}

@test "where inputs show different types the first decides, or the least name" {
    need go
    listing '' a m >a
    listing '' b k >b
    listing z y z k >c
    for first in 'a b c m k' 'b c a k k' 'c a b z k' 'c b a z k'; do
        read -r one two three plain least <<<"$first"
        ndjson2pprof -q $one $two $three >x.pb.gz
        [ "$(shows x.pb.gz)" = $plain ] || fail "$first: $(shows x.pb.gz)"
        ndjson2pprof -q --canonical $one $two $three >x.pb.gz
        [ "$(shows x.pb.gz)" = $least ] || fail "$first: $(shows x.pb.gz)"
    done
    try ndjson2pprof -v a c
    grep -qx 'ndjson2pprof: not in pprof: 1 fact about a source: default_sample_type' stderr
    try ndjson2pprof -v c a
    run ! grep default_sample_type stderr
}

@test "a merge of merges is the merge of all, with its types in their places" {
    takes_long
    # a default or none, each with types in some order
    kinds=(':x y' ':y' ':y x' 'x:x y' 'y:y' 'z:x y' ':x' ':x y z' 'x:z x' 'q:x')
    i=0
    for kind in "${kinds[@]}"; do
        listing "${kind%%:*}" ${kind#*:} | ndjson2pprof -q --no-aggregate | pprof2ndjson --source-uri=u >$i
        i=$((i + 1))
    done
    merged() { ndjson2pprof -q $options "$@" | pprof2ndjson --source-uri=u; }
    for options in '' --canonical '--types=y/count,x/count' '--types=y/count,x/count --canonical'; do
        for three in $(some_of 4 {0,3,9}:{1,4,6}:{2,5,7}); do
            IFS=: read -r a b c <<<"$three"
            # x and y must be there if they are asked for
            case $options$a$b in --types*96) continue ;; esac
            merged $a $b $c >all
            merged $a $b >ab
            merged ab $c >left
            merged $b $c >bc
            merged $a bc >right
            cmp all left || fail "$options: $a $b $c: left"
            cmp all right || fail "$options: $a $b $c: right"
        done
    done
}

# --- labels ---

# labelled ITEM …: rows of one sample for each list of labels.
labelled() {
    local id=0 labels
    rows ''
    for labels; do
        id=$((id + 1))
        printf '{"table":"samples","sample_id":%d,"source_id":1,".labels":[%s]}\n' $id "$labels"
        printf '{"table":"sample_values","sample_id":%d,"type":"t","unit":"count","value":%d}\n' $id $((10 ** (id - 1)))
        printf '{"table":"sample_locations","sample_id":%d,"depth":1,"location_id":1}\n' $id
    done
}

@test "sums compare labels as sets; what is written came first, or is sorted" {
    need protoc
    a='{"key":"a","str":"x"}' b='{"key":"b","num":2,"unit":"bytes"}' c='{"key":"a","str":"w"}'
    sorted='{"a" "w"} {"a" "x"} {"b" 2 "bytes"}'
    labelled "$b,$a,$c" "$a,$b,$c" "$c,$a,$b" "$a,$b" "$b,$a" "$a,$a" "$a" >in
    ndjson2pprof -q in >x.pb.gz
    [ "$(types_and_samples x.pb.gz | sed -n 's/^sample \([0-9]*\):.*:1) /\1 /p')" = "$(printf '%s\n' \
        '111 {"b" 2 "bytes"} {"a" "x"} {"a" "w"}' '11000 {"a" "x"} {"b" 2 "bytes"}' \
        '100000 {"a" "x"} {"a" "x"}' '1000000 {"a" "x"}')" ]
    # the sorted order first, and last
    for lists in "$c,$a,$b $b,$a,$c $a,$b,$c" "$b,$a,$c $a,$b,$c $c,$a,$b"; do
        labelled $lists | ndjson2pprof -q --canonical >x.pb.gz
        types_and_samples x.pb.gz | grep -qxF "sample 111: \"f\"[\"f\"](\"\":1) $sorted"
    done
    # one by one they stay as they are
    ndjson2pprof -q --no-aggregate in >x.pb.gz
    [ "$(types_and_samples x.pb.gz | sed -n '2,4s/^sample \([0-9]*\):.*:1) /\1 /p')" = "$(printf '%s\n' \
        '1 {"b" 2 "bytes"} {"a" "x"} {"a" "w"}' '10 {"a" "x"} {"b" 2 "bytes"} {"a" "w"}' \
        '100 {"a" "w"} {"a" "x"} {"b" 2 "bytes"}')" ]
}

@test "the order of labels does not matter to --canonical" {
    a='{"key":"a","str":"x"}' b='{"key":"b","num":2}' c='{"key":"c","str":"y"}'
    labelled "$a,$b" "$c" "$b,$c" >one
    labelled "$b,$a" "$c" "$c,$b" >two
    ndjson2pprof -q --canonical one >x
    ndjson2pprof -q --canonical two >y
    same x y
    cat one two | ndjson2pprof -q --canonical >x
    cat two one | ndjson2pprof -q --canonical >y
    same x y
}

# --- inlined lines that a sample has not all of ---

@test "a location that is cut short in a stack counts once, however often it comes" {
    plain_only 'it is a gigabyte of rows'
    {
        rows ''
        printf '{"table":"locations","location_id":2,"function_id":1,"line":2,".inlined_into":1}\n'
        printf '{"table":"samples","sample_id":1,"source_id":1}\n'
        printf '{"table":"sample_values","sample_id":1,"type":"t","unit":"count","value":1}\n'
        awk 'BEGIN { for (i = 1; i <= 340000; i++) printf "{\"table\":\"sample_locations\",\"sample_id\":1,\"depth\":%d,\"location_id\":2}\n", i }'
    } >block
    for i in {1..50}; do cat block; done | ndjson2pprof -q -o x.pb.gz
    need protoc
    gunzip -c x.pb.gz | protoc --proto_path="$ROOT/src/formats/pprof" --decode=pprof.Profile profile.proto >text
    # 1 as it is defined, 2 with both lines, and 2 alone
    [ "$(grep -c '^location {' text)" -eq 3 ]
    [ "$(grep -c '^sample {' text)" -eq 1 ]
}

# --- programs at several addresses ---

# loaded BASE [FILE SIZE]: a profile of a program that was loaded at BASE, of a library behind it, and
# of a mapping that nobody knows the name of.
loaded() {
    local base=$(($1)) file=${2-/bin/prog} size=$((${3-0x21800}))
    cat >text <<END
string_table: "" string_table: "samples" string_table: "count" string_table: "$file"
string_table: "b0b0" string_table: "/lib/libx.so" string_table: "main" string_table: "work"
sample_type { type: 1 unit: 2 }
mapping { id: 1 memory_start: $base memory_limit: $((base + size)) file_offset: 4096 filename: 3 build_id: 4 }
mapping { id: 2 memory_start: $((base + 0x100000)) memory_limit: $((base + 0x103000)) filename: 5 has_functions: true }
mapping { id: 3 memory_start: $((base + 0x200000)) memory_limit: $((base + 0x201000)) }
location { id: 1 mapping_id: 1 address: $((base + 0x1234)) line { function_id: 1 line: 3 } }
location { id: 2 mapping_id: 1 address: $((base + 0x2345)) line { function_id: 2 line: 4 } line { function_id: 1 line: 5 } }
location { id: 3 mapping_id: 2 address: $((base + 0x100040)) }
location { id: 4 mapping_id: 3 address: $((base + 0x200040)) }
location { id: 5 mapping_id: 1 address: $((base + 0x1234)) line { function_id: 1 line: 3 } is_folded: true }
location { id: 6 address: 77 }
function { id: 1 name: 6 } function { id: 2 name: 7 }
sample { location_id: 1 value: 1 } sample { location_id: 2 location_id: 1 value: 10 }
sample { location_id: 3 location_id: 2 value: 100 } sample { location_id: 4 location_id: 5 value: 1000 }
sample { location_id: 6 location_id: 1 value: 10000 }
END
    make_pprof text
}

# How many mappings, locations and samples a file has, by protoc.
sizes() {  # file
    cat "$1" >sized
    decode sized | awk '/^(mapping|location|sample) {/ { n[$1]++ } END { print n["mapping"] + 0, n["location"] + 0, n["sample"] + 0 }'
}

# What go shows of files: each sample with its stack, and what functions and addresses cost.
go_shows() {  # file …
    go_pprof -traces "$@" >"$T/traces" && go_pprof -top -addresses -nodefraction=0 "$@" >"$T/top" &&
        grep -vE '^(File|Build ID|Time|Duration)' "$T/traces" "$T/top" -h
}

@test "one program at several addresses is one, as in go tool pprof" {
    need go protoc
    i=0
    for base in 0x555555000000 0x561000010000 0x55aa00000000 0x555555000000; do
        i=$((i + 1))
        loaded $base >$i.pb
    done
    loaded 0x7f0000000000 /mnt/prog 0x21001 >5.pb  # of the same build, and the same size in pages
    go_pprof -proto -output=go.pb ?.pb
    pprof2ndjson -q ?.pb >rows
    for options in '' --canonical; do
        ndjson2pprof -q $options rows -o ours.pb
        [ "$(sizes ours.pb)" = "$(sizes go.pb)" ] || fail "$(sizes ours.pb), go: $(sizes go.pb)"
        [ "$(sizes ours.pb)" = '3 6 5' ]
        go_shows ours.pb >ours
        [ -n "$options" ] || diff ours <(go_shows go.pb)
        grep -q '55555' ours
    done
    # in whatever order, and through merges of some
    ndjson2pprof -q --canonical rows -o all.pb
    pprof2ndjson -q 5.pb 3.pb 1.pb 4.pb 2.pb | ndjson2pprof -q --canonical -o other.pb
    same all.pb other.pb
    for some in '1.pb 5.pb' '2.pb 3.pb 4.pb'; do
        pprof2ndjson -q --source-uri=u $some | ndjson2pprof -q --canonical -o "${some%% *}.part"
    done
    pprof2ndjson -q --source-uri=u 2.pb.part 1.pb.part | ndjson2pprof -q --canonical -o other.pb
    same all.pb other.pb
    # what stands for all has the least of each
    decode all.pb >text
    grep -q "memory_start: $((0x555555000000))" text
    grep -q "memory_limit: $((0x555555000000 + 0x21800))" text
    "$BATS_TEST_DIRNAME/show-pprof" all.pb | grep -qx 'mapping "/bin/prog"'
    # and apart they stay
    [ "$(ndjson2pprof -q --keep-addresses rows | sizes /dev/stdin)" = '12 21 20' ]
    [ "$(ndjson2pprof -q --keep-addresses --canonical rows | sizes /dev/stdin)" = '12 21 20' ]
    [ "$(ndjson2pprof -q --no-aggregate rows | sizes /dev/stdin)" = '12 21 25' ]
}

@test "programs that differ stay apart" {
    need go protoc
    loaded 0x10000 >a.pb
    for change in 's/"b0b0"/"b0b1"/' 's/file_offset: 4096/file_offset: 0/' 's/memory_limit: 202[0-9]*/memory_limit: 299999/'; do
        decode a.pb | sed "$change" >changed
        cmp -s changed <(decode a.pb) && fail "$change changes nothing"
        make_pprof changed >b.pb
        go_pprof -proto -output=go.pb a.pb b.pb
        pprof2ndjson -q a.pb b.pb | ndjson2pprof -q -o ours.pb
        [ "$(sizes ours.pb)" = "$(sizes go.pb)" ] || fail "$change: $(sizes ours.pb), go: $(sizes go.pb)"
        [ "$(sizes ours.pb)" = '4 9 10' ] || fail "$change: $(sizes ours.pb)"
    done
}

@test "a real program that is loaded elsewhere each time, as in go tool pprof" {
    need go protoc
    cp "$ROOT/samples/pprof/go-cpu.go" .
    GO111MODULE=off GOFLAGS= GOCACHE=$T/cache CGO_ENABLED=0 HOME=$T go build -buildmode=pie -o prog go-cpu.go ||
        skip 'go makes no position-independent programs here'
    for i in 1 2 3 4; do ./prog $i.pb.gz >/dev/null; done
    bases=$(for i in 1 2 3 4; do decode $i.pb.gz | grep -m 1 memory_start; done | sort -u | wc -l)
    [ "$bases" -gt 1 ] || skip 'programs are always loaded at the same address here'
    go_pprof -proto -output=go.pb ?.pb.gz
    pprof2ndjson -q ?.pb.gz >rows
    ndjson2pprof -q rows -o ours.pb
    # what go has merged drops what no sample refers to
    go_pprof -proto -output=again.pb ours.pb
    [ "$(sizes again.pb)" = "$(sizes go.pb)" ]
    [ "$(sizes ours.pb | cut -d' ' -f2-)" = "$(sizes go.pb | cut -d' ' -f2-)" ]
    [ "$(sizes ours.pb | cut -d' ' -f1)" -eq "$(sizes 1.pb.gz | cut -d' ' -f1)" ]
    diff <(go_shows ours.pb) <(go_shows go.pb)
}

@test "rows without a mapping and rows of the pprof file that was made of them are equal" {
    takes_long
    need protoc
    for name in plain lines odd-names; do
        rprof2ndjson -q --source-uri=u "$SAMPLES/$name.out" >r
        ndjson2pprof -q r | pprof2ndjson --source-uri=u >p
        for options in '' --keep-addresses; do
            ndjson2pprof -q --canonical r | pprof2ndjson --source-uri=u >c
            cat r c | ndjson2pprof -q --canonical $options -o rp.pb.gz
            cat c r | ndjson2pprof -q --canonical $options -o pr.pb.gz
            same rp.pb.gz pr.pb.gz
            [ "$(sizes rp.pb.gz)" = "$(ndjson2pprof -q r | sizes /dev/stdin)" ]
            cat r p | ndjson2pprof -q $options -o rp.pb.gz
            [ "$(sizes rp.pb.gz)" = "$(ndjson2pprof -q r | sizes /dev/stdin)" ]
        done
        # each sum is there twice
        sums() { "$BATS_TEST_DIRNAME/show-pprof" "$1" | awk '/^sample/ { a += $2; b += $3 } END { print a, b }'; }
        ndjson2pprof -q r -o r.pb.gz
        [ "$(sums rp.pb.gz)" = "$(sums r.pb.gz | awk '{ print 2 * $1, 2 * $2 }')" ]
    done
}
