#!/usr/bin/env bats
# profplot: what is drawn is what profsum says.
load helpers

# What xml.etree finds in pictures of SVG, for tests in Python: `boxes(file, class)` are the rectangles of a class, each
# its x, y, width, height and title.
PARSER='
import collections, csv, json, subprocess, sys, xml.etree.ElementTree as tree
SVG = "{http://www.w3.org/2000/svg}"
Box = collections.namedtuple("Box", "x y width height title fill")
def boxes(text, *classes):
    return [Box(*(float(r.get(a)) for a in ("x", "y", "width", "height")), r.findtext(SVG + "title"), r.get("fill"))
            for r in tree.fromstring(text).iter(SVG + "rect") if r.get("class") in classes]
def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
def table(*options):
    return json.loads(run("profsum", "-q", "--format=json", *options))["rows"]
# As controls are shown.
def visible(name):
    return name.translate({**{c: 0x2400 + c for c in range(32)}, 127: 0x2421})
# The numbers of A and B are in the same proportion.
def proportional(a, b):
    scale = max(b, default=0) and max(a) / max(b)
    return len(a) == len(b) and all(abs(x - scale * y) < 0.0002 for x, y in zip(a, b))
'

# Files of all formats, but not those that R writes that are no profiles.
profiles() {
    ls "$ROOT"/samples/rprof/*.out "$ROOT"/samples/rprofmem/*.out "$ROOT"/samples/pprof/*.pb.gz \
        "$ROOT"/samples/folded/*.folded "$ROOT"/samples/perf/*.txt "$ROOT"/samples/speedscope/*.json \
        "$ROOT"/samples/perun/*.perf | while read -r file; do
        profsum -q "$file" >/dev/null 2>&1 && echo "$file"
    done
}

@test "bars of functions are as long as profsum says, of every sample" {
    need python3
    profiles >files
    [ "$(wc -l <files)" -gt 30 ]
    xargs python3 -c "$PARSER"'
for file in sys.argv[1:]:
    svg = run("profplot", "-q", "--kind=nodes", "-n", "100000", file)
    rows = table(file)
    selves, totals = boxes(svg, "self"), boxes(svg, "total")
    everything = [abs(float(r[k])) for r in rows for k in ("self", "total")]
    drawn = [b.width for pair in zip(selves, totals) for b in pair]
    assert proportional(drawn, everything), file
    for box, row in zip(selves, rows):
        assert box.title.startswith(visible(row["function"]) + ": self "), (file, row)
' <files
}

@test "bars of stacks are as long as their values of the type that profsum shows, of every sample" {
    need python3
    profiles | xargs python3 -c "$PARSER"'
for file in sys.argv[1:]:
    svg = run("profplot", "-q", "--kind=stacks", "-n", "100000", file)
    drawn = [b.width for b in boxes(svg, "stack")]
    shown = json.loads(run("profsum", "-q", "--format=json", file))
    if not shown.get("type"):
        assert not drawn, file
        continue
    values = [float(r["value"]) for r in table("--stacks", "--type=%s/%s" % (shown["type"], shown["unit"]), file)]
    assert proportional(drawn, [v for v in values if v > 0]), file
'
}

@test "boxes over time are as wide as the runs of profsum, of every sample that is a sequence" {
    need python3
    # those of perf have times
    profiles | grep -v /perf/ | xargs python3 -c "$PARSER"'
files = 0
for file in sys.argv[1:]:
    svg = run("profplot", "-q", "--kind=events", "--height=20000", file)
    runs = table("--profile", file)
    # what a pixel is too wide for is not told apart, and lanes are of time
    if "not drawn" in svg or "class=\"merged\"" in svg or " lane" in svg:
        continue
    expected, drawn, scales = collections.Counter(), collections.Counter(), set()
    for r in runs:
        assert len(r["stack"]) == r["depth"], (file, r)
        for depth, name in enumerate(r["stack"], 1):
            expected[depth, visible(name)] += r["samples"]
    for box in boxes(svg, "box"):
        name, rest = box.title.rsplit(": depth ", 1)
        depth, samples = (int(part.split(" ")[0]) for part in rest.split(", "))
        drawn[depth, name] += samples
        scales.add(round(box.width / samples, 3))
    assert drawn == expected, file
    assert max(scales) - min(scales) < 0.0015, (file, scales)
    files += 1
assert files > 10, files
'
}

@test "bars of functions are those of the table that the vignette of sprof prints" {
    need python3
    [ -n "${PROFPIPE_SPROF-}" ] || skip "PROFPIPE_SPROF names no folder with nodes-example.out and .tsv"
    python3 -c "$PARSER"'
folder = sys.argv[1]
svg = run("profplot", "-q", "--kind=nodes", "-n", "1000", folder + "/nodes-example.out")
rows = {r["name"]: r for r in csv.DictReader(open(folder + "/nodes-example.tsv"), delimiter="\t")}
for key in "self", "total":
    drawn = {b.title.rsplit(": self ", 1)[0]: b.width for b in boxes(svg, key)}
    assert drawn.keys() == rows.keys()
    names = sorted(rows)
    assert proportional([drawn[n] for n in names], [float(rows[n][key + ".time"]) for n in names])
' "$PROFPIPE_SPROF"
}

@test "pictures of every sample are sound XML, and every function has one colour in all plots" {
    need xmllint python3
    local file width n=0
    profiles >files
    while read -r file; do
        for width in 200 1200; do
            n=$((n + 1))
            profplot -q --colors=r --width=$width "$file" >$n.svg
            xmllint --noout $n.svg || fail "$file"
            run ! grep -E '="-?(nan|inf)' $n.svg
        done
    done <files
    python3 -c "$PARSER"'
colours = {}
for file in sys.argv[1:]:
    for box in boxes(open(file).read(), "self", "box"):
        name = box.title.rsplit(": self ", 1)[0].rsplit(": depth ", 1)[0]
        assert colours.setdefault(name, box.fill) == box.fill, name
assert len(colours) > 100
' ./*.svg
}

@test "samples without an order are not drawn over time" {
    printf 'f;g 3\nf;h 2\n' >x.folded
    for kind in events depth memory; do
        try profplot --kind=$kind x.folded -o x.svg
        says 0 "profplot: --kind=$kind: not drawn: samples of folded are in no order"
        grep -q 'not drawn: samples of folded are in no order<' x.svg
        run ! grep -q '<rect [^>]*fill=' x.svg
    done
    # one of all is no surprise
    try profplot x.folded -o x.svg
    says 0
    [ "$(grep -c '<g id=' x.svg)" -eq 2 ]
    [ "$(grep -o '[a-z, ]* not drawn: [a-z ]*' x.svg)" = 'events, depth, memory not drawn: samples of folded are in no order' ]
    # one of several is enough: the axis is that of all
    profplot --kind=events "$SAMPLES/plain.out" x.folded | grep -q 'in no order'
}

# The text of perf script: a line "THREAD CPU SECONDS STACK" on standard input is a sample.
perf_text() {
    awk '{ printf "t%s %s [%03d] %.6f: 1 cycles: \n", $1, $1, $2, $3; n = split($4, f, ";")
        for (i = n; i > 0; i--) printf "\t%16x %s (/a)\n", i, f[i]; print "" }'
}

@test "where samples have times, each thread has a lane, and gaps where it has no samples" {
    need python3
    # two threads in turn, 10 ms apart in each; the first sleeps for a second
    { for i in 1 2 3 4 5; do printf '1 0 5.0%d0 f;g\n2 1 5.0%d5 f;h\n' $i $i; done; echo '1 1 6.055 f;g'; } | perf_text >x
    profplot -q --kind=events x >x.svg
    python3 -c "$PARSER"'
svg = open("x.svg").read()
second = 1120 / 1.055 # from the first sample to the end of the last, which is taken to last 10 ms
drawn = sorted((b.title, round((b.x - 68) / second, 4), round(b.width / second, 4)) for b in boxes(svg, "box", "merged"))
assert drawn == sorted([(f + ": depth %d, %s" % (depth, time), start, length) for f, depth in (("f", 1), ("g", 2))
                        for start, length, time in ((0, .05, "50.00 ms"), (1.045, .01, "10.00 ms"))] +
                       [(f + ": depth %d, 50.00 ms" % depth, .005, .05) for f, depth in (("f", 1), ("h", 2))]), drawn
lane = lambda at: [(b.y, b.y + b.height) for b in boxes(svg, "box", "merged") if (round((b.x - 68) / second, 3) == .005) == at]
assert max(end for y, end in lane(0)) < min(y for y, end in lane(1))
assert svg.index(">t1 1</text>") < svg.index(">t2 2</text>") and "11 samples in 2 lanes" in svg
'
    # the same of depths
    profplot -q --kind=depth x | grep -o '<title>[gh]: [^<]*' | sort | uniq -c |
        sed 's/^ *//' | same - <(printf '%s\n' '1 <title>g: depth 2, 10.00 ms' '1 <title>g: depth 2, 50.00 ms' \
            '1 <title>h: depth 2, 50.00 ms')
    lanes() {
        profplot -q --kind=events --format=csv --lane="$1" x | tail -n +2 | cut -d, -f2 | sort | uniq -c | tr -s ' \n' ' '
    }
    [ "$(lanes tid)" = ' 6 t1 1 5 t2 2 ' ]
    [ "$(lanes cpu)" = ' 5 cpu 0 6 cpu 1 ' ]
    [ "$(lanes source)" = ' 11 x ' ]
    [ "$(lanes label:comm)" = ' 6 t1 5 t2 ' ]
    # a thread has its name and its number, if it has both
    profplot -q --kind=events --format=csv "$ROOT/samples/trace/node.json" | cut -d, -f2 | sed -n 2p | same - <(echo "JavaScriptMainThread 14380")
    sed 's/^t[12] /: /' x >nameless
    profplot -q --kind=events --format=csv --add-label=thread=loop nameless | tail -n +2 | cut -d, -f2 | sort -u | same - <(printf ': loop %d\n' 1 2)
    profplot -q --kind=events --format=csv x | cut -d, -f1 | sed -n '2p;3p;12p' | same - <(printf '%s\n' 0 5000000 1045000000)
    # of two files the threads are others; without times there are no lanes
    profplot -q --kind=events x x | grep -c 'of x#2<' | same - <(echo 2)
    try profplot --type=samples --kind=events --lane=cpu -o y.svg x "$SAMPLES/plain.out"
    says 0 'profplot: --lane: not used, since samples do not say when they were taken'
    grep -q '>samples</text>' y.svg
    try profplot --lane=pid x
    says 2 'profplot: --lane: expected tid, cpu, source or label:KEY, found "pid"'
}

