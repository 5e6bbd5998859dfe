#!/usr/bin/env bats
# Call trees of Visual Studio, judged by Python's reader of CSV.
load helpers

@test "calls and shares by function are those of the cells" {
    need python3
    local file type column
    for file in "$ROOT/samples/vsprof/words.csv" "$ROOT/tests/cases/vsprof2ndjson/small/input"; do
        vsprof2ndjson "$file" >rows
        profvalidate rows
        while IFS=, read -r type column; do
            python3 - "$file" "$column" >theirs <<'PY'
import csv, collections, decimal, sys
own, total, stack = collections.Counter(), collections.Counter(), []
for row in csv.DictReader(open(sys.argv[1], encoding="utf-8-sig")):
    stack[int(row["Level"]):] = [row["Function Name"]]
    value = decimal.Decimal(row[sys.argv[2]].replace(",", ""))
    own[stack[-1]] += value
    for one in set(stack):
        total[one] += value
for name in total:
    if total[name]:
        print(float(own[name]), float(total[name]), name)
PY
            [ -s theirs ]
            profsum -q -n 1000 --type=$type --by=function --format=tsv rows >found
            column self total function <found | awk -F'\t' '{ printf "%s %s %s\n", $1 ~ /[.]/ ? $1 : $1 ".0", $2 ~ /[.]/ ? $2 : $2 ".0", $3 }' |
                LC_ALL=C sort >ours
            LC_ALL=C sort theirs | same ours -
        done <<'END'
calls,Number of Calls
elapsed,Elapsed Exclusive Time %
END
    done
}

@test "levels that stand for long stacks are growth" {
    need python3
    python3 - >x.csv <<'PY'
print("Level,Function Name,Number of Calls,Elapsed Exclusive Time %")
for i in range(20000):
    print(f"{i},f,1,1")
for i in range(20000):
    print("19999,f,1,1")
PY
    try timeout 60 profsum x.csv
    [ $status -eq 1 ]
    grep -q -- --max-size stderr
}
