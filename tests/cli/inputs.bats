#!/usr/bin/env bats
# What tools read: files, lists of files, gzip, and what is none of these.
load helpers

@test "a missing file is a system error" {
    for tool in $(some_tools "$TOOLS" sqlite2ndjson pprof2ndjson); do
        try $tool missing
        says 3 "$tool: cannot open missing: No such file or directory"
        try $tool ''
        says 3 "$tool: cannot open \"\": No such file or directory"
    done
}

@test "a folder is a system error, which says what to name" {
    mkdir d
    for tool in $(some_tools "$TOOLS" sqlite2ndjson pprof2ndjson); do
        try $tool d
        says 3 "$tool: d is a folder: name its files, such as d/*, or all below it: find d -type f | $tool --files-from=-"
    done
}

@test "a closed standard input is a system error" {
    for tool in $(some_tools "$TOOLS" sqlite2ndjson pprof2ndjson); do
        status=0
        $tool <&- >stdout 2>stderr || status=$?
        says 3 "$tool: cannot read <stdin>: Bad file descriptor"
    done
}

@test "a file that may not be read is a system error" {
    unless_root
    : >a
    chmod 0 a
    try profcat a
    says 3 'profcat: cannot open a: Permission denied'
}

@test "empty inputs" {
    : >empty
    # what R leaves that is killed early; the stream stays whole, whichever input it is
    for tool in profcat profvalidate ndjson2rprof prof2to1; do
        try rprof2ndjson empty
        says 0 'rprof2ndjson: empty: the file is empty (R wrote nothing before it ended): skipped'
        $tool stdout >/dev/null
    done
    try rprof2ndjson --strict </dev/null
    says 1 'rprof2ndjson: <stdin>: --strict: the file is empty (R wrote nothing before it ended)'
    input_of rprof2ndjson >run
    for inputs in 'run empty' 'empty run' 'empty empty'; do
        rprof2ndjson -q $inputs | profvalidate
    done
    rprof2ndjson -q empty run | ndjson2rprof | same run -
    for tool in profcat ndjson2pprof; do
        try $tool empty
        says 1 "$tool: empty: expected a profile, found nothing (--allow-empty accepts that)"
        try $tool </dev/null
        says 1 "$tool: <stdin>: expected a profile, found nothing (--allow-empty accepts that)"
        printf '\n%.0s' {1..5000} >blank
        try $tool blank
        says 1 "$tool: blank: expected a profile, found nothing (--allow-empty accepts that)"
        # one of several too: it may be all that a killed producer wrote
        input_of profcat >a
        try $tool a empty
        says 1 "$tool: empty: expected a profile, found nothing (--allow-empty accepts that)"
        try $tool -q --allow-empty a empty
        says 0
        try $tool -q --allow-empty empty
        says 0
    done
}

@test "standard input can be named once" {
    input_of profcat >a
    try profcat - - <a
    says 2 'profcat: standard input is named twice'
    try profcat --files-from - <<<'-'
    says 2 'profcat: standard input is named twice'
}

@test "what is written cannot be read at once" {
    input_of profcat >a
    cp a b
    try bash -c 'profcat a b >>b'
    says 2 'profcat: b is input and output at once'
    # a file that is replaced is another one
    profcat a b >both
    profcat -o b a b
    same b both
}

@test "gzip is recognised wherever bytes are read" {
    for tool in $(some_tools "$TOOLS" sqlite2ndjson pprof2ndjson); do
        input_of $tool >in
        $tool -q <in >plain
        gzip -c in >in.gz
        $tool -q <in.gz >packed
        same plain packed
        cat in.gz | $tool -q >packed
        same plain packed
    done
}

@test "gzip with several members, empty ones and padding" {
    input_of rprof2ndjson >in
    rprof2ndjson <in >plain
    { head -c 10 in | gzip; : | gzip -9; tail -c +11 in | gzip -1; head -c 512 /dev/zero; } >in.gz
    rprof2ndjson <in.gz >packed
    same plain packed
}