@test "of many lanes those with most samples are drawn, in the order in which they came" {
    local i
    # of 40 threads each has another number of samples, from 1 to 40
    for i in {1..40}; do seq -f "$i 0 %.0f.000000 f;g" $((i * 7 % 41)); done | perf_text >x
    profplot -q --kind=events x | grep -o '>t[0-9]* [0-9]*<' | tr -d '><' >found
    diff found <(for i in {1..40}; do [ $((i * 7 % 41)) -le 8 ] || echo "t$i $i"; done)
}

@test "stacks are ranked by the type that is shown" {
    rows_of() {  # function, samples, bytes
        printf '{"table":"functions","function_id":%d,"name":"%s","system_name":"%s","filename":"","start_line":0}\n' $1 $2 $2
        printf '{"table":"locations","location_id":%d,"function_id":%d,"line":0}\n' $1 $1
        printf '{"table":"samples","sample_id":%d,"source_id":1}\n' $1
        printf '{"table":"sample_values","sample_id":%d,"type":"%s","unit":"%s","value":%d}\n' $1 samples count $3 $1 space bytes $4
        printf '{"table":"sample_locations","sample_id":%d,"depth":1,"location_id":%d}\n' $1 $1
    }
    {
        echo '{"table":"meta","key":"version","value":"2.0"}'
        echo '{"table":"sources","source_id":1,"source_type":"pprof","source_uri":"x","source_timestamp":null}'
        rows_of 1 often 9 0
        rows_of 2 large 1 2048
        rows_of 3 small 5 1024
    } >rows
    profplot --kind=stacks --type=space rows | sed -n 's/.*<title>\(.*\)<.title><.rect>/\1/p' >found
    printf '%s\n' 'large: 2.00 kB, 66.67 %' 'small: 1.00 kB, 33.33 %' | same found -
    profplot --type=space rows | grep -q '<title>x, space: 3.00 kB in '
}

