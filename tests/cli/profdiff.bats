# profdiff: two sides, what R and pprof say of the same, and gates.

load helpers

# Folded stacks of COUNT runs, PREFIX-1 to PREFIX-COUNT, the same for the same seed: eight functions whose costs
# spread more than counting would, below two callers; "work" costs FACTOR times as much.
runs() {  # prefix count seed factor
    awk -v prefix="$1" -v count="$2" -v seed="$3" -v factor="$4" '
    # a generator of its own: each awk has another
    function random() { state = (state * 16807) % 2147483647; return state / 2147483647 }
    function spread(by, i, sum) { for (i = 0; i < 12; i++) sum += random(); return 1 + by * (sum - 6) }
    function line(stack, n) { if (n > 0) print stack " " int(n) >file }
    BEGIN {
        state = seed * 7919 + 17
        for (run = 1; run <= count; run++) {
            file = prefix "-" run
            machine = spread(0.1)
            line("main", 150 * machine * spread(0.1))
            line("main;solve;work", 1600 * factor * machine * spread(0.03))
            line("main;solve;dot", 900 * machine * spread(0.05))
            line("main;solve;dot;work", 200 * factor * machine * spread(0.03))
            line("main;load;parse", 4000 * machine * spread(0.04))
            line("main;load;parse;parse", 300 * machine * spread(0.08))
            line("main;load;read", 700 * machine * spread(0.07))
            line("main;load;open", 60 * machine * spread(0.2))
            line("main;load;close", 3 * machine * spread(0.3))
            if (run % 2) line("main;seldom", 20)
            close(file)
        }
    }'
}

# A cell of the table in the file stdout, tsv: of the row of the function NAME and the column COLUMN.
cell() {  # name column
    column function "$2" <stdout | awk -F'\t' -v name="$1" 'NF == 1 || $1 == name { print $NF }'
}

# What each row of that table says of whole runs.
whole() {  # column
    column "$1" <stdout | sort -u
}

# --- sides ---

@test "two files are the sides, more have -- between, which ends no options" {
    runs a 3 1 1
    runs b 3 2 1
    profdiff a-1 b-1 >two
    profdiff a-1 -- b-1 | same - two
    profdiff -o ./out --sort=total a-1 -- b-1 --measure=cost
    profdiff --sort=total --measure=cost a-1 b-1 | same - out
    mv a-1 ./-x
    profdiff ./-x -- b-1 | same - two
    profdiff -- b-1 ./-x || true  # nothing in front
    try profdiff -- b-1 ./-x
    says 2 'profdiff: expected files on both sides of --, found none in front of it'
}

@test "operands that have no two sides are wrong" {
    printf 'a 1\n' >a
    try profdiff
    says 2 'profdiff: expected two files, or base files, -- and new files, found 0 operands and no --'
    try profdiff a
    says 2 'profdiff: expected two files, or base files, -- and new files, found 1 operand and no --'
    try profdiff a a a
    says 2 'profdiff: expected two files, or base files, -- and new files, found 3 operands and no --'
    try profdiff a a --
    says 2 'profdiff: expected files on both sides of --, found none behind it'
    try profdiff a -- a -- a
    says 2 'profdiff: expected -- once, between the two sides'
    try profdiff - -- a -
    says 2 'profdiff: expected standard input on one side only, found it on both'
    try profdiff --files-from=a
    says 2 'profdiff: --files-from knows no sides (--base-from and --new-from read the names of each)'
    try profdiff a --output --
    says 2 'profdiff: expected two files, or base files, -- and new files, found 1 operand and no --'
}

@test "lists name the files of a side, or of both" {
    runs a 3 1 1
    runs b 4 2 1.2
    profdiff -q --format=tsv a-* -- b-* >table
    [ "$(wc -l <table)" -gt 5 ]
    printf 'a-1\na-2\r\n\na-3' >base
    gzip -c base >base.gz
    printf '%s\n' b-* >new
    profdiff -q --format=tsv --base-from=base --new-from=new | same - table
    profdiff -q --format=tsv --base-from=base b-* | same - table
    profdiff -q --format=tsv --new-from=new a-* | same - table
    profdiff -q --format=tsv --base-from=base.gz --new-from=- <new | same - table
    printf '%s\0' b-* | profdiff -q --format=tsv --null --base-from=<(printf 'a-%d\0' 1 2 3) --new-from=- | same - table
    # standard input in a list, and checks of all inputs
    sed 's/b-2/-/' new >dash
    profdiff -q --format=tsv --base-from=base --new-from=dash <b-2 | same - table
    profdiff -q --base-from=base --new-from=new --expect=7 >/dev/null
    try profdiff -q --base-from=base --new-from=new --expect=6
    says 4 'profdiff: --expect: expected 6 sources, found 7'
    # what is left out keeps the side of the others
    { echo a-1; echo missing; echo a-2; echo a-3; } >more
    try profdiff -k --format=tsv --base-from=more --new-from=new
    [ "$status" -eq 1 ]
    same stdout table
    # a flame graph of two sides
    profflame -q --format=text --width=60 --base-from=base --new-from=new >picture
    profflame -q --format=text --width=60 a-* -- b-* | same - picture
}

@test "a list may have -- before or after the files of the other side" {
    printf 'main;a 1\n' >a
    printf 'main;a 2\n' >b
    cp a ./-x
    echo a >base
    echo b >new
    profdiff -q a b >table
    profdiff -q --base-from=base -- b | same - table
    profdiff -q --new-from=new a -- | same - table
    profflame -q --format=text --width=60 a -- b >picture
    profflame -q --format=text --width=60 --new-from=new -- -x >found
    [ "$(wc -l <found)" -eq "$(wc -l <picture)" ]
    profflame -q --format=text --width=60 --colors=diff --base-from=base --new-from=new | same - picture
    profpipe convert -q --base-from=base b out.svg
    grep -q '</svg>' out.svg
}

@test "lists of sides that say too little or too much" {
    printf 'a 1\n' >a
    printf 'a 2\n' >b
    echo a >base
    echo b >new
    : >empty
    try profdiff --base-from=base
    says 2 'profdiff: --base-from: expected files of new, too, found none'
    try profflame --new-from=new
    says 2 'profflame: --new-from: expected files of base, too, found none'
    try profdiff --base-from=base --new-from=new a
    says 2 'profdiff: both sides are lists: expected no other file, found "a"'
    try profdiff --base-from=base a -- b
    says 2 'profdiff: expected files of new only, as --base-from names the others, found -- between'
    try profdiff --new-from=new --files-from=base
    says 2 'profdiff: --files-from cannot be used with --new-from'
    try profdiff --new-from=new --sides=day:a,b a
    says 2 'profdiff: --new-from cannot be used with --sides'
    try profdiff --base-from=- --new-from=-
    says 2 'profdiff: expected standard input on one side only, found it on both'
    try profdiff --null a b
    says 2 'profdiff: --null needs --base-from or --new-from'
    # no list is read for what needs none
    try profdiff --columns --base-from=missing b
    says 2 'profdiff: --columns reads no files, found "missing"'
    try profdiff --base-from=empty --new-from=new
    says 1 'profdiff: empty: expected names of files, found none'
    try profdiff --base-from=- --new-from=new <empty
    says 1 'profdiff: <stdin>: expected names of files, found none'
    try profdiff --base-from=missing b
    says 3 'profdiff: cannot open missing: No such file or directory'
    { cat base; echo ./a; } >twice
    try profdiff --base-from=twice --new-from=new
    says 2 'profdiff: ./a is named twice in base (--allow-equal counts it as one run)'
    try profdiff --base-from=base b b
    says 2 'profdiff: b is named twice in new (--allow-equal counts it as one run)'
    mkdir d
    try profdiff d b
    says 3 'profdiff: d is a folder: name its files, such as d/*, or all below it: find d -type f | profdiff --base-from=- (or --new-from=-)'
}

@test "a list of names is not written over" {
    printf 'a 1\n' >a
    printf 'a 2\n' >b
    echo a >base
    echo b >new
    for list in base new; do
        try profdiff -o $list --base-from=base --new-from=new
        says 2 "profdiff: $list is input and output at once"
    done
    try profdiff -o b --base-from=base --new-from=new
    says 2 'profdiff: b is input and output at once'
    try profdiff -o base --base-from=- b <base
    says 2 'profdiff: <stdin> is input and output at once'
    try profdiff --manifest=new -o out --new-from=- a <new
    says 2 'profdiff: <stdin> is input and output at once'
    status=0
    profdiff --base-from=- b <base >>base 2>stderr || status=$?
    [ "$status" -eq 2 ]
    try profsum -o base --expect-from=- a <base
    says 2 'profsum: <stdin> is input and output at once'
    # also where the output was there before
    echo x >out
    try profsum --manifest=base -o out --files-from=base
    says 2 'profsum: base is input and output at once'
    [ "$(cat base new a b out)" = $'a\nb\na 1\na 2\nx' ]
}

