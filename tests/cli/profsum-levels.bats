# Tables that have pprof's figures by label, file and address, and as stacks: --by=A,B, --by=label, --by=filefunction,
# --by=address, --traces.

load helpers
load pprof-helpers

# The rows of the last level: the names of all levels as a JSON list, self, total, and the total of the row above.
# COLUMN names the rows of its level.
rows_of() {  # column,... file option ...
    local columns=$1
    shift
    profsum -q --format=json "$@" | jq -r --arg columns "$columns" '
        def below(names; above): .[] | (names + [.[($columns | split(","))[names | length]]]) as $names |
            if .rows then .total as $total | .rows | below($names; $total)
            else "\($names | tojson) \(.self) \(.total) \(above)" end;
        .rows | below([]; null)' | python3 -c '
import json, sys
for line in sys.stdin:
    names, end = json.JSONDecoder().raw_decode(line)
    print(json.dumps(names) + line.rstrip("\n")[end:])' | LC_ALL=C sort
}

# As levels.py adds the samples up.
judge() {  # type/unit, columns, levels, file ...
    local kind=$1 columns=$2 levels=$3
    shift 3
    rows_of "$columns" --type="$kind" --by="$levels" "$@" >ours
    profsum -q --samples --format=json "$@" | python3 "$BATS_TEST_DIRNAME/levels.py" "$kind" "$levels" | LC_ALL=C sort >theirs
    diff ours theirs >apart || fail "$levels of $*" "$(head -n 5 apart)"
    [ "$(wc -l <ours)" -ge 3 ] || fail "$levels of $*: $(cat ours)"
}

@test "rows of each level have the self and total of their samples" {
    need python3 jq
    judge cpu/nanoseconds label.user,function label:user,function "$PPROFS/go-labels.pb.gz"
    judge cpu/nanoseconds function,label.user function,label:user "$PPROFS/go-labels.pb.gz"
    judge cpu/nanoseconds label.user,label.request,function label:user,label:request,function "$PPROFS/go-labels.pb.gz"
    judge cpu/nanoseconds label.user,source label:user,source "$PPROFS/go-labels.pb.gz" "$PPROFS/go-cpu.pb.gz"
    judge cpu/nanoseconds source,function source,function "$PPROFS/go-labels.pb.gz" "$PPROFS/go-cpu.pb.gz"
    judge cpu/nanoseconds source,file,function source,file,function "$PPROFS"/go-{labels,cpu,inline}.pb.gz
    judge alloc_space/bytes label.bytes,function label:bytes,function "$PPROFS/go-heap.pb.gz"
}

# What a table says of its rows, without the columns that only one of them has.
totals_of() {  # name ... < rows of JSON
    jq -c '.rows[] | [.["'"$1"'"] // .["'"${2:-$1}"'"], .self, .self_pct, .total, .total_pct]'
}

@test "rows of the first level are those of a table by it alone, and functions keep theirs" {
    takes_long
    need jq
    local file
    for file in "$PPROFS"/go-{labels,cpu,heap,inline}.pb.gz "$PPROFS/cpp-cpu.pb.gz" "$SAMPLES"/{plain,lines,memory}.out; do
        for by in package file group mapping; do
            profsum -q --by=$by,function --format=json "$file" | totals_of $by >ours
            profsum -q --by=$by --format=json "$file" | totals_of $by | diff ours - || fail "$by of $file"
        done
        profsum -q --by=source,function --format=json "$file" | jq -c '.rows[].rows[] | [.function, .self, .total]' >ours
        profsum -q --format=json "$file" | jq -c '.rows[] | [.function, .self, .total]' | diff ours - || fail "functions of $file"
    done
    profsum -q --by=label:user,function --format=json "$PPROFS/go-labels.pb.gz" | totals_of label.user >ours
    profsum -q --by=label:user --format=json "$PPROFS/go-labels.pb.gz" | totals_of label | diff ours -
    [ "$(wc -l <ours)" -eq 5 ]
}

