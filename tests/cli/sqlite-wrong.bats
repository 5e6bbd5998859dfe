#!/usr/bin/env bats
# Databases that are damaged, edited, in use, or made to do harm.
load helpers
load sqlite-helpers

@test "rows that break rules" {
    need sqlite3
    input_of ndjson2sqlite >rows
    loose() {  # SQL message: in tables that take anything
        rm -f x.db
        ndjson2sqlite --plain -o strict.db <rows
        sqlite3 strict.db "ATTACH 'x.db' AS x" "$(sqlite3 strict.db "SELECT 'CREATE TABLE x.\"' || name || '\" AS SELECT * FROM \"'
            || name || '\";' FROM sqlite_schema WHERE type = 'table'")"
        sqlite3 -bail x.db "$1"
        try sqlite2ndjson x.db
        says 1 "sqlite2ndjson: x.db: $2"
    }
    loose "UPDATE functions SET name = '' WHERE function_id = 2" \
        'functions rowid 2: name: expected a string that is not empty, found ""'
    loose "UPDATE functions SET name = x'41' WHERE function_id = 2" 'functions rowid 2: name: expected a string, found a blob'
    loose "UPDATE functions SET name = NULL WHERE function_id = 1" 'functions rowid 1: name: expected a string, found null'
    loose "UPDATE functions SET start_line = 'x' WHERE function_id = 1" \
        'functions rowid 1: start_line: expected an integer from 0, found "x"'
    loose "UPDATE functions SET function_id = 0 WHERE function_id = 1" \
        'functions rowid 1: function_id: expected an integer from 1 to 2^53-1, found 0'
    loose "INSERT INTO functions SELECT * FROM functions" 'functions rowid 3: function_id: 1 is defined twice'
    loose "UPDATE locations SET function_id = 9 WHERE location_id = 2" 'locations rowid 2: function_id: there is no function 9'
    loose 'UPDATE locations SET ".inlined_into" = 3 - location_id' 'locations rowid 1: .inlined_into: a location is inlined into itself'
    loose 'UPDATE locations SET ".inlined_into" = location_id' 'locations rowid 1: .inlined_into: a location is inlined into itself'
    loose "UPDATE samples SET source_id = 7 WHERE sample_id = 2" 'samples rowid 2: source_id: there is no source 7'
    loose "UPDATE sample_values SET value = 9e999 WHERE sample_id = 2" 'sample_values rowid 2: value: expected a finite number, found Inf'
    loose "UPDATE sample_values SET sample_id = 5 WHERE sample_id = 2" 'sample_values rowid 2: sample_id: there is no sample 5'
    loose "INSERT INTO sample_values SELECT * FROM sample_values WHERE sample_id = 2" \
        'sample_values rowid 3: type: "samples" comes twice in sample 2'
    loose "UPDATE sample_locations SET depth = depth + 1 WHERE sample_id = 2" \
        'sample_locations rowid 3: depth: expected 1 in sample 2, found 2'
    loose "UPDATE sample_locations SET location_id = 99 WHERE sample_id = 2" \
        'sample_locations rowid 3: location_id: there is no location 99'
    loose "UPDATE meta SET value = '3.0'" 'meta rowid 1: expected the version 2.0, found "version" "3.0"'
    loose "DELETE FROM meta" 'meta: expected one row, found none'
    loose "UPDATE functions SET dotted = '{\".a\":1,}'" 'functions rowid 1: dotted: expected an object of JSON'
    loose "UPDATE functions SET dotted = '{\"a\":1}'" 'functions rowid 1: dotted: expected names that begin with a dot, found "a"'
    loose "UPDATE functions SET dotted = 7" 'functions rowid 1: dotted: expected an object of JSON'
    loose "INSERT INTO meta SELECT * FROM meta" 'meta rowid 2: meta: expected one row, found another'
    loose "UPDATE meta SET key = 'x'" 'meta rowid 1: expected the version 2.0, found "x" "2.0"'
    for object in '{\".a\":1} ' ' {\".a\":1}' '[1]'; do
        loose "UPDATE functions SET dotted = '$object'" 'functions rowid 1: dotted: expected an object of JSON'
    done
    loose "UPDATE functions SET dotted = 'x'" 'functions rowid 1: dotted: expected an object of JSON'
    loose "UPDATE functions SET dotted = '{\".bytes\":{}}', name = CAST(x'ff' AS TEXT)" \
        'functions rowid 1: .bytes is there, and a string that is not UTF-8 as well'
    loose "UPDATE locations SET dotted = '{\".inlined_into\":1}', \".inlined_into\" = 1" \
        'locations rowid 1: .inlined_into: it is in dotted as well'
    loose "INSERT INTO \".mappings\" VALUES (1, '{\"mapping_id\":1}')" '.mappings rowid 1: members: "mapping_id" is a column'
    loose "UPDATE locations SET \".mapping_id\" = 5" 'locations rowid 1: .mapping_id: there is no mapping 5'
    for name in '' x . .end .mappings; do
        loose "INSERT INTO dotted_rows VALUES (1, '$name', '{}')" \
            "dotted_rows rowid 1: table_name: expected the name of a dotted table, found \"$name\""
    done
    loose "INSERT INTO dotted_rows VALUES (1, '.x', '{}'), (1, '.x', '{}')" 'dotted_rows rowid 2: row_id: 1 is defined twice'
    loose "INSERT INTO dotted_rows VALUES (1, '.x', '{\"sample_id\":99}')" 'dotted_rows rowid 1: sample_id: there is no sample 99'
    loose "INSERT INTO dotted_rows VALUES (1, '.x', '{\"table\":1}')" \
        "dotted_rows rowid 1: a member appears twice: duplicate object key near '\"table\"'"
    loose "INSERT INTO samples SELECT * FROM samples" 'samples rowid 3: sample_id: 1 is defined twice'
    loose "INSERT INTO sample_locations_dotted VALUES (2, 9, '{\".x\":1}')" \
        'sample_locations_dotted rowid 1: depth: the sample has no location at 9'
    loose "INSERT INTO sample_locations_dotted VALUES (99, 1, '{\".x\":1}')" \
        'sample_locations_dotted rowid 1: sample_id: there is no sample 99'
    loose "ALTER TABLE samples DROP COLUMN source_id" 'table "samples": expected a column "source_id"'
    loose "DROP TABLE locations" 'expected a database of profiles, found no table "locations"'
    loose "DROP TABLE locations; CREATE VIEW locations AS SELECT 1 AS location_id" \
        'expected a table "locations", found something else that is called so'
    loose "DROP TABLE samples; CREATE VIRTUAL TABLE samples USING fts4(sample_id, source_id)" \
        'expected a table "samples", found something else that is called so'
}

