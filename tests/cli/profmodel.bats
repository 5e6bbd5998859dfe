#!/usr/bin/env bats
# The model itself: judged by what other programs make of it.
load helpers

CASES=$BATS_TEST_DIRNAME/../cases

refused() {  # rows: prints the numbers of the lines that the schema refuses
    python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" schema <"$1"
}

# A file of rows for each sample of every format.
rows_of_samples() {
    local converter file
    for converter in $(grep '2ndjson$' <<<"$TOOLS"); do
        for file in $("$ROOT/tests/samples" "${converter%2ndjson}"); do
            $converter -q -o "$converter-${file##*/}.ndjson" "$file"
        done
    done
}

@test "the schema accepts every row of all samples" {
    takes_long
    need_jsonschema
    profmodel --format=jsonschema -o schema
    rows_of_samples
    [ "$(ls *2ndjson-* | wc -l)" -gt 30 ]
    cat *2ndjson-* >all
    refused all >found
    [ ! -s found ] || fail "refused:" "$(sed -n "$(head -n 1 found)p" all)"
}

@test "the schema refuses what profvalidate finds wrong in a row by itself" {
    takes_long
    need_jsonschema
    profmodel --format=jsonschema -o schema
    total=0
    for input in $(some_of 4 "$CASES"/profvalidate/v2-{table,column,type,range,name}-*/input); do
        # to a schema 1.0 is an integer, and an integer of 65 bits a number
        [[ $input != */v2-@(type-id-fraction|range-value-65-bits)/* ]] || continue
        profvalidate -q --format=ndjson --max-errors=1000 "$input" >found || [ $? -eq 1 ]
        jq -r 'select(.count == null and (.rule | IN("table", "column", "type", "range", "name"))) | .line' found |
            sort -un >expected
        refused "$input" | diff expected - || fail "$input"
        total=$((total + $(wc -l <expected)))
    done
    [ "$total" -ge 5 ] || fail "only $total lines"
}

# Each view and its columns, in order, as profmodel lists them.
listed() {  # [--plain]
    profmodel | awk '
        /^Views of databases$/ { on = 1 }
        on && /^[a-z_]+:/ { view = $1; is_there = plain ? !/; not with --plain$/ : !/; only with --plain$/ }
        on && is_there && /^  / { print view, $1 }' plain="${1:+1}" | sort -s -k 1,1
}

@test "every view is listed with its columns, and is on the page if people use it" {
    need sqlite3
    for plain in '' --plain; do
        rm -f x.db
        profmodel --format=sql $plain | sqlite3 x.db
        sqlite3 x.db "SELECT v.name || ': ' || c.name FROM sqlite_schema AS v, pragma_table_xinfo(v.name) AS c
            WHERE v.type = 'view' ORDER BY v.name, c.cid" | sort -s -k 1,1 >expected
        [ "$(wc -l <expected)" -gt 80 ]
        listed $plain | diff expected -
    done
    profmodel | awk '/^Views/ { on = 1 } on && /^[a-z_]+:/ { print substr($1, 1, length($1) - 1) }' >views
    [ "$(wc -l <views)" -gt 25 ]
    mandoc -T ascii "$PROFPIPE_MAN/ndjson2sqlite.1" | sed 's/.\x08//g' >page
    # the rest of the list is what these are made of
    for view in $(sed '/^frame_names$/,$d' views); do
        case $view in mappings | sample_nodes | dotted_samples | totals) continue ;; esac
        grep -qw "$view" page || fail "$view"
    done
}

@test "GraphViz draws the model, with the rows of a profile" {
    need dot
    profmodel --format=dot "$ROOT/samples/pprof/go-cpu.pb.gz" >model.dot
    dot -Tplain model.dot >plain 2>messages
    [ ! -s messages ] || fail "$(cat messages)"
    grep -cE '^node ' plain | grep -qx 8
    grep -cE '^edge ' plain | grep -qx 7
    pprof2ndjson -q -o rows "$ROOT/samples/pprof/go-cpu.pb.gz"
    for table in functions locations samples sample_values sample_locations; do
        count=$(grep -c "^{\"table\":\"$table\"" rows)
        grep -qF "<b>$table</b> <font color=\"#444444\">$count rows</font>" model.dot ||
            fail "$table: expected $count rows"
    done
}

@test "SQLite takes the tables and views of both ways to store" {
    need sqlite3
    for plain in '' --plain; do
        profmodel --format=sql $plain >model.sql
        rm -f x.db
        sqlite3 -bail x.db <model.sql
        for view in $(sqlite3 x.db "SELECT name FROM sqlite_schema WHERE type = 'view'"); do
            sqlite3 -bail x.db "SELECT * FROM $view" || fail "$view"
        done
        [ "$(sqlite3 x.db 'PRAGMA foreign_key_check; PRAGMA integrity_check')" = ok ]
    done
}

@test "SQLite names the rule that a row breaks" {
    need sqlite3
    profmodel --format=sql --checks >checks.sql
    for broken in "column INSERT INTO samples (sample_id) VALUES (1)" \
        "type INSERT INTO locations VALUES (1.0, NULL, NULL, NULL, NULL)" \
        "range INSERT INTO sample_locations VALUES (1, 0, 1)" \
        "name INSERT INTO functions VALUES (1, '', 'f', '', 0)"; do
        run -1 sqlite3 -bail :memory: <<<"$(cat checks.sql)${broken#* };"
        [[ $output == *"CHECK constraint failed: ${broken%% *}"* ]] || fail "$output"
    done
}

@test "the model alone reads nothing; a file is counted" {
    profmodel </dev/null >model
    head -n 1 model | grep -qx meta
    input_of profcat >rows
    profmodel rows | sed 's/: [0-9]* rows\{0,1\}$//' | same - <(sed '$!N; /\nViews of databases$/,$d; P; D' model)
    profmodel - <rows | same - <(profmodel rows)
    profmodel rows | grep -qx 'samples: 2 rows'
    try profmodel --format=sql rows
    says 2 "profmodel: --format=sql counts no rows: it takes no files"
    try profmodel --plain
    says 2 "profmodel: --plain needs --format=sql"
    try profmodel --checks --format=sql --plain
    says 2 "profmodel: --checks needs --format=sql, without --plain"
    try profmodel --format=png
    says 2 'profmodel: --format: expected text, dot, mermaid, sql or jsonschema, found "png"'
}