@test "time goes on where there is no stack, and samples weigh what they say" {
    printf 'memory profiling: sample.interval=20000\n' >x.out
    printf ':1:2:3:4:%s\n' '"g" "f" ' '' '"g" "f" ' '"g" "f" ' >>x.out
    profplot -q --kind=events --format=svg x.out >x.svg
    grep -o '<title>[fg]: [^<]*' x.svg | sort >found
    printf '<title>%s\n' 'f: depth 1, 1 sample (20.00 ms)' 'f: depth 1, 2 samples (40.00 ms)' \
        'g: depth 2, 1 sample (20.00 ms)' 'g: depth 2, 2 samples (40.00 ms)' | same found -
}

@test "a million samples make no more boxes than there are pixels, in little memory" {
    plain_only 'its memory is limited'
    need python3
    awk 'BEGIN { print "sample.interval=20000"
        for (i = 0; i < 300000; i++) printf "\"f%d\" \"g%d\" \"main\" \n", i % 7, i % 100 / 60 }' >x.out
    for kind in events depth stack-nodes; do
        (ulimit -v 400000 && profplot --threads=1 --kind=$kind x.out >$kind.svg)
        [ "$(grep -c '<rect' $kind.svg)" -lt 5000 ]
    done
    grep -q 'a pixel is [0-9.]* samples' events.svg
    # the colour is that of most: g0 has 60 of 100
    python3 -c "$PARSER"'
