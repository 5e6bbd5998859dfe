#!/usr/bin/env bats
# Databases of SQLite, from rows and to rows: what sqlite3, Python and R make of them.
load helpers
load sqlite-helpers

# The rows of each sample of every format, as profcat writes them, in a file of their own.
rows_of_samples() {
    local converter file
    for converter in $(grep '2ndjson$' <<<"$TOOLS"); do
        for file in $("$ROOT/tests/samples" "${converter%2ndjson}"); do
            $converter -q "$file" | profcat -q -o "$converter-${file##*/}.rows"
        done
    done
    [ "$(ls *.rows | wc -l)" -gt 30 ]
}

@test "every sample comes back byte for byte, in both ways to store, and the databases are sound" {
    takes_long
    need sqlite3
    rows_of_samples
    odd_rows | profcat -q -o odd.rows
    for rows in *.rows; do
        for plain in '' --plain; do
            ndjson2sqlite -q $plain -o x.db "$rows"
            sqlite2ndjson --lossless x.db | same - "$rows"
            sound x.db
        done
    done
}

@test "a database is the same whatever way it goes, and so are its rows" {
    input_of ndjson2sqlite >rows
    ndjson2sqlite -o x.db rows
    ndjson2sqlite <rows | same - x.db
    ndjson2sqlite rows | gzip >x.gz
    for file in x.db x.gz; do sqlite2ndjson $file | same - rows; sqlite2ndjson <$file | same - rows; done
    cat x.db | sqlite2ndjson | same - rows
    cat x.db | profcat | same - rows
    profsum x.db | same - <(profsum rows)
    # a name that means something to SQLite
    cp x.db ':memory:'
    cp x.db 'file:x?mode=rw'
    sqlite2ndjson :memory: | same - rows
    sqlite2ndjson 'file:x?mode=rw' | same - rows
}

@test "tools make the same of a database as of its rows, reals of all lengths among them" {
    odd_rows | sed '/sample_values.*"type":"g"/d; s/-9223372036854775808}$/-7}/' >odd
    cat >reals <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"t","source_uri":null,"source_timestamp":1234567890.123}
{"table":"sources","source_id":2,"source_type":"t","source_uri":null,"source_timestamp":1.5}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":0}
{"table":"samples","sample_id":1,"source_id":1}
{"table":"sample_values","sample_id":1,"type":"a","unit":"u","value":12345.67}
{"table":"sample_values","sample_id":1,"type":"b","unit":"u","value":1e-05}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
{"table":"samples","sample_id":2,"source_id":2}
{"table":"sample_values","sample_id":2,"type":"a","unit":"u","value":1.25e+15}
{"table":"sample_values","sample_id":2,"type":"b","unit":"u","value":1.5}
{"table":"sample_locations","sample_id":2,"depth":1,"location_id":1}
{"table":".end"}
END
    for plain in '' --plain; do
        for rows in odd reals; do
            ndjson2sqlite -q $plain -o x.db $rows
            for tool in 'ndjson2folded --type=a' 'ndjson2folded --type=b' 'profsum --type=b --format=tsv' ndjson2pprof \
                'profagg --by=function' 'profplot --kind=nodes --type=b' ndjson2speedscope; do
                $tool -q x.db | same - <($tool -q $rows) || fail "$tool $rows $plain"
            done
        done
    done
}

@test "a damaged stream leaves no file, and the one before stays" {
    input_of ndjson2sqlite >rows
    sed '$d' rows >cut
    try ndjson2sqlite -o x.db cut
    [ "$status" -eq 1 ]
    [ "$(files_here)" = "$(printf '%s\n' cut rows)" ]
    ndjson2sqlite -o x.db rows
    cp x.db before
    try ndjson2sqlite -o x.db cut
    [ "$status" -eq 1 ]
    same x.db before
    plain_only 'it needs more memory'
    (ulimit -f 16; ndjson2sqlite -o x.db "$SAMPLES/deep.out" 2>stderr) && fail "no limit" || [ $? -eq 3 ]
    same x.db before
}