@test "dotted columns of values and locations that break rules" {
    need sqlite3
    {
        input_of ndjson2sqlite | sed '$d' | sed 's/,".ends":true//'
        printf '%s\n' '{"table":"samples","sample_id":70,"source_id":1}' \
            '{"table":"sample_values","sample_id":70,"type":"a","unit":"u","value":1.50,".v":1}' \
            '{"table":"sample_locations","sample_id":70,"depth":1,"location_id":1,".l":1}'
    } | profcat -o rows
    id=$(sed -n 's/.*"table":"samples","sample_id":\([0-9]*\),.*/\1/p' rows | tail -n 1)
    ndjson2sqlite --plain -o good.db rows
    sqlite2ndjson good.db | same - rows
    # digits are those of the value, or nothing at all
    for digits in 1.5x '1.5 ' ' 1.5' 0x1.8p0 '1.5,\"x\":1' 1.51 1.5e 01.5 +1.5 .15e1 INF 2; do
        cp good.db x.db
        sqlite3 x.db "UPDATE sample_values_dotted SET dotted = '{\".sqlite_digits\":\"$digits\",\".v\":1}'"
        sqlite2ndjson x.db >found
        sed 's/"value":1.50,/"value":1.5,/' rows | diff - found || fail "$digits"
    done
    loose() {  # SQL message
        rm -f x.db
        sqlite3 good.db .dump | sed 's/, *WITHOUT ROWID//; s/^  PRIMARY KEY (sample_id, .*/  UNIQUE (sample_id)/' |
            grep -v 'UNIQUE (sample_id)$' | sed -z 's/,\n)/\n)/g' | sqlite3 x.db
        sqlite3 -bail x.db "$1"
        try sqlite2ndjson x.db
        says 1 "sqlite2ndjson: x.db: $2"
    }
    loose 'INSERT INTO sample_values_dotted SELECT * FROM sample_values_dotted' \
        "sample_values_dotted rowid 2: type: \"a\" comes twice in sample $id"
    loose 'INSERT INTO sample_locations_dotted SELECT * FROM sample_locations_dotted' \
        "sample_locations_dotted rowid 2: depth: 1 comes twice in sample $id"
    loose "UPDATE sample_values_dotted SET type = 'samples'" \
        'sample_values_dotted rowid 1: type: the sample has no value of "samples"'
}

