#!/usr/bin/env bats
# Tools that make one profile of many files read runs of these on all cores (src/feed/parts.h): bytes, messages
# and statuses are those of one thread. A run has at least 128 KiB of files, so each test repeats small ones.
load helpers

# Runs a tool with one thread and with others: output, messages and status are the same.
same_parts() {  # tool argument ...
    local tool=$1 first n
    shift
    local counts=(2 3 8)
    if [ "${PROFPIPE_SANITIZED-}" = thread ] && [ -z "${PROFPIPE_LONG-}" ]; then
        try "$tool" --threads=3 "$@"
        no_race # is all that it can find
        return
    fi
    [ -z "${PROFPIPE_QUICK-}${PROFPIPE_SANITIZED-}" ] || counts=(3)
    try "$tool" --threads=1 "$@"
    mv stdout stdout.1 && mv stderr stderr.1
    first=$status
    for n in "${counts[@]}"; do
        try "$tool" --threads="$n" "$@"
        [ "$status" -eq "$first" ] || fail "$tool --threads=$n $*: status $status, with one thread $first"
        diff -u stderr.1 stderr || fail "$tool --threads=$n $*"
        cmp stdout.1 stdout || fail "$tool --threads=$n $*"
    done
}

# Sets `list` to the files, over and over, until they have the bytes for so many runs.
repeated() {  # runs file ...
    local runs=$1 size
    shift
    size=$(cat "$@" | wc -c)
    list=()
    for ((i = 0; i * size < runs * 140000; i++)); do list+=("$@"); done
}

# Sets `some` to these, or where nothing is to take long to one of three.
set_some() {  # option ...
    mapfile -t some < <(printf '%s\n' "$@" | PROFPIPE_SANITIZED= few_lines 3)
}