# What profsum says of the type $2 of the file $1, as lines of function, self and total.
sums() {
    profsum -q --type="$2" --format=ndjson "$1" |
        jq -r '[.function, .self, .total] | @tsv' | LC_ALL=C sort
}

@test "top is what profsum says, of every type of every sample, in both ways to store" {
    takes_long
    need sqlite3 jq
    rows_of_samples
    compared=0
    for rows in $(some_of 7 *.rows); do
        for plain in '' --plain; do
            ndjson2sqlite -q $plain -o x.db "$rows"
            sqlite3 -separator / x.db "SELECT DISTINCT type, unit FROM sample_values" >types
            while read -r type; do
                # sums of these have fractions, which SQLite rounds
                [ "${type##*/}" != seconds ] || continue
                # a level is no sum, and two units of one type are one type to profsum
                profsum -q --type="$type" "$rows" >out 2>/dev/null || continue
                # where files have calls, inclusive values make totals
                view=top
                if [[ $rows != xdebug* ]] && grep -qE "\"inclusive_${type%/*}(_by_caller)?\"" "$rows"; then
                    view=call_totals
                fi
                sqlite3 -batch -json x.db "SELECT function, self, total FROM $view WHERE type || '/' || unit = '$type'
                    AND (self <> 0 OR total <> 0)" |
                    jq -r ".[] | [.function, .self, .total] | @tsv" | LC_ALL=C sort >by_sql
                sums "$rows" "$type" >by_profsum
                diff by_profsum by_sql >difference || fail "$rows $plain $type" "$(head -n 5 difference)"
                compared=$((compared + 1))
            done <types
        done
    done
    [ "$compared" -gt 20 ] || fail "only $compared"
}

# Type and self of each package of the file or options $@, by SQL and by profsum. A sample without a stack has none.
packages_by_sql() {
    profsql -q --format=csv "SELECT type, package, sum(value) FROM leaves JOIN frame_names USING (location_id)
        JOIN summed_values USING (sample_id) WHERE package IS NOT NULL
        GROUP BY type, package HAVING sum(value) <> 0" "$@" | tail -n +2 | LC_ALL=C sort
}

packages_by_profsum() {  # options
    profsql -q --format=tsv 'SELECT DISTINCT type FROM summed_values' "$@" | tail -n +2 >types
    while read -r type; do
        profsum -q --by=package "--type=$type" --format=csv "$@" | selves "$type"
    done <types | LC_ALL=C sort
}

# The rows of a table in CSV as TYPE,PACKAGE,SELF, without those of 0 and of samples without a stack.
selves() {  # type
    python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin):
    if float(row["self"]) != 0 and row["package"] not in ("<no stack>", "<no location>"):
        print(",".join([sys.argv[1], row["package"], row["self"]]))' "$1"
}

