#!/usr/bin/env bats
# SQL over profiles: the same answers as from a database in a file, and nothing but answers.
load helpers

@test "a database in memory answers as one in a file does, in every format" {
    file=$ROOT/samples/pprof/go-labels.pb.gz
    ndjson2sqlite -o x.db "$file"
    for sql in 'SELECT * FROM top ORDER BY function' 'SELECT * FROM labels ORDER BY 1, 2, 3' \
        'SELECT *, NULL, 0.5, x + 1 FROM (SELECT sample_id, 1.0 AS x FROM samples)' .schema; do
        for format in text tsv csv json ndjson markdown html; do
            profsql --format=$format "$sql" "$file" >found
            [ -s found ]
            profsql --format=$format --db x.db "$sql" | same - found
            printf '%s' "$sql" >query
            profsql --format=$format -f query <"$file" | same - found
        done
    done
    [ "$(profsql --format=ndjson 'SELECT 1.0 AS a, NULL AS b, x'"'41ff'"' AS c, 9007199254740993 AS d' "$file")" = \
        '{"a":1.0,"b":null,"c":"A�","d":9007199254740993}' ]
    [ "$(profsql -n 2 --format=tsv 'SELECT sample_id FROM samples' "$file" | wc -l)" -eq 3 ]
}

@test "what sqlite3 finds is found" {
    need sqlite3
    ndjson2sqlite -o x.db "$SAMPLES/memory.out"
    for view in top_by_source callers folded gauges frames frame_names sample_locations sample_values; do
        sqlite3 -separator $'\t' x.db "SELECT * FROM $view" | sort >expected
        [ -s expected ] || [ $view = gauges ]
        profsql --format=tsv "SELECT * FROM $view" "$SAMPLES/memory.out" | tail -n +2 | sort | diff expected -
    done
}

@test "expressions of all tools, and statistics" {
    input_of profcat >rows
    one() { profsql --format=csv "$1" rows | tail -n +2; }  # statement
    [ "$(one "SELECT 'main.work' REGEXP '^main\.', 'xmain.work' REGEXP '^main\.', 'É' REGEXP '(?i)^é\$', NULL REGEXP 'a', 'a' REGEXP NULL, 12 REGEXP '\d\d'")" = '1,0,1,,,1' ]
    # a text that is not UTF-8 has U+FFFD there; more expressions than are kept
    [ "$(one "SELECT CAST(x'61ff62' AS TEXT) REGEXP '^a�b\$'")" = 1 ]
    [ "$(one "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30) SELECT sum(i REGEXP ('^' || i || '\$')), sum('x' REGEXP i) FROM n")" = '30,0' ]
    refused() {  # statement message
        try profsql "$1" rows
        says 1 "profsql: the statement has failed: $2"
    }
    refused "SELECT 'a' REGEXP '('" 'REGEXP: missing closing parenthesis'
    refused "SELECT 'a' REGEXP ('a' || char(0))" 'REGEXP: expected an expression, found NUL in it'
    refused "SELECT printf('%.*cx', 60, 'a') REGEXP '^(a|aa)+\$'" 'REGEXP: the expression takes too many steps, or too much memory'
    of="FROM json_each('[4, 1, null, 3, 2.5]')"
    [ "$(one "SELECT median(value), percentile(value, 0), percentile(value, 100), round(percentile(value, 95), 6), round(stddev(value), 6) $of")" = \
        '2.75,1.0,4.0,3.85,1.25' ]
    [ "$(one "SELECT median(value), percentile(value, 50), stddev(value) $of WHERE value = 3")" = '3.0,3.0,' ]
    [ "$(one "SELECT median(value), percentile(value, 50), stddev(value) $of WHERE 0")" = ',,' ]
    refused "SELECT median('x')" 'expected numbers, found text'
    for percent in -1 100.1 "'x'" NULL; do
        refused "SELECT percentile(1, $percent)" 'percentile: expected a number from 0 to 100'
    done
    refused "SELECT percentile(1, value) $of WHERE value > 1" 'percentile: expected the same number for all rows'
}

@test "statements that do more than read are refused, and change nothing" {
    input_of profcat >rows
    ndjson2sqlite --plain -o x.db rows
    cp x.db before
    for sql in 'DELETE FROM samples' 'DROP TABLE samples' 'UPDATE functions SET name = 1' \
        'CREATE TABLE y (a)' 'CREATE TEMP TABLE y (a)' "ATTACH 'y.db' AS y" 'PRAGMA journal_mode = WAL' \
        'PRAGMA writable_schema = ON' 'VACUUM' "VACUUM INTO 'y.db'" 'BEGIN' 'REINDEX' 'ANALYZE' \
        "SELECT load_extension('y')" 'INSERT INTO samples SELECT 9, 1, NULL RETURNING *' \
        'SELECT 1; SELECT 2' 'SELECT 1; DROP TABLE samples' '' '-- nothing' 'SELECT' 'SELECT * FROM nothing' \
        "UPDATE sqlite_master SET sql = ''" 'DELETE FROM sqlite_master'; do
        try profsql "$sql" rows
        [ "$status" -eq 2 ] || fail "$sql: status $status"
        [ ! -s stdout ]
        try profsql --db x.db "$sql"
        [ "$status" -eq 2 ] || fail "--db $sql: status $status"
    done
    same x.db before
    [ "$(files_here)" = "$(printf '%s\n' before rows x.db)" ]
    try profsql 'SELECT sum(9223372036854775807) FROM samples' rows
    says 1 'profsql: the statement has failed: integer overflow'
    printf 'SELECT 1;\0DROP TABLE samples' >query
    try profsql -f query rows
    says 2 'profsql: the statement is wrong: expected text, found NUL'
    profsql --format=tsv 'SELECT count(*) AS n FROM pragma_foreign_key_list('"'samples'"'); -- comment' rows | tail -n 1 | grep -qx 3
}