@test "a line is its file and its number, below a file too; self of a frame without a line stays above" {
    need jq
    profsum -q --by=file,line --format=ndjson "$SAMPLES/lines.out" | jq -c '[.function, .file, .line, .total]' | sort >ours
    profsum -q --by=line --format=ndjson "$SAMPLES/lines.out" |
        jq -c 'select(.line) | [.function, .file, .line, .total]' | sort | diff ours -
    profsum -q --by=source,line --format=json "$SAMPLES/lines.out" |
        jq -c '.rows[].rows[] | [.file, .line, .self, .total]' >ours
    profsum -q --by=line --format=json "$SAMPLES/lines.out" |
        jq -c '.rows[] | [.file // .function, .line, .self, .total]' | diff ours -
    profsum -q --by=function,line --format=json "$SAMPLES/lines.out" |
        jq -e '[.rows[] | select(.function == "simulate_days") | .rows[] | [.file, .line]] ==
            [["lines-simulate.R", 8], ["lines-simulate.R", 9]]' ||
        fail "$(profsum -q --by=function,line --format=ndjson "$SAMPLES/lines.out")"
}

# Of a value with bytes that are no UTF-8, some of which pprof takes for its own, the start alone.
same_bytes() {
    tr -d '\0' | sed 's/\xef\xbf\xbd[^\t]*/?/' | sort
}

# The values of each key as pprof has them, in the smallest units; there the key "bytes" is a unit.
tags_of_go() {  # value type, file
    local unit=B
    [[ $1 != *time* && $1 != cpu && $1 != delay ]] || unit=ns
    go_pprof -tags -sample_index="$1" -unit=$unit "$2" |
        python3 -c 'import sys; print(sys.stdin.buffer.read().decode(errors="replace"))' | awk '
        /: Total / { key = $0; sub(/: Total .*/, "", key); sub(/^ */, "", key); next }
        NF {
            value = $0
            sub(/^[^:]*:[ \t]*/, "", value)
            sub(/ +$/, "", value)
            if (key == "bytes") sub(/B$/, "", value)
            number = $1
            sub(/[^0-9.]+$/, "", number)
            sub(/[.]0*$/, "", number)
            if (number != "0") print key "\t" value "\t" number
        }' | same_bytes
}

