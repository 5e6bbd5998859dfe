# What tests of the recipes in samples/scale share.

SCALE=$ROOT/samples/scale

# Profiles of two days, the list of their names, and what one command makes of them.
setup() {
    local day service host=0 input
    T=$BATS_TEST_TMPDIR
    cd "$T"
    neutral
    for day in 2026-11-25 2026-11-26; do
        for service in web db; do
            mkdir -p "prof/$day/$service"
            for input in go-cpu go-inline go-labels; do
                host=$((host + 1))
                cp "$ROOT/samples/pprof/$input.pb.gz" "prof/$day/$service/host$host.pb.gz"
            done
        done
    done
    list_them >list
    ndjson2pprof --canonical --provenance --files-from=list -o one.pb.gz
    LABELS='(?<day>\d{4}-[\d-]+)/(?<service>\w+)/'
    ndjson2pprof --canonical --provenance --label-from-name="$LABELS" --files-from=list -o labelled.pb.gz
    "$SCALE/plan" list parts 4
}

list_them() {
    find prof -name '*.pb.gz' ! -name '.profpipe.*' | LC_ALL=C sort
}

# Makes a tool in bin that runs a command of the shell first.
tool() {  # command
    mkdir -p bin
    # the first time: later this finds itself
    real=${real-$(command -v ndjson2pprof)}
    printf '#!/bin/sh\n%s\nexec "%s" "$@"\n' "$1" "$real" >bin/ndjson2pprof
    chmod +x bin/ndjson2pprof
}

# The same that fails with a status, or is killed, so many times; its calls go to the file `calls`.
failing() {  # status|KILL times
    local end="exit $1"
    [ "$1" != KILL ] || end='kill -KILL $$'
    tool "echo x >>'$T/calls'; [ \"\$(grep -c '' '$T/calls')\" -gt $2 ] || $end"
    : >calls
}