@test "packages are those of profsum, of every sample, in both ways to store, and as rules name them" {
    takes_long
    need python3 sqlite3
    printf 'group\t^runtime[.]\truntime and more\n' >rules
    compared=0
    for file in $(some_of 5 "$ROOT"/samples/{pprof,rprof,perf,cpuprofile}/*.*); do
        # a script, or a file for tests of what is refused
        profinfo -q "$file" >/dev/null 2>&1 || continue
        packages_by_profsum "$file" >expected
        packages_by_sql "$file" | same - expected
        ndjson2sqlite -q --plain -o x.db "$file"
        packages_by_sql --db=x.db | same - expected
        compared=$((compared + $(wc -l <expected)))
    done
    [ "$compared" -gt 5 ] || fail "only $compared"
    packages_by_profsum --rules=rules "$ROOT/samples/pprof/go-cpu.pb.gz" >expected
    grep -q 'runtime and more' expected
    packages_by_sql --rules=rules "$ROOT/samples/pprof/go-cpu.pb.gz" | same - expected
}

@test "a name that frames of several packages have is of none of them, nor of one group" {
    need sqlite3
    cat >two <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"t","source_uri":"a","source_timestamp":null}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"a/x.py","start_line":1}
{"table":"functions","function_id":2,"name":"f","system_name":"f","filename":"b/y.py","start_line":1}
{"table":"functions","function_id":3,"name":"g","system_name":"g","filename":"b/y.py","start_line":5}
{"table":"locations","location_id":1,"function_id":1,"line":2}
{"table":"locations","location_id":2,"function_id":2,"line":2,".group":"other"}
{"table":"locations","location_id":3,"function_id":3,"line":6}
{"table":".mappings","mapping_id":1,"filename":"/bin/app"}
{"table":"functions","function_id":4,"name":"tool.run","system_name":"tool.run","filename":"","start_line":0}
{"table":"locations","location_id":4,"function_id":4,"line":0,".mapping_id":1}
{"table":"locations","location_id":5,"function_id":4,"line":1}
{"table":"samples","sample_id":1,"source_id":1}
{"table":"sample_values","sample_id":1,"type":"t","unit":"u","value":1}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
{"table":"sample_locations","sample_id":1,"depth":2,"location_id":2}
{"table":"sample_locations","sample_id":1,"depth":3,"location_id":3}
{"table":"sample_locations","sample_id":1,"depth":4,"location_id":4}
{"table":"sample_locations","sample_id":1,"depth":5,"location_id":5}
END
    for plain in '' --plain; do
        ndjson2sqlite $plain -o x.db two
        sqlite3 -csv x.db 'SELECT function, package, "group", file, start_line FROM top ORDER BY 1' | tr -d '\r' |
            same - <(printf 'f,,,,\ng,b,g,b/y.py,5\ntool.run,,tool.run,,\n')
    done
    profsql 'SELECT function, package, "group", level FROM frames ORDER BY level' two --format=csv |
        same - <(printf 'function,package,group,level\ntool.run,<unknown>,tool.run,1\ntool.run,tool,tool.run,2\ng,b,g,3\nf,other,other,4\nf,a,f,5\n')
}

@test "top is what go tool pprof says of each sample that is its own" {
    need sqlite3 go
    for file in "$ROOT"/samples/pprof/*.pb.gz; do
        ndjson2sqlite -q -o x.db "$file"
        type=$(sqlite3 x.db "SELECT type FROM value_types ORDER BY type_id DESC LIMIT 1")
        unit=$(sqlite3 x.db "SELECT unit FROM value_types ORDER BY type_id DESC LIMIT 1")
        go tool pprof -sample_index="$type" -unit="$unit" -nodecount=100000 -nodefraction=0 -top "$file" 2>/dev/null |
            awk '/flat%/ { on = 1; next } on { flat = $1; cum = $4; sub(/[a-zA-Z]+$/, "", flat); sub(/[a-zA-Z]+$/, "", cum)
                name = $0; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", name); sub(/ \(inline\)$/, "", name); print name "\t" flat "\t" cum }' |
            LC_ALL=C sort >by_go
        sqlite3 -separator $'\t' x.db "SELECT function, self, total FROM top WHERE type = '$type' AND total <> 0" |
            LC_ALL=C sort >by_sql
        diff by_go by_sql >difference || fail "$file $type" "$(head -n 6 difference)"
    done
}

@test "folded is what ndjson2folded writes" {
    takes_long
    need sqlite3
    rows_of_samples
    compared=0
    for rows in $(some_of 7 *.rows); do
        for plain in '' --plain; do
            ndjson2sqlite -q $plain -o x.db "$rows"
            sqlite3 -separator / x.db 'SELECT DISTINCT type, unit FROM sample_values' >types
            while read -r type; do
                ndjson2folded -q --type="$type" "$rows" >expected 2>/dev/null || continue
                ! grep -qF '".bytes"' "$rows" || continue # it writes the bytes
                # what would read as something else is changed there, and fractions are rounded
                ! ndjson2folded -v --type="$type" "$rows" 2>&1 >/dev/null | grep -qE 'names that folded|fractions|below 0' || continue
                sqlite3 -batch x.db "SELECT stack || ' ' || sum(value) FROM folded WHERE type || '/' || unit = '$type' GROUP BY stack" |
                    LC_ALL=C sort >found
                grep -v ' 0$' expected | LC_ALL=C sort | diff - found >difference || fail "$rows $plain $type" "$(head -n 5 difference)"
                compared=$((compared + 1))
            done <types
        done
    done
    [ "$compared" -gt 15 ] || fail "only $compared"
}

@test "stacks of 20,000 frames are folded in time" {
    need sqlite3
    awk 'BEGIN { for (s = 1; s <= 3; s++) { for (i = 0; i < 20000; i++) printf "%sf%d", i ? ";" : "", i * s % 977; print " " s } }' >deep.folded
    ndjson2sqlite -o x.db deep.folded
    timeout 20 sqlite3 x.db "SELECT stack || ' ' || value FROM folded" | LC_ALL=C sort | same - <(LC_ALL=C sort deep.folded)
}

@test "callers are the calls of profsum, in both ways to store" {
    takes_long
    need sqlite3 jq
    rows_of_samples
    compared=0
    for rows in pprof2ndjson*.rows perf2ndjson*.rows rprof2ndjson-lines*.rows rprof2ndjson-toplevel*.rows; do
        for plain in '' --plain; do
            ndjson2sqlite -q $plain -o x.db "$rows"
            sqlite3 -separator / x.db "SELECT type, unit FROM value_types WHERE unit IN ('count', 'bytes')" >types
            while read -r type; do
                profsum -q --calls --type="$type" --format=ndjson "$rows" >calls
                jq -r '[.caller, .callee, .total] | @tsv' calls | LC_ALL=C sort >by_profsum
                sqlite3 -batch -separator $'\t' x.db "SELECT caller, callee, sum(total) FROM callers
                    WHERE type || '/' || unit = '$type' AND caller NOT IN ('<root>', callee) GROUP BY 1, 2" | LC_ALL=C sort >by_sql
                diff by_profsum by_sql >difference || fail "$rows $plain $type" "$(head -n 5 difference)"
                compared=$((compared + 1))
            done <types
        done
    done
    [ "$compared" -gt 10 ] || fail "only $compared"
}

@test "views have what does not cancel out, in both ways to store" {
    need sqlite3
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"t","source_uri":null,"source_timestamp":null}' >rows
    for id in 1 2; do
        echo '{"table":"functions","function_id":'$id',"name":"f'$id'","system_name":"f","filename":"","start_line":0}'
        echo '{"table":"locations","location_id":'$id',"function_id":'$id',"line":0}'
    done >>rows
    # of the sums of f1 one half cancels out, of f2 and its call from f1 all
    i=0
    for value in 1 -1 5 0; do
        i=$((i + 1)) inner=2
        [ $value -lt 5 ] || inner=1
        echo '{"table":"samples","sample_id":'$i',"source_id":1}'
        echo '{"table":"sample_values","sample_id":'$i',"type":"a","unit":"u","value":'$value'}'
        [ $inner = 1 ] || echo '{"table":"sample_locations","sample_id":'$i',"depth":1,"location_id":2}'
        echo '{"table":"sample_locations","sample_id":'$i',"depth":'$inner',"location_id":1}'
    done >>rows
    for plain in '' --plain; do
        ndjson2sqlite $plain -o x.db rows
        sqlite3 x.db 'SELECT function, self, self_pct, total, total_pct FROM top; SELECT * FROM callers; SELECT * FROM folded' >found
        printf '%s\n' 'f1|5|100.0|5|100.0' 'a|u|<root>|f1|5' 'a|u|1|f1|5' | diff - found
    done
}

@test "labels of samples, and the columns of mappings" {
    need sqlite3
    ndjson2sqlite -o x.db "$ROOT/samples/pprof/go-labels.pb.gz"
    pprof2ndjson -o rows "$ROOT/samples/pprof/go-labels.pb.gz"
    grep -o '{"key":"[^}]*"}' rows | grep -v '"bytes"' | LC_ALL=C sort >expected
    [ -s expected ]
    sqlite3 x.db "SELECT json_object('key', key, 'str', str) FROM labels WHERE instr(str, char(65533)) = 0" | LC_ALL=C sort | diff expected -
    sqlite3 x.db 'SELECT mapping_id, filename FROM mappings WHERE mapping_id = 1' |
        grep -qxF "1|$(sed -n 's/.*"table":".mappings","mapping_id":1,.*"filename":"\([^"]*\)".*/\1/p' rows)"
}

@test "labels that many samples share are stored once, as many as can be known" {
    need sqlite3
    for requests in 7 120000; do
        awk -v requests=$requests 'BEGIN {
            print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\"}"
            print "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"t\",\"source_uri\":null,\"source_timestamp\":null}"
            for (i = 1; i <= 120000; i++)
                printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1%s,\".x\":%d}\n", i,
                    i % 8 ? ",\".labels\":[{\"key\":\"request\",\"num\":" i % requests "}]" : "", i % requests
            print "{\"table\":\".end\"}" }' | profcat >rows
        ndjson2sqlite -o x.db rows
        sqlite2ndjson x.db | same - rows
        sound x.db
        sqlite3 x.db 'SELECT count(*), count(DISTINCT num) FROM labels' >found
        sqlite3 x.db 'SELECT count(DISTINCT labels_id) FROM stored_labels; SELECT count(*) FROM stored_dotted' >stored
        if [ $requests = 7 ]; then
            same found - <<<'105000|7'
            printf '%s\n' 7 7 | same - stored
        else
            same found - <<<'105000|105000'
            printf '%s\n' 105000 120000 | same - stored
        fi
    done
}