@test "keys and values of labels have the sums of pprof's -tags" {
    takes_long
    need go jq python3
    local file type compared=0
    for file in "$PPROFS"/*.pb.gz "$OTHERS"/*.pb*; do
        [ -e "$file" ] || continue
        while read -r type; do
            tags_of_go "$type" "$file" >theirs
            [ -s theirs ] || continue
            profsum -q --by=label --type="$type" --format=json "$file" |
                jq -r '.rows[] | select(.key != "<no label>") | .key as $key | .rows[] | select(.total != 0) |
                    "\($key)\t\(.label)\t\(.total)"' | same_bytes >ours
            diff ours theirs >apart || fail "$type of $file" "$(head -n 5 apart)"
            compared=$((compared + $(wc -l <theirs)))
        done < <(profinfo --brief --format=ndjson "$file" | jq -r '.types[] | sub("/[^/]*$"; "")')
    done
    [ $compared -ge 20 ] || fail "only $compared"
}

@test "the table of keys says what part of the samples has one" {
    need jq
    profsum -q --by=label --format=json "$PPROFS/go-labels.pb.gz" |
        jq -c '[.columns[].name], (.rows[] | [.key, .total_pct, (.rows | length)])' >found
    diff found - <<'END'
["label","total","total_pct","total_pct_group","key"]
["user",91.66666667,4]
["request",52.77777778,1]
["<no label>",8.333333333,1]
END
}

@test "-n is about each group, --min-share about all rows" {
    need jq
    profsum -q --by=label:user,function -n 2 --format=json "$PPROFS/go-labels.pb.gz" >table
    jq -e '([.rows[].rows | length] == [2, 2, 2, 2, 2]) and ([.rows[].rows_left_out] | add) == .rows_left_out' table
    profsum -q --by=label:user,function --format=json "$PPROFS/go-labels.pb.gz" | jq -c '[.rows[].rows | length]' >all
    [ "$(jq -c '[.rows[].rows_left_out + 2]' table)" = "$(cat all)" ]
    [ "$(profsum -q --by=label:user,function -n 2 --format=csv "$PPROFS/go-labels.pb.gz" | wc -l)" -eq 11 ]
    profsum -q --by=label:user,function --min-share=20 --format=json "$PPROFS/go-labels.pb.gz" |
        jq -e '([.rows[]["label.user"]] | length == 2) and ([.rows[].rows[].total_pct] | min >= 20)'
    profsum -q --by=label:user,function -n 0 "$PPROFS/go-labels.pb.gz" | tail -n 1 | grep -qx "and $(
        profsum -q --by=label:user,function --format=csv "$PPROFS/go-labels.pb.gz" | sed 1d | wc -l) more rows"
}

@test "what is no list of levels is named" {
    while IFS=: read -r by expected; do
        run ! --separate-stderr profsum --by="${by//;/:}" "$SAMPLES/plain.out"
        [ $status -eq 2 ] && [[ $stderr == "profsum: --by: $expected"* ]] || fail "$by" "$stderr"
    done <<'END'
function,functon:expected function, group, package, filefunction, line, address, file, mapping, label
function,function:"function" is named twice
label;a,label;a:"label:a" is named twice
file,line,function,source:expected at most 3 levels, found "file,line,function,source"
label;a,stack:stack cannot be one of several levels
function,:expected function
,function:expected function
label,function:label cannot be one of several levels; label:KEY can
END
    for view in --calls --peek=x --hot-paths --stacks --nodes --profile --models '--fail-if=self>1%'; do
        run ! profsum --by=file,function $view "$SAMPLES/plain.out"
        [ $status -eq 2 ] || fail "$view" "$output"
    done
    profsum --by=label:nobody,function "$PPROFS/go-labels.pb.gz" 2>err >out
    grep -q 'no sample has a label "nobody"; there are: ' err
}

# What pprof reckons at a granularity: "flat cum name", the address first.
granular_of_go() {  # value type, unit, granularity, file
    go_top "$1" "$4" "$2" "-$3" | sed -E 's/ \(partial-inline\)$//' | LC_ALL=C sort
}

# The same of profsum.
granular_of_ours() {  # value type, by, file
    profsum -q --type="$1" --by="$2" --format=json "$3" | jq -r '
        def base: (. // "") | sub("^[.]/"; "");
        def hex: if . then ltrimstr("0x") | ("0" * (16 - length)) + . + " " else "" end;
        .rows[] | [.self, .total, (if has("address") then (.address | hex) else "" end) + (.function + if .file then "\n" else "" end |
            sub("^[[][^]]*]\n"; "\n") | rtrimstr("\n")) +
            (if .file then (if .function[:1] == "[" then "" else " " end) + (.file | base) else "" end) + (if .line then ":\(.line)" else "" end)] |
        map(tostring) | join(" ")' | LC_ALL=C sort
}

@test "functions in files, and addresses, have the figures of pprof" {
    takes_long
    need go jq
    local file type unit by granularity compared=0
    for file in "$PPROFS"/*.pb.gz "$OTHERS"/*.pb*; do
        [ -e "$file" ] || continue
        for by in filefunction:filefunctions address:addresses; do
            granularity=${by#*:}
            while read -r type; do
                unit=B
                [[ $type != *time* && $type != cpu && $type != delay ]] || unit=ns
                granular_of_go "$type" $unit $granularity "$file" >theirs
                granular_of_ours "$type" ${by%:*} "$file" >ours
                diff <(grep -v '^0 0 ' ours) <(grep -v '^0 0 ' theirs) >apart || fail "$granularity of $type in $file" "$(head -n 6 apart)"
                compared=$((compared + $(wc -l <theirs)))
            done < <(profinfo --brief --format=ndjson "$file" | jq -r '.types[] | sub("/[^/]*$"; "")')
        done
    done
    [ $compared -ge 300 ] || fail "only $compared"
}

@test "stacks have the values, labels and frames of pprof's -traces" {
    takes_long
    need go python3
    local type file compared=0
    for file in "$PPROFS"/*.pb.gz "$OTHERS"/*.pb*; do
        [ -e "$file" ] || continue
        while read -r type; do
            go_pprof -traces -sample_index="$type" -unit=B "$file" | python3 "$BATS_TEST_DIRNAME/traces.py" go | sort >theirs
            profsum -q --traces --type="$type" "$file" | python3 "$BATS_TEST_DIRNAME/traces.py" ours | sort >ours
            diff ours theirs >apart || fail "$type of $file" "$(head -n 5 apart | cut -c 1-200)"
            compared=$((compared + $(wc -l <theirs)))
        done < <(profinfo --brief --format=ndjson "$file" | jq -r '.types[] | select(endswith("/count")) | sub("/[^/]*$"; "")')
    done
    [ $compared -ge 100 ] || fail "only $compared"
}

@test "stacks are for people, the largest first" {
    printf 'main;a\\nb 2\n' >x.folded
    [ "$(profsum --traces x.folded | sed -n '5p')" = '    2   100.00  a\\nb' ] || fail "$(profsum --traces x.folded)"
    profsum -q --traces -n 2 "$SAMPLES/lines.out" --by=line >found
    diff found - <<'END'
lines.out
cpu: 405.00 ms in 81 samples
value (ms)  value %  stack, innermost first

    190.00    46.91  lines-report.R:8

     70.00    17.28  FUN in lines-simulate.R:4
                     simulate_days in lines-simulate.R:8
and 8 more stacks
END
    profsum -q --traces --by=line --min-share=40 "$SAMPLES/lines.out" | tail -n 1 | grep -qx 'and 9 more stacks'
    profsum -q --traces --format=markdown "$SAMPLES/lines.out" | grep -cx '```' | grep -qx 2
    for option in --format=csv --format=ndjson --by=source --by=label:x --by=stack --sort=total --columns --calls --by=file,line; do
        run -2 profsum --traces $option "$SAMPLES/lines.out"
    done
}

# Values of either sign, and a label that a sample has three times.
signs() {
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":"x","source_timestamp":null}'
    local id=0 function value labels
    while read -r function value labels; do
        id=$((id + 1))
        echo '{"table":"functions","function_id":'$id',"name":"'$function'","system_name":"'$function'","filename":"f.c","start_line":0}'
        echo '{"table":"locations","location_id":'$id',"function_id":'$id',"line":7}'
        echo '{"table":"samples","sample_id":'$id',"source_id":1,".labels":['"$labels"']}'
        echo '{"table":"sample_values","sample_id":'$id',"type":"cpu","unit":"nanoseconds","value":'$value'}'
        echo '{"table":"sample_locations","sample_id":'$id',"depth":1,"location_id":'$id'}'
    done <<'END'
a -50 {"key":"u","str":"x"}
b -50 {"key":"u","str":"x"}
b 30 {"key":"u","str":"y"}
c 20 {"key":"u","str":"y"}
d 20 {"key":"v","str":"z"},{"key":"v","str":"z"},{"key":"v","str":"z"}
e 50 {"key":"w","str":"z"},{"key":"t","str":"z"}
END
}

@test "what is below zero is there, and what is zero has no percents below" {
    need jq
    signs >rows
    profsum -q --by=function,label:u --format=json rows |
        jq -c '.rows_left_out, (.rows[] | [.function, .total, ([.rows[] | [.["label.u"], .total]])])' >found
    diff found - <<'END'
0
["a",-50,[["x",-50]]]
["e",50,[["<no label>",50]]]
["b",-20,[["x",-50],["y",30]]]
["c",20,[["y",20]]]
["d",20,[["<no label>",20]]]
END
    profsum -q --by=function,label:u --min-share=22 --format=json rows | jq -e '[.rows[].function] == ["a", "e"]'
    # -50 -50 +30 +20 +20 +50 is 20; b and c and d without it 0
    sed 's/"value":20}/"value":0}/; s/"value":50}/"value":100}/' rows >zero
    profsum -q --by=source,function --format=ndjson zero | jq -c .total_pct_group >found
    sed 's/"value":100}/"value":70}/' zero | profsum -q --by=source,function --format=json |
        jq -e '.rows[0].total == 0 and ([.rows[0].rows[].total_pct_group] | unique == [null])'
    # a key counts once in a sample, in the order of rows, too
    profsum -q --by=label --format=json rows | jq -c '[.rows[] | [.key, .total]]' | diff - <(echo '[["t",50],["u",-50],["w",50],["v",20]]')
}

@test "functions of one line keep their names" {
    signs >rows
    profsum -q --by=line,function --format=csv rows | cut -d, -f1-3,6 | diff - <(printf '%s\n' function,file,line,total \
        a,f.c,7,-50 e,f.c,7,50 b,f.c,7,-20 c,f.c,7,20 d,f.c,7,20)
    profsum -q --by=function,line --format=csv rows | cut -d, -f1-3,6 | sed 1d | diff - <(printf '%s\n' \
        a,f.c,7,-50 e,f.c,7,50 b,f.c,7,-20 c,f.c,7,20 d,f.c,7,20)
    profsum -q --by=filefunction,file --format=json rows | jq -e 'all(.rows[]; .function and .file and all(.rows[]; .file))'
}

@test "on a terminal rows of levels fit in" {
    need_terminal
    TERM=xterm script -qec "stty cols 90 rows 10; profsum --by=label:user,function $PPROFS/go-labels.pb.gz" /dev/null </dev/null >x
    [ "$(wc -l <x)" -eq 9 ] || fail "$(cat x)"
    TERM=xterm script -qec "stty cols 90 rows 10; profsum --by=label:user,function -n 99 $PPROFS/go-labels.pb.gz" /dev/null </dev/null >x
    [ "$(wc -l <x)" -gt 20 ]
}

@test "five hundred files: totals of each hour, functions of each service, one day and the next" {
    need jq
    local names='(?<day>[0-9-]+)/(?<hour>[0-9]+)/(?<service>[^/.]+)[.]'
    awk 'BEGIN {
        for (day = 24; day <= 25; day++) for (hour = 0; hour < 10; hour++) {
            folder = "2026-11-" day "/" hour
            system("mkdir -p " folder)
            for (service = 1; service <= 25; service++) {
                file = sprintf("%s/svc%02d.folded", folder, service)
                for (i = 0; i < 9; i++) print "main;serve;f" (service + i) % 13 " " ++count % 1009 + day >file
                print "main;wait " count * 7 % 101 >file
                close(file)
            }
        }
    }'
    profsum -q --label-from-name="$names" --by=label:hour --format=json */*/*.folded >hours
    jq -e '(.rows | length) == 10 and ([.rows[].self] | add) == .all' hours
    [ "$(jq '.rows[] | select(.label == "7").self' hours)" = "$(profsum -q --format=json */7/* | jq .all)" ]
    profsum -q --label-from-name="$names" --by=label:service,function -n 5 --format=json */*/* >services
    jq -e '[.rows[].rows | length] == [range(25) | 5]' services
    jq -c '.rows[] | select(."label.service" == "svc13").rows[] | [.function, .self, .total]' services >ours
    profsum -q -n 5 --format=json */*/svc13.folded | jq -c '.rows[] | [.function, .self, .total]' | diff ours -
    profdiff -q --format=tsv --label-from-name="$names" --sides=day:2026-11-24,2026-11-25 */*/* >ours
    profdiff -q --format=tsv 2026-11-24/*/* -- 2026-11-25/*/* | diff ours -
}
