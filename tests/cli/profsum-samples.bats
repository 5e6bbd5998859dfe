# profsum --samples: a row for each sample, with all that it has.

load helpers

# What the rows on standard input say of each sample: a JSON object with what `profsum --samples` shows, absent
# columns left out.  Frames have names.
by_jq() {
    jq -cs '
        def plain: if type == "object" and has("bytes") then "?" else . end;
        def frame(names): {function: (names.name // null | if . == "" then null else . end), file: (names.filename // "" | if . == "" then null else . end)};
        def members(name): if type == "object" then to_entries | map(.key as $k | .value | members("\(name).\($k)")) | add // {} else {(name): .} end;
        (map(select(.table == "functions") | {key: (.function_id | tostring), value: frame(.)}) | from_entries) as $functions |
        (map(select(.table == "locations") | {key: (.location_id | tostring), value: ($functions[.function_id | tostring] + {line: (if (.line // 0) > 0 then .line else null end)})}) | from_entries) as $frames |
        (map(select(.table == "sample_values")) | group_by(.sample_id) |
            map({key: (.[0].sample_id | tostring), value: (map({key: "value.\(.type)/\(.unit)", value}) | from_entries)}) | from_entries) as $values |
        # samples of these stand for a time
        (map(select(.table == "sources" and .source_type != "pprof" and .[".period"])) |
            map({key: (.source_id | tostring), value: .[".period"]}) | from_entries) as $periods |
        (map(select(.table == "sample_locations")) | group_by(.sample_id) |
            map({key: (.[0].sample_id | tostring), value: (sort_by(-.depth) | map($frames[.location_id | tostring]))}) | from_entries) as $stacks |
        .[] | select(.table == "samples") | . as $sample | ($stacks[.sample_id | tostring] // []) as $stack |
        ({sample_id, time: .[".time"], stack: $stack, leaf: $stack[-1].function, leaf_file: $stack[-1].file, leaf_line: $stack[-1].line} | with_entries(select(.value != null))) +
        ($values[.sample_id | tostring] // {} | . + ($periods[$sample.source_id | tostring] as $period |
            if $period and has("value.samples/count") then {"value.\($period.type)/\($period.unit)": (.["value.samples/count"] * $period.value)} else {} end)) +
        (.[".labels"] // [] | map({key: (if has("str") or (has("unit") | not) then "label.\(.key)" else "label.\(.key)/\(.unit)" end), value: (if has("str") then .str | plain else .num end)}) |
            group_by(.key) | map({key: .[0].key, value: (if length > 1 then map(.value) else .[0].value end)}) | from_entries) +
        ($sample | del(.table, .sample_id, .source_id, .[".labels"], .[".time"]) | to_entries | map(.key as $k | .value | members($k)) | add // {})'
}

our_samples() {  # file
    profsum -q --samples --format=ndjson "$1" | jq -c 'del(.source) | with_entries(select(.value != null)) |
        with_entries(if (.key | startswith("label.")) and (.value | type == "string" and test("\ufffd")) then .value = "?" else . end)'
}

@test "rows have what the samples of the stream have" {
    need jq
    for file in "$ROOT"/samples/pprof/go-*.pb.gz "$ROOT"/samples/rprof/{plain,memory,odd-names}.out "$ROOT"/samples/speedscope/*.json; do
        profcat -q "$file" >rows
        by_jq <rows | jq -cS . >expected
        our_samples rows | jq -cS . >found
        [ -s expected ]
        same expected found || fail "$file" "$(diff expected found | head -n 4)"
        # a file is what its rows are
        our_samples "$file" | jq -cS . | same found -
    done
}

@test "labels and members of all kinds are columns, in the order of values, labels and members" {
    need jq
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":"a.x","source_timestamp":null}' \
        '{"table":"sources","source_id":2,"source_type":"x","source_uri":"a.x","source_timestamp":null}' \
        '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"a.c","start_line":0}' \
        '{"table":"locations","location_id":1,"function_id":1,"line":7}' \
        '{"table":"samples","sample_id":4,"source_id":2,".perun":{"uid":"m::f","deep":{"n":1.50},"list":[1,{"a":"b"}]},".flag":true,".labels":[{"key":"k\t,","str":"a,\"b\""},{"key":"n","num":-3,"unit":"bytes"},{"key":"n","num":5},{"key":"n","num":6},{"key":"n","str":"x"}]}' \
        '{"table":"sample_values","sample_id":4,"type":"t","unit":"","value":9007199254740993}' \
        '{"table":"sample_values","sample_id":4,"type":"r","unit":"s","value":2.5e-3}' \
        '{"table":"sample_locations","sample_id":4,"depth":1,"location_id":1}' \
        '{"table":"sample_locations","sample_id":4,"depth":2,"location_id":1}' \
        '{"table":"samples","sample_id":9,"source_id":1,".z":""}' >rows
    profsum --samples --format=ndjson rows >found
    {
        printf '%s' '{"sample_id":1,"time":null,"source":"a.x#2","stack":[{"function":"f","file":"a.c","line":7},{"function":"f","file":"a.c","line":7}],' \
            '"leaf":"f","leaf_file":"a.c","leaf_line":7,"value.t/":9007199254740993,"value.r/s":2.5e-3,' \
            '"label.k\t,":"a,\"b\"","label.n":[5,6,"x"],"label.n/bytes":-3,' \
            '".perun.uid":"m::f",".perun.deep.n":1.50,".perun.list":[1,{"a":"b"}],".flag":true,".z":null}'
        echo
        printf '%s' '{"sample_id":2,"time":null,"source":"a.x","stack":[],"leaf":null,"leaf_file":null,"leaf_line":null,"value.t/":null,"value.r/s":null,' \
            '"label.k\t,":null,"label.n":null,"label.n/bytes":null,".perun.uid":null,".perun.deep.n":null,".perun.list":null,".flag":null,".z":""}'
        echo
    } | same - found
    profsum --samples --format=json rows | jq -c '.rows[]' >x.json
    jq -c . found | same x.json -
    profsum --samples --format=tsv rows >x.tsv
    {
        printf 'sample_id\ttime\tsource\tstack\tleaf\tleaf_file\tleaf_line\tvalue.t/\tvalue.r/s\tlabel.k\\t,\tlabel.n\tlabel.n/bytes\t.perun.uid\t.perun.deep.n\t.perun.list\t.flag\t.z\n'
        printf '1\t\ta.x#2\tf;f\tf\ta.c\t7\t9007199254740993\t2.5e-3\ta,"b"\t[5,6,"x"]\t-3\tm::f\t1.50\t[1,{"a":"b"}]\ttrue\t\n'
        printf '2\t\ta.x\t\t\t\t\t\t\t\t\t\t\t\t\t\t\n'
    } | same - x.tsv
    profsum --samples --format=csv rows | head -n 1 | grep -q ',"label.k'$'\t'',",'
    # for people: numbers, labels and members, and the stack last; `.` where there is nothing
    profsum --samples rows | sed -n '3,$s/  */ /gp' >found
    printf '%s\n' 'sample value.t/ value.r/s label.k\t, label.n label.n/bytes .perun.uid .perun.deep.n .perun.list .flag .z stack, outermost first' \
        ' 1 9007199254740993 2.5e-3 a,"b" [5,6,"x"] -3 m::f 1.50 [1,{"a":"b"}] true . f;f' \
        ' 2 . . . . . . . . . ' | same - found
    profsum --samples --format=markdown rows | sed -n 6p >found
    grep -qF '| 1 | 9007199254740993 | 2.5e-3 | `a,"b"` |' found
}

@test "each sample is a row, however equal" {
    printf 'a;f 3\na;f 1\n' >x.folded
    [ "$(profsum --samples --format=csv x.folded | cut -d, -f1,4,8 | tr '\n' ' ')" = 'sample_id,stack,value.samples/count 1,a;f,3 2,a;f,1 ' ]
    [ "$(profsum --samples x.folded | sed -n 2p)" = '2 records' ]
    [ "$(profsum --samples -n 1 x.folded | tail -n 1)" = 'and 1 more row' ]
    profsum --samples -n 0 --format=json x.folded | tr -d '\n' | grep -qF '"rows":[]'
    # several files, one behind the other
    [ "$(profsum --samples --format=csv x.folded x.folded | cut -d, -f1,3 | tr '\n' ' ')" = 'sample_id,source 1,x.folded 2,x.folded 3,x.folded#2 4,x.folded#2 ' ]
}

@test "R reads it as a data frame" {
    need Rscript jq
    profsum --samples --format=tsv "$SAMPLES/memory.out" >x.tsv
    Rscript --vanilla -e 'x <- read.delim("x.tsv", quote = "", check.names = FALSE)
        cat(nrow(x), sapply(x, class), sum(x[["value.alloc_size/bytes"]]))' >found
    sum=$(rprof2ndjson "$SAMPLES/memory.out" | jq -s 'map(select(.type == "alloc_size").value) | add')
    [ "$(cat found)" = "$(sed 1d x.tsv | wc -l) integer logical character character character logical logical integer integer integer integer integer integer integer integer $sum" ]
}

@test "on a terminal columns are left out that have no room, and long cells are cut" {
    need_terminal
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}' \
        '{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"one","str":"12345678901234567890123456789012345"},{"key":"two","str":"12345678901234567890"},{"key":"three","num":1}]}' >rows
    TERM=dumb script -qec 'stty cols 70 rows 12; profsum --samples rows' /dev/null </dev/null | tr -d '\r' >found
    printf '%s\n' '1 record' \
        'sample  label.one                         stack, outermost first' \
        '     1  1234567890123456789012345678901…  ' 'and 2 more columns' >expected
    sed 's/ *$//' expected >expected.plain
    sed 's/ *$//' found | same expected.plain -
}

@test "very many columns are no table" {
    for i in {1..999}; do printf '{"key":"k%d","num":1},' $i; done >labels
    {
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
            '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}'
        printf '{"table":"samples","sample_id":1,"source_id":1,".labels":[%s{"key":"last","num":1}]}\n' "$(cat labels)"
    } >rows
    [ "$(profsum --samples --format=tsv rows | head -n 1 | tr '\t' '\n' | wc -l)" -eq 1007 ]
    echo '{"table":"samples","sample_id":2,"source_id":1,".labels":[{"key":"more","num":1}]}' >>rows
    try profsum --samples --format=tsv rows
    says 1 'profsum: rows:4: --samples: the samples have more than 1000 types, labels and members'
}

@test "memory is not for samples, even if each has labels of its own" {
    takes_long
    plain_only 'it limits memory'
    {
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
            '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}' \
            '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}' \
            '{"table":"locations","location_id":1,"function_id":1,"line":0}'
        seq 1 400000 | sed 's/.*/{"table":"samples","sample_id":&,"source_id":1,".labels":[{"key":"request","str":"the request number &, which is like no other one"}]}\
{"table":"sample_values","sample_id":&,"type":"t","unit":"u","value":&}\
{"table":"sample_locations","sample_id":&,"depth":1,"location_id":1}/'
    } >rows
    [ "$(bash -c 'ulimit -v 30000; exec profsum --threads=1 --samples --format=tsv rows' | { read -r head; echo "$head"; tail -n 1; } | column sample_id value.t/u label.request)" = \
        "$(printf '400000\t400000\tthe request number 400000, which is like no other one')" ]
}

@test "a table of many columns takes no longer than what is in it" {
    plain_only 'it limits time'
    for i in {1..989}; do printf '{"key":"k%d","num":1},' $i; done >labels
    {
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
            '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}'
        seq 1 1200 | sed "s/.*/{\"table\":\"samples\",\"sample_id\":&,\"source_id\":1,\".labels\":[$(cat labels){\"key\":\"last\",\"num\":&}]}/"
    } >rows
    [ "$(bash -c 'ulimit -t 2; exec profsum --threads=1 --samples --format=tsv rows' | { read -r head; echo "$head"; tail -n 1; } | column sample_id label.k1 label.last)" = \
        "$(printf '1200\t1\t1200')" ]
}

@test "what --samples does not go with is said" {
    for option in --type=cpu --by=line --sort=self --min-share=1 '--fail-if=self > 1 points' --follow; do
        try profsum --samples "$option" "$SAMPLES/plain.out"
        says 2 'profsum: --samples cannot be used with --type, --by, --sort, --min-share, --fail-if or --follow'
    done
}