@test "standard input is one side, and any format is the same profile" {
    runs a 3 1 1
    runs b 3 2 1.2
    profdiff -q --format=tsv a-* -- b-1 b-2 b-3 >expected
    for file in a-1 a-2 a-3; do folded2ndjson $file >$file.rows; done
    ndjson2pprof -q b-2 >b.pb.gz
    profcat a-1.rows a-2.rows | profdiff -q --format=tsv - a-3 -- b-1 b-2 b-3 | same - expected
    profdiff -q --format=tsv a-*.rows -- b-1 b.pb.gz - <b-3 | same - expected
    # each source is a run, whatever file it stands in
    profcat b-1 b-2 b-3 >b
    profdiff -q --format=tsv a-1 a-2 a-3 -- b | same - expected
}

@test "options that do not go together" {
    printf 'a 1\n' >a
    try profdiff --by=source a a
    says 2 'profdiff: --by=source: no source is in both base and new'
    try profdiff --measure=time a a
    says 2 'profdiff: --measure: expected share or cost, found "time"'
    try profdiff --per-op=0 a a
    says 2 'profdiff: --per-op: expected a number of operations, found "0"'
    try profdiff --rows --by=line a a
    says 2 'profdiff: --by cannot be used with --rows'
    try profdiff --rows -n 3 a a
    says 2 'profdiff: -n cannot be used with --rows'
    try profdiff --normalize --fail-if='cost > 1 %' a a
    says 2 'profdiff: --fail-if: with --normalize both sides cost the same'
    for wrong in '' self 'self > x %' 'self > 5' 'cost > 5 points' 'self > 5 % significant' 'self > 5 % and' \
        'self > 101 points' 'selfish > 5 %' 'self(a > 5 %' 'self > 5 % and significant!'; do
        try profdiff --fail-if="$wrong" a a
        says 2 "profdiff: --fail-if: expected self, total, cost or a unit such as ns/op, perhaps (RE), >, a number of % or points, and perhaps \"and significant\", found \"$wrong\""
    done
}

# --- statistics ---

@test "R's limma, pt and p.adjust say the same" {
    need_r limma
    for seed in 1 2; do
        runs a 5 $seed 1
        runs b 4 $((seed + 100)) 1.1
        for how in 'self share' 'total share' 'self cost' 'total cost'; do
            LC_ALL=C Rscript --vanilla "$BATS_TEST_DIRNAME/compare-limma.R" $how a-* -- b-* >found
            [ ! -s found ] || fail "$seed $how" "$(cat found)"
        done
    done
    # and the comparison can fail
    mkdir bin
    printf '#!/bin/sh\n%s --min-share=1 "$@"\n' "$(command -v profdiff)" >bin/profdiff
    chmod +x bin/profdiff
    PATH=$PWD/bin:$PATH LC_ALL=C Rscript --vanilla "$BATS_TEST_DIRNAME/compare-limma.R" self share a-* -- b-* >found
    [ -s found ]
}

@test "the cost of what is in all samples is tested as that of whole runs is, and so is what has half of them" {
    runs a 5 1 1
    runs b 4 2 1.1
    profdiff --format=tsv --sort=total --measure=cost a-* -- b-* >stdout
    for column in p low high; do
        [ -n "$(cell main $column)" ] && [ "$(cell main $column)" = "$(whole all_$column)" ] || fail "$column"
    done
    [ "$(cell main base) $(cell main new)" = "$(whole all) $(whole all_new)" ]
    [ "$(cell main df)" = 7 ]
    [ "$(cell load df)" = 7 ]
    awk -v solve="$(cell solve df)" 'BEGIN { exit !(solve > 7) }'
}

# Of COUNT draws of five equal runs against five: how often p is below 0.05, and how often something is flagged
# after Holm; and how often a function that costs an eighth more is found, in 200.
draws() {  # count base-files -- new-files; name of the slower function in $slower
    awk -v seed=7 -v slower="$slower" -v count="$1" '
    function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
    function pick(list, n, k, i, j, t, s) {
        for (i = 1; i <= k; i++) { j = i + int(random() * (n - i + 1)); t = list[i]; list[i] = list[j]; list[j] = t; s = s " " list[i] }
        return s
    }
    function judge(files, command, low, tested, flagged, found, at, f, i, line) {
        command = "profdiff -q --format=tsv " files; low = tested = flagged = found = 0
        while ((command | getline line) > 0) {
            split(line, f, "\t")
            if (f[1] == "function") { for (i in f) at[f[i]] = i; continue }
            if (f[at["p"]] == "") continue
            tested++; low += f[at["p"]] < 0.05; flagged += f[at["holm"]] < 0.05
            found += f[1] == slower && f[at["holm"]] < 0.05
        }
        close(command)
        all_tested += tested; all_low += low; any_flagged += flagged > 0; any_found += found > 0
    }
    BEGIN {
        for (i = 1; i < ARGC; i++) if (ARGV[i] == "--") side = 1; else if (side) new[++m] = ARGV[i]; else base[++n] = ARGV[i]
        for (i = 0; i < count; i++) { s = pick(base, n, 10); split(s, f, " "); judge(f[1] " " f[2] " " f[3] " " f[4] " " f[5] " -- " f[6] " " f[7] " " f[8] " " f[9] " " f[10]) }
        printf "%.4f %.4f ", all_low / all_tested, any_flagged / count
        any_found = 0
        for (i = 0; i < 200; i++) judge(pick(base, n, 5) " -- " pick(new, m, 5))
        printf "%.3f\n", any_found / 200
        exit
    }' "${@:2}"
}

@test "equal runs are rarely told apart, and an eighth is found: real runs" {
    [ -n "${PROFPIPE_COMPARE-}" ] || skip "PROFPIPE_COMPARE names no folder of runs"
    slower=matmul draws 2000 "$PROFPIPE_COMPARE"/same-*.folded -- "$PROFPIPE_COMPARE"/slower-*.folded >found
    echo "# p below 0.05, flagged, found: $(cat found)" >&3
    awk '{ exit !($1 >= 0.04 && $1 <= 0.065 && $2 <= 0.07 && $3 >= 0.35) }' found || fail "$(cat found)"
}

@test "equal runs are rarely told apart, and an eighth is found: made runs" {
    takes_long
    plain_only "too slow"
    runs a 30 1 1
    runs b 20 2 1.125
    slower=work draws $([ -n "${PROFPIPE_LONG-}" ] && echo 2000 || echo 500) a-* -- b-* >found
    echo "# p below 0.05, flagged, found: $(cat found)" >&3
    awk '{ exit !($1 >= 0.03 && $1 <= 0.075 && $2 <= 0.1 && $3 >= 0.7) }' found || fail "$(cat found)"
}

@test "what one sample stands for changes the dispersion alone" {
    need jq
    runs a 3 1 1
    runs b 3 2 1.2
    profdiff -q --format=json a-* -- b-? | jq -c '.rows |= map(del(.dispersion))' >expected
    for file in a-? b-?; do
        folded2ndjson $file | sed '/"table":"sources"/s/}$/,".period":{"type":"samples","unit":"count","value":20}}/' >$file.rows
    done
    profdiff -q --format=json a-*.rows -- b-*.rows >found
    jq -r '.rows[0].dispersion' found >ours
    profdiff -q --format=json a-? -- b-? | jq -r '.rows[0].dispersion / 20' | awk '{ getline x <"ours"; exit !((x / $1 - 1) ^ 2 < 1e-18) }'
    # to the last digits but two
    round() { jq -c 'walk(if type == "number" then . * 1e6 | round / 1e6 else . end)' "$1"; }
    jq -c '.rows |= map(del(.dispersion))' found >plain
    round expected >x
    round plain | same x -
}

@test "a sample has a value only if all runs have one period" {
    local i k
    for i in 1 2 3; do
        printf 'sample.interval=%s\n' $((i == 1 ? 10000 : 20000)) >s$i
        for k in $(seq $((i + 2))); do echo '"a" "m" ' >>s$i; done
        { echo 'sample.interval=20000'; for k in $(seq $((9 - i))); do echo '"a" "m" '; done; } >t$i
    done
    # then the dispersion is not that of samples, whichever comes first
    profdiff -q --measure=cost --format=csv s1 s2 s3 -- t1 t2 t3 >first
    profdiff -q --measure=cost --format=csv s2 s3 s1 -- t1 t2 t3 | same first -
    [ "$(cut -d, -f16 first | tail -n 1)" != "$(profdiff -q --measure=cost --format=csv s2 s3 t1 -- t1 t2 t3 --allow-equal | cut -d, -f16 | tail -n 1)" ]
}

@test "fewer than three runs on a side are not tested, and it is said" {
    runs a 5 1 1
    runs b 2 2 1.2
    profdiff --format=tsv a-* -- b-1 b-2 >stdout
    [ -z "$(cell work p)$(cell work q)$(cell work low)$(cell work min_change)$(cell work df)$(whole all_p)$(whole all_low)" ]
    [ -n "$(cell work delta)" ]
    [ "$(whole base_runs) $(whole new_runs)" = '5 2' ]
    profdiff a-* -- b-1 b-2 | sed -n 3,4p | tr '\n' : | grep -qx 'self of each row:with fewer than three runs on a side these differences prove nothing:'
    try profdiff --fail-if='self > 1 % and significant' a-1 a-2 a-3 a-4 a-5 -- b-1 b-2
    says 2 'profdiff: --fail-if: "significant" needs three runs on each side, found 5 and 2'
    [ ! -s stdout ]
}

