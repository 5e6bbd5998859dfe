#!/usr/bin/env bats
# --keep-going: bad inputs are left out, and nothing of them goes out; so are bad lines.
load helpers

KEEPERS=$(some_tools "${TOOLS/profvalidate/}" sqlite2ndjson pprof2ndjson profsum) # profvalidate goes on anyway

# An input of a tool that is bad at its end, after much that is good.
bad_input_of() {  # tool
    case $1 in
        sqlite2ndjson) input_of $1 | head -c -4096 ;;
        pprof2ndjson) input_of $1; printf '\12' ;;
        rprof2ndjson | rprofmem2ndjson | folded2ndjson | perf2ndjson) input_of $1 | gzip -c | head -c -9 ;;
        *2ndjson) input_of $1; echo garbage ;;
        *) input_of $1 | sed '$d'; echo '{"table":"functions"}' ;;
    esac
}

# The last line that is said.
counted() {  # tool left-out of
    [ "$(tail -n 1 stderr)" = "$1: bad inputs left out: $2 of $3" ]
}

@test "a folder is left out" {
    mkdir d
    printf 'a;b 1\n' >x
    try profsum -k d x
    says 1 "profsum: d is a folder: name its files, such as d/*, or all below it: find d -type f | profsum --files-from=-" \
        'profsum: bad inputs left out: 1 of 2'
    profsum x | same stdout -
}

@test "bad inputs are reported, left out and counted, wherever they stand" {
    for tool in $KEEPERS; do
        input_of $tool >a
        cp a c
        bad_input_of $tool >b
        printf 'neither of them\n' >d
        $tool -q a c >plain
        for files in 'b a c' 'a b c' 'a c b' 'b b a d c missing' 'a missing b d c'; do
            for option in -k --keep-going; do
                try $tool -q $option $files
                [ $status -eq 1 ]
                same stdout plain
                count=$(wc -w <<<"$files")
                counted $tool $((count - 2)) $count
                # one line for each, which names it
                [ "$(wc -l <stderr)" -eq $((count - 1)) ]
                run ! grep -vE "^$tool: (b:|b: |d: |cannot open missing: |bad inputs)" stderr
            done
        done
        # good ones alone are as without it
        try $tool -q -k a c
        says 0
        same stdout plain
        # a file is written, of the rest
        try $tool -q -k -o x a b c
        [ $status -eq 1 ]
        same x plain
        rm x
    done
}

@test "where nothing is left the stream is not whole, and there is no file" {
    for tool in $KEEPERS; do
        bad_input_of $tool >b
        try $tool -q -k b missing
        [ $status -eq 1 ]
        [ "$(tail -n 1 stderr)" = "$tool: bad inputs left out: 2 of 2: nothing is left" ]
        case $tool in
            ndjson2pprof) run ! gunzip -t stdout ;;
            ndjson2* | profsum | profplot | profflame) [ ! -s stdout ] ;;
            *) [ "$(cat stdout)" = '{"table":"meta","key":"version","value":"2.0",".ends":true}' ] ;;
        esac
        try $tool -q -k -o x b missing
        [ $status -eq 1 ]
        [ ! -e x ]
        rm b
        [ -z "$(files_here)" ]
    done
}

@test "version 1.0, lists, gzip and standard input" {
    input_of rprof2ndjson >a
    bad_input_of rprof2ndjson >b
    gzip -c a >a.gz
    gzip -c b >b.gz
    gzip -c a | head -c 30 >cut.gz
    rprof2ndjson --profile-version=1.0 a a.gz >plain
    printf 'b.gz\na\ncut.gz\na.gz\nb\n' >list
    try rprof2ndjson -k --profile-version=1.0 --files-from list
    [ $status -eq 1 ]
    same stdout plain
    counted rprof2ndjson 3 5
    for input in a a.gz; do
        cat $input | rprof2ndjson -k >one
        status=0
        cat $input | rprof2ndjson -k b - >two 2>stderr || status=$?
        [ $status -eq 1 ]
        same one two
        grep -qF '"source_uri":null' one
    done
    # more than is read at once
    awk 'BEGIN { for (i = 0; i < 60000; i++) printf "f%d;g%d 1\n", i * i % 99991, i * 7919 % 99989 }' | gzip -c >large.gz
    profcat - <large.gz >plain
    cat large.gz | profcat -k - | same plain -
    # the date and the name of a file are its own
    touch -d @1234567890 a
    rprof2ndjson --timestamp=mtime a >plain
    rprof2ndjson -k --timestamp=mtime a >kept
    same plain kept
}