svg = open("events.svg").read()
widths = collections.Counter()
for box in boxes(svg, "merged", "box"):
    widths[box.title.split(": ")[0]] += box.width
assert widths["main"] > 1000 and abs(widths["g0"] - widths["main"]) < 1 and "g1" not in widths, widths
'
}

@test "memory is drawn as it was: levels as lines, the rest as bars" {
    need python3
    profplot -q --kind=memory "$SAMPLES/memory.out" >x.svg
    python3 -c "$PARSER"'
svg, file = open("x.svg").read(), sys.argv[1]
lines = [l.get("points").split() for l in tree.fromstring(svg).iter(SVG + "polyline")]
assert len(lines) == 3
rows = table("--samples", file)
levels = ["value." + name + "/bytes" for name in ("vsize_small", "vsize_large", "nodes")]
# the highest of all levels is the upper end of the axis, and lies at the same time
highest = min(float(p.split(",")[1]) for line in lines for p in line)
for line, key in zip(lines, levels):
    values = [float(r[key]) for r in rows]
    starts = [float(p.split(",")[1]) for p in line[0::2]]
    top = max(float(r[k]) for r in rows for k in levels)
    zero = highest + 160
    assert len(values) == len(starts)
    assert all(abs((zero - y) / 160 - v / top) < 1e-5 for y, v in zip(starts, values)), key
freed = [float(r["value.dealloc_size/bytes"]) for r in rows]
allocated = [float(r["value.alloc_size/bytes"]) for r in rows]
bars = boxes(svg, "bytes")
assert proportional(sorted(b.height for b in bars), sorted(v for v in freed + allocated if v > 0))
up, down = ([b for b in bars if b.title.startswith(what)] for what in ("alloc_size", "dealloc_size"))
assert up and down and max(b.y + b.height for b in up) <= min(b.y for b in down) + 0.01
' "$SAMPLES/memory.out"
}

