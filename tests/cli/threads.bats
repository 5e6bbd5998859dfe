#!/usr/bin/env bats
# What is read ahead and written behind on other threads changes nothing but the time that it takes.
load helpers

# Runs a command with one thread and with two: output, messages and status are the same. ThreadSanitizer looks
# for races, and takes ten times as long: the second run is all it wants.
any_threads() {  # tool argument ...
    local tool=$1
    shift
    if [ "${PROFPIPE_SANITIZED-}" = thread ] && [ -z "${PROFPIPE_LONG-}" ]; then
        try "$tool" --threads=2 "$@"
        no_race
        return
    fi
    try "$tool" --threads=1 "$@"
    mv stdout stdout.1 && mv stderr stderr.1
    local first=$status
    try "$tool" --threads=2 "$@"
    [ "$status" -eq "$first" ] || fail "$tool $*: status $first, with two threads $status"
    diff -u stderr.1 stderr
    cmp stdout.1 stdout
}

# Files of several chunks, out of gzip and plain, and what is wrong in the middle of one.
setup_file() {
    cd "$BATS_FILE_TMPDIR"
    for i in {1..60}; do cat "$SAMPLES/everything.out" "$SAMPLES/lines.out"; done >long
    gzip -1 <long >a.gz
    rprof2ndjson -q long | gzip -1 >b.gz
    cp "$SAMPLES/plain.out" c
    { gunzip -c b.gz | head -n 9000; echo '{"table":"samples"}'; gunzip -c b.gz; } | gzip -1 >wrong.gz
    for i in {1..8}; do gunzip -c b.gz; done >big
    [ "$(wc -c <big)" -gt 4000000 ]
    { head -n 40000 big; echo '{"table":"samples"}'; tail -n +40001 big; } >wrong
}

