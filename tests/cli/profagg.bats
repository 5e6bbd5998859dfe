# profagg: sums are those that others come to, however samples are added up.

load helpers
load pprof-helpers

# Samples of all formats that are read.
samples() {
    some_of 8 "$SAMPLES"/*.out "$ROOT"/samples/rprofmem/*.out "$ROOT"/samples/pprof/*.pb.gz "$ROOT"/samples/folded/*.folded \
        "$ROOT"/samples/perf/*.txt "$ROOT"/samples/speedscope/*.json
}

# Each sample of standard input on a line, in order; with -v no_values=1 without its values.
normal() {  # [-v no_values=1]
    awk "$@" -f "$BATS_TEST_DIRNAME/rows-normal.awk" | LC_ALL=C sort
}

@test "times are left out of sums, so that equal samples are one" {
    perf2ndjson -q "$ROOT/samples/perf/chain.txt" >rows
    [ "$(grep -c '".time":' rows)" -gt 80 ]
    profagg rows >sums
    run ! grep -q '".time":' sums
    sed 's/,".time":[0-9]*//' rows | profagg - | same sums -
    [ "$(profcat rows rows | grep -c '".time":')" -eq "$(($(grep -c '".time":' rows) * 2))" ]
}

@test "profsum says of sums what it says of samples" {
    for sample in $(samples); do
        profagg -q "$sample" >sums
        profvalidate -q sums
        for by in function line file mapping source; do
            profsum -q --by=$by --format=tsv "$sample" >expected
            profsum -q --by=$by --format=tsv sums | same expected -
            profagg -q --by=$by "$sample" >coarse
            profvalidate -q coarse
            profsum -q --by=$by --format=tsv coarse >x
            # a source is a frame, even of what had no stack
            if [ $by = source ]; then
                column $by self self_pct total total_pct type unit all rows_left_out <expected |
                    same - <(column $by self self_pct total total_pct type unit all rows_left_out <x)
                [ "$(column no_stack <x | sort -u)" = 0 ]
            else
                same x expected
            fi
        done
    done
}

@test "no two samples are equal, and sums of sums are the same" {
    for sample in $(samples); do
        for way in '' --by=function --by=package --by=line --by=file --by=mapping --by=source; do
            profagg -q $way "$sample" >sums
            profagg -q sums | same sums -
            normal -v no_values=1 <sums | uniq -d >found
            [ ! -s found ] || fail "$sample" "$(cat found)"
        done
    done
}

@test "runs of neighbours add up to the same" {
    for sample in $(samples); do
        profagg -q "$sample" >sums
        profagg -q --consecutive "$sample" >runs
        profvalidate -q runs
        profagg -q runs | same sums -
    done
    # so many as a program for runs finds
    rprof2ndjson "$SAMPLES/plain.out" >rows
    sed 1d "$SAMPLES/plain.out" | uniq | wc -l >expected
    profagg --consecutive rows | grep -c '"table":"samples"' | same expected -
}