@test "what --strict and --lossless refuse is left out" {
    input_of rprof2ndjson >a
    try rprof2ndjson -k --strict a "$SAMPLES/torn.out" "$SAMPLES/deep.out"
    [ $status -eq 1 ]
    counted rprof2ndjson 2 3
    same stdout <(rprof2ndjson a)
    # and without them it is warned of once
    rprof2ndjson a "$SAMPLES/torn.out" >plain 2>said
    try rprof2ndjson -k a "$SAMPLES/torn.out"
    says 0 "$(cat said)"
    same stdout plain
    rprof2ndjson "$SAMPLES/memory.out" >lossy
    rprof2ndjson <a >rows
    try prof2to1 -k --lossless lossy rows
    [ $status -eq 1 ]
    counted prof2to1 1 2
    same stdout <(prof2to1 rows)
}

@test "what good inputs have lost is said, whatever is left out behind them" {
    need protoc
    rprof2ndjson "$SAMPLES/memory.out" >lossy
    bad_input_of prof2to1 >b
    prof2to1 -v lossy lossy >plain 2>said
    grep -q 'not in the output: [0-9]* values of other types: alloc_size' said
    for files in 'lossy lossy b' 'lossy b lossy' 'b lossy b lossy b'; do
        try prof2to1 -v -k $files
        [ $status -eq 1 ]
        same stdout plain
        grep -vE '^prof2to1: (b:|bad inputs)' stderr | same - said
    done
    # also where the reader loses it, and files are alone what they are together
    "$BATS_TEST_DIRNAME/make-pprof" "$BATS_TEST_DIRNAME/../cases/pprof2ndjson/edges/input" >x.pb
    try profcat -k x.pb b x.pb b
    [ $status -eq 1 ]
    grep -qx 'profcat: not in the output: 2 references to missing entries (location.mapping_id)' stderr
}

@test "an input too large for memory waits in a file that has no name" {
    input_of profcat | sed '$d' >big
    for i in {1..12}; do
        printf '{"table":".x","a":"'
        head -c 1000000 /dev/zero | tr '\0' y
        echo '"}'
    done >>big
    echo '{"table":".end"}' | cat big - >good
    mkdir tmp
    TMPDIR=$T/tmp profcat good >plain
    TMPDIR=$T/tmp profcat -k good big 2>/dev/null >kept || [ $? -eq 1 ]
    same kept plain
    cat good | TMPDIR=$T/tmp profcat -k | same - plain
    [ -z "$(ls -A tmp)" ]
    try env TMPDIR=$T/nowhere profcat -k good
    says 3 "profcat: cannot make a temporary file in $T/nowhere: No such file or directory"
}

@test "bad inputs hold nothing: descriptors, converters, memory" {
    plain_only "it needs all addresses"
    { printf 'sample.interval=20000\n'; for i in {1..3000}; do echo "\"f$i\" \"g$i\" "; done; } >good
    gzip -c good | head -c -9 >b
    input_of rprof2ndjson >a
    for i in {1..300}; do echo b; done >list
    echo a >>list
    rprof2ndjson --from-code=latin1 a >plain
    try bash -c 'ulimit -n 12; ulimit -v 60000; exec rprof2ndjson -k --from-code=latin1 --files-from list'
    [ $status -eq 1 ]
    counted rprof2ndjson 300 301
    same stdout plain
    # spools of version 1.0, and of lines
    { printf 'f;g 1 2\n'; head -c 3000000 /dev/zero | tr '\0' x; printf ' 1 2\nf;g 99999999999999999999 1\n'; } | gzip -c | head -c -9 >b
    rprof2ndjson --profile-version=1.0 a >plain
    try bash -c 'ulimit -n 12; ulimit -v 60000; exec rprof2ndjson -k --profile-version=1.0 --files-from list'
    [ $status -eq 1 ]
    counted rprof2ndjson 300 301
    same stdout plain
}

