#!/usr/bin/env bats
# Files of Xdebug: profiles against the traces of the same runs, which say each call and return.
load helpers

# "count stack" of a trace by its levels alone, as folded stacks; names as profiles have them.
calls_of_trace() {  # trace
    tr -d '\r' <"$1" | awk -F '\t' '
        $3 == "0" {
            name = $7 == 0 ? "php::" $6 : $6
            if ($6 ~ /^(include|require)(_once)?$/) name = name "::" $8
            stack[$1] = ($1 > 1 ? stack[$1 - 1] ";" : "") name
            count[stack[$1]]++
        }
        END { for (s in count) print s, count[s] }' | sort
}

# The same of functions, whatever calls them.
functions() {
    awk '{ n = $NF; sub(/ [0-9]*$/, ""); sub(/.*;/, ""); sums[$0] += n } END { for (f in sums) print f, sums[f] }' | sort
}

by_rows() {  # file
    xdebug2ndjson -q --strict "$1" | ndjson2folded -q --type=calls | sort
}

@test "a profile has the calls of the trace of its run, with their stacks" {
    sample=$ROOT/samples/xdebug/words
    calls_of_trace "$sample.xt" >expected
    [ "$(wc -l <expected)" -gt 25 ]
    by_rows "$sample.cachegrind" | diff expected -
    by_rows "$sample.xt" | diff expected -
}

@test "calls in a fiber are counted, and have a caller in a trace" {
    gunzip -c "$ROOT/samples/xdebug/fiber.xt.gz" >fiber.xt
    calls_of_trace fiber.xt | functions >expected
    for file in fiber.xt "$ROOT/samples/xdebug/fiber.cachegrind.gz"; do
        by_rows "$file" | functions | diff expected -
    done
    by_rows fiber.xt | grep -q '^{main};php::Fiber->start;{closure:[^;]*};inside 2$'
    by_rows "$ROOT/samples/xdebug/fiber.cachegrind.gz" | grep -q '^{closure:[^;]*};inside 2$'
}

@test "a run of now has the calls of its trace" {
    need php
    php -m | grep -qx xdebug || skip 'needs php-xdebug'
    mkdir out
    cat >random.php <<'END'
<?php
mt_srand(7);
class A {
    function m($d) { return walk($d - 1); }
    static function s($d) { return array_map(fn ($x) => walk($x), [$d - 1, $d - 2]); }
    function __call($name, $arguments) { return walk($arguments[0]); }
}
function generate($d) { yield walk($d); yield from [walk($d - 1)]; }
function fail($d) { walk($d); throw new Exception("x"); }
function walk($d) {
    if ($d < 1) return strlen("x");
    switch (mt_rand(0, 6)) {
    case 0: return (new A)->m($d);
    case 1: return A::s($d);
    case 2: return iterator_to_array(generate($d - 1), false);
    case 3: try { return fail($d - 1); } catch (Exception $e) { return $e->getLine(); }
    case 4: return call_user_func('walk', $d - 1);
    case 5: return (new A)->other($d - 2);
    default: return usort($GLOBALS['list'], function ($a, $b) use ($d) { walk($d - 3); return $a <=> $b; });
    }
}
$list = [3, 1, 2];
for ($i = 0; $i < 60; $i++) walk(9);
END
    php -d xdebug.mode=profile,trace -d xdebug.start_with_request=yes -d xdebug.output_dir=out -d xdebug.trace_format=1 \
        -d xdebug.use_compression=0 -d xdebug.profiler_output_name=random.cachegrind -d xdebug.trace_output_name=random random.php
    calls_of_trace out/random.xt >expected
    [ "$(wc -l <expected)" -gt 500 ]
    by_rows out/random.cachegrind | diff expected -
    by_rows out/random.xt | diff expected -
}

@test "costs are those of the file, and a call costs what the calls in it do" {
    need jq
    for file in "$ROOT"/samples/xdebug/*.cachegrind; do
        # lines of costs, without those behind "calls="
        for column in 2 3; do
            awk -v column=$column '/^calls=/ { getline; next } /^[0-9]/ { sum += $column } END { print sum + 0 }' "$file"
        done >expected
        xdebug2ndjson "$file" | jq -nr '
            reduce (inputs | select(.table == "sample_values")) as $v ({Time: 0, Memory: 0}; .[$v.type] += $v.value)
            | .Time / 10, .Memory' | diff expected -
    done
    # what passes in a trace is from its first line to the last one in which a function is open
    for file in "$ROOT/samples/xdebug/words.xt"; do
        awk -F '\t' '$3 == "0" && !began { began = 1; time = $4; memory = $5 }
            $3 == "1" { end = $4; last = $5 }
            END { printf "%d\n%d\n", (end - time) * 1000000 + 0.5, last - memory }' "$file" >expected
        xdebug2ndjson "$file" | jq -nr '
            reduce (inputs | select(.table == "sample_values")) as $v ({Time: 0, Memory: 0}; .[$v.type] += $v.value)
            | .Time / 1000, .Memory' | diff expected -
    done
    # what a call cost with all in it is the sum of these, but for 10 ns in each
    xdebug2ndjson "$ROOT/samples/xdebug/words.cachegrind" | jq -ne '
        reduce inputs as $r ({};
            if $r.table == "locations" then .functions["\($r.location_id)"] = $r.function_id
            elif $r.table == "samples" then .samples += [{stack: []}]
            elif $r.table == "sample_values" then .samples[-1][$r.type] = $r.value
            elif $r.table == "sample_locations" then
                .samples[-1].stack |= [$r.location_id] + .
            else . end)
        | .functions as $functions
        | [.samples[] | .stack |= map($functions["\(.)"])]
        | . as $samples | [.[] | select(.inclusive_Time)] | group_by(.stack)
        | map(.[0].stack as $stack | [$samples[] | select(.stack[:($stack | length)] == $stack)] as $inside
            | (map(.inclusive_Time) | add) - ($inside | map(.Time // 0) | add) | fabs / 10 / ($inside | length))
        | length > 20 and max <= 1'
}

@test "a file that is cut anywhere is refused or reported" {
    for name in siblings trace-inside; do
        cp "$ROOT/tests/cases/xdebug2ndjson/$name/input" whole
        xdebug2ndjson --strict whole >/dev/null
        size=$(sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' whole | wc -c)  # blank lines at the end say nothing
        for n in $(seq 1 $((size - 1)) | few_lines 15); do
            head -c "$n" whole >cut
            run ! xdebug2ndjson --strict cut
            xdebug2ndjson cut >rows 2>message || [ -s message ]
            [ -s message ]
        done
    done
}

@test "a profile is told from a callgrind file by its creator" {
    input=$ROOT/tests/cases/xdebug2ndjson/small/input
    profcat "$input" | grep -q '"source_type":"xdebug"'
    sed 's/creator: xdebug/creator: other/' "$input" | profcat | grep -q '"source_type":"callgrind"'
    gzip -c "$input" | profcat | grep -q '"source_type":"xdebug"'
    try callgrind2ndjson "$input"
    says 1 "callgrind2ndjson: $input: expected a callgrind file, found an Xdebug file: xdebug2ndjson reads it"
}
