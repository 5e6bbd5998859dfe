#!/usr/bin/env bats
# What goes from pprof through rows comes back as it was: judged by protoc, on
# the message itself, and by what `go tool pprof` shows.
load helpers
load pprof-helpers

# Both ways through rows, sample by sample: to y.pb.gz and, merged, to z.pb.gz.
through_rows() {  # file
    pprof2ndjson "$1" 2>warnings | tee rows | ndjson2pprof --no-aggregate -o y.pb.gz
    profcat rows | ndjson2pprof --no-aggregate -o z.pb.gz
}

# What `go tool pprof -top` shows of all functions for the value type number I,
# in an order of our own; options may follow.
top_all() {  # file i [option …]
    local file=$1 index=$2
    shift 2
    go_pprof -top -nodecount=1000000 -nodefraction=0 -edgefraction=0 -sample_index="$index" "$@" "$file" |
        grep -vE '^(File|Build ID): ' | LC_ALL=C sort
}

same_views() {  # file, others ...
    local view other
    for view in -traces -tags -comments -raw; do
        # files that are not all there, or not all read, are not the same
        go_pprof $view "$1" >one
        for other in "${@:2}"; do
            go_pprof $view "$other" >two
            diff -a one two >differences || fail "$1: $view of $other differs:" "$(head -n 20 differences)"
        done
    done
}

@test "protoc: real files come back as they were" {
    need protoc
    for file in $(real_files); do
        through_rows "$file"
        same_content "$file" y.pb.gz
        same_content "$file" z.pb.gz
        [ ! -s warnings ] || fail "$file: $(cat warnings)"
        [ "$(normal "$file" | grep -c '^sample {')" -eq "$(grep -c '"table":"samples"' rows)" ]
    done
}

@test "protoc: hand-made files come back as they were" {
    need protoc
    [ "$(good_cases | wc -l)" -ge 10 ]
    for case in $(good_cases); do
        make_pprof "$CASES/$case/input" >x.pb
        through_rows x.pb
        same_content x.pb y.pb.gz
        same_content x.pb z.pb.gz
    done
}

@test "protoc: what the fuzzers began with comes back as it was" {
    need protoc
    for file in "$ROOT"/tests/fuzz/corpus/pprof/*; do
        through_rows "$file"
        [ ! -s rows ] || ! decode "$file" >text 2>protoc.err || same_content "$file" y.pb.gz
    done
}

@test "the normal form tells files apart" {
    need protoc
    make_pprof "$CASES/everything/input" >x.pb
    normal x.pb >one
    [ "$(wc -l <one)" -gt 80 ]
    # every line of the text but strings, ids and brackets matters
    decode x.pb >text
    grep -nE '^ *[a-z_]+: ' text | grep -vE ':(string_table:|  id:)' | cut -d: -f1 >lines
    for line in $(cat lines); do
        LC_ALL=C awk -v line="$line" 'NR == line { if ($NF == "true") next; $NF = $NF == 1 ? 2 : 1 } 1' text >changed
        LC_ALL=C awk -f "$BATS_TEST_DIRNAME/pprof-normal.awk" changed changed >two
        ! cmp -s one two || fail "a change in line $line is not seen: $(sed -n "${line}p" text)"
    done
}

@test "rows of what was written are the rows that it was written from" {
    takes_long
    for file in $(real_files); do
        through_rows "$file"
        pprof2ndjson --source-uri="$file" y.pb.gz >again
        same rows again
    done
}

@test "go: -traces, -tags, -comments and -raw agree on real files" {
    need go
    for file in $(some_of 3 $(real_files)); do
        through_rows "$file"
        same_views "$file" y.pb.gz z.pb.gz
    done
}

@test "go: -traces, -tags, -comments and -raw agree on hand-made files" {
    need go protoc
    for case in $(good_cases); do
        make_pprof "$CASES/$case/input" >x.pb
        through_rows x.pb
        if go_pprof -raw x.pb >raw; then
            same_views x.pb y.pb.gz
        else  # no samples: nothing to show
            grep -q 'no samples' pprof.err
        fi
    done
}

@test "go: totals of every function and type are those of the original" {
    need go protoc
    for file in $(some_of 3 $(real_files)); do
        pprof2ndjson "$file" | ndjson2pprof -o y.pb.gz
        types_of "$file" >types
        diff types <(types_of y.pb.gz)
        for i in $(seq 0 $(($(wc -l <types) - 1))); do
            for options in '' -cum; do
                top_all "$file" "$i" $options >one
                top_all y.pb.gz "$i" $options >two
                grep -q "^Type: " one
                diff -a one two || fail "$file: type $i: -top $options differs"
            done
        done
    done
}

@test "what go refuses we refuse, with status 1" {
    need go protoc
    [ "$(bad_cases | wc -l)" -ge 40 ]
    for case in $(bad_cases); do
        make_pprof "$CASES/$case/input" >x.pb
        try pprof2ndjson x.pb
        [ "$status" -eq 1 ] || fail "$case: status $status"
        if grep -q '^# go 1.19 accepts this' "$CASES/$case/input"; then
            go_pprof -raw x.pb >raw
        else
            ! go_pprof -raw x.pb >raw || fail "$case: go accepts this"
        fi
    done
}

@test "what go reads we read, and what it refuses we refuse: damaged files" {
    need go protoc
    make_pprof "$CASES/everything/input" >whole.pb
    size=$(wc -c <whole.pb)
    # one byte set to 0 and to 255, at places all over the file
    for at in $(some_of 3 $(seq 3 29 $((size - 1)))); do
        for byte in '\000' '\377'; do
            { head -c "$at" whole.pb; printf "$byte"; tail -c "+$((at + 2))" whole.pb; } >x.pb
            try pprof2ndjson x.pb
            expected=1
            if go_pprof -raw x.pb >raw; then
                decode x.pb >text 2>protoc.err || continue  # go takes fields with the number 0
                expected=0
            fi
            [ "$status" -eq "$expected" ] ||
                fail "byte $at $byte: status $status, go's $expected:" "$(cat stderr pprof.err)"
        done
    done
}

@test "fields that nobody knows come back" {
    need protoc
    make_pprof "$CASES/unknown/input" >x.pb
    for options in --no-aggregate '' --canonical; do
        pprof2ndjson x.pb | ndjson2pprof --lossless $options -o y.pb.gz
        decode x.pb | grep -E '^ *[0-9]+: ' | LC_ALL=C sort -u >one
        decode y.pb.gz | grep -E '^ *[0-9]+: ' | LC_ALL=C sort -u >two
        diff one two
        [ "$(wc -l <one)" -ge 12 ]
    done
}

@test "a mapping that is not there is a loss" {
    need protoc
    make_pprof "$CASES/edges/input" >x.pb
    try pprof2ndjson --lossless x.pb
    says 1 'pprof2ndjson: --lossless: not in the output: 1 reference to a missing entry (location.mapping_id)'
    try pprof2ndjson -v x.pb
    says 0 'pprof2ndjson: not in the output: 1 reference to a missing entry: location.mapping_id'
}