# --- what rows say ---

@test "base, new, shares and growth are means over runs, and by operation" {
    printf 'f;g 10\nf 30\n' >a
    printf 'f;g 30\nf 20\n' >b
    printf 'f;g 10\nf 20\n' >c
    profdiff --format=tsv a -- b c >stdout
    [ "$(cell g base) $(cell g new) $(cell g delta)" = '10 20 10' ]
    [ "$(cell g base_pct) $(cell g growth_pct)" = '25 100' ]
    [ "$(whole all) $(whole all_new)" = '40 40' ]
    [ "$(whole compared) $(whole type) $(whole unit) $(whole base_runs) $(whole new_runs)" = 'self samples count 1 2' ]
    profdiff --format=tsv --measure=cost --per-op=4 a -- b c >stdout
    [ "$(cell g base) $(cell g new) $(cell g delta) $(cell g growth_pct) $(cell g measure)" = '2.5 5 2.5 100 cost' ]
    [ "$(whole all) $(whole all_new) $(whole unit)" = '10 10 count/operation' ]
    profdiff --format=tsv --sort=total a -- b c >stdout
    [ "$(cell f base) $(cell f base_pct) $(cell f delta_points)" = '40 100 0' ]
    [ "$(whole compared)" = total ]
}

@test "costs of any size are written as they are" {
    printf 'f;g 10\nf 30\n' >a
    [ "$(profdiff -q --per-op=1e-300 a a | sed -n 2p)" = 'cost of an operation: 4e+301 in base, 4e+301 in new, 0.00 %' ]
    [ "$(profdiff -q --per-op=1e-10 --format=markdown --sort=self a a | tail -n 1)" = '| 100000000000 | 100000000000 | 0 | 0.00 |  | `g` |' ]
    # times that no unit fits
    profdiff -q --per-op=1e-25 "$SAMPLES/plain.out" "$SAMPLES/plain.out" >table
    [ "$(sed -n 2p table)" = 'cost of an operation: 5.9e+33 nanoseconds in base, 5.9e+33 nanoseconds in new, 0.00 %' ]
    grep -q '^ *1e+32 .* %in%$' table
}

@test "the sides swapped change all signs" {
    need jq
    runs a 4 1 1
    runs b 5 2 1.2
    profdiff --format=json a-* -- b-* | jq -S -c '.rows[] | [.function, .base, .new, .delta, .low, .high, .p]' | sort >there
    [ -s there ]
    profdiff --format=json b-* -- a-* |
        jq -S -c '.rows[] | [.function, .new, .base, -.delta, (if .high then -.high else null end), (if .low then -.low else null end), .p] | map(if . == 0 then 0 else . end)' | sort >back
    diff there back
}

@test "times are in their own unit for programs, and scaled for people" {
    profdiff -q --format=tsv "$SAMPLES/plain.out" "$SAMPLES/plain.out" >stdout
    [ "$(whole all)" = "$(profsum --format=tsv "$SAMPLES/plain.out" | column self | awk '{ s += $1 } END { printf "%.10g", s }')" ]
    [ "$(whole all) $(whole all_new) $(whole unit)" = '590000000 590000000 nanoseconds' ]
    profdiff "$SAMPLES/plain.out" "$SAMPLES/plain.out" | sed -n 2p | grep -q 'cost of a run: 590.00 ms in base'
    profdiff -q "$SAMPLES/plain.out" "$SAMPLES/plain.out" | sed -n 5p | grep -q '^base (ms)'
}

@test "what is new, gone or moved is marked" {
    printf 'main;keep 50\nmain;old 30\nmain;left 20\n' >a
    printf 'main;keep 51\nmain;born 9\nmain;left 21\n' >b
    profdiff --format=tsv a b >stdout
    [ "$(cell born mark)$(cell born beside) $(cell old mark)$(cell old beside) $(cell keep mark)" = 'new gone ' ]
    # it may have another name only
    sed 's/old/born/' a >b
    profdiff --format=tsv a b >stdout
    [ "$(cell born mark) $(cell born beside) $(cell old mark) $(cell old beside)" = 'new old gone born' ]
    profdiff a b | grep -q 'new, moved .* born$'
    # the same where both were there before: the cost of one has gone to the other
    printf 'main;keep 50\nmain;one 32\nmain;two 18\n' >a
    printf 'main;keep 50\nmain;one 12\nmain;two 38\n' >b
    profdiff --format=tsv a b >stdout
    [ "$(cell one mark) $(cell one beside) $(cell two mark) $(cell two beside)" = 'moved two moved one' ]
    [ -z "$(cell keep mark)" ]
    # under two callers it is no move, nor is what grows alone while shares fall
    printf 'x;one 32\ny;two 18\nz 50\n' >a
    printf 'x;one 12\ny;two 38\nz 50\n' >b
    profdiff --format=tsv a b >stdout
    [ -z "$(cell one mark)$(cell two mark)" ]
    printf 'main;one 50\nmain;two 50\n' >a
    printf 'main;one 100\nmain;two 50\n' >b
    profdiff --format=tsv a b >stdout
    [ -z "$(cell one mark)$(cell two mark)" ]
}

@test "what has too small a share is not tested, and not shown where that is asked for" {
    runs a 3 1 1
    runs b 3 2 1
    profdiff --format=tsv a-* -- b-* >stdout
    [ -z "$(cell close p)" ] && [ -n "$(cell open p)" ] && [ -n "$(cell close base)" ]
    profdiff --format=tsv --min-share=0 a-* -- b-* >stdout
    [ -n "$(cell close p)" ]
    profdiff --format=tsv --min-share=5 a-* -- b-* >stdout
    [ -z "$(cell open base)" ] && [ -n "$(cell work p)" ]
    [ "$(profdiff --format=tsv -n 2 a-* -- b-* | column rows_left_out | tr '\n' ' ')" = "$(yes $(($(profdiff --format=tsv a-* -- b-* | wc -l) - 3)) | head -n 2 | tr '\n' ' ')" ]
}

@test "a review has the totals in one's own files, and what all had themselves" {
    for options in '' --own=/go-; do
        profdiff -q $options --format=markdown "$ROOT/samples/pprof/go-cpu.pb.gz" "$ROOT/samples/pprof/go-inline.pb.gz" >found
        awk '/^total of/ { table = "own" } /^self of/ { table = "all" } /`/ { print table, $(NF - 1) }' found >rows
        grep -q 'own `main.fibonacci`' rows
        run ! grep -q 'own `runtime[.]' rows
        grep -q 'all `runtime[.]' rows
        [ "$(grep -c '^cost of a run' found)" -eq 1 ]
    done
    # one where an order is asked for, and all where no file is known
    [ "$(profdiff -q --sort=self --format=markdown "$SAMPLES/plain.out" "$SAMPLES/plain.out" | grep -c ' of each row')" -eq 1 ]
    printf 'a;b 1\n' >x
    profdiff --format=markdown x x | grep -qx 'total of each row[.]'
}

@test "on a terminal the table fits in, and bars are red where something has grown" {
    need_terminal
    for i in {1..12}; do echo "m;f$i $((i * 10))"; done >a
    sed 's/0$/5/' a >b
    for rows in 10 11 14; do
        script -qec "stty cols 80 rows $rows; profdiff a b" /dev/null </dev/null | tr -d '\r' >found
        [ "$(wc -l <found)" -eq $((rows - 1)) ] || fail "$rows" "$(cat found)"
        [ "$(tail -n 1 found)" = "and $((19 - rows)) more rows" ]
    done
    TERM=xterm script -qec 'stty cols 80 rows 8; unset NO_COLOR; profdiff --measure=share -n 2 a b' /dev/null </dev/null | tr -d '\r' | tail -n 4 >found
    printf '%s\n' $'\33[1mbase %  new %  points                name\33[0m' \
        $' 15.38  14.88   -0.50    \33[32m██████████\33[0m  f12' \
        $'  1.28   1.79   +0.50    \33[31m██████████\33[0m  f1' 'and 10 more rows' | same - found
}

# --- gates ---

@test "a gate fails what has grown, by name, and passes what has not" {
    printf 'main;work 100\nmain;json 100\nmain;xml 800\n' >a
    printf 'main;work 150\nmain;json 100\nmain;xml 750\n' >b
    gate() { try profdiff -q --untested "$@"; }
    gate --fail-if='self > 49 %' a b
    says 4 'profdiff: --fail-if: "self > 49 %": work has grown by 50.00 %'
    [ "$(tail -n 1 stdout | wc -c)" -gt 1 ]
    gate --fail-if='self > 50 %' a b
    says 0
    gate --fail-if=' total ( ^w|j ) >4.9points ' --absent-ok a b
    says 0
    gate --fail-if='total(^w|j) > 4.9 points' a b
    says 4 'profdiff: --fail-if: "total(^w|j) > 4.9 points": work has grown by 5.00 points'
    gate --fail-if='self(json) > 0 %' a b
    says 0
    printf 'main;work 100\nmain;json 100\nmain;xml 800\nmain;extra 50\n' >b
    gate --fail-if='self > 1000 %' a b
    says 4 'profdiff: --fail-if: "self > 1000 %": extra is new'
    printf 'main 70\nmain;work 100\nmain;json 100\nmain;xml 800\n' >c
    gate --fail-if='self(main) > 1000 %' a c
    says 4 'profdiff: --fail-if: "self(main) > 1000 %": main had no self cost in base'
    # what is new, but little, is not judged
    gate --fail-if='self > 1000 %' --min-share=5 a b
    says 0
}

