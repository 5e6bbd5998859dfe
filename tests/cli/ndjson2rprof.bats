# ndjson2rprof: the bytes come back, R reads them, and what has no place is told.

load helpers
load pprof-helpers

back() {  # file [option of rprof2ndjson ...]: what its rows make, to standard output
    local file=$1
    shift
    rprof2ndjson -q "$@" "$file" | ndjson2rprof --lossless
}

# One source with a period of 10 ms, and a sample with these values.
rows_with() {  # value rows without what all have in front ...
    local value
    cat <<'END'
{"table":"meta","key":"version","value":"2.0"}
{"table":"sources","source_id":1,"source_type":"x","source_uri":null,"source_timestamp":null,".period":{"type":"cpu","unit":"milliseconds","value":10}}
{"table":"functions","function_id":1,"name":"f","system_name":"f","filename":"","start_line":0}
{"table":"locations","location_id":1,"function_id":1,"line":0}
{"table":"samples","sample_id":1,"source_id":1}
END
    for value; do
        echo "{\"table\":\"sample_values\",\"sample_id\":1,$value}"
    done
    echo '{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}'
}

lines_of() {  # option or nothing, then as rows_with: how many lines that sample is
    local option=$1
    shift
    rows_with "$@" | ndjson2rprof -q $option | grep -c '^"f" $' || true
}

# R's own reading of two files: all that summaryRprof says of them.
r_reads_the_same() {  # file file
    LC_ALL=C.UTF-8 Rscript --vanilla - "$1" "$2" <<'END'
files <- commandArgs(TRUE)
read <- function(file, ...) {
    # some of these are errors, and must be the same ones
    tryCatch(summaryRprof(file, ...), error = conditionMessage)
}
asked <- list(list(), list(lines = "show"), list(lines = "both"), list(memory = "both"),
              list(memory = "tseries"), list(memory = "stats"))
count <- 0
for (how in asked) {
    one <- do.call(read, c(files[1], how))
    two <- do.call(read, c(files[2], how))
    if (!identical(one, two)) stop("not the same: ", deparse(how))
    count <- count + is.list(one)
}
# at least one must have been read at all
quit(status = count == 0)
END
}

@test "runs of several files share a header, and R adds them up" {
    printf 'line profiling: sample.interval=1000\n#File 1: a.R\n#File 2: c.R\n1#3 "f" \n1#3 "f" \n' >a.out
    printf 'line profiling: sample.interval=1000\n#File 1: b.R\n#File 2: a.R\n1#5 "g" 2#3 "f" \n' >b.out
    printf 'line profiling: sample.interval=2000\n"f" \n' >slow.out
    ndjson2rprof a.out b.out slow.out >all.out
    same all.out - <<'END'
line profiling: sample.interval=1000
#File 1: a.R
#File 2: c.R
1#3 "f" 
1#3 "f" 
#File 3: b.R
3#5 "g" 1#3 "f" 
line profiling: sample.interval=2000
"f" 
END
    # sorted rows name all files first
    profcat a.out b.out | profsort | ndjson2rprof | same - <(sed '/interval=2000/,$d' all.out)
    # that a run begins there is a fact that is lost
    try ndjson2rprof -v --lossless -o x a.out b.out
    [ $status -eq 1 ]
    grep -q '1 fact about a source: where a run begins' stderr
    # with memory a sample says something of the one before
    [ "$(ndjson2rprof -q "$SAMPLES/memory.out" "$SAMPLES/memory.out" | grep -c sample.interval)" -eq 2 ]
    need Rscript
    sed 's/interval=5000/interval=1000/' "$SAMPLES/lines.out" >lines.out
    ndjson2rprof a.out lines.out b.out >two.out
    Rscript --vanilla - >sums 2>R.log <<'END'
        time <- function(file) {
            x <- summaryRprof(file, lines = "both")
            c(x$sampling.time, sum(x$by.self$self.time), nrow(x$by.self))
        }
        all <- time("two.out")
        each <- sapply(c("a.out", "lines.out", "b.out"), time)
        cat(isTRUE(all.equal(all[1:2], rowSums(each)[1:2])), any(grepl("interval", rownames(summaryRprof("two.out")$by.total))), "\n")
END
    [ "$(cat sums)" = 'TRUE FALSE ' ] || fail "$(cat sums R.log)"
}

