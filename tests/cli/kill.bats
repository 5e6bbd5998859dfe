#!/usr/bin/env bats
# A producer that is killed, at any moment, makes what comes after it fail, and
# no file that looks whole is left.
load helpers

# Runs a producer and kills it when something has come out of it, if it is still there: `take` reads
# that much of it. What it died of goes to the file `died`.
produce_killed() {  # take command ...
    local died=0 pid
    mkfifo "$T/produced"
    "${@:2}" 3>&- >"$T/produced" &
    pid=$!
    {
        $1
        kill -KILL $pid 2>/dev/null || true
        cat
    } <"$T/produced"
    wait $pid 2>/dev/null || died=$?
    rm "$T/produced"
    echo $died >"$T/died"
}

# Runs a consumer of standard input; its status goes to $status.
consume() {  # consumer [option ...]
    status=0
    "$@" -q -o x.out 2>"$T/stderr" || status=$?
}

no_file() {
    [ ! -e x.out ] || fail "x.out stands there"
    run ! ls x.out.*
}

# The consumer failed as it must, and said only this.
failed() {  # message
    [ $status -eq 1 ] || fail "expected status 1, found $status"
    diff <(echo "$1") stderr
    no_file
}

# An input that opens at once and never ends: this test holds its other end.
hold() {
    mkfifo hold
    exec 7<>hold
}

@test "killed before its first byte" {
    hold
    for tool in ndjson2pprof profcat; do
        consume $tool < <(produce_killed 'sed -u /meta/q' rprof2ndjson hold)
        failed "$tool: <stdin>: the profile is truncated: expected its .end row, found the end of the input"
    done
}

@test "killed between two of its input files" {
    hold
    for tool in ndjson2pprof profcat; do
        # what it wrote of the first file is out when it waits for the second
        consume $tool < <(produce_killed 'sed -u /more/q' rprof2ndjson "$SAMPLES/plain.out" hold)
        failed "$tool: <stdin>: the stream is truncated: another profile was promised, found the end of the input"
    done
}

@test "killed inside the second of three files" {
    hold
    printf 'sample.interval=1000\n"of_the_second" \n' >&7
    consume ndjson2pprof < <(produce_killed 'sed -u /of_the_second/q' rprof2ndjson "$SAMPLES/plain.out" hold "$SAMPLES/lines.out")
    failed "ndjson2pprof: <stdin>: the profile is truncated: expected its .end row, found the end of the input"
}

@test "profcat in the middle passes no end on" {
    hold
    consume ndjson2pprof < <(produce_killed 'sed -u /more/q' rprof2ndjson "$SAMPLES/plain.out" hold | profcat 2>/dev/null)
    failed "ndjson2pprof: <stdin>: the profile is truncated: expected its .end row, found the end of the input"
}

@test "profcat killed while it waits" {
    hold
    rprof2ndjson "$SAMPLES/plain.out" >a
    consume ndjson2pprof < <(produce_killed 'sed -u /sample_locations/q' profcat a hold)
    failed "ndjson2pprof: <stdin>: the profile is truncated: expected its .end row, found the end of the input"
}

@test "one of two inputs is that of a killed producer" {
    hold
    rprof2ndjson "$SAMPLES/plain.out" >a
    produce_killed 'sed -u /more/q' rprof2ndjson "$SAMPLES/lines.out" hold >b
    for files in 'a b' 'b a'; do
        consume ndjson2pprof $files
        failed "ndjson2pprof: b: the stream is truncated: another profile was promised, found the end of the input"
    done
    rm a
}

@test "killed at random moments" {
    # What it writes is more than a pipe holds: it waits, or is at work, when it is killed.
    for i in {1..60}; do printf '%s\n' "$SAMPLES/plain.out" "$SAMPLES/everything.out" "$SAMPLES/odd-names.out"; done >list
    RANDOM=20240229
    size=$(rprof2ndjson -q --files-from list | tee rows | wc -c)
    ndjson2pprof -q -o whole rows
    [ $size -gt 3000000 ]
    rounds=20 killed=0
    [ -z "${PROFPIPE_LONG-}" ] || rounds=100
    for round in $(seq $rounds); do
        consume ndjson2pprof < <(produce_killed "head -c $((size / 32768 * RANDOM))" rprof2ndjson -q --files-from list)
        wait_until [ -s died ]
        if [ $status -eq 0 ]; then
            # all was written before
            same x.out whole
            rm x.out
        else
            [ "$(cat died)" -eq 137 ]
            killed=$((killed + 1))
            [ $status -eq 1 ]
            grep -qE "truncated|expected a profile, found nothing|expected a JSON object" stderr
            no_file
        fi
        rm died
    done
    echo "killed in $killed of $rounds rounds"
    [ $killed -gt $((rounds / 5)) ]
}

