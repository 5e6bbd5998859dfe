#!/usr/bin/env bats
# profinfo: what it says is what SQL, exact arithmetic and go tool pprof say.
load helpers
load pprof-helpers

# What SQL says of a file, in the order of the next: counts of its rows.
counted() {  # file
    profsql -q --format=tsv "
        SELECT (SELECT count(*) FROM sources), (SELECT count(*) FROM samples), (SELECT count(*) FROM functions),
            (SELECT count(*) FROM locations), (SELECT count(*) FROM mappings),
            (SELECT count(*) FROM (SELECT DISTINCT node_id FROM samples WHERE node_id IS NOT NULL)),
            (SELECT max(depth) FROM sample_locations),
            (SELECT group_concat(name, ' ') FROM (SELECT key || coalesce('/' || nullif(unit, ''), '') AS name
                FROM labels GROUP BY key, unit, num IS NULL ORDER BY key, unit, num IS NOT NULL))" "$1" | tail -n +2
}

said() {  # file
    profinfo -q --format=ndjson "$1" | jq -r '.file | [.sources, .sample_rows, .functions, .locations, .mappings,
        .stacks, .depth_max, (.label_keys | join(" "))] | @tsv'
}

@test "its counts are those of SQL" {
    need jq
    n=0
    for file in $(some_of 15 "$ROOT"/samples/*/*.{out,pb.gz,txt,folded,json,perf,cpuprofile} "$ROOT"/tests/cases/*/*/input | few_lines 3); do
        { profcat -q "$file" >rows && profvalidate rows; } >valid 2>&1 || continue
        said rows >found
        counted rows | diff - found || fail "$file"
        n=$((n + 1))
    done
    [ $n -ge 8 ] || fail "only $n"
}

# Exact percentiles, by rank, beside those that are said.
@test "its percentiles are near those of all values, and its sums and highest values are theirs" {
    need python3
    for file in "$PPROFS/go-heap.pb.gz" "$PPROFS/cpp-cpu.pb.gz" "$SAMPLES/everything.out" "$ROOT/tests/cases/profinfo/labels/input"; do
        profcat -q "$file" >rows
        profinfo -q --format=json rows >said.json
        python3 - <<'END' || fail "$file"
import json, math
from decimal import Decimal
values, depths, counts, gauges, n = {}, {}, {}, set(), 0
periods, sources = {}, {}
for line in open('rows'):
    row = json.loads(line, parse_float=Decimal)
    if row['table'] == 'sources':
        gauges |= {(t['type'], t['unit']) for t in row.get('.value_types', []) if t.get('gauge')}
        period = row.get('.period')
        if row['source_type'] == 'rprof' and period['type'] not in [t['type'] for t in row.get('.value_types', [])]:
            periods[row['source_id']] = period # what its samples stand for is a type, too
    if row['table'] == 'samples':
        depths[row['sample_id']] = 0
        sources[row['sample_id']] = row['source_id']
    if row['table'] == 'sample_values':
        values.setdefault((row['type'], row['unit']), []).append(row['value'])
        if (row['type'], row['unit']) == ('samples', 'count'):
            counts[row['sample_id']] = row['value']
            period = periods.get(sources[row['sample_id']])
            if period:
                values.setdefault((period['type'], period['unit']), []).append(row['value'] * period['value'])
    if row['table'] == 'sample_locations':
        depths[row['sample_id']] = max(depths[row['sample_id']], row['depth'])
said = json.load(open('said.json'), parse_float=Decimal)['files'][0]
def rank(sorted_items, percent):
    return sorted_items[math.ceil(Decimal(percent) / 100 * len(sorted_items)) - 1]
for t in said['types']:
    key = (t['type'], t['unit'] or '')
    nonzero = sorted(v for v in values.get(key, []) if v != 0)
    assert t['nonzero'] == len(nonzero), t
    assert t['is_gauge'] == (key in gauges), t
    assert t['value'] == (None if key in gauges else sum(values.get(key, []))), t
    if nonzero:
        assert t['max'] == nonzero[-1], t
        for name, percent in ('p50', 50), ('p95', 95):
            exact = rank(nonzero, percent)
            assert abs(exact) * Decimal('-0.008') <= t[name] - exact <= abs(exact) * Decimal('0.008') + 1, (t, exact)
            assert any(float(v) == float(t[name]) for v in nonzero), t
            n += 1
weight = (lambda s: counts[s]) if len(counts) == len(depths) else (lambda s: 1)
deep = sorted(d for s, d in depths.items() if d for _ in range(weight(s)))
assert said['file']['samples'] == sum(weight(s) for s in depths)
assert [said['file'][k] for k in ('depth_p50', 'depth_p95', 'depth_max')] == [rank(deep, 50), rank(deep, 95), deep[-1]]
assert n
END
    done
}