@test "wrong usage and failures of the system still end the tool" {
    input_of profcat >a
    bad_input_of profcat >b
    try profcat -k a - - <a
    says 2 'profcat: standard input is named twice'
    status=0
    profcat -k b a >/dev/full 2>stderr || status=$?
    [ $status -eq 3 ]
    grep -qx 'profcat: cannot write <stdout>: No space left on device' stderr
    try profcat -k --files-from nowhere
    says 3 'profcat: cannot open nowhere: No such file or directory'
    if [ -z "${PROFPIPE_SANITIZED-}" ]; then
        { input_of profcat | sed '$d'; printf '{"table":".x","a":"'; head -c 15000000 /dev/zero | tr '\0' y; echo '"}'; } >big
        try bash -c 'ulimit -v 24000; exec profcat -k a big'
        [ $status -eq 3 ]
        grep -q 'out of memory' stderr
    fi
}

@test "a budget judges the sum of the good inputs, not each of them" {
    printf 'main;f 1\n' >a
    printf 'main;g 1\n' >b
    echo garbage >bad
    try profsum -q -k --fail-if='self > 60 points' a b
    says 0
    try profsum -k --fail-if='self(f) > 40 points' a bad b
    says 1 'profsum: bad: expected a profile, found text that begins "garbage"' \
        'profsum: --fail-if: "self(f) > 40 points": f has 50.00' 'profsum: bad inputs left out: 1 of 3'
}

# The number of the last line of an input of a tool, which is garbage, and what is said of that.
of_garbage() {  # tool
    input_of $1 >good
    { cat good; echo 'garbage'; } >bad
    case $1 in
        folded2ndjson) wrong='expected a stack, a blank and a count, found "garbage"' ;;
        perf2ndjson) wrong='expected a sample, its frames, or a comment, found "garbage"' ;;
        rprof2ndjson) wrong="expected a frame (\"name\" or FILE#LINE), found 'garbage'" ;;
        rprofmem2ndjson) wrong="expected a record (bytes and \" :\", or \"new page:\"), found 'garbage'" ;;
    esac
    at=$(wc -l <bad)
}

@test "bad lines of formats of lines are skipped, and counted in one line with the place of the first" {
    for format in folded perf rprof rprofmem; do
        of_garbage ${format}2ndjson
        for tool in ${format}2ndjson profcat ndjson2folded; do
            # without the option the message names it
            try $tool -q bad
            says 1 "$tool: bad:$at: $wrong (-k skips bad lines)"
            $tool -q good | sed 's/"source_uri":"good"/"source_uri":"bad"/' >plain
            try $tool -q -k bad
            [ $status -eq 1 ]
            [ "$(cat stderr)" = "$tool: bad:$at: bad line skipped: $wrong" ]
            same stdout plain
            { cat bad; echo nonsense; tail -n 1 good; } >worse
            try $tool -q -k worse
            [ $status -eq 1 ]
            [ "$(cat stderr)" = "$tool: worse:$at: first of 2 bad lines, all skipped: $wrong" ]
            # each input says it once, from wherever it is read
            try $tool -q -k good worse - bad <bad
            [ $status -eq 1 ]
            [ "$(grep -c skipped stderr)" -eq 3 ]
            [ "$(wc -l <stderr)" -eq 3 ]
            try $tool -q -k --threads=1 good worse - bad <bad
            [ "$(grep -c skipped stderr)" -eq 3 ]
        done
        # --strict takes an input as it is, or not at all
        try ${format}2ndjson -q -k --strict bad good
        [ $status -eq 1 ]
        [ "$(cat stderr)" = "${format}2ndjson: bad:$at: $wrong
${format}2ndjson: bad inputs left out: 1 of 2" ]
    done
    # no other tool says it
    of_garbage rprof2ndjson
    try profvalidate bad
    [ $status -eq 1 ]
    run ! grep -q -e '-k' stdout stderr
    # nothing is left of lines that are all bad
    printf 'sample.interval=20000\ngarbage\n' >bad
    try profsum -q -k bad
    says 1 "profsum: bad:2: expected a frame (\"name\" or FILE#LINE), found 'garbage'
profsum: bad inputs left out: 1 of 1: nothing is left"
}