@test "a string that is changed beside its bytes is said" {
    need sqlite3
    odd_rows | profcat -q -o rows
    ndjson2sqlite --plain -o x.db rows
    sqlite3 x.db "UPDATE functions SET name = 'renamed' WHERE function_id = 2"
    try sqlite2ndjson x.db
    says 0 'sqlite2ndjson: x.db: functions rowid 2: name: .bytes has other bytes than it shows'
    sed 's/"name":"�"/"name":"renamed"/' rows | same - stdout
    try sqlite2ndjson --strict x.db
    says 1 'sqlite2ndjson: x.db: functions rowid 2: --strict: name: .bytes has other bytes than it shows'
}

@test "what a program has not finished beside a database is taken for no part of another" {
    need python3
    input_of ndjson2sqlite >rows
    ndjson2sqlite --plain -o good.db rows
    # what a program leaves behind that is killed while it writes
    python3 - <<'END'
import shutil, sqlite3
for name, mode in (("wal", "WAL"), ("journal", "DELETE")):
    shutil.copy("good.db", "work.db")
    db = sqlite3.connect("work.db", isolation_level=None)
    db.execute(f"PRAGMA journal_mode = {mode}")
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN")
    db.execute("UPDATE functions SET name = 'half'")
    db.execute("CREATE TABLE filler (a)")
    db.executemany("INSERT INTO filler VALUES (?)", [("x" * 3000,)] * 100)
    if name == "wal":
        db.execute("COMMIT")
    shutil.copy("work.db", name + ".db")
    shutil.copy("work.db-" + name, f"{name}.db-{name}")
    db.close()
END
    rm -f work.db*
    for name in wal journal; do
        cp $name.db before
        ln -sf $name.db link.db
        for output in "-o $name.db" '-o link.db'; do
            try ndjson2sqlite $output rows
            [ "$status" -eq 3 ]
            grep -qxE "ndjson2sqlite: cannot write .*: SQLite would take .*$name.db-$name for a part of it" stderr
            same $name.db before
        done
    done
    try sqlite2ndjson journal.db
    says 1 'sqlite2ndjson: journal.db: a program has left unfinished changes beside this database: open it once with sqlite3, which completes or undoes them'
    sqlite2ndjson -q wal.db | grep -q '"name":"half"'
    # another program mends it, and --append is one
    need sqlite3
    cp journal.db mended.db
    cp journal.db-journal mended.db-journal
    sqlite3 mended.db 'SELECT count(*) FROM samples' >/dev/null
    [ ! -s mended.db-journal ]
    for name in journal mended; do
        ndjson2sqlite -a -o $name.db rows
        sound $name.db
        ndjson2sqlite --plain rows rows | sqlite2ndjson | same - <(sqlite2ndjson $name.db)
    done
    try ndjson2sqlite -a -o wal.db rows
    says 1 'ndjson2sqlite: wal.db: the table "filler" would be lost'
    sqlite3 wal.db 'DROP TABLE filler'
    ndjson2sqlite -a -o wal.db rows
    sound wal.db
}