@test "figures of plots are those of profsum, of every sample" {
    need python3
    profiles | xargs python3 -c "$PARSER"'
def figures(kind, *options):
    return json.loads(run("profplot", "-q", "--format=json", "--kind=" + kind, *options))
series = levels = 0
for file in sys.argv[1:]:
    for options in [file], ["--by=line", file]:
        assert figures("nodes", *options) == json.loads(run("profsum", "-q", "--format=json", *options)), options
    bars, nodes = figures("stacks", file), figures("stack-nodes", file)["rows"]
    counted = [(r["stack"], r["value"], round(r["value_pct"], 6)) for r in table("--stacks", file)]
    assert [(r["stack"], r["samples"], round(r["samples_pct"], 6)) for r in bars["rows"]] == counted, file
    assert [r["stack_id"] for r in nodes] == list(range(1, len(nodes) + 1)), file
    stacks = {r["stack_id"]: (r["stack"], len(r["stack"])) for r in nodes}
    assert all(stacks[r["stack_id"]] == (r["stack"], r["depth"]) for r in bars["rows"] + nodes), file
    events, depths = figures("events", file)["rows"], figures("depth", file)["rows"]
    if not events:
        assert not depths and not figures("memory", file)["rows"], file
        continue
    runs, at = [], 0
    for event, depth in zip(events, depths):
        assert event["start"] == at, (file, event)
        at += event["samples"]
        leaf = event["stack"][-1] if event["stack"] else None
        assert depth == {**{k: event[k] for k in ("time", "lane", "start", "samples", "depth")}, "leaf": leaf}, (file, depth)
        run_of = {k: event[k] for k in ("stack", "stack_id", "depth")}
        if runs and {k: runs[-1][k] for k in run_of} == run_of:
            runs[-1]["samples"] += event["samples"]
        elif event["stack"]:
            runs.append({**run_of, "samples": event["samples"]})
        else:
            assert event["stack_id"] is None and event["depth"] == 0, (file, event)
    assert len(events) == len(depths), file
    assert runs == [{k: r[k] for k in ("stack", "stack_id", "depth", "samples")} for r in table("--profile", file)], file
    series += 1
assert series > 10, series
'
}

@test "figures of memory are its samples, and those of many samples are levels and sums of several" {
    need python3
    profplot -q --kind=memory --format=json "$SAMPLES/memory.out" >figures
    profsum -q --samples --format=json "$SAMPLES/memory.out" >samples
    python3 -c '
import json
figures, samples = (json.load(open(f))["rows"] for f in ("figures", "samples"))
names = ["vsize_small", "vsize_large", "nodes", "alloc_size", "dealloc_size"]
found = {(r["type"], r["start"]): r for r in figures}
assert len(found) == len(figures) and {r["type"] for r in figures} >= set(names[:3])
for (name, at), r in found.items():
    value = samples[at]["value." + name + "/bytes"]
    is_level = name in names[:3]
    assert [r[k] for k in ("gauge", "min", "max")] == [value if is_level else None] * 3, r
    assert r["value"] == (None if is_level else value) and r["samples"] == 1, r
    assert r["time"] == 5000000 * at, r
'
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"a","source_uri":null,"source_timestamp":null,".value_types":[{"type":"used","unit":"kilobytes","gauge":true},{"type":"taken","unit":"bytes"}]}' >rows
    # 20 KiB, 10 KiB, 11 KiB to 18 KiB; 8 samples make a step, and the last has 1
    awk 'BEGIN { for (i = 0; i < 20001; i++) printf \
        "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1}\n" \
        "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"used\",\"unit\":\"kilobytes\",\"value\":%d}\n" \
        "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"taken\",\"unit\":\"bytes\",\"value\":%s}\n", i + 1, i + 1,
        i % 8 ? 9 + i % 8 : 20, i + 1, i % 8 == 1 ? "-3" : i % 8 == 2 ? "0.5" : 10 }' >>rows
    profplot -q --kind=memory --format=csv rows >x.csv
    [ "$(wc -l <x.csv)" -eq 5003 ]
    [ "$(sed -n 1p x.csv)" = time,start,samples,value,gauge,min,max,type,unit,rows_left_out ]
    [ "$(sed -n 2p x.csv)" = ,0,8,,16384,10240,20480,used,bytes,0 ]
    [ "$(sed -n 2502p x.csv)" = ,20000,1,,20480,20480,20480,used,bytes,0 ]
    [ "$(sed -n 2503p x.csv)" = ,0,8,57.5,,,,taken,bytes,0 ]
}

