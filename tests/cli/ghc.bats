#!/usr/bin/env bats
# Profiles of GHC: sums against what the file says, and what is recorded now.
load helpers

# "SELF TOTAL NAME" of each function of a file for MEMBER of its nodes, by the file alone. A function counts once in a
# stack. What has no value is left out.
file_sums() {  # file, member
    python3 - "$@" <<'END' | LC_ALL=C sort
import collections, json, sys
file, member = json.load(open(sys.argv[1])), sys.argv[2]
names = {c["id"]: c["module"] + "." + c["label"] for c in file["cost_centres"]}
own, total = collections.Counter(), collections.Counter()
def walk(node, above):
    stack = above | {names[node["id"]]}
    own[names[node["id"]]] += node[member]
    for name in stack:
        total[name] += node[member]
    for child in node["children"]:
        walk(child, stack)
walk(file["profile"], set())
for name in total:
    if total[name]:
        print(own[name], total[name], name.replace("\\", "\\\\"))  # as tsv has it
END
}

@test "sums are those of the file" {
    need python3
    local member type
    for file in "$ROOT/samples/ghc/words.prof" "$ROOT/tests/cases/ghc2ndjson/small/input" "$ROOT/tests/cases/ghc2ndjson/pretty/input"; do
        while read -r member type; do
            file_sums "$file" $member >expected
            [ -s expected ]
            profsum -q --type=$type --by=function --format=tsv "$file" >found
            column self total function <found | tr '\t' ' ' | LC_ALL=C sort | diff expected - || fail "$file: $type"
        done <<'END'
entries entries
alloc alloc_space
ticks samples
END
        # a tick has its time
        profsum -q --type=cpu --by=function --format=tsv "$file" >found
        column self function <found | awk -F'\t' '{ print $1 / 1000000, $2 }' | LC_ALL=C sort >expected
        profsum -q --type=samples --by=function --format=tsv "$file" >found
        column self function <found | awk -F'\t' '{ print $1, $2 }' | LC_ALL=C sort | diff expected -
    done
}

@test "what GHC records now is read, without a warning" {
    takes_long
    need ghc python3
    cp "$ROOT"/samples/ghc/*.hs .
    ghc -v0 -prof -fprof-auto -o words Words.hs >log 2>&1 || skip "GHC has no libraries for profiling"
    ./words +RTS -pj -RTS >log
    try ghc2ndjson -v --strict -o rows words.prof
    says 0
    profvalidate rows
    file_sums words.prof alloc >expected
    profsum -q --type=alloc_space --by=function --format=tsv rows >found
    column self total function <found | tr '\t' ' ' | LC_ALL=C sort | diff expected -
    # what is cut off is said
    head -c 3000 words.prof >cut
    try ghc2ndjson cut
    [ $status -eq 1 ]
    # text has the same functions, and sums by the columns of its table
    ./words +RTS -Pa -RTS >log
    try ghc2ndjson -v --strict -o rows words.prof
    says 0
    profvalidate rows
    awk '/^COST CENTRE/ { tables++; next }
         tables == 2 && NF { sum[$2 "." $1] += $NF }
         END { for (name in sum) if (sum[name]) print sum[name], name }' words.prof | LC_ALL=C sort >expected
    profsum -q --type=alloc_space --by=function --format=tsv rows >found
    column self function <found | tr '\t' ' ' | sed '/^0 /d; s/\\\\/\\/g' | LC_ALL=C sort | diff expected -
    # text without numbers says how to get what can be read
    ./words +RTS -p -RTS >log
    try ghc2ndjson words.prof
    [ $status -eq 1 ]
    grep -qF -- "+RTS -pj" "$T/stderr"
}
