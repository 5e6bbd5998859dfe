#!/usr/bin/env bats
# What other programs say of the same profiles: R's summaryRprof, jq.
load helpers

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

@test "summaryRprof agrees with go tool pprof on our file" {
    need Rscript go
    by_summaryRprof "$SAMPLES/plain.out" >r
    rprof2ndjson "$SAMPLES/plain.out" | ndjson2pprof -q -o x.pb.gz
    HOME=$T PPROF_TMPDIR=$T go tool pprof -sample_index=samples -top -nodefraction=0 -nodecount=1000000 x.pb.gz 2>/dev/null |
        awk 'body { name = $0; sub(/^ *[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +[^ ]+ +/, "", name); print $1, $4, name }
            $1 == "flat" { body = 1 }' | LC_ALL=C sort >ours
    diff r ours
}

@test "summaryRprof agrees with the memory we reckon" {
    need Rscript
    # mem.total: what was allocated while a function was on the stack, in MB
    LC_ALL=C Rscript --vanilla -e '
        t <- summaryRprof(commandArgs(TRUE)[1], memory = "both")$by.total
        cat(sprintf("%.1f %s\n", t$mem.total, gsub("^\"|\"$", "", rownames(t))), sep = "")' \
        "$SAMPLES/memory.out" | LC_ALL=C sort >r
    [ "$(wc -l <r)" -gt 20 ]
    rprof2ndjson "$SAMPLES/memory.out" | awk '
        function number(column) { match($0, "\"" column "\":[0-9]+"); return substr($0, RSTART + length(column) + 3, RLENGTH - length(column) - 3) }
        /^{"table":"functions"/ { name = $0; sub(/.*"name":"/, "", name); sub(/","system_name":.*/, "", name); name_of[number("function_id")] = name }
        /^{"table":"locations"/ { function_of[number("location_id")] = name_of[number("function_id")] }
        /"type":"alloc_size".*"value":/ && /sample_values/ { allocated = number("value") }
        /^{"table":"sample_locations"/ {
            name = function_of[number("location_id")]
            id = number("sample_id")
            if (last[name] != id) total[name] += allocated
            last[name] = id
        }
        END { for (name in total) printf "%.1f %s\n", total[name] / 1048576, name }' | LC_ALL=C sort >ours
    diff r ours
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