@test "percent are of cost, points of shares" {
    printf 'main;work 100\nmain;json 100\nmain;xml 800\n' >a
    # all is slower, which shares do not show
    awk '{ $NF = $NF * 1.5; print }' a >slower
    gate() { try profdiff -q --untested --fail-if="$1" a slower; }
    for measure in '' --measure=cost; do
        try profdiff -q --untested --fail-if='self > 49 %' $measure a slower
        says 4 'profdiff: --fail-if: "self > 49 %": xml has grown by 50.00 %' \
            'profdiff: --fail-if: "self > 49 %": work has grown by 50.00 %' 'profdiff: --fail-if: "self > 49 %": json has grown by 50.00 %'
    done
    gate 'total(main) > 49 %'
    says 4 'profdiff: --fail-if: "total(main) > 49 %": main has grown by 50.00 %'
    gate 'self > 0 points'
    says 0
    gate 'cost > 49 %'
    says 4 'profdiff: --fail-if: "cost > 49 %": the cost of a run has grown by 50.00 %'
    gate 'cost(xml) > 49 %'
    says 4 'profdiff: --fail-if: "cost(xml) > 49 %": xml has grown by 50.00 %'
    # a change that costs 71 % less: the share of what stayed as it was has grown from 10 to 34.48 %
    printf 'main;work 100\nmain;json 100\nmain;xml 90\n' >cheaper
    try profdiff -q --untested --fail-if='self > 10 %' --fail-if='total > 10 %' a cheaper
    says 0
    [ "$(sed -n 2p stdout)" = 'cost of a run: 1000 in base, 290 in new, -71.00 %' ]
    try profdiff -q --untested --fail-if='self(work) > 10 points' a cheaper
    says 4 'profdiff: --fail-if: "self(work) > 10 points": work has grown by 24.48 points'
    profdiff --measure=share a cheaper | grep -qE '^ *10[.]00 +34[.]48 +[+]24[.]48 +share only .* work$'
    profdiff --format=tsv a cheaper >stdout
    [ "$(cell work mark) $(cell json mark) $(cell xml mark)" = 'share only share only ' ]
    # operations divide both sides alike
    try profdiff -q --untested --fail-if='self(xml) > 49 %' --per-op=7 a slower
    says 4 'profdiff: --fail-if: "self(xml) > 49 %": xml has grown by 50.00 %'
    for what in self total; do
        try profdiff --measure=share --fail-if="$what > 5 %" a slower
        says 2 "profdiff: --fail-if: \"$what > 5 %\": % is of cost; with --measure=share the limit is a number of points"
    done
    try profdiff -q --measure=share --untested --fail-if='self > 5 points' a slower
    says 0
}

@test "a gate that judges nothing fails" {
    runs a 3 1 1
    runs b 3 2 1
    try profdiff -q --fail-if='self(nobody) > 0 %' a-? -- b-?
    says 4 'profdiff: --fail-if: "self(nobody) > 0 %": no name matches (--absent-ok accepts that)'
    try profdiff --absent-ok --fail-if='self(nobody) > 0 %' a-? -- b-?
    says 0 'profdiff: --fail-if: "self(nobody) > 0 %": no name matches'
    try profdiff -q --fail-if='self(^close$) > 0 %' a-? -- b-?
    says 4 'profdiff: --fail-if: "self(^close$) > 0 %": nothing is judged: what it names has less than 0.5 % of both sides together (--min-share)'
    try profdiff --absent-ok --fail-if='self(^close$) > 0 %' a-? -- b-?
    says 0 'profdiff: --fail-if: "self(^close$) > 0 %": nothing is judged: what it names has less than 0.5 % of both sides together (--min-share)'
    try profdiff -q --untested --fail-if='self(^close$) > 0 %' a-1 b-1
    says 4 'profdiff: --fail-if: "self(^close$) > 0 %": nothing is judged: what it names has less than 0.5 % of both sides together (--min-share)'
    # what is in all samples has all of every run
    try profdiff -q --fail-if='total(^main$) > 1 points' a-? -- b-?
    says 4 'profdiff: --fail-if: "total(^main$) > 1 points": nothing that it names can be tested'
    # a type that is not there
    try profdiff -q --type=none --fail-if='self > 1 %' a-? -- b-?
    [ $status -eq 4 ]
}

@test "fewer than three runs fail a gate as not tested" {
    runs a 3 1 1
    runs b 3 2 1
    try profdiff -q --fail-if='cost > 1000 %' a-1 a-2 -- b-1 b-2 b-3
    says 4 'profdiff: --fail-if: not tested: that needs three runs on each side, found 2 and 3 (--untested judges differences as they stand)'
    try profdiff -q --untested --fail-if='cost > 1000 %' a-1 a-2 -- b-1 b-2 b-3
    says 0
    try profdiff -q --fail-if='cost > 1000 %' a-1 a-2 a-3 -- b-1 b-2 b-3
    says 0
    try profdiff -q --untested --fail-if='cost > 1 % and significant' a-1 a-2 -- b-1 b-2
    says 2 'profdiff: --fail-if: "significant" needs three runs on each side, found 2 and 2'
}

@test "several gates are all judged, and corrected together" {
    printf 'main;work 100\nmain;json 100\nmain;xml 800\n' >a
    printf 'main;work 150\nmain;json 130\nmain;xml 750\n' >b
    try profdiff -q --untested --fail-if='self(work) > 10 %' --fail-if='cost > 50 %' --fail-if='total(json) > 10 %' --fail-if='self(x) > 0 points' a b
    says 4 'profdiff: --fail-if: "self(work) > 10 %": work has grown by 50.00 %' 'profdiff: --fail-if: "total(json) > 10 %": json has grown by 30.00 %'
    runs a 5 1 1
    runs b 5 2 1.3
    chance() { profdiff -q "$@" a-? -- b-? 2>&1 >/dev/null | sed -n 's/.*: work has grown .*(p \(.*\))/\1/p'; }
    one=$(chance --fail-if='self(^work$) > 0 %')
    both=$(chance --fail-if='self(^work$) > 0 %' --fail-if='self(^read$) > 1000 %')
    awk -v one="$one" -v both="$both" 'BEGIN { exit !(both > 1.1 * one && both < 2 * one) }' || fail "$one" "$both"
}

@test "runs that measured nothing are left out, told, and fail a gate" {
    runs a 4 1 1
    runs b 4 2 1
    printf 'main;work 0\n' >empty
    profdiff --format=tsv a-? -- b-? >without
    profdiff -q --format=tsv a-? empty -- b-? | same - without
    try profdiff a-? -- b-? empty
    says 0 'profdiff: a run of new has measured nothing, and is left out: "empty"'
    [ "$(head -n 1 stdout)" = 'samples: 4 runs of base, 4 runs of new, besides 1 that measured nothing' ]
    try profdiff -q --fail-if='cost > 1000 %' a-? -- b-? empty
    says 4 'profdiff: --fail-if: a run of new has measured nothing, and is left out: "empty"'
    # a type that is listed and has nothing is 0: a run of locks without contention
    locks() {  # value, name, columns of the source
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"x\",\"source_uri\":\"$2\",\"source_timestamp\":null$3}" \
            '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}' '{"table":"locations","location_id":1,"function_id":1,"line":0}'
        [ -z "$1" ] || printf '%s\n' '{"table":"samples","sample_id":1,"source_id":1}' "{\"table\":\"sample_values\",\"sample_id\":1,\"type\":\"delay\",\"unit\":\"count\",\"value\":$1}" \
            '{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}'
    }
    types=',".value_types":[{"type":"delay","unit":"count"}]'
    locks 30 x "$types" >some
    locks '' y "$types" >none
    locks 0 z '' >zero
    for nothing in none zero; do
        profdiff -q --format=tsv some -- some $nothing >stdout
        [ "$(whole all) $(whole all_new) $(cell f new)" = '30 15 15' ]
    done
    locks '' y '' >lacks
    profdiff --format=tsv some -- some lacks >stdout 2>stderr
    [ "$(whole all_new)" = 30 ]
    grep -qx 'profdiff: a run of new has measured nothing, and is left out: "y"' stderr
    # nothing on either side is no pass
    try profdiff -q --untested --fail-if='cost > 1 %' none zero
    [ $status -eq 4 ]
    grep -qx 'profdiff: --fail-if: no run has any "delay": nothing is judged (--absent-ok accepts that)' stderr
    profdiff -q --untested --absent-ok --fail-if='cost > 1 %' none zero >/dev/null
}