@test "labels come back as they were, and SQL has those that are none of ours too" {
    need sqlite3
    {
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
            '{"table":"sources","source_id":1,"source_type":"t","source_uri":null,"source_timestamp":null}'
        id=0
        while read -r members; do
            id=$((id + 1))
            echo "{\"table\":\"samples\",\"sample_id\":$id,\"source_id\":1$members}"
        done <<'LABELS'
,".labels":[{"key":"a","str":"x\\"},{"key":"a","num":-1,"unit":"é"}]
,".x":1,".labels":[{"key":"b","str":""}]
,".labels":[{"key":"c","str":"x","more":1}],".x":1
,".labels":[{"str":"x","key":"d"}]
,".labels":[{"key":"e","str":{"bytes":"ff"}}]
,".labels":[{"key":"f","str":{"bytes":"00"}}]
,".labels":[],".x":2
,".labels":[{"key":"g","str":"s","num":9223372036854775807,"unit":"u"}]
LABELS
    } | profcat >rows
    ndjson2sqlite -o x.db rows
    sqlite2ndjson x.db | same - rows
    sound x.db
    # which ones are in the table alone
    sqlite3 x.db 'SELECT sample_id FROM samples WHERE labels_id IS NOT NULL AND dotted_id IS NULL' | same - <(printf '%s\n' 1 8)
    for plain in '' --plain; do
        ndjson2sqlite $plain -o x.db rows
        # bytes that are not UTF-8: U+FFFD, or as rows spell them
        shown='EFBFBD EFBFBD'
        [ -z "$plain" ] || shown='7B226279746573223A226666227D 7B226279746573223A223030227D'
        sqlite3 x.db 'SELECT sample_id, key, hex(str), num, unit FROM labels ORDER BY 1, key, num' | same - <(printf '%s\n' '1|a|785C||' \
            '1|a||-1|é' '2|b|||' '3|c|78||' '4|d|78||' "5|e|${shown% *}||" "6|f|${shown#* }||" '8|g|73|9223372036854775807|u')
    done
}