@test "every sample comes back byte for byte" {
    # and every real file of others, on machines that have them
    for file in "$SAMPLES"/*.out $(ls "$ROOT"/../shared/data/rprof/*.out 2>/dev/null || true); do
        case $file in "$SAMPLES"/torn.out | "$SAMPLES"/killed.out) continue ;; esac
        back "$file" | same "$file" -
        back "$file" --from-code=ISO-8859-1 | same "$file" -
        back "$file" --from-code=SHIFT_JIS | same "$file" -
        # as large a run of other tools between as one likes
        rprof2ndjson -q "$file" | profcat | profvalidate --pass | ndjson2rprof --lossless | same "$file" -
    done
}

@test "every input of the cases that is taken comes back, but for torn lines" {
    number=0
    for file in "$ROOT"/tests/cases/rprof2ndjson/*/input; do
        try rprof2ndjson "$file"
        [ "$status" -eq 0 ] || continue
        cp stdout rows
        if grep -q 'torn' stderr; then
            grep -q torn <<<"$file"
            continue
        fi
        ndjson2rprof --lossless rows | same "$file" - || fail "$file"
        number=$((number + 1))
    done
    [ "$number" -ge 25 ]
}

@test "a torn file comes back without the torn line" {
    head -n -1 "$SAMPLES/torn.out" >whole
    back "$SAMPLES/torn.out" | same whole -
    sed 's/^.*[^ ]\(memory profiling: \)/\1/' "$SAMPLES/killed.out" >whole
    [ "$(wc -c <whole)" -lt "$(wc -c <"$SAMPLES/killed.out")" ]
    back "$SAMPLES/killed.out" | same whole -
    # cut anywhere: what stands before the torn line, or the whole when that is a line
    size=$(stat -c %s "$SAMPLES/everything.out")
    for cut in $(seq 40 977 "$size"); do
        head -c "$cut" "$SAMPLES/everything.out" >cut
        rprof2ndjson -q cut >rows || continue
        ndjson2rprof --lossless rows >text
        cmp -n "$(stat -c %s text)" cut text
        # at most one line is missing, which may hold line feeds
        [ "$(($(wc -l <cut) - $(wc -l <text)))" -le 1 ]
    done
}

@test "appended runs and several inputs" {
    cat "$SAMPLES/plain.out" "$SAMPLES/memory.out" "$SAMPLES/lines.out" >appended
    back appended | same appended -
    rprof2ndjson -q "$SAMPLES/plain.out" >a
    rprof2ndjson -q "$SAMPLES/memory.out" >b
    rprof2ndjson -q "$SAMPLES/lines.out" | ndjson2rprof --lossless a b - | same appended -
    # only a header
    printf 'GC profiling: sample.interval=7\n' >header
    cat header "$SAMPLES/plain.out" header >appended
    back appended | same appended -
}

@test "R reads the same from a file that was made of rows" {
    need Rscript
    for name in plain memory lines everything toplevel deep latin1; do
        # sorted rows name their files first: the text is another, R's result is not
        rprof2ndjson -q "$SAMPLES/$name.out" | profsort | ndjson2rprof --lossless >made
        r_reads_the_same "$SAMPLES/$name.out" made || fail "$name"
    done
    run ! cmp "$SAMPLES/lines.out" made
    sed 's/"paste"/"glue"/' "$SAMPLES/memory.out" >other
    run ! r_reads_the_same "$SAMPLES/memory.out" other
}

@test "R reads a profile of Go, and finds what go finds" {
    need Rscript go
    pprof2ndjson -q "$PPROFS/go-cpu.pb.gz" | ndjson2rprof -q >go.out
    LC_ALL=C.UTF-8 Rscript --vanilla -e '
        s <- summaryRprof("go.out", lines = "hide")
        count <- function(x) round(x$total.time / s$sample.interval)
        cat(sprintf("%d %s\n", count(s$by.total), gsub("^\"|\"$", "", rownames(s$by.total))), sep = "")' |
        LC_ALL=C sort >r
    [ "$(wc -l <r)" -gt 10 ]
    go_top samples "$PPROFS/go-cpu.pb.gz" | sed 's/^[^ ]* //' | LC_ALL=C sort >go
    diff go r
}

