#!/usr/bin/env bats
# Databases made to do harm, and statements that would: nothing of a file is run, and all ends.
load helpers
load sqlite-helpers

setup() {
    T=$BATS_TEST_TMPDIR
    cd "$T"
    neutral
    input_of ndjson2sqlite >rows
}

# A database that sqlite3 has done SQL to, in both ways to store: what asks it is done for each.
stranger() {  # SQL
    ndjson2sqlite $plain -o x.db rows
    sqlite3 -bail x.db "$1" || fail "sqlite3: $1"
}

has_module() {  # module
    sqlite3 :memory: "CREATE VIRTUAL TABLE x USING $1(a)" 2>messages || skip "sqlite3 has no $1"
}

# What is endless takes this many seconds of the processor at most, not the time of the test.
soon() {  # command ...
    (ulimit -t 20; try timeout 60 "$@"; echo "$status" >status)
    status=$(cat status)
}

ENDLESS='WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)'

@test "views of a file are not run: ours are asked" {
    need sqlite3
    for plain in '' --plain; do
        ndjson2sqlite $plain -o good.db rows
        for view in top callers folded; do
            profsql --format=tsv --db good.db "SELECT * FROM $view" >right
            stranger "DROP VIEW $view; CREATE VIEW $view AS $ENDLESS SELECT 't' AS type, 'u' AS unit, 'n' AS function, sum(i) AS self FROM n"
            soon profsql --format=tsv --db x.db "SELECT * FROM $view"
            says 0
            same stdout right
            # and a table in the place of a view
            stranger "DROP VIEW $view; CREATE TABLE $view (name); INSERT INTO $view VALUES ('mine')"
            soon profsql --format=tsv --db x.db "SELECT * FROM $view"
            says 0
            same stdout right
        done
        profsql --db good.db .schema >right
        stranger 'DROP VIEW top; CREATE VIEW top AS SELECT 1 AS name'
        try profsql --db x.db .schema
        says 0
        sort stdout | same - <(sort right)
        stranger 'CREATE VIEW mine AS SELECT 1 AS a'
        try profsql --db x.db 'SELECT * FROM mine'
        says 2 'profsql: the statement is wrong: access to view "mine" prohibited'
        profsql --format=tsv --db x.db 'SELECT count(*) > 0 AS a FROM main.samples, top' | tail -n 1 | grep -qx 1
    done
}

@test "virtual tables of a file are not run" {
    need sqlite3
    has_module fts5
    for plain in '' --plain; do
        ndjson2sqlite $plain -o good.db rows
        profsql --format=tsv --db good.db 'SELECT * FROM top' >right
        stranger "DROP VIEW top; CREATE VIRTUAL TABLE f USING fts5(name); INSERT INTO f VALUES ('a'); CREATE VIEW top AS SELECT * FROM f"
        # an FTS5 table has statements of its own, which were finalized twice
        try profsql --format=tsv --db x.db 'SELECT * FROM top'
        says 0
        same stdout right
        try profsql --db x.db 'SELECT * FROM f'
        says 2 'profsql: the statement is wrong: no such module: fts5'
        sqlite2ndjson -q x.db | same - rows
        profsum -q x.db | same - <(profsum good.db)
        cp x.db before
        try ndjson2sqlite -a -o x.db rows
        [ "$status" -eq 1 ]
        grep -qE '^ndjson2sqlite: x.db: the (table|view) "f[_a-z]*" would be lost$' stderr
        same x.db before
    done
    stranger 'DROP TABLE samples; CREATE VIRTUAL TABLE samples USING fts5(sample_id, source_id)'
    try profsql --db x.db 'SELECT 1'
    says 1 'profsql: x.db: expected a table "samples", found something else that is called so'
    stranger 'DROP TABLE samples; CREATE VIEW samples AS SELECT 1 AS sample_id'
    try profsql --db x.db 'SELECT 1'
    says 1 'profsql: x.db: expected a table "samples", found something else that is called so'
}

@test "columns that a file computes are refused, and triggers never run" {
    need sqlite3
    for plain in '' --plain; do
        stranger 'CREATE TABLE mine (a, b AS (hex(zeroblob(a))))'
        try profsql --db x.db 'SELECT 1'
        says 1 'profsql: x.db: expected a column with values, found "mine.b", which is computed'
        stranger "CREATE TRIGGER t AFTER INSERT ON samples BEGIN DELETE FROM functions; END"
        cp x.db before
        profsql --db x.db 'SELECT * FROM top' >found
        sqlite2ndjson -q x.db | same - rows
        same x.db before
        try ndjson2sqlite -a -o x.db rows
        says 1 'ndjson2sqlite: x.db: the trigger "t" would be lost'
        same x.db before
    done
}