@test "--append is a merge, of a database stored either way" {
    need sqlite3
    input_of ndjson2sqlite >rows
    rprof2ndjson -q "$SAMPLES/lines.out" >more
    for plain in '' --plain; do
        rm -f x.db
        ndjson2sqlite $plain --append -o x.db rows
        sqlite2ndjson x.db | same - rows
        ndjson2sqlite --append -o x.db more
        ndjson2sqlite -a -o x.db <rows
        ndjson2sqlite $plain -o whole.db rows more rows
        sqlite3 whole.db .dump >whole
        sqlite3 x.db .dump | same - whole
        sqlite2ndjson x.db | same - <(sqlite2ndjson whole.db)
        sound x.db
    done
    cp x.db before
    # what was there stays where anything is wrong
    sed '$d' more >cut
    try ndjson2sqlite -a -o x.db cut
    [ "$status" -eq 1 ]
    same x.db before
    sqlite3 x.db 'CREATE TABLE mine (a)'
    cp x.db before
    try ndjson2sqlite -a -o x.db more
    says 1 'ndjson2sqlite: x.db: the table "mine" would be lost'
    same x.db before
    sqlite3 x.db 'DROP TABLE mine; ALTER TABLE samples ADD COLUMN note TEXT'
    cp x.db before
    try ndjson2sqlite -a -o x.db more
    says 1 'ndjson2sqlite: x.db: the column "samples.note" would be lost'
    same x.db before
    cp rows other
    try ndjson2sqlite -a -o other more
    says 1 'ndjson2sqlite: other: SQLite cannot read this database: file is not a database'
    same other rows
    try ndjson2sqlite -a more
    says 2 'ndjson2sqlite: --append needs the database: -o FILE'
    try ndjson2sqlite -a -k -o x.db more
    says 2 'ndjson2sqlite: --append cannot be used with --keep-going'
}

