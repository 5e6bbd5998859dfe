#!/usr/bin/env bats
# Rows in R, by samples/read_profstream.R: each way that exactness could be lost, and
# what becomes of data frames that a user has cut down.
load helpers

# R code that finds the script's functions, and its further arguments in `a`.
in_r() {  # code [argument ...]
    local code=$1
    shift
    Rscript --vanilla -e "source('$ROOT/samples/read_profstream.R')" \
        -e 'a <- commandArgs(TRUE)' -e "$code" "$@"
}

# One R for all files: starting it takes longer than reading most of them.
comes_back() {  # file ...
    local file
    mkdir -p back
    in_r 'for (f in a) write_profstream(read_profstream(f), file.path("back", f))' "$@"
    for file; do same "$file" "back/$file"; done
}

# What a reader of this stream has to say, whatever R puts around it.
refused() {  # file pattern
    try in_r 'invisible(read_profstream(a[1]))' "$1"
    [ "$status" -ne 0 ] || fail "$1 was read"
    grep -qE "$2" stderr || fail "$1: expected $2, found" "$(cat stderr)"
}

rows_of_rprof() {
    local file
    for file in "$SAMPLES"/*.out; do
        rprof2ndjson -q -o "$(basename "$file" .out).rprof" "$file"
    done
}

# Large ones would only take long.
rows_of_pprof() {
    local file name
    for file in "$ROOT"/samples/pprof/*.pb.gz; do
        name=$(basename "$file" .pb.gz).pprof
        pprof2ndjson -q -o "$name" "$file"
        [ "$(wc -c <"$name")" -le 5000000 ] || rm "$name"
    done
}

begin='{"table":"meta","key":"version","value":"2.0"}'

f() {  # id [dotted columns]
    printf '{"table":"functions","function_id":%d,"name":"f","system_name":"f",' "$1"
    printf '"filename":"","start_line":0%s}\n' "${2-}"
}

x() {  # JSON text of a value ...
    local value
    for value; do printf '{"table":".x","v":%s}\n' "$value"; done
}

@test "rows from Rprof come back byte for byte" {
    need_r jsonlite
    rows_of_rprof
    [ "$(ls *.rprof | wc -l)" -gt 5 ]
    comes_back *.rprof
}

@test "rows from pprof come back byte for byte" {
    need_r jsonlite
    rows_of_pprof
    [ "$(ls *.pprof | wc -l)" -ge 2 ]
    comes_back *.pprof
}

@test "rows of version 1.0 come back byte for byte, and stacks are lists" {
    need_r jsonlite
    rows_of_rprof
    rows_of_pprof
    for file in *.rprof *.pprof; do prof2to1 -q -o "$file.one" "$file"; done
    comes_back *.one
    in_r 's <- read_profstream(a[1])$samples
          stopifnot(is.list(s$locations), is.numeric(s$value),
                    is.numeric(s$locations[[1]]$location_id))' plain.rprof.one
}

@test "numbers keep their text, alone and beside others" {
    need_r jsonlite
    set -- 0 -1 0.1 1e3 1E3 1e+3 1.50 1.0 -0.0 -0 0.30000000000000004 100000 1e5 \
        1e15 1e22 0.0001 1e-4 1e-05 5e-324 1.7976931348623157e308 \
        9007199254740991 9007199254740992 9007199254740993 -9007199254740993 \
        9223372036854775807 -9223372036854775808
    # alone each decides for itself what its column is
    number=0
    for value; do
        number=$((number + 1))
        { echo "$begin"; x "$value"; } >"$number.one"
    done
    { echo "$begin"; x "$@" null; } >all.one
    comes_back *.one
    in_r 'v <- read_profstream(a[1])$.x$v; stopifnot(identical(v, 0))' 1.one
    in_r 'v <- read_profstream(a[1])$.x$v
          stopifnot(identical(as.character(v), "9223372036854775807"))' 25.one
}

@test "strings keep every character" {
    need_r jsonlite
    # U+2028 and U+007F stand for themselves in canonical rows, \u001f does not
    u2028=$'\xe2\x80\xa8' del=$'\x7f'
    { echo "$begin"; x '""' '"NA"' '"null"' '"1"' '"true"' '"\\"' '"\\\\\""' '"\\u0041"' \
        '"\b\f\n\r\t\u0001\u001f"' '"a/b"' "\"$u2028$del\"" '"é 日本 😀 𝒳"' \
        '"}],[{\",\""' '" \"table\":\"meta\" "'; } >strings
    comes_back strings
    # what a locale makes of bytes must not matter
    LC_ALL=C in_r 'write_profstream(read_profstream(a[1]), "c")' strings
    same strings c
}

@test "null, missing and nested values are three things" {
    need_r jsonlite
    { echo "$begin"
        x null '"x"' true false 1 '[]' '{}' '[1,{"a":"]}"},null]' '{ "a" : 1.50 }'
        echo '{"table":".x"}'; echo '{"table":".x","w":null}'
        echo '{"table":".y","v":null}'; echo '{"table":".y"}'
        echo '{"table":".z","":1,"row.names":2,"a b":3,"\"":4}'
        f 1 ',".a":1'; f 2; f 3 ',".a":null,".b":{"c":[]}'
        printf '{"table":"locations","location_id":%s}\n' \
            '1,"function_id":null,"line":null,".mapping_id":null' \
            '2,"function_id":1,"line":0'; } >mixed
    comes_back mixed
    in_r 'p <- read_profstream(a[1])
          stopifnot(identical(p$locations$function_id, c(NA, 1)),
                    identical(p$locations$line, c(NA, 0)),
                    identical(is.na(p$functions$.a), c(FALSE, TRUE, FALSE)))' mixed
}

@test "each row keeps the order of its columns" {
    need_r jsonlite
    { echo "$begin"; f 1 ',".a":1,".b":2'; f 2 ',".b":1,".a":2'; f 3 ',".a":2'
        f 4 ',".b":1,".c":2'; f 5 ',".c":2,".a":1'; } >rows
    comes_back rows
    in_r 'p <- read_profstream(a[1]); p$functions <- p$functions[c(2, 5), ]
          write_profstream(p, "some")' rows
    sed -n '1p;3p;6p' rows | same - some
}

@test "a hundred thousand rows take seconds" {
    need_r jsonlite
    {
        echo "$begin"
        printf '{"table":"sources","source_id":1,%s}\n' \
            '"source_type":"x","source_uri":null,"source_timestamp":null'
        f 1
        echo '{"table":"locations","location_id":1,"function_id":1,"line":0}'
        awk 'BEGIN {
            for (s = 1; s <= 20000; s++) {
                print "{\"table\":\"samples\",\"sample_id\":" s ",\"source_id\":1}"
                for (d = 1; d <= 4; d++)
                    print "{\"table\":\"sample_locations\",\"sample_id\":" s \
                        ",\"depth\":" d ",\"location_id\":1}"
            }
        }'
    } >many
    # generous, as it is about minutes: this takes about a second
    in_r 'took <- system.time(write_profstream(read_profstream(a[1]), "back"))
          if (took[["elapsed"]] > 30) stop("too slow")' many
    same many back
}

@test "connections: standard input, gzip" {
    need_r jsonlite
    rprof2ndjson -q "$SAMPLES/lines.out" >rows
    in_r 'write_profstream(read_profstream(file("stdin")))' <rows | same - rows
    gzip -c rows >rows.gz
    in_r 'p <- read_profstream(gzfile(a[1]))
          write_profstream(p, gzfile("back.gz"))' rows.gz
    gunzip -c back.gz | same - rows
}

@test "some samples of a profile are a profile" {
    need_r jsonlite
    rprof2ndjson -q "$SAMPLES/memory.out" >rows
    in_r 'p <- read_profstream(a[1])
          only <- function(p, ids) {
              for (table in c("samples", "sample_values", "sample_locations"))
                  p[[table]] <- p[[table]][p[[table]]$sample_id %in% ids, ]
              p
          }
          write_profstream(only(p, p$samples$sample_id[1:3]), "few")
          write_profstream(only(p, numeric()), "none")
          # no line numbers, and tables the other way round
          few <- lapply(rev(only(p, p$samples$sample_id[1:3])), function(frame) {
              row.names(frame) <- NULL
              frame
          })
          write_profstream(few, "mixed")' rows
    for file in few none mixed; do
        profsort "$file" >sorted
        profvalidate sorted
    done
    profvalidate few
    [ "$(grep -c '^{"table":"samples"' few)" -eq 3 ]
    [ "$(grep -c '^{"table":"samples"' none || true)" -eq 0 ]
    profsort few >a
    profsort mixed | same - a
    # as it is written, the first line opens a profile and the last one closes it
    head -n 1 mixed | grep -q '^{"table":"meta"'
    tail -n 1 mixed | grep -qxF '{"table":".end"}'
}

@test "a row that R has added stands before the .end row" {
    need_r jsonlite
    input_of profcat >rows
    # rbind makes a row name of its own for the copy, "31", which is beyond the last line
    in_r 'p <- read_profstream(a[1])
          p$functions <- rbind(p$functions, p$functions[1, ])
          p$functions$function_id[nrow(p$functions)] <- 9
          write_profstream(p, "more")' rows
    tail -n 1 more | grep -qxF '{"table":".end"}'
    profsort more >sorted
    profvalidate sorted
}

@test "numbers that JSON does not have are not written" {
    need_r jsonlite
    input_of profcat >rows
    for value in Inf -Inf NaN; do
        try in_r "p <- read_profstream(a[1]); p\$sample_values\$value <- $value
                  write_profstream(p, 'out')" rows
        [ "$status" -ne 0 ] || fail "$value was written"
    done
}

@test "a profile without its end is refused" {
    need_r jsonlite
    rprof2ndjson -q "$SAMPLES/plain.out" >rows
    # a cut between lines, one within the last, and one that leaves the first line alone
    sed '$d' rows >cut
    head -c -5 rows >torn
    head -n 1 rows >first
    : >empty
    { sed '$d' rows; echo '{"table":".end","more":true}'; } >promise
    refused cut 'truncated'
    refused torn "line $(wc -l <rows):"
    refused first 'truncated'
    refused empty 'one profile expected'
    refused promise 'one profile expected'
    # R's `$` takes the beginning of a name for the name
    { sed '$d' rows; echo '{"table":".endnote"}'; } >almost
    refused almost 'truncated'
    # without the promise nothing is missing
    sed '1s/,".ends":true//;$d' rows >open
    comes_back open
}

@test "several profiles are refused" {
    need_r jsonlite
    rprof2ndjson -q "$SAMPLES/plain.out" >rows
    cat rows rows >two
    refused two 'one profile expected'
}

@test "a broken line is named by its number" {
    need_r jsonlite
    broken() {  # line ...: the second row and what follows it, after a blank line
        { echo "$begin"; echo; printf '%s\n' "$@"; f 1; } >broken
        refused broken 'line 3:'
    }
    broken '{"table":".x","v":1'
    broken '[1,2]'
    broken '{"v":1}'
    broken '{"table":".x","v":NaN}'
    broken '{"table":".x","v":01}'
    broken '{"table":".x","v":1} {"table":".x"}'
    broken '{"table":".x","v":1},{"table":".x"}'
    broken '{"table":".x","v":[1' '2]}'
    broken $'{"table":".x","v":"\xff"}'
    broken '{"table":".x","v":1,"v":2}'
    broken '{"table":"functions","function_id":2}'
    { echo "$begin"; f 1; echo '{"table":".end"}'; f 2; } >late
    refused late 'line 4:'
}

@test "the name of a table inside of a value is not the table" {
    need_r jsonlite
    { echo "$begin"; echo '{"v":{"table":".wrong"},"table":".right"}'; } >rows
    in_r 'stopifnot(identical(names(read_profstream(a[1])), c("meta", ".right")))' rows
}

@test "sums by function are those of jq" {
    need_r jsonlite
    need jq
    rprof2ndjson -q "$SAMPLES/memory.out" >memory
    pprof2ndjson -q "$ROOT/samples/pprof/go-heap.pb.gz" >heap
    for file in memory heap; do
        # the innermost location has the value; several types are summed apart
        in_r 'p <- read_profstream(a[1])
              leaf <- subset(p$sample_locations, depth == 1)
              x <- merge(merge(p$sample_values, leaf),
                         p$locations[c("location_id", "function_id")])
              x <- aggregate(value ~ type + function_id, x, sum)
              lines <- sprintf("%s %.0f %.0f", x$type, x$function_id, x$value)
              writeLines(lines)' $file | sort >by_r
        jq -rn 'reduce inputs as $r ({};
                if $r.table == "locations" then
                    .f[$r.location_id | tostring] = $r.function_id
                elif $r.table == "sample_values" then
                    .v[$r.sample_id | tostring][$r.type] = $r.value
                elif $r.table == "sample_locations" and $r.depth == 1 then
                    (.f[$r.location_id | tostring] | tostring) as $f |
                    reduce (.v[$r.sample_id | tostring] | to_entries[]) as $e (.;
                        .sum["\($e.key) \($f)"] += $e.value)
                else . end) | .sum | to_entries[] | "\(.key) \(.value)"' $file |
            sort >by_jq
        [ "$(wc -l <by_r)" -gt 20 ]
        diff by_r by_jq
    done
}

@test "as a program it counts the rows, sourced it says nothing" {
    need_r jsonlite
    rprof2ndjson -q "$SAMPLES/plain.out" >rows
    try Rscript --vanilla "$ROOT/samples/read_profstream.R" rows
    [ "$status" -eq 0 ]
    for table in functions samples sample_locations; do
        grep -qxE "$table +$(grep -c "^{\"table\":\"$table\"" rows)" stdout
    done
    try in_r 'invisible()' rows
    says 0
    [ ! -s stdout ]
    sed '$d' rows >cut
    try Rscript --vanilla "$ROOT/samples/read_profstream.R" cut
    [ "$status" -ne 0 ]
}

@test "a stream can be made of nothing but data frames" {
    need_r jsonlite
    in_r 'write_profstream(list(
              samples = data.frame(sample_id = 1:3, source_id = 1),
              meta = data.frame(key = "version", value = "2.0"),
              sources = data.frame(source_id = 1, source_type = "x", source_uri = NA,
                                   source_timestamp = NA)), "made")'
    profsort made | profvalidate -v 2>&1 | grep -q 'samples: 3 rows'
}

@test "a database has the frames that rows have, in both ways to store" {
    need jq
    need_r jsonlite RSQLite
    for file in "$SAMPLES/everything.out" "$ROOT/samples/pprof/go-labels.pb.gz"; do
        profcat -q -o rows "$file"
        for plain in '' --plain; do
            ndjson2sqlite -q $plain -o x.db rows
            in_r 'p <- read_profstream(a[1]); q <- read_profstream(a[2])
                  text <- function(x) {
                      if (inherits(x, "integer64")) x <- as.numeric(bit64::as.character.integer64(x))
                      if (is.numeric(x)) sprintf("%.15g", x) else as.character(unclass(x))
                  }
                  for (table in c("sources", "functions", "locations", "samples", "sample_values", "sample_locations")) {
                      columns <- grep("^[.]|timestamp", names(p[[table]]), value = TRUE, invert = TRUE)
                      x <- as.data.frame(lapply(p[[table]][columns], text))
                      y <- as.data.frame(lapply(q[[table]][columns], text))
                      keys <- intersect(c("source_id", "function_id", "location_id", "sample_id", "type", "depth"), columns)
                      x <- x[do.call(order, x[keys]), ]; y <- y[do.call(order, y[keys]), ]
                      row.names(x) <- row.names(y) <- NULL
                      if (!isTRUE(all.equal(x, y))) stop(table, ": ", paste(all.equal(x, y), collapse = "; "))
                  }
                  # text where its digits are more than those of a double
                  stopifnot(identical(as.numeric(p$sources$source_timestamp), as.numeric(q$sources$source_timestamp)))
                  stopifnot(identical(q$meta$value, "2.0"), is.null(q$samples$node_id), is.null(q$samples$dotted_id))
                  writeLines(sprintf("%d %s", q$samples$sample_id, q$samples$dotted))' rows x.db >dotted
            jq -r 'select(.table == "samples") | "\(.sample_id) \(with_entries(select(.key | startswith("."))) | if . == {} then "NA" else tojson end)"' rows |
                diff - dotted
        done
    done
}

@test "a dm has the keys of the model" {
    need_r jsonlite RSQLite
    ndjson2sqlite -q -o x.db "$SAMPLES/lines.out"
    # in place of dm, what it is asked for
    mkdir -p dm/R
    printf 'Package: dm\nVersion: 0.1\nTitle: T\nDescription: D.\nLicense: none\nAuthor: n\nMaintainer: n <n@n>\n' >dm/DESCRIPTION
    printf 'export(dm, dm_add_pk, dm_add_fk)\n' >dm/NAMESPACE
    cat >dm/R/dm.R <<'END'
dm <- function(...) list(frames = list(...))
dm_add_pk <- function(dm, table, columns) {
  dm$pk <- c(dm$pk, paste(deparse(substitute(table)), deparse(substitute(columns))))
  dm
}
dm_add_fk <- function(dm, table, columns, ref_table) {
  dm$fk <- c(dm$fk, paste(deparse(substitute(table)), deparse(substitute(columns)), deparse(substitute(ref_table))))
  dm
}
END
    mkdir library
    R CMD INSTALL -l library dm >messages 2>&1 || fail "$(cat messages)"
    export R_LIBS=$PWD/library
    in_r 'm <- dm_profstream(read_profstream(a[1]))
          stopifnot(nrow(m$frames$samples) > 10)
          writeLines(c(m$pk, m$fk))' x.db >keys
    diff - keys <<'END'
meta c(key)
sources c(source_id)
functions c(function_id)
locations c(location_id)
samples c(sample_id)
sample_values c(sample_id, type)
sample_locations c(sample_id, depth)
locations function_id functions
samples source_id sources
sample_values sample_id samples
sample_locations sample_id samples
sample_locations location_id locations
END
}
