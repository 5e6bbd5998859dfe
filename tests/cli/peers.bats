#!/usr/bin/env bats
# What other programs say of the same profiles: R's summaryRprof, jq.
load helpers
load pprof-helpers

# "self total name" in samples for each function, by R's own tool.
by_summaryRprof() {  # file
    LC_ALL=C Rscript --vanilla -e '
        x <- summaryRprof(commandArgs(TRUE)[1])
        t <- x$by.total
        cat(sprintf("%d %d %s\n", as.integer(round(t$self.time / x$sample.interval)),
                    as.integer(round(t$total.time / x$sample.interval)),
                    gsub("^\"|\"$", "", rownames(t))), sep = "")
        self <- x$by.self
        stopifnot(all(self$self.time == t[rownames(self), "self.time"]),
                  all(t$self.time[!rownames(t) %in% rownames(self)] == 0))' "$1" | LC_ALL=C sort
}

# The same from our rows, each function once per stack.
by_rows() {  # file
    rprof2ndjson -q "$1" | awk '
        function number(column) { match($0, "\"" column "\":[0-9]+"); return substr($0, RSTART + length(column) + 3, RLENGTH - length(column) - 3) }
        /^{"table":"functions"/ { name = $0; sub(/.*"name":"/, "", name); sub(/","system_name":.*/, "", name); name_of[number("function_id")] = name }
        /^{"table":"locations"/ { function_of[number("location_id")] = name_of[number("function_id")] }
        /^{"table":"sample_locations"/ {
            name = function_of[number("location_id")]
            id = number("sample_id")
            if (number("depth") == 1) self[name]++
            if (last[name] != id) total[name]++
            last[name] = id
        }
        END { for (name in total) print self[name] + 0, total[name], name }' | LC_ALL=C sort
}

@test "summaryRprof agrees with our rows" {
    need Rscript
    # R takes a torn last line for a sample: it is left out here
    sed '$d' "$SAMPLES/torn.out" >torn
    for file in "$SAMPLES/plain.out" torn; do
        by_summaryRprof $file >r
        [ "$(wc -l <r)" -gt 20 ]
        by_rows $file >ours
        diff r ours
    done
}

@test "summaryRprof agrees with our rows of a killed run and the one appended to it" {
    need Rscript
    # R cannot read the line that is both: it gets the runs one by one
    LC_ALL=C awk 'match($0, /memory profiling: line profiling: sample\.interval=[0-9]+$/) { n++; print substr($0, RSTART) >"run" n; next }
                  { print >"run" n }' "$SAMPLES/killed.out"
    for run in run1 run2; do
        by_summaryRprof $run
        by_rows $run >&2
    done >r 2>ours
    [ "$(wc -l <r)" -gt 5 ]
    diff r ours
    sum() { LC_ALL=C awk '{ self[$3] += $1; total[$3] += $2 } END { for (name in total) print self[name], total[name], name }' "$@" | LC_ALL=C sort; }
    sum r >both
    by_rows "$SAMPLES/killed.out" | sum >ours
    diff both ours
    # time: samples of a source by its interval
    rprof2ndjson -q "$SAMPLES/killed.out" >rows
    for n in 1 2; do
        time=$(LC_ALL=C Rscript --vanilla -e 'cat(1000 * summaryRprof(commandArgs(TRUE)[1], lines = "hide")$sampling.time)' run$n)
        [ "$(grep -c "^{\"table\":\"samples\".*\"source_id\":$n[,}]" rows)" -eq $((time / 5)) ] || fail "run$n: $time ms"
    done
}

@test "a stack that R cut behind a position gets no top level" {
    need Rscript
    Rscript --vanilla -e '
        options(keep.source = TRUE, expressions = 50000)
        invisible(compiler::enableJIT(0))
        deep <- eval(parse(text = c("function(n) if (n == 0) for (i in 1:400000) i else deep(n - 1) +", "  0"), keep.source = TRUE))
        Rprof("deep.out", line.profiling = TRUE, interval = 0.002)
        for (n in 1230:1260) deep(n)
        Rprof(NULL)'
    grep -aqE '.{9990} [0-9]+#[0-9]+ $' deep.out || skip "this R leaves no such stacks"
    rprof2ndjson -q deep.out >rows
    run ! grep -q '"function_id":null' rows
    ndjson2rprof --lossless rows | same deep.out -
}

@test "summaryRprof agrees with go tool pprof on our file" {
    need Rscript go
    by_summaryRprof "$SAMPLES/plain.out" >r
    rprof2ndjson "$SAMPLES/plain.out" | ndjson2pprof -q -o x.pb.gz
    go_top samples x.pb.gz >ours
    diff r ours
}

@test "summaryRprof agrees with go tool pprof on the memory in our file" {
    need Rscript go
    for name in memory everything; do
        # mem.total: what was allocated while a function was on the stack, in MB
        LC_ALL=C.UTF-8 Rscript --vanilla -e '
            t <- summaryRprof(commandArgs(TRUE)[1], memory = "both", lines = "hide")$by.total
            cat(sprintf("%.1f %s\n", t$mem.total, gsub("^\"|\"$", "", rownames(t))), sep = "")' \
            "$SAMPLES/$name.out" | grep -v '^0\.0 ' | LC_ALL=C sort >r
        [ "$(wc -l <r)" -gt 5 ]
        rprof2ndjson -q "$SAMPLES/$name.out" | ndjson2pprof -q -o x.pb.gz
        go_top alloc_size x.pb.gz b |
            awk '{ cum = $2; sub(/^[^ ]+ [^ ]+ /, ""); printf "%.1f %s\n", cum / 1048576, $0 }' |
            grep -v '^0\.0 ' | LC_ALL=C sort >ours
        diff r ours
    done
}

@test "R reads what we read: the number of samples" {
    need Rscript
    for file in plain lines memory everything; do
        r=$(LC_ALL=C Rscript --vanilla -e '
            x <- summaryRprof(commandArgs(TRUE)[1], lines = "hide")
            cat(round(x$sampling.time / x$sample.interval))' "$SAMPLES/$file.out")
        ours=$(rprof2ndjson -q "$SAMPLES/$file.out" | grep -c '"table":"samples"')
        # R drops the memory lines without a stack
        empty=$(grep -cE '^:[0-9]+:[0-9]+:[0-9]+:[0-9]+: ?$' "$SAMPLES/$file.out" || true)
        [ "$r" -eq "$ours" ] || [ "$r" -eq $((ours - empty)) ] || fail "$file: R $r, ours $ours, empty $empty"
    done
}

@test "rows that jq wrote give the same" {
    need jq
    for file in "$SAMPLES"/*.out; do
        rprof2ndjson -q "$file" >rows
        jq -c . rows >by_jq
        profcat rows >one
        profcat by_jq >two
        same one two
    done
}

@test "jq accepts every row" {
    need jq
    rprof2ndjson -q "$SAMPLES"/*.out | profcat >rows
    [ "$(jq -r .table rows | wc -l)" -eq "$(wc -l <rows)" ]
    [ "$(jq -r 'select(.table == "functions" and .name == "two\nlines") | .function_id' rows | wc -l)" -ge 1 ]
}

@test "a filter in jq between our tools" {
    need jq
    rprof2ndjson -q "$SAMPLES/plain.out" |
        jq -c 'if .table == "sources" then .source_uri = "from jq" else . end' |
        profcat | grep -qF '"source_uri":"from jq"'
}

@test "go tool pprof finds in our file what an Rprofmem file says" {
    need go
    rprofmem2ndjson "$ROOT/samples/rprofmem/words.out" | ndjson2pprof -q -o x.pb.gz
    go_pprof -top x.pb.gz | grep -qx 'Type: alloc_space'
    # Lines that continue a name are joined to it first. A function counts once in a stack.
    sed -E ':a; /[^ :]$/ { N; s/\n/\\n/; ta }' "$ROOT/samples/rprofmem/words.out" | awk '
        {
            page = /^new page:/
            bytes = page ? 0 : $1 + 0
            sub(/^(new page|[0-9]+ ):/, "")
            delete seen
            gsub(/^"|" $/, "")
            n = split($0, names, "\" \"")
            for (i = 1; i <= n; i++) {
                if (names[i] == "" || names[i] in seen) continue
                seen[names[i]]
                space[names[i]] += bytes
                objects[names[i]] += !page
                pages[names[i]] += page
            }
        }
        END { for (name in space) print space[name], objects[name], pages[name], name }' |
        LC_ALL=C sort >expected
    [ "$(wc -l <expected)" -gt 5 ]
    for column in 'alloc_space 1 b' 'alloc_objects 2' 'new_pages 3'; do
        set -- $column
        # go shows such a name in two lines
        go_top "$1" x.pb.gz "${3-}" | sed 's/^[^ ]* //' | grep -v -e '^0 ' -e ' lines$' |
            LC_ALL=C sort >found
        cut -d' ' -f"$2",4- expected | sed 's/\\nlines$//' | grep -v '^0 ' | LC_ALL=C sort >wanted
        diff wanted found
    done
}