@test "times of samples are a column, and come back wherever they stood" {
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0",".ends":true}' \
        '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}' \
        '{"table":"samples","sample_id":1,"source_id":1,".time":-1}' \
        '{"table":"samples","sample_id":2,"source_id":1,".time":9223372036854775807,".labels":[{"key":"k","num":1}],".x":1}' \
        '{"table":"samples","sample_id":3,"source_id":1,".labels":[{"key":"k","num":1}],".time":-9223372036854775808}' \
        '{"table":"samples","sample_id":4,"source_id":1,".x":0,".time":5}' \
        '{"table":"samples","sample_id":5,"source_id":1}' '{"table":".end"}' >rows
    for plain in '' --plain; do
        ndjson2sqlite $plain -o x.db rows
        sqlite2ndjson x.db | same rows -
        for column in 'time FROM wide' '".time" FROM samples ORDER BY sample_id'; do
            profsql --db=x.db --format=tsv "SELECT $column" | tail -n +2 |
                same - <(printf '%s\n' -1 9223372036854775807 -9223372036854775808 5 '')
        done
        rm x.db
    done
}

@test "a database of an earlier version is read, asked, and appended to, which makes it one of this" {
    need sqlite3
    odd_rows | profcat -q -o rows
    for earlier in earlier no-packages plain-no-packages; do
        plain=
        [ "$earlier" != plain-no-packages ] || plain=--plain
        gunzip -c "$ROOT/tests/cases/sqlite2ndjson/$earlier/input" >x.db
        sqlite2ndjson --lossless x.db | same - rows
        for view in top callers folded labels sample_locations wide; do
            profsql --format=json --db=x.db "SELECT * FROM $view" |
                same - <(profsql --format=json "SELECT * FROM $view" rows)
        done
        ndjson2sqlite -a -o x.db rows
        ndjson2sqlite $plain -o whole.db rows rows
        sqlite3 whole.db .dump | same - <(sqlite3 x.db .dump)
        rm whole.db
    done
}

# --- other programs ---

