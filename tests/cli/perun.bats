#!/usr/bin/env bats
# Files of Perun: what rows say of them against what jq and Python do, layouts, stored objects, memory.
load helpers

PERUN=$ROOT/samples/perun

# A job file as jq can read it, which knows no infinities.
as_jq() {  # file
    sed -e 's/-\{0,1\}Infinity/null/g' "$1"
}

# What jq adds up of a file: "type amount", by the rules of perun2ndjson(1).
totals_of_file() {  # file
    as_jq "$1" | jq -r '
        def number: if type == "string" then (capture("^(?<n>-?[0-9.]+)s?$").n | tonumber) // empty
                    elif type == "number" then . else empty end;
        .collector_info.name as $collector
        | (.header.type // "amount") as $default
        | [ (if (.resources | type) == "object" then
                 .resource_type_map as $map
                 | .resources | to_entries[]
                 | $map[.key] + (.value as $lists | range([$lists[] | length] | min // 0) as $i
                                 | $lists | map_values(.[$i]))
             else .resources, .snapshots[]?.resources, (.global | arrays[], objects).resources? | arrays[] end)
            | (if .type == null and $collector == "kperf" then "samples"
               elif .type == "memory" then if .subtype == "free" then "dealloc_size" else "alloc_size" end
               else (.type // $default) + (if (.subtype // "") != "" then "(\(.subtype))" else "" end) end) as $type
            | {type: $type, value: (.amount | number)}, (select(has("exclusive")) | {type: "exclusive", value: .exclusive}) ]
        | group_by(.type)[] | "\(.[0].type) \(map(.value) | add)"'
}

totals_of_rows() {
    jq -s -r 'map(select(.table == "sample_values")) | group_by(.type)[] | "\(.[0].type) \(map(.value) | add)"'
}

@test "the values of every sample add up to what jq adds up of the file" {
    need jq
    count=0
    for file in "$PERUN"/*.perf; do
        perun2ndjson "$file" >rows
        profvalidate rows
        totals_of_rows <rows >found
        totals_of_file "$file" >expected
        diff expected found || fail "$file"
        count=$((count + $(wc -l <found)))
    done
    [ $count -ge 12 ]
}

@test "every tool reads a file of Perun as its converter does" {
    for file in "$PERUN"/*.perf "$PERUN"/*.object; do
        perun2ndjson "$file" >rows
        profcat "$file" | same rows -
        profcat rows | same rows -
    done
}

@test "a stored object is read as the text in it" {
    perun2ndjson --source-uri=x "$PERUN/memory.object" >found
    perun2ndjson --source-uri=x "$PERUN/memory.perf" >expected
    # but for what only one of them says of itself
    for file in found expected; do
        sed -i -e 's/"indented":true,//' -e 's/"stored":"memory",//' -e 's/"origin":"0*",//' $file
    done
    same expected found
    perun2ndjson --source-uri=x - <"$PERUN/memory.object" | same - <(perun2ndjson --source-uri=x "$PERUN/memory.object")
}

@test "what begins as zlib data and is no profile is none" {
    need python3
    python3 -c 'import sys, zlib; sys.stdout.buffer.write(zlib.compress(b"blob 5\0hello"))' >x
    try perun2ndjson x
    says 1 "perun2ndjson: x: expected a Perun file, found bytes that begin$(head -c 8 x | od -An -tx1 | head -n 1)"
    { cat "$PERUN/memory.object"; echo x; } >x
    try profcat x
    says 1 "profcat: x: offset $(wc -c <"$PERUN/memory.object"): expected the end behind the zlib data, found other bytes"
    # where it is damaged that is said
    { head -c 200 "$PERUN/memory.object"; printf xxxx; tail -c +205 "$PERUN/memory.object"; } >x
    try profcat x
    [ "$status" -eq 1 ]
    grep -E '^profcat: x(: offset|:1:)' stderr
}

@test "members of the file come in any order" {
    need jq
    for name in memory kperf complexity; do
        perun2ndjson --source-uri=x "$PERUN/$name.perf" | grep -v '"table":"sources"' >expected
        jq -c 'to_entries | reverse | from_entries' "$PERUN/$name.perf" |
            perun2ndjson --source-uri=x | grep -v '"table":"sources"' | same expected -
    done
}

@test "arrays of unequal length are cut, which is said, and an error with --strict" {
    printf '{"resources": {"f": {"amount": [1, 2], "order": [7]}}, "resource_type_map": {"f": {"uid": "f"}}}' >x
    try perun2ndjson x
    says 0 'perun2ndjson: x:1: column 16: lists of one resource differ in length (so of 1): what stands behind the shortest is no sample'
    [ "$(grep -c '"table":"samples"' stdout)" -eq 1 ]
    try profsum --strict x
    says 1 'profsum: x:1: column 16: lists of one resource differ in length (so of 1): what stands behind the shortest is no sample'
}

@test "an inclusive amount is marked, and what is shown first is the part that adds up" {
    perun2ndjson "$PERUN/trace.perf" | grep -F '".value_types":[{"type":"mixed(time delta)","unit":"nanoseconds","inclusive":true},{"type":"exclusive","unit":"nanoseconds"}]'
    profsum "$PERUN/trace.perf" | head -n 1 | grep '^exclusive: '
}

@test "values are spelled in rows as in the file" {
    printf '{"resources": [{"uid": "f", "amount": 1e-05}, {"uid": "f", "amount": 0.10}, {"uid": "f", "amount": 9223372036854775807}]}' >x
    perun2ndjson x | sed -n 's/^{"table":"sample_values".*"value":\(.*\)}/\1/p' >found
    printf '1e-05\n0.10\n9223372036854775807\n' | same - found
}

@test "memory is at most four times the file, in each layout" {
    plain_only 'it takes more memory'
    need python3 prlimit
    python3 - <<'EOF'
import json
call = {"type": "memory", "subtype": "malloc", "uid": {"function": "f", "line": 1}, "amount": 4}
def trace(i):
    return [{"function": "f%d" % (i * 7 % 5000), "line": i, "source": "/src/a.c"}, {"function": "main", "line": 3}]
def write(name, profile):
    open(name, "w").write(json.dumps({**profile, "header": {"type": "memory"}}))
n = 150000
write("lists", {"resources": {"f": {"amount": list(range(10 * n)), "order": [7] * 10 * n}}, "resource_type_map": {"f": {"uid": "f"}}})
write("map", {"resources": {"f%d" % i: {"amount": [i], "address": [i]} for i in range(n)},
              "resource_type_map": {"f%d" % i: {**call, "trace": trace(i)} for i in range(n)}})
write("snapshots", {"snapshots": [{"time": i, "resources": [{**call, "trace": trace(i * 50 + k)} for k in range(50)]} for i in range(n // 50)]})
write("models", {"global": {"resources": [], "models": [{"uid": "f%d" % i, "coeffs": [1.5, 2.5]} for i in range(2 * n)]}})
EOF
    for file in lists map snapshots models; do
        size=$(wc -c <$file)
        [ "$size" -gt 10000000 ]
        # 32 MiB are any tool's
        prlimit --data=$((32 * 1048576 + 4 * size)) perun2ndjson --threads=1 $file >rows
        tail -n 1 rows | grep -Fx '{"table":".end"}'
    done
}

@test "deep nesting ends the tool by itself" {
    { printf '{"resources": [], "x": '; head -c 100000 /dev/zero | tr '\0' '['; } >x
    try perun2ndjson x
    says 1 'perun2ndjson: x:1: column 2071: expected values that nest no deeper than 2048'
}

@test "no mutation of a sample crashes" {
    need python3
    python3 - "$PERUN" <<'EOF'
import glob, random, sys
random.seed(14)
files = sorted(glob.glob(sys.argv[1] + "/*.perf") + glob.glob(sys.argv[1] + "/*.object"))
bits = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b"e", b"null", b"NaN", b"\\u", b"\\ud800", b"\xff", b"\n", b""]
for i in range(2000):
    data = bytearray(open(files[i % len(files)], "rb").read())
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(data))
        end = at + random.choice([0, 1, 1, random.randint(1, 40)])
        if random.random() < 0.3:
            at2 = random.randrange(len(data))
            data[at:end] = data[at2:at2 + random.randint(1, 60)]
        else:
            data[at:end] = random.choice(bits)
    open("mutant%d" % i, "wb").write(data)
EOF
    good=0
    for i in $(seq 0 1999); do
        status=0
        perun2ndjson -q mutant$i >rows 2>stderr || status=$?
        if [ $status -eq 0 ]; then
            profvalidate -q rows || fail "mutant $i"
            good=$((good + 1))
        else
            [ $status -eq 1 ] || fail "mutant $i: $status" "$(cat stderr)"
            grep -qE '^perun2ndjson: mutant[0-9]+(:[0-9]+: column [0-9]+|: offset [0-9]+)?: ' stderr || fail "$(cat stderr)"
        fi
    done
    [ $good -gt 100 ]
}
