#!/usr/bin/env bats
# Files of Callgrind: costs of functions and of calls, against callgrind_annotate and sums by hand.
load helpers

# Files with one part and without basic blocks: of others callgrind_annotate says something else.
annotated() {
    ls "$ROOT"/samples/callgrind/{calls,cache}.callgrind "$ROOT/tests/cases/callgrind2ndjson/small/input"
}

# "cost file:function" of the first event as callgrind_annotate says it; inlined lines are functions of
# their file there.
said() {  # file, option ...
    callgrind_annotate --auto=no --threshold=100 --show="$(sed -n 's/^events: *\([^ ]*\).*/\1/p' "$1" | head -n 1)" "${@:2}" "$1" |
        sed -n 's/ \[[^]]*\]$//; s/^ *\([0-9][0-9,]*\) *([^)]*) *\(.*:.*\)/\1 \2/p' |
        awk '{ gsub(",", "", $1); print }' | sort
}

# The same by rows, with FILTER over samples, each with its values, frames and costs.
by_rows() {  # file, filter
    callgrind2ndjson -q "$1" | jq -nr '
        reduce inputs as $r ({};
            if $r.table == "sources" then .event = $r[".value_types"][1].type
            elif $r.table == "functions" then .functions["\($r.function_id)"] = $r
            elif $r.table == "locations" then .locations["\($r.location_id)"] = $r
            elif $r.table == "samples" then .samples += [{}]
            elif $r.table == "sample_values" then .samples[-1].values[$r.type] = $r.value
            elif $r.table == "sample_locations" then .samples[-1].stack += [$r.location_id]
            else . end)
        | . as $p
        | def file: if . == "" then "???" else . end;
          def name($at): $p.locations["\($at)"] as $l | $p.functions["\($l.function_id)"] as $f
              | "\($l[".callgrind_file"] // $f.filename | file):\($f.name)";
          [.samples[] | '"$2"' | select(.cost > 0)] | group_by(.name)[]
        | "\(map(.cost) | add) \(.[0].name)"' | sort
}

@test "functions and calls cost what callgrind_annotate says" {
    need callgrind_annotate
    need jq
    for file in $(annotated); do
        said "$file" >expected
        [ -s expected ]
        by_rows "$file" '{name: name(.stack[0]), cost: (.values[$p.event] // 0)}' | diff expected -
        # what was called costs what its calls cost; so it says of recursive ones as well, each time
        by_rows "$file" 'select(.stack[1]) | {name: name(.stack[0]), cost: .values["inclusive_" + $p.event]}' >calls
        said "$file" --inclusive=yes >expected
        [ -s calls ]
        comm -23 calls expected >missing
        [ ! -s missing ]
    done
}

# "cost function" by the lines of a file, all parts together: of functions, without calls and jumps.
by_hand() {  # file, column of the cost
    awk -v column="$2" '
        function number(name) { sub(/^[^(]*/, "", name); sub(/\).*/, ")", name); return name }
        /^jump=|^jcnd=|^calls=/ { getline; next }
        /^c?fn=\([0-9]+\) / { id = number($0); text = $0; sub(/^[^ ]* /, "", text); names[id] = text }
        /^fn=/ { current = number($0) }
        /^[0-9+*-]/ { costs[current] += $column }
        END {
            for (id in costs) sums[names[id]] += costs[id]
            for (name in sums) if (sums[name] > 0) print sums[name], name
        }' "$1" | sort
}

@test "functions cost what their lines say" {
    need jq
    for file in calls cache; do
        column=$([ $file = cache ] && echo 3 || echo 2)
        by_hand "$ROOT/samples/callgrind/$file.callgrind" "$column" >expected
        by_rows "$ROOT/samples/callgrind/$file.callgrind" \
            '{name: $p.functions["\($p.locations["\(.stack[0])"].function_id)"].name, cost: (.values[$p.event] // 0)}' |
            diff expected -
    done
}

@test "parts add up to their totals, and to the whole" {
    need jq
    # of both parts, and of the program without parts
    callgrind2ndjson --strict "$ROOT/samples/callgrind/parts.callgrind" >rows
    jq -s -c '[group_by(.table)[] | select(.[0].table == "sources") | length]' rows | grep -Fx '[2]'
    total=$(jq -n '[inputs | select(.table == "sample_values" and .type == "Ir") | .value] | add' rows)
    sum=$(awk '/^totals:/ { sum += $2 } END { print sum }' "$ROOT/samples/callgrind/parts.callgrind")
    [ "$total" = "$sum" ]
    profsum -q --format=csv "$ROOT/samples/callgrind/parts.callgrind" | grep -q main
}