# 10,000 numbers over all of the range, with both signs, whose ranks are known.
@test "percentiles of numbers of all sizes" {
    need jq
    numbers() { awk 'BEGIN { for (i = -5000; i <= 5000; i++) if (i) print (i < 0 ? -1 : 1) * 1.004 ^ (i < 0 ? -i : i) }'; }
    {
        head -n 1 "$ROOT/tests/cases/profinfo/labels/input"
        echo '{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null}'
        numbers | awk '{
            print "{\"table\":\"samples\",\"sample_id\":" NR ",\"source_id\":1}"
            print "{\"table\":\"sample_values\",\"sample_id\":" NR ",\"type\":\"t\",\"unit\":\"\",\"value\":" $1 "}" }'
    } >rows
    profinfo --format=json rows | jq -e '.files[0].types[0] | .nonzero == 10000
        and .p50 / -1.004 < 1.009 and .p50 / -1.004 > 0.991
        and (.p95 | log / (1.004 | log) | . >= 4499 and . <= 4503)'
}

# Labels and their counts, and how long: what -tags and the head of -top say.
@test "its labels and times are those of go tool pprof" {
    need go jq
    n=0
    for file in $(real_files); do
        profinfo -q --format=json "$file" >said.json 2>/dev/null || continue
        if [ "$(jq '.files[0].types[0].type == "samples"' said.json)" = true ]; then
            go_pprof -tags -sample_index=samples "$file" >tags
            # " user: Total 33" and below it "  11 (33.33%): anna"; without a value of text pprof scales numbers
            sed -n 's/^ *\([^ ]*\): Total \([0-9]*\)\.0$/\1 \2/p' tags | sort >expected
            jq -r '.files[0].labels[] | select(.is_number | not) | "\(.key) \(.samples)"' said.json | sort >found
            jq -r '.files[0].labels[] | select(.is_number) | "\(.key) \(.samples)"' said.json | sort >numbers
            sort found numbers | diff expected - || fail "$file" "$(cat tags)"
            n=$((n + 1))
        fi
        go_pprof -top "$file" | sed -n 's/^Duration: \([^,]*\), Total samples = \([^ ]*\) (\(.*\)%).*/\1 \2 \3/p' >head
        [ -s head ] || continue
        read -r duration total percent <head
        busy=$(jq '.files[0].file.cores_busy // empty | . * 10000 | round / 100' said.json)
        [ -z "$busy" ] || [ "$(awk -v a="$busy" -v b="$percent" 'BEGIN { print (a - b < 0.011 && b - a < 0.011) }')" = 1 ] ||
            fail "$file: $busy $percent"
        jq -r '.files[0].file.duration / 1e7 | round / 100' said.json | awk -v d="$duration" '
            { scale = d ~ /ms$/ ? 1000 : d ~ /us$/ ? 1e6 : d ~ /mins$/ ? 1 / 60 : d ~ /hrs$/ ? 1 / 3600 : 1
              x = $1 * scale - d
              exit !(x < 0.011 * (scale > 1 ? scale : 1) && -x < 0.011 * (scale > 1 ? scale : 1)) }' || fail "$file: $duration"
        n=$((n + 1))
    done
    [ $n -ge 5 ] || fail "only $n"
}

@test "one description, whichever the format; its columns and its schema" {
    need_jsonschema
    files="$PPROFS/go-labels.pb.gz $SAMPLES/appended.out $ROOT/samples/perf/deleted.txt $ROOT/tests/cases/profinfo/labels/input"
    profinfo -q --format=json $files >all.json
    profinfo -q --format=ndjson $files | jq -s . | diff <(jq .files all.json) -
    profinfo -q --brief --format=json $files | jq .rows | diff <(jq '[.files[].file]' all.json) -
    profinfo -q --brief --format=ndjson $files | jq -s . | diff <(jq '[.files[].file]' all.json) -
    profinfo --columns --format=tsv | awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["view"] "." $at["name"] }' |
        sort | diff - <(jq -r '.files[3] | to_entries[] | .key as $list | (.value | if type == "array" then .[0] else . end)
            | keys[] | "\($list).\(.)"' all.json | sort)
    profinfo --help=description-schema >schema
    jq -c . all.json >document
    [ -z "$(python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" schema <document)" ]
    jq -c '.files[0].file.unknown = 1' document >wrong
    jq -c '.files[0].labels[0].frequent[0].samples = "x"' document >>wrong
    jq -c 'del(.files[0].sources)' document >>wrong
    [ "$(python3 "$BATS_TEST_DIRNAME/judge-jsonschema.py" schema <wrong | wc -l)" -eq 3 ]
}

@test "in a terminal long facts go on in lines of their own, whole" {
    need_terminal
    local file=$ROOT/samples/perf/flat.txt
    profinfo "$file" >whole
    for width in 40 80 500; do
        TERM=xterm script -qec "stty cols $width rows 10; profinfo $file" /dev/null </dev/null | tr -d '\r' >shown
        # a line that goes on is indented by two more than what stands behind a heading
        awk 'NR > 1 && !/^                / { print line; line = $0; next } NR > 1 { sub(/^ +/, " ") } { line = line $0 } END { print line }' shown |
            diff whole - || fail "$width"
    done
    TERM=xterm script -qec "stty cols 80 rows 10; profinfo $file" /dev/null </dev/null | tr -d '\r' >shown
    [ "$(wc -L <shown)" -le 80 ]
    [ "$(wc -l <shown)" -gt "$(wc -l <whole)" ]
}
