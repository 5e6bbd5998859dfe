#!/usr/bin/env bats
# Call trees of VTune, judged by Python's reader of CSV.
load helpers

@test "times by function are those of the cells" {
    need python3
    local file
    for file in "$ROOT/samples/vtune/words.csv" "$ROOT/tests/cases/vtune2ndjson/small/input"; do
        python3 - "$file" >theirs <<'PY'
import csv, collections, sys
lines = open(sys.argv[1]).read().splitlines()
own, total, stack = collections.Counter(), collections.Counter(), []
for line in lines[1:]:
    if line:
        name, time, module = next(csv.reader([line.lstrip(" ")]))
        depth = len(line) - len(line.lstrip(" "))
        stack[depth:] = [name]
        own[name] += round(float(time) * 1e9)
        for one in set(stack):
            total[one] += round(float(time) * 1e9)
for name in total:
    if total[name]:
        print(own[name], total[name], name)
PY
        [ -s theirs ]
        vtune2ndjson "$file" >rows
        profvalidate rows
        profsum -q -n 1000 --by=function --format=tsv rows >found
        column self total function <found | tr '\t' ' ' | LC_ALL=C sort >ours
        LC_ALL=C sort theirs | same ours -
    done
}

@test "a deep tree takes time in proportion to its file" {
    need python3
    python3 - >x.csv <<'PY'
print("Function Stack,CPU Time:Self,Module")
for i in range(3000):
    print(" " * i + "f,1,a")
PY
    timeout 20 vtune2ndjson x.csv >rows
    profsum -q --format=tsv rows >found
    [ "$(column total <found)" = 3000000000000 ]
}
