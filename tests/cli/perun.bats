#!/usr/bin/env bats
# Files of Perun: what rows say of them against what jq and Python do, layouts, stored objects, memory; there and back.
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
    profsum "$PERUN/trace.perf" | sed -n 2p | grep '^exclusive: '
    try profsum --type='mixed(time delta)' "$PERUN/trace.perf"
    says 1 'profsum: --type: "mixed(time delta)" is inclusive: it cannot be added up a stack'
    try ndjson2pprof --types='mixed(time delta)' "$PERUN/trace.perf"
    says 1 "ndjson2pprof: $PERUN/trace.perf: --types: \"mixed(time delta)\" is inclusive: it cannot be added up a stack"
}

@test "values are spelled in rows as in the file" {
    printf '{"resources": [{"uid": "f", "amount": 1e-05}, {"uid": "f", "amount": 0.10}, {"uid": "f", "amount": 9223372036854775807}]}' >x
    perun2ndjson x | sed -n 's/^{"table":"sample_values".*"value":\(.*\)}/\1/p' >found
    printf '1e-05\n0.10\n9223372036854775807\n' | same - found
}

@test "memory is at most four times the file, in each layout" {
    takes_long
    plain_only 'it takes more memory'
    need python3 prlimit
    python3 - <<'EOF'
import json
call = {"type": "memory", "subtype": "malloc", "uid": {"function": "f", "line": 1}, "amount": 4}
def trace(i):
    return [{"function": "f%d" % (i * 7 % 5000), "line": i, "source": "/src/a.c"}, {"function": "main", "line": 3}]
def write(name, profile):
    open(name, "w").write(json.dumps({**profile, "header": {"type": "memory"}}))
n = 60000
write("lists", {"resources": {"f": {"amount": list(range(10 * n)), "order": [7] * 10 * n}}, "resource_type_map": {"f": {"uid": "f"}}})
write("map", {"resources": {"f%d" % i: {"amount": [i], "address": [i]} for i in range(n)},
              "resource_type_map": {"f%d" % i: {**call, "trace": trace(i)} for i in range(n)}})
write("snapshots", {"snapshots": [{"time": i, "resources": [{**call, "trace": trace(i * 50 + k)} for k in range(50)]} for i in range(n // 50)]})
write("models", {"global": {"resources": [], "models": [{"uid": "f%d" % i, "coeffs": [1.5, 2.5]} for i in range(2 * n)]}})
EOF
    for file in lists map snapshots models; do
        size=$(wc -c <$file)
        [ "$size" -gt 4000000 ]
        # 24 MiB are any tool's
        prlimit --data=$((24 * 1048576 + 4 * size)) perun2ndjson --threads=1 $file >rows
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
    local count=200
    [ -z "${PROFPIPE_LONG-}" ] || count=2000
    python3 - "$PERUN" $count <<'EOF'
import glob, random, sys
random.seed(14)
files = sorted(glob.glob(sys.argv[1] + "/*.perf") + glob.glob(sys.argv[1] + "/*.object"))
bits = [b'"', b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b"e", b"null", b"NaN", b"\\u", b"\\ud800", b"\xff", b"\n", b""]
for i in range(int(sys.argv[2])):
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
    : >all
    for i in $(seq 0 $((count - 1))); do
        status=0
        perun2ndjson -q mutant$i >rows 2>stderr || status=$?
        if [ $status -eq 0 ]; then
            cat rows >>all
            good=$((good + 1))
        else
            [ $status -eq 1 ] || fail "mutant $i: $status" "$(cat stderr)"
            read -r said <stderr
            [[ $said =~ ^'perun2ndjson: mutant'[0-9]+(':'[0-9]+': column '[0-9]+|': offset '[0-9]+)?': ' ]] || fail "$said"
        fi
    done
    [ $good -gt $((count / 20)) ]
    profvalidate all
}

@test "rows of files with long and many members are valid" {
    need python3
    python3 - <<'EOF'
import json
def write(name, profile):
    open(name, "w").write(json.dumps(profile))
some = list(range(100000))
write("many", {"resources": [], "metadata": some, **{"x%d" % i: i for i in range(20)}})
write("deep", {"resources": [], "metadata": json.loads("[" * 15 + json.dumps(some) + "]" * 15)})
write("wide", {"resources": [], "metadata": {"x%d" % i: i for i in some}})
write("types", {"resources": [{"type": "t%d" % i, "amount": i} for i in some[:50000]], **{"x%d" % i: i for i in range(20)}})
EOF
    for file in many deep wide types; do
        perun2ndjson $file >rows
        profvalidate rows
        ndjson2perun --lossless rows | same $file -
    done
}

@test "many units, models and members cost no more than few, there and back" {
    takes_long
    need python3
    python3 - <<'EOF'
import json
def write(name, profile):
    open(name, "w").write(json.dumps(profile))
n = 50000
some = range(n)
write("units", {"header": {"units": {"y%d" % i: "s" for i in some}},
                "resources": [{"type": "z%d" % i, "amount": 1} for i in some]})
write("models", {"metadata": list(some), "models": [i for i in some], "resources": []})
write("snapshots", {"snapshots": [{"models": [i]} for i in some]})
write("columns", {"resources": {"f": {"c%d" % i: [i] for i in some}}, "resource_type_map": {"f": {}}})
write("uneven", {"resources": {"f": {"z": [1], **{"c%d" % i: [i, 2] for i in some}}}, "resource_type_map": {"f": {}}})
write("wide", {"resources": [{**{"c%d" % i: i for i in some}, **{"n%d" % i: None for i in some}}]})
EOF
    for file in units models snapshots columns uneven wide; do
        timeout 60 perun2ndjson -q $file >rows
        timeout 60 ndjson2perun --lossless <rows | same $file -
    done
    # in another order, too
    python3 -c 'import json, sys
for line in open("rows"):
    row = json.loads(line)
    print(json.dumps({name: dict(sorted(value.items())) if name == ".perun_members" else value for name, value in row.items()},
                     ensure_ascii=False, separators=(",", ":")))' >sorted
    timeout 60 ndjson2perun --lossless <sorted | same wide -
}

# --- the way back ---

@test "every file that Perun writes comes back byte for byte, and nothing is lost" {
    for file in "$PERUN"/*.perf; do
        ndjson2perun --lossless "$file" | same "$file" -
        perun2ndjson "$file" | profcat | gzip | ndjson2perun --lossless | same "$file" -
        # rows in an order of their own
        perun2ndjson "$file" | profsort | ndjson2perun --lossless | same "$file" -
    done
}

@test "other files come back value for value, as each is spelled" {
    takes_long
    need python3
    count=0
    for input in "$ROOT"/tests/cases/perun2ndjson/*/input; do
        [ ! -e "${input%/input}/status" ] || continue
        perun2ndjson -q "$input" >rows
        ndjson2perun --lossless <rows >found
        [[ $input == */stored* ]] || { cp "$input" $count.input && cp found $count.found; }
        # and as the same rows, but for white space and what it was packed in
        perun2ndjson -q --source-uri="$input" found | diff - <(sed 's/"stored":"memory",//' rows)
        count=$((count + 1))
    done
    [ $count -ge 30 ]
    # what is left without white space outside of strings is how each value is spelled
    python3 - <<'EOF'
import glob, re
def squeeze(name):
    return re.sub(r"(\"(?:[^\"\\]|\\.)*\")|\s+", lambda m: m.group(1) or "", open(name, newline="").read())
for name in glob.glob("*.input"):
    assert squeeze(name) == squeeze(name.replace("input", "found")), open(name).read()
EOF
}

@test "an object is stored as Perun does, by a name that others compute" {
    need python3
    mkdir -p .perun/objects other
    ndjson2perun --store "$PERUN/memory.perf" | same "$PERUN/memory.sha1" -
    name=$(cat "$PERUN/memory.sha1")
    same .perun/objects/${name:0:2}/${name:2} "$PERUN/memory.object"
    # of what was stored, too
    ndjson2perun --store=other "$PERUN/memory.object" | same "$PERUN/memory.sha1" -
    same other/${name:0:2}/${name:2} "$PERUN/memory.object"
    # lengths around a block of the checksum, and a profile of another format
    for n in $(seq 0 70 | few_lines 3); do
        printf '%0*d 1\n' $((n + 1)) 7 | sed 's/^/a;/' | ndjson2perun -q --store=other >name
        name=$(cat name)
        profcat other/${name:0:2}/${name:2} >rows
        echo "$name" >>names
    done
    # what is packed in many pieces
    seq 100000 | awk '{ n = (n * 16807 + 11) % 2147483647; print "a;b" n " 1" }' | ndjson2perun -q --store=other >>names
    python3 - <<'EOF'
import hashlib, json, zlib
for name in open("names").read().split():
    text = zlib.decompress(open(f"other/{name[:2]}/{name[2:]}", "rb").read())
    assert hashlib.sha1(text).hexdigest() == name
    head, profile = text.split(b"\0", 1)
    assert head == b"profile time %d" % len(profile), head
    assert json.loads(profile).get("origin") is None
EOF
}

# The name that `perun add` gives a map: what its Profile.serialize() makes of it, on one line.
name_of_map() {  # file
    python3 -c '
import hashlib, json, sys
given = json.load(open(sys.argv[1], encoding="utf-8"))
given.pop("origin", None)
given = {**{"resources": {}, "resource_type_map": {}, "models": []}, **given}
text = json.dumps(given)
head = "profile %s %d\0" % (given["header"]["type"], len(text))
print(hashlib.sha1((head + text).encode()).hexdigest())' "$1"
}

@test "a map is stored in the order and the spelling that Perun gives it" {
    takes_long
    need python3
    mkdir objects
    printf '{"models": [1], "header": {"type": "time"}, "origin": "0", "resource_type_map": {"\u00e9\/": {"uid": "\u0041"}}, "resources": {"\u00e9\/": {"amount": [1]}}}' >escaped
    printf '{"header": {"type": "mixed", "cmd": "\303\251\360\237\230\200"}, "resources": {}, "resource_type_map": {}}' >raw
    for file in escaped raw "$PERUN"/{bounds,complexity,kperf,ktrace,memory,time,trace}.perf; do
        ndjson2perun --store=objects "$file" >name
        same <(name_of_map "$file") name
        # and is what it says it is
        name=$(cat name)
        perun2ndjson objects/${name:0:2}/${name:2} >rows
        ndjson2perun --store=objects rows | same name -
    done
    # what another has stored keeps its spelling, whose characters count
    python3 -c 'import zlib; text = "{\"header\": {\"type\": \"time\", \"cmd\": \"\u00e9\"}, \"resources\": []}"
open("foreign", "wb").write(zlib.compress(f"profile time {len(text)}\0{text}".encode()))'
    name=$(ndjson2perun --store=objects foreign)
    same foreign objects/${name:0:2}/${name:2}
}

@test "where an object would lose something and --lossless is given, there is none" {
    mkdir objects
    try ndjson2perun --lossless --store=objects "$SAMPLES/lines.out"
    [ "$status" -eq 1 ]
    grep '^ndjson2perun: --lossless: not in Perun: ' stderr
    [ ! -s stdout ]
    [ -z "$(find objects -type f)" ]
    # without, it is said once
    try ndjson2perun --store=objects "$SAMPLES/lines.out"
    [ "$status" -eq 0 ]
    grep -q '^ndjson2perun: not in Perun: ' stderr
    [ -z "$(sort stderr | uniq -d)" ]
    [ "$(find objects -type f | wc -l)" -eq 1 ]
}

@test "what Perun's code demands of a profile is there" {
    takes_long
    need_jsonschema
    rprof2ndjson "$SAMPLES/lines.out" >lines
    for input in lines "$ROOT/samples/pprof/go-heap.pb.gz" "$ROOT/samples/perf/chain.txt" "$ROOT/samples/folded/plain.folded"; do
        ndjson2perun -q --cmd=x "$input" >x.perf
        jq -c . x.perf >line
        refused=$(python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" "$BATS_TEST_DIRNAME/perun-schema.json" <line)
        [ -z "$refused" ] || fail "$input"
        jq -e '(.resources | keys) == (.resource_type_map | keys)' x.perf
        # and in the white space that Perun gives it
        same x.perf <(printf %s "$(perun2ndjson x.perf | ndjson2perun)")
    done
    for wrong in 'del(.origin)' 'del(.header.units.time)' '.postprocessors = []' '.resources[].amount[0] = "1"' 'del(.resource_type_map[].trace[0].func)'; do
        ndjson2perun -q "$SAMPLES/lines.out" | jq -c "$wrong" >line
        [ "$(python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" "$BATS_TEST_DIRNAME/perun-schema.json" <line)" = 1 ] || fail "$wrong"
    done
}

# The text that Perun draws flame graphs from, of kperf's shape: `uid;` and the reversed trace.
flame_text() {  # file
    jq -r '
        .resource_type_map as $map | .resources | to_entries[]
        | .key as $key | ([$map[$key].uid] + [$map[$key].trace | reverse[] | .func] | join(";")) + " \(.value.amount | add)"' "$1"
}

@test "the stacks that Perun draws are those of the profile, leaf first" {
    need jq
    for input in "$SAMPLES/lines.out" "$ROOT/samples/folded/plain.folded"; do
        ndjson2perun -q "$input" | flame_text - | sort >found
        ndjson2folded -q "$input" | awk '{
            count = $NF; sub(" [^ ]*$", ""); n = split($0, frames, ";"); text = frames[n]
            for (i = n - 1; i > 0; i--) text = text ";" frames[i]
            sums[text] += count } END { for (text in sums) print text, sums[text] }' | sort >expected
        # entries differ in lines, too
        awk '{ count = $NF; sub(" [^ ]*$", ""); sums[$0] += count } END { for (text in sums) print text, sums[text] }' found | sort | same expected -
    done
}

@test "totals are the same on the way from any format through Perun to pprof" {
    takes_long
    need go Rscript
    cp "$ROOT/samples/pprof/go-heap.pb.gz" heap
    for run in 1 2 3; do
        Rscript --vanilla -e "Rprof('run$run', interval = 0.005)" -e 'f <- function(n) sort(runif(n))' \
            -e 'for (i in 1:60) f(1e5)' -e 'Rprof(NULL)'
    done
    profcat run1 run2 run3 >runs
    cp "$ROOT/samples/perf/chain.txt" perf
    cp "$PERUN/memory.perf" memory
    for input in heap runs perf memory; do
        ndjson2perun -q --cmd=x $input >x.perf
        perun2ndjson x.perf | ndjson2pprof -q -o x.pb.gz
        type=$(go tool pprof -raw x.pb.gz | sed -n '/^Samples:/{n;p;}' | sed 's/.*\///; s/\[.*//')
        name=$(go tool pprof -raw x.pb.gz | sed -n '/^Samples:/{n;p;}' | sed 's/\/.*//')
        expected=$(profcat -q $input | sed -n "s/^{\"table\":\"sample_values\".*\"type\":\"$name\",.*\"value\":\(.*\)}/\1/p" | awk '{ s += $1 } END { print s }')
        found=$(go tool pprof -raw x.pb.gz | awk '/^Samples:/ { on = 1; next } /^Locations/ { on = 0 } on && $1 ~ /:$/ { sub(":", "", $1); s += $1 } END { print s }')
        [ -n "$type" ]
        [ "$expected" = "$found" ] || fail "$input: $name: $expected $found"
        [ "$expected" -gt 0 ]
    done
}

@test "a profile of Perun that a filter has changed is written anew, one that it has not is not" {
    for file in "$PERUN"/kperf.perf "$PERUN"/memory.perf "$PERUN"/snapshots.perf; do
        proffilter --focus=. "$file" | ndjson2perun | same "$file" -
        proffilter --ignore='^grow$|isspace' "$file" >rows
        ndjson2perun -q rows >found
        grep -F '"name": "profpipe"' found
        grep -F '"cmd": "./words"' found
        # and sums are as they were
        diff <(grep -v '"[.]left_out"' rows | profsum -q | sed '1,/^self/d') <(profsum -q found | sed '1,/^self/d')
    done
}

@test "two sources of Perun are two runs" {
    need jq
    ndjson2perun -q "$PERUN/kperf.perf" "$PERUN/kperf.perf" >x.perf
    [ "$(jq -c '.resources["isspace#0"].amount' x.perf)" = '[19,19]' ]
    perun2ndjson x.perf | ndjson2perun | same x.perf -
}

@test "memory of the way back is bounded, too" {
    takes_long
    plain_only 'it takes more memory'
    need python3 prlimit
    python3 - <<'EOF'
import json
n = 400000
open("lists", "w").write(json.dumps({"resources": {"f": {"amount": list(range(n)), "order": [7] * n}},
                                     "resource_type_map": {"f": {"uid": "f"}}, "header": {"type": "time"}}))
EOF
    size=$(wc -c <lists)
    perun2ndjson lists >rows
    prlimit --data=$((32 * 1048576 + 4 * size)) ndjson2perun --threads=1 --lossless rows | same lists -
}

@test "options that Perun cannot hold as they are are a loss" {
    try ndjson2perun --lossless --cmd=$'x\xff' "$ROOT/samples/folded/plain.folded"
    [ $status -eq 1 ]
    grep -q "1 name that Perun cannot hold" stderr
}
