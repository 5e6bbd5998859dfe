#!/usr/bin/env bats
# Files of Python's pstats, against what Python itself prints of them.
load helpers

# What pstats prints of a file, of functions, callers and callees, and of its rows.
agree() {  # file
    python3 "$BATS_TEST_DIRNAME/judge-pstats.py" print "$1" >expected
    [ "$(wc -l <expected)" -gt 20 ]
    pstats2ndjson --strict "$1" | python3 "$BATS_TEST_DIRNAME/judge-pstats.py" print-rows | diff expected - ||
        fail "$1"
}

@test "functions, callers and callees have the numbers that pstats prints, in ten files" {
    need python3
    mkdir made
    python3 "$BATS_TEST_DIRNAME/judge-pstats.py" make made
    [ "$(ls made/*.pstats | wc -l)" = 10 ]
    for file in made/*.pstats; do
        agree "$file"
    done
}

@test "so have the samples" {
    need python3
    for file in "$ROOT"/samples/pstats/*.pstats "$ROOT"/tests/cases/pstats2ndjson/{small,callers-counted}/input; do
        agree "$file"
    done
}

@test "Python 2 and old formats say the same" {
    cases=$ROOT/tests/cases/pstats2ndjson
    for name in version1 version2; do
        cmp "$cases/small/stdout" "$cases/$name/stdout"
    done
    pstats2ndjson "$cases/python2/input" | profvalidate
}

@test "a file that is cut anywhere is refused" {
    input=$ROOT/tests/cases/pstats2ndjson/small/input
    size=$(wc -c <"$input")
    for n in $(seq 0 $((size - 1)) | few_lines 5); do
        head -c "$n" "$input" >cut
        try pstats2ndjson cut
        [ $status -eq 1 ]
        [ -s stderr ]
    done
}

@test "times by callers are those of the functions that are called" {
    need jq
    # all calls have callers, but for what cProfile itself calls
    pstats2ndjson "$ROOT/samples/pstats/cProfile.pstats" | jq -ne '
        reduce (inputs | select(.table == "sample_values")) as $v ({}; .[$v.type] += $v.value)
        | .calls - .calls_by_caller <= 2 and (.time - .time_by_caller | . >= 0 and . < 1e5)'
}

@test "pictures of call edges say so, and show no deeper stack" {
    for file in pstats/cProfile.pstats callgrind/calls.callgrind stackprof/sums.json; do
        profflame -o x.svg "$ROOT/samples/$file" 2>message
        grep -q 'from call edges, not stacks' message
        grep -q 'from call edges, not stacks' x.svg
    done
    profflame --type=time_by_caller --format=text "$ROOT/samples/pstats/cProfile.pstats" >picture
    [ "$(grep -c '▏' picture)" = 2 ]
    # stacks, be there inclusive values or not
    for file in xdebug/words.cachegrind stackprof/wall.json; do
        profflame -o x.svg "$ROOT/samples/$file" 2>message
        run ! grep 'call edges' message x.svg
    done
    # also beside real stacks of the same format, which have other types of values
    profflame --format=text "$ROOT"/samples/stackprof/{sums,wall}.json 2>&1 >/dev/null | grep -q 'call edges'
    run ! grep 'call edges' <(profflame --format=text "$ROOT/samples/stackprof/wall.json" 2>&1)
}
