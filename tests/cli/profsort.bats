# profsort with more rows than it sorts in memory.

load helpers

# A profile in the order that profsort(1) describes, of $1 samples.
in_order() {  # samples
    awk -v samples="$1" 'BEGIN {
        print "{\"table\":\"meta\",\"key\":\"version\",\"value\":\"2.0\",\".ends\":true}"
        print "{\"table\":\".note\",\"n\":1}"
        for (i = 1; i <= 3; i++)
            print "{\"table\":\".mappings\",\"mapping_id\":" i ",\"filename\":\"m" i "\"}"
        print "{\"table\":\".of_mapping\",\"mapping_id\":2}"
        print "{\"table\":\"sources\",\"source_id\":1,\"source_type\":\"\",\"source_uri\":null,\"source_timestamp\":null}"
        for (i = 1; i <= 500; i++)
            print "{\"table\":\"functions\",\"function_id\":" i ",\"name\":\"f" i "\",\"system_name\":\"f\",\"filename\":\"\",\"start_line\":0}"
        # 3 and 4 of each 4 are inlined, into the one before: 4 is two away from one that is not
        for (level = 0; level < 3; level++)
            for (i = 1; i <= 2000; i++)
                if ((i % 4 == 3) + 2 * (i % 4 == 0) == level)
                    print "{\"table\":\"locations\",\"location_id\":" i ",\"function_id\":" i % 500 + 1 ",\"line\":" i (level > 0 ? ",\".inlined_into\":" i - 1 : "") "}"
        print "{\"table\":\".of_function\",\"function_id\":9}"
        for (s = 1; s <= samples; s++) {
            print "{\"table\":\"samples\",\"sample_id\":" 3 * s ",\"source_id\":1}"
            print "{\"table\":\"sample_values\",\"sample_id\":" 3 * s ",\"type\":\"samples\",\"unit\":\"count\",\"value\":" s "}"
            for (d = 1; d <= s % 14; d++)
                print "{\"table\":\"sample_locations\",\"sample_id\":" 3 * s ",\"depth\":" d ",\"location_id\":" s * d % 2000 + 1 "}"
            if (s % 7 == 0)
                print "{\"table\":\".of_sample\",\"sample_id\":" 3 * s "}"
        }
        print "{\"table\":\".end\"}"
    }'
}

# The lines of standard input in an order that is always the same, and has nothing to do with theirs.
shuffled() {
    awk 'BEGIN { srand(7) } { print rand() "\t" $0 }' | LC_ALL=C sort | cut -f 2-
}

@test "rows come out in order, whether they fit in memory or not" {
    in_order 3000 >expected
    shuffled <expected >rows
    run ! cmp expected rows
    # each row a run of its own and many merges of merges; runs in memory; runs in files
    for memory in 64M 1 2K 100K 300K 1M; do
        profsort --memory=$memory rows >sorted
        cmp sorted expected || fail "--memory=$memory"
    done
    [ "$(wc -c <rows)" -gt 2000000 ]
}

@test "what stays as it came does so across runs" {
    in_order 300 | sed '$d' >rows
    # no key tells these apart
    seq 1 5000 | sed 's/.*/{"table":".note","line":&}/' >>rows
    seq 1 5000 | sed 's/.*/{"table":".of_sample","sample_id":9,"line":&}/' >>rows
    echo '{"table":".end"}' >>rows
    profsort rows >expected
    grep -F '"line":' expected | grep -F .of_sample | same - <(grep -F '"line":' rows | grep -F .of_sample)
    for memory in 1 1K 20K; do
        profsort --memory=$memory rows | same - expected
    done
}

# The values of a sample come from one line: no key tells them apart.
@test "little memory gives the same rows, or none" {
    plain_only "memory is limited"
    awk 'BEGIN {
        print "memory profiling: sample.interval=20000"
        for (i = 0; i < 12000; i++)
            print ":" i % 97 ":" i ":" 3 * i ":" i % 5 ":\"f" i % 7 "\" \"g\" "
    }' >rows
    profsort rows >expected
    local limit refused=0 done=0
    for ((limit = 16000; done < 4; limit += 300)); do
        (ulimit -v $limit; profsort rows) >found 2>stderr && : $((done++)) || { : $((refused++)); continue; }
        same found expected
    done
    [ "$refused" -gt 0 ]
}

@test "version 1.0 keeps the order of its samples across runs" {
    rprof2ndjson -q --profile-version=1.0 "$SAMPLES/everything.out" >expected
    profsort expected >sorted
    profsort --memory=1 expected | same - sorted
    grep '"table":"samples"' sorted | same - <(grep '"table":"samples"' expected)
}

@test "--memory decides what waits in files, and takes a size" {
    in_order 3000 | shuffled >rows
    export TMPDIR=/nonexistent
    profsort --memory=64M rows >sorted
    try profsort --memory=300K rows
    [ "$status" -eq 3 ]
    grep -q '^profsort: cannot make a temporary file in /nonexistent: ' stderr
    try profsort --memory=0 rows
    says 2 'profsort: --memory: expected more than 0 bytes'
    try profsort --memory=64X rows
    says 2 'profsort: --memory: expected a number of bytes, perhaps with K, M or G, found "64X"'
}
