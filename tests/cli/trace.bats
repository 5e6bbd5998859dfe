#!/usr/bin/env bats
# Traces of Chrome: which files are taken for one, sums against what else can be reckoned, and what is cut off.
load helpers

@test "a trace is known by its start, whatever else it looks like" {
    local start
    while IFS= read -r start; do
        printf "$start" >x
        profcat x >found 2>messages || fail "$start"
        trace2ndjson x 2>messages | same - found
        grep -q '"source_type":"trace"' found || fail "$start"
    done <<'END'
{\n "traceEvents": [\n{"ph":"X","ts":1}]}
{"traceEvents":[{"name":"benchmarks","ph":"X","ts":1},{"name":"results","command":"x","ph":"X","ts":1}]}\n
{"displayTimeUnit":"ms","samples":[],"stackFrames":{},"traceEvents":[]}\n
[\n {"pid": 0, "ph": "M"}]
 [{"name":"callFrame","ph":"X","ts":1,"args":{"hitCount":3,"selfSize":4}},
[\n\n{"name":"a;b 3","cat":"x","ts":1,"ph":"X"}
END
    # a list of something else, or of nothing
    for start in '[[{"ph":"X","ts":1}]]' '[{"a":1}]' '[]' '{"table":"traceEvents"}'; do
        printf '%s\n' "$start" >x
        run ! profcat -q x
    done
}

# "nanoseconds name" for each name, by what was innermost in each nanosecond in which anything was open.
@test "spans have the sums that were reckoned without nesting them" {
    need python3
    need jq
    takes_long
    python3 - <<'END'
import json, random
random.seed(7)
for trial in range(60):
    # spans that nest, many with the same begin or end, in threads
    events, sums = [], {}
    def make(thread, begin, end, depth):
        name = random.choice('abcdef')
        own = end - begin
        form = random.random()
        inner = []
        at = begin
        while depth < 6 and at < end and random.random() < .7:
            first = random.randint(at, end)
            last = random.randint(first, end)
            if last > first:
                inner.append((first, last))
                own -= last - first
            at = last
        span = {'pid': 1, 'tid': thread, 'name': name, 'ts': begin / 1000}
        sums[name] = sums.get(name, 0) + own
        if form < .5 and begin < end:
            events.append(dict(span, ph='X', dur=(end - begin) / 1000))
            for first, last in inner:
                make(thread, first, last, depth + 1)
        else:
            events.append(dict(span, ph='B'))
            for first, last in inner:
                make(thread, first, last, depth + 1)
            events.append(dict(span, ph='E', ts=end / 1000))
    for thread in range(3):
        for i in range(20):
            make(thread, i * 1000, i * 1000 + random.randint(1, 1000), 0)
    if trial % 2 == 1:  # those of one thread and time stay in their order
        events = [e for key in random.sample(sorted({(e['tid'], e['ts']) for e in events}),
                                             len({(e['tid'], e['ts']) for e in events}))
                  for e in events if (e['tid'], e['ts']) == key]
    json.dump(events, open(f't{trial}.json', 'w'))
    open(f't{trial}.sums', 'w').write(''.join(f'{v} {k}\n' for k, v in sorted(sums.items()) if v > 0))
END
    for trial in $(seq 0 59); do
        trace2ndjson --lossless "t$trial.json" >rows 2>messages || fail "t$trial: $(cat messages)"
        [ ! -s messages ]
        profvalidate rows
        profsum --format=ndjson --type=wall -n 99 rows | jq -r 'select(.self > 0) | "\(.self) \(.function)"' |
            LC_ALL=C sort -k 2 | same "t$trial.sums" -
    done
}

@test "a profile of V8 in pieces is the one in a file" {
    need python3
    need jq
    cp "$ROOT/samples/cpuprofile/words.cpuprofile" x.cpuprofile
    python3 - <<'END'
import json
profile = json.load(open('x.cpuprofile'))
parents = {child: node['id'] for node in profile['nodes'] for child in node.get('children', [])}
events = [{'ph': 'P', 'name': 'Profile', 'pid': 1, 'tid': 2, 'id': '0x1', 'ts': 1,
           'args': {'data': {'startTime': profile['startTime']}}}]
seen = set()
for i in range(0, len(profile['samples']), 10):
    samples = profile['samples'][i:i + 10]
    nodes = []
    for node in profile['nodes']:
        if node['id'] not in seen and (i == 0 or node['id'] in samples or i + 10 >= len(profile['samples'])):
            chain, at = [], node
            while at is not None and at['id'] not in seen:
                seen.add(at['id'])
                chain.append(at)
                at = next((n for n in profile['nodes'] if n['id'] == parents.get(at['id'])), None)
            for n in reversed(chain):
                frame = dict(n['callFrame'], scriptId=int(n['callFrame']['scriptId']))
                if frame['lineNumber'] < 0:
                    del frame['lineNumber'], frame['columnNumber']
                nodes.append({'id': n['id'], 'callFrame': frame} |
                             ({'parent': parents[n['id']]} if n['id'] in parents else {}))
    events.append({'ph': 'P', 'name': 'ProfileChunk', 'pid': 1, 'tid': 9, 'id': '0x1', 'ts': i + 2, 'args': {'data': {
        'cpuProfile': {'nodes': nodes, 'samples': samples}, 'timeDeltas': profile['timeDeltas'][i:i + 10]}}})
events.append({'ph': 'P', 'name': 'ProfileChunk', 'pid': 1, 'tid': 9, 'id': '0x1', 'ts': 999,
               'args': {'data': {'endTime': profile['endTime']}}})
json.dump(events, open('x.json', 'w'))
END
    trace2ndjson --lossless x.json | ndjson2cpuprofile -q -o y.cpuprofile
    for member in .samples .timeDeltas .startTime .endTime '[.nodes[] | [.id, .callFrame, ([.children[]?] | sort)]] | sort'; do
        jq -c "$member" x.cpuprofile >expected
        jq -c "$member" y.cpuprofile | same expected -
    done
}

@test "a list may end behind each event, and nowhere else" {
    local input n count=0
    for input in "$ROOT"/tests/cases/trace2ndjson/{v8,threads}/input; do
        for n in $(seq $(($(wc -c <"$input") - 3)) | few_lines 3 | some_lines 11); do
            head -c "$n" "$input" >x
            if trace2ndjson -q -o rows x 2>messages; then
                profvalidate rows
                tr -d ' \n' <x | grep -q '^[[]$\|[]},]$' || fail "$input: $n bytes"
                count=$((count + 1))
            else
                [ $? -eq 1 ]
                grep -q '^trace2ndjson: x:' messages || fail "$input: $n bytes"
            fi
        done
    done
    [ $count -gt 0 ]
}

@test "memory is names and 32 bytes an event" {
    takes_long
    plain_only 'it needs memory'
    (printf '['; seq 400000 | sed 's/.*/{"ph":"X","pid":1,"tid":2,"ts":&,"dur":1,"name":"dot product"},/') >x
    (ulimit -v 120000; trace2ndjson x | tail -n 1 | grep -q '"table":".end"')
    run trace2ndjson --max-size=1M -o y x
    [ "$status" -eq 1 ]
    [[ $output == *'the events need more than 1048576 bytes (--max-size sets the limit)' ]]
    # an empty profile of V8 takes more than its event
    seq 2000 | sed '1 i[
        s/.*/{"ph":"P","id":&,"name":"Profile","args":{"data":{"startTime":1}}},/' >x
    run trace2ndjson -o y x
    [ "$status" -eq 1 ]
    [[ $output == 'trace2ndjson: x: grows by more than '* ]]
}

@test "spans whose stacks are more than a trace may grow by are refused before they are written" {
    # each has the stack of all before it: 400 million frames
    (printf '['; seq 28000 | sed 's/.*/{"ph":"B","ts":&,"name":"a"},/') >x
    trace2ndjson -q x >y 2>messages && fail 'it is taken'
    same messages - <<<'trace2ndjson: x: grows by more than 33554432 bytes beyond what it spells out (--max-size sets the limit)'
    [ "$(grep -c '"samples"' y)" -eq 0 ]
    # as many that do not nest pass
    sed 's/"B"/"X"/' x | trace2ndjson -q | tail -n 1 | grep -q '"table":".end"'
}