@test "copies are no runs" {
    runs a 5 1 1
    runs b 5 2 1.1
    for i in 2 3 4 5; do cp b-1 copy-$i; done
    gzip -k copy-2 && rm copy-2
    try profdiff --fail-if='cost > 1 %' a-? -- b-1 copy-*
    [ $status -eq 4 ]
    grep -qx 'profdiff: copies count once: 4 runs of new, such as "copy-5" of "b-1"' stderr
    grep -qx 'profdiff: --fail-if: not tested: that needs three different runs on each side, found 5 of 5 and 1 of 5: equal runs count once (--untested judges differences as they stand)' stderr
    [ "$(head -n 1 stdout)" = 'samples: 5 runs of base, 1 run of new, besides 4 copies' ]
    profdiff --allow-equal --format=tsv a-? -- b-1 copy-* | column p holm | tr -d '\n\t' >found
    [ ! -s found ]
    profdiff --format=tsv a-? -- b-1 >one
    profdiff --allow-equal --format=tsv a-? -- b-1 copy-* | same - one
    # one file twice
    for twice in 'b-1 b-1' 'b-1 ./b-1'; do
        try profdiff a-1 -- $twice
        says 2 "profdiff: ${twice#* } is named twice in new (--allow-equal counts it as one run)"
    done
    try profdiff -q --allow-equal a-1 -- b-1 b-1
    says 0
    # where it is known when a run was taken, none is like another
    cp "$ROOT/samples/pprof/go-cpu.pb.gz" x.pb.gz
    cp x.pb.gz y.pb.gz
    gunzip -c x.pb.gz >z.pb
    try profdiff x.pb.gz -- y.pb.gz z.pb
    says 1 'profdiff: two runs of new are equal: "z.pb" has the time and the samples of "y.pb.gz" (--allow-equal counts them once)'
    try profdiff -q --allow-equal x.pb.gz -- y.pb.gz z.pb
    says 0
}

@test "equal sides are no difference" {
    runs a 5 1 1
    for i in 1 2 3 4 5; do cp a-$i b-$i; done
    try profdiff --fail-if='cost > 1 %' --fail-if='self > 0 %' a-? -- b-?
    says 0 'profdiff: base and new are equal: they hold the same runs' 'profdiff: --fail-if: no difference: base and new hold the same runs'
    try profdiff --fail-if='cost > 1 %' a-1 a-1
    says 0 'profdiff: base and new are equal: they hold the same runs' 'profdiff: --fail-if: no difference: base and new hold the same runs'
    try profdiff --allow-equal --fail-if='cost > 1 %' a-1 b-1
    says 0
    # which is no pass for what judges nothing
    try profdiff -q --fail-if='self(nobody) > 1 %' a-1 b-1
    [ $status -eq 4 ]
    printf 'a;b 0\n' >none
    try profdiff -q --fail-if='cost > 1 %' none none
    [ $status -eq 4 ]
    # one of several
    try profdiff a-1 a-2 -- b-1 b-3
    says 0 'profdiff: a run is in base and in new: "b-1"'
}

@test "sides that show different types are told, and not compared as nothing" {
    perf() { printf 'x 1 1.0: 10 %s: \n\t01 f (/x)\n\n' "$1"; }
    perf cycles >cycles
    perf cpu-clock >clock
    try profdiff cycles clock
    says 0 'profdiff: new has "cpu-clock", and no "cycles" as base has: --type names one that both have'
    [ "$(sed -n 2p stdout)" = 'cost of a run: 10 in base, none in new' ]
    try profdiff -q --fail-if='cost > 1 %' --untested cycles clock
    says 4 'profdiff: --fail-if: new has "cpu-clock", and no "cycles" as base has: --type names one that both have'
}

# A table of NAME, WAS, BASE, NEW and MARK of files a and b.
pairs() { profdiff -q --format=tsv "$@" a b | column function was base new mark | tr '\t' '|' | LC_ALL=C sort; }

@test "one closure more is one function that is new" {
    # main.func1 to main.func3 are main.func2 to main.func4 now
    printf 'main;main.func1;parse 50\nmain;main.func2;sort 30\nmain;main.func3 20\nmain;work 100\n' >a
    printf 'main;main.func1;log 4\nmain;main.func2;parse 52\nmain;main.func3;sort 31\nmain;main.func4 19\nmain;work 100\n' >b
    pairs --sort=total >found
    printf '%s\n' 'log||0|4|new, moved' 'main.func1||0|4|new' 'main.func2|main.func1|50|52|' 'main.func3|main.func2|30|31|' 'main.func4|main.func3|20|19|' \
        'main||200|206|' 'parse||50|52|' 'sort||30|31|' 'work||100|100|' | sed 's/new, moved/new/' | same - found
    profdiff -q --sort=total a b | grep -q ' main[.]func3 (was main[.]func2)$'
    # the same function to gates, by both names
    for name in main.func2 main.func1; do
        try profdiff -q --untested --fail-if="total(^$name\$) > 3 %" a b
        [ $status -eq 4 ]
        grep -qF "main.func2 (was main.func1) has grown by 4.00 %" stderr
    done
    try profdiff -q --untested --fail-if='self(func[34]) > 5 %' --min-share=0 a b
    says 0
    pairs --sort=total --no-pairs >found
    grep -qx 'main.func4||0|19|new' found
    grep -qx 'main.func1||50|4|' found
    # with as many tests: nothing that fails
    runs a 5 1 1
    runs b 5 2 1
    for run in a-?; do sed 's/work/main.func1/; s/dot/main.func2/g; s/parse/main.func3/g' $run >x.$run; done
    for run in b-?; do sed 's/work/main.func2/; s/dot/main.func3/g; s/parse/main.func4/g' $run >x.$run; done
    for run in x.b-?; do echo 'main;main.func1 9' >>$run; done
    try profdiff -q --fail-if='self > 5 %' --fail-if='total > 5 %' x.a-? -- x.b-?
    says 0
    try profdiff -q --no-pairs --fail-if='self > 5 %' x.a-? -- x.b-?
    [ $status -eq 4 ]
}

@test "names are paired where only a number or an address differs" {
    while IFS='|' read -r old new; do
        printf 'main;%s;x 60\nmain;y 40\n' "$old" >a
        printf 'main;%s;x 62\nmain;y 40\n' "$new" >b
        pairs --sort=total | grep -qxF "$new|$old|60|62|" || fail "$old" "$new" "$(pairs --sort=total)"
    done <<'END'
main.main.func1|main.main.func2
main.main.func1.2|main.main.func3.1
main.(*T).Run.func4.gowrap1|main.(*T).Run.func5.gowrap2
glob..func12|glob..func13
App.Job::{{closure}}#3|App.Job::{{closure}}#4
crate::run::{closure#0}|crate::run::{closure#1}
crate::run::h0123456789abcdef|crate::run::hfedcba9876543210
main::$_3::operator()|main::$_4::operator()
Main.lambda$5|Main.lambda$6
Main.lambda$main$5|Main.lambda$main$11
Main$1.run|Main$2.run
Main$$Lambda$733/0x0000000800c8b840.run|Main$$Lambda$21/0x00007f00010c2000.run
Main$$Lambda$95+0x00007fc81c00b8f0.251210093.run|Main$$Lambda$95+0x00007f189c00b8f0.1794717576.run
Main$$Lambda/0x00000008000.run|Main$$Lambda/0x00007f00010.run
GeneratedMethodAccessor120.invoke|GeneratedMethodAccessor7.invoke
<anonymous>:12|<anonymous>:14
solve.isra.0|solve.isra.1
step.constprop.0.part.3|step.constprop.1.part.0
a.B$$EnhancerBySpringCGLIB$$4d1a2b3c.f|a.B$$EnhancerBySpringCGLIB$$f.f
stub 0x1|stub 0x2
com.sun.proxy.$Proxy12.get|com.sun.proxy.$Proxy9.get
END
    # in as many families as there are, in whatever order their members come
    printf 'main;a.func1 30\nmain;b.func1 50\nmain;y 40\n' >a
    printf 'main;a.func2 32\nmain;b.func2 51\nmain;y 40\n' >b
    pairs --sort=total | grep func | sort | same - <(printf '%s\n' 'a.func2|a.func1|30|32|' 'b.func2|b.func1|50|51|')
    # and no others
    for names in 'md5 md6' 'utf8 utf16' 'main.func1 main.fun2' 'main.func1v2 main.func1v4' 'main.func1 other.func2' 'f g' 'f::h1 f::h2'; do
        printf 'main;%s;x 60\nmain;y 40\n' "${names% *}" >a
        printf 'main;%s;x 62\nmain;y 40\n' "${names#* }" >b
        pairs --sort=total | grep -qxF "${names#* }||0|62|new" || fail "$names" "$(pairs --sort=total)"
    done
}

# Rows of closures main.funcN, each a line of standard input: N, file, line and value.
closures() {
    awk 'BEGIN {
        print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
        print "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"x\",\"source_uri\":null,\"source_timestamp\":null}"
    }
    {
        name = "main.func" $1
        printf "{\"table\":\"functions\",\"function_id\":%d,\"name\":\"%s\",\"system_name\":\"%s\",\"filename\":\"%s\",\"start_line\":%d}\n", NR, name, name, $2, $3
        printf "{\"table\":\"locations\",\"location_id\":%d,\"function_id\":%d,\"line\":%d}\n", NR, NR, $3 + 1
        printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1}\n", NR
        printf "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"cpu\",\"unit\":\"count\",\"value\":%d}\n", NR, $4
        printf "{\"table\":\"sample_locations\",\"sample_id\":%d,\"depth\":1,\"location_id\":%d}\n", NR, NR
    }'
}

