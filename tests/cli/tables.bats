# Tables for programs: all formats have the same columns and rows, whatever a profile holds.

load helpers

# Files of several formats.
files() {
    some_of 24 $(ls "$ROOT"/samples/rprof/*.out "$ROOT"/samples/rprofmem/*.out "$ROOT"/samples/pprof/*.pb.gz \
        "$ROOT"/samples/folded/*.folded "$ROOT"/samples/perf/*.txt "$ROOT"/samples/speedscope/*.json \
        "$ROOT"/samples/cpuprofile/*.cpuprofile "$ROOT"/samples/perun/*.perf)
}

# Adds to `compared` how much of the tables of a command is the same in all formats.
judge() {  # command ...
    python3 "$BATS_TEST_DIRNAME/tables.py" "$*" "$@" >count 2>why || fail "$*" "$(tail -n 3 why)"
    compared=$((compared + $(cat count)))
}

views_of() {  # how many views have one that stands for them, file ...
    local view each=$1
    shift
    some_of $each '' --by=line --by=file --by=mapping --by=source --by=label:user --by=stack --by=label \
        --by=label:user,source,function --by=file,line --sort=total '-n 3' '-n 2 --by=package,function' --min-share=5 --stacks --calls --nodes --hot-paths --samples --list=. --peek=. >views
    while read -r view; do
        judge profsum -q $view "$@"
    done <views
    profsum -q --profile "$@" >/dev/null 2>&1 && judge profsum -q --profile "$@"
    judge profsql -q 'SELECT * FROM wide' "$@"
    judge profsql -q 'SELECT * FROM top' "$@"
    for view in nodes stacks stack-nodes events depth memory; do judge profplot -q --kind=$view "$@"; done
    for view in '' '--sort=total --measure=cost' --per-op=8 --by=stack; do judge profdiff -q --allow-equal $view "$1" "$1"; done
}

@test "each view of each file has the same columns and rows in all formats" {
    takes_long
    need python3
    compared=0
    files >list
    while read -r file; do
        profsum -q "$file" >/dev/null 2>&1 || continue
        views_of 4 "$file"
    done <list
    [ $compared -gt 500 ] || fail "only $compared"
}

# What is meant to break a table: columns called as those of the table, frames with what stands between frames,
# bytes that are no text, equal names, and types of one name with two units.
hostile() {
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":"a,\"b\"\n","source_timestamp":null}' \
        '{"table":"sources","source_id":2,"source_type":"x","source_uri":"self","source_timestamp":null}'
    local id=0 name
    for name in 'a;b' 'a\\b' '\\;' ';' 'a' 'b' 'x,y' '\"q\"' '\t' '\n' '\r\n' 'NA' 'null' ' pad ' '1e5' "$(printf '\xe5\x87\xbd')" '\u0001' "$(printf 'z\xff')"; do
        id=$((id + 1))
        echo '{"table":"functions","function_id":'$id',"name":'"$(name_of "$name")"',"system_name":"f","filename":"d;e\\f.c","start_line":0'"$(bytes_of "$name")"'}'
        echo '{"table":"locations","location_id":'$id',"function_id":'$id',"line":'$id'}'
    done
    local sample unit
    for sample in $(seq 1 $id); do
        echo '{"table":"samples","sample_id":'$sample',"source_id":'$((sample % 2 + 1))',".labels":[{"key":"function","str":"one"},{"key":"function","str":"t;wo,\\"},' \
            '{"key":"self","num":'$sample'},{"key":"self","num":7,"unit":"bytes"},{"key":"","str":""}],".member":{"a":[1,"x"],"b":null}}' | tr -d '\n'
        echo
        unit=bytes
        [ $((sample % 2)) -eq 0 ] || unit=kilobytes
        echo '{"table":"sample_values","sample_id":'$sample',"type":"t","unit":"'$unit'","value":'$((sample * 1000))'}'
        echo '{"table":"sample_values","sample_id":'$sample',"type":"self","unit":"","value":-9007199254740993}'
        echo '{"table":"sample_locations","sample_id":'$sample',"depth":1,"location_id":'$sample'}'
        echo '{"table":"sample_locations","sample_id":'$sample',"depth":2,"location_id":'$((sample % id + 1))'}'
        echo '{"table":"sample_locations","sample_id":'$sample',"depth":3,"location_id":1}'
    done
}

# A name as rows have it, and what they have besides it where bytes are no UTF-8: only the last is such a one.
name_of() { printf '"%s"' "${1/$'\xff'/$'\xef\xbf\xbd'}"; }  # name
bytes_of() { [[ $1 != *$'\xff' ]] || printf ',".bytes":{"name":"%s"}' "$(printf %s "$1" | od -An -tx1 | tr -d ' \n')"; }  # name

@test "names that look like columns, separators and numbers stay apart" {
    takes_long
    need python3
    compared=0
    hostile >rows
    profvalidate rows
    views_of 1 rows
    judge profsum -q --by=label:function rows
    judge profsum -q --by=label:self rows
    judge profsum -q --by=function,label:function,label:self rows
    judge profsum -q --type=self rows
    profsum --samples --format=csv rows | head -n 1 >heading
    grep -q ',label[.]function,label[.]self,label[.],label[.]self/bytes,' heading || fail "$(cat heading)"
    [ $compared -gt 2000 ] || fail "only $compared"
}

@test "a profile of nothing is a table without rows" {
    need python3
    compared=0
    printf '{"table":"meta","key":"version","value":"2.0"}\n' >empty
    for view in '' --by=line --stacks --calls --nodes --hot-paths --profile --samples --list=. --by=label --by=source,line; do judge profsum -q $view empty; done
    judge profsql -q 'SELECT * FROM wide' empty
    judge profdiff -q --allow-equal empty empty
}

@test "pandas and R read the same rows and sums" {
    takes_long
    need python3
    if python3 -c 'import pandas' 2>/dev/null; then export TABLES_PANDAS=1; fi
    if command -v Rscript >/dev/null; then export TABLES_R=1; fi
    [ -n "${TABLES_PANDAS-}${TABLES_R-}" ] || skip "needs pandas or Rscript"
    compared=0
    hostile >rows
    for file in rows "$SAMPLES/plain.out" "$ROOT/samples/pprof/go-labels.pb.gz"; do
        for view in --by=line --stacks --samples; do judge profsum -q $view "$file"; done
        judge profdiff -q --allow-equal "$file" "$file"
    done
    [ $compared -gt 500 ]
}

@test "the comparison of formats can fail" {
    takes_long
    need python3
    mkdir bin
    { echo 'main;a 3'; echo 'main;b 1'; } >x.folded
    hostile >rows
    profsum=$(command -v profsum)
    broken() { env PATH="$PWD/bin:$PATH" python3 "$BATS_TEST_DIRNAME/tables.py" x profsum -q --stacks "$1" 2>&1; }
    broken x.folded
    broken rows
    while read -r file form break; do
        printf '#!/bin/sh\ncase "$*" in\n*format=%s*) %s "$@" | sed '"'%s'"' ;;\n*) exec %s "$@" ;;\nesac\n' "$form" "$profsum" "$break" "$profsum" >bin/profsum
        chmod +x bin/profsum
        run broken x.folded
        [ "$file" = x.folded ] || run broken rows
        [ $status -eq 1 ] && [[ $output == x:* ]] || fail "$form $break: $output"
        rm bin/profsum
    done <<'END'
x.folded csv 2s/main/mbin/
x.folded csv 2s/,3,/,4,/
x.folded csv 1s/depth/level/
x.folded csv 3d
x.folded tsv 3s/\t1\t/\t2\t/
x.folded tsv 2s/nt\t4\t/nt\t5\t/
x.folded ndjson 2s/"depth"/"level"/
x.folded ndjson 2s/"rows_left_out":0,//
x.folded ndjson 1s/:3,/:4,/
x.folded json s/"leaf":"a"/"leaf":"a","leaf":"a"/
x.folded json s/"value":3/"value":"3"/
rows csv s/\\;/;/
rows csv s/\\\\/\\/
END
}

# The three schemas, and what they describe: one document or row a line.
documents() {  # file ...
    local view
    for view in '' --by=line --by=package --by=label:user --by=stack --by=label --by=label:user,function --stacks --calls --nodes \
        --hot-paths --samples; do
        profsum -q $view --format=json "$@" | jq -c . >>table
        profsum -q $view --format=ndjson "$@" >>row
    done
    for view in nodes events depth; do
        profplot -q --kind=$view --format=json "$@" | jq -c . >>table
        profplot -q --kind=$view --format=ndjson "$@" >>row
    done
    for view in '' --by=stack; do
        profdiff -q --allow-equal $view --format=json "$1" "$1" | jq -c . >>table
        profdiff -q --allow-equal $view --format=ndjson "$1" "$1" >>row
    done
    profsql -q --format=json 'SELECT * FROM wide' "$@" | jq -c . >>answer
}

@test "the schemas describe the tables, rows and answers of each tool" {
    takes_long
    need_jsonschema
    local form
    for form in table row answer; do profsum --help=$form-schema >$form-schema; done
    hostile >rows
    sed 's/"depth":2/"depth":7/' rows >damaged
    for file in "$SAMPLES/everything.out" "$ROOT/samples/pprof/go-labels.pb.gz" rows; do documents "$file"; done
    profvalidate -q --format=ndjson damaged >>row || [ $? -eq 1 ]
    for form in table row answer; do
        [ "$(wc -l <$form)" -ge 3 ]
        [ -z "$(python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" $form-schema <$form | tee refused)" ] ||
            fail "$form" "$(sed -n "$(head -n 1 refused)p" $form | head -c 500)"
        # a member that nobody knows, and one of another type
        head -n 1 $form | jq -c '.unknown = 1' >wrong
        head -n 1 $form | jq -c ".$([ $form = row ] && echo rows_left_out || echo columns) = \"x\"" >>wrong
        [ "$(python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" $form-schema <wrong | wc -l)" -eq 2 ] || fail "$form: $(cat wrong)"
    done
}