@test "every format, in runs of its files" {
    local formats=0
    set_some "$ROOT"/samples/*/
    for folder in "${some[@]}"; do
        files=()
        for file in "$folder"*; do
            [ -f "$file" ] && ndjson2pprof -q -o x.pb.gz "$file" 2>/dev/null && files+=("$file")
        done
        [ ${#files[@]} -gt 0 ] || continue
        repeated 3 "${files[@]}"
        [ ${#list[@]} -le 4000 ] || list=("${list[@]:0:4000}")
        # what is quick has each of these formats with one of them
        tools=(ndjson2pprof profsum 'profagg --across-sources' 'profflame --format=svg' profgraph)
        [ -z "${PROFPIPE_QUICK-}" ] || tools=("${tools[formats % 5]}")
        for tool in "${tools[@]}"; do same_parts $tool "${list[@]}"; done
        formats=$((formats + 1))
    done
    [ "$formats" -gt $((${#some[@]} / 2)) ]
}

# Files of some formats, whose value types and losses differ, and one that is invalid.
some_files() {
    local s=$ROOT/samples
    cp "$s/pprof/go-heap.pb.gz" a.pb.gz
    cp "$s/pprof/go-cpu.pb.gz" b.pb.gz
    cp "$s/rprof/everything.out" c.out
    cp "$s/pprof/go-labels.pb.gz" d.pb.gz
    profcat -q c.out >rows
    gunzip -c a.pb.gz | head -c 5000 >cut.pb
    repeated 4 a.pb.gz b.pb.gz c.out d.pb.gz rows
    printf '%s\n' "${list[@]}" | sort >sorted
    mapfile -t sorted <sorted
}

@test "options of ndjson2pprof" {
    some_files
    set_some '' '--canonical' '-v' '-q' '--lossless' '-z0' '--types=samples' '--types=cpu/nanoseconds' \
        '--types=inuse_space,samples' '--types=none' '--label-source=file' '--no-aggregate' '--keep-addresses' \
        '--provenance' '--errors=json -v' '--timestamp=mtime' '--max-size=1M' '--expect=3'
    for options in "${some[@]}"; do
        same_parts ndjson2pprof $options "${list[@]}"
        same_parts ndjson2pprof $options "${sorted[@]}"
    done
}

@test "options of profsum" {
    some_files
    set_some '' -v '--by=file' '--by=line' '--by=source' '--by=label:thread' '--format=json' '--type=samples' \
        '--stacks' '--traces' '--all-types' '--samples'
    for options in "${some[@]}"; do
        same_parts profsum $options "${list[@]}"
        same_parts profsum $options "${sorted[@]}"
    done
}

@test "options of profflame and profgraph" {
    some_files
    cp "$ROOT"/samples/pstats/*.pstats .
    set_some --format=svg '--format=text -v' '--format=html' '--format=text --inverted' '--format=svg --lines' \
        '--format=svg --prune=0.05' '--format=text --type=samples'
    for options in "${some[@]}"; do
        same_parts profflame $options "${list[@]}" ./*.pstats
        same_parts profflame $options ./*.pstats "${sorted[@]}"
    done
    same_parts profflame --format=svg a.pb.gz -- "${list[@]}"
    set_some '' -v --by=file --focus=main --type=samples
    for options in "${some[@]}"; do
        same_parts profgraph $options "${list[@]}"
    done
}

@test "options of profagg" {
    some_files
    set_some '' -v --lossless --ignore-labels --keep-labels=thread --label-root=thread --label-leaf=source \
        --by=function --by=line --by=source --no-inlines --gauge=max --scale=samples=1e-7 --scale=alloc_space=1e-3
    for options in "${some[@]}"; do
        same_parts profagg --across-sources $options "${list[@]}"
        same_parts profagg --across-sources $options "${sorted[@]}"
    done
    same_parts profagg "${list[@]}"
}

@test "an invalid, missing or other file anywhere" {
    some_files
    mkdir folder
    : >empty
    with_input() { ndjson2pprof "$@" <c.out; }
    for bad in cut.pb missing folder empty -; do
        for at in 0 1 $((${#list[@]} / 2)) $((${#list[@]} - 1)); do
            same_parts with_input "${list[@]:0:at}" "$bad" "${list[@]:at}"
        done
    done
    # two, of which the first is reported, and what only one thread may do behind them
    same_parts ndjson2pprof "${list[@]}" cut.pb "${list[@]}" empty "${list[@]}"
    same_parts profsum "${list[@]}" empty "${list[@]}"
    same_parts profagg --across-sources "${list[@]}" cut.pb "${list[@]}"
    same_parts ndjson2pprof -k "${list[@]}" cut.pb "${list[@]}"
    same_parts ndjson2pprof --keep-going "${list[@]}" cut.pb
}

@test "inputs that a list names" {
    some_files
    printf '%s\n' "${list[@]}" >plain
    { sed 's/$/\r/' plain; echo; cat plain; } >windows
    tr '\n' '\0' <plain >nul
    { cat plain; printf 'a\0b\n'; cat plain; } >invalid
    { head -n 20 plain; echo missing; cat plain; } >lacking
    : >none
    for names in plain windows invalid lacking none 'nul --null' nul nowhere; do
        same_parts ndjson2pprof --files-from=$names
    done
    with_list() { ndjson2pprof --files-from=- <plain; }
    same_parts with_list
    # names are read before files, so they are looked at once
    same_parts ndjson2pprof -o plain --files-from=plain
    same plain <(printf '%s\n' "${list[@]}")
}

@test "columns of version rows are lost as often as they come" {
    profcat -q "$ROOT/samples/rprof/everything.out" >rows
    for x in 1 2; do sed "1s/}$/,\".x\":$x}/" rows >$x; done
    repeated 20 1 2 2 2 rows
    try ndjson2pprof --threads=3 "${list[@]}"
    # that of the first, for pprof has none, and those that differ
    count=$(printf '%s\n' "${list[@]}" | grep -cx 2)
    grep -q "$((count + 1)) values of .*(meta\.\.x)" stderr
    same_parts ndjson2pprof "${list[@]}"
}

@test "times that readers round" {
    repeated 3 "$ROOT/tests/cases/trace2ndjson/times/input"
    for tool in ndjson2pprof profsum 'profagg --across-sources'; do same_parts $tool "${list[@]}"; done
    grep -q 'fractions of values' stderr
}

@test "a value type whose units differ from run to run" {
    # each file has samples of one type in one unit, fractions among them, and the last cannot be converted
    awk 'BEGIN {
        print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
        print "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"x\",\"source_uri\":null,\"source_timestamp\":null}"
        for (i = 1; i <= 900; i++) {
            print "{\"table\":\"samples\",\"sample_id\":" i ",\"source_id\":1}"
            value = i % 5 == 0 ? -i : i % 5 == 1 ? 0 : i % 5 == 2 ? i ".5" : i
            print "{\"table\":\"sample_values\",\"sample_id\":" i ",\"type\":\"t\",\"unit\":\"seconds\",\"value\":" value "}"
        }
    }' >seconds
    for unit in milliseconds nanoseconds bytes; do sed "s/seconds/$unit/" seconds >$unit; done
    same_parts ndjson2pprof seconds seconds milliseconds milliseconds nanoseconds seconds
    same_parts ndjson2pprof nanoseconds seconds milliseconds seconds seconds nanoseconds
    same_parts ndjson2pprof seconds seconds milliseconds milliseconds nanoseconds bytes seconds
    [ "$status" -eq 1 ]
    same_parts ndjson2pprof --types=t/milliseconds seconds seconds milliseconds nanoseconds nanoseconds
    same_parts profsum seconds seconds milliseconds milliseconds nanoseconds seconds
    same_parts profagg --across-sources seconds seconds milliseconds milliseconds nanoseconds bytes seconds
}

@test "sums beyond 64 bits" {
    big() {  # value
        echo '{"table":"meta","key":"version","value":"2.0"}'
        echo '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}'
        for i in {1..1200}; do
            echo "{\"table\":\"samples\",\"sample_id\":$i,\"source_id\":1}"
            echo "{\"table\":\"sample_values\",\"sample_id\":$i,\"type\":\"t\",\"unit\":\"u\",\"value\":$1}"
        done
    }
    big 9007199254740993 >large
    big -9007199254740993 >negative
    same_parts ndjson2pprof large large large large
    [ "$status" -eq 1 ]
    same_parts ndjson2pprof large large negative negative
    says 0
    same_parts profsum large large negative large
    same_parts profagg --across-sources large large large large
    [ "$status" -eq 1 ]
    same_parts profagg --across-sources large large negative negative
}

@test "what memory and threads there are" {
    plain_only "little address space"
    some_files
    for limit in 30000 60000 80000 100000 120000 200000 400000; do
        try bash -c "ulimit -v $limit; exec ndjson2pprof -q --threads=1 \"\$@\"" sh "${list[@]}"
        first=$status
        mv stdout expected
        try bash -c "ulimit -v $limit; exec ndjson2pprof -q --threads=4 \"\$@\"" sh "${list[@]}"
        [ "$status" -eq "$first" ] || fail "$limit: status $first, with four threads $status"
        cmp stdout expected
    done
}