@test "a sample is as many lines as it counts" {
    [ "$(lines_of '' '"type":"samples","unit":"count","value":3')" -eq 3 ]
    [ "$(lines_of '' '"type":"cpu","unit":"nanoseconds","value":40000000')" -eq 4 ]
    # the count of samples stands before all others, a time before another count
    [ "$(lines_of '' '"type":"cpu","unit":"nanoseconds","value":40000000' '"type":"samples","unit":"count","value":2')" -eq 2 ]
    [ "$(lines_of '' '"type":"hits","unit":"count","value":9' '"type":"cpu","unit":"nanoseconds","value":40000000')" -eq 4 ]
    [ "$(lines_of --interval=20000 '"type":"cpu","unit":"nanoseconds","value":40000000')" -eq 2 ]
    [ "$(lines_of '' '"type":"x","unit":"bytes","value":9')" -eq 1 ]
    [ "$(lines_of '')" -eq 1 ]
    [ "$(lines_of '' '"type":"samples","unit":"count","value":0')" -eq 0 ]
    [ "$(lines_of '' '"type":"samples","unit":"count","value":-5')" -eq 0 ]
    rows_with '"type":"samples","unit":"count","value":10000001' >rows
    try ndjson2rprof rows
    says 1 'ndjson2rprof: rows:5: a sample counts 10000001: more than 10000000 lines'
}

@test "--interval" {
    rows_with | ndjson2rprof -q | grep -cx 'line profiling: sample.interval=10000'
    rows_with | ndjson2rprof -q --interval=1 | grep -cx 'line profiling: sample.interval=1'
    rprof2ndjson -q "$SAMPLES/plain.out" | ndjson2rprof -q --interval=500 | head -n 1 | grep -cx 'sample.interval=500'
    for wrong in 0 -1 x 1.5 '' 10000000000 '1 '; do
        try ndjson2rprof --interval="$wrong" rows
        says 2 "ndjson2rprof: --interval: expected microseconds, from 1 to 9999999999, found \"$wrong\""
    done
}

@test "what Rprof cannot hold is counted, by name under -v, and an error under --lossless" {
    rows_with '"type":"samples","unit":"count","value":1' '"type":"heap","unit":"bytes","value":7' >rows
    try ndjson2rprof rows
    says 0 'ndjson2rprof: not in Rprof: 1 value of another type (heap)'
    try ndjson2rprof --lossless -o out rows
    says 1 'ndjson2rprof: --lossless: not in Rprof: 1 value of another type (heap)' \
        'ndjson2rprof: --lossless: not in Rprof: 1 format detail (source_type)'
    [ ! -e out ]
    # a name that would be read otherwise
    rows_with | sed 's/"name":"f","system_name":"f"/"name":"a\\" \\"b","system_name":"a\\" \\"b"/' >rows
    try ndjson2rprof rows
    [ "$status" -eq 0 ]
    grep -q '1 name that Rprof cannot hold (a' stderr
    grep -qFx "\"a' 'b\" " stdout
}

@test "a path or name that the encoding or the format cannot hold is counted" {
    printf 'line profiling: sample.interval=1000\n#File 1: %s.R\n1#2 "%s" \n' a f >text
    rprof2ndjson --from-code=latin1 text >rows
    ndjson2rprof --lossless rows | same text -
    for change in 's/a\.R/中.R/' 's/"f"/"中"/g' 's/a\.R/a\\nb/' 's/a\.R/line profiling: sample.interval=5/'; do
        sed "$change" rows >changed
        run ! cmp -s rows changed
        try ndjson2rprof --lossless -o out changed
        [ $status -eq 1 ]
        [ "$(grep -c '^ndjson2rprof: --lossless: not in Rprof: 1 name that Rprof cannot hold (.*)$' stderr)" -eq "$(wc -l <stderr)" ]
        # still one run, of one sample
        ndjson2rprof -q changed >text
        rprof2ndjson --strict text | profcat >again
        [ "$(grep -c '"table":"sources"' again)" -eq 1 ]
        [ "$(grep -c '"table":"samples"' again)" -eq 1 ]
    done
}