@test "of several closures the nearest in the file of the same name is the pair" {
    printf '%s\n' '1 a/main.go 10 30' '2 a/main.go 40 30' '3 a/util.go 10 30' | closures >a
    printf '%s\n' '1 b/main.go 5 30' '2 b/main.go 12 30' '3 b/main.go 42 30' '4 b/util.go 11 30' | closures >b
    pairs >found
    printf '%s\n' 'main.func1||0|30|new' 'main.func2|main.func1|30|30|' 'main.func3|main.func2|30|30|' 'main.func4|main.func3|30|30|' | same - found
    # in another file it is another
    printf '%s\n' '1 a/main.go 10 30' '7 a/main.go 20 30' | closures >a
    printf '%s\n' '2 b/util.go 10 30' '7 b/main.go 20 30' | closures >b
    pairs >found
    printf '%s\n' 'main.func1||30|0|gone' 'main.func2||0|30|new' 'main.func7||30|30|' | same - found
}

@test "what is new and hot is not hidden in a pair" {
    # of another caller
    printf 'main;old;main.func1 50\nmain;work 50\n' >a
    printf 'main;other;main.func2 50\nmain;work 50\n' >b
    pairs | grep -qx 'main.func2||0|50|new'
    # beside one that is hardly there
    printf 'main;main.func1 1\nmain;work 99\n' >a
    printf 'main;main.func2 99\nmain;work 99\n' >b
    pairs | grep -qx 'main.func2||0|99|new'
    try profdiff -q --untested --fail-if='self > 5 %' a b
    says 4 'profdiff: --fail-if: "self > 5 %": main.func2 is new'
    # beside one that stays
    printf 'main;main.func1 50\nmain;work 50\n' >a
    printf 'main;main.func1 50\nmain;main.func2 50\nmain;work 50\n' >b
    pairs >found
    printf '%s\n' 'main.func1||50|50|share only' 'main.func2||0|50|new' | sed 's/share only//' >expected
    grep main.func found | same - expected
}

@test "how long runs took is told, and divides costs where that is asked for" {
    lasting() {  # seconds, samples
        printf 'f;g %d\nf %d\n' $2 $2 | folded2ndjson | sed "/\"table\":\"sources\"/s/}\$/,\".pprof\":{\"duration_nanos\":$1000000000}}/"
    }
    lasting 30 1000 >a
    lasting 45 1500 >b
    lasting 31 1000 >c
    try profdiff a b
    says 0 'profdiff: a run of base took 30 s, one of new 45 s: longer ones cost more of the same; --per=second compares costs of a second'
    [ "$(sed -n 2p stdout)" = 'cost of a run: 2000 in base, 3000 in new, +50.00 %' ]
    try profdiff --per=second a b
    says 0
    [ "$(sed -n 2p stdout)" = 'cost of a second: 66.67 in base, 66.67 in new, 0.00 %' ]
    grep -qE '^33[.]33 +33[.]33 +0[.]00 +0[.]00 +g$' stdout
    try profdiff -q --untested --fail-if='self > 1 %' --per=second a b
    says 0
    try profdiff -q --untested --fail-if='cost > 1 %' a b
    says 4 'profdiff: --fail-if: "cost > 1 %": the cost of a run has grown by 50.00 %'
    # fixed work that lasts longer: by the second it costs what it did
    try profdiff a c
    says 0
    printf 'f;g 1\n' >unknown
    try profdiff -q a unknown
    says 0
    try profdiff --per=second a unknown
    says 1 'profdiff: --per=second: "unknown" does not say how long it took'
    profdiff -q --format=tsv --per=op --per-op=4 a b >stdout
    [ "$(cell g base)" = 250 ]
    profdiff -q --format=tsv --per-op=4 a b | same - stdout
    try profdiff --per=op a b
    says 2 'profdiff: --per=op needs --per-op, the number of operations in a run, or --per-op-from'
    try profdiff --per=run --per-op=4 a b
    says 2 'profdiff: --per-op cannot be used with --per=run'
    try profdiff --per=day a b
    says 2 'profdiff: --per: expected run, second or op, found "day"'
}

@test "only what is significant is beyond a limit, wherever there are tests" {
    runs a 5 1 1
    runs b 5 2 1.3
    for limit in 'self > 5 %' 'self > 5 % and significant'; do
        try profdiff -q --fail-if="$limit" a-1 a-2 a-3 a-4 a-5 -- b-1 b-2 b-3 b-4 b-5
        [ $status -eq 4 ]
        [ "$(cut -d: -f4 stderr | cut -d' ' -f2 | sort -u)" = work ]
        grep -qE 'work has grown by [0-9.]+ % \(p [0-9.e-]+\)$' stderr
        # something has grown by a tenth of a point, as it does without a change
        try profdiff -q --fail-if="${limit/5 %/0 points}" a-1 a-2 a-3 -- a-4 a-5 a-3
        says 0
    done
    # what cannot be tested is beyond a limit as it stands
    try profdiff -q --untested --fail-if='self > 0 points' a-1 a-2 -- a-4 a-5
    [ $status -eq 4 ]
    run ! grep -q '(p ' stderr
    # what is corrected are the functions that are judged
    holm() { profdiff -q --fail-if="$1 > 0 % and significant" a-? -- b-? 2>&1 >stdout | sed 's/.*(p \(.*\))/\1/'; }
    all=$(holm self | head -n 1) one=$(holm 'self(^work$)')
    awk -v all="$all" -v one="$one" 'BEGIN { exit !(all > 2 * one) }'
}

@test "memory is what runs have, not what there could be" {
    takes_long
    plain_only 'it limits memory'
    mkdir a b
    # 40,000 functions in 800 runs: a table of both would take 512 MB
    awk 'BEGIN {
        for (run = 0; run < 800; run++) {
            file = (run % 2 ? "a/" : "b/") run
            for (f = 0; f < 50; f++)
                print "main;f" run "_" f " 1" >file
            close(file)
        }
    }'
    (ulimit -v 200000 && profdiff -q --threads=1 --format=tsv a/* -- b/* >stdout)
    [ "$(wc -l <stdout)" -eq 40001 ]
}

@test "samples without a label are not frames without a name" {
    label() {  # value or nothing
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}' \
            '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}' '{"table":"locations","location_id":1,"function_id":1,"line":0}' \
            "{\"table\":\"samples\",\"sample_id\":1,\"source_id\":1$1}" '{"table":"sample_values","sample_id":1,"type":"a","unit":"count","value":5}' \
            '{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}'
    }
    label ',".labels":[{"key":"k","str":"v"}]' >with
    label >without
    try profdiff --by=label:k --fail-if='self > 1000000 %' with without
    run ! grep -q 'without a name' stderr
}

@test "runs of several hosts fail a gate, whatever names them" {
    for host in a b; do
        for run in 1 2 3; do
            printf '{"resources":{"f#0":{"amount":[10]}},"resource_type_map":{"f#0":{"uid":"f"}},"header":{"type":"time"},"machine":{"host":"%s"}}' $host >$host-$run.perf
        done
    done
    gate() { try profdiff -q --allow-equal --untested --fail-if='self > 5 %' "$@"; }
    gate a-1.perf a-2.perf -- b-1.perf a-3.perf
    says 4 'profdiff: --fail-if: runs differ in their host: a, and b'
    for host in a b; do
        for run in 1 2 3; do
            printf '# ========\n# hostname : %s\n# ========\nx 1 1.0: 10 cycles: \n\t01 f (/x)\n\n' $host >$host-$run
        done
    done
    gate a-1 a-2 -- b-1 a-3
    says 4 'profdiff: --fail-if: runs differ in their host: a, and b'
    try profdiff a-1 -- b-1
    says 0 'profdiff: runs differ in their host: a, and b'
    printf 'x 1 1.0: 10 cycles: \n\t01 f (/x)\n\n' >unknown
    gate a-1 unknown -- a-2 a-3
    says 0
}

@test "names are what rules make of them" {
    printf 'f;g$$Lambda$1/0x1 10\nf 30\n' >a
    printf 'f;g$$Lambda$2/0x2 20\nf 20\n' >b
    [ "$(profdiff --rules=builds --format=tsv a b | column function | sort | tr '\n' ' ')" = "$(echo f "$(profsum --rules=builds --format=tsv a | column function | grep ^g)" '')" ]
}

@test "sides that are not the same measurement fail a gate, and are a warning without one" {
    printf 'main;work 100\n' >a
    printf '{"table":"meta","key":"version","value":"2.0"}\n' >empty
    try profdiff a empty
    says 0 'profdiff: new is empty: there is nothing to compare'
    try profdiff --untested --fail-if='self > 1 %' empty a
    [ $status -eq 4 ]
    grep -qx 'profdiff: --fail-if: base is empty: there is nothing to compare' stderr
    # one run of several
    printf 'main;work 0\n' >zero
    try profdiff -q --untested --fail-if='self > 1 %' a -- a zero
    says 4 'profdiff: --fail-if: a run of new has measured nothing, and is left out: "zero"'
    # another interval
    sed 's/^sample.interval=.*/sample.interval=1000/' "$SAMPLES/plain.out" >other
    try profdiff -q --untested --fail-if='self > 1000 %' "$SAMPLES/plain.out" other
    says 4 'profdiff: --fail-if: runs differ in what a sample stands for: cpu 5000000 nanoseconds, and cpu 1000000 nanoseconds'
    # the same interval in another unit
    rprof2ndjson "$SAMPLES/plain.out" | sed 's/"unit":"nanoseconds","value":5000000}/"unit":"milliseconds","value":5}/' >unit
    grep -q '"unit":"milliseconds","value":5}' unit
    try profdiff -q --untested --fail-if='self > 1 %' "$SAMPLES/plain.out" unit
    says 0
    # another profiler
    try profdiff -q --untested --type=samples --fail-if='cost > 1000000 %' "$SAMPLES/plain.out" "$ROOT/samples/pprof/go-cpu.pb.gz"
    [ $status -eq 4 ]
    grep -qx 'profdiff: --fail-if: runs differ in their type: rprof, and pprof' stderr
    # names that are lost
    printf 'main;work 98\nmain;[unknown] 2\n' >known
    printf 'main;work 95\nmain;[unknown] 5\n' >lost
    try profdiff -q --untested --fail-if='self(work) > 1 %' known lost
    says 4 'profdiff: --fail-if: the share of frames without a name has grown from 2.00 to 5.00 %'
    try profdiff -q --untested --fail-if='self(work) > 10 %' lost known
    says 0
    # what has no stack is a row
    printf 'f;g 1\nf 2\n' | folded2ndjson | sed '/"sample_id":2,"depth"/d' >some
    [ "$(profdiff -q some some | head -n 1)" = 'samples: 1 run of base, 1 run of new' ]
    profdiff -q some some | grep -q '<no stack>$'
    # a collapse is said, and fails nothing by itself
    printf 'main;work 20\n' >little
    try profdiff --untested --fail-if='cost > 1 %' a little
    says 0 'profdiff: a run of new costs 0.20 times what one of base does: do both measure the same?'
}

