# What a tool has given up by the time that it writes: tries.c, loaded into it, tries to do it.

load helpers

setup() {
    T=$BATS_TEST_TMPDIR
    cd "$T"
    neutral
    [ -n "${PROFPIPE_TRIES-}" ] || skip "there is nothing to load: not Linux, or sanitizers"
    mkdir elsewhere
    echo content >elsewhere/there
}

# Runs a tool with $PROFPIPE_TRIES in it. Its own output goes to the file stdout.
tries() {
    mkdir -p temporary
    try env TMPDIR="$T/temporary" LD_PRELOAD="$PROFPIPE_TRIES" ELSEWHERE="$T/elsewhere" "$@"
}

# The lines that say what became of what was tried, in the order of tries.c.
calls='socket: EPERM
local socket: EPERM
trace: EPERM
look: EPERM
ring: EPERM
program: EPERM
x32: EPERM
other machine: ended'
files='write: EACCES
truncate: EACCES
make: EACCES
remove: EACCES
rename: EACCES
link: EACCES
folder: EACCES'

# Whether all that was tried has been refused; READ is what a file elsewhere may be.
all_refused() {  # read
    [ -s stderr ] || fail "nothing was tried"
    [ "$(sed -n 2,9p stderr)" = "$calls" ] || fail "$(cat stderr)"
    [ "$(head -n 1 stderr)" = 'files: guarded' ] || return 0
    [ "$(sed -n 10,17p stderr)" = "read: $1
$files" ] || fail "$(cat stderr)"
    [ "$(cat elsewhere/there)" = content ]
    [ "$(ls elsewhere)" = there ]
}

@test "no tool starts a program, opens a connection or touches a file that was not named" {
    rprof2ndjson "$SAMPLES/plain.out" >rows
    for tool in $EVERY_TOOL; do
        case $tool in
            profmodel) tries "$tool" ;;
            profsql) tries "$tool" 'SELECT * FROM top' "$SAMPLES/plain.out" ;;
            profdiff) tries "$tool" "$SAMPLES/plain.out" "$SAMPLES/lines.out" ;;
            profvalidate) tries "$tool" --pass rows ;;
            profplot) tries "$tool" "$ROOT/samples/rprof/memory.out" ;;
            *2ndjson) tries "$tool" "$("$ROOT/tests/samples" "${tool%2ndjson}" | head -n 1)" ;;
            *) tries "$tool" "$SAMPLES/plain.out" ;;
        esac
        echo "$tool: status $status"
        [ "$status" -eq 0 ]
        all_refused EACCES
    done
}

@test "nor does one with an output file, whose folder it makes it in" {
    mkdir out
    tries ndjson2pprof -o out/a.pb.gz "$SAMPLES/plain.out"
    [ "$status" -eq 0 ]
    all_refused EACCES
    profsum out/a.pb.gz >/dev/null
    tries ndjson2sqlite -o out/a.db "$SAMPLES/plain.out"
    [ "$status" -eq 0 ]
    profsum out/a.db >/dev/null
}

@test "the folder of --store may be written with --store alone" {
    mkdir .perun
    ln -s ../elsewhere .perun/objects
    tries ndjson2perun "$SAMPLES/plain.out"
    [ "$status" -eq 0 ]
    all_refused EACCES
    ndjson2perun -q --store "$SAMPLES/plain.out"
}

@test "names in a list, and source files that a profile names, may be read wherever they are" {
    echo "$SAMPLES/plain.out" >list
    tries profcat --files-from list
    all_refused done
    tries profsum --list=. --source-path="$SAMPLES" "$SAMPLES/lines.out"
    all_refused done
}

@test "an input may come to be while another is read" {
    mkfifo one
    profcat one later >rows 2>stderr &
    exec 4>one
    wait_until confined $!
    rprof2ndjson "$SAMPLES/plain.out" >later
    rprof2ndjson "$SAMPLES/lines.out" >&4
    exec 4>&-
    wait $!
    profvalidate rows
}

@test "an input that is replaced while another is awaited is read as it was" {
    rprof2ndjson "$SAMPLES/plain.out" >plain
    rprof2ndjson "$SAMPLES/lines.out" >lines
    profcat plain plain lines >expected
    for options in --threads=1 --threads=2 '--threads=1 --keep-going'; do
        cp lines later
        cp plain new
        mkfifo one
        # shellcheck disable=SC2086 # options are many
        profcat $options one plain later >rows 2>stderr &
        exec 4>one
        wait_until confined $!
        sleep 0.2 # for the rules of files, which come right after
        mv new later
        cat plain >&4
        exec 4>&-
        wait $! || fail "$(cat stderr)"
        same expected rows
        rm one
    done
}

# Whether the process has given up what it will.
confined() {  # pid
    grep -q '^NoNewPrivs:[[:space:]]*1' "/proc/$1/status"
}

@test "files are still made for what memory does not hold" {
    rprof2ndjson "$SAMPLES/plain.out" >rows
    for i in $(seq 40); do echo "$T/rows"; done >list
    tries profsort $(cat list)
    [ "$status" -eq 0 ]
    [ -z "$(ls temporary)" ]
}

@test "a database on standard input is read with its log, as one that is named" {
    need sqlite3
    rprof2ndjson "$SAMPLES/plain.out" | ndjson2sqlite -o x.db
    sqlite3 x.db 'PRAGMA journal_mode = WAL' >out
    mkfifo statements
    sqlite3 x.db <statements >done &
    exec 4>statements
    echo "UPDATE functions SET name = 'late' WHERE function_id = 1; SELECT 1;" >&4
    wait_until test -s done
    mkdir empty && cd empty
    sqlite2ndjson ../x.db >../named
    sqlite2ndjson <../x.db >../given
    exec 4>&-
    grep -q '"name":"late"' ../named
    sed 's/"source_uri":[^,]*//' ../named >../one
    sed 's/"source_uri":[^,]*//' ../given | same ../one -
}

@test "with few descriptors inputs are read as ever" {
    bash -c 'exec 3>&- 4>&-; ulimit -n 5; exec profcat "$1"' - "$SAMPLES/plain.out" >few
    profcat "$SAMPLES/plain.out" | same few -
}