# Makes rows with so many functions that reading their database $1 takes a while.
make_large() {  # database
    {
        input_of ndjson2sqlite | sed '$d' | sed 's/,".ends":true//'
        awk 'BEGIN { for (i = 100; i < 40000; i++)
            printf "{\"table\":\"functions\",\"function_id\":%d,\"name\":\"f%d\",\"system_name\":\"f%d\",\"filename\":\"\",\"start_line\":0}\n", i, i, i }'
    } | profcat -o rows
    ndjson2sqlite --plain -o "$1" rows
}

@test "rows are read as they were at first, whoever writes meanwhile" {
    need python3
    make_large x.db
    python3 - x.db <<'END'
import sqlite3, subprocess, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("DROP TABLE row_runs") # all tables are read one after the other
db.execute("PRAGMA journal_mode = WAL")
reader = subprocess.Popen(["sqlite2ndjson", sys.argv[1]], stdout=subprocess.PIPE)
found = reader.stdout.read(1000) # it writes functions, and waits
for table in ("sample_locations", "sample_values", "samples"):
    db.execute(f"DELETE FROM {table}")
found += reader.stdout.read()
assert reader.wait() == 0
expected = sum(b'"table":"samples"' in line for line in open("rows", "rb"))
assert expected > 0 and sum(b'"table":"samples"' in line for line in found.split(b"\n")) == expected, expected
END
}