@test "runs that were not taken alternately are told" {
    for i in 1 2 3 4; do
        printf 'main 1%s\n' $i | folded2ndjson | sed "s/\"source_timestamp\":null/\"source_timestamp\":$i.5/" >run-$i
    done
    try profdiff run-1 run-2 -- run-3 run-4
    says 0 'profdiff: all runs of one side are older than those of the other: taken alternately, both would have seen the same machine'
    try profdiff run-1 run-4 -- run-2 run-3
    says 0
    # the last of one and the first of the other at one time are not one after the other
    sed 's/:2.5/:3.5/' run-2 >at-3
    try profdiff run-1 at-3 -- run-3 run-4
    says 0
}

# --- rows ---

# What go tool pprof -top prints, its head left out.
top() {
    go tool pprof -top -nodecount=1000000 -nodefraction=0 "$@" 2>/dev/null | sed '1,/^ *flat /d'
}

@test "go tool pprof -diff_base says the same" {
    need go
    for sample in "$ROOT"/samples/pprof/*.pb.gz; do
        proffilter -q --thin 1/3 "$sample" | ndjson2pprof -q >base.pb.gz
        for option in '' --normalize; do
            for index in $(go tool pprof -raw "$sample" 2>/dev/null | sed -n '/^Samples:/{n;s/[[](dflt)[]]//;s/\/[a-z]*//g;p;}'); do
                profdiff -q --rows $option base.pb.gz "$sample" | ndjson2pprof -q >ours.pb.gz
                top -sample_index=$index ours.pb.gz >ours
                top -sample_index=$index ${option:+-normalize} -diff_base base.pb.gz "$sample" >theirs
                [ -s theirs ]
                diff theirs ours >found || fail "$sample $option $index" "$(head -n 20 found)"
            done
        done
    done
}

@test "rows add up to the difference, and a profile less itself is nothing" {
    need jq
    runs a 2 1 1
    profdiff --rows a-1 a-2 >rows
    profvalidate -q rows
    profsum --format=json --sort=total rows | jq -r '.rows[] | "\(.function) \(.self)"' | sort >ours
    profdiff --format=json a-1 a-2 | jq -r '.rows[] | "\(.function) \(.delta)"' | sort >theirs
    [ "$(wc -l <theirs)" -ge 8 ]
    grep -v ' 0$' theirs >theirs.some
    grep -v ' 0$' ours | same - theirs.some
    [ "$(profdiff --rows a-1 a-1 | profsum --format=tsv | column self total | sort -u)" = $'0\t0' ]
}

@test "values that are no integers change their signs, what has no opposite is an error" {
    cat >a <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":0}
{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"k","str":"v"}]}
{"table":"sample_values","sample_id":1,"type":"t","unit":"u","value":1.5}
{"table":"sample_values","sample_id":1,"type":"s","unit":"u","value":-2e300}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
END
    profdiff --rows a a >rows
    grep -oE '"value":[-0-9.e]+' rows >found
    printf '"value":%s\n' -1.5 2e300 1.5 -2e300 | same found -
    grep -qF '".labels":[{"key":"k","str":"v"},{"key":"pprof::base","str":"true"}]' rows
    sed 's/1\.5/-9223372036854775808/' a >least
    try profdiff --rows least a
    says 1 'profdiff: least:6: the value -9223372036854775808 has no opposite of 64 bits'
}

@test "what goes wrong leaves no output, and a full disk is said" {
    printf 'main;work 1\n' >a
    try profdiff -o out a missing
    says 3 'profdiff: cannot open missing: No such file or directory'
    [ ! -e out ]
    folded2ndjson a | sed '$d' >cut
    for rows in '' --rows; do
        try profdiff $rows -o out a cut
        [ $status -eq 1 ]
        [ ! -e out ]
        try sh -c "profdiff --allow-equal $rows a a >/dev/full"
        says 3 'profdiff: cannot write <stdout>: No space left on device'
    done
    try profdiff -o a a a
    says 2 'profdiff: a is input and output at once'
}

@test "ten thousand gates on a hundred thousand functions take no time for each of each" {
    takes_long
    for side in 1 2; do
        awk -v s=$side 'BEGIN { for (i = 0; i < 100000; i++) print "main;function_" i, s + i % 7 }' >$side.folded
    done
    awk 'BEGIN { for (i = 0; i < 10000; i++) print "--fail-if=self(function_" 7 * i "$)>900%" }' >gates
    mapfile -t gates <gates
    # some twenty times what it takes; each gate by itself took more than that without sanitizers
    (ulimit -t 15 && exec profdiff -q --untested --min-share=0 "${gates[@]}" 1.folded 2.folded) >found
    awk 'BEGIN { for (i = 0; i < 10000; i++) print "--fail-if=self(function_" 7 * i "$)>50points" }' >gates
    mapfile -t gates <gates
    (ulimit -t 15 && exec profsum -q "${gates[@]}" 1.folded) >found
}

@test "whole stacks cost what profsum counts of them, on both sides" {
    takes_long
    need python3
    for file in "$ROOT"/samples/rprof/{plain,memory,toplevel}.out "$ROOT"/samples/pprof/go-{cpu,heap,labels}.pb.gz; do
        profsum -q --stacks --type="$(profsum -q -n 1 --format=json "$file" | jq -r .type)" --format=json "$file" >expected
        profsum -q --by=stack --format=json "$file" >sums
        profdiff -q --by=stack --allow-equal --format=json "$file" "$file" >sides
        python3 -c '
import json
stacks = {}
for row in json.load(open("expected"))["rows"]:
    name = json.dumps(row["stack"])
    stacks[name] = stacks.get(name, 0) + row["value"]
stacks = {name: value for name, value in stacks.items() if value}
def read(file, *columns):
    return {json.dumps(r["stack"]): [r[c] for c in columns] for r in json.load(open(file))["rows"] if r[columns[0]]}
assert read("sums", "self", "total") == {s: [v, v] for s, v in stacks.items()}
assert read("sides", "base", "new") == {s: [v, v] for s, v in stacks.items()}
assert len(stacks) > 2
'
    done
}

# Whether two comparisons say the same of all rows.
same_tables() {  # file file
    [ "$(wc -l <"$1")" -ge 3 ] || fail "$(cat "$1")"
    diff "$1" "$2" >apart || fail "$(head -n 8 apart)"
}