@test "a gzip member may end inside a line, a profile inside a member" {
    input_of profcat >a
    cat a a | profcat >plain
    { gzip <a; gzip <a; } | profcat >packed
    same plain packed
}

@test "gzip that is cut off anywhere is an error" {
    input_of profcat | gzip -n >a.gz
    size=$(wc -c <a.gz)
    # not at 1: one byte of it is no gzip yet
    for n in 2 5 10 11 30 $((size / 2)) $((size - 8)) $((size - 1)); do
        head -c $n a.gz >cut
        try profcat cut
        says 1 "profcat: cut: offset $n: the gzip data is cut off: expected more bytes, found the end"
    done
    gunzip -c a.gz | gzip -n >b.gz
    { cat a.gz; head -c 12 b.gz; } >cut
    try profcat cut
    says 1 "profcat: cut: offset $((size + 12)): the gzip data is cut off: expected more bytes, found the end"
}

@test "gzip with garbage behind or inside" {
    input_of profcat | gzip -n >a.gz
    size=$(wc -c <a.gz)
    { cat a.gz; echo garbage; } >bad.gz
    try profcat bad.gz
    says 1 "profcat: bad.gz: offset $size: expected another gzip member or the end, found other bytes"
    # a checksum that does not fit
    { head -c $((size - 8)) a.gz; printf 'abcd'; tail -c 4 a.gz; } >bad.gz
    try profcat bad.gz
    [ $status -eq 1 ]
    grep -qE '^profcat: bad.gz: offset [0-9]+: the gzip data is damaged: incorrect data check$' stderr
}

# A file may be inflated whole, by another library; what comes out of a pipe never is.
@test "gzip says the same from a file and from a pipe, good or damaged" {
    takes_long
    input_of rprof2ndjson >plain.out
    gzip -n <plain.out >a.gz
    size=$(wc -c <a.gz)
    head -c 10 a.gz >head
    tail -c +11 a.gz >data
    head -c $((size - 8)) a.gz >tailless
    tail -c 4 a.gz >length
    : | gzip -n >good.empty
    { printf '\037\213\010\010\0\0\0\0\0\003name\0'; cat data; } >good.name
    { printf '\037\213\010\004\0\0\0\0\0\003\003\0abc'; cat data; } >good.extra
    { printf '\037\213\010\002\0\0\0\0\0\003xx'; cat data; } >bad.header-checksum
    { printf '\037\213\010\340\0\0\0\0\0\003'; cat data; } >bad.flags
    { printf '\037\213\007\0\0\0\0\0\0\003'; cat data; } >bad.method
    { cat tailless; printf 'abcd'; cat length; } >bad.checksum
    for said in '\0\0\0\0' '\001\0\0\0' '\377\377\377\377' '\0\0\057\0'; do
        { head -c $((size - 4)) a.gz; printf "$said"; } >bad.length
        { cat a.gz bad.length; } >bad.second-length
        from_both bad.length
        from_both bad.second-length
    done
    cat a.gz a.gz >good.members
    { cat a.gz; head -c 600 /dev/zero; } >good.padded
    { cat a.gz; printf x; } >bad.behind
    { cat plain.out; yes '"f" "g" "h" ' | head -n 800000; } | gzip -n >good.long
    { cat plain.out; awk 'BEGIN { for (i = 0; i < 30000; i++) printf "\"f%d\" \n", rand() * 1e9 }'; } |
        gzip -n >good.many
    for file in good.*; do
        from_both $file
        [ "$status" -eq 0 ]
    done
    for file in bad.*; do
        from_both $file
        [ "$status" -eq 1 ]
    done
    for n in 2 9 10 11 17 18 19 100 $((size / 2)) $((size - 9)) $((size - 8)) $((size - 4)) $((size - 1)); do
        head -c $n a.gz >cut
        from_both cut
        { head -c $n a.gz; printf '\252'; tail -c +$((n + 2)) a.gz; } >flipped
        from_both flipped
    done
    # and the rest of a file that has been read from before
    { printf '%s\n' "$(head -n 1 plain.out)"; cat a.gz; } >rest
    { read -r line; rprof2ndjson -q; } <rest >stdout.rest
    rprof2ndjson -q <a.gz | same - stdout.rest
    # and who reads behind a tool finds the end
    { rprof2ndjson -q >stdout; wc -c; } <good.many >left
    [ "$(cat left)" -eq 0 ]
}