# Deals the samples of ROWS into files part.1 to part.N, each with all definitions.
deal() {  # rows n seed
    awk -v n="$2" -v seed="$3" '
        BEGIN { srand(seed) }
        /^[{]"table":"samples"/ { to = 1 + int(rand() * n) }
        /^[{]"table":"sample/ { print >("part." to); next }
        { for (i = 1; i <= n; i++) print >("part." i) }' "$1"
}

@test "samples in any groups and order give the same sums" {
    for sample in "$ROOT"/samples/pprof/go-heap.pb.gz "$ROOT"/samples/pprof/go-labels.pb.gz "$SAMPLES"/everything.out \
        "$SAMPLES"/plain.out "$ROOT"/samples/perf/inlined.txt "$ROOT"/samples/speedscope/words.speedscope.json; do
        profcat -q "$sample" "$sample" >rows
        profagg -q --across-sources rows | normal >expected
        [ -s expected ]
        for seed in 1 2 3; do
            rm -f part.*
            deal rows 4 $seed
            for part in part.?; do
                profagg -q --across-sources "$part" >"sum.$part"
            done
            profcat -q sum.part.[34] sum.part.[21] | profagg -q --across-sources | normal | same expected -
            profagg -q --consecutive part.[13] | profcat -q part.2 - part.4 | profagg -q --across-sources |
                normal | same expected -
        done
    done
}

@test "pprof files of sums are those of samples" {
    need go
    for sample in "$ROOT"/samples/pprof/*.pb.gz "$SAMPLES"/plain.out "$SAMPLES"/everything.out; do
        ndjson2pprof -q --canonical "$sample" >samples.pb.gz
        profagg -q "$sample" | ndjson2pprof -q --canonical >sums.pb.gz
        same samples.pb.gz sums.pb.gz
        ndjson2pprof -q "$sample" >samples.pb.gz
        profagg -q "$sample" | ndjson2pprof -q --no-aggregate >sums.pb.gz
        for way in -raw '-top -nodecount=1000000 -nodefraction=0'; do
            go tool pprof $way samples.pb.gz 2>/dev/null | sed '/^Time:/d' >expected
            [ -s expected ]
            go tool pprof $way sums.pb.gz 2>/dev/null | sed '/^Time:/d' | same expected -
        done
    done
}

@test "awk comes to the same sums of text" {
    for sample in $(samples); do
        ndjson2folded -q --no-aggregate "$sample" >lines
        awk '{ n = $NF; sub(/ [^ ]*$/, ""); sum[$0] += n } END { for (s in sum) if (sum[s] != 0) print s, sum[s] }' \
            OFMT=%d CONVFMT=%d lines | LC_ALL=C sort >expected
        profagg -q "$sample" | ndjson2folded -q --no-aggregate |
            awk '{ n = $NF; sub(/ [^ ]*$/, ""); sum[$0] += n } END { for (s in sum) if (sum[s] != 0) print s, sum[s] }' \
                OFMT=%d CONVFMT=%d | LC_ALL=C sort | same expected -
    done
    # where lines are all that there is, each stack comes once
    printf 'f;g 3\nf 1\nf;g 4\ng;f 5\nf 1000000000000\n' >x.folded
    profagg x.folded | ndjson2folded --no-aggregate >found
    printf 'f;g 7\nf 1000000000001\ng;f 5\n' | same found -
}

@test "a run shows as soon as it has ended" {
    mkfifo pipe
    profagg --consecutive pipe >rows 3>&- &
    exec 7>pipe
    rprof2ndjson "$SAMPLES/plain.out" | head -n -2 >&7
    wait_until grep -q '"table":"samples","sample_id":2,' rows
    run ! grep '"table":".end"' rows
    exec 7>&-
    wait $! || true
}

@test "what is cut has no end, whatever has been added up" {
    rprof2ndjson "$SAMPLES/plain.out" | head -n -2 >cut
    for way in '' --consecutive --across-sources --by=function; do
        try profagg $way cut
        [ "$status" -eq 1 ]
        run ! grep '"table":".end"' stdout
    done
}

@test "scaled back sums are what they were" {
    need jq
    for sample in "$ROOT"/samples/pprof/go-heap.pb.gz "$SAMPLES"/plain.out; do
        profagg -q "$sample" >sums
        type=$(sed -n 's/^{"table":"sample_values","sample_id":1,"type":"\([^"]*\)".*/\1/p' sums | tail -n 1)
        profagg -q --scale="$type=0.0625" "$sample" >small
        run ! cmp -s small sums
        profagg -q --scale="$type=16" small | same sums -
        profagg -q --scale="$type=+16" small | same sums -
        profagg -q --scale="$type=-1" sums | profcat sums - | profagg --across-sources |
            jq -r "select(.type == \"$type\").value" | sort -u >found
        [ "$(cat found)" = 0 ]
    done
}

# What --normalize must make of the values of SUMS: "type source exact" for each, one line each.
exact() {  # sums
    awk -F'"' '
        function number(text) { sub(/^:/, "", text); sub(/[,}].*/, "", text); return text }
        /"table":"samples"/ { source = number($9) }
        /"table":"sample_values"/ { total[source, $10] += value[++n] = number($17); types[n] = $10; sources[n] = source }
        END {
            for (i = 1; i <= n; i++) {
                t = types[i]; s = sources[i]; v = value[i]
                if (total[1, t] != 0 && total[s, t] != 0) v *= total[1, t] / total[s, t]
                printf "%s %s %.6f\n", t, s, v
            }
        }' "$1"
}

@test "sources are scaled to exactly what the first one has, each value by less than one" {
    for samples in "$SAMPLES/plain.out $ROOT/samples/pprof/go-cpu.pb.gz $SAMPLES/lines.out" \
        "$ROOT/samples/pprof/go-cpu.pb.gz $SAMPLES/deep.out" "$ROOT/samples/pprof/go-heap.pb.gz $ROOT/samples/pprof/go-heap.pb.gz" \
        "$ROOT/samples/pprof/go-labels.pb.gz $ROOT/samples/pprof/go-inline.pb.gz $ROOT/samples/pprof/cpp-cpu.pb.gz"; do
        profagg -q $samples >sums
        profagg -q --normalize $samples >scaled
        profvalidate scaled
        # the same rows but for values
        diff <(sed 's/"value":[-0-9]*}//' sums) <(sed 's/"value":[-0-9]*}//' scaled)
        exact sums >expected
        sed -n '/"sample_values"/s/.*"value":\([-0-9]*\)}$/\1/p' scaled >values
        [ "$(wc -l <values)" -eq "$(wc -l <expected)" ]
        paste -d ' ' expected values | awk '
            $4 - $3 >= 1 || $3 - $4 >= 1 { print "off:", $0; exit 1 }
            { total[$1 " " $2] += $4; first[$1 " " $2] = $1 " 1" }
            END {
                for (one in total)
                    if (total[first[one]] != 0 && total[one] != total[first[one]]) { print one, total[one]; exit 1 }
            }'
        # what has been scaled needs no more of it
        profagg -q --normalize scaled | same scaled -
    done
}

# What pprof says of a file with its flags, and of what profagg made of it.
same_top() {  # type, file, unit, flags of pprof, options of profagg
    go_top "$1" "$2" "$3" $4 >theirs
    profagg -q $5 "$2" >made
    profvalidate -q made
    ndjson2pprof -q -o made.pb.gz made
    go_top "$1" made.pb.gz "$3" >ours
    [ -s theirs ] || fail "$2 $4" "pprof shows nothing"
}

@test "-tagroot and --label-root, -tagleaf and --label-leaf do the same" {
    need go
    for keys in user request user,request request,user; do
        for at in root leaf; do
            same_top cpu "$PPROFS/go-labels.pb.gz" ns "-tag$at=$keys" "--label-$at=$keys"
            same theirs ours
        done
    done
    same_top cpu "$PPROFS/go-labels.pb.gz" ns '-tagroot=user -tagleaf=request' '--label-root=user --label-leaf=request'
    same theirs ours
    # a number has no space before its unit there
    for at in root leaf; do
        same_top inuse_space "$PPROFS/go-heap.pb.gz" B -tag$at=bytes --label-$at=bytes
        [ "$(wc -l <theirs)" -gt 20 ]
        cut -d ' ' -f 1,2 theirs | same - <(cut -d ' ' -f 1,2 ours)
    done
}

@test "-noinlines and --no-inlines do the same" {
    need go
    for sample in "$PPROFS"/go-*.pb.gz; do
        case $sample in
            *heap*) type=inuse_space unit=B ;;
            *)      type=cpu unit=ns ;;
        esac
        for granularity in functions filefunctions lines addresses; do
            go_top $type "$sample" $unit -$granularity -noinlines >theirs
            profagg -q --no-inlines "$sample" | ndjson2pprof -q -o made.pb.gz
            go_top $type made.pb.gz $unit -$granularity | same theirs -
        done
    done
}