@test "a function that calls itself is counted once" {
    # f costs 1 itself and 9 in calls of itself; main calls it
    cat >recursive <<'END'
events: Ir
fn=main
1 2
cfn=f
calls=1 5
2 10

fn=f
5 10
cfn=f
calls=3 5
6 27
END
    profsql -q --format=csv "SELECT f.function, sum(value) AS Ir
        FROM sample_values JOIN sample_frames AS f USING (sample_id)
            JOIN sample_frames AS called USING (sample_id)
        WHERE called.depth = 1 AND (type = 'Ir' OR (type = 'inclusive_Ir'
            AND f.depth = 2 AND f.function <> called.function))
        GROUP BY f.function ORDER BY 1" recursive >sums
    printf 'function,Ir\nf,10\nmain,12\n' | diff - sums
    # inclusive costs are in no sum of a stack
    profsum --format=csv recursive | grep -F 'f,'
    run ! profsum --type=inclusive_Ir recursive
}

@test "a file that is cut anywhere is refused or reported" {
    { cat "$ROOT/tests/cases/callgrind2ndjson/no-totals/input" && printf 'cfn=g\ncalls=1 7\n+3 9 1\ntotals: 1 2\n'; } >whole
    callgrind2ndjson --strict whole >/dev/null
    size=$(wc -c <whole)
    for n in $(seq 1 $((size - 1)) | few_lines 5); do
        head -c "$n" whole >cut
        run ! callgrind2ndjson --strict cut
        callgrind2ndjson cut >rows 2>message || [ -s message ]
        [ -s message ]
    done
}

# "number function" of the functions whose name only one function has.
once() {  # lines "number file:function" or "number function" on standard input
    awk '{ n = $1; $1 = ""; name = substr($0, 2); sub(/^[^:]*\.(go|c|R|cc|js|py):|^\?\?\?:|^[^:]*\/[^:]*:/, "", name)
           count[name]++; numbers[name] = n }
         END { for (name in count) if (count[name] == 1 && numbers[name] > 0) print numbers[name], name }' | sort
}

@test "written files have the sums of functions for callgrind_annotate" {
    need callgrind_annotate
    need jq
    printf 'main;f;g;f;h 3\nmain;f 2\nf;g 1\nf;f;f 4\nk 1\n' >a.folded
    printf 'b;a;b;a;c 1\na;b;c 2\nc 5\n' >b.folded
    count=0
    for file in a.folded b.folded "$ROOT"/samples/pprof/*.pb.gz; do
        ndjson2callgrind -q -o x.callgrind "$file" || continue
        type=$(callgrind2ndjson -q x.callgrind | jq -r 'select(.table == "sources")[".value_types"][1].type')
        profsum -q --type="$type" --format=ndjson -n 100000 "$file" >sums || continue
        grep -q '"unit":"\(count\|bytes\|nanoseconds\)"' sums || continue
        for column in self total; do
            jq -r 'select(.unit and .function != null) | "\(.'$column') \(.function)"' sums | once >expected
            said x.callgrind --inclusive=$([ $column = total ] && echo yes || echo no) | grep -v "<root>" | once >found
            [ -s expected ]
            # a name without one stands for several functions here, and for one there
            awk 'NR == FNR { n[substr($0, index($0, " "))] = $1; next }
                { name = substr($0, index($0, " ")) }
                name in n && name !~ /\[/ { shared++; if (n[name] != $1) { print "differs:" name; bad = 1 } }
                END { exit bad || !shared }' expected found || fail "$file"
        done
        count=$((count + 1))
    done
    [ $count -ge 4 ]
}

@test "what is written is read with the same costs, and written again the same" {
    need jq
    printf '%s\n' "$ROOT"/samples/callgrind/*.callgrind "$ROOT"/tests/cases/callgrind2ndjson/{small,recursion,callee,units}/input \
        "$ROOT"/samples/pprof/*.pb.gz "$ROOT"/samples/rprof/lines.out | few_lines 3 >files
    while IFS= read -r file; do
        ndjson2callgrind -q "$file" >x.callgrind
        callgrind2ndjson --strict x.callgrind | profvalidate
        ndjson2callgrind -q x.callgrind | same x.callgrind -
        case $file in *callgrind*) ;; *) continue ;; esac
        for filter in '{name: name(.stack[0]), cost: (.values[$p.event] // 0)}' \
            'select(.stack[1]) | {name: "\(name(.stack[1])) \(name(.stack[0]))", cost: .values["inclusive_" + $p.event]}' \
            'select(.stack[1]) | {name: "\(name(.stack[1])) \(name(.stack[0]))", cost: .values.calls}'; do
            by_rows "$file" "$filter" >expected
            by_rows x.callgrind "$filter" | diff expected -
        done
    done <files
}