# Output, status and messages but for the name, of FILE itself and through a pipe.
from_both() {  # file
    try rprof2ndjson --source-uri=x "$1"
    sed "s/: $1: /: <stdin>: /" stderr >stderr.file
    mv stdout stdout.file
    local first=$status
    try sh -c 'cat "$1" | rprof2ndjson --source-uri=x' - "$1"
    [ "$status" -eq "$first" ] || fail "$1: status $first, from a pipe $status"
    diff -u stderr.file stderr
    # how much of what is not whole goes out depends on when a pipe has nothing
    [ "$status" -ne 0 ] || same stdout.file stdout
}

@test "--files-from reads names one a line" {
    input_of profcat >a
    cp a 'b c'
    profcat a 'b c' >plain
    printf 'a\n\nb c\n' >list
    try profcat --files-from list
    says 0
    same stdout plain
    # the last line may lack its end; - is standard input
    printf 'a\nb c' | profcat --files-from=- >from_stdin
    same from_stdin plain
}

@test "--files-from takes lines that end in CR LF" {
    input_of profcat >a
    cp a 'b c'
    profcat a 'b c' >plain
    printf 'a\r\n\r\nb c\r\n' >list
    try profcat --files-from list
    says 0
    same stdout plain
    # with --null a CR is part of the name
    name=$'a\r'
    mv a "$name"
    printf 'a\r\0b c\0' >list
    try profcat --null --files-from list
    says 0
    same stdout plain
}

@test "a tool that waits for a terminal says so" {
    need_terminal
    printf '%s\n' '{"table":"meta","key":"version","value":"2.0"}' >keys
    said='reading standard input, which is a terminal (Ctrl-D ends it, Ctrl-C the tool)'
    # types the keys for a tool, and stays until it has ended
    type_to() {  # tool option ...
        rm -f ended
        (cat keys; printf '\4'; wait_until [ -e ended ]) |
            script -qec "$* >/dev/null 2>said; : >ended" /dev/null >/dev/null
    }
    for tool in profcat profvalidate; do
        type_to $tool
        [ "$(cat said)" = "$tool: $said" ]
        type_to $tool -q -
        [ ! -s said ]
    done
    # not where the input is something else
    script -qec "profcat keys >/dev/null 2>said" /dev/null >/dev/null </dev/null
    [ ! -s said ]
}

@test "--null takes names with line feeds" {
    name=$'b\nc'
    input_of rprof2ndjson >a
    cp a "$name"
    printf 'a\0%s\0' "$name" >list
    try rprof2ndjson --files-from list --null
    says 0
    rprof2ndjson a "$name" >plain
    same stdout plain
    grep -qF '"source_uri":"b\nc"' stdout
    try rprof2ndjson --files-from list
    says 1 'rprof2ndjson: list: a file name holds NUL (--null reads names ended by NUL)'
}

@test "--files-from with a long list, which may be gzip too" {
    input_of profcat >a
    for i in $(seq 2000); do echo "$T/./a"; done >list
    gzip -c list >list.gz
    profcat --files-from list >one
    profcat --files-from list.gz >two
    same one two
    [ "$(grep -c '"table":"sources"' one)" -eq 2000 ]
    [ "$(grep -c '"table":"functions"' one)" -eq 2 ]
}

@test "--files-from: a list or a file in it that is missing" {
    try profcat --files-from nowhere
    says 3 'profcat: cannot open nowhere: No such file or directory'
    input_of profcat >a
    printf 'a\nmissing\n' >list
    try profcat --files-from list
    says 3 'profcat: cannot open missing: No such file or directory'
}

