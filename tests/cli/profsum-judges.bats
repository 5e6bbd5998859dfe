# profsum, judged by other programs that sum Rprof files up: profvis, proftools and sprof.

load helpers

# Where all read the same: no quotes in names, no line cut by a kill, one header.
ALL_READ='plain lines memory toplevel everything'

# proftools' R/prof.R, where a folder $PEERS has its sources.
PROFTOOLS=${PEERS-}/proftools/R/prof.R

# A table that sprof's vignette prints, on machines that have it.
SPROF=$ROOT/../shared/data/sprof

# As `compare NAME`: what compare-NAME.R says of each file, with further arguments.
compare() {  # name, argument ...
    local name=$1 sample
    shift
    for sample in $ALL_READ; do
        LC_ALL=C.UTF-8 Rscript --vanilla "$BATS_TEST_DIRNAME/compare-$name.R" "$SAMPLES/$sample.out" "$@" >found
        [ ! -s found ] || fail "$sample" "$(cat found)"
    done
}

# A profsum that leaves out a row, so that a comparison must see it.
break_profsum() {
    mkdir bin
    printf '#!/bin/sh\n%s "$@" | sed 2d\n' "$(command -v profsum)" >bin/profsum
    chmod +x bin/profsum
    PATH=$PWD/bin:$PATH
}

@test "profvis shows the same times of functions and lines" {
    need_r profvis
    compare profvis "$SAMPLES"
}

@test "the comparison with profvis can fail" {
    need_r profvis
    break_profsum
    Rscript --vanilla "$BATS_TEST_DIRNAME/compare-profvis.R" "$SAMPLES/everything.out" "$SAMPLES" >found
    [ "$(cat found)" = "$(printf '%s : other names\n' self total lines)" ]
}

@test "proftools finds the same times of functions, calls and paths, GC aside" {
    need Rscript
    [ -e "$PROFTOOLS" ] || skip 'PEERS names no folder with it'
    compare proftools "$PROFTOOLS"
}

@test "the comparison with proftools can fail" {
    need Rscript
    [ -e "$PROFTOOLS" ] || skip 'PEERS names no folder with it'
    break_profsum
    Rscript --vanilla "$BATS_TEST_DIRNAME/compare-proftools.R" "$SAMPLES/plain.out" "$PROFTOOLS" >found
    [ "$(cat found)" = "$(printf '%s : other names\n' self total calls paths 'ends of paths')" ]
}

# Names, self, total and their percents, of all samples and of all totals, as sprof rounds them.
nodes_of() {  # file
    profsum --nodes --format=tsv "$1" |
        column function self self_pct total total_pct_totals |
        awk -F'\t' '{ printf "%s\t%d\t%.2f\t%d\t%.2f\n", $1, $2, $3, $4, $5 }' | LC_ALL=C sort
}

@test "nodes are those of the table that sprof's vignette prints" {
    [ -e "$SPROF/nodes-example.tsv" ] || skip 'no such table here'
    sed 1d "$SPROF/nodes-example.tsv" | LC_ALL=C sort >expected
    [ "$(wc -l <expected)" -eq 62 ]
    nodes_of "$SPROF/nodes-example.out" | same expected -
}

# sprof's rules, by awk, of stacks made so that nodes are roots, leaves, both and neither, recur, and stand alone.
@test "nodes follow sprof's rules" {
    awk 'BEGIN {
        print "sample.interval=1000"
        seed = 7
        for (i = 0; i < 522; i++) {
            seed = (seed * 1103515245 + 12345) % 2147483648
            stack = int(seed / 65536) % 50
            depth = 1 + stack * 7 % 13
            line = ""
            for (frame = depth; frame >= 1; frame--)
                line = line "\"" (frame % 5 == 0 ? "again" : frame == 1 && stack % 3 ? "main" : "f" (stack * frame) % 23) "\" "
            print line
        }
    }' >x.out
    awk -F'"' '
        NR == 1 { next }
        {
            samples++; split("", seen)
            self[$2]++; leaf[$2] = 1; root[$(NF - 1)] = 1
            for (i = 2; i < NF; i += 2) if (!($i in seen)) { seen[$i]; total[$i]++; totals++ }
        }
        END {
            for (name in total)
                printf "%s\t%d\t%.2f\t%d\t%.2f\t%s%s\n", name, self[name], 100 * self[name] / samples, total[name],
                    100 * total[name] / totals, root[name] ? "R" : "-", leaf[name] ? "L" : "-"
        }' x.out | LC_ALL=C sort >expected
    nodes_of x.out >found
    cut -f1-5 expected | same found -
    profsum --nodes --format=tsv x.out | column function is_root is_leaf |
        awk -F'\t' '{ print $1 "\t" ($2 == "true" ? "R" : "-") ($3 == "true" ? "L" : "-") }' | LC_ALL=C sort >marks
    cut -f1,6 expected | same marks -
    # all four marks are there
    [ "$(cut -f6 expected | sort -u | tr '\n' ' ')" = '-- -L R- RL ' ]
}
