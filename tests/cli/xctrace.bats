#!/usr/bin/env bats
# Exports of Instruments, judged by Python's XML, and by sums of the weights that Instruments shows.
load helpers

SOURCE=$ROOT/samples/xctrace
JUDGE=$BATS_TEST_DIRNAME/xctrace.py

@test "each row of a table has the time, weight, thread and stack that Python reads" {
    need python3
    local file
    for file in "$SOURCE/table.xml" "$ROOT/tests/cases/xctrace2ndjson/small/input"; do
        python3 "$JUDGE" xml <"$file" >theirs
        [ -s theirs ]
        xctrace2ndjson "$file" >rows
        profvalidate rows
        python3 "$JUDGE" rows <rows | same theirs -
    done
}

@test "a tree has the sums of its lines, and those are what Instruments shows" {
    need python3
    python3 "$JUDGE" copy <"$SOURCE/tree.txt" | LC_ALL=C sort >theirs
    [ -s theirs ]
    profsum -q --by=function --format=tsv "$SOURCE/tree.txt" >found
    column self total function <found | tr '\t' ' ' | LC_ALL=C sort | same theirs -
    python3 "$JUDGE" weights <"$SOURCE/tree.txt" | awk '$1 != $2 { exit 1 }'
}

@test "a table that is cut anywhere is refused" {
    local size n
    size=$(stat -c %s "$SOURCE/table.xml")
    for n in $(seq 50 $((size - 10)) | few_lines 3 | some_lines 97) $(seq $((size - 9)) $((size - 2))); do
        head -c $n "$SOURCE/table.xml" >x
        try xctrace2ndjson x
        [ $status -eq 1 ]
        run ! grep -q '"table":".end"' stdout
    done
}

@test "what refers to much takes time and memory in proportion" {
    need python3
    python3 - >x.xml <<'PY'
print("<trace-query-result><node>")
print('<row><thread id="1">', "<process/><tid>1</tid>" * 100000, '</thread></row>')
print('<row><weight id="2">1</weight><backtrace id="3">', '<frame name="f"/>' * 100, '</backtrace></row>')
for i in range(100000):
    print('<row><thread ref="1"/><weight ref="2"/><backtrace ref="3"/></row>')
print("</node></trace-query-result>")
PY
    timeout 30 profsum -q --format=tsv x.xml >found
    [ "$(column total <found)" = 100001 ]
    # a stack that each row repeats is growth
    python3 - >x.xml <<'PY'
print("<trace-query-result><node>")
print('<row><weight id="2">1</weight><backtrace id="3">', '<frame name="f"/>' * 10000, '</backtrace></row>')
for i in range(20000):
    print('<row><weight ref="2"/><backtrace ref="3"/></row>')
print("</node></trace-query-result>")
PY
    try timeout 60 profsum x.xml
    [ $status -eq 1 ]
    grep -q -- --max-size stderr
}
