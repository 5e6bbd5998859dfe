#!/usr/bin/env bats
# Rows of a growing file show at once.
load helpers

now() { date +%s%N; }

# Appends a line to `growing` and waits until what grep finds stands in `rows`;
# sets $took, in milliseconds.
append_and_wait() {  # line expression
    local start
    printf '%s\n' "$1" >>growing
    start=$(now)
    until grep -q "$2" rows; do
        [ $((($(now) - start) / 1000000)) -lt 120000 ] || break
        sleep 0.002
    done
    took=$((($(now) - start) / 1000000))
}

@test "tail -f | rprof2ndjson shows a sample when its line is there" {
    echo 'sample.interval=20000' >growing
    # -s: how long tail sleeps where the system cannot tell it of changes
    mkfifo pipe
    tail -f -s 0.01 growing >pipe 3>&- &
    rprof2ndjson <pipe >rows 3>&- &
    wait_until grep -q '"table":"sources"' rows
    # a machine that has other work to do may take its time, but not each time
    least=120000
    for i in {1..10}; do
        append_and_wait "\"f$i\" \"g\" " "\"sample_locations\",\"sample_id\":$i,\"depth\":2"
        echo "sample $i took $took ms"
        [ $took -ge $least ] || least=$took
    done
    [ $least -lt 1000 ]
}

@test "a sample whose name goes on in the next line waits for that line only" {
    mkfifo pipe
    rprof2ndjson pipe >rows 3>&- &
    exec 7>pipe
    printf 'sample.interval=20000\n"a\n' >&7
    sleep 0.1
    run ! grep '"table":"samples"' rows
    printf 'b" "f" \n' >&7
    wait_until grep -q '"name":"a\\nb"' rows
    exec 7>&-
    wait
    tail -n 1 rows | grep -Fx '{"table":".end"}'
}

@test "profcat passes on what it has when its input pauses" {
    mkfifo pipe
    profcat pipe >rows 3>&- &
    exec 7>pipe
    input_of profcat | sed '$d' >&7
    # whole samples: a filter may run one sample late
    wait_until grep -q '"sample_locations","sample_id":1,"depth":2' rows
    run ! grep '"table":".end"' rows
    exec 7>&-
    wait $! || true
}

@test "rprof2ndjson waits inside a line without spinning" {
    mkfifo pipe
    rprof2ndjson pipe >rows 3>&- &
    pid=$!
    exec 7>pipe
    printf 'sample.interval=20000\n"f' >&7
    sleep 0.5
    # user and system time, in hundredths
    read -r -a stat </proc/$pid/stat || skip "no /proc here"
    [ $((stat[13] + stat[14])) -le 10 ]
    printf '" \n' >&7
    exec 7>&-
    wait $pid
    grep -q '"name":"f"' rows
}
