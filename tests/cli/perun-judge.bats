#!/usr/bin/env bats
# Perun's own code as the judge, where a folder $PEERS has its sources (as perun/, a checkout of Perun).
load helpers

SOURCES=${PEERS-}/perun
JUDGE=$BATS_TEST_DIRNAME/perun-judge.py

need_perun() {
    need python3
    [ -e "$SOURCES/perun/profile/factory.py" ] || skip 'PEERS names no folder with it'
}

# Perun's own files, on machines that have them, besides the samples; but for the layout that Perun reads no more.
files_of_perun() {
    ls "$ROOT"/samples/perun/*.perf "$ROOT"/../shared/data/perun/*.perf 2>/dev/null | grep -v global-list
}

@test "samples and models have the columns and values of Perun's data frames" {
    need_perun
    models=0
    for file in $(files_of_perun); do
        profsum -q --samples --format=ndjson "$file" >rows
        [ "$(python3 "$JUDGE" "$SOURCES" resources "$file" <rows)" = "$(wc -l <rows)" ] || fail "$file"
        profsum -q --models --format=ndjson "$file" >rows
        models=$((models + $(python3 "$JUDGE" "$SOURCES" models "$file" <rows))) || fail "$file"
    done
    [ $models -ge 4 ]
}

@test "the comparison with Perun's data frames can fail" {
    need_perun
    file=$ROOT/samples/perun/memory.perf
    profsum --samples --format=ndjson "$file" | sed 's/"resource.uid:line":12/"resource.uid:line":13/' >rows
    run ! python3 "$JUDGE" "$SOURCES" resources "$file" <rows
    profsum --samples --format=ndjson "$file" | sed 1d >rows
    run ! python3 "$JUDGE" "$SOURCES" resources "$file" <rows
}

# Stacks of Perun's text for flame graphs, which has those of kperf's shape innermost first, added up.
add_up() {
    awk '{ n = $NF; sub(/ [^ ]*$/, ""); sum[$0] += n } END { for (s in sum) print s, sum[s] }' | LC_ALL=C sort
}

@test "Perun draws the stacks of profiles from elsewhere, leaf first" {
    need_perun
    for file in "$SAMPLES"/{plain,lines,deep}.out "$ROOT"/samples/pprof/go-cpu.pb.gz "$ROOT"/samples/perf/chain.txt; do
        ndjson2perun -q "$file" >x.perf
        ndjson2folded -q "$file" | sed 's/_\[[ik]\]//g' | awk '{
            n = split(substr($0, 1, length($0) - length($NF) - 1), frame, ";")
            for (i = n; i > 0; i--) printf("%s%s", frame[i], (i > 1 ? ";" : " "))
            print $NF }' | add_up >expected
        python3 "$JUDGE" "$SOURCES" flame x.perf | add_up >found
        [ -s expected ]
        same expected found || fail "$file"
    done
}

@test "folded stacks of memory are what Perun draws of it, but for the leaf that it puts in front and its places" {
    need_perun
    for file in $(ls "$ROOT"/samples/perun/memory.perf "$ROOT"/../shared/data/perun/memory.perf 2>/dev/null); do
        python3 "$JUDGE" "$SOURCES" flame "$file" | sed 's/^[^;]*;//; s/()~[^;]*~[0-9]*//g' | add_up >expected
        ndjson2folded -q --type=alloc_size "$file" | add_up >found
        [ -s expected ]
        same expected found || fail "$file"
    done
}

@test "Perun adds the amounts of what was written up to what rows have" {
    need_perun
    for file in "$SAMPLES"/{plain,lines}.out "$ROOT"/samples/pprof/go-heap.pb.gz "$ROOT"/samples/perun/memory.perf; do
        ndjson2perun -q --cmd=x "$file" >x.perf
        total=$(python3 "$JUDGE" "$SOURCES" totals x.perf | awk '{ sum += $NF } END { printf "%d", sum }')
        [ "$total" = "$(ndjson2folded -q "$file" | awk '{ sum += $NF } END { printf "%d", sum }')" ] || fail "$file" "$total"
    done
}

@test "files that Perun itself wrote come back byte for byte, on machines that have them" {
    [ -d "$ROOT/../shared/data/perun" ] || skip 'none are here'
    for file in "$ROOT"/../shared/data/perun/*.perf; do
        case $file in
            *legacy-global-list*) ndjson2perun --lossless "$file" | tr -d ' \n' | same <(tr -d ' \n' <"$file") - ;; # of other white space
            *) ndjson2perun --lossless "$file" | same "$file" - ;;
        esac || fail "$file"
    done
}
