#!/usr/bin/env bats
# Any file for any tool that reads profiles: which options reach the readers, and which do not. That the
# output is that of the converter's rows is judged by tests/equal.
load helpers

CONVERTERS=$(grep '2ndjson$' <<<"$TOOLS")
CONSUMERS=$(some_tools "$(grep -v '2ndjson$' <<<"$TOOLS")" profsort profvalidate)
CASES=$BATS_TEST_DIRNAME/../cases

# A file of each converter's format, in a file of that name.
files() {
    local tool
    for tool in $CONVERTERS; do input_of $tool >$tool; done
}

@test "files of all formats on one command line are what their rows are, one after the other" {
    files
    for tool in $CONVERTERS; do $tool $tool >$tool.rows; done
    cat *.rows >rows
    # every other one as rows
    mixed=
    for file in *2ndjson; do mixed="$mixed $file$([ $((++i % 2)) = 0 ] || echo .rows)"; done
    for tool in ${CONSUMERS/profsort/}; do
        $tool -q rows >expected
        $tool -q *2ndjson | same - expected
        $tool -q $mixed | same - expected
    done
    profsort *.rows | same - <(profsort *2ndjson)
}

@test "--max-size reaches the reader of what must be held in memory, and nobody else" {
    files
    gzip -c pprof2ndjson >x.gz
    size=$(wc -c <pprof2ndjson)
    for tool in $CONSUMERS; do
        for file in pprof2ndjson x.gz; do
            try $tool -q --max-size=$((size - 1)) $file
            says 1 "$tool: $file: more than $((size - 1)) bytes, decompressed (--max-size sets the limit)"
            $tool -q --max-size=$size $file >limited
            $tool -q $file | same - limited
        done
        try $tool -q --max-size=$((size - 1)) - <x.gz
        says 1 "$tool: <stdin>: more than $((size - 1)) bytes, decompressed (--max-size sets the limit)"
        rprof2ndjson rprof2ndjson >rows
        for file in $(grep -vxE "(pprof|massif|trace|jfr|otlp|simpleperf|xctrace|vsprof|pstats)2ndjson" <<<"$CONVERTERS") rows; do
            try $tool -q --max-size=1 $file
            says 0
        done
        try $tool --max-size=1x rows
        says 2 "$tool: --max-size: expected a number of bytes, perhaps with K, M or G, found \"1x\""
        try $tool --max-size=0 rows
        says 2 "$tool: --max-size: expected more than 0 bytes"
    done
}

@test "--strict reaches the reader" {
    cp "$SAMPLES/torn.out" torn
    cp "$SAMPLES/deep.out" cut
    cp "$CASES/rprofmem2ndjson/torn-strict/input" mem
    for file in torn cut mem; do
        converter=rprof2ndjson
        [ $file != mem ] || converter=rprofmem2ndjson
        try $converter --strict $file
        [ $status -eq 1 ]
        grep -q "^$converter: $file:[0-9]*: --strict: " stderr
        sed "s/^$converter: //" stderr >why
        for tool in $CONSUMERS; do
            try $tool --strict $file
            says 1 "$tool: $(cat why)"
            try $tool -q $file
            says 0
        done
    done
}

@test "--lossless reaches the reader: what it has no rows for is an error" {
    need protoc
    "$BATS_TEST_DIRNAME/make-pprof" "$CASES/pprof2ndjson/edges/input" >x
    for tool in $CONSUMERS; do
        try $tool --lossless x
        [ $status -eq 1 ]
        grep -q "^$tool: --lossless: not in [a-zR ]*: .*1 reference to a missing entry " stderr
        run ! grep -aFx '{"table":".end"}' stdout
        try $tool -q x
        says 0
    done
}

@test "every other option of a reader needs its converter" {
    files
    for converter in $CONVERTERS; do $converter --help=tsv; done | cut -f 3 | sort -u >theirs
    # --name or --name=x of each option that some converter has and TOOL has not
    for tool in $CONSUMERS; do
        count=0
        $tool --help=tsv | cut -f 3 >own
        for name in $(cat theirs); do
            ! grep -q -e "^$name" own || continue
            count=$((count + 1))
            try $tool $name=x rprof2ndjson
            [ $status -eq 2 ]
            grep -qE "^$tool: unknown option $name(:| )" stderr
            [ ! -s stdout ]
        done
        # --source-uri, --timestamp, --profile-version, --from-code, --expand, --columns; and --type but
        # where that begins another option
        [ $count -ge 6 ]
    done
}

@test "converters refuse every other format, and name the converter that reads it" {
    files
    profcat rprof2ndjson >rows
    for tool in $CONVERTERS; do
        wanted_by $tool >$tool.wanted
        for other in $CONVERTERS; do
            [ $other = $tool ] || printf '%s %s\n' $tool $other
        done
    done | few_lines 21 >pairs
    while read -r tool other; do
        wanted=$(cat $tool.wanted)
        gzip -c $other >x.gz
        for file in $other x.gz; do
            try $tool $file
            [ $status -eq 1 ]
            grep -qE "^$tool: $file: expected $wanted, found an? .* file: $other reads it$" stderr
            [ "$(cat stdout)" = '{"table":"meta","key":"version","value":"2.0",".ends":true}' ]
        done
    done <pairs
    for tool in $CONVERTERS; do
        try $tool rows
        says 1 "$tool: rows: expected $(cat $tool.wanted), found profile rows"
    done
}

@test "what an input is taken for does not depend on how its bytes come in" {
    # folded stacks, all of which would begin as a message does
    x=$BATS_TEST_DIRNAME/../fuzz/corpus/folded/message-in-line
    head -n 1 $x >line
    ndjson2folded -q $x >whole
    { cat line; sleep 0.2; tail -n +2 $x; } | ndjson2folded -q - | same - whole
    # locks of C++, which are not Java's for a word that stands far behind
    { printf '%s\n' '--- contentionz 1 ---'; yes '1 1 @ 0x1' | head -n 409; printf '%b\n' '\n# format = java'; } >x
    [ "$(stat -c %s x)" -gt 4110 ]
    ndjson2folded -q x >whole
    [ -s whole ]
    { head -c 8 x; sleep 0.2; tail -c +9 x; } | ndjson2folded -q - | same - whole
}

@test "what is surely one format is not read as another that is asked for" {
    printf '\012\004\010\001\020\0022\000a;b 1\nc;d 2\n' >x
    try folded2ndjson x
    says 1 "folded2ndjson: x: expected a folded stacks file, found a pprof file: pprof2ndjson reads it"
    try profcat x
    says 1 "profcat: x: offset 8: period: expected wire type 0, found 1"
}

@test "what begins as a line of text may be a message all the same" {
    # its first field is all letters and a line feed
    pprof2ndjson $BATS_TEST_DIRNAME/../fuzz/corpus/pprof/text-in-front >rows
    ndjson2pprof --no-aggregate rows | gunzip >x
    [ "$(head -n 2 x | LC_ALL=C tr -d 'P*\n' | wc -c)" -eq 0 ]
    pprof2ndjson --source-uri=x x | same - <(sed 's/"source_uri":"[^"]*"/"source_uri":"x"/' rows)
}
