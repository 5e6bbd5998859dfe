#!/usr/bin/env bats
# The same samples give the same bytes, in whatever order and grouping they came.
load helpers

@test "cat, profcat and both the other way round agree under --canonical" {
    for pair in 'plain lines' 'memory everything' 'odd-names latin1' 'appended torn' 'deep toplevel' 'plain plain'; do
        read -r a b <<<"$pair"
        rprof2ndjson -q "$SAMPLES/$a.out" >a.ndjson
        rprof2ndjson -q "$SAMPLES/$b.out" >b.ndjson
        cat a.ndjson b.ndjson | ndjson2pprof -q --canonical >one
        profcat a.ndjson b.ndjson | ndjson2pprof -q --canonical >two
        cat b.ndjson a.ndjson | ndjson2pprof -q --canonical >three
        profcat b.ndjson a.ndjson | ndjson2pprof -q --canonical >four
        ndjson2pprof -q --canonical b.ndjson a.ndjson >five
        for other in two three four five; do
            cmp one $other || fail "$pair: $other"
        done
    done
}

@test "cat a b | X gives what profcat a b | X gives, without --canonical too" {
    rprof2ndjson -q "$SAMPLES/everything.out" "$SAMPLES/appended.out" >a.ndjson
    rprof2ndjson -q "$SAMPLES/lines.out" >b.ndjson
    profcat a.ndjson b.ndjson >merged
    cat a.ndjson b.ndjson | profcat >other
    same merged other
    # what is merged stays as it is
    profcat merged >other
    same merged other
    for options in '' --no-aggregate '--types=cpu/nanoseconds'; do
        ndjson2pprof -q $options merged >one
        cat a.ndjson b.ndjson | ndjson2pprof -q $options >two
        ndjson2pprof -q $options a.ndjson b.ndjson >three
        same one two
        same one three
    done
}

@test "grouping does not matter" {
    for name in plain memory odd-names; do
        rprof2ndjson -q "$SAMPLES/$name.out" >$name
    done
    profcat plain memory odd-names >all
    profcat plain memory | profcat - odd-names >left
    profcat memory odd-names | profcat plain - >right
    same all left
    same all right
}

@test "the order of samples does not matter" {
    { head -n 1 "$SAMPLES/plain.out"; tail -n +2 "$SAMPLES/plain.out" | sort; } >sorted
    { head -n 1 "$SAMPLES/plain.out"; tail -n +2 "$SAMPLES/plain.out" | sort -r; } >backwards
    for file in "$SAMPLES/plain.out" sorted backwards; do
        rprof2ndjson <"$file" | ndjson2pprof -q --canonical >"$(basename "$file").gz"
    done
    same plain.out.gz sorted.gz
    same plain.out.gz backwards.gz
}

@test "ids, the order of definitions and of types do not matter" {
    cat >a.ndjson <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"x","source_uri":"u","source_timestamp":1}
{"table":"sources","source_id":2,"source_type":"x","source_uri":"v","source_timestamp":null}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"functions","function_id":2,"name":"g","system_name":"g","filename":"","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":1}
{"table":"locations","location_id":2,"function_id":2,"line":null}
{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"k","str":"a"}]}
{"table":"sample_values","sample_id":1,"type":"n","unit":"count","value":1}
{"table":"sample_values","sample_id":1,"type":"b","unit":"bytes","value":2}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
{"table":"sample_locations","sample_id":1,"depth":2,"location_id":2}
{"table":"samples","sample_id":2,"source_id":2,".labels":[{"key":"k","num":1}]}
{"table":"sample_values","sample_id":2,"type":"n","unit":"count","value":4}
{"table":"sample_locations","sample_id":2,"depth":1,"location_id":2}
END
    cat >b.ndjson <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":9,"source_type":"x","source_uri":"v","source_timestamp":null}
{"table":"sources","source_id":5,"source_type":"x","source_uri":"u","source_timestamp":1}
{"table":"functions","function_id":7,"name":"g","system_name":"g","filename":"","start_line":0}
{"table":"locations","location_id":3,"function_id":7,"line":null}
{"table":"samples","sample_id":1,"source_id":9,".labels":[{"num":1,"key":"k"}]}
{"table":"sample_values","sample_id":1,"type":"n","unit":"count","value":4}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":3}
{"table":"functions","function_id":6,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"locations","location_id":2,"function_id":6,"line":1}
{"table":"samples","sample_id":4,"source_id":5,".labels":[{"key":"k","str":"\u0061"}]}
{"table":"sample_values","sample_id":4,"type":"b","unit":"bytes","value":2}
{"table":"sample_values","sample_id":4,"type":"n","unit":"count","value":1.0}
{"table":"sample_locations","sample_id":4,"depth":1,"location_id":2}
{"table":"sample_locations","sample_id":4,"depth":2,"location_id":3}
END
    ndjson2pprof -q --canonical a.ndjson -o a.pb.gz
    ndjson2pprof -q --canonical b.ndjson -o b.pb.gz
    same a.pb.gz b.pb.gz
}

@test "sources: every one is kept, with its provenance" {
    rprof2ndjson -q --timestamp=5 "$SAMPLES/appended.out" >a.ndjson
    rprof2ndjson -q "$SAMPLES/plain.out" >b.ndjson
    profcat a.ndjson b.ndjson a.ndjson >merged
    [ "$(grep -c '"table":"sources"' merged)" -eq 7 ]
    # all but the id as it was, in order
    strip() { grep -h '"table":"sources"' "$@" | sed 's/"source_id":[0-9]*,//'; }
    diff <(strip merged) <(strip a.ndjson b.ndjson a.ndjson)
    # and each sample with its own: counts by source
    by_source() { sed -n 's/^{"table":"samples".*"source_id":\([0-9]*\).*/\1/p' "$@" | sort -n | uniq -c | awk '{ print $1 }'; }
    diff <(by_source merged) <(by_source a.ndjson; by_source b.ndjson; by_source a.ndjson)
}