# Rows of 9,000 samples of a level or an amount in bytes, or of neither, at times of their own on both sides of the first
# one's, in order of KEYS for sort.
timed_rows() {  # span key ...
    local span=$1
    shift
    echo '{"table":"meta","key":"version","value":"2.0"}'
    echo '{"table":"sources","source_id":1,"source_type":"jfr","source_uri":null,"source_timestamp":null,".value_types":[{"type":"heap","unit":"bytes","gauge":true}]}'
    awk -v span="$span" 'BEGIN {
        split("heap bytes alloc bytes lines count", type)
        for (i = 1; i <= 9000; i++) {
            n = n * 69069 + 12345; n -= int(n / 4294967296) * 4294967296
            printf "%.0f %d %s %s %d\n", span * (i * 7919 % 9001 - 4500), n, type[i % 3 * 2 + 1], type[i % 3 * 2 + 2], n / 4096
        }
    }' >moments
    { head -n 1 moments; tail -n +2 moments | sort "$@"; } | awk '{
        printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1,\".time\":%s}\n", NR, $1
        printf "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"%s\",\"unit\":\"%s\",\"value\":%d}\n", NR, $3, $4, $5
    }'
}

@test "samples with times are drawn by these, in whatever order they come" {
    for span in 1 5 1000003 900000000000000; do
        timed_rows $span -n | profplot -q --kind=memory --format=csv >expected
        [ "$(wc -l <expected)" -gt 1000 ]
        timed_rows $span -nr | profplot -q --kind=memory --format=csv | same expected -
        timed_rows $span -k 2n | profplot -q --kind=memory --format=csv | same expected -
        # what was allocated is all there, and the highest level
        for column in 'value alloc 5' 'max heap 5'; do
            set -- $column
            awk -v type="$2" '$3 == type { sum += $5; if ($5 > max) max = $5 } END { print sum, max }' moments >figures
            tail -n +2 expected | awk -F, -v type="$2" '$8 == type { sum += $4; if ($7 > max) max = $7 } END { print sum + 0, max + 0 }' >found
            case $1 in
                value) [ "$(cut -d ' ' -f 1 found)" = "$(cut -d ' ' -f 1 figures)" ] ;;
                max)   [ "$(cut -d ' ' -f 2 found)" = "$(cut -d ' ' -f 2 figures)" ] ;;
            esac
        done
    done
}

@test "the name of the output says which table, and what makes no table is refused" {
    for format in tsv csv json ndjson; do
        profplot --kind=events -n 3 -o x.$format "$SAMPLES/memory.out"
        profplot --kind=events -n 3 --format=$format "$SAMPLES/memory.out" | same x.$format -
    done
    profplot --kind=events -o x.csv.svg "$SAMPLES/memory.out"
    grep -q '<svg' x.csv.svg
    profplot --kind=events --columns --format=csv | cut -d, -f1 | tr '\n' ' ' >found
    profplot --kind=events --format=csv "$SAMPLES/memory.out" | sed -n '1s/,/ /gp' >expected
    [ "name $(cat expected) " = "$(cat found)" ]
    kinds='nodes, stacks, stack-nodes, events, depth or memory'
    for all in '' --kind=all; do
        try profplot $all --format=csv x
        says 2 "profplot: --format=csv is about one table: --kind must be $kinds"
    done
    try profplot -o y.ndjson "$SAMPLES/memory.out"
    says 2 "profplot: --format=ndjson is about one table: --kind must be $kinds"
    [ ! -e y.ndjson ]
    try profplot --columns
    says 2 "profplot: --columns is about one table: --kind must be $kinds"
    try profplot --kind=depth --format=tsv --width=300 x
    says 2 'profplot: --width cannot be used with --format=tsv'
    printf 'f;g 3\n' >x.folded
    for kind in events depth memory; do
        try profplot --kind=$kind --format=ndjson x.folded
        says 0 "profplot: --kind=$kind: no rows: samples of folded are in no order"
        [ ! -s "$T/stdout" ]
    done
}