@test "what is promised is out before the first input can fail" {
    promise='{"table":"meta","key":"version","value":"2.0",".ends":true}'
    echo garbage >bad
    : >empty
    input_of profcat >rows
    for tool in $(grep '2ndjson$' <<<"$TOOLS" | few_lines 9) profcat profsort prof1to2 prof2to1 'profvalidate --pass'; do
        for input in missing bad empty '--files-from nowhere' '--files-from empty'; do
            case $tool/$input in rprof*/empty | folded*/empty | perf*/empty) continue ;; esac  # nothing has been sampled
            try $tool -q $input
            [ $status -eq 1 ] || [ $status -eq 3 ]
            [ "$(cat stdout)" = "$promise" ] || fail "$tool $input: $(cat stdout)"
            # others in the same stream do not hide it
            for order in 'stdout rows' 'rows stdout'; do
                status=0
                cat $order | ndjson2pprof -q -o x.out 2>stderr || status=$?
                [ $status -eq 1 ]
                grep -q 'the profile is truncated' stderr
            done
            # a file is not begun for it
            try $tool -q -o x $input
            [ ! -s stdout ]
            [ ! -e x ]
        done
        # wrong usage promises nothing
        for usage in --nope '--files-from bad rows'; do
            try $tool $usage
            [ $status -eq 2 ]
            [ ! -s stdout ]
        done
    done
    try rprof2ndjson --profile-version=1.0 missing
    [ "$(cat stdout)" = "${promise/2.0/1.0}" ]
    try rprof2ndjson --from-code=nope missing
    says 2 'rprof2ndjson: --from-code: no encoding "nope" is known'
    [ ! -s stdout ]
}

@test "a batch that fails is noticed, by xargs, in a loop and among others" {
    for i in 1 2 3 4; do input_of rprof2ndjson >$i; done
    echo garbage >3
    status=0
    ls 1 2 3 4 | xargs -n 1 rprof2ndjson 2>/dev/null | ndjson2pprof -q -o x 2>stderr || status=$?
    [ $status -eq 1 ]
    status=0
    for i in 1 2 3 4; do rprof2ndjson $i 2>/dev/null | profcat 2>/dev/null; done | ndjson2pprof -q -o x 2>stderr || status=$?
    [ $status -eq 1 ]
    status=0
    cat <(rprof2ndjson 1) <(rprof2ndjson 3 2>/dev/null) <(rprof2ndjson 2) | ndjson2pprof -q -o x 2>stderr || status=$?
    [ $status -eq 1 ]
    [ ! -e x ]
}

@test "a filter that is killed before its first row has promised" {
    mkfifo pipe
    for tool in profcat profsort prof1to2 prof2to1 'profvalidate --pass'; do
        for signal in TERM HUP XCPU; do
            listening $tool pipe >out 3>&- &
            pid=$!
            exec 7>pipe # when the tool has opened it, too
            kill -$signal $pid
            wait $pid || true
            exec 7>&-
            [ "$(cat out)" = '{"table":"meta","key":"version","value":"2.0",".ends":true}' ]
        done
    done
}

@test "a producer that fails never writes its end" {
    { cat "$SAMPLES/plain.out"; echo garbage; } >bad
    consume ndjson2pprof < <(rprof2ndjson "$SAMPLES/lines.out" bad 2>/dev/null)
    [ $status -eq 1 ]
    no_file
    # and where much of it was on its way before
    { cat "$SAMPLES/odd-names.out"; tail -n +2 "$SAMPLES/plain.out"; echo garbage; } >bad
    consume ndjson2pprof < <(rprof2ndjson bad 2>/dev/null)
    [ $status -eq 1 ]
    no_file
}

@test "ndjson2pprof killed leaves the old file, and nothing whole" {
    hold
    echo old >x.out
    ndjson2pprof -q -o x.out hold 3>&- &
    pid=$!
    rprof2ndjson "$SAMPLES/plain.out" >&7
    wait_until sh -c 'ls .profpipe.* >/dev/null 2>&1'
    kill -KILL $pid
    wait $pid || true
    [ "$(cat x.out)" = old ]
}

@test "killed by a signal that can be caught, -o leaves nothing behind" {
    for i in {1..8}; do printf '%s\n' "$SAMPLES"/{plain,everything,odd-names}.out; done >list
    rprof2ndjson -q --files-from list >in
    size=$(wc -c <in)
    mkdir d
    mkfifo pipe
    RANDOM=20240301
    rounds=8
    [ -z "${PROFPIPE_LONG-}" ] || rounds=40
    ulimit -c 0
    for signal in TERM QUIT ABRT XCPU; do
        for round in $(seq $rounds); do
            listening prof2to1 -q -o d/x pipe 3>&- &
            pid=$!
            exec 7>pipe
            # it is somewhere in the last of this, and its input goes on
            head -c $((size / 32768 * RANDOM)) in >&7
            kill -$signal $pid
            died=0
            wait $pid 2>/dev/null || died=$?
            exec 7>&-
            [ $died -eq $((128 + $(kill -l $signal))) ]
            [ -z "$(ls -A d)" ] || fail "SIG$signal: $(ls -A d)"
        done
    done
}

@test "temporary files have no name that a killed tool could leave behind" {
    need perl
    mkdir tmp
    perl -MFcntl -e 'sysopen(F, "tmp", O_RDWR | O_DIRECTORY | 020000000) or exit 1' || skip "this file system has none without"
    awk 'BEGIN { for (i = 0; i < 50000; i++) print "a;b" i " " i " " i }' >x
    touch -d 2000-01-01 tmp # what makes or removes a name there changes that
    for tool in folded2ndjson 'ndjson2folded --no-aggregate' ndjson2speedscope; do
        TMPDIR=$T/tmp $tool -q x >y
        [ "$(date -d "$(stat -c %y tmp)" +%Y)" = 2000 ]
    done
}

@test "standard output of a killed or failing ndjson2pprof has no gzip trailer" {
    rprof2ndjson "$SAMPLES"/{plain,odd-names}.out | sed '$d' >cut
    for options in '' '--no-aggregate --types=samples/count'; do
        ndjson2pprof -q $options cut >x.gz 2>/dev/null && false
        ! gunzip -t x.gz 2>/dev/null || [ ! -s x.gz ]
    done
}