@test "rows for programs come as they are found" {
    input_of profcat >rows
    endless='WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n'
    for format in tsv csv ndjson json; do
        timeout 20 profsql --format=$format "$endless" rows 2>stderr | head -n 3 >found
        [ "$(wc -l <found)" -eq 3 ]
        [ ! -s stderr ]
    done
    profsql --format=json --rows=2 "$endless" rows | same - <(printf '{"version":2,\n"columns":[{"name":"i","type":"any"}],\n"rows":[\n{"i":1},\n{"i":2}\n]}\n')
    # the first one fails, a later one: what is before it has been written
    try profsql --format=csv "SELECT abs(i) AS i FROM (SELECT -9223372036854775808 AS i)" rows
    says 1 'profsql: the statement has failed: integer overflow'
    [ ! -s stdout ]
    try profsql --format=csv -o out "SELECT abs(value) AS i FROM (SELECT 1 AS value UNION ALL SELECT -9223372036854775808)" rows
    [ "$status" -eq 1 ]
    [ ! -e out ]
}

@test "people see numbers at the right, text at the left, and no names that are not text" {
    input_of profcat >rows
    profsql "SELECT 'a' AS text, 1 AS n, NULL AS none, 22.5 AS 'last' UNION ALL SELECT 'bcd', 10, NULL, 1" rows |
        same - <(printf '%s\n' '2 rows' 'text   n  none  last' 'a      1  .     22.5' 'bcd   10  .        1')
    name=$'e\033[31mvil\n'
    profsql "SELECT 1 AS n, 'x' AS '$name'" rows | cat -v >found
    run ! grep -qF '^[' found
    [ "$(wc -l <found)" -eq 3 ]
    profsql --format=markdown "SELECT 'x' AS t, 1 AS 'n|m'" rows | tail -n 3 |
        same - <(printf '%s\n' '| `t` | `n\|m` |' '| :--- | ---: |' '| `x` | 1 |')
}

@test "what is asked is not written over" {
    input_of profcat >rows
    ndjson2sqlite -o x.data rows
    cp x.data before
    echo 'SELECT 1 AS n' >q.sql
    for output in x.data q.sql; do
        try profsql --db=x.data -f q.sql -o $output
        says 2 "profsql: $output is input and output at once"
    done
    same x.data before
    same q.sql - <<<'SELECT 1 AS n'
}

@test "a terminal shows the schema as a file has it" {
    need_terminal
    ndjson2sqlite -o x.db "$SAMPLES/plain.out"
    profsql --db x.db .schema >expected
    [ "$(wc -l <expected)" -gt 100 ]
    script -qec "stty -opost; profsql --db x.db .schema" /dev/null >screen </dev/null
    same expected screen
}

@test "the command line" {
    input_of profcat >rows
    try profsql rows 'SELECT 1'
    says 2 'profsql: expected a statement of SQL in front of files, found the file rows'
    try profsql .tables rows
    says 2 'profsql: expected a statement of SQL, or .schema, found ".tables"'
    try profsql
    says 2 'profsql: expected a statement of SQL, or .schema'
    try profsql --db x.db 'SELECT 1' rows
    says 2 'profsql: --db cannot be used with other files'
    try profsql --db rows 'SELECT 1'
    says 1 'profsql: rows: SQLite cannot read this database: file is not a database'
    try profsql --db missing 'SELECT 1'
    [ "$status" -eq 3 ]
    try profsql --db . 'SELECT 1'
    says 1 'profsql: .: expected a file with a database'
    mkfifo pipe
    try timeout 10 profsql --db pipe 'SELECT 1'
    says 1 'profsql: pipe: expected a file with a database'
    # what JSON has no number for, and no two members of
    for format in json ndjson; do
        profsql --format=$format 'SELECT 9e999 AS a, -9e999 AS b' rows | grep -qF '{"a":"Inf","b":"-Inf"}'
        try profsql --format=$format 'SELECT 1 AS "a""", 2 AS b, 3 AS "a"""' rows
        says 2 'profsql: two columns are called "a\"": AS gives one another name'
    done
    [ "$(profsql --format=csv 'SELECT 1 AS a, 2 AS a' rows)" = "$(printf 'a,a\n1,2')" ]
    try profsql --format=tsv 'SELECT 1 AS a' <rows
    says 0
    [ "$(cat stdout)" = "$(printf 'a\n1')" ]
    sed '$d' rows >cut
    try profsql 'SELECT 1' cut
    [ "$status" -eq 1 ]
    [ ! -s stdout ]
}

@test "where memory runs out it is the system that has failed" {
    plain_only 'it needs more memory'
    input_of profcat >rows
    (
        ulimit -v 400000
        try profsql "SELECT 1$(printf ', hex(zeroblob(30000000 + %d))' 1 2 3 4 5 6 7 8)" rows
        says 3 'profsql: the answer takes more memory than there is, or than 4294967296 bytes (--max-size sets the limit)'
    )
}
