#!/usr/bin/env bats
# Recordings of Java Flight Recorder, judged by the JDK.
load helpers

WORDS=$ROOT/samples/jfr/words.jfr

make() {  # name [number]
    python3 "$BATS_TEST_DIRNAME/jfr.py" "$@" >"$1.jfr"
}

@test "sums by type, thread and function, and times, are those of the JDK" {
    need jfr python3
    local name
    cp "$WORDS" words.jfr
    for name in small nine unknown chain two clock others kinds settings; do make $name; done
    for name in words small nine unknown chain two clock others kinds settings; do
        jfr2ndjson -q $name.jfr >rows
        jfr print --json --stack-depth 100000 $name.jfr >theirs
        python3 "$BATS_TEST_DIRNAME/jfr-sums.py" theirs rows || fail $name
    done
}

@test "each open, compressed or joined recording has the samples of the whole one" {
    need python3
    make small
    make open
    jfr2ndjson -q small.jfr >rows
    jfr2ndjson -q --source-uri=small.jfr open.jfr | same rows -
    gzip -k small.jfr
    jfr2ndjson -q --source-uri=small.jfr small.jfr.gz | same rows -
    jfr2ndjson -q - --source-uri=small.jfr <small.jfr | same rows -
    cat small.jfr small.jfr >joined.jfr
    [ "$(jfr2ndjson -q joined.jfr | grep -c '"samples","sample_id"')" -eq \
        $((2 * $(grep -c '"samples","sample_id"' rows))) ]
    [ "$(jfr2ndjson -q joined.jfr | grep -c '"functions"')" -eq "$(grep -c '"functions"' rows)" ]
}

@test "a recording that is cut is read up to its last whole event, or refused" {
    need python3
    make two
    make small
    local n step=1 first size
    [ -n "${PROFPIPE_LONG:-}" ] || step=17
    first=$(stat -c %s small.jfr)
    size=$(stat -c %s two.jfr)
    [ -z "${PROFPIPE_QUICK:-}" ] || step=61
    for ((n = 4; n < size; n += step)); do
        [ "$n" -ne "$first" ] || continue
        head -c "$n" two.jfr >cut.jfr
        try jfr2ndjson -q --strict cut.jfr
        [ "$status" -eq 1 ]
        try jfr2ndjson cut.jfr
        grep -q '^jfr2ndjson: cut.jfr: offset ' stderr
        if [ "$status" -eq 0 ]; then
            profvalidate -q stdout
        else # without the metadata of the first chunk there is nothing to keep
            [ "$n" -lt "$first" ]
        fi
    done
}

@test "a large chunk of a plain file takes no memory, and gives the same rows" {
    takes_long
    need python3
    make one-large 14
    jfr2ndjson -q one-large.jfr | cksum >plain
    gzip -1 -k one-large.jfr
    jfr2ndjson -q --source-uri=one-large.jfr one-large.jfr.gz | cksum | same plain -
    plain_only 'it limits memory'
    # as much as is too little for a chunk in memory
    run ! bash -c 'ulimit -v 24000; exec jfr2ndjson -q one-large.jfr.gz'
    bash -c 'ulimit -v 24000; exec jfr2ndjson -q one-large.jfr' | cksum | same plain -
}

@test "a chain of many checkpoints in a large chunk is read in blocks" {
    takes_long
    need python3
    make many-checkpoints 200000
    bash -c 'ulimit -t 8; exec jfr2ndjson -q many-checkpoints.jfr' | grep -c '"samples","sample_id"' >found
    [ "$(cat found)" -eq 1400000 ]
}

@test "what frames do not show is not kept for each that names them" {
    need python3
    make frame-notes 3000
    jfr2ndjson -q frame-notes.jfr >rows
    [ "$(grep -c '"table":"locations"' rows)" -eq 1 ]
    [ "$(grep -c '"depth":3000,"location_id":1' rows)" -eq 1 ]
    plain_only 'it limits memory'
    bash -c 'ulimit -v 100000; exec jfr2ndjson -q frame-notes.jfr' | same rows -
}

@test "the name of a method is spelled once for all events that have it as a label" {
    need python3
    make method-labels 60000
    bash -c 'ulimit -t 5; exec jfr2ndjson -q method-labels.jfr' >rows
    [ "$(grep -c '{"key":"method","str":"a.B.run"}' rows)" -eq 60000 ]
}

@test "--max-size limits what is held of a chunk" {
    need python3
    make small
    local size
    size=$(stat -c %s small.jfr)
    jfr2ndjson -q --max-size=$size small.jfr >rows
    try jfr2ndjson -q --max-size=$((size - 1)) small.jfr
    says 1 "jfr2ndjson: small.jfr: offset 0: a chunk of more than $((size - 1)) bytes (--max-size sets the limit)"
}

@test "each of many recordings is closed" {
    need python3
    make small
    yes small.jfr | head -n 100 >list
    bash -c 'ulimit -n 40; exec profcat -q --threads=1 --files-from=list' | grep -c '"samples","sample_id"' | same - <(echo 300)
}

@test "a stack may be deep, but not endless" {
    need python3
    make deep 20000
    jfr2ndjson -q deep.jfr | grep -c '"depth":20000,' >found
    [ "$(cat found)" -eq 1 ]
    make deep 1000001
    try jfr2ndjson -q deep.jfr
    [ "$status" -eq 1 ]
    grep -q 'expected at most 1000000 frames in a sample, found more' stderr
}

@test "each process is a source, with its settings once" {
    need python3
    make settings
    jfr2ndjson settings.jfr >rows 2>errors
    [ ! -s errors ]
    [ "$(grep -c '"source_type":"jfr"' rows)" -eq 2 ]
    grep '".jfr_settings"' rows | cut -d, -f 2- >found
    same found - <<'END'
"source_id":1,"event":"jdk.ExecutionSample","name":"period","setting":"10 ms"}
"source_id":1,"event":"jdk.InitialSystemProperty","name":"java.version"}
"source_id":2,"event":"jdk.ExecutionSample","name":"period","setting":"20 ms"}
"source_id":2,"event":"jdk.InitialSystemProperty","name":"java.version"}
END
    [ "$(grep '"samples","sample_id"' rows | sed 's/.*".time"://; s/,.*//' | tr '\n' ' ')" = '500 500 500 ' ]
    profvalidate -q rows
}
