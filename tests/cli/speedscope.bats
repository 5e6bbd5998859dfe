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
    go_pprof -sample_index="$1" -top -filefunctions -unit="$3" -nodefraction=0 -nodecount=1000000 "$2" | awk '
        body {
            name = $0
            sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", name)
            sub(/ \(inline\)$/, "", name)
            sub(/[^0-9]+$/, "", $1)
            sub(/[^0-9]+$/, "", $4)
            print $1, $4, name
        }
        $1 == "flat" { body = 1 }' | tidy_top '^\\['
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
    plain_only 'it needs memory'
    yes 'main;solve;dot product 3
main;read 12' | head -c 60000000 >x
    for options in '' --aggregate; do
        (ulimit -v 70000; ndjson2speedscope --threads=1 -q $options --files-from <(echo x) >y)
        tail -c 20 y | grep -q ']}]}'
    done
}