# Every way to read a database, and the tools' own names for what is wrong.
read_in_each_way() {  # database; writes what it says to the file found, and sees that all say that
    echo "$1" >list
    sqlite2ndjson -q "$1" >found
    sqlite2ndjson -q --files-from list | same found -
    profcat -q "$1" | same found -
    sqlite2ndjson -q <"$1" | sed 's/"source_uri":[^,]*//' >given
    sed 's/"source_uri":[^,]*//' found | same given -
    [ "$(profsql --format=tsv --db "$1" 'SELECT name FROM functions WHERE function_id = 1')" = "name
$2" ]
}

@test "a database with a write-ahead log is read in each way, and nothing is left beside it" {
    need python3
    input_of ndjson2sqlite >rows
    ndjson2sqlite --plain -o first.db rows
    mkdir closed open copied killed
    mkfifo wait
    python3 - <<'END' 3>&- &
import shutil, sqlite3
db = sqlite3.connect("first.db", isolation_level=None)
db.execute("PRAGMA journal_mode = WAL")
db.close()
shutil.copy("first.db", "closed/%61?#x.db")
shutil.copy("first.db", "open/x.db")
db = sqlite3.connect("open/x.db", isolation_level=None)
db.execute("UPDATE functions SET name = 'late' WHERE function_id = 1")
for name in ("x.db", "x.db-wal", "x.db-shm"):
    shutil.copy("open/" + name, "killed/" + name)
    if name != "x.db-shm":
        shutil.copy("open/" + name, "copied/" + name)
open("began", "w").close()
open("wait").read()
END
    wait_until test -e began
    was=$(profsql --format=tsv 'SELECT name FROM functions WHERE function_id = 1' rows | tail -n 1)
    for folder in closed open copied killed; do
        name=late
        [ $folder != closed ] || name=$was
        (cd $folder && sha1sum -- *) >before
        read_in_each_way $folder/*.db "$name"
        (cd $folder && sha1sum -- *) | same before -
    done
    : >wait
    wait
    [ "$(ls open)" = x.db ]
    chmod 555 closed copied
    for folder in closed copied; do
        [ ! -w $folder ] || continue # root may
        sqlite2ndjson -q $folder/*.db >found
    done
    chmod 755 closed copied
}

@test "a write to a database that is locked from nobody is noticed" {
    need python3
    make_large x.db
    python3 - <<'END'
import sqlite3, subprocess
def write(statement):
    db = sqlite3.connect("x.db", isolation_level=None)
    db.execute(statement)
    db.close() # which moves what is in the log to the database
write("PRAGMA journal_mode = WAL")
reader = subprocess.Popen(["sqlite2ndjson", "x.db"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
found = reader.stdout.read(1000) # it writes functions, and waits
write("UPDATE functions SET start_line = start_line + 1")
found += reader.stdout.read()
said = reader.stderr.read().decode()
assert reader.wait() == 3 and said == "sqlite2ndjson: cannot read x.db: another program has written to it meanwhile\n", said
assert not found.endswith(b'{"table":".end"}\n')
END
}

@test "what no rows of a profile say is checked as well" {
    need sqlite3
    input_of ndjson2sqlite >rows
    ndjson2sqlite -o x.db rows
    sqlite3 x.db 'DROP TABLE row_runs; CREATE VIRTUAL TABLE row_runs USING fts4(run_id, table_name, last)'
    try sqlite2ndjson x.db
    says 1 'sqlite2ndjson: x.db: expected a table "row_runs", found something else that is called so'
    ndjson2sqlite -o x.db rows
    sqlite3 x.db 'DROP TABLE row_runs; CREATE TABLE row_runs (run_id, table_name, last AS (abs(run_id)))'
    try sqlite2ndjson x.db
    says 1 'sqlite2ndjson: x.db: table "row_runs": expected a column "last"'
    ndjson2sqlite -o x.db rows
    sqlite3 x.db 'PRAGMA foreign_keys = OFF; DROP TABLE value_types'
    try sqlite2ndjson x.db
    says 1 'sqlite2ndjson: x.db: expected a database of profiles, found no table "value_types"'
}

@test "dotted columns that nest deeper than SQLite reads JSON come back, and views read the others" {
    need sqlite3
    for depth in 900 2040; do
        {
            input_of ndjson2sqlite | sed '$d' | sed 's/,".ends":true//'
            for row in '"functions","function_id":70,"name":"f","system_name":"f","filename":"","start_line":0' \
                '".mappings","mapping_id":70' '"locations","location_id":70,"function_id":70,"line":0' \
                '"sources","source_id":70,"source_type":"t","source_uri":null,"source_timestamp":null' \
                '"samples","sample_id":70,"source_id":70'; do
                printf '{"table":%s,".x":%s%s}\n' "$row" "$(printf '[%.0s' $(seq $depth))" "$(printf ']%.0s' $(seq $depth))"
            done
            echo '{"table":"sample_values","sample_id":70,"type":"a","unit":"u","value":5}'
            echo '{"table":"sample_locations","sample_id":70,"depth":1,"location_id":70}'
        } | profcat -o rows
        for plain in '' --plain; do
            ndjson2sqlite $plain -o x.db rows
            sqlite2ndjson x.db | same - rows
            for view in top callers folded labels gauges mappings frame_texts; do sqlite3 -bail x.db "SELECT * FROM $view" >found; done
            [ "$(sqlite3 x.db "SELECT function, total FROM top WHERE type = 'a'")" = 'f|5' ]
        done
    done
}

@test "the last part of the name of a file, in time for long ones too" {
    takes_long
    need sqlite3
    printf -v a '%050000d' 0
    base_is() {  # name as JSON, base name
        {
            input_of ndjson2sqlite | sed '$d' | sed 's/,".ends":true//'
            printf '%s\n' "{\"table\":\".mappings\",\"mapping_id\":1,\"filename\":$1}" \
                '{"table":"locations","location_id":70,"function_id":null,"line":0,".mapping_id":1}'
        } >rows
        timeout 10 ndjson2sqlite -o x.db rows
        [ "$(sqlite3 x.db 'SELECT base_name FROM mapping_names')" = "$2" ] || fail "${1:0:99}"
    }
    base_is "\"$a/${a//0/b}\"" "${a//0/b}"
    while IFS='|' read -r name base; do
        base_is "$name" "$base"
    done <<'END'
"/usr/lib/libc.so"|libc.so
"lib.so"|lib.so
"/usr/lib/"|/usr/lib/
"/"|/
"a/b\\"|b\
"a\\/b"|b
"a/\"[é],\""|"[é],"
{"bytes":"2f61ff"}|{"bytes":"2f61ff"}
["a/b"]|b"]
END
}

@test "sums of reals beyond what reals hold" {
    need sqlite3
    {
        printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
            '{"table":"sources","source_id":1,"source_type":"t","source_uri":null,"source_timestamp":null}' \
            '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}' \
            '{"table":"locations","location_id":1,"function_id":1,"line":0}' '{"table":"locations","location_id":2,"function_id":1,"line":1}'
        for id in 1 2 3 4; do
            echo "{\"table\":\"samples\",\"sample_id\":$id,\"source_id\":1}"
            [ $id -gt 2 ] && sign=- || sign=
            echo "{\"table\":\"sample_values\",\"sample_id\":$id,\"type\":\"a\",\"unit\":\"u\",\"value\":${sign}1.7e308}"
            echo "{\"table\":\"sample_locations\",\"sample_id\":$id,\"depth\":1,\"location_id\":$(((id + 1) / 2))}"
        done
    } >rows
    for plain in '' --plain; do
        ndjson2sqlite $plain -o x.db rows
        sqlite2ndjson x.db | same - <(profcat rows)
        sqlite3 x.db 'SELECT function, self IS NULL, total IS NULL FROM top; SELECT caller FROM callers; SELECT stack FROM folded' >found$plain
    done
    printf '%s\n' 'f|1|1' '<root>' f | same - found
    grep -qx 'f|0|0' found--plain # SQLite goes from the first to the last
}

@test "stacks that are none" {
    need sqlite3
    input_of ndjson2sqlite >rows
    broken() {  # SQL message
        ndjson2sqlite -o x.db <rows
        sqlite3 x.db "PRAGMA ignore_check_constraints = ON; $1"
        try timeout 20 sqlite2ndjson x.db # a node that is its own parent would have no end
        says 1 "sqlite2ndjson: x.db: $2"
    }
    broken 'UPDATE nodes SET parent_id = 2 WHERE node_id = 1' 'nodes rowid 1: parent_id: expected a smaller id, or null, found 2'
    broken 'UPDATE nodes SET parent_id = 1 WHERE node_id = 1' 'nodes rowid 1: parent_id: expected a smaller id, or null, found 1'
    broken 'UPDATE nodes SET location_id = 9' 'samples rowid 1: location_id: there is no location 9'
    broken 'UPDATE samples SET node_id = 9' 'samples rowid 1: node_id: there is no node 9'
    broken 'UPDATE stored_values SET type_id = 9' 'stored_values of sample 1: type_id: there is no type 9'
    broken 'UPDATE samples SET dotted_id = 9' 'samples rowid 1: dotted_id: there is no row 9 of stored_dotted'
    dotted="INSERT INTO stored_dotted VALUES (9, '{\".x\":1}'); UPDATE samples SET dotted_id = 9"
    broken "ALTER TABLE samples ADD COLUMN dotted TEXT; $dotted, dotted = '{}'" 'samples rowid 1: dotted: expected null beside a dotted_id'
    broken "$dotted; UPDATE stored_dotted SET dotted = '{\"x\":1}'" \
        'stored_dotted rowid 9: dotted: expected names that begin with a dot, found "x"'
    labels="INSERT INTO stored_labels VALUES (9, 1, 'k', 'v', NULL, NULL); UPDATE samples SET labels_id = 9"
    broken "$labels; DELETE FROM stored_labels" 'samples rowid 1: labels_id: there is no row 9 of stored_labels'
    broken "$labels; DROP TABLE stored_labels" 'samples rowid 1: labels_id: there is no row 9 of stored_labels'
    broken "$labels; UPDATE stored_labels SET str = NULL" 'stored_labels of labels 9: expected a label with str or num, found neither'
    for column in key str unit; do
        broken "$labels; UPDATE stored_labels SET $column = CAST(x'ff' AS TEXT)" \
            'stored_labels of labels 9: expected text of UTF-8 without NUL in the label'
    done
    loose='PRAGMA legacy_alter_table = ON; CREATE TABLE x AS SELECT * FROM stored_labels; DROP TABLE stored_labels; ALTER TABLE x RENAME TO stored_labels'
    broken "$labels; $loose; UPDATE stored_labels SET \"key\" = NULL" 'stored_labels rowid 1: key: expected a string, found null'
    broken "$labels; $loose; UPDATE stored_labels SET str = x'07'" 'stored_labels rowid 1: str: expected a string, found a blob'
    broken "$labels; $loose; UPDATE stored_labels SET num = 'x'" 'stored_labels rowid 1: num: expected an integer, or null, found "x"'
    broken "$labels; $loose; INSERT INTO stored_labels SELECT * FROM stored_labels" \
        'stored_labels rowid 2: position: 1 comes twice'
    broken 'DELETE FROM nodes WHERE node_id = 1' 'nodes rowid 2: node_id: expected 1: nodes have no gaps'
    broken 'DROP TABLE stored_values' 'expected a database of profiles, found no table "stored_values"'
}

@test "nothing in a database is run, and damage is said" {
    need sqlite3
    input_of ndjson2sqlite >rows
    ndjson2sqlite --plain -o good.db rows
    cp good.db x.db
    sqlite3 x.db "CREATE TRIGGER t AFTER UPDATE ON functions BEGIN DELETE FROM samples; END;
        CREATE TABLE mine (a); ALTER TABLE samples ADD COLUMN note TEXT"
    try sqlite2ndjson -v x.db
    says 0 'sqlite2ndjson: not in the output: 1 column: samples.note' \
        'sqlite2ndjson: not in the output: 1 unknown table: mine'
    sqlite2ndjson -q x.db | same - rows
    try sqlite2ndjson --lossless x.db
    [ "$status" -eq 1 ]
    # a name that a function computes
    rm x.db
    sqlite3 good.db .dump | sed 's/^  filename TEXT NOT NULL,/  filename TEXT AS (hex(randomblob(100000000))),/' >x.sql
    sqlite3 x.db <x.sql 2>messages || true
    try sqlite2ndjson x.db
    [ "$status" -eq 1 ]
    # cut anywhere: it ends with 1, and quickly
    size=$(wc -c <good.db)
    for at in 16 100 1000 4096 5000 $((size / 2)) $((size - 4096)); do
        head -c $at good.db >cut.db
        try timeout 10 sqlite2ndjson cut.db
        [ "$status" -eq 1 ] || fail "cut at $at: $status"
        try timeout 10 sqlite2ndjson - <cut.db
        [ "$status" -eq 1 ] || fail "cut at $at, <stdin>: $status"
    done
}

@test "a huge blob is not read" {
    need sqlite3
    input_of ndjson2sqlite >rows
    ndjson2sqlite --plain -o x.db rows
    for id in 1 2; do
        sqlite3 x.db "UPDATE functions SET name = CAST(zeroblob(30000000) AS TEXT) WHERE function_id = $id"
        try sqlite2ndjson x.db
        says 1 "sqlite2ndjson: x.db: functions rowid $((id - 1)): the row behind this one cannot be read: string or blob too big"
        sqlite3 x.db "UPDATE functions SET name = 'f' WHERE function_id = $id"
    done
}

@test "an object of JSON may stand on several lines" {
    need sqlite3
    input_of ndjson2sqlite >rows
    ndjson2sqlite --plain -o x.db rows
    sqlite3 x.db "UPDATE functions SET dotted = json('{\".a\":[1,\"\u0041\"]}') || '' WHERE function_id = 1;
        UPDATE functions SET dotted = replace(dotted, '[', char(10) || '[') WHERE function_id = 1;
        INSERT INTO dotted_rows (row_id, table_name, members) VALUES (1, '.x', '{' || char(10) || '  \"b\": 1 }')"
    sqlite2ndjson x.db >found
    profvalidate found
    grep -qF ',".a":[1,"A"]}' found
    grep -qxF '{"table":".x","b":1}' found
}

@test "names of any bytes come as rows have them" {
    need sqlite3
    input_of ndjson2sqlite >rows
    ndjson2sqlite --plain -o x.db rows
    sqlite3 x.db "UPDATE functions SET name = CAST(x'61ff62' AS TEXT) WHERE function_id = 1;
        UPDATE functions SET name = 'a' || char(0) || 'b' WHERE function_id = 2"
    sqlite2ndjson x.db >found
    profvalidate found
    grep -qF '"name":"a�b",' found
    grep -qF '".bytes":{"name":"61ff62"}' found
    grep -qF '".bytes":{"name":"610062"}' found
}