@test "--files-from with an empty list reads nothing, not standard input" {
    : >list
    input_of profcat >a
    try profcat --files-from list <a
    says 1 'profcat: expected an input, found none'
    try profcat --allow-empty --files-from list <a
    says 0
    try rprof2ndjson --files-from list
    says 1 'rprof2ndjson: expected an input, found none'
}

@test "files of another format: a converter names the one that reads it" {
    rprof2ndjson "$SAMPLES/plain.out" >rows
    ndjson2pprof -q -o x.pb.gz rows
    gunzip -c x.pb.gz >x.pb
    for file in x.pb.gz x.pb; do
        try rprof2ndjson $file
        says 1 "rprof2ndjson: $file: expected an Rprof file, found a pprof file: pprof2ndjson reads it"
    done
    try rprof2ndjson rows
    says 1 'rprof2ndjson: rows: expected an Rprof file, found profile rows'
    try pprof2ndjson "$SAMPLES/plain.out"
    says 1 "pprof2ndjson: $SAMPLES/plain.out: expected a pprof file, found an Rprof file: rprof2ndjson reads it"
}

@test "a line longer than 16 MiB is an error, one just as long is not" {
    max=$((16 << 20))
    row='{"table":".x","a":""}'
    input_of profcat | sed '$d' >a
    long_row() {  # length of the line, without its line feed
        printf '{"table":".x","a":"'
        head -c $(($1 - ${#row})) /dev/zero | tr '\0' y
        echo '"}'
    }
    { cat a; long_row $max; echo '{"table":".end"}'; } >b
    try profcat b
    says 0
    [ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' stdout)" -eq $max ]
    { cat a; long_row $((max + 1)); echo '{"table":".end"}'; } >b
    try profcat b
    says 1 "profcat: b:$(($(wc -l <a) + 1)): the line is longer than 16 MiB"
    # not even its end needs to come
    { cat a; tr '\0' y </dev/zero; } | { try profcat; says 1 "profcat: <stdin>:$(($(wc -l <a) + 1)): the line is longer than 16 MiB"; }
}

@test "a dotted column nests 2,048 deep, its row counted, and no deeper" {
    nested() {  # depth
        printf '{"table":".x","a":'
        head -c $(($1 - 1)) /dev/zero | tr '\0' '['
        head -c $(($1 - 1)) /dev/zero | tr '\0' ']'
        echo '}'
    }
    { input_of profcat | sed '$d'; nested 2048; echo '{"table":".end"}'; } >a
    try profcat a
    says 0
    { input_of profcat | sed '$d'; nested 2049; echo '{"table":".end"}'; } >a
    try profcat a
    [ $status -eq 1 ]
    grep -qF 'maximum parsing depth reached' stderr
}

@test "too little memory is a system error" {
    plain_only "it needs all addresses"
    input_of profcat | sed '$d' >a
    { printf '{"table":".x","a":"'; head -c 15000000 /dev/zero | tr '\0' y; echo '"}'; } >>a
    try bash -c 'ulimit -v 24000; exec profcat a'
    [ $status -eq 3 ]
    grep -qxE 'profcat: out of memory: [0-9]+ bytes were refused' stderr
    [ "$(cat stdout)" = '{"table":"meta","key":"version","value":"2.0",".ends":true}' ]
}

@test "too little memory for an encoding is no unknown encoding" {
    plain_only "it needs a limit on addresses"
    input_of rprof2ndjson >a
    for limit in $(seq 4000 50 20000); do
        try bash -c "ulimit -v $limit; exec rprof2ndjson --from-code=SHIFT_JIS a"
        # 127: not even the program could be loaded
        case $status in 0 | 3 | 127) ;; *) fail "$limit: status $status: $(cat stderr)" ;; esac
        [ "$status" -eq 127 ] || seen+=" $status"
        [ "$status" -ne 0 ] || break
    done
    [[ $seen == " 3"*" 0" ]] || fail "$seen"
    try rprof2ndjson --from-code=nope a
    says 2 'rprof2ndjson: --from-code: no encoding "nope" is known'
}

@test "a run is killed at any byte, and another one appended" {
    printf 'memory profiling: line profiling: sample.interval=20000\n' >header
    printf '%s\n' '#File 1: a.R' ':1:2:3:4:"<GC>" 1#2 "f" ' ':5:6:7:8:' '#File 12: some/b.R' \
        ':9:10:11:12:1#1 "two names" 12#34 ' | cat header - >first
    printf '%s\n' '#File 1: b.R' ':1:2:3:4:1#2 "g" ' | cat header - >second
    for cut in $(some_of 12 $(seq "$(wc -c <header)" "$(wc -c <first)")); do
        head -c "$cut" first >start
        cat start second >input
        head -n "$(wc -l <start)" start | cat - second >whole
        rprof2ndjson --source-uri=x --strict whole >rows
        try rprof2ndjson --source-uri=x input
        same stdout rows
        if cmp -s whole input; then
            says 0
        else
            what="the line is torn (another header begins in it)"
            line=$(($(wc -l <start) + 1))
            says 0 "rprof2ndjson: input:$line: $what: skipped"
            try rprof2ndjson --strict input
            says 1 "rprof2ndjson: input:$line: --strict: $what"
        fi
    done
}

@test "--strict makes a torn last line and cut samples errors" {
    for pair in torn killed deep; do
        try rprof2ndjson $SAMPLES/$pair.out
        [ $status -eq 0 ]
        [ "$(wc -l <stderr)" -eq 1 ]
        tail -n 1 stdout | grep -Fx '{"table":".end"}'
        try rprof2ndjson --strict $SAMPLES/$pair.out
        [ $status -eq 1 ]
        grep -q ": --strict: " stderr
        run ! grep -F '".end"' stdout
    done
}

@test "every sample, cut at some places: a clear error or a counted warning" {
    takes_long
    for file in "$SAMPLES"/*.out; do
        size=$(wc -c <"$file")
        for n in 0 1 16 17 20 $((size / 3)) $((size / 2)) $((size - 2)) $((size - 1)); do
            head -c $n "$file" >cut
            try rprof2ndjson cut
            if [ $status -eq 0 ]; then
                tail -n 1 stdout | grep -qFx '{"table":".end"}'
                # a cut in mid-line is always told
                [ "$(tail -c 1 cut)" = "" ] || grep -q 'the last line is torn' stderr
            else
                [ $status -eq 1 ]
                [ "$(wc -l <stderr)" -eq 1 ]
            fi
        done
    done
}

@test "rows of every sample, cut at some places, are truncated" {
    for file in lines memory odd-names; do
        rprof2ndjson "$SAMPLES/$file.out" >rows
        size=$(wc -c <rows)
        # -17: all but the end row
        for n in 1 20 59 $((size / 3)) $((size / 2)) $((size - 17)) $((size - 2)); do
            head -c $n rows >cut
            for tool in profcat ndjson2pprof; do
                try $tool cut
                [ $status -eq 1 ]
                [ "$(wc -l <stderr)" -eq 1 ]
            done
        done
        # all but its line feed is whole
        head -c $((size - 1)) rows | profcat >whole
        same whole rows
    done
}

@test "lines that end in carriage returns alone are refused, in every format of lines" {
    for format in folded perf rprof rprofmem; do
        input_of ${format}2ndjson | tr '\n' '\r' >cr
        { cat cr; echo; } >crlf
        for tool in ${format}2ndjson profcat; do
            for file in cr crlf; do
                try $tool $file
                says 1 "$tool: $file: expected lines that end in a line feed, found carriage returns alone"
            done
        done
        # but CR LF is read, also where there is one line
        input_of ${format}2ndjson | sed 's/$/\r/' >crlf
        ${format}2ndjson -q crlf | profvalidate
    done
    printf 'f;g 1\r\n' | folded2ndjson -q | profvalidate
    # documents may have them
    input_of speedscope2ndjson | tr '\n' '\r' | speedscope2ndjson -q | profvalidate
}