@test "Python reads and writes a database, and edits one" {
    need python3
    ndjson2sqlite --plain -o x.db "$SAMPLES/plain.out"
    python3 - x.db <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA foreign_keys = ON")
assert db.execute("SELECT count(*) FROM samples").fetchone()[0] > 20
try:
    db.execute("INSERT INTO samples (sample_id, source_id) VALUES (100000, 77)")
    sys.exit("a reference to nothing")
except sqlite3.IntegrityError:
    pass
for wrong in ("UPDATE functions SET name = ''", "UPDATE functions SET start_line = -1",
              "UPDATE samples SET sample_id = -sample_id", "UPDATE sample_values SET value = 'x'",
              "UPDATE sample_values SET value = 9e999", "UPDATE functions SET name = x'00'",
              "UPDATE locations SET dotted = '[]'"):
    try:
        db.execute(wrong)
        sys.exit(wrong)
    except sqlite3.IntegrityError:
        pass
# a sample of a new function, whose location comes behind all others
db.execute("INSERT INTO functions VALUES (1000, 'new', 'new', '', 0, NULL)")
db.execute("INSERT INTO locations (location_id, function_id, line) VALUES (1000, 1000, 3)")
db.execute("INSERT INTO samples (sample_id, source_id) VALUES (100000, 1)")
db.execute("INSERT INTO sample_values VALUES (100000, 'samples', 'count', 5)")
db.execute("INSERT INTO sample_locations VALUES (100000, 1, 1000)")
# an early sample that uses it as well; and others that go
db.execute("UPDATE sample_locations SET location_id = 1000 WHERE sample_id = 1 AND depth = 1")
for table in ("sample_locations", "sample_values", "samples"):
    db.execute(f"DELETE FROM {table} WHERE sample_id BETWEEN 5 AND 9")
db.commit()
END
    sqlite2ndjson x.db >rows
    profvalidate rows
    [ "$(grep -c '"table":"samples"' rows)" -eq $(($(rprof2ndjson "$SAMPLES/plain.out" | grep -c '"table":"samples"') - 5 + 1)) ]
    profsum --format=tsv rows | grep -q '^new'
}

@test "R reads and writes a database" {
    need_r RSQLite
    profmodel --format=sql --plain >model.sql
    Rscript --vanilla - <<'END'
library(DBI)
con <- dbConnect(RSQLite::SQLite(), "r.db")
for (statement in strsplit(paste(readLines("model.sql"), collapse = "\n"), ";\n")[[1]])
  if (grepl("[A-Z]", statement)) dbExecute(con, statement)
dbWriteTable(con, "meta", data.frame(key = "version", value = "2.0"), append = TRUE)
dbWriteTable(con, "sources", data.frame(source_id = 1L, source_type = "r", source_uri = NA_character_), append = TRUE)
dbWriteTable(con, "functions", data.frame(function_id = 1:2, name = c("f", "g"), system_name = c("f", "g"), filename = "", start_line = 0L), append = TRUE)
dbWriteTable(con, "locations", data.frame(location_id = 1:2, function_id = 1:2, line = c(NA, 3L)), append = TRUE)
dbWriteTable(con, "samples", data.frame(sample_id = 1:3, source_id = 1L), append = TRUE)
dbWriteTable(con, "sample_values", data.frame(sample_id = 1:3, type = "t", unit = "u", value = c(0.5, 1, 2)), append = TRUE)
dbWriteTable(con, "sample_locations", data.frame(sample_id = c(1:3, 1L), depth = c(1L, 1L, 1L, 2L), location_id = c(1L, 1L, 2L, 2L)), append = TRUE)
stopifnot(identical(dbGetQuery(con, "SELECT function FROM top ORDER BY total DESC")[["function"]], c("g", "f")))
dbDisconnect(con)
END
    sqlite2ndjson r.db | tee rows | profvalidate
    [ "$(grep -c '"sample_locations"' rows)" -eq 4 ]
    # tables as R makes them by itself
    Rscript --vanilla - <<'END'
library(DBI)
con <- dbConnect(RSQLite::SQLite(), "r.db")
own <- dbConnect(RSQLite::SQLite(), "own.db")
for (table in c("meta", "sources", "functions", "locations", "samples", "sample_values", "sample_locations"))
  dbWriteTable(own, table, dbReadTable(con, table)[sample(nrow(dbReadTable(con, table))), , drop = FALSE])
END
    sqlite2ndjson own.db | profvalidate
    profsum own.db | same - <(profsum r.db)
}

@test "an empty string is no null, even where there is no other" {
    rows='{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"","source_uri":null,"source_timestamp":null}'
    ndjson2sqlite -o x.db <<<"$rows"
    [ "$(sqlite2ndjson x.db | grep -c '"source_type":"","source_uri":null')" -eq 1 ]
}
