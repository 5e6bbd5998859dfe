#!/usr/bin/env bats
# The main path over the samples, read by the real `go tool pprof`.
load helpers
load pprof-helpers

total_samples() {
    go_pprof -sample_index=samples -top -nodefraction=0 -nodecount=1000000 "${1-x.pb.gz}" |
        sed -n 's/^Showing nodes accounting for .* of \([0-9]*\) total$/\1/p'
}

# The lines of a profile that end in a line feed, and are not torn by the header of
# an appended run: R died before it wrote the end of another.
whole_lines() {
    if [ -z "$(tail -c 1 "$1")" ]; then cat "$1"; else sed '$d' "$1"; fi |
        LC_ALL=C sed -E 's/^.*[^ ]((memory|GC|line) profiling: .*sample\.interval=[0-9]+)$/\1/'
}

# The samples in Rprof files, counted by awk.
count_samples() {
    local file sum=0
    for file; do
        sum=$((sum + $(whole_lines "$file" | LC_ALL=C awk -f "$BATS_TEST_DIRNAME/rprof-names.awk" | head -n 1)))
    done
    echo $sum
}

# The names in Rprof files, found by awk.
names_of() {
    local file
    for file; do
        whole_lines "$file" | LC_ALL=C awk -f "$BATS_TEST_DIRNAME/rprof-names.awk" | tail -n +2
    done | LC_ALL=C sort -u
}

