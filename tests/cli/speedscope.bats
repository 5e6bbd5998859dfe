#!/usr/bin/env bats
# Files for speedscope: against its own importer, there and back, and what cannot be there.
load helpers
load pprof-helpers

# Speedscope's importer as one file, where a folder $PEERS has it (made by esbuild of src/import/index.ts).
IMPORTER=${PEERS-}/speedscope/importer.js

# What speedscope makes of one profile of a file, and what go makes of a value type: "self total name file"
# for each function, the file without its folder. Code without a function, which go adds up by what is mapped
# there, is left to the line with the sum of all.
importer_top() {  # file, name of the profile
    node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" "$1" | awk -v name="$2" '
        $1 == "profile" || $1 == "shown" { n = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", n); on = n == name; next }
        on' | tidy_top '^0x'
}

go_file_top() {  # value type, file, unit
    go_top "$1" "$2" "$3" -filefunctions | tidy_top '^\\['
}

tidy_top() {  # what names of code without a function begin with
    awk -v nameless="$1" '
        { self = $1; total = $2; $1 = $2 = ""; sub(/^ */, ""); sum += self }
        $0 ~ nameless || total == 0 { next }
        { gsub(/[^ ]*\//, ""); print self, total, $0 }
        END { print sum, "all" }' | LC_ALL=C sort
}

need_importer() {
    need node
    [ -e "$IMPORTER" ] || skip "no importer of speedscope in \$PEERS"
}

# The profiles of a file: "unit total name".
profiles_of() {  # file
    jq -r '.profiles[] | [.unit, .endValue, .name] | join(" ")' "$1"
}

@test "speedscope shows of every pprof sample what go tool pprof does" {
    need go
    need_importer
    count=0
    for sample in "$PPROFS"/*.gz; do
        name=${sample##*/}
        (cd "$PPROFS" && ndjson2speedscope -q "$name") >x.speedscope.json
        (cd "$PPROFS" && ndjson2speedscope -q --aggregate "$name") >sums.speedscope.json
        for type in $(cd "$PPROFS" && pprof2ndjson -q "$name" | sed -n 's/^{"table":"sources".*"\.value_types":\[\([^]]*\)\].*/\1/p' | grep -o '"type":"[^"]*"' | cut -d '"' -f 4); do
            unit=$(node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" x.speedscope.json | awk -v name="$name $type" '/^(profile|shown)/ && substr($0, length($0) - length(name) + 1) == name { print $2 }')
            case $unit in nanoseconds) unit=ns ;; bytes) unit=b ;; *) unit= ;; esac
            go_file_top "$type" "$sample" $unit >expected
            [ "$(wc -l <expected)" -gt 3 ] || fail "$name: $type: go shows nothing"
            importer_top x.speedscope.json "$name $type" >found
            diff expected found || fail "$name: $type"
            importer_top sums.speedscope.json "$name $type" >found
            diff expected found || fail "$name: $type, added up"
            count=$((count + 1))
        done
        # what pprof shows first is shown first
        shown=$(node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" x.speedscope.json | sed -n 's/^shown .* //p')
        [ "$(go_pprof -top "$sample" | sed -n 's/^Type: //p')" = "$shown" ]
    done
    [ $count -ge 10 ]
}

@test "speedscope opens what is made of every sample" {
    need_importer
    for sample in "$ROOT"/samples/*/*.gz "$ROOT"/samples/*/*.out "$ROOT"/samples/*/*.folded; do
        for options in '' --aggregate; do
            ndjson2speedscope -q $options "$sample" >x.speedscope.json
            node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" x.speedscope.json >shown
            [ "$(grep -c '^shown ' shown)" -eq 1 ]
            # and known by content alone, whatever its name
            cp x.speedscope.json x.json
            node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" x.json | same shown -
        done
    done
}

@test "the members of a file come in any order to speedscope" {
    need jq
    need_importer
    ndjson2speedscope -q "$PPROFS/go-heap.pb.gz" >x.speedscope.json
    jq -c '{profiles: [.profiles[] | {weights, samples, endValue, startValue, unit, name, type}], shared, exporter, activeProfileIndex, "$schema"}' x.speedscope.json >y.speedscope.json
    node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" x.speedscope.json >expected
    node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" y.speedscope.json | same expected -
}

@test "equal profiles give equal sums, whatever the order of samples" {
    printf 'a;b 1\na;c 0.5\na 2\na;b 0.25\n' >one
    printf 'a 2\na;b 0.25\na;c 0.5\na;b 1\n' >two
    sums() { ndjson2speedscope --aggregate <"$1" | sed -n 's/.*"samples"://p' | sed 's/"weights"//'; }
    ndjson2speedscope --aggregate <one | grep -o '"weights":.*' >found
    echo '"weights":[2,1.25,0.5]}]}' | same found -
    ndjson2speedscope --aggregate <two | grep -o '"weights":.*' | same found -
    # fractions as they are spelled: doubles would make 0.30000000000000004 of these
    printf 'a;b 0.1\na;b 0.2\n' | ndjson2speedscope | grep -o '"endValue":[^,]*' | same - <(echo '"endValue":0.3')
}

@test "memory is what is distinct in what is written" {
    takes_long
    plain_only 'it needs memory'
    yes 'main;solve;dot product 3
main;read 12' | head -c 30000000 >x
    for options in '' --aggregate; do
        (ulimit -v 60000; ndjson2speedscope --threads=1 -q $options --files-from <(echo x) >y)
        tail -c 20 y | grep -q ']}]}'
    done
}

# The members of each object in one order, to compare what files say.
canonical() {  # file ...
    jq -S . "$@"
}

@test "files come back, value for value" {
    takes_long
    need jq
    count=0
    ls "$ROOT"/samples/speedscope/*.json >list
    for input in "$ROOT"/tests/cases/speedscope2ndjson/*/input $(cat list); do
        # what jq takes, and has no halves of surrogate pairs, which it changes
        [ -e "$input" ] && jq . "$input" >/dev/null 2>&1 || continue
        ! grep -q '\\u[dD][89a-fA-F]' "$input" || continue
        speedscope2ndjson -q --source-uri=x "$input" >rows 2>/dev/null || continue
        profvalidate rows
        ndjson2speedscope --lossless rows >x.json
        # null says the same as nothing; what nobody knows is counted where it is read
        jq -S 'del(..|nulls) | del(.version, .extra, .shared.frames[].colour)
            | .profiles[] |= del(.extra, if .type == "sampled" then .events else .samples, .weights end)
            | ."$schema" = "https://www.speedscope.app/file-format-schema.json"' "$input" >expected
        jq -S 'del(..|nulls)' x.json >found
        case $input in
            # a name and a unit that are not there are made
            */facts-null/*) jq 'del(.profiles[].name, .profiles[].unit)' found >y; mv y found ;;
            */no-profile*/*) continue ;; # there is no source that could have its name
        esac
        diff expected found || fail "$input"
        # and the text, once it is ours
        ndjson2speedscope --lossless x.json | same x.json -
        count=$((count + 1))
    done
    [ $count -ge 15 ]
}

@test "what is made of every sample comes back byte for byte" {
    takes_long
    count=0
    for sample in "$ROOT"/samples/*/*.gz "$ROOT"/samples/*/*.out "$ROOT"/samples/*/*.folded; do
        for options in '' --aggregate; do
            ndjson2speedscope -q $options "$sample" >x.json
            speedscope2ndjson --lossless x.json >rows
            profvalidate rows
            ndjson2speedscope $options --lossless rows | same x.json -
            # by way of the merge, and from one line
            profcat rows | ndjson2speedscope $options | same x.json -
            count=$((count + 1))
        done
    done
    [ $count -ge 30 ]
}

@test "rows come back, in all that a file for speedscope holds" {
    printf 'f;g h;k 1\nf 2\nf;g h 3.25\n' | folded2ndjson >rows
    ndjson2speedscope rows | speedscope2ndjson >again
    # but for what says where they came from
    grep -v '"table":"\(sources\|locations\|functions\)"' rows >expected
    grep -v '"table":"\(sources\|locations\|functions\)"' again | same expected -
    ndjson2speedscope again | speedscope2ndjson | same again -
    # several types of one source, each value of each sample
    pprof2ndjson -q "$PPROFS/go-heap.pb.gz" | grep '"table":"sample_values"' >expected
    ndjson2speedscope -q "$PPROFS/go-heap.pb.gz" | speedscope2ndjson >again
    grep '"table":"sample_values"' again | same expected -
    [ "$(grep -c '"table":"sources"' again)" -eq 1 ]
}

@test "sums per function are the same by way of speedscope" {
    takes_long
    need go
    for name in go-cpu go-heap go-inline go-labels; do
        sample=$PPROFS/$name.pb.gz
        for options in '' --aggregate; do
            ndjson2speedscope -q $options "$sample" | ndjson2pprof -q -o by-json.pb.gz
            for type in $(pprof2ndjson -q "$sample" | grep -o '"table":"sample_values".*' | grep -o '"type":"[^"]*"' | sort -u | cut -d '"' -f 4); do
                go_top "$type" "$sample" minimum >expected
                [ "$(wc -l <expected)" -gt 3 ]
                go_top "$type" by-json.pb.gz minimum | same expected -
            done
        done
    done
    for name in plain memory lines; do
        ndjson2pprof -q -o direct.pb.gz "$SAMPLES/$name.out"
        ndjson2speedscope -q "$SAMPLES/$name.out" | ndjson2pprof -q -o by-json.pb.gz
        go_top cpu direct.pb.gz >expected
        [ "$(wc -l <expected)" -gt 3 ]
        go_top cpu by-json.pb.gz | same expected -
    done
}

@test "each loss on the way is counted" {
    ndjson2speedscope -v "$PPROFS/go-heap.pb.gz" 2>said >/dev/null
    for what in 'line numbers' addresses 'marks of inlined frames' labels mappings source_timestamp .period; do
        grep -qE "not in speedscope: .*[0-9] .*$what" said || fail "$what"
    done
    labels=$(pprof2ndjson "$PPROFS/go-heap.pb.gz" | grep -c '"\.labels"')
    grep -qx "ndjson2speedscope: not in speedscope: $labels labels" said
    try ndjson2speedscope --lossless "$PPROFS/go-heap.pb.gz"
    [ $status -eq 1 ]
}

# A file with samples of frames 0 and 1, and their weights.
sampled() {  # unit, samples, weights
    printf '{"$schema":"https://www.speedscope.app/file-format-schema.json",'
    printf '"shared":{"frames":[{"name":"a"},{"name":"b"}]},"profiles":[{"type":"sampled","name":"x",'
    printf '"unit":"%s","startValue":0,"endValue":1,"samples":[%s],"weights":[%s]}]}\n' "$@"
}

@test "equal stacks one after the other are the same behind another profile" {
    printf 'z;y;q 1\n' >first.folded
    sampled none '[0,1],[0,1],[0,1]' 1,2,3 >x.json
    speedscope2ndjson x.json >x.ndjson
    profcat first.folded x.json | same - <(profcat first.folded x.ndjson)
    ndjson2folded -q first.folded x.json | same - <(printf 'a;b 6\nz;y;q 1\n')
}

@test "fractions of time are nanoseconds to formats that have integers only" {
    need jq
    sampled seconds '[0],[0,1],[0,1],[1]' 0.07,0.13,1e-10,2 >x.json
    ndjson2folded -v x.json 2>said | same - <(printf '%s\n' 'a 70000000' 'a;b 130000000' 'b 2000000000')
    grep -q ': 1 fraction of a value: time ' said
    ndjson2folded -q --type=time/seconds x.json | same - <(printf '%s\n' 'a 0' 'a;b 0' 'b 2')
    ndjson2pprof -q x.json | pprof2ndjson >rows
    grep -q '".value_types":.{"type":"time","unit":"nanoseconds"}.' rows
    [ "$(jq -r 'select(.table == "sample_values") | .value' rows | sort -n | xargs)" = '70000000 130000000 2000000000' ]
    ndjson2pprof -q --types=time/seconds x.json | pprof2ndjson | grep -q '"unit":"seconds","value":2}'
    speedscope2ndjson x.json | ndjson2speedscope | grep -q '"weights":.0.07,0.13,1e-10,2.'
}

@test "speedscope shows the same of events that came back" {
    need_importer
    for case in evented evented-at-once evented-reopened evented-late evented-decimal; do
        input=$ROOT/tests/cases/speedscope2ndjson/$case/input
        node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" "$input" >expected
        speedscope2ndjson "$input" | ndjson2speedscope >x.speedscope.json
        node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" x.speedscope.json | same expected -
    done
}

@test "what speedscope's importer refuses is refused, with its place" {
    need_importer
    count=0
    for input in "$ROOT"/tests/cases/speedscope2ndjson/*/input; do
        cp "$input" x.speedscope.json
        ! node "$BATS_TEST_DIRNAME/show-speedscope.js" "$IMPORTER" x.speedscope.json >/dev/null 2>&1 || continue
        case $input in */no-profile/* | */no-schema/*) continue ;; esac
        try speedscope2ndjson x.speedscope.json
        [ $status -eq 1 ] || fail "$input"
        count=$((count + 1))
    done
    [ $count -ge 10 ]
}

@test "it is known by its schema, wherever that stands near the start" {
    need jq
    ndjson2speedscope -q "$PPROFS/go-heap.pb.gz" >x
    profcat x >rows
    for filter in . '{exporter, "$schema", shared, profiles, activeProfileIndex}' '{a: ("x" * 600), "$schema", shared, profiles, exporter, activeProfileIndex}'; do
        for options in -c '' --tab; do
            jq $options "$filter" x >y
            cp y x.json
            profcat -q x.json | sed 's/"source_uri":"x.json"/"source_uri":"x"/' | same rows - || fail "$filter $options"
            speedscope2ndjson -q y >/dev/null
        done
    done
    # without one only its own converter takes it
    jq 'del(."$schema")' x >y
    try profcat y
    [ $status -eq 1 ]
    speedscope2ndjson --source-uri=x y | same rows -
}

@test "all may stand in one line of any length" {
    takes_long
    need jq
    yes 'main;solve;dot product 3' | head -c 30000000 | ndjson2speedscope -q | jq -c '{profiles, shared, "$schema"}' >x
    [ "$(wc -l <x)" -eq 1 ]
    [ "$(wc -c <x)" -gt 8000000 ]
    # it is not known by what stands at its start
    try profcat x
    [ $status -eq 1 ]
    [ "$(speedscope2ndjson x | grep -c '"table":"samples"')" -eq $((30000000 / 25)) ]
}

@test "memory is what is distinct in what is read" {
    takes_long
    plain_only 'it needs memory'
    yes 'main;solve;dot product 3
main;read 12' | head -c 30000000 | ndjson2speedscope -q --threads=1 >x
    for tool in speedscope2ndjson 'ndjson2speedscope --aggregate' profcat; do
        (ulimit -v 60000; $tool --threads=1 x >/dev/null)
    done
    # the reader holds frames only, however many stacks they make
    seq 0 999999 | sed 's/^/00000/; s/.*\(...\)\(...\)$/a\1;b\2 1/' | ndjson2speedscope -q --threads=1 >x
    (ulimit -v 30000; speedscope2ndjson --threads=1 x >/dev/null)
}
