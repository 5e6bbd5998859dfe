# What the tests of pprof files share. `load pprof-helpers` behind `load helpers`.

PPROFS=$ROOT/samples/pprof
CASES=$ROOT/tests/cases/pprof2ndjson
# Real files of other projects, on machines that have them.
OTHERS=$ROOT/../shared/data/pprof

# The program that `go tool pprof` runs, so that go is not begun each time; nothing where there is no go.
PPROF=$(HOME=$BATS_RUN_TMPDIR GOFLAGS=-mod=mod GOTELEMETRY=off go tool -n pprof 2>/dev/null || true)

# Only what go prints is looked at: no home, no binaries, no symbols from anywhere.
go_pprof() {
    HOME=$T PPROF_TMPDIR=$T PPROF_BINARY_PATH=$T GOFLAGS=-mod=mod GOTELEMETRY=off TZ=UTC \
        "$PPROF" "$@" 2>"$T/pprof.err"
}

# What go reckons of one value type: "flat cum name" for each function, sorted.
go_top() {  # value type, file [unit [option ...]]
    go_pprof -sample_index="$1" -top -unit="${3-}" "${@:4}" -nodefraction=0 -nodecount=1000000 "$2" | awk '
        body {
            name = $0
            sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", name)
            sub(/ \(inline\)$/, "", name)
            sub(/[^0-9]+$/, "", $1)
            sub(/[^0-9]+$/, "", $4)
            print $1, $4, name
        }
        $1 == "flat" { body = 1 }' | LC_ALL=C sort
}

make_pprof() {
    "$BATS_TEST_DIRNAME/make-pprof" "$@"
}

# The text of a file by protoc, without gzip.
decode() {  # file
    if gunzip -t "$1" 2>/dev/null; then gunzip -c "$1"; else cat "$1"; fi |
        protoc --proto_path="$ROOT/src/formats/pprof" --decode=pprof.Profile profile.proto
}

# What a file says, in a form that is equal where two files say the same.
normal() {  # file
    decode "$1" >"$T/text"
    LC_ALL=C awk -f "$BATS_TEST_DIRNAME/pprof-normal.awk" "$T/text" "$T/text"
}

same_content() {  # file file
    normal "$1" >"$T/one"
    normal "$2" >"$T/two"
    diff -a "$T/one" "$T/two" >"$T/differences" ||
        fail "$1 and $2 differ:" "$(head -n 20 "$T/differences")"
}

# Every real file there is.
real_files() {
    ls "$PPROFS"/*.gz
    [ ! -d "$OTHERS" ] || ls "$OTHERS"/*
}

# The hand-made files that are no error, and those that are, by their names.
good_cases() {
    local case
    for case in "$CASES"/*; do
        [ ! -e "$case/input" ] || [ -e "$case/status" ] || echo "${case##*/}"
    done
}

bad_cases() {
    local case
    for case in "$CASES"/bad-*; do echo "${case##*/}"; done
}

# The value types of a file, by protoc: "type/unit" a line.
types_of() {  # file
    normal "$1" | awk '
        /^sample_type {/ { inside = 1; type = unit = ""; next }
        /^}/ { if (inside) print type "/" unit; inside = 0 }
        inside { value = $2; gsub(/"/, "", value); if ($1 == "type:") type = value; else unit = value }'
}

# The sum of the integers on standard input.
sum() {
    local total=0 value
    while read -r value; do total=$((total + value)); done
    echo $total
}
