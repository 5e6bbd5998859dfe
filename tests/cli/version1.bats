# Version 1.0 of the rows: to 2.0 and back, and what the readers write themselves.

load helpers

rows_of_all() {  # prints the name of a file of rows for each sample
    local file
    for file in "$ROOT"/samples/rprof/*.out; do
        rprof2ndjson -q "$file" >"${file##*/}.nd"
        echo "${file##*/}.nd"
    done
    for file in "$ROOT"/samples/pprof/go-labels.pb.gz "$ROOT"/samples/pprof/go-inline.pb.gz; do
        pprof2ndjson -q "$file" >"${file##*/}.nd"
        echo "${file##*/}.nd"
    done
}

old_by_hand() {
    cat <<'END'
{"table":"meta","key":"version","value":"1.0",".ends":true}
{"table":".rprof","interval":20000}
{"table":".mappings","mapping_id":7,"filename":"x"}
{"table":"sample_types","type":"samples","unit":"count",".note":"a"}
{"table":"functions","function_id":9,"name":"f","system_name":"f","filename":"","start_line":0,".x":[1]}
{"table":"locations","location_id":4,"function_id":9,"line":0,".mapping_id":7}
{"table":"locations","location_id":2,"function_id":null,"line":null}
{"table":"samples","value":2,"locations":[{"location_id":4},{"location_id":2}]}
{"table":"samples","value":1,"locations":[]}
{"table":"samples","value":3,"locations":[{"location_id":2}]}
{"table":"samples","value":3,"locations":[{"location_id":2}],".labels":[{"key":"k","str":"v"}]}
{"table":".end"}
END
}

@test "1.0 to 2.0 to 1.0 is the same" {
    old_by_hand >a
    prof1to2 a | prof2to1 --lossless >b
    cmp a b
    prof2to1 a | cmp a -
    # without an end that is promised, but for that one
    grep -v '"table":".end"' a | sed '1s/,".ends":true//' | prof1to2 | prof2to1 | cmp a -
    for rows in $(rows_of_all); do
        prof2to1 -q "$rows" >a
        profvalidate a
        prof1to2 a | prof2to1 >b
        cmp a b
        profsort a | profvalidate
    done
}

@test "the readers write what prof2to1 makes of their rows" {
    for file in "$ROOT"/samples/rprof/*.out; do
        rprof2ndjson -q --profile-version=1.0 "$file" >a
        rprof2ndjson -q "$file" | prof2to1 -q | cmp - a
    done
    pprof2ndjson -q --profile-version=1.0 "$ROOT"/samples/pprof/go-labels.pb.gz >a
    pprof2ndjson -q "$ROOT"/samples/pprof/go-labels.pb.gz | prof2to1 -q | cmp - a
    try rprof2ndjson --profile-version=2 a
    says 2 'rprof2ndjson: --profile-version: expected 2.0 or 1.0, found "2"'
}

@test "stacks of 1.0 are those of 2.0, and all tools read both" {
    rprof2ndjson -q --profile-version=1.0 "$ROOT"/samples/rprof/lines.out >old
    rprof2ndjson -q "$ROOT"/samples/rprof/lines.out >new
    profcat old | grep '"table":"sample_locations"' >a
    profcat new | grep '"table":"sample_locations"' >b
    [ "$(wc -l <a)" -eq "$(wc -l <b)" ]
    ndjson2pprof -q --types=samples/count old >a.pb.gz
    [ -s a.pb.gz ]
}

@test "the source of a profile of 1.0 has the type that it tells, or that is asked for" {
    old_by_hand >a
    prof1to2 a | grep -c '"source_type":"rprof","source_uri":null,"source_timestamp":null'
    sed 's/"\.rprof"/".msg"/' a | prof1to2 | grep -c '"source_type":"pprof"'
    grep -v '"\.rprof"' a | prof1to2 | grep -c '"source_type":"manual"'
    prof1to2 --source-type=x a | grep -c '"source_type":"x"'
}

@test "what 1.0 has no place for is counted, and an error under --lossless" {
    rprof2ndjson -q "$ROOT"/samples/rprof/memory.out >in
    try prof2to1 in
    [ "$status" -eq 0 ]
    grep -qxE 'prof2to1: not in the output: [0-9]+ values of other types \(.*\)' stderr
    try prof2to1 --lossless in
    [ "$status" -eq 1 ]
    run ! grep -F '{"table":".end"}' stdout
    try prof2to1 --lossless -o out in
    [ "$status" -eq 1 ]
    [ ! -e out ]
}

@test "the stacks of 1.0 are those that R finds in the file" {
    need Rscript jq
    for name in plain lines; do
        file=$ROOT/samples/rprof/$name.out
        cat >read.R <<'END'
lines <- readLines(commandArgs(TRUE)[1])[-1]
is_file <- grepl("^#File ", lines)
files <- sub("^#File [0-9]+: ", "", lines[is_file])
stack <- function(line) {
    # a position stands before the name that it is in
    tokens <- strsplit(trimws(line), " ")[[1]]
    at <- ""
    out <- character()
    for (token in tokens) {
        if (grepl("^[0-9]+#[0-9]+$", token)) { at <- token; next }
        place <- if (at == "") ":0" else {
            n <- as.integer(strsplit(at, "#")[[1]])
            paste0(files[n[1]], ":", n[2])
        }
        out <- c(out, paste0(gsub('"', "", token), "@", place))
        at <- ""
    }
    if (at != "") {
        n <- as.integer(strsplit(at, "#")[[1]])
        out <- c(out, paste0("@", files[n[1]], ":", n[2]))
    }
    paste(out, collapse = " ")
}
runs <- rle(vapply(lines[!is_file], stack, "", USE.NAMES = FALSE))
cat(paste(runs$lengths, runs$values), sep = "\n")
END
        Rscript read.R "$file" >expected
        rprof2ndjson -q --profile-version=1.0 "$file" | jq -rn '
            reduce inputs as $r ({f: {}, l: {}, out: []};
                if $r.table == "functions" then .f["\($r.function_id)"] = $r
                elif $r.table == "locations" then .l["\($r.location_id)"] = $r
                elif $r.table == "samples" then
                    . as $s | .out += ["\($r.value) " + ([$r.locations[] | $s.l["\(.location_id)"]
                        | . as $l | ($s.f["\($l.function_id)"] // {name: "", filename: $l[".filename"]})
                        | "\(.name)@\(.filename):\($l.line)"] | join(" "))]
                else . end) | .out[]' >found
        diff expected found
    done
}