# The pipeline of the README over all samples, to x.pb.gz.
pipeline() {
    local file others=()
    for file in "$SAMPLES"/*.out; do
        [ "$file" = "$SAMPLES/plain.out" ] || others+=("$file")
    done
    rprof2ndjson -q "${others[@]}" >b.ndjson
    rprof2ndjson "$SAMPLES/plain.out" | profcat - b.ndjson | ndjson2pprof -q >x.pb.gz
}

# Each line of `names` ends a line of FILE as it stands, with a space before it.
all_names_in() {  # file
    LC_ALL=C awk '
        FNR == NR { gsub(/\001/, "\n"); names[++n] = $0; next }
        { text = text "\n" $0 }
        END {
            text = text "\n"
            for (i = 1; i <= n; i++)
                if (!index(text, " " names[i] "\n")) { print "missing: \"" names[i] "\""; bad = 1 }
            exit bad
        }' names "$1"
}

@test "the count by awk is that of grep where no name holds a line feed" {
    for file in plain lines toplevel memory everything appended latin1; do
        [ "$(count_samples "$SAMPLES/$file.out")" -eq \
            "$(LC_ALL=C grep -acvE '^(memory|GC|line) profiling: |^sample\.interval=|^#File ' "$SAMPLES/$file.out")" ]
    done
    # awk finds what the scripts are known to call
    names_of "$SAMPLES/odd-names.out" >names
    grep -aqx 'fit the model' names
    grep -aqxF 'fl[["odd one"]]' names
    grep -aqx $'two\001lines' names
}

@test "the total of samples is the number of sample lines" {
    need go
    pipeline
    expected=$(count_samples "$SAMPLES"/*.out)
    echo "expected $expected"
    [ "$expected" -gt 1000 ]
    [ "$(total_samples)" -eq "$expected" ]
    # nothing to complain about on the way
    run ! grep -vE '^(File|Type|Time|Duration|Main|Showing)' pprof.err
}

@test "the total of samples, file by file, one sample a row too" {
    need go
    for file in "$SAMPLES"/*.out; do
        expected=$(count_samples "$file")
        rprof2ndjson -q "$file" >rows
        for options in '' --no-aggregate --canonical '--no-aggregate --types=samples/count'; do
            ndjson2pprof -q $options rows -o x.pb.gz
            found=$(total_samples)
            [ "$found" -eq "$expected" ] || fail "$file $options: expected $expected, found $found"
        done
    done
}

@test "every name stands verbatim in -traces" {
    need go
    pipeline
    names_of "$SAMPLES"/*.out >names
    [ "$(wc -l <names)" -gt 150 ]
    go_pprof -traces x.pb.gz >traces
    all_names_in traces
}

@test "every name stands verbatim in -top" {
    need go
    pipeline
    names_of "$SAMPLES"/*.out >names
    go_pprof -top -nodefraction=0 -nodecount=1000000 x.pb.gz >top
    all_names_in top
}

@test "every name of hand-made profiles, too" {
    need go
    for case in names line-feeds names-like-positions positions bytes; do
        input=$ROOT/tests/cases/rprof2ndjson/$case/input
        # an empty name has nothing to show; awk cannot hold NUL
        tr '\000' '.' <$input | sed 's/"" //' >in
        names_of in >names
        rprof2ndjson in | ndjson2pprof -q -o x.pb.gz
        go_pprof -traces x.pb.gz >traces
        all_names_in traces
    done
}

@test "code at top level shows as <toplevel> with its file and line" {
    need go
    rprof2ndjson "$SAMPLES/lines.out" | ndjson2pprof -q -o x.pb.gz
    go_pprof -lines -top -nodefraction=0 -nodecount=1000000 x.pb.gz >top
    position=$(grep -aoE '[0-9]+#[0-9]+ $' "$SAMPLES/lines.out" | head -n 1)
    file=$(sed -n "s/^#File ${position%%#*}: //p" "$SAMPLES/lines.out")
    line=${position#*#}
    grep -F "<toplevel> $file:${line% }" top
}

@test "File: shows the source" {
    need go
    cd "$SAMPLES"
    rprof2ndjson plain.out | ndjson2pprof -q -o "$T/x.pb.gz"
    cat plain.out | rprof2ndjson | ndjson2pprof -q -o "$T/y.pb.gz"
    cd "$T"
    go_pprof -top x.pb.gz | grep -qx 'File: plain.out'
    go_pprof -top y.pb.gz | grep -qx 'File: rprof'
}

@test "a file without samples leaves the period of the others" {
    need protoc
    ndjson2pprof --allow-empty -o none.pb.gz </dev/null
    local cpu=$ROOT/samples/pprof/go-cpu.pb.gz
    for files in "none.pb.gz $cpu" "$cpu none.pb.gz"; do
        ndjson2pprof --lossless -o all.pb.gz $files
        "$BATS_TEST_DIRNAME/show-pprof" all.pb.gz | grep -x 'period "cpu" "nanoseconds" 10000000'
    done
    # one with values and no period makes it unknown
    echo 'main;f 1' >x.folded
    run -1 --separate-stderr ndjson2pprof --lossless -o all.pb.gz x.folded "$cpu"
    [[ $stderr = *.period* ]] || fail "$stderr"
}

@test "the derived cpu time, period, duration and default type" {
    need go
    samples=$(count_samples "$SAMPLES/plain.out")
    interval=$(sed -n '1s/.*sample.interval=//p' "$SAMPLES/plain.out")
    rprof2ndjson --timestamp=1700000000 "$SAMPLES/plain.out" | ndjson2pprof -q -o x.pb.gz
    go_pprof -raw x.pb.gz >raw
    grep -qx 'PeriodType: cpu nanoseconds' raw
    grep -qx "Period: ${interval}000" raw
    grep -qx 'Time: 2023-11-14 22:13:20 +0000 UTC' raw
    grep -qx 'samples/count cpu/nanoseconds\[dflt\]' raw
    # each sample stands for its time
    awk -v ns=${interval}000 '
        /^Locations/ { exit }
        /^ +[0-9]+ +[0-9]+:/ { sub(/:/, "", $2); if ($2 != $1 * ns) bad = 1; n++ }
        END { exit bad || !n }' raw
    go_pprof -top x.pb.gz >top
    grep -qx 'Type: cpu' top
    # the duration is the sum of all samples: protoc reads its exact value below
    grep -qE '^Duration: ([0-9.]+m?s), Total samples = \1 ' top
}

@test "protoc reads the same from the file" {
    need protoc
    samples=$(count_samples "$SAMPLES/plain.out")
    interval=$(sed -n '1s/.*sample.interval=//p' "$SAMPLES/plain.out")
    rprof2ndjson "$SAMPLES/plain.out" | ndjson2pprof -q -o x.pb.gz
    "$BATS_TEST_DIRNAME/show-pprof" x.pb.gz >shown
    grep -qx "period \"cpu\" \"nanoseconds\" ${interval}000" shown
    grep -qx "duration $((samples * interval * 1000))" shown
    grep -qx 'default "cpu"' shown
    run ! grep '^time' shown
    [ "$(awk '/^sample / { sum += $2 } END { print sum }' shown)" -eq "$samples" ]
    rprof2ndjson "$SAMPLES/plain.out" | ndjson2pprof -q --no-aggregate -o x.pb.gz
    [ "$("$BATS_TEST_DIRNAME/show-pprof" x.pb.gz | grep -c '^sample 1 ')" -eq "$samples" ]
}

@test "--no-aggregate and --canonical give the default's sums" {
    need go
    pipeline
    go_top samples x.pb.gz >sums
    [ "$(wc -l <sums)" -gt 150 ]
    rprof2ndjson -q "$SAMPLES"/*.out >rows
    for options in --no-aggregate --canonical '--no-aggregate --types=samples/count,cpu/nanoseconds'; do
        ndjson2pprof -q $options rows -o y.pb.gz
        go_top samples y.pb.gz >other
        diff -a sums other
    done
}

@test "--no-aggregate writes a sample per row, in order" {
    need protoc
    rprof2ndjson -q "$SAMPLES/everything.out" "$SAMPLES/plain.out" >rows
    ndjson2pprof -q --no-aggregate rows -o x.pb.gz
    "$BATS_TEST_DIRNAME/show-pprof" x.pb.gz | grep '^sample' >shown
    [ "$(wc -l <shown)" -eq "$(grep -c '"table":"samples"' rows)" ]
    # the number of frames of each sample, in order
    awk '/"table":"samples"/ { if (n++) print d; d = 0 } /"table":"sample_locations"/ { d++ } END { print d }' rows >depths
    awk '{ print gsub(/\("[^"]*":[0-9]+\)/, "") }' shown | diff - depths
    # --types: the same samples
    types=$("$BATS_TEST_DIRNAME/show-pprof" x.pb.gz | sed -n 's/^type "\(.*\)" "\(.*\)"$/\1\/\2/p' | paste -sd,)
    ndjson2pprof -q --no-aggregate --types="$types" rows -o y.pb.gz
    diff <("$BATS_TEST_DIRNAME/show-pprof" x.pb.gz) <("$BATS_TEST_DIRNAME/show-pprof" y.pb.gz)
}

@test "--no-aggregate --types writes while it reads" {
    mkfifo pipe
    ndjson2pprof -q --no-aggregate --types=samples/count pipe >x.pb.gz 3>&- &
    exec 7>pipe
    awk 'BEGIN { print "sample.interval=1000"
        for (i = 0; i < 60000; i++) printf "\"f%d\" \"g%d\" \"main\" \n", i * 7919 % 1009, i * 31 % 97 }' |
        rprof2ndjson | sed '$d' >&7
    wait_until [ -s x.pb.gz ]
    run ! gunzip -t x.pb.gz
    printf '{"table":".end"}\n' >&7
    exec 7>&-
    wait $!
    gunzip -t x.pb.gz
}

# A CPU profile as Go 1.20 and later write it, with start lines and an inlined call, in which f is COUNT times.
cpu_of_go() {  # count
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"pprof","source_uri":"'$1'","source_timestamp":null,".value_types":[{"type":"samples","unit":"count"},{"type":"cpu","unit":"nanoseconds"}],".period":{"type":"cpu","unit":"nanoseconds","value":10000000}}' \
        '{"table":"functions","function_id":1,"name":"main.main","system_name":"main.main","filename":"main.go","start_line":3}' \
        '{"table":"functions","function_id":2,"name":"main.f","system_name":"main.f","filename":"main.go","start_line":11}' \
        '{"table":"locations","location_id":1,"function_id":1,"line":5,".address":"0x1000"}' \
        '{"table":"locations","location_id":2,"function_id":2,"line":13,".address":"0x1000",".inlined_into":1}' \
        '{"table":"samples","sample_id":1,"source_id":1}' \
        '{"table":"sample_values","sample_id":1,"type":"samples","unit":"count","value":'$1'}' \
        '{"table":"sample_values","sample_id":1,"type":"cpu","unit":"nanoseconds","value":'$1'0000000}' \
        '{"table":"sample_locations","sample_id":1,"depth":1,"location_id":2}' \
        '{"table":"sample_locations","sample_id":1,"depth":2,"location_id":1}'
}

@test "a merged profile has what go build -pgo needs" {
    need protoc
    cpu_of_go 3 >a
    cpu_of_go 4 >b
    profvalidate a b
    ndjson2pprof -o default.pgo a b
    decode default.pgo >text
    # samples/count comes first; one location with two lines, of functions that start at 3 and 11
    awk '/^sample_type/ { n++ } n == 1 && /type:|unit:/ { print $2 }' text | head -n 2 >first
    awk '/^string_table/ { print }' text >strings
    string() { sed -n "$(($1 + 1))p" strings | sed 's/^string_table: "\(.*\)"$/\1/'; }
    [ "$(string "$(sed -n 1p first)")/$(string "$(sed -n 2p first)")" = samples/count ]
    grep -E '^ *start_line: ' text | sort | tr -d ' ' | diff - <(printf 'start_line:11\nstart_line:3\n')
    [ "$(grep -c '^location' text)" -eq 1 ] && [ "$(grep -cE '^ +line [{]' text)" -eq 2 ]
    [ "$(awk '/^sample [{]/ { inside = 1 } inside && /value:/ { print $2 } /^}/ { inside = 0 }' text | tr '\n' ' ')" = '7 70000000 ' ]
}

@test "Go takes the merged profile for a build" {
    go=${PEERS-}/go/bin/go
    [ -x "$go" ] || skip 'PEERS names no folder with a Go of 1.21 or later'
    mkdir program
    printf 'package main\n\nfunc main() {\n\tfor i := 0; i < 9; i++ {\n\t\tprintln(f(i))\n\t}\n}\n\n//\n//\nfunc f(i int) int {\n\treturn i *\n\t\ti\n}\n' >program/main.go
    printf 'module program\n\ngo 1.21\n' >program/go.mod
    { cpu_of_go 3 >a; cpu_of_go 4 >b; }
    ndjson2pprof -o program/default.pgo a b
    (cd program && HOME=$T GOFLAGS=-mod=mod "$go" build -pgo=auto -gcflags=-d=pgodebug=1 . 2>../said) || fail "$(cat said)"
    grep -q hot said || fail "$(cat said)"
}