@test "functions are those that work on values" {
    takes_long
    need sqlite3
    ndjson2sqlite -o x.db rows
    refused() {  # function, call
        for of in '--db=x.db' rows; do
            case $of in rows) try profsql "SELECT $2" rows ;; *) try profsql $of "SELECT $2" ;; esac
            [ "$status" -eq 2 ] || fail "$2: $status"
            grep -qE "not authorized to use function: $1$|no such function: $1$" stderr || fail "$2: $(cat stderr)"
        done
    }
    refused fts3_tokenizer "fts3_tokenizer('simple')"
    refused fts3_tokenizer "fts3_tokenizer('simple', x'4141414141414141')"
    refused load_extension "load_extension('y')"
    refused readfile "readfile('rows')"
    refused writefile "writefile('y', 1)"
    refused edit "edit('y')"
    # what a library has for use in statements may all be called
    sqlite3 :memory: "SELECT DISTINCT name || ' ' || iif(narg < 0, 1, narg) FROM pragma_function_list WHERE builtin
        AND name NOT IN ('load_extension', 'match', 'regexp') AND name NOT LIKE 'sqlite\_%' ESCAPE '\\' ORDER BY 1" >functions
    [ "$(wc -l <functions)" -gt 80 ]
    while read -r name count; do
        arguments=$(printf ', 1%.0s' $(seq "$count"))
        [ "$count" -gt 0 ] && arguments=${arguments#, } || arguments=
        try profsql --db x.db "SELECT \"$name\"($arguments)"
        run ! grep -q 'not authorized' stderr # more than that may be wrong with such arguments
    done <functions
    [ "$(profsql --format=csv --db x.db "SELECT json('[1]') ->> 0 AS a, max(1, 2) AS b, date(0, 'unixepoch') AS c,
        'a' LIKE 'A' AS d, row_number() OVER () AS e, sum(value) AS f FROM json_each('[1,2]')" | tail -n 1)" = '1,2,1970-01-01,1,1,3' ]
}

@test "an answer is bounded" {
    need sqlite3
    ndjson2sqlite -o x.db rows
    for of in --db=x.db rows; do
        ask() {  # [option ...] statement
            case $of in rows) soon profsql "$@" rows ;; *) soon profsql $of "$@" ;; esac
        }
        ask 'SELECT zeroblob(1000000000)'
        says 1 'profsql: the statement has failed: string or blob too big'
        ask --format=csv "SELECT length(printf('%.*c', 100000000, 'x')) AS n"
        [ "$status" -ne 0 ] || [ "$(tail -n 1 stdout | tr -d '\r')" = '' ]
        ask --max-size=20M "SELECT $(printf 'zeroblob(10000000), %.0s' 1 2 3 4) 1"
        says 3 'profsql: the answer takes more memory than there is, or than 20971520 bytes (--max-size sets the limit)'
        ask --max-size=10M -n 10000000 "$ENDLESS SELECT i FROM n"
        says 1 'profsql: the answer has more than 10485760 bytes (--max-size sets the limit): another --format takes its rows one by one'
        ask --timeout=0.2 "$ENDLESS SELECT count(*) FROM n"
        says 3 'profsql: 0.2 seconds are over (--timeout)'
        ask --timeout=0.2 --format=tsv -o out "$ENDLESS SELECT i FROM n"
        says 3 'profsql: 0.2 seconds are over (--timeout)'
        [ ! -e out ]
    done
    [ -z "$(files_here | grep profpipe)" ]
}

