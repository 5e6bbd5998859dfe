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
    return json.loads(run("profsum", "-q", "--format=json", *options))
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
        assert box.title.startswith(visible(row["name"]) + ": self "), (file, row)
' <files
}

@test "bars of stacks are as long as profsum counts samples, of every sample" {
    need python3
    profiles | xargs python3 -c "$PARSER"'
for file in sys.argv[1:]:
    svg = run("profplot", "-q", "--kind=stacks", "-n", "100000", file)
    drawn = [b.width for b in boxes(svg, "stack")]
    assert proportional(drawn, [float(r["self"]) for r in table("--stacks", file)]), file
'
}

@test "boxes over time are as wide as the runs of profsum, of every sample that is a sequence" {
    need python3
    profiles | xargs python3 -c "$PARSER"'
files = 0
for file in sys.argv[1:]:
    svg = run("profplot", "-q", "--kind=events", "--height=20000", file)
    runs = table("--profile", file)
    # what a pixel is too wide for is not told apart
    if "not drawn" in svg or "class=\"merged\"" in svg:
        continue
    expected, drawn, scales = collections.Counter(), collections.Counter(), set()
    for r in runs:
        assert len(r["name"]) == r["length"], (file, r)
        for depth, name in enumerate(r["name"], 1):
            expected[depth, visible(name)] += r["self"]
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
            profplot -q --width=$width "$file" >$n.svg
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
    [ "$(grep -c '<g id=' x.svg)" -eq 3 ]
    [ "$(grep -c 'in no order' x.svg)" -eq 3 ]
    # one of several is enough: the axis is that of all
    profplot --kind=events "$SAMPLES/plain.out" x.folded | grep -q 'in no order'
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
# the highest of all levels is the upper end of the axis, and lies at the same time
highest = min(float(p.split(",")[1]) for line in lines for p in line)
for line, key in zip(lines, ("vsize_small/bytes", "vsize_large/bytes", "nodes/bytes")):
    values = [float(r[key]) for r in rows]
    starts = [float(p.split(",")[1]) for p in line[0::2]]
    top = max(float(r[k]) for r in rows for k in r if k in ("vsize_small/bytes", "vsize_large/bytes", "nodes/bytes"))
    zero = highest + 160
    assert len(values) == len(starts)
    assert all(abs((zero - y) / 160 - v / top) < 1e-5 for y, v in zip(starts, values)), key
freed = [float(r["dealloc_size/bytes"]) for r in rows]
allocated = [float(r["alloc_size/bytes"]) for r in rows]
bars = boxes(svg, "bytes")
assert proportional(sorted(b.height for b in bars), sorted(v for v in freed + allocated if v > 0))
' "$SAMPLES/memory.out"
}

@test "a page has the same plots, asks for nothing and runs nothing" {
    need python3
    profplot -q "$SAMPLES/memory.out" >x.svg
    profplot -q -o x.html "$SAMPLES/memory.out"
    [ "$(grep -c '<svg' x.html)" -eq 6 ]
    diff <(grep -o '<title>.*' x.svg | sed 1d) <(grep -o '<title>.*' x.html | sed 1d)
    grep -q "default-src 'none'; style-src 'sha256-[^']*'; base-uri 'none'" x.html
    run ! grep -qE '<script|style=' x.html
    profplot -q --format=svg -o y.html "$SAMPLES/memory.out"
    same x.svg y.html
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
    [ "$(grep -o '1 distinct stack[^s]' x.svg | wc -l)" -eq 2 ]
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
    grep -q 'values below 0 are drawn as 0: 10000' x.svg
    [ "$(grep -c '<title>used: [1-9]' x.svg)" -gt 2000 ]
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
    says 2 'profplot: --format: expected svg or html, found "png"'
    try profplot --colors=diff x
    says 2 'profplot: --colors: expected hot, r, file or type, found "diff"'
    try profplot --width=100 x
    says 2 'profplot: --width: expected a number of pixels from 200 to 20000, found "100"'
    try profplot --height=1e9 x
    says 2 'profplot: --height: expected a number of pixels from 100 to 20000, found "1e9"'
    try profplot -n 0 x
    says 2 'profplot: --max-rows: expected a number of bars from 1, found "0"'
}