@test "a page has the same plots, asks for nothing and runs nothing" {
    need python3
    profplot -q --width=300 "$SAMPLES/memory.out" >x.svg
    profplot -q --width=300 -o x.html "$SAMPLES/memory.out"
    [ "$(grep -c '<svg' x.html)" -eq 6 ]
    diff <(grep -o '<title>.*' x.svg | sed 1d) <(grep -o '<title>.*' x.html | sed 1d)
    grep -q "default-src 'none'; style-src 'sha256-[^']*'; base-uri 'none'" x.html
    run ! grep -qE '<script|style=' x.html
    profplot -q --format=svg -o y.html "$SAMPLES/memory.out"
    profplot -q --format=svg -o y.svg "$SAMPLES/memory.out"
    same y.svg y.html
}

@test "a page has 100 KB at most, and is twice as large as the rows of the profile at most" {
    takes_long
    local file size rows n=0
    profiles >files
    while read -r file; do
        profplot -q -o x.html "$file"
        size=$(wc -c <x.html)
        rows=$(profcat -q "$file" | wc -c)
        # of a few samples axes and names are most of a page, which may have 40 KB
        [ "$size" -le 100000 ] && { [ "$size" -le $((2 * rows)) ] || [ "$size" -le 40000 ]; } || fail "$file: $size of $rows"
        if grep -q ' pixels are ' x.html; then n=$((n + 1)); fi
    done <files
    [ $n -gt 5 ] # what is coarse says so
}

@test "a page has each plot for windows and for phones, of which none scrolls sideways" {
    need chromium python3
    local width
    profplot -q -o x.html "$SAMPLES/memory.out"
    [ "$(grep -c '<svg' x.html)" -eq 12 ]
    for width in 320 400 640 641 880 1440; do
        python3 "$ROOT/tests/browser/wide.py" $width "$PWD/x.html" svg >found
        if [ $width -le 640 ]; then echo "$width 6 368"; else echo "$width 6 880"; fi | same found -
    done
}

@test "long numbers are grouped in texts, and axes count in thousands, millions and more" {
    printf 'f;g 1125333333\n' >x.folded
    profplot --kind=nodes x.folded >x.svg
    grep -q $'<title>g: self 1\u202f125\u202f333\u202f333, 100.00 %' x.svg
    for size in 9999 10000 200000000000; do
        printf 'f;g %s\n' $size >x.folded
        profplot --kind=nodes x.folded | grep -oE '>[0-9.]+( [kMG])?<' | tail -n 1
    done | same - <(printf '>%s<\n' 9000 '10 k' '200 G')
}

@test "a profile of nothing, and one of a single sample, are pictures" {
    need xmllint
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' >empty
    printf 'sample.interval=20000\n"f" \n' >single
    printf 'memory profiling: sample.interval=20000\n:0:0:0:0:"f" \n' >zero
    for file in empty single zero; do
        for kind in nodes stacks stack-nodes events depth memory all; do
            profplot -q --kind=$kind $file >x.svg
            xmllint --noout x.svg
            run ! grep -E '="-?(nan|inf)' x.svg
            grep -qE '<rect [^>]*fill=|<polyline|not drawn: ' x.svg
        done
    done
}

@test "names that are markup, or longer than the paper, do no harm" {
    need xmllint python3
    name=$(printf 'x%.0s' {1..10000})
    printf 'main;%s;</title></svg><script>alert(1)</script>]]> 3\nmain;%s 1\n' "$name" "$name" >x.folded
    folded2ndjson x.folded | sed "s/\"samples\",\"unit\":\"count\"/\"$name\",\"unit\":\"bytes\"/; s/\"folded\"/\"x\"/" >rows
    for format in svg html; do
        profplot --format=$format rows >x.$format
        run ! grep -q '<script' x.$format
    done
    xmllint --noout x.svg
    [ "$(grep -c 'not drawn' x.svg)" -eq 0 ]
    for width in 200 250 359 360 400 1200; do
        profplot --width=$width rows >x.svg
        python3 -c "$PARSER"'
paper = float(sys.argv[1])
for text in tree.parse("x.svg").iter(SVG + "text"):
    size, x, anchor = float(text.get("font-size")), float(text.get("x")), text.get("text-anchor", "start")
    width = 0.6 * size * len(text.text or "")
    left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
    assert left >= 0 and left + width <= paper, text.text
for rect in tree.parse("x.svg").iter(SVG + "rect"):
    x, width = float(rect.get("x")), float(rect.get("width"))
    assert 0 <= x <= x + width <= paper + 1e-3, tree.tostring(rect)
# what is too long for six lines is seen to be cut
captions = [t.text for t in tree.parse("x.svg").iter(SVG + "text") if t.get("class") == "faint" and t.text.startswith("x")]
assert len(captions) > 6 and sum(t.endswith("…") for t in captions) > 0, len(captions)
' $width
    done
}