@test "a file of a few pages has no rows without end" {
    need python3
    # every inner page of a table says that its children are all the next one
    python3 - <<'END'
import sqlite3, struct
PAGE, COUNT, LEVELS = 4096, 500, 6
db = sqlite3.connect("x.db", isolation_level=None)
for sql in (f"PRAGMA page_size = {PAGE}", "CREATE TABLE meta (key, value)", "INSERT INTO meta VALUES ('version', '2.0')",
            "CREATE TABLE sources (source_id, source_type, source_uri, source_timestamp)",
            "CREATE TABLE functions (function_id, name, system_name, filename, start_line)",
            "CREATE TABLE locations (location_id, function_id, line)", "CREATE TABLE samples (sample_id, source_id)",
            "CREATE TABLE sample_values (sample_id, type, unit, value)",
            "CREATE TABLE sample_locations (sample_id, depth, location_id)"):
    db.execute(sql)
db.executemany("INSERT INTO sample_values VALUES (?, 't', 'u', 1)", [(i,) for i in range(400)])
root, = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sample_values'").fetchone()
db.execute("CREATE TABLE filler (a)")
first = db.execute("PRAGMA page_count").fetchone()[0] + 1
db.execute(f"INSERT INTO filler VALUES (zeroblob({2 * LEVELS * PAGE}))")
db.close()
def inner(child):
    cells = struct.pack(">IB", child, 1) * COUNT
    start = PAGE - len(cells)
    head = struct.pack(">BHHHBI", 5, 0, COUNT, start, 0, child)
    return (head + b"".join(struct.pack(">H", start + 5 * i) for i in range(COUNT))).ljust(start, b"\0") + cells
with open("x.db", "r+b") as f:
    f.seek((root - 1) * PAGE)
    leaf, = struct.unpack(">I", f.read(PAGE)[8:12])
    for i in range(LEVELS):
        f.seek((first + i - 1) * PAGE)
        f.write(inner(first + i + 1 if i + 1 < LEVELS else leaf))
    f.seek((root - 1) * PAGE)
    f.write(inner(first))
END
    for input in x.db -; do
        soon sqlite2ndjson $input <x.db
        [ "$status" -eq 1 ]
        grep -qE '^sqlite2ndjson: (x.db|<stdin>): reading takes more (memory|steps) than a database of its size needs$' stderr
    done
}

@test "--timeout is the time of the whole call, of every tool" {
    mkfifo pipe
    sleep 100 >pipe &
    for command in 'profsum pipe' 'profcat -o out pipe' 'ndjson2sqlite -o out pipe' 'profsql SELECT\ 1 pipe'; do
        eval "try timeout 60 $command --timeout=.3"
        says 3 "${command%% *}: .3 seconds are over (--timeout)"
        [ -z "$(files_here | grep -vxE 'pipe|rows')" ]
    done
    profcat --timeout=60 rows | same - rows
    profsql --timeout=1e3 --format=tsv 'SELECT 1 AS a' rows >found
    for seconds in 0 -1 x 0x10 1s '' nan inf 1e9 ' 1'; do
        try profcat --timeout="$seconds" rows
        says 2 "profcat: --timeout: expected a number of seconds from 0.000001 to 100000000, found \"$seconds\""
    done
}

@test "a database that is locked is waited for" {
    need python3
    ndjson2sqlite --plain -o x.db rows
    locker() {  # seconds: holds the database locked, and says when it does
        python3 -u - "$1" <<'END' &
import sqlite3, sys, time
db = sqlite3.connect("x.db", isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
db.execute("UPDATE functions SET name = 'changed'")
open("locked", "w").close()
time.sleep(float(sys.argv[1]))
db.execute("COMMIT")
END
        wait_until test -e locked
        rm locked
    }
    locker 1
    sqlite2ndjson x.db >found
    grep -q '"name":"changed"' found
    wait
    locker 30
    try profsql --timeout=0.3 --db x.db 'SELECT 1'
    says 3 'profsql: 0.3 seconds are over (--timeout): x.db is locked by another program'
    try profsum --timeout=0.3 x.db
    says 3 'profsum: 0.3 seconds are over (--timeout): x.db is locked by another program'
}

@test "what a file calls its tables is no command to a terminal" {
    need sqlite3
    need_terminal
    ndjson2sqlite -o x.db rows
    sqlite3 x.db "CREATE TABLE \"$(printf 'a\033]0;title\007b')\" (c)"
    script -qec 'profsql --db=x.db .schema' /dev/null >screen </dev/null
    run ! grep -q "$(printf '\033')" screen
    grep -qF 'CREATE TABLE "a␛]0;title␇b" (c);' screen
    profsql --db=x.db .schema | grep -qF "$(printf 'a\033]0;title\007b')"
}

@test "JSON of several lines becomes one" {
    need sqlite3
    ndjson2sqlite -o x.db "$ROOT/samples/pprof/go-cpu.pb.gz"
    sqlite2ndjson x.db >expected
    for end in 10 13; do
        cp x.db lines.db
        sqlite3 lines.db "UPDATE sources SET dotted = replace(dotted, '{', '{' || char($end)) WHERE dotted IS NOT NULL"
        sqlite2ndjson lines.db | same expected -
    done
}
