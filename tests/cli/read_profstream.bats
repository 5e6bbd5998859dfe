# samples/read_profstream.R: rows as data frames of real R, and back.

load helpers

need_jsonlite() {
    need Rscript
    Rscript --vanilla -e 'quit(status = !requireNamespace("jsonlite", quietly = TRUE))' ||
        skip "no jsonlite here"
}

# Runs R code after the script has been read; $1 and so on are the strings a[1] ...
r() {  # code [argument ...]
    local code=$1
    shift
    LC_ALL=C.UTF-8 Rscript --vanilla -e "source('$ROOT/samples/read_profstream.R'); a <- commandArgs(TRUE); $code" "$@"
}

odd_rows() {
    cat <<'END'
{"table":"meta","key":"version","value":"2.0",".ends":true,".by":[1,{"a":"}\"]"}]}
{"table":"sources","source_id":1,"source_type":"x\u0001\n\"\\/é","source_uri":null,"source_timestamp":1700000000.5}
{"table":"sources","source_id":9007199254740991,"source_type":"NA","source_uri":"","source_timestamp":null,".value_types":[{"type":"a","unit":"b"}]}
{"table":"functions","function_id":1,"name":"f {\"x\":1}, \"table\":\"y\"","system_name":"f","filename":"","start_line":9223372036854775807}
{"table":"functions","function_id":2,"name":"😀","system_name":"\\u0041","filename":"true","start_line":0,".unmangled":true,".no_name":true}
{"table":"functions","function_id":3,"name":"null","system_name":"1","filename":"NA","start_line":0,".no_name":false}
{"table":"locations","location_id":1,"function_id":null,"line":null,".address":"0x1f",".mapping_id":null}
{"table":"locations","location_id":2,"function_id":1,"line":0,".b":1,".a":2}
{"table":"samples","sample_id":1,"source_id":1,".labels":[{"key":"k","num":-9223372036854775808},{"key":"[","str":"{"}]}
{"table":"sample_values","sample_id":1,"type":"a","unit":"b","value":9223372036854775807}
{"table":"sample_values","sample_id":1,"type":"b","unit":"b","value":-0.1}
{"table":"sample_values","sample_id":1,"type":"c","unit":"b","value":1e3}
{"table":"sample_values","sample_id":1,"type":"d","unit":"b","value":-0.0}
{"table":"sample_locations","sample_id":1,"depth":1,"location_id":1}
{"table":".note","sample_id":null,"x":null,"y":{"a":[]},"z":"null"}
{"table":".note","y":[],"z":1}
{"table":".note"}
{"table":".end"}
END
}

@test "every row comes back byte for byte" {
    need_jsonlite
    for file in "$SAMPLES"/*.out; do rprof2ndjson -q "$file" >"$(basename "$file").nd"; done
    for file in "$ROOT"/samples/pprof/*.pb.gz; do
        pprof2ndjson -q "$file" >"$(basename "$file").nd"
        prof2to1 -q "$(basename "$file").nd" >"$(basename "$file").1.nd"
    done
    rprofmem2ndjson "$ROOT/samples/rprofmem/words.out" >words.nd
    odd_rows >odd.nd
    mkdir back
    r 'for (file in a) write_profstream(read_profstream(file), file.path("back", file))' *.nd
    number=0
    for file in *.nd; do
        same "$file" "back/$file"
        number=$((number + 1))
    done
    [ "$number" -ge 20 ]
}

@test "numbers, null and what is missing" {
    need_jsonlite
    odd_rows >odd.nd
    r 'p <- read_profstream(a[1])
       stopifnot(identical(p$locations$line, c(NA, 0)),
                 identical(p$locations$.b, c(NA, 1)),
                 identical(p$sources$source_timestamp, c(1700000000.5, NA)),
                 identical(p$sources$source_uri, c(NA, "")),
                 identical(as.character(p$sample_values$value[1]), "9223372036854775807"),
                 identical(as.numeric(p$sample_values$value[2:3]), c(-0.1, 1000)),
                 identical(p$functions$.unmangled, c(NA, TRUE, NA)),
                 identical(fromJSON(p$samples$.labels)$key, c("k", "[")))' odd.nd
    rprof2ndjson -q "$SAMPLES/plain.out" >plain.nd
    r 'p <- read_profstream(a[1]); stopifnot(is.numeric(p$sample_values$value))' plain.nd
}

@test "R adds up what jq adds up" {
    need_jsonlite
    need jq
    rprof2ndjson -q "$SAMPLES/memory.out" >rows
    r 'p <- read_profstream(a[1])
       x <- aggregate(value ~ type, p$sample_values, sum)
       cat(sprintf("%s %.0f\n", x$type, x$value), sep = "")' rows | sort >by_r
    jq -rn '[inputs | select(.table == "sample_values")] | group_by(.type)[] | "\(.[0].type) \(map(.value) | add)"' rows | sort >by_jq
    [ "$(wc -l <by_r)" -eq 7 ]
    diff by_r by_jq
}

@test "data frames that R has changed become a stream again" {
    need_jsonlite
    rprof2ndjson -q "$SAMPLES/memory.out" >rows
    r 'p <- read_profstream(a[1])
       keep <- p$samples$sample_id %% 2 == 0
       p$samples <- p$samples[keep, ]
       for (table in c("sample_values", "sample_locations"))
           p[[table]] <- p[[table]][p[[table]]$sample_id %in% p$samples$sample_id, ]
       p$functions$filename <- paste0("R/", seq_len(nrow(p$functions)))
       write_profstream(p, "half")
       # merging loses the order of rows
       p$samples <- merge(p$samples, p$sources["source_id"])
       p$sample_values <- rbind(p$sample_values, p$sample_values[0, ])
       row.names(p$sample_locations) <- NULL
       write_profstream(p, "mixed")' rows
    profvalidate half
    [ "$(grep -c '"table":"samples"' half)" -eq $(($(grep -c '"table":"samples"' rows) / 2)) ]
    profsort mixed | profvalidate
    profsort half >one
    profsort mixed | grep -v '"table":"samples"' >two
    grep -v '"table":"samples"' one | same - two
    # a stream from nothing but data frames
    r 'write_profstream(list(meta = data.frame(key = "version", value = "2.0"),
           sources = data.frame(source_id = 1, source_type = "x", source_uri = NA, source_timestamp = NA),
           samples = data.frame(sample_id = 1:3, source_id = 1)), "made")'
    profsort made | profvalidate -v 2>&1 | grep -q 'samples: 3 rows'
}

@test "a stream that is cut, broken or two is an error" {
    need_jsonlite
    rprof2ndjson -q "$SAMPLES/plain.out" >rows
    sed '$d' rows >cut
    sed '5s/:/;/' rows >broken
    cat rows rows >two
    sed '5s/"table"/"row"/' rows >none
    for pair in 'cut|the profile is truncated: its .end row is missing' \
        'broken|line 5: expected a JSON object' 'two|one profile expected, found 2' \
        'none|line 5: expected a table'; do
        r 'message <- tryCatch(read_profstream(a[1]), error = conditionMessage)
           if (!identical(message, a[2])) stop(message)' "${pair%%|*}" "${pair#*|}"
    done
}

@test "as a program it counts rows" {
    need_jsonlite
    rprof2ndjson -q "$SAMPLES/plain.out" >rows
    Rscript --vanilla "$ROOT/samples/read_profstream.R" rows >counts
    grep -qxE "samples +$(grep -c '"table":"samples"' rows)" counts
}