@test "samples of nothing have no stack to be drawn" {
    echo 'main;f 0' >x.folded
    for kind in nodes stacks stack-nodes; do
        profplot --kind=$kind x.folded >x.svg
        grep -q '>not drawn: no sample has a ' x.svg || fail $kind
        [ "$(grep -c '<line' x.svg)" -eq 0 ] || fail $kind
    done
}

@test "one stack is one" {
    echo 'f;g 3' >x.folded
    profplot x.folded >x.svg
    [ "$(grep -o '1 distinct stack[^s]' x.svg | wc -l)" -eq 1 ]
}

@test "what is below 0 is drawn by its size, and the caption says so" {
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' \
        '{"table":"sources","source_id":1,"source_type":"a","source_uri":null,"source_timestamp":null}' \
        '{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}' \
        '{"table":"locations","location_id":1,"function_id":1,"line":0}' >rows
    # more samples than bins: in each there are both
    awk 'BEGIN { for (i = 1; i <= 20000; i++) printf \
        "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":1}\n" \
        "{\"table\":\"sample_values\",\"sample_id\":%d,\"type\":\"used\",\"unit\":\"bytes\",\"value\":%d}\n" \
        "{\"table\":\"sample_locations\",\"sample_id\":%d,\"depth\":1,\"location_id\":1}\n", i, i, i % 2 ? 50 : -60, i }' >>rows
    profplot --kind=nodes --type=used rows >x.svg
    grep -q 'what is below 0 is drawn as if it were above' x.svg
    grep -q '<title>f: self -97.66 kB, ' x.svg
    profplot --kind=memory rows >x.svg
    grep -q $'values below 0 are drawn as 0: 10\u202f000' x.svg
    [ "$(grep -c '<title>used: [1-9]' x.svg)" -gt 500 ]
    profplot --kind=nodes "$SAMPLES/plain.out" >x.svg
    run ! grep -q 'below 0' x.svg
}

@test "the pictures of samples/README.md are those that the tools make" {
    "$ROOT/samples/pictures/make" .
    for picture in "$ROOT"/samples/pictures/*.svg; do
        cmp "$picture" "${picture##*/}" || fail "samples/pictures/make makes them anew"
        grep -qF "(pictures/${picture##*/})" "$ROOT/samples/README.md"
    done
}

@test "what options get wrong is said" {
    try profplot --kind=pie x
    says 2 'profplot: --kind: expected nodes, stacks, stack-nodes, events, depth, memory or all, found "pie"'
    try profplot --format=png x
    says 2 'profplot: --format: expected svg, html, tsv, csv, json or ndjson, found "png"'
    try profplot --colors=diff x
    says 2 'profplot: --colors: expected hot, package, r, file or type, found "diff"'
    try profplot --width=100 x
    says 2 'profplot: --width: expected a number of pixels from 200 to 20000, found "100"'
    try profplot --height=1e9 x
    says 2 'profplot: --height: expected a number of pixels from 100 to 20000, found "1e9"'
    try profplot -n 0 x
    says 2 'profplot: --max-rows: expected a number of bars from 1, found "0"'
}

@test "stacks of one moment are parts of one level" {
    # Massif tells the stacks of some snapshots, whose sum is the heap
    profplot -q --kind=memory --format=csv "$ROOT/samples/massif/words.massif" | tr -d '\r' |
        awk -F , '$9 == "bytes" && $8 == "heap" { heap[$7] } $9 == "bytes" && $8 == "inuse_space" { print $7 }
            $9 == "bytes" && $8 == "heap" { print $7 >"heap" }' >inuse
    [ "$(wc -l <inuse)" -gt 20 ]
    grep -vxF -f heap inuse >other || true
    [ ! -s other ] || fail "$(cat other)"
}