@test "a label says the sides, as if each side were a file" {
    local file=$ROOT/samples/pprof/go-labels.pb.gz
    for by in function line stack; do
        proffilter -q --label=user=anna "$file" >anna
        proffilter -q --label='user=böhm' "$file" >böhm
        # of several rows that cost may have moved beside, the first to appear is named
        profdiff -q --by=$by --format=tsv anna böhm | cut -f 1-16 >expected
        profdiff -q --by=$by --format=tsv --sides=user:anna,böhm "$file" | cut -f 1-16 | same_tables expected -
        profdiff -q --by=$by --format=tsv --sides=label:user:anna,böhm <"$file" | cut -f 1-16 | same_tables expected -
    done
    try profdiff -q --sides=nobody:a,b "$file"
    says 1 'profdiff: --sides: no sample has a label "nobody"; there are: user, request'
    try profdiff -q --sides=source:a,b "$file"
    says 1 "profdiff: --sides: no sample has source=a; there are: $file"
    # a gate could not judge
    run -4 profdiff -q --sides=user:anna,nobody --untested --fail-if='self > 1 %' "$file"
    # one of two files has a side; and without samples nothing is missed
    cp "$SAMPLES/plain.out" x.out
    cp "$SAMPLES/lines.out" y.out
    profdiff -k --sides=source:x.out,y.out x.out y.out
    profdiff -q --allow-empty --sides=user:a,b </dev/null
}

@test "names of files say the sides and the runs, as the order of files does" {
    runs base 5 1 1
    runs new 5 2 1.3
    profdiff --format=tsv base-? -- new-? >expected
    name='(?<side>base|new)-(?<run>[0-9])'
    profdiff --format=tsv --label-from-name="$name" --sides=side:base,new new-? base-? | same_tables expected -
    profdiff --format=tsv --label-from-name="$name" --sides=side:base,new --runs=run new-? base-? | same_tables expected -
    profdiff --format=tsv --label-from-name="$name" --runs=run base-? -- new-? | same_tables expected -
    profdiff --format=tsv --runs=source base-? -- new-? | same_tables expected -
    profdiff --format=tsv base-1 new-2 >expected
    profdiff --format=tsv --sides=source:base-1,new-2 base-? new-? | same_tables expected -
    profdiff --format=tsv --sides=source:base-1,new-2 --by=source base-? new-? >found
    [ "$(column source <found | sort | tr '\n' ' ')" = 'base-1 new-2 ' ] || fail "$(cat found)"
}

@test "a run of several files is what they hold together" {
    runs base 4 3 1
    runs new 4 4 1.3
    profdiff --format=tsv base-? -- new-? >expected
    for file in base-? new-?; do
        # each second line of each file, and the others
        awk 'NR % 2' "$file" >"one-$file"
        awk 'NR % 2 == 0' "$file" >"two-$file"
    done
    name='(?<side>base|new)-(?<run>[0-9])'
    profdiff --format=tsv --label-from-name="$name" --runs=run ???-base-? -- ???-new-? | same_tables expected -
    profdiff --format=tsv --label-from-name="$name" --sides=side:base,new --runs=run ???-*-? | same_tables expected -
    # the names of runs, in messages
    run -1 --separate-stderr profdiff --per=second --label-from-name="$name" --runs=run one-base-? -- one-new-?
    [[ $stderr = *'--per=second: "run=1" does not say how long it took'* ]] || fail "$stderr"
    run -1 --separate-stderr profdiff --per=second --label-from-name="$name" --sides=side:base,new one-base-? one-new-?
    [[ $stderr = *'"one-base-1 with side=base" does not say how long it took'* ]] || fail "$stderr"
}

@test "runs of several files take as long as these together" {
    make_run() {  # file seconds samples
        printf '{"table":"meta","key":"version","value":"2.0"}\n{"table":"sources","source_id":1,"source_type":"pprof","source_uri":"%s","source_timestamp":null,".pprof":{"duration_nanos":%s000000000}}\n' "$1" "$2"
        printf '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}\n{"table":"locations","location_id":1,"function_id":1,"line":0}\n'
        printf '{"table":"samples","sample_id":1,"source_id":1}\n{"table":"sample_values","sample_id":1,"type":"cpu","unit":"nanoseconds","value":%s}\n{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}\n' "$3"
    }
    make_run a-1 2 600 >a-1
    make_run a-2 1 600 >a-2
    make_run b-1 3 400 >b-1
    make_run b-2 1 400 >b-2
    # 1,200 in 3 s, and 800 in 4 s
    profdiff -q --per=second --format=tsv --label-from-name='^(?<run>.)' --runs=run a-? -- b-? >found
    [ "$(column base new <found)" = "$(printf '400\t200')" ] || fail "$(cat found)"
}

@test "what says no sides or runs is wrong" {
    for sides in user user: user:a user:a, user:,b user:a,b,c :a,b label::a,b; do
        run -2 --separate-stderr profdiff --sides="$sides" "$SAMPLES/plain.out"
        [ "${stderr%% (*}" = "profdiff: --sides: expected KEY:BASE,NEW, found \"$sides\"" ] || fail "$stderr"
    done
    run -2 --separate-stderr profdiff --sides=user:a,a "$SAMPLES/plain.out"
    [[ $stderr = 'profdiff: --sides: both sides are "a"'* ]] || fail "$stderr"
    run -2 --separate-stderr profdiff --runs= "$SAMPLES/plain.out" "$SAMPLES/lines.out"
    [[ $stderr = 'profdiff: --runs: expected'* ]] || fail "$stderr"
    run -2 --separate-stderr profdiff --sides=user:a,b "$SAMPLES/plain.out" -- "$SAMPLES/lines.out"
    [[ $stderr = 'profdiff: expected no --'* ]] || fail "$stderr"
    run -2 profdiff --rows --sides=user:a,b "$SAMPLES/plain.out"
    run -2 profdiff --rows --runs=user "$SAMPLES/plain.out" "$SAMPLES/lines.out"
}

@test "copies are no runs either where labels say sides and runs" {
    runs base 1 1 1
    runs new 3 2 1.3
    cp base-1 base-2
    cp base-1 base-3
    name='(?<side>base|new|same)-(?<run>[0-9])'
    for option in '' --sides=side:base,new '--sides=side:base,new --runs=run' --runs=run; do
        files=(base-? -- new-?)
        [[ $option != *sides* ]] || files=(base-? new-?)
        run -0 --separate-stderr profdiff --label-from-name="$name" $option "${files[@]}"
        [[ $stderr = *'copies count once: 2 runs of base'* ]] || fail "$option: $stderr"
        [[ $output = *'1 run of base, 3 runs of new'* ]] || fail "$option: $output"
    done
    for number in 1 2 3; do cp new-$number same-$number; done
    run -0 --separate-stderr profdiff --fail-if='self > 1 %' --label-from-name="$name" --sides=side:new,same new-? same-?
    [[ $stderr = *'no difference: base and new hold the same runs'* ]] || fail "$stderr"
    # what one file says of many values of a label is not the same run again
    {
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
            '{"table":"sources","source_id":1,"source_type":"x","source_uri":"x","source_timestamp":null}' \
            '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}' \
            '{"table":"locations","location_id":1,"function_id":1,"line":0}'
        for number in 1 2 3 4; do
            echo '{"table":"samples","sample_id":'$number',"source_id":1,".labels":[{"key":"one","str":"'$number'"}]}'
            echo '{"table":"sample_values","sample_id":'$number',"type":"samples","unit":"count","value":2}'
            echo '{"table":"sample_locations","sample_id":'$number',"depth":1,"location_id":1}'
        done
    } >all
    profdiff -q --sides=one:1,2 all >/dev/null
    run -0 --separate-stderr profdiff --runs=one all -- new-1
    [[ $stderr != *copies* ]] || fail "$stderr"
}

@test "what is missing from a run of several files is told, and fails a gate" {
    runs base 4 1 1
    runs new 4 2 1
    printf '{"table":"meta","key":"version","value":"2.0"}\n{"table":"sources","source_id":1,"source_type":"folded","source_uri":"new-5","source_timestamp":null}\n' >new-5
    run -4 --separate-stderr profdiff --fail-if='self > 50 %' --allow-empty --label-from-name='-(?<run>.)' --runs=run base-[123] -- new-[1235]
    [[ $stderr = *'a file has no samples, and is of no run: "new-5"'* ]] || fail "$stderr"
    run -4 --separate-stderr profdiff --fail-if='self > 50 %' --type=cpu --label-from-name='(?<run>.)' --runs=run \
        "$ROOT/samples/pprof/go-cpu.pb.gz" "$ROOT/samples/pprof/go-heap.pb.gz" -- "$ROOT/samples/pprof/go-inline.pb.gz"
    [[ $stderr = *'a file has no value of "cpu", and is a part of its run: "'*go-heap.pb.gz* ]] || fail "$stderr"
}

@test "a value of --sides that no sample has is an error that names those there are" {
    run -1 --separate-stderr profdiff --sides=user:anna,nobody "$ROOT/samples/pprof/go-labels.pb.gz"
    [[ $stderr = *'no sample has user=nobody; there are: '*'c \"d\"'*', anna' ]] || fail "$stderr"
}

@test "one byte in base is little, but something" {
    bytes() { printf 'main;f %s\n' "$1" | folded2ndjson | sed 's/"type":"samples","unit":"count"/"type":"alloc","unit":"bytes"/g'; }  # count
    bytes 1 >a
    bytes 0 >b
    try profdiff a b
    [[ $(cat stderr) != *'nothing to compare'* ]] || fail "$(cat stderr)"
    try profdiff b b --allow-equal
    grep -q 'no run has any "alloc": there is nothing to compare' stderr
}