# Gives a test these files.
files() {
    ln "$BATS_FILE_TMPDIR"/* .
}

@test "equal bytes, messages and statuses" {
    files
    head -c 9000 b.gz >cut.gz
    { head -c 9000 b.gz; printf 'xxxxxxxx'; tail -c +9009 b.gz; } >damaged.gz
    { cat a.gz; printf 'more'; } >trailing.gz
    printf '\37\213' >short.gz
    printf '\37' >one
    : >empty
    mkdir folder
    # a filter, a check and a writer, by turns
    local turn=0 tools=(profcat profvalidate 'ndjson2pprof -q')
    for list in 'a.gz b.gz c' 'c a.gz c b.gz c c c a.gz a.gz a.gz a.gz a.gz a.gz a.gz a.gz a.gz a.gz a.gz c' \
        'a.gz wrong.gz b.gz' 'a.gz cut.gz b.gz' 'damaged.gz' 'trailing.gz b.gz' 'a.gz short.gz' 'a.gz one' \
        'a.gz empty b.gz' 'a.gz missing b.gz' 'missing a.gz' 'a.gz folder' \
        'big' 'big a.gz big c' 'c big missing' 'a.gz wrong big'; do
        for tool in "${tools[@]}"; do
            [ -z "${PROFPIPE_LONG-}" ] && [ "$tool" != "${tools[turn % 3]}" ] || any_threads $tool $list
        done
        turn=$((turn + 1))
    done
    any_threads profcat --keep-going cut.gz a.gz missing b.gz wrong.gz
    [ "$status" -eq 1 ]
    any_threads profcat --keep-going big wrong big
    [ "$status" -eq 1 ]
    any_threads ndjson2rprof b.gz
    any_threads profsort b.gz
    any_threads rprof2ndjson --timestamp=mtime a.gz c
    any_threads pprof2ndjson a.gz
    any_threads rprof2ndjson -v a.gz b.gz
}

@test "names from a list, and standard input among the files" {
    files
    printf '%s\n' a.gz c '' b.gz a.gz missing c >list
    any_threads profcat --files-from list
    [ "$status" -eq 3 ]
    for i in {1..40}; do printf 'c\0'; done >list
    any_threads profcat --null --files-from list
    says 0
    printf 'a.gz\nb\0.gz\nc\n' >list
    any_threads profcat --files-from list
    says 1 'profcat: list: a file name holds NUL (--null reads names ended by NUL)'
    profcat --threads=1 a.gz c b.gz >expected.ndjson
    for n in 1 2; do
        profcat --threads=$n a.gz - b.gz <c | sed 's/"source_uri":null/"source_uri":"c"/' |
            same - expected.ndjson
        mkfifo fifo
        cat c >fifo &
        profcat --threads=$n a.gz fifo b.gz | sed 's/"source_uri":"fifo"/"source_uri":"c"/' |
            same - expected.ndjson
        rm fifo
    done
}

@test "a list that grows is followed" {
    files
    mkfifo names
    profcat --threads=2 --files-from names >out &
    exec 7>names
    echo a.gz >&7
    wait_until grep -q '"table":"samples"' out
    echo b.gz >&7
    exec 7>&-
    wait $!
    profcat a.gz b.gz | same - out
}

@test "a list is read no further than without threads" {
    files
    # what is wrong behind a name is met when that has been read
    for i in {1..9}; do echo c; done | gzip >list.gz
    head -c -6 list.gz >cut.gz
    any_threads profcat --files-from cut.gz
    [ "$status" -eq 1 ]
    [ "$(grep -c '"table":"sources"' stdout)" -eq 9 ]
    # and a file is followed while names are added to it
    mkfifo fifo
    printf 'c\nfifo\n' >list
    profcat --threads=2 --files-from list >out &
    exec 7>fifo
    echo c >>list
    cat c >&7
    exec 7>&-
    wait $!
    [ "$(grep -c '"table":"sources"' out)" -eq 3 ]
}

@test "few descriptors are left to the tool" {
    files
    for i in {1..40}; do gzip -c c >$i.gz; done
    profcat --threads=1 [1-9]*.gz >expected.ndjson
    for limit in 12 14 16; do
        try bash -c "ulimit -n $limit; exec profcat --threads=2 [1-9]*.gz"
        says 0
        cmp stdout expected.ndjson
    done
}

@test "what cannot be written is said before what is wrong later" {
    [ -c /dev/full ] || skip "no /dev/full here"
    files
    for n in 1 2 2 2 2; do
        # what comes out is more than the buffers hold
        try ndjson2pprof -q --no-aggregate --types samples/count --threads=$n -o /dev/full b.gz b.gz wrong.gz
        says 3 'ndjson2pprof: cannot write /dev/full: No space left on device'
    done
    for n in 1 2; do
        try bash -c "trap '' XFSZ; ulimit -f 2; exec ndjson2pprof -q --no-aggregate --types samples/count --threads=$n -o x.gz b.gz"
        says 3 'ndjson2pprof: cannot write x.gz: File too large'
        [ ! -e x.gz ]
        # who should read has gone before anything is there to write
        rm -f gone
        run -141 bash -c "{ until [ -e gone ]; do sleep 0.01; done; cat b.gz; } |
            ndjson2pprof -q --no-aggregate --threads=$n - b.gz b.gz | { exec <&-; : >gone; }; exit \${PIPESTATUS[1]}"
    done
    [ -z "$(files_here | grep profpipe || true)" ]
}

@test "what cannot be written is said before what is left out later" {
    # values that do not pack, so that a buffer of them is written at once
    awk 'BEGIN {
        srand(1)
        print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
        print "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"x\",\"source_uri\":null,\"source_timestamp\":null}"
        for (i = 1; i <= 20000; i++) {
            printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1}\n", i
            printf "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"t\",\"unit\":\"u\",\"value\":%d%06d}\n",
                i, rand() * 1e9, rand() * 1e6
        }
    }' >good
    echo '{"table":"x"}' >bad
    for size in $(printf '%s\n' {0..800..80} | few_lines 4); do
        for n in 1 2; do
            try bash -c "trap '' XFSZ; ulimit -f $size; exec ndjson2pprof -k --no-aggregate --types t/u --threads=$n -o x.gz \
                bad good bad good bad bad good good bad good bad bad good bad"
            mv stderr said.$n
            echo "$status" >>said.$n
        done
        diff said.1 said.2
    done
}

@test "a signal leaves nothing behind" {
    files
    for signal in INT TERM; do
        for delay in 0.01 0.05 0.1; do
            for tool in profcat 'ndjson2pprof -q --no-aggregate'; do
                listening $tool --threads=2 -o x a.gz b.gz a.gz b.gz a.gz b.gz &
                sleep $delay
                kill -$signal $! 2>/dev/null || true
                wait $! || true
                files_here >left
                run grep -F .profpipe left
                [ "$status" -eq 1 ]
            done
        done
    done
}

@test "what memory there is goes to the tool, not to threads" {
    plain_only "little address space"
    files
    for limit in {4000..7000..150} 8000 10000 12000 20000; do
        try bash -c "ulimit -v $limit; exec profcat --threads=1 c a.gz"
        mv stdout expected && mv stderr expected.err
        local first=$status
        try bash -c "ulimit -v $limit; exec profcat --threads=2 c a.gz"
        [ "$status" -eq "$first" ] || fail "$limit: status $first, with two threads $status"
        cmp stdout expected
        cmp stderr expected.err
    done
    [ "$status" -eq 0 ]
}

@test "--threads wants a number from 1" {
    try profcat --threads=0
    says 2 'profcat: --threads: expected a number from 1, found "0"'
    try profcat --threads=many
    says 2 'profcat: --threads: expected a number from 1, found "many"'
}
