#!/usr/bin/env bats
# Results of benchmarks: what profdiff says of them, judged by R.
load helpers

BENCH=$ROOT/samples/bench

# Results of COUNT benchmarks in RUNS runs: times that vary by a tenth, and allocations, often none. Some results
# are missing. What is 0 is so in all runs.
results() {  # seed runs benchmarks factor
    awk -v seed="$1" -v runs="$2" -v count="$3" -v factor="$4" '
        BEGIN {
            srand(seed)
            print "goos: linux\npkg: example.org/p"
            for (run = 1; run <= runs; run++)
                for (i = 1; i <= count; i++) {
                    noise = 0
                    for (k = 0; k < 12; k++) noise += rand()
                    time = 10 ^ (i % 7) * (1 + (noise - 6) / 10) * (i % 5 == 0 ? factor : 1)
                    if (rand() < 0.1) continue
                    printf "BenchmarkB%d-2 %d %.3f ns/op %d B/op %d allocs/op\n", i, 1 + rand() * 1000, time,
                        i % 3 * int(2 + 3 * rand()), i % 3
                }
        }'
}

# Lines of `name values of base, values of new`, of a unit, as R reads them.
both() {  # unit base new
    awk -v unit="$1" '
        FNR == 1 { side++ }
        /^Benchmark/ {
            for (i = 3; i < NF; i += 2)
                if ($(i + 1) == unit) values[side, $1] = values[side, $1] (values[side, $1] == "" ? "" : ",") $i
            names[$1]
        }
        END { for (name in names) print name, "c(" values[1, name] ")", "c(" values[2, name] ")" }' "$2" "$3"
}