@test "iconv is asked for encodings that R runs in, and no others" {
    printf 'sample.interval=1000\n"\344" \n' >text
    try bash -c 'rprof2ndjson -q --from-code=latin1 text >rows'
    for code in latin1 Latin1 ISO-8859-1 iso_8859-1 ISO8859-1 l1 CP819 'latin1//TRANSLIT' 'LATIN1//ignore' 'L1//TRANSLIT//IGNORE' 'l1//translit,ignore/'; do
        sed "s|latin1|$code|" rows | ndjson2rprof --lossless | same text -
    done
    for code in latin 'latin1/' 'latin1//X' 'latin1 ' ISO-8859-99 UTF-16 UTF-7 ISO-2022-JP EBCDIC-US IBM037 ../../x '' '//' \
        latin1latin1latin1latin1latin1latin1latin1 latiné; do
        sed "s|latin1|$code|" rows >odd
        try ndjson2rprof odd
        says 1 "ndjson2rprof: odd:2: sources..rprof.encoding: expected one that R runs in, found \"$code\""
    done
    # what the user asks for is his own affair
    rprof2ndjson --from-code=ISO-8859-1//TRANSLIT text | grep -qF '"encoding":"ISO-8859-1//TRANSLIT"'
    # what stands there has ASCII in it
    need iconv
    printf 'sample.interval=1000\n"a b" \n' >text
    for code in $(sed -n 's/^    {"\([^"]*\)", ".*/\1/p' "$ROOT/src/formats/rprof/rprof_encoding.c"); do
        iconv -f "$code" </dev/null 2>/dev/null || continue # here iconv does not know it
        known=$((${known-0} + 1))
        rprof2ndjson --from-code="$code" text >rows
        grep -qF '"name":"a b"' rows
        ndjson2rprof --lossless rows | same text -
    done
    [ "$known" -gt 10 ]
}

@test "names of many lines, and sources that alternate, take the time of what is written" {
    rows_with | awk '
        NR == 2 { print; sub(/"source_id":1/, "\"source_id\":2"); sub(/"value":10/, "\"value\":20") }
        /"functions"/ { for (i = 0; i < 1000; i++) name = name "x\\\\\"y\\\\n"; sub(/"name":"f"/, "\"name\":\"x" name "\"") }
        /"samples"/ { exit }
        { print }
        END {
            for (i = 1; i <= 2000; i++) {
                printf "{\"table\":\"samples\",\"sample_id\":%d,\"source_id\":%d}\n", i, i % 2 + 1
                for (depth = 1; depth <= 3; depth++)
                    printf "{\"table\":\"sample_locations\",\"sample_id\":%d,\"depth\":%d,\"location_id\":1}\n", i, depth
            }
        }' >rows
    timeout 10 ndjson2rprof -q rows >text
    [ "$(grep -c sample.interval text)" -eq 2000 ]
    timeout 10 rprof2ndjson -q text >rows
    [ "$(grep -c '^{"table":"samples"' rows)" -eq 2000 ]
    ndjson2rprof --lossless rows | same text -
}

@test "numbers of files with large gaps take no memory" {
    plain_only "it needs a limit on addresses"
    awk 'BEGIN { print "line profiling: sample.interval=20000"
                 for (i = 1; i <= 100000; i++) print "#File " i * 1000 ": a"
                 print "100000000#1 \"f\" " }' >text
    ulimit -v 60000
    rprof2ndjson text >rows
    ndjson2rprof --lossless rows | same text -
}

@test "what it writes can be read again, whatever it was made of" {
    number=0
    for file in "$ROOT"/tests/cases/ndjson2rprof/*/stdout; do
        [ ! -e "${file%stdout}status" ] || continue
        rprof2ndjson -q "$file" >rows
        ndjson2rprof --lossless rows | same "$file" - || fail "$file"
        number=$((number + 1))
    done
    [ "$number" -ge 40 ]
    for file in "$PPROFS"/*.pb.gz; do
        case $file in *heap*) continue ;; esac  # counts that are no samples
        pprof2ndjson -q "$file" | ndjson2rprof -q >text
        rprof2ndjson --strict text >rows
        ndjson2rprof --lossless rows | same text -
    done
}
