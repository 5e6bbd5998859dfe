#!/usr/bin/env bats
# The formats that pprof had before its own, judged by pprof, which reads all but those of jemalloc and of
# goroutines; and by jeprof.
load helpers

LEGACY=$ROOT/samples/legacy
# Others, from pprof's own tests, if they are here.
OTHERS=$ROOT/../shared/data/pprof-legacy

files() {
    local file
    for file in "$LEGACY"/*-debug1.txt "$LEGACY"/loop.cpu "$LEGACY"/loop.heap "$OTHERS"/*.*; do
        case $file in
            # what pprof refuses, though Go writes it, and what is no profile
            */threadcreate* | *'*'* | *.crash) ;;
            *) echo "$file" ;;
        esac
    done
}

@test "types, periods, values and addresses are those of pprof" {
    need go python3
    local file compared=0
    while read -r file; do
        go tool pprof -raw -symbolize=none "$file" >theirs 2>errors || fail "$file" "$(cat errors)"
        ndjson2pprof -q -o ours.pb.gz "$file"
        go tool pprof -raw -symbolize=none ours.pb.gz >ours 2>errors
        python3 "$BATS_TEST_DIRNAME/raw.py" theirs ours >apart
        [ "$(wc -l <apart)" -eq 1 ] || fail "$file" "$(head apart)"
        compared=$((compared + $(cat apart)))
    done < <(files)
    [ "$compared" -ge 15 ]
}

maps() {  # file
    go tool pprof -raw -symbolize=none "$1" 2>/dev/null | sed -n '/^Mappings/,$p' | sed '1d; s/ *$//; s/ *\[FN\]$//'
}

@test "addresses keep the file that they are in, where pprof looks for names" {
    need go
    [ "$(profsum -q --by=mapping --format=tsv "$LEGACY/loop.cpu" | column mapping | head -n 1)" = /opt/profpipe-build/loop ]
    ndjson2pprof -q "$LEGACY/loop.cpu" >a.pb.gz
    maps "$LEGACY/loop.cpu" >theirs
    maps a.pb.gz | diff theirs -
}

@test "names and lines of Go's comments are there, which pprof leaves out" {
    need jq
    profsum -q --by=line --type=alloc_space --format=json "$LEGACY/heap-debug1.txt" >sums
    jq -e '[.rows[] | select(.function == "main.allocate" and .line > 0)] | length > 0' sums
    # as many lines as comments name, each once
    sed -n 's/^#\t0x[0-9a-f]*\t\([^\t+]*\)+.*/\1/p' "$LEGACY/goroutine-debug1.txt" | sort -u >expected
    legacy2ndjson "$LEGACY/goroutine-debug1.txt" | jq -r 'select(.table == "functions") | .name' | sort -u | diff expected -
    # and labels, which a program has set
    [ "$(profsum -q --by=label:user --format=tsv "$LEGACY/goroutine-debug1.txt" | wc -l)" -ge 3 ]
}

@test "goroutines have the same stacks with debug=1 and 2" {
    profsum -q --format=tsv "$LEGACY/goroutine-debug2.txt" | column function total | grep '^main\.wait' >second
    profsum -q --format=tsv "$LEGACY/goroutine-debug1.txt" | column function total | grep '^main\.wait' | diff - second
    [ "$(profsum -q --by=label:state --format=tsv "$LEGACY/goroutine-debug2.txt" | column label self | grep -c .)" -ge 2 ]
}

@test "heaps of jemalloc add up to what jeprof says" {
    need jeprof jq
    local theirs ours
    for file in "$LEGACY/loop.jemalloc" "$ROOT"/../shared/data/jemalloc/jeprof.final.heap; do
        [ -e "$file" ] || continue
        theirs=$(jeprof --text --show_bytes /bin/true "$file" 2>&1 | sed -n 's/^Total: \([0-9]*\).*/\1/p')
        ours=$(profsum -q --format=json "$file" | jq '[.rows[].self] | add')
        # jeprof rounds the bytes of each stack of all threads, and not of each thread
        [ $((theirs > ours ? theirs - ours : ours - theirs)) -le $((ours / 1000 + 10)) ] || fail "$file: $theirs, $ours"
    done
}

@test "numbers of Go's memory are levels" {
    local alloc
    alloc=$(sed -n 's/^# HeapAlloc = //p' "$LEGACY/heap-debug1.txt")
    legacy2ndjson "$LEGACY/heap-debug1.txt" | grep -F "\"type\":\"HeapAlloc\",\"unit\":\"bytes\",\"value\":$alloc"
    ndjson2pprof -o x.pb.gz "$LEGACY/heap-debug1.txt" 2>errors
    grep -q 'levels such as memory in use' errors
}

@test "names for parts of paths cannot make a file large" {
    {
        printf 'heap profile: 1: 1 [1: 1] @ heapprofile\n1: 1 [1: 1] @ 0x10\nMAPPED_LIBRARIES:\na=%01000d\n' 0
        for name in b c d e f g h; do
            printf "$name=%s\n" "$(for i in 1 2 3 4 5 6 7 8; do printf "\$$(tr b-h a-g <<<$name)"; done)"
        done
        printf '00-40: $h$h$h$h\n'
    } >many
    try legacy2ndjson many
    [ "$status" -eq 1 ]
    grep -q 'bytes with the values of its names' stderr
    {
        printf 'heap profile: 1: 1 [1: 1] @ heapprofile\nMAPPED_LIBRARIES:\na=%0100000d\n' 0
        yes '00-40: $a$a$a$a$a$a$a$a$a$a' | head -n 1000
    } >long
    try legacy2ndjson long
    [ "$status" -eq 1 ]
}