@test "each benchmark has the mean, growth and p of the t test, and with --test=rank the median and p of ranks" {
    need Rscript jq
    for seed in 1 2 3; do
        results $seed 7 40 1.2 >base
        results $((seed + 10)) $((seed + 5)) 40 1 >new
        for unit in ns/op B/op; do
            profdiff --type=$unit --format=json base new >t.json
            profdiff --type=$unit --test=rank --format=json base new >rank.json
            for test in t rank; do
                jq -r '.rows[] | [(.function | sub("^example.org/p."; "")), .base, .new, .growth_pct, .p, .q] |
                    map(. // "NA") | join(" ")' $test.json | sort >$test.found
            done
            both $unit base new >values
            Rscript --vanilla - <<'R'
for (test in c("t", "rank")) {
    found <- read.table(paste0(test, ".found"), col.names = c("name", "base", "new", "growth", "p", "q"))
    values <- read.table("values", col.names = c("name", "base", "new"))
    expected <- do.call(rbind, lapply(seq_len(nrow(values)), function(i) {
        a <- eval(parse(text = values$base[i])); b <- eval(parse(text = values$new[i]))
        middle <- if (test == "t") mean else median
        p <- NA
        if (length(a) >= 3 && length(b) >= 3) {
            all <- c(a, b)
            exact <- !any(duplicated(all))
            if (test == "rank")
                # exact with equal values, too: by all ways to choose; R has it only without
                p <- if (length(unique(all)) == 1) 1
                     else if (exact) wilcox.test(b, a, exact = TRUE)$p.value
                     else {
                         r <- rank(all); k <- length(a)
                         sums <- colSums(combn(length(all), k, function(x) r[x]))
                         s <- sum(r[seq_len(k)])
                         min(1, 2 * min(mean(sums <= s + 1e-9), mean(sums >= s - 1e-9)))
                     }
            else
                p <- if (mean(a) == mean(b)) 1
                     else if (sd(a) == 0 && sd(b) == 0) 0
                     else t.test(b, a, var.equal = TRUE)$p.value
        }
        data.frame(name = values$name[i], base = middle(a), new = middle(b), p = p)
    }))
    expected$growth <- ifelse(expected$base == 0, NA, 100 * (expected$new / expected$base - 1))
    expected$q <- p.adjust(expected$p, "BH")
    both <- merge(found, expected, by = "name")
    stopifnot(nrow(both) == nrow(values), nrow(found) == nrow(values), sum(!is.na(both$p.x)) > 20)
    for (column in c("base", "new", "growth", "p", "q")) {
        x <- both[[paste0(column, ".x")]]; y <- both[[paste0(column, ".y")]]
        same <- (is.na(x) & is.na(y)) | (!is.na(x) & !is.na(y) & abs(x - y) <= 1e-7 * pmax(1e-4, abs(y)))
        same[is.na(same)] <- FALSE
        if (!all(same)) { print(both[!same, ]); stop(paste(test, column)) }
    }
}
R
        done
    done
}

@test "many runs: ranks by the normal distribution, as R has it" {
    need Rscript jq
    for limit in 51 26; do  # without equal values, and with some
        { echo 'goos: linux'; seq $limit | awk '{ print "BenchmarkA 1", ($1 * 37 % 101) (NR > 1 ? ".5" : ""), "ns/op" }'; } >base
        seq $limit | awk -v limit=$limit '{ print "BenchmarkA 1", $1 * 41 % 103 + 9 + (limit == 51 ? 0.25 : 0.5), "ns/op" }' >new
        both ns/op base new >values
        profdiff --test=rank --format=json base new | jq '.rows[0].p' >found
        Rscript --vanilla -e 'v <- readLines("values"); v <- strsplit(v, " ")[[1]]
            a <- eval(parse(text = v[2])); b <- eval(parse(text = v[3]))
            p <- wilcox.test(a, b, exact = FALSE, correct = TRUE)$p.value
            stopifnot(abs(scan("found", quiet = TRUE) / p - 1) < 1e-9)' || fail "$limit" "$(cat found)"
    done
}

# With --long 2,000 comparisons.
@test "equal benchmarks are called different at most seven times in a hundred" {
    local draws=50 most=6
    takes_long
    need jq
    [ -z "${PROFPIPE_LONG-}" ] || draws=500 most=35
    for runs in 5 10; do
        for test in t rank; do
            alarms=0
            for ((seed = 1; seed <= draws; seed++)); do
                results $seed $runs 40 1 >base
                results $((seed + 1000)) $runs 40 1 >new
                # after the correction over all rows: any row
                found=$(profdiff --test=$test --format=json base new | jq '[.rows[].q // 1] | min < 0.05')
                [ "$found" = false ] || alarms=$((alarms + 1))
            done
            echo "$runs runs, $test: $alarms of $draws comparisons of 40 benchmarks"
            # of 50 draws of 5 in a hundred, 7 or more come once in 80
            [ $alarms -le $most ]
        done
    done
}

@test "gates by unit: growth in percent, and in the unit itself" {
    try profdiff --fail-if='ns/op > 3 %' "$BENCH/quick.txt" "$BENCH/slower.txt"
    [ "$status" -eq 4 ]
    grep -q '^profdiff: --fail-if: "ns/op > 3 %": example.org/words.BenchmarkCount/size=100-2 has grown by .* % (p ' stderr
    run ! grep Fields stderr
    for gate in 'allocs/op > 0' 'B/op(Tiny) > 5 %' 'ns/op(Fields|Tiny) > 200 %'; do
        try profdiff --fail-if="$gate" "$BENCH/quick.txt" "$BENCH/slower.txt"
        says 0
    done
    sed 's/1 allocs/3 allocs/' "$BENCH/quick.txt" >more.txt
    try profdiff --fail-if='allocs/op > 1.5' "$BENCH/quick.txt" more.txt
    [ "$status" -eq 4 ]
    [ "$(cut -d' ' -f6- <stderr | sed 's/-[0-9]* / /')" = 'example.org/words.BenchmarkFields has grown by 2 allocs/op (p 0)
example.org/words.BenchmarkTiny has grown by 2 allocs/op (p 0)' ] || fail "$(cat stderr)"
    # what was 0 is there, and none of it is no difference
    sed 's/[13] allocs/0 allocs/' "$BENCH/quick.txt" >none.txt
    try profdiff --fail-if='allocs/op > 0' none.txt none.txt
    says 0
    try profdiff --fail-if='allocs/op > 5 %' none.txt "$BENCH/quick.txt"
    [ "$status" -eq 4 ]
    [ "$(grep -c 'is no longer 0 (p 0)$' stderr)" -eq 4 ]
}

@test "what levels have not is refused" {
    local wrong
    for wrong in --measure=share --normalize --per-op=3 --fail-if='cost > 3 %' --fail-if='self > 3 points' \
        --fail-if='total > 3 %'; do
        try profdiff "$wrong" "$BENCH/quick.txt" "$BENCH/slower.txt"
        [ "$status" -eq 2 ] || fail "$wrong" "$(cat stderr)"
        grep -q 'levels have no sum and no share: self in % can be judged' stderr || fail "$wrong" "$(cat stderr)"
    done
    try profdiff --fail-if='ns/op > 3 %' --fail-if='cost > 3 %' "$BENCH/quick.txt" "$BENCH/slower.txt"
    [ "$status" -eq 2 ]
    try profdiff --type=B/op --fail-if='ns/op > 3 % and significant' <(grep -m1 BenchmarkTiny "$BENCH/quick.txt") "$BENCH/slower.txt"
    says 2 'profdiff: --fail-if: "significant" needs three runs on each side, found 1 and 6'
    [ ! -s stdout ]
    try profdiff --by=label:name "$BENCH/quick.txt" "$BENCH/slower.txt"
    says 1 'profdiff: "time" is a level, which cannot be added up: some row has several values of a run'
    # several samples of one stack in a run
    try profdiff --runs=pkg "$BENCH/quick.txt" "$BENCH/slower.txt"
    says 1 'profdiff: "time" is a level, which cannot be added up: some row has several values of a run'
    try profsum --type=ns/op "$BENCH/quick.txt"
    says 1 'profsum: --type: "time" is a gauge: a level that cannot be added up'
}

@test "gates of several units in one call, judged together" {
    sed 's/1 allocs/3 allocs/' "$BENCH/slower.txt" >more
    profdiff "$BENCH/quick.txt" more >table
    try profdiff --fail-if='ns/op(100) > 3 %' --fail-if='allocs/op > 0' --fail-if='ns/op(Tiny) > 500 %' --fail-if='B/op > 3 %' \
        "$BENCH/quick.txt" more
    [ "$status" -eq 4 ]
    same stdout table
    # in the order of the gates; p is corrected for all that they judge and that varies: two rows of allocs/op (0), two of
    # ns/op (0.0064, 0.0142), Tiny, and one of B/op
    [ "$(cat stderr)" = 'profdiff: --fail-if: "ns/op(100) > 3 %": example.org/words.BenchmarkCount/size=100-2 has grown by 100.82 % (p 0.0425)
profdiff: --fail-if: "ns/op(100) > 3 %": example.org/words.BenchmarkCount/size=10000-2 has grown by 53.94 % (p 0.0256)
profdiff: --fail-if: "allocs/op > 0": example.org/words.BenchmarkFields-2 has grown by 2 allocs/op (p 0)
profdiff: --fail-if: "allocs/op > 0": example.org/words.BenchmarkTiny-2 has grown by 2 allocs/op (p 0)' ] || fail "$(cat stderr)"
    # the table is of --type, or of the first unit
    for type in MB/s B/op; do
        profdiff --type=$type "$BENCH/quick.txt" more >table
        try profdiff --type=$type --fail-if='ns/op > 500 %' --fail-if="$type > 500 %" "$BENCH/quick.txt" more
        says 0
        same stdout table
    done
    profdiff --format=json --type=allocs/op "$BENCH/quick.txt" more >table
    try profdiff --format=json --fail-if='allocs/op > 9' --fail-if='MB/s > 500 %' "$BENCH/quick.txt" more
    says 0
    same stdout table
    # each gate judges its own names, and a unit that no file has is no pass
    try profdiff --fail-if='ns/op(Nix) > 3 %' --fail-if='B/op(Tiny) > 3 %' --fail-if='allocs/op(Nix) > 9' "$BENCH/quick.txt" more
    [ "$status" -eq 4 ]
    [ "$(cat stderr)" = 'profdiff: --fail-if: "allocs/op(Nix) > 9": no name matches (--absent-ok accepts that)
profdiff: --fail-if: "ns/op(Nix) > 3 %": no name matches (--absent-ok accepts that)' ] || fail "$(cat stderr)"
    try profdiff --fail-if='ns/op > 500 %' --fail-if='x/op > 3' "$BENCH/quick.txt" more
    [ "$status" -eq 4 ]
    [ "$(cat stderr)" = 'profdiff: --fail-if: no source has values in "x/op"' ]
    # a unit of two types is of both, and TYPE/UNIT of one
    sed 's/"real_time": /"real_time": 9/' "$BENCH/words.json" >slow.json
    for gate in 'ns/op > 300 %' 'time/ns/op > 300 %'; do
        try profdiff --untested --fail-if="$gate" "$BENCH/words.json" slow.json
        [ "$status" -eq 4 ] || fail "$gate" "$(cat stderr)"
    done
    try profdiff --untested --fail-if='cpu/ns/op > 300 %' "$BENCH/words.json" slow.json
    [ "$status" -eq 0 ] || fail "$(cat stderr)"
    for gate in '/op > 3' 'ns/ > 3' 'ns/op/ > 3' '/ > 3'; do
        try profdiff --fail-if="$gate" "$BENCH/quick.txt" more
        [ "$status" -eq 2 ]
    done
    # runs that lack one of the types are left out, and no gate passes
    echo 'BenchmarkX 1 20 ns/op' >lacks
    try profdiff --fail-if='ns/op > 500 %' --fail-if='B/op > 500 %' lacks "$BENCH/quick.txt" -- "$BENCH/slower.txt"
    [ "$status" -eq 4 ]
    [ "$(cat stderr)" = 'profdiff: --fail-if: a run of base has no value of "alloc_space", and is left out: "lacks"' ] || fail "$(cat stderr)"
    # what judges nothing fails, also in a unit that is not shown
    try profdiff --fail-if='ns/op > 500 %' --fail-if='B/op(Nix) > 9' "$BENCH/quick.txt" "$BENCH/slower.txt"
    [ "$status" -eq 4 ]
    [ "$(cat stderr)" = 'profdiff: --fail-if: "B/op(Nix) > 9": no name matches (--absent-ok accepts that)' ] || fail "$(cat stderr)"
    # values that are no levels, and runs that are copies of others, which is said once
    local run
    for run in 1 2; do
        printf 'main;f %s\n' $run | folded2ndjson | sed 's/{"type":"samples","unit":"count"}/{"type":"time","unit":"ns\/op"},{"type":"x","unit":"B\/op"}/
            /sample_values/ { s/"samples","unit":"count"/"time","unit":"ns\/op"/p; s/"time","unit":"ns/"x","unit":"B/; s/}$/.25}/ }' >run$run
    done
    cp run1 copy
    try profdiff --untested --fail-if='ns/op > 99 %' --fail-if='B/op > 79 %' run1 copy -- run2
    [ "$status" -eq 4 ]
    [ "$(cat stderr)" = 'profdiff: copies count once: 1 run of base, such as "" (run 2) of "" (run 1)
profdiff: --fail-if: "ns/op > 99 %": f has grown by 100.00 %
profdiff: --fail-if: "B/op > 79 %": f has grown by 80.00 %' ] || fail "$(cat stderr)"
    try profdiff --untested --normalize --fail-if='ns/op > 1 %' --fail-if='B/op > 1 %' run2 run1
    [ "$status" -eq 0 ] || fail "$(cat stderr)"
    # too few runs are said once
    try profdiff --fail-if='ns/op > 5 %' --fail-if='B/op > 5 %' <(head -n 5 "$BENCH/quick.txt") "$BENCH/slower.txt"
    [ "$status" -eq 4 ]
    [ "$(grep -c 'not tested' stderr)" -eq 1 ] || fail "$(cat stderr)"
}

@test "a type by its name, its unit or both" {
    profdiff --type=time "$BENCH/quick.txt" "$BENCH/slower.txt" >expected
    for type in ns/op time/ns/op; do profdiff --type=$type "$BENCH/quick.txt" "$BENCH/slower.txt" | same - expected; done
    profdiff "$BENCH/quick.txt" "$BENCH/slower.txt" | same - expected
    [ "$(profdiff --type=MB/s "$BENCH/quick.txt" "$BENCH/slower.txt" | head -n 1)" = 'throughput, MB/s: 6 runs of base, 6 runs of new' ]
}

@test "a benchmark that one side lacks is new or gone, and a run without it does not count" {
    { cat "$BENCH/quick.txt"; echo 'BenchmarkGone-2 1 5 ns/op'; } >base
    { grep -v Fields "$BENCH/slower.txt"; printf 'BenchmarkNew-2 1 %s ns/op\n' 7 8 9; } >new
    profdiff --format=csv base new >x
    [ "$(grep 'Gone' x | cut -d, -f 2,3,18)" = 5,,gone ] || fail "$(cat x)"
    [ "$(grep 'New' x | cut -d, -f 2,3,18)" = ,8,new ]
    grep -q Fields x
}


# Results of benchmark X in a unit, one a run.
values() {  # unit value ...
    local unit=$1
    shift
    printf "BenchmarkX 1 %s $unit\\n" "$@"
}

@test "a table of nothing but levels says why it is empty" {
    try profsum "$ROOT/samples/bench/quick.txt"
    says 0 'profsum: nothing to add up: all values are levels, such as "operations" (profdiff compares them, and profsum --samples lists them)'
    [ "$(wc -l <stdout)" -eq 3 ]
    # where something can be added up, that is shown
    try profsum "$ROOT/samples/rprof/memory.out"
    says 0
}

@test "levels are never added up, in whatever order their stacks come" {
    local side name levels='is a level, which cannot be added up: some row has several values of a run'
    for name in a b c; do
        printf 'memory profiling: sample.interval=5000\n:10:20:30:0:"leaf" "f" "main" \n' >"${name}1.out"
        printf 'memory profiling: sample.interval=5000\n:10:20:3000:0:"leaf" "g" "main" \n' >"${name}2.out"
    done
    for side in 'a1.out b1.out c1.out a2.out b2.out c2.out' 'a1.out a2.out b1.out b2.out c1.out c2.out'; do
        try profdiff --type=nodes --label-from-name='(?<host>[abc])[12]' --runs=host $side -- $side
        says 1 "profdiff: \"nodes\" $levels"
    done
    for name in 1 2 3; do printf 'goos: linux\nBenchmarkX 1 %s ms\nBenchmarkY 1 10%s.5 ms\n' $name $name; done >x
    try profdiff --by=label:goos x x
    says 1 "profdiff: \"ms\" $levels"
    # one side adds it up, the other does not
    bench2ndjson x >level
    sed 's/,"gauge":true//g' level >plain
    try profdiff --type=ms/ms plain level
    says 1 'profdiff: "ms" is a level in some files, and not in others'
}

@test "what never varies has no change, however many runs there are" {
    values MB/op $(yes 0.7 | head -n 20) >base
    values MB/op $(yes 0.7 | head -n 10) >new
    for test in t rank; do
        try profdiff --test=$test --fail-if='MB/op > 0 %' base new
        says 0
        [ "$(profdiff --test=$test --format=json base new | jq -c '.rows[0] | [.delta, .p]')" = '[0,1]' ]
    done
}

@test "values of each size keep their digits" {
    need jq
    { values x 0.001 0.0011 0.0012; echo 'BenchmarkY 1 9e17 x'; echo 'BenchmarkZ 1 1e20 x'; } >base
    { values x 2e-20 2e-20 2e-20; echo 'BenchmarkY 1 9e17 x'; echo 'BenchmarkZ 1 1e20 x'; } >new
    [ "$(profdiff --format=json base new | jq -c '.rows[] | select(.function == "BenchmarkX") | [.base, .new]')" = '[0.0011,2e-20]' ]
    # times keep their unit
    values ms 1.5 2 2.25 >base
    values ms 1.5 2 2.5 >new
    [ "$(profdiff --format=json base new | jq -c '[.type, .unit, .rows[0].new]')" = '["ms","ms",2]' ]
    # and shown, too
    values sec/op 0.0012 0.0012 0.0012 >base
    profdiff base base | grep -qE '^0[.]0012  0[.]0012 '
}

@test "limits are what they say" {
    local limit
    values allocs/op 100 100 100 >base
    for limit in 29 57 58 113 114 115 116; do
        values allocs/op $(yes $((100 + limit)) | head -n 3) >new
        try profdiff --fail-if="allocs/op > $limit" base new
        says 0
        try profdiff --fail-if="allocs/op > $limit %" base new
        says 0
        try profdiff --fail-if="allocs/op > $((limit - 1))" base new
        [ "$status" -eq 4 ]
    done
    values ns/op 10 10 10 >base
    values ns/op 10.3 10.3 10.3 >new
    try profdiff --fail-if='ns/op > 3 %' base new
    says 0
    try profdiff --fail-if='ns/op > 2.9999 %' base new
    [ "$status" -eq 4 ]
    try profdiff --fail-if='ns/op > 300000000000' base new
    says 0
    # with ranks a gate sees the medians that the table shows, tested or not
    { values ns/op 10 10; printf 'BenchmarkZ 1 5 ns/op\n%.0s' 1 2 3; } >base
    { values ns/op 10 10 100; printf 'BenchmarkZ 1 5 ns/op\n%.0s' 1 2 3; } >new
    try profdiff --test=rank --fail-if='ns/op > 5 %' base new
    says 0
}

@test "a type in two units of one file is named by its unit" {
    { values ns/op 100 101 102; printf 'BenchmarkY 1 %s sec/op\n' 100 101 102; } >x
    for unit in ns/op sec/op; do [ "$(profdiff --type=$unit x x | head -n 1)" = "time, $unit: 3 runs of base, 3 runs of new" ]; done
    try profdiff --type=no/op x x
    says 1 'profdiff: --type: no source has the type "no/op"; there are: operations/count, time/ns/op, time/sec/op'
}

@test "a share that grew with an equal cost is marked so by ranks, too" {
    for i in 1 2 3 4 5; do
        printf 'a 1000\nb %s\nc %s\n' $((300 + i)) $((301 + 3 * i % 7)) >base$i.folded
        printf 'a 100\nb %s\nc %s\n' $((300 + (i + 2) % 5)) $((301 + 2 * i % 7)) >new$i.folded
        sed -i 's/^\(.\) /main;\1 /' base$i.folded new$i.folded
    done
    for test in t rank; do
        [ "$(profdiff --test=$test base?.folded -- new?.folded | grep -cE 'share only .*[bc]$')" -eq 2 ]
    done
}

@test "the line above the table says whether rows were tested" {
    { values B/op 0 0 0; printf 'BenchmarkY 1 %s B/op\n' 0 0 0; } >base
    profdiff base base | grep -qF 'most rows have the same value in every run of a side' || fail "$(profdiff base base)"
    values B/op 10 11 12 >new
    profdiff base new | grep -qF 'no row says how large a change would be missed' || fail "$(profdiff base new)"
    values B/op 1 2 >few
    profdiff few few | grep -qF 'with fewer than three runs on a side these differences prove nothing'
}

# Results of both sides of a benchmark, in ns/op.
encode() {  # format value ...
    printf "BenchmarkEncode/format=$1-48 1 %s ns/op\n" "${@:2}"
}

@test "figures of benchstat's documentation" {
    need jq
    { encode json 1726 1723 1707 1707 1713 1729 1736 1707 1705 1774; encode gob 3069 3075 3069 3067 3207 3064 3064 3058 3059 3062; } >old
    { encode json 1423 1416 1411 1413 1412 1426 1422 1424 1447 1425; encode gob 3075 3065 3059 3065 3060 3081 3186 3135 3087 3062; } >new
    figures() { jq -r '.rows[] | [.function // .label, (.base, .new, .growth_pct * 100, .p * 1000 | round)] | join(" ")' | sort; }
    profdiff --test=rank --format=json old new | figures >found
    printf 'BenchmarkEncode/format=%s\n' 'gob-48 3066 3070 15 446' 'json-48 1718 1423 -1720 0' | same found -
    profdiff --test=rank --format=json --by=label:name --sides=format:json,gob new | figures | same - <(echo 'Encode 1423 3070 11582 0')
    profdiff --test=rank --format=json --by=label:name --sides=format:gob,json new | figures | same - <(echo 'Encode 3070 1423 -5366 0')
}

@test "a level is compared by itself only where there is nothing else, listed or not" {
    cat >x <<'ROWS'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"x","source_uri":"x","source_timestamp":null,".value_types":[{"type":"heap","unit":"bytes","gauge":true}]}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":0}
{"table":"samples","sample_id":1,"source_id":1}
{"table":"sample_values","sample_id":1,"type":"heap","unit":"bytes","value":100}
{"table":"sample_values","sample_id":1,"type":"work","unit":"count","value":5}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
ROWS
    [ "$(profdiff --allow-equal x x | head -n 1)" = 'work: 1 run of base, 1 run of new' ]
    [ "$(profdiff --allow-equal --type=heap x x | head -n 1)" = 'heap, bytes: 1 run of base, 1 run of new' ]
    grep -v '"work"' x >y
    [ "$(profdiff --allow-equal y y | head -n 1)" = 'heap, bytes: 1 run of base, 1 run of new' ]
}
